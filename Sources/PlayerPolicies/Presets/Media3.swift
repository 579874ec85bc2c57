import VirtualTime

// ExoPlayer and Media3: marks in seconds of play, less for the first start and after a seek. A
// long single request gives no sample before it ends, so of a file the estimate stays what it was;
// the start does not go by it. The thresholds fell by half and more with 1.6.

enum Media3 {
  static let all = [from1Point6, upTo1Point5, local].leaving(
    "shouldTransitionToReadyState: nothing is loading, or all is there", .source)

  private static let snapshot = "androidx/media 2bc2078 of 2026-08-07 (Media3 1.11.0)"
  private static let afterSeek =
    "After a seek the mark of the first start counts, not that of a stall; after a pause in a "
    + "stall it does too, which is left out."
  private static let oneRequest =
    "Of one long request, as for a file, nothing is learnt before it ends: the estimate stays "
    + "what it was. The start does not go by it."
  private static let dripping =
    "Its least and its most buffer are both 50 s, so that a full player fetches drop by drop, "
    + "a segment at a time, and of a file 1 MiB, for which half a second stands here. The limit in "
    + "bytes (131 MB of pictures), which comes first above 21 Mbit/s, is left out."
  private static let arriving =
    "What has come of a segment counts, as of interleaved media here; of segments with one track "
    + "too, which is left out."

  private static let backBuffer =
    "Its back buffer is 0 s (DefaultLoadControl); here what was played stays loaded."
  private static let leftOut =
    backBuffer + " Behind a live window it fails (BehindLiveWindowException); here it jumps to "
    + "live. Its speed of 0.97 to 1.03, which keeps a live offset, is left out. A seek out of "
    + "loaded video empties separate audio too, which is left out."

  static let from1Point6 = preset(
    "Media3 1.6", "Media3 from 1.6 on: starts with 1 s, goes on with 2 s.",
    start: .milliseconds(1_000), resume: .milliseconds(2_000),
    read: "androidx/media 2bc2078, DefaultLoadControl",
    gotchas: [
      "The literature has 2.5 s and 5 s: the marks fell by half and more with 1.6.", oneRequest,
      afterSeek, arriving, dripping, leftOut,
    ])

  static let upTo1Point5 = preset(
    "ExoPlayer 1.5", "ExoPlayer, and Media3 up to 1.5: starts with 2.5 s, goes on with 5 s.",
    start: .milliseconds(2_500), resume: .milliseconds(5_000),
    read: "androidx/media RELEASENOTES, 1.6.0",
    gotchas: [
      "The marks that most papers mean by ExoPlayer; since 1.6 they are 1 s and 2 s.", oneRequest,
      afterSeek, arriving, dripping, leftOut,
    ])

  static let local = preset(
    "Media3 1.9 local", "Media3 from 1.9 on with a local file: 1 s for both.",
    start: .milliseconds(1_000), resume: .milliseconds(1_000),
    read: "androidx/media RELEASENOTES, 1.9.0", refill: 2,
    gotchas: [
      "Only what the device has counts as local: the schemes file, content, asset and a few "
        + "more. There size goes before time, unless less than 4 % of the heap is left.", afterSeek,
      "Its least buffer is 1 s: a full player reads on when 1 s of its 50 s is left.", backBuffer,
    ])

  private static let estimator = EstimatorSeat.samples(
    .percentile(50, weightLimit: 2_000),
    over: Sampling(boundary: .segmentEnds, countsCancelled: true), prior: 1_000_000,
    gate: .init(bytes: 524_288, span: .seconds(2)))
  private static let nextVariant = ThroughputChoice(
    safetyPercent: 70, upSwitchBuffer: .seconds(10), upSwitchShare: 75, upSwitchShareIsLive: true,
    downSwitchBuffer: .seconds(25), keepsSustained: false, countsRoundTrips: false)

  /// "For live with a target offset" no more than half of that (shouldStartPlayback).
  private static func mark(_ span: TimeSpan) -> ReadinessRule {
    .any([.level(.playingTime(span)), .level(.shareOfLiveTarget(50))])
  }

  /// A version, which differs from the others in its two marks, and in when it reads on.
  private static func preset(
    _ name: String, _ about: String, start: TimeSpan, resume: TimeSpan, read source: String,
    refill: Int64 = 99, gotchas: [String]
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: mark(start), resume: mark(resume),
        estimator: estimator,
        firstVariant: .withinEstimate(percent: 70, assumed: 1_000_000),
        nextVariant: .throughput(nextVariant),
        fetch: FetchSeat(
          ofFiles: FetchRule(media: .seconds(50), refillPercent: refill),
          ofStreams: FetchRule(
            media: .seconds(50), trackLead: 1, order: .bothWait, interleavedFrom: 0))),
      sources: [
        .init(.start, source, .source),
        .init(.resume, source, .source),
        .init(.stall, "ExoPlayerImplInternal: a renderer has nothing to render", .source),
        .init(
          .estimator, "DefaultBandwidthMeter; the prior is that of an unknown network", .source),
        .init(.firstVariant, "AdaptiveTrackSelection", .source),
        .init(.nextVariant, "AdaptiveTrackSelection", .source),
        // The track that is least far loaded requests next, what is under way included.
        .init(
          .fetch, "androidx/media 2bc2078, DefaultLoadControl and CompositeSequenceableLoader",
          .source),
      ],
      snapshot: snapshot, gotchas: gotchas)
  }
}
