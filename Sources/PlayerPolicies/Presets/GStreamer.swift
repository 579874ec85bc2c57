import VirtualTime

// GStreamer: a queue that must be full to play and empty to stall, with media downstream of it
// that is never played before the stall is declared. Its marks were measured.

enum GStreamer {
  static let all = [playbin, playbin3, streams, download, download3, noRebuffer]

  // What holds whichever element plays.

  static let estimator = EstimatorSeat(
    ofFiles: EstimatorDescription(.history(.sinceBeginning)),
    ofStreams: EstimatorDescription(
      .samples(
        SampleStatistics(.last, .mean(of: 3), over: Sampling(.requestEnds, clock: .request)))))
  static let nextVariant = NextVariantRule.highest(withinPercent: 80)

  static let estimatorEvidence = PolicyPreset.Evidence(
    .estimator, "the average input; of segments the last or the mean of three", .source)
  static let firstVariantEvidence = PolicyPreset.Evidence(
    .firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source)
  static let nextVariantEvidence = PolicyPreset.Evidence(
    .nextVariant, "gstadaptivedemux.c: ratio 0.8", .source)

  static let playbin = PolicyPreset(
    name: "GStreamer 1.22 playbin",
    about: "GStreamer with playbin: a queue of 2 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(3_160))),
      resume: .level(.media(.milliseconds(2_900))),
      stall: .below(.milliseconds(1_100)),
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: FetchRule(media: .milliseconds(3_160))),
    evidence: [
      .wholeBuffer,
      .init(.start, "3.16 s received, measured", .measured),
      .init(.resume, "2.9 s, measured", .measured),
      .init(.stall, "1.1 s unplayed downstream, measured", .measured),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "a queue of 2 s and what is downstream", .measured),
    ])

  static let playbin3 = PolicyPreset(
    name: "GStreamer 1.22 playbin3",
    about: "GStreamer with playbin3: 60 % of a queue of 5 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(3_700))),
      resume: .level(.media(.milliseconds(3_500))),
      stall: .below(.milliseconds(1_400)),
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: FetchRule(media: .seconds(30))),
    evidence: [
      .wholeBuffer,
      .init(.start, "3.7 s received, measured; urisourcebin 0.6 of 5 s", .measured),
      .init(.resume, "3.5 s, measured", .measured),
      .init(.stall, "1.4 s, measured", .measured),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "gstadaptivedemux.c: at most 30 s", .source),
    ])

  static let streams = PolicyPreset(
    name: "GStreamer 1.22 HLS",
    about: "GStreamer with a stream: three segments of 2 s, or one of 6 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(4_100))),
      resume: .level(.media(.milliseconds(4_100))),
      stall: .below(.milliseconds(1_100)),
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: FetchRule(media: .seconds(8))),
    evidence: [
      .wholeBuffer,
      .init(.start, "three segments of 2 s or one of 6 s, measured", .measured),
      .init(.resume, "the same as for the start: our assumption", .assumed),
      .init(.stall, "1.1 s downstream, as for files", .measured),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "the next segment is asked for with 5 to 8 s ahead, measured", .measured),
    ])

  static let download = PolicyPreset(
    name: "GStreamer 1.22 download",
    about: "GStreamer with the download flag: 1.08 s and what it downloads in 1.98 s.",
    description: PolicyDescription(
      start: .queue(QueueLevel(downstream: .milliseconds(1_080), span: .milliseconds(1_980))),
      resume: .queue(QueueLevel(downstream: .milliseconds(930), span: .milliseconds(1_980))),
      stall: .below(.milliseconds(1_100)),
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: .wholeFile),
    evidence: [
      .wholeBuffer,
      .init(.start, "1.08 s, and 1.98 s of media or of download, measured", .measured),
      .init(.resume, "1.98 s of media or of download, measured", .measured),
      .init(.stall, "1.1 s, measured", .measured),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "the whole file", .measured),
    ])

  static let download3 = PolicyPreset(
    name: "GStreamer 1.22 playbin3 download",
    about: "GStreamer with playbin3 and the download flag: what it downloads in 5.2 s.",
    description: PolicyDescription(
      start: .queue(QueueLevel(downstream: .milliseconds(1_400), span: .milliseconds(5_200))),
      resume: .queue(QueueLevel(downstream: .milliseconds(1_400), span: .milliseconds(4_400))),
      stall: .below(.milliseconds(1_560)),
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: .wholeFile),
    evidence: [
      .wholeBuffer,
      .init(.start, "1.4 s, and 5.2 s of media or of download, measured", .measured),
      .init(.resume, "4.4 s of media or of download, measured", .measured),
      .init(.stall, "1.56 s, measured", .measured),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "the whole file", .measured),
    ])

  /// The strategy of the design page on buffering, which looks every half second.
  private static let predicted = ReadinessRule.every(
    .milliseconds(500), from: .wait,
    .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100), everyByte: false)))

  static let noRebuffer = PolicyPreset(
    name: "GStreamer no-rebuffer",
    about: "GStreamer's strategy without rebuffering: plays through with a tenth to spare.",
    description: PolicyDescription(
      start: predicted, resume: predicted, stall: .whenDry,
      estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
      fetch: .wholeFile),
    evidence: [
      .wholeBuffer,
      .init(.start, "design page on buffering", .documented),
      .init(.resume, "design page on buffering", .documented),
      .init(.stall, "below 1 % of a queue", .documented),
      estimatorEvidence, firstVariantEvidence, nextVariantEvidence, .givesNothingUp,
      .init(.fetch, "the whole file", .documented),
    ])
}
