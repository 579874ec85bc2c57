import VirtualTime

// Firefox: it declares a stall with media left, and goes on when it can play through, after fifteen
// seconds, or with fifteen seconds ahead, whichever is first, as it looks about every second.

enum Firefox {
  static let all =
    [autoplay, play, autoplay4, play4].leaving(
      "a cache that has suspended the download counts as enough; no session came to it", .copy)
    + [mediaSource]

  private static let snapshot =
    "sessions of Firefox ESR 153; copies of Gecko's source without a commit"
  private static let outage =
    "An outage lowers its rate, which is of all the time since the request: after it the wait "
    + "goes on for 4 to 6 s although the link is back."
  private static let bytes =
    "It takes the share of bytes to come for the share of time, and this policy knows the time: "
    + "with a variable bit rate a stall ends earlier or later than in Firefox."

  private static let predicted = ReadinessRule.playThrough(
    PlayThrough(whenEndUnknown: true, everyByte: false))
  private static let resume = ReadinessRule.any([
    .every(.milliseconds(1_050), from: .wait, .all([predicted, .level(spare)])),
    .after(.seconds(15), timesRate: true), .level(.media(.seconds(15))),
  ])
  private static let spare = Level.media(.seconds(1))
  private static let firstMedia = Level.media(.milliseconds(1_250))
  private static let stall = StallRule.belowUnlessPlayThrough(.milliseconds(1_800))
  private static let estimator = EstimatorSeat(
    EstimatorDescription(
      measure: .history(.sinceBeginning), gate: .init(bytes: 83_220, span: .seconds(3))))
  private static let fetch = FetchRule(
    media: .seconds(60), refillPercent: 50, discardsIfIndexLast: 105_000)

  private static let resumeEvidence = PolicyPreset.Evidence(
    .resume, "15 s times the rate; looks every 1.05 s, measured", .measured)
  private static let stallEvidence = PolicyPreset.Evidence(
    .stall, "1.8 s ahead, measured; unless it can play through", .measured)
  private static let estimatorEvidence = PolicyPreset.Evidence(
    .estimator, "everything since the request; reliable after 3 s or 57 × 1460 bytes", .copy)
  private static let fetchEvidence = PolicyPreset.Evidence(
    .fetch,
    "suspends 60 s ahead, goes on at 30 s; 105 kB for nothing where the index is last, measured",
    .measured)

  static let autoplay = PolicyPreset(
    name: "Firefox 153 autoplay",
    about: "Firefox with autoplay: starts when it can play through with a second to spare.",
    description: PolicyDescription(
      sink: SinkDescription(predictsOnce: true, warmUp: .milliseconds(300)),
      start: .autoplay(.all([predicted, .once(spare, then: firstMedia)]), then: firstMedia),
      resume: resume, stall: stall, estimator: estimator, fetch: fetch),
    sources: [
      .init(
        .sink, "0.3 s from the prediction to the first picture: the median of five sessions",
        .measured),
      .init(
        .start, "ChannelMediaDecoder, MediaChannelStatistics: 1 s ahead of the playhead", .copy),
      resumeEvidence, stallEvidence, estimatorEvidence, fetchEvidence,
    ],
    snapshot: snapshot,
    gotchas: [
      "No limit ends the wait: at half the rate of the media it waits as long as the file "
        + "lasts. The attribute acts once: a seek goes on as after play().", bytes,
      "The early rate can be too high once: it starts, stalls, and waits for up to 15 s.",
      "It declares stalls of up to half a second with 1 to 2 s ahead although it can play "
        + "through, two or three near the end of a file that is slow; these are left out.", outage,
    ])

  static let play = PolicyPreset(
    name: "Firefox 153 play",
    about: "Firefox after play(): starts with 1.25 s.",
    description: PolicyDescription(
      sink: SinkDescription(predictsOnce: true), start: .level(firstMedia),
      resume: resume, stall: stall, estimator: estimator, fetch: fetch),
    sources: [
      .init(.start, "1.25 s received, measured", .measured),
      resumeEvidence, stallEvidence, estimatorEvidence, fetchEvidence,
    ],
    snapshot: snapshot,
    gotchas: [
      "Until 1.2 s are played its stall was measured at 1.15 s, which is left out: a slow link "
        + "stalls it here with the first frame, and the sessions after 0.6 to 1.2 s of media.",
      "After 15 s of waiting it goes on whatever is predicted, so that a slow link gives few "
        + "stalls, all of them long.",
      "With the index at the end of the file it says that it has enough with 0.09 s there, and "
        + "stalls for long.", outage, bytes,
    ])

  // The generation of 2010: a million bytes to spare, and half a minute of buffering.

  private static let predicted4 = ReadinessRule.playThrough(
    PlayThrough(whenEndUnknown: true, beyondEnd: 1_000_000, everyByte: false))
  private static let resume4 = ReadinessRule.any([
    .every(.seconds(1), from: .wait, predicted4), .after(.seconds(30), timesRate: true),
    .level(.media(.seconds(30))),
  ])

  private static func older(
    _ name: String, _ about: String, start: ReadinessRule, _ startEvidence: String,
    _ gotcha: String
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        sink: SinkDescription(predictsOnce: true), start: start, resume: resume4, stall: stall,
        estimator: estimator, fetch: fetch),
      sources: [
        .init(.start, startEvidence, .copy),
        .init(.resume, "nsBuiltinDecoderStateMachine: 30 s; looks every second", .copy),
        .init(.stall, "as the later generation: our assumption", .assumed), estimatorEvidence,
        .init(.fetch, "as the later generation: our assumption", .assumed),
      ],
      snapshot: "copies of Gecko's source of 2009 and 2010 without a commit",
      gotchas: [gotcha, "Its numbers come from more than one version of 2009 and 2010."])
  }

  static let autoplay4 = older(
    "Firefox 4 autoplay",
    "Firefox of 2010 with autoplay: plays through with a million bytes to spare.",
    start: .autoplay(predicted4, then: .anything),
    "nsHTMLMediaElement, nsMediaDecoder: 1,000,000 bytes to spare",
    "The million bytes to spare is added to what is missing, so that a small file is waited for "
      + "to its end on a slow link.")

  static let play4 = older(
    "Firefox 4 play", "Firefox of 2010 after play(): starts with what can be shown.",
    start: .level(.anything), "nsHTMLMediaElement: future data",
    "It waits for up to 30 s after a stall, twice as long as later versions.")

  static let mediaSource = PolicyPreset(
    name: "Firefox 153 MSE",
    about: "Media Source Extensions in Firefox: plays what is decoded.",
    description: PolicyDescription(
      start: .level(.segments(1)), resume: .level(.segments(1)), estimator: .sinceBeginning,
      fetch: FetchRule(media: .seconds(30))),
    sources: [
      .init(.start, "MediaDecoderStateMachine: heuristics off, decoded data is enough", .copy),
      .init(.resume, "MediaDecoderStateMachine: heuristics off, decoded data is enough", .copy),
      .init(.stall, "out of decoded data", .copy),
      .init(.fetch, "the page decides; our assumption", .assumed),
    ],
    snapshot: "copies of Gecko's source without a commit",
    gotchas: [
      "Prediction and the 15 s of waiting are turned off here: comparing a page in Firefox by "
        + "what the file player does misleads."
    ])
}
