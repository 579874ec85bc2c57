import LinkConditioner
package import VirtualTime

/// How far the values of a scenario may go, so that nothing overflows when it runs.
package enum ScenarioLimits {
  /// Media of thirty days.
  package static let longestMedia = MediaTime.seconds(30 * 86_400)
  /// A year: at the fastest rate that is 32 years of media, which nanoseconds hold.
  package static let longestSpan = TimeSpan.seconds(365 * 86_400)
  /// A file with its head atom.
  package static let mostBytes = LinkLimits.mostBytes
  package static let fastestRate: Int32 = 32
  /// For the denominator of a rate: three decimals.
  package static let finestRate: Int32 = 1_000
  /// A share of the media's bit rate: a thousand times it.
  package static let largestShare: Int64 = 1_000
  /// In all playlists of a stream together: fifty hours of six rungs.
  package static let mostSegments: Int64 = 200_000
  package static let mostEvents: Int64 = 1_000_000_000
  /// A budget that a run of hours keeps by far, and that ends one that goes round in circles.
  package static let standardEvents: Int64 = 10_000_000
  /// Where the scenario says nothing: long enough for a film's start, short enough for a mistake.
  package static let standardHorizon = TimeSpan.seconds(3_600)
}

/// Decoders that hold the limits of a scenario.
extension Decode {
  /// A length of run time.
  static func runSpan(_ node: DocumentNode) -> TimeSpan? {
    checked(timeSpan, expected: "a time of at most 365 days") {
      $0 <= ScenarioLimits.longestSpan
    }(node)
  }

  /// A point on the run's clock.
  static func runInstant(_ node: DocumentNode) -> Instant? {
    runSpan(node).map { Instant.zero + $0 }
  }

  /// A place in media, or a length of it.
  static func mediaPlace(_ node: DocumentNode) -> MediaTime? {
    runSpan(node).map { MediaTime(nanoseconds: $0.nanoseconds) }
  }

  /// A rate of playback.
  static func scenarioRate(_ node: DocumentNode) -> PlaybackRate? {
    checked(playbackRate, expected: "a rate from 0 to 32 with at most three decimals") {
      $0.denominator <= ScenarioLimits.finestRate
        && $0.numerator <= ScenarioLimits.fastestRate * $0.denominator
    }(node)
  }

  /// A rate of playback that moves.
  static func movingRate(_ node: DocumentNode) -> PlaybackRate? {
    checked(scenarioRate, expected: "a rate above zero") { !$0.isZero }(node)
  }
}
