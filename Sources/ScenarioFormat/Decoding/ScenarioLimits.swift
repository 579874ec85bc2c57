import LinkConditioner
package import VirtualTime

/// Limits on the values of a scenario, so that nothing overflows when it runs.
package enum ScenarioLimits {
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
  /// The default: long enough for a film's start, short enough for a mistake.
  package static let standardHorizon = TimeSpan.seconds(3_600)
}
