import VirtualTime

// GStreamer: a queue that must be full to play and empty to stall, with media downstream of it
// that is never played before the stall is declared. Its marks were measured.

enum GStreamer {
  static let all =
    [playbin, playbin3, streams, streams3, download, download3].leaving(
      "queue2 goes by the fullest of bytes, time and buffers (gstqueue2.c)", .source)
    + [noRebuffer]

  private static let snapshot = "gstreamer 4cdf9d9 of 2026-08-21; sessions of 1.22.0"
  private static let app =
    "It only says how full it is: the app must pause below 100 % and play at 100 %. An app "
    + "that does not never stalls in this sense, it freezes."
  private static let filling =
    "The queue counts how long it took to fill: the slower the link, the less media it starts with"

  // Rules that hold for every playback element.

  static let estimator = EstimatorSeat(
    ofFiles: .usual,
    ofStreams: EstimatorSeat.samples(
      .last, .mean(of: 3), over: Sampling(clock: .request)
    ).ofStreams)
  static let nextVariant = NextVariantRule.highest(withinPercent: 80, heedsRate: true)

  static let estimatorEvidence = PolicyPreset.Evidence(
    .estimator, "the average input; of segments the last or the mean of three", .source)
  static let firstVariantEvidence = PolicyPreset.Evidence(
    .firstVariant, "gstadaptivedemux.c: initial bit rate 0", .source)
  static let nextVariantEvidence = PolicyPreset.Evidence(
    .nextVariant, "gstadaptivedemux.c: ratio 0.8; gsthlsdemux.c: over the rate", .source)

  static let playbin = preset(
    "GStreamer 1.22 playbin", "GStreamer with playbin: a queue of 2 s.",
    start: .level(.media(.milliseconds(3_160))), "3.16 s received, measured",
    resume: .level(.media(.milliseconds(2_900))), "2.9 s, measured",
    stall: .below(.milliseconds(1_100)), "1.1 s unplayed downstream, measured",
    fetch: FetchRule(media: .milliseconds(3_160)),
    "a queue of 2 s and what is downstream; of streams 5 to 8 s, measured",
    streams: FetchRule(media: .seconds(8)),
    gotchas: [
      app,
      "Where nobody knows the bit rate its seconds are of download and not of media. Its limit of "
        + "2 MiB, which comes first then, and above 8 Mbit/s always, is left out.",
    ])

  static let playbin3 = preset(
    "GStreamer 1.22 playbin3", "GStreamer with playbin3: 60 % of a queue of 5 s.",
    start: .level(.media(.milliseconds(3_700))),
    "3.7 s received, measured; urisourcebin 0.6 of 5 s",
    resume: .level(.media(.milliseconds(3_500))), "3.5 s, measured",
    stall: .below(.milliseconds(1_400)), "1.4 s, measured",
    fetch: FetchRule(media: .seconds(30)), "gstadaptivedemux.c: at most 30 s", .source,
    gotchas: [
      app,
      "The 3 s that are usually quoted are 60 % of 5 s with a bit rate that is known; 0.7 s "
        + "more are on their way to the screen.",
    ])

  static let streams = preset(
    "GStreamer 1.22 HLS", "GStreamer with a stream: starts with 5.6 s of it.",
    start: .level(.mediaWithArriving(.milliseconds(5_600))),
    "5.6 s received, part of a segment included, at 0.5 and 1.5 times the media, measured",
    resume: .level(.media(.milliseconds(4_100))), "4.1 s in whole segments: our assumption",
    .assumed,
    stall: .below(.milliseconds(1_100)), "1.1 s downstream, as for files",
    fetch: FetchRule(media: .seconds(8)),
    "the next segment is asked for with 5 to 8 s ahead, measured",
    gotchas: [
      app, "It begins with the lowest variant, and jumps as high as it can after one segment.",
      "Its demuxer hands on a segment as it arrives, so that neither three segments of 2 s nor one "
        + "of 6 s have to be whole.",
    ],
    knownSegments: [2, 6])

  static let streams3 = preset(
    "GStreamer 1.22 playbin3 HLS", "GStreamer with playbin3 and a stream: two segments.",
    start: .level(.segments(2)), "two segments of 6 s, two or three of 2 s, measured",
    resume: .level(.media(.milliseconds(3_500))), "3.5 s, as for files: our assumption", .assumed,
    stall: .below(.milliseconds(1_400)), "1.4 s, as for files: measured there",
    fetch: FetchRule(media: .seconds(30)), "gstadaptivedemux.c: at most 30 s", .source,
    gotchas: [
      app, "It begins with the lowest variant, and reads up to 30 s ahead.",
      "It counts segments, so that it starts with 4 s of segments of 2 s and with 12 s of those of "
        + "6 s.",
    ],
    knownSegments: [2, 6])

  static let download = preset(
    "GStreamer 1.22 download",
    "GStreamer with the download flag: 1.08 s and what it downloads in 1.98 s.",
    start: .queue(QueueLevel(downstream: .milliseconds(1_080), span: .milliseconds(1_980))),
    "1.08 s, and 1.98 s of media or of download, measured",
    resume: .queue(QueueLevel(downstream: .milliseconds(930), span: .milliseconds(1_980))),
    "1.98 s of media or of download, measured",
    stall: .below(.milliseconds(1_100)), "1.1 s, measured",
    fetch: .wholeFile, "the whole file",
    gotchas: [app, filling + ", and the more often it stalls."])

  static let download3 = preset(
    "GStreamer 1.22 playbin3 download",
    "GStreamer with playbin3 and the download flag: what it downloads in 5.2 s.",
    start: .queue(QueueLevel(downstream: .milliseconds(1_400), span: .milliseconds(5_200))),
    "1.4 s, and 5.2 s of media or of download, measured",
    resume: .queue(QueueLevel(downstream: .milliseconds(1_400), span: .milliseconds(4_400))),
    "4.4 s of media or of download, measured",
    stall: .below(.milliseconds(1_560)), "1.56 s, measured",
    fetch: .wholeFile, "the whole file",
    gotchas: [app, filling + "."])

  /// The strategy of the design page on buffering, which looks every half second.
  private static let predicted = ReadinessRule.every(
    .milliseconds(500), from: .wait,
    .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100), everyByte: false)))

  static let noRebuffer = preset(
    "GStreamer no-rebuffer",
    "GStreamer's strategy without rebuffering: plays through with a tenth to spare.",
    .documented,
    start: predicted, "design page on buffering",
    resume: predicted, "design page on buffering",
    stall: .whenDry, "below 1 % of a queue",
    fetch: .wholeFile, "the whole file",
    gotchas: [
      "A strategy that the design page gives to apps: no element plays by it unless the app "
        + "does.",
      "It looks every half second, and asks for a tenth more than is needed: over a link just "
        + "as fast as the media it waits where others start at once.",
    ],
    knownSegments: nil)

  /// One of its elements, or a strategy, with where its marks come from.
  ///
  /// - Parameter confidence: Confidence in the sources of the marks where none of theirs is named.
  private static func preset(
    _ name: String, _ about: String, _ confidence: PolicyPreset.Confidence = .measured,
    start: ReadinessRule, _ startSource: String,
    resume: ReadinessRule, _ resumeSource: String,
    _ resumeConfidence: PolicyPreset.Confidence? = nil,
    stall: StallRule, _ stallSource: String,
    fetch: FetchRule, _ fetchSource: String, _ fetchConfidence: PolicyPreset.Confidence? = nil,
    streams: FetchRule? = nil, gotchas: [String], knownSegments: [Int64]? = []
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: start, resume: resume, stall: stall,
        estimator: estimator, firstVariant: .lowest, nextVariant: nextVariant,
        fetch: FetchSeat(ofFiles: fetch, ofStreams: streams ?? fetch)),
      sources: [
        .init(.start, startSource, confidence),
        .init(.resume, resumeSource, resumeConfidence ?? confidence),
        .init(.stall, stallSource, confidence),
        estimatorEvidence, firstVariantEvidence, nextVariantEvidence,
        .init(.fetch, fetchSource, fetchConfidence ?? confidence),
      ],
      snapshot: snapshot, gotchas: gotchas, knownSegments: knownSegments)
  }
}
