import VirtualTime

// ExoPlayer and Media3: marks in seconds of play, less for the first start and after a seek. A
// long single request gives no sample before it ends, so of a file the estimate stays what it was;
// the start does not go by it. The thresholds fell by half and more with 1.6.

enum Media3 {
  static let all = [media3, exoPlayer, media3Local]

  static let media3 = PolicyPreset(
    name: "Media3 1.6",
    about: "Media3 from 1.6 on: starts with 1 s, goes on with 2 s.",
    description: PolicyDescription(
      start: .level(.playingTime(.milliseconds(1_000))),
      resume: .level(.playingTime(.milliseconds(2_000))),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .percentile(50, weightLimit: 2_000),
              over: Sampling(.requestEnds, countsCancelled: true))),
          prior: 1_000_000, gate: .init(bytes: 524_288, span: .seconds(2)))),
      firstVariant: .withinEstimate(percent: 70, assumed: 1_000_000),
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 70, upSwitchBuffer: .seconds(10), downSwitchBuffer: .seconds(25),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(50))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "androidx/media 2bc2078, DefaultLoadControl", .source),
      .init(.resume, "androidx/media 2bc2078, DefaultLoadControl", .source),
      .init(.stall, "ExoPlayerImplInternal: a renderer has nothing to render", .source),
      .init(
        .estimator, "DefaultBandwidthMeter; the prior is that of an unknown network", .source),
      .init(.firstVariant, "AdaptiveTrackSelection", .source),
      .init(.nextVariant, "AdaptiveTrackSelection", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "androidx/media 2bc2078, DefaultLoadControl", .source),
    ])

  static let exoPlayer = PolicyPreset(
    name: "ExoPlayer 1.5",
    about: "ExoPlayer, and Media3 up to 1.5: starts with 2.5 s, goes on with 5 s.",
    description: PolicyDescription(
      start: .level(.playingTime(.milliseconds(2_500))),
      resume: .level(.playingTime(.milliseconds(5_000))),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .percentile(50, weightLimit: 2_000),
              over: Sampling(.requestEnds, countsCancelled: true))),
          prior: 1_000_000, gate: .init(bytes: 524_288, span: .seconds(2)))),
      firstVariant: .withinEstimate(percent: 70, assumed: 1_000_000),
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 70, upSwitchBuffer: .seconds(10), downSwitchBuffer: .seconds(25),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(50))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "androidx/media RELEASENOTES, 1.6.0", .source),
      .init(.resume, "androidx/media RELEASENOTES, 1.6.0", .source),
      .init(.stall, "ExoPlayerImplInternal: a renderer has nothing to render", .source),
      .init(
        .estimator, "DefaultBandwidthMeter; the prior is that of an unknown network", .source),
      .init(.firstVariant, "AdaptiveTrackSelection", .source),
      .init(.nextVariant, "AdaptiveTrackSelection", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "androidx/media 2bc2078, DefaultLoadControl", .source),
    ])

  static let media3Local = PolicyPreset(
    name: "Media3 1.9 local",
    about: "Media3 from 1.9 on with a local file: 1 s for both.",
    description: PolicyDescription(
      start: .level(.playingTime(.milliseconds(1_000))),
      resume: .level(.playingTime(.milliseconds(1_000))),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .percentile(50, weightLimit: 2_000),
              over: Sampling(.requestEnds, countsCancelled: true))),
          prior: 1_000_000, gate: .init(bytes: 524_288, span: .seconds(2)))),
      firstVariant: .withinEstimate(percent: 70, assumed: 1_000_000),
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 70, upSwitchBuffer: .seconds(10), downSwitchBuffer: .seconds(25),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(50))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "androidx/media RELEASENOTES, 1.9.0", .source),
      .init(.resume, "androidx/media RELEASENOTES, 1.9.0", .source),
      .init(.stall, "ExoPlayerImplInternal: a renderer has nothing to render", .source),
      .init(
        .estimator, "DefaultBandwidthMeter; the prior is that of an unknown network", .source),
      .init(.firstVariant, "AdaptiveTrackSelection", .source),
      .init(.nextVariant, "AdaptiveTrackSelection", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "androidx/media 2bc2078, DefaultLoadControl", .source),
    ])
}
