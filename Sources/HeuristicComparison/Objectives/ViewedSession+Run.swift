import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension ViewedSession {
  /// Reads off a run what its viewer had of the first player, over all items that were played.
  ///
  /// Segments of a stream are those that arrived, as the access log has them in periods of one
  /// variant. A file is one segment.
  package init(_ outcome: RunOutcome) {
    let player = outcome.player
    self.init(
      startup: player.startupDelay,
      stalls: player.stalls.map { Stall(place: $0.place, length: $0.length) },
      stallCount: player.stallCount, stalled: player.stalled, played: player.played)
    for item in outcome.itemLogs where item.player == nil {
      switch item.playedSource {
      case nil: break
      case .local(let file)?, .progressive(let file)?:
        let segment = Segment(
          length: file.duration, bitsPerSecond: file.averageBitRate.roundedDown)
        segments.append(segment)
        shown.append(segment)
      case .stream(let settings)?:
        segments += Self.segments(item.logs.accessLog?.events ?? [], of: settings.presentation)
        shown += item.logs.indicators.playedVariants.map {
          Segment(length: $0.media, bitsPerSecond: $0.nominal)
        }
      }
    }
  }

  private static func segments(
    _ periods: [AccessLogEvent], of presentation: Presentation
  ) -> [Segment] {
    guard let list = presentation.variants.first?.list else { return [] }
    var lengths = presentation.lists[list].segments.map { $0.duration }[...]
    var segments: [Segment] = []
    for period in periods {
      let variant = presentation.variants.first { presentation.lists[$0.list].uri == period.uri }
      let declared = variant?.attributes.nominalBandwidth ?? 0
      var left = period.segmentsDownloadedDuration ?? .zero
      while left > .zero {
        let length = min(lengths.popFirst() ?? left, left)
        segments.append(Segment(length: length, bitsPerSecond: declared))
        left = left - length
      }
    }
    return segments
  }

  /// The nominal bit rates, each for as long as it was played; nil where nothing was shown.
  ///
  /// - Parameter factor: How many of the unit make a bit per second.
  func meanBitRate(times factor: Int128 = 1) -> Int64? {
    var (bits, length) = (Int128(0), Int128(0))
    for segment in shown {
      bits += Int128(segment.bitsPerSecond) * Int128(segment.length.nanoseconds)
      length += Int128(segment.length.nanoseconds)
    }
    return length > 0 ? Int64(clamping: quotient(bits * factor, length, rounding: .down)) : nil
  }
}
