import VirtualTime

// ExoPlayer and Media3: marks in seconds of play, less for the first start and after a seek. A
// long single request gives no sample before it ends, so of a file the estimate stays what it was;
// the start does not go by it. The thresholds fell by half and more with 1.6.

enum Media3 {
  static let all = [from1Point6, upTo1Point5, local]

  static let from1Point6 = preset(
    "Media3 1.6", "Media3 from 1.6 on: starts with 1 s, goes on with 2 s.",
    start: .milliseconds(1_000), resume: .milliseconds(2_000),
    read: "androidx/media 2bc2078, DefaultLoadControl")

  static let upTo1Point5 = preset(
    "ExoPlayer 1.5", "ExoPlayer, and Media3 up to 1.5: starts with 2.5 s, goes on with 5 s.",
    start: .milliseconds(2_500), resume: .milliseconds(5_000),
    read: "androidx/media RELEASENOTES, 1.6.0")

  static let local = preset(
    "Media3 1.9 local", "Media3 from 1.9 on with a local file: 1 s for both.",
    start: .milliseconds(1_000), resume: .milliseconds(1_000),
    read: "androidx/media RELEASENOTES, 1.9.0")

  private static let estimator = EstimatorSeat(
    EstimatorDescription(
      .samples(
        SampleStatistics(
          .percentile(50, weightLimit: 2_000),
          over: Sampling(.requestEnds, countsCancelled: true))),
      prior: 1_000_000, gate: .init(bytes: 524_288, span: .seconds(2))))
  private static let nextVariant = ThroughputChoice(
    safetyPercent: 70, upSwitchBuffer: .seconds(10), downSwitchBuffer: .seconds(25),
    keepsSustained: false)

  /// A version, which differs from the others in its two marks alone.
  ///
  /// - Parameter source: Where the marks were read.
  private static func preset(
    _ name: String, _ about: String, start: TimeSpan, resume: TimeSpan, read source: String
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: .level(.playingTime(start)), resume: .level(.playingTime(resume)),
        estimator: estimator,
        firstVariant: .withinEstimate(percent: 70, assumed: 1_000_000),
        nextVariant: .throughput(nextVariant), fetch: FetchRule(media: .seconds(50))),
      evidence: [
        .wholeBuffer,
        .init(.start, source, .source),
        .init(.resume, source, .source),
        .init(.stall, "ExoPlayerImplInternal: a renderer has nothing to render", .source),
        .init(
          .estimator, "DefaultBandwidthMeter; the prior is that of an unknown network", .source),
        .init(.firstVariant, "AdaptiveTrackSelection", .source),
        .init(.nextVariant, "AdaptiveTrackSelection", .source),
        .givesNothingUp,
        .init(.fetch, "androidx/media 2bc2078, DefaultLoadControl", .source),
      ])
  }
}
