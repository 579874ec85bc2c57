import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// A session as its viewer had it: all that an objective is worked out of.
package struct ViewedSession: Hashable, Sendable {
  /// A stretch of media of one quality.
  package struct Segment: Hashable, Sendable {
    package var length: MediaTime
    /// The nominal rate of its variant, in bit/s: the largest segment does not count.
    package var bitsPerSecond: Int64

    package init(length: MediaTime, bitsPerSecond: Int64) {
      self.length = length
      self.bitsPerSecond = bitsPerSecond
    }
  }

  package struct Stall: Hashable, Sendable {
    /// The playhead's place.
    package var place: MediaTime
    package var length: TimeSpan

    package init(place: MediaTime, length: TimeSpan) {
      self.place = place
      self.length = length
    }
  }

  /// Nil where playback never began.
  package var startup: TimeSpan?
  /// The first stalls, of which a run of any length keeps no more than some thousands.
  package var stalls: [Stall]
  package var stallCount: Int64
  package var stalled: TimeSpan
  package var played: TimeSpan
  /// In the order in which they play.
  package var segments: [Segment]
  /// The length played in each quality: shorter than the segments that were not played to the end.
  package var shown: [Segment]

  package init(
    startup: TimeSpan?, stalls: [Stall] = [], stallCount: Int64? = nil, stalled: TimeSpan? = nil,
    played: TimeSpan, segments: [Segment] = [], shown: [Segment]? = nil
  ) {
    self.startup = startup
    self.stalls = stalls
    self.stallCount = stallCount ?? Int64(stalls.count)
    self.stalled = stalled ?? stalls.reduce(.zero) { $0 + $1.length }
    self.played = played
    self.segments = segments
    self.shown = shown ?? segments
  }
}

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
  /// - Parameter factor: Number of the unit in a bit per second.
  func meanBitRate(times factor: Int128 = 1) -> Int64? {
    var (bits, length) = (Int128(0), Int128(0))
    for segment in shown {
      bits += Int128(segment.bitsPerSecond) * Int128(segment.length.nanoseconds)
      length += Int128(segment.length.nanoseconds)
    }
    return length > 0 ? Int64(clamping: quotient(bits * factor, length, rounding: .down)) : nil
  }
}
