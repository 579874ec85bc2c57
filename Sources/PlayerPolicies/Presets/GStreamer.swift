import VirtualTime

// GStreamer, and WebKitGTK upon it: a queue that must be full to play and empty to stall, with
// media downstream of it that is never played before the stall is declared. Its marks were
// measured.

enum GStreamer {
  static let all = [
    playbin, playbin3, playbinStreams, playbinDownload, gstreamerNoRebuffer, webKitGTK,
  ]

  static let playbin = PolicyPreset(
    name: "GStreamer 1.22 playbin",
    about: "GStreamer with playbin: a queue of 2 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(3_160))),
      resume: .level(.media(.milliseconds(2_900))),
      stall: .below(.milliseconds(1_100)),
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .milliseconds(3_160))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "3.16 s received, measured", .measured),
      .init(.resume, "2.9 s, measured", .measured),
      .init(.stall, "1.1 s unplayed downstream, measured", .measured),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "a queue of 2 s and what is downstream", .measured),
    ])

  static let playbin3 = PolicyPreset(
    name: "GStreamer 1.22 playbin3",
    about: "GStreamer with playbin3: 60 % of a queue of 5 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(3_700))),
      resume: .level(.media(.milliseconds(3_500))),
      stall: .below(.milliseconds(1_400)),
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(30))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "3.7 s received, measured; urisourcebin 0.6 of 5 s", .measured),
      .init(.resume, "3.5 s, measured", .measured),
      .init(.stall, "1.4 s, measured", .measured),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "gstadaptivedemux.c: at most 30 s", .source),
    ])

  static let playbinStreams = PolicyPreset(
    name: "GStreamer 1.22 HLS",
    about: "GStreamer with a stream: three segments of 2 s, or one of 6 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(4_100))),
      resume: .level(.media(.milliseconds(4_100))),
      stall: .below(.milliseconds(1_100)),
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(8))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "three segments of 2 s or one of 6 s, measured", .measured),
      .init(.resume, "the same as for the start: our assumption", .assumed),
      .init(.stall, "1.1 s downstream, as for files", .measured),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "the next segment is asked for with 5 to 8 s ahead, measured", .measured),
    ])

  static let playbinDownload = PolicyPreset(
    name: "GStreamer 1.22 download",
    about: "GStreamer with the download flag: 1.08 s and what it downloads in 1.98 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(3_060))),
      resume: .level(.media(.milliseconds(2_910))),
      stall: .below(.milliseconds(1_250)),
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(1_000_000))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "1.08 s + 1.98 s × the rate, at most 1, measured", .measured),
      .init(.resume, "0.93 s + 1.98 s × the rate, measured", .measured),
      .init(.stall, "1.25 s, measured", .measured),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "the whole file", .measured),
    ])

  static let gstreamerNoRebuffer = PolicyPreset(
    name: "GStreamer no-rebuffer",
    about: "GStreamer's strategy without rebuffering: plays through with a tenth to spare.",
    description: PolicyDescription(
      start: .every(
        .milliseconds(500), from: .wait,
        .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100)))),
      resume: .every(
        .milliseconds(500), from: .wait,
        .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100)))),
      stall: .whenDry,
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(1_000_000))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "design page on buffering", .documented),
      .init(.resume, "design page on buffering", .documented),
      .init(.stall, "below 1 % of a queue", .documented),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "the whole file", .documented),
    ])

  static let webKitGTK = PolicyPreset(
    name: "WebKitGTK 2.50",
    about: "WebKitGTK: a queue of 4.6 s behind which 2.8 s are on their way to the screen.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(7_200))),
      resume: .level(.media(.milliseconds(7_350))),
      stall: .below(.milliseconds(2_750)),
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(.history(.sinceBeginning)),
        ofStreams: EstimatorDescription(
          .samples(
            SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .lowest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 80, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(1_000_000))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(
        .start, "7.2 s of media where the link is as fast as the media, measured", .measured),
      .init(.resume, "4.4 to 4.8 s of filling, measured", .measured),
      .init(.stall, "2.5 to 3.0 s still downstream, measured", .measured),
      .init(.estimator, "the average input; of segments the last or the mean of three", .source),
      .init(.firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source),
      .init(.nextVariant, "gstadaptivedemux.c: ratio 0.8", .source),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "no limit, measured", .measured),
    ])
}
