import VirtualTime

// Shaka. For years it had a goal of 2 s and stopped with half a second left; with its goal of 0 s
// the browser below it decides.

enum Shaka {
  static let all =
    [from5]
    + [upTo4].leaving("buffering_observer.js: satisfied when buffered to the end", .source)

  private static let snapshot =
    "shaka-player 35b290e of 2026-08-21 (5.2); sessions of 5.2.4 and 4.7.0"
  private static let samples =
    "The first sample of each request has its latency in it, the later ones have not. Sound "
    + "fetched beside the picture takes part of the link: the estimate came out at 0.68 to 0.73 "
    + "of what the link brought."

  /// - Parameter prior: Estimate before there are samples, in bit/s.
  private static func estimator(prior: Int64) -> EstimatorSeat {
    let sampling = Sampling(
      boundary: .progress(every: .milliseconds(100), bytes: 16_000), clock: .request,
      leastBytes: 16_000, leastSpan: .milliseconds(5))
    return .samples(
      .halfLife(.seconds(2)), .halfLife(.seconds(5)), over: sampling, prior: prior,
      gate: .init(bytes: 128_000))
  }

  private static let abandonEvidence = PolicyPreset.Evidence(
    .abandon,
    "streaming_engine.js 861, shouldAbortCurrentRequest_, 35b290e: each choice may end the request "
      + "under way; that it is made each 0.1 s, as its progress is told, is our assumption",
    .source)
  private static let nextVariant = NextVariantRule.band(
    BandRule(upPercent: 95, downPercent: 95, leastBetweenSwitches: .seconds(8)))
  private static let fetch = FetchRule(
    media: .seconds(10), sleeps: .seconds(1), trackLead: 0, order: .bothWait)

  private static let estimatorEvidence = PolicyPreset.Evidence(
    .estimator, "ewma_bandwidth_estimator.js, 35b290e", .source)
  private static let nextVariantEvidence = PolicyPreset.Evidence(
    .nextVariant,
    "simple_abr_manager.js 151 and 499, 35b290e: the last variant within 0.95 whatever plays; the "
      + "bands overlap, so that 0.85 decides nothing; 8 s from one choice to the next, whether it "
      + "switches or not", .source)
  private static let fetchEvidence = PolicyPreset.Evidence(
    .fetch,
    "player_configuration.js: bufferingGoal 10 s; streaming_engine.js, update_: a track that is "
      + "ahead looks each second (updateIntervalSeconds), a full one twice as often, left out",
    .source)

  /// The bandwidth that the browser reports for its connection, in bit/s: the initial estimate.
  private static let downlink: Int64 = 10_000_000

  /// Whatever the link, nothing was seen before three seconds; what came later than that was seen
  /// within half a second. Fitted on four sessions, of which none is held out.
  private static let sink = SinkDescription(
    warmUp: .milliseconds(250), setUp: .milliseconds(2_850), freezes: .seconds(3))

  private static let sinkEvidence = PolicyPreset.Evidence(
    .sink,
    "3.1 s until anything is seen, whatever the link, measured: fitted on four sessions, none held "
      + "out; 3 s of sound under a picture that stands", .measured)

  static let from5 = PolicyPreset(
    name: "Shaka 5.2",
    about: "Shaka with its goal of 0 s over Chromium.",
    description: PolicyDescription(
      sink: sink,
      start: Chromium.MediaSource.start,
      resume: Chromium.MediaSource.marks(patience: .milliseconds(1_250)),
      stall: Chromium.MediaSource.stall, estimator: estimator(prior: downlink),
      firstVariant: .withinEstimate(percent: 95, assumed: downlink),
      nextVariant: nextVariant, abandon: .slow(SlowSegmentRule(choosesAnew: true)), fetch: fetch),
    sources: [
      sinkEvidence, estimatorEvidence,
      .init(.firstVariant, "the browser's downlink, 10 Mbit/s there, measured", .measured),
      nextVariantEvidence, abandonEvidence, fetchEvidence,
    ] + Chromium.MediaSource.sources,
    snapshot: snapshot,
    gotchas: [
      "Its goal is 0 s by now, where older documents and most comparisons have 2 s.",
      "The estimate begins with what the browser says of its connection, 10 Mbit/s where it was "
        + "measured; where a browser says nothing it begins with 1 Mbit/s.", samples,
    ])

  private static let goal = ReadinessRule.every(
    .milliseconds(250), from: .run, .level(.media(.seconds(2))))

  static let upTo4 = PolicyPreset(
    name: "Shaka 4.7",
    about: "Shaka with its earlier buffering goal of 2 s: it declares a stall at 0.5 s.",
    description: PolicyDescription(
      sink: sink,
      start: goal, resume: goal,
      stall: .below(.milliseconds(500), every: .milliseconds(250)),
      estimator: estimator(prior: 1_000_000),
      firstVariant: .withinEstimate(percent: 95, assumed: 1_000_000),
      nextVariant: nextVariant,
      abandon: .slow(SlowSegmentRule(margin: .seconds(2), choosesAnew: true)), fetch: fetch),
    sources: [
      sinkEvidence,
      .init(.start, "buffering_observer.js, polled every 0.25 s", .source),
      .init(.resume, "buffering_observer.js, polled every 0.25 s", .source),
      .init(.stall, "the least of 0.5 s and half the goal", .source),
      estimatorEvidence,
      .init(.firstVariant, "simple_abr_manager.js", .source),
      nextVariantEvidence, abandonEvidence, fetchEvidence,
    ],
    snapshot: snapshot,
    gotchas: [
      "It declares a stall with up to half a second left and puts the rate to 0: that is a "
        + "pause with media left, and no frozen picture.",
      "It looks every 0.25 s, so that a stall is declared with 0.3 to 0.5 s left.", samples,
    ])
}
