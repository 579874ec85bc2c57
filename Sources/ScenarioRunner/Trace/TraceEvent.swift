import ExactText
import LinkConditioner
import SimulatedWorld
package import VirtualTime

/// A line of a trace before it is text: a name, and members in a fixed order.
package struct TraceEvent: Sendable {
  let shape: EventShape
  package var members: [(key: String, value: TraceValue)]

  package var name: String { shape.name }

  /// A line with the values of its row, in their order; nil for what it does without.
  init(_ shape: EventShape, _ values: TraceValue?...) {
    assert(values.count <= shape.members.count, "“\(shape.name)” has a value too many")
    self.shape = shape
    members = zip(shape.members, values).compactMap { member, value in
      value.map { (key: member.name, value: $0) }
    }
  }

  /// A line whose members depend on what it speaks of.
  init(_ shape: EventShape, named members: [(String, TraceValue)]) {
    self.shape = shape
    self.members = members.map { (key: $0.0, value: $0.1) }
  }

  /// The same, said of a further player; nil stands for the first one, who needs no name.
  func of(_ player: String?) -> TraceEvent {
    guard let player else { return self }
    var event = self
    event.members.insert((key: "player", value: .text(player)), at: 0)
    return event
  }

  /// The same with the name of the item that it speaks of.
  func with(item name: String) -> TraceEvent {
    var event = self
    event.members.append((key: "item", value: .text(name)))
    return event
  }

  /// Whether it is what a pattern describes.
  func matches(_ pattern: EventPattern) -> Bool {
    name == pattern.event
      && pattern.members.allSatisfy { claim in
        members.contains { $0.key == claim.name && $0.value.text == claim.value }
      }
  }
}

/// A value in a trace.
package enum TraceValue: Hashable, Sendable {
  case text(String)
  case count(Int64)
  case boolean(Bool)
  /// Nanoseconds, written as seconds.
  case seconds(Int64)
  case rate(PlaybackRate)
  case null

  static func id(_ request: TransferID) -> TraceValue { .count(Int64(request.rawValue)) }
  static func time(_ time: MediaTime) -> TraceValue { .seconds(time.nanoseconds) }

  /// The value as a pattern writes it.
  var text: String {
    switch self {
    case .text(let text): return text
    case .null: return "null"
    case .boolean, .count, .seconds, .rate:
      var writer = JSONWriter()
      write(to: &writer)
      return writer.text
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .count(let count): writer.integer(count)
    case .boolean(let boolean): writer.boolean(boolean)
    case .seconds(let nanoseconds): writer.seconds(nanoseconds)
    case .rate(let rate): writer.rate(rate)
    case .null: writer.null()
    }
  }
}

extension JSONWriter {
  /// A playback rate: a decimal where it has one of at most nine places, else the ratio as text.
  package mutating func rate(_ rate: PlaybackRate) {
    let (billionths, rest) = (Int64(rate.numerator) * 1_000_000_000)
      .quotientAndRemainder(dividingBy: Int64(rate.denominator))
    if rest == 0 {
      seconds(billionths)
    } else {
      string("\(rate.numerator)/\(rate.denominator)")
    }
  }
}
