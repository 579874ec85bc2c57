package import ExactText
package import LinkConditioner
package import VirtualTime

package enum TraceValue: Hashable, Sendable {
  case text(String)
  case count(Int64)
  case boolean(Bool)
  /// Nanoseconds, written as seconds.
  case seconds(Int64)
  case rate(PlaybackRate)
  case null

  package static func id(_ request: TransferID) -> TraceValue { .count(Int64(request.rawValue)) }
  package static func time(_ time: MediaTime) -> TraceValue { .seconds(time.nanoseconds) }

  package var text: String {
    switch self {
    case .text(let text): return text
    case .null: return "null"
    case .boolean, .count, .seconds, .rate:
      var writer = JSONWriter()
      write(to: &writer)
      return writer.text
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .count(let count): writer.integer(count)
    case .boolean(let boolean): writer.boolean(boolean)
    case .seconds(let nanoseconds): writer.seconds(nanoseconds)
    case .rate(let rate): writer.tree(.rate(rate))
    case .null: writer.null()
    }
  }
}

extension JSONTree {
  /// A playback rate: a decimal where it has one of at most nine places, else the ratio as text.
  package static func rate(_ rate: PlaybackRate) -> JSONTree {
    let (billionths, rest) = (Int64(rate.numerator) * 1_000_000_000)
      .quotientAndRemainder(dividingBy: Int64(rate.denominator))
    return rest == 0
      ? .decimal(billionths, places: 9) : .string("\(rate.numerator)/\(rate.denominator)")
  }
}
