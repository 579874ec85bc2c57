import VirtualTime

// Players in a web page: they fetch, and the media element below them plays. Here that is
// Chromium's: a whole segment of every track to start, its growing mark of sound to go on, and a
// stall with 60 ms of sound left.

enum WebPlayers {
  static let all = [hlsJS, shaka, shaka4, dashJS, vhs, webKitMSE]

  static var webStall: StallRule { .below(.milliseconds(60)) }

  static let hlsJS = PolicyPreset(
    name: "hls.js 1.6",
    about: "hls.js 1.5 to 1.7 over Chromium.",
    description: PolicyDescription(
      start: .level(.segments(1)),
      resume: Chromium.resume,
      stall: webStall,
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .halfLife(.seconds(3)), .halfLife(.seconds(9)), over: Sampling(.requestEnds))),
          prior: 500_000)),
      firstVariant: .firstListed,
      nextVariant: .band(BandRule(upPercent: 70, downPercent: 95, leastBetweenSwitches: .zero)),
      fetch: FetchRule(media: .seconds(30), bytes: 60_000_000)),
    evidence: [
      .init(
        .sink, "the browser needs a whole segment of every track, which the start asks for",
        .measured),
      .init(.start, "the browser decides", .source),
      .init(.resume, "the browser: its growing mark of sound, measured", .measured),
      .init(.stall, "60 ms of sound left, measured", .measured),
      .init(.estimator, "config.ts, afe5b8b: half-lives 3 and 9 s, prior 500 kbit/s", .source),
      .init(.firstVariant, "abr-controller.ts: normally the first listed", .source),
      .init(
        .nextVariant, "config.ts: factors 0.95 and 0.7; what fetching takes is left out", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "config.ts: 30 s, 60 MB", .source),
    ])

  static let shaka = PolicyPreset(
    name: "Shaka 5.2",
    about: "Shaka with its goal of 0 s over Chromium.",
    description: PolicyDescription(
      start: .level(.segments(1)),
      resume: Chromium.resume,
      stall: webStall,
      estimator: shakaEstimator,
      firstVariant: .withinEstimate(percent: 95, assumed: 10_000_000),
      nextVariant: .band(
        BandRule(upPercent: 85, downPercent: 95, leastBetweenSwitches: .seconds(8))),
      fetch: FetchRule(media: .seconds(10))),
    evidence: [
      .init(
        .sink, "the browser needs a whole segment of every track, which the start asks for",
        .measured),
      .init(.start, "the browser decides", .source),
      .init(.resume, "the browser: its growing mark of sound, measured", .measured),
      .init(.stall, "60 ms of sound left, measured", .measured),
      .init(.estimator, "ewma_bandwidth_estimator.js, 35b290e", .source),
      .init(.firstVariant, "the browser's downlink, 10 Mbit/s there, measured", .measured),
      .init(.nextVariant, "simple_abr_manager.js: 0.85 and 0.95, 8 s", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "player_configuration.js: bufferingGoal 10 s", .source),
    ])

  static let shaka4 = PolicyPreset(
    name: "Shaka 4.7",
    about: "Shaka with its goal of 2 s, as it was for years: it stops with half a second left.",
    description: PolicyDescription(
      start: .every(.milliseconds(250), from: .run, .level(.media(.seconds(2)))),
      resume: .every(.milliseconds(250), from: .run, .level(.media(.seconds(2)))),
      stall: .below(.milliseconds(500), every: .milliseconds(250)),
      estimator: shakaEstimator,
      firstVariant: .withinEstimate(percent: 95, assumed: 1_000_000),
      nextVariant: .band(
        BandRule(upPercent: 85, downPercent: 95, leastBetweenSwitches: .seconds(8))),
      fetch: FetchRule(media: .seconds(10))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "buffering_observer.js, polled every 0.25 s", .source),
      .init(.resume, "buffering_observer.js, polled every 0.25 s", .source),
      .init(.stall, "the least of 0.5 s and half the goal", .source),
      .init(.estimator, "ewma_bandwidth_estimator.js, 35b290e", .source),
      .init(.firstVariant, "simple_abr_manager.js", .source),
      .init(.nextVariant, "simple_abr_manager.js: 0.85 and 0.95, 8 s", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "player_configuration.js: bufferingGoal 10 s", .source),
    ])

  private static var shakaEstimator: EstimatorSeat {
    EstimatorSeat(
      EstimatorDescription(
        .samples(
          SampleStatistics(
            .halfLife(.seconds(2)), .halfLife(.seconds(5)),
            over: Sampling(
              .progress(every: .milliseconds(100), bytes: 16_000), clock: .request,
              leastBytes: 16_000, leastSpan: .milliseconds(5)))),
        prior: 1_000_000, gate: .init(bytes: 128_000)))
  }

  static let dashJS = PolicyPreset(
    name: "dash.js 5.1",
    about: "dash.js over Chromium.",
    description: PolicyDescription(
      start: .level(.segments(1)),
      resume: Chromium.resume,
      stall: webStall,
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .halfLife(.seconds(8), weight: 1_500), .halfLife(.seconds(3), weight: 1_500),
              over: Sampling(.requestEnds, leastSpan: .milliseconds(10)))),
          prior: 1_000_000)),
      firstVariant: .withinEstimate(percent: 100, assumed: 1_000_000),
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 90, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(18))),
    evidence: [
      .init(
        .sink, "the browser needs a whole segment of every track, which the start asks for",
        .measured),
      .init(.start, "the browser decides", .source),
      .init(.resume, "the browser: its growing mark of sound, measured", .measured),
      .init(
        .stall, "60 ms of sound left, measured; 0.3 s is told and changes nothing", .measured),
      .init(
        .estimator, "Settings.js, ccf3b95: half-lives 8 and 3 s, weight 0.0015 × ms", .source),
      .init(.firstVariant, "AbrController: 1000 kbit/s", .source),
      .init(
        .nextVariant,
        "ThroughputRule: 0.9, which explains 87 % of the requests measured; BOLA is left out",
        .measured),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "Settings.js: bufferTimeDefault 18 s", .source),
    ])

  static let vhs = PolicyPreset(
    name: "VHS 3.17",
    about: "Video.js with VHS over Chromium.",
    description: PolicyDescription(
      start: .level(.segments(1)),
      resume: Chromium.resume,
      stall: webStall,
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(SampleStatistics(.last, over: Sampling(.requestEnds, clock: .request))),
          prior: 4_194_304)),
      firstVariant: .withinEstimate(percent: 83, assumed: 4_194_304),
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 83, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      abandon: .rescue(
        RescueRule(
          patience: nil, lookPercent: nil, safetyPercent: 83,
          first: FirstSegmentRule(every: .milliseconds(1_100), leastGain: .milliseconds(500)))),
      fetch: FetchRule(media: .seconds(30))),
    evidence: [
      .init(
        .sink, "the browser needs a whole segment of every track, which the start asks for",
        .measured),
      .init(.start, "the browser decides", .source),
      .init(.resume, "the browser: its growing mark of sound, measured", .measured),
      .init(.stall, "60 ms of sound left, measured", .measured),
      .init(.estimator, "config.js, 6da45b0: the last segment", .source),
      .init(.firstVariant, "config.js: 4,194,304 bit/s over 1.2", .source),
      .init(
        .nextVariant, "config.js: 1.2 times; the rising low-water line is left out", .source),
      .init(.abandon, "1.1 s into a request on slow links, measured; 0.5 s of gain", .measured),
      .init(.fetch, "config.js: 30 s, without its rise to 60 s", .source),
    ])

  static let webKitMSE = PolicyPreset(
    name: "WebKit MSE autoplay",
    about: "A page in WebKit with the attribute autoplay: play-through in media time.",
    description: PolicyDescription(
      start: .playThrough(PlayThrough()),
      resume: .level(.media(.milliseconds(42))),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(
            SampleStatistics(
              .runningMean(limit: .seconds(5)), over: Sampling(.requestEnds, clock: .request))))),
      fetch: FetchRule(media: .seconds(30))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "SourceBuffer::canPlayThroughRange", .copy),
      .init(.resume, "more than 1/24 s ahead", .copy),
      .init(.stall, "when nothing is left", .assumed),
      .init(
        .estimator, "media time, weight 0.2 of a second; a mean over 5 s stands for it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "the page decides; our assumption", .assumed),
    ])
}
