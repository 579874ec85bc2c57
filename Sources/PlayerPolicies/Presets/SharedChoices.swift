import VirtualTime

// Choices of more than one player, and omissions from more than one of them.

extension PolicyPreset.Evidence {
  static let omissions = [
    Self(.sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
    Self(.stall, "when nothing is left", .assumed),
    Self(.estimator, "none is known to us, and nothing goes by it", .assumed),
    Self(.firstVariant, "none is known to us: the first listed", .assumed),
    Self(.nextVariant, "none is known to us: it stays with the first", .assumed),
    Self(.abandon, "what it gives up is left out", .assumed),
    Self(.fetch, "no limit is known to us", .assumed),
  ]
}

extension PolicyPreset {
  /// A surprise of every player that runs in a browser and is examined alone.
  static let startsWithBrowser =
    "It does not decide when playback starts: without the browser below it its startup means "
    + "nothing."
}

extension EstimatorSeat {
  /// All bytes over all the time in which they came.
  static let sinceBeginning = EstimatorSeat(.usual)

  /// The least of some statistics of samples.
  static func samples(
    _ statistics: SampleStatistic..., over sampling: Sampling, prior: Int64? = nil,
    gate: EstimatorDescription.Gate = .none
  ) -> EstimatorSeat {
    EstimatorSeat(
      EstimatorDescription(
        measure: .samples(SampleStatistics(sampling: sampling, statistics: statistics)),
        prior: prior, gate: gate))
  }
}

extension NextVariantRule {
  /// The highest variant whose needs are within a share of the throughput, whatever is ahead.
  static func highest(
    withinPercent share: Int64, needing: Int64 = 100, heedsRate: Bool = false
  ) -> NextVariantRule {
    .throughput(
      ThroughputChoice(
        safetyPercent: share, neededPercent: needing, upSwitchBuffer: .zero, upSwitchShare: nil,
        downSwitchBuffer: .seconds(1_000_000), keepsSustained: false, countsRoundTrips: false,
        heedsRate: heedsRate))
  }
}

extension FetchRule {
  static let wholeFile = FetchRule(media: .seconds(1_000_000))
}
