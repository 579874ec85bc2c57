package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension ViewedSession {
  /// Reads off a run what its viewer had; the screen must have been kept.
  ///
  /// Segments are those that came in, as long as the access log has them in periods of one variant.
  package init(_ scenario: Scenario, _ outcome: RunOutcome) {
    self.init(
      startup: outcome.player.startupDelay,
      stalls: outcome.stalls.map { Stall(place: $0.place, length: $0.length) },
      played: outcome.player.played, segments: Self.segments(scenario, outcome),
      shown: Self.shown(outcome))
  }

  /// How much was played of each variant of the item that is current in the end; nil for a file.
  private static func shown(_ outcome: RunOutcome) -> [Segment]? {
    let played = outcome.logs.indicators.playedVariants
    if played.isEmpty { return nil }
    return played.map { Segment(length: $0.media, bitsPerSecond: $0.nominal) }
  }

  static func segments(_ scenario: Scenario, _ outcome: RunOutcome) -> [Segment] {
    switch scenario.item.source {
    case .local(let file), .progressive(let file):
      return [Segment(length: file.duration, bitsPerSecond: file.averageBitRate.roundedDown)]
    case .stream(let settings):
      guard let list = settings.presentation.variants.first?.list else { return [] }
      var lengths = settings.presentation.lists[list].segments.map { $0.duration }[...]
      var segments: [Segment] = []
      for period in outcome.watchedPeriods {
        let variant = settings.presentation.variants.first {
          settings.presentation.lists[$0.list].uri == period.uri
        }
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
  }
}

extension ViewedSession {
  /// A session as its books have it, without where its stalls were: no screen needs to be kept.
  init(summaryOf scenario: Scenario, _ outcome: RunOutcome) {
    let player = outcome.player
    var stalls: [Stall] = []
    if case .count(let count) = Figure.stalls.value(player) {
      for index in 0..<count {
        stalls.append(Stall(place: .zero, length: index == 0 ? player.stalled : .zero))
      }
    }
    self.init(
      startup: player.startupDelay, stalls: stalls, played: player.played,
      segments: player.startupDelay == nil ? [] : Self.segments(scenario, outcome),
      shown: player.startupDelay == nil ? [] : Self.shown(outcome))
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
