import VirtualTime

// WebKit beside AVFoundation: WebKitGTK (on GStreamer), and a page feeding Media Source Extensions.

enum WebKit {
  static let gtk = PolicyPreset(
    name: "WebKitGTK 2.50",
    about: "WebKitGTK: a queue of 4.6 s behind which 2.8 s are on their way to the screen.",
    description: PolicyDescription(
      start: .queue(QueueLevel(downstream: .milliseconds(2_800), span: .milliseconds(4_600))),
      resume: .queue(QueueLevel(downstream: .milliseconds(2_650), span: .milliseconds(4_500))),
      stall: .below(.milliseconds(2_700)),
      estimator: GStreamer.estimator, firstVariant: .lowest, nextVariant: GStreamer.nextVariant,
      fetch: .wholeFile),
    sources: [
      .init(.start, "2.8 s, and 4.6 s of media or of download, measured", .measured),
      .init(.resume, "4.4 to 4.8 s of filling, measured", .measured),
      .init(.stall, "2.5 to 3.0 s still downstream, measured", .measured),
      GStreamer.estimatorEvidence, GStreamer.firstVariantEvidence, GStreamer.nextVariantEvidence,
      .init(.fetch, "no limit, measured", .measured),
    ],
    snapshot: "sessions of WebKitGTK 2.50.6; a copy of its source without a commit",
    gotchas: [
      "One and the same session goes one of three ways by a race: it pauses to fill, starts by "
        + "mistake and fills then, or plays on and declares nothing. This is the first.",
      "It neither predicts nor limits: the mode, autoplay or play(), does not matter, and the "
        + "whole file is read.",
    ])

  static let mediaSource = PolicyPreset(
    name: "WebKit MSE autoplay",
    about: "A page in WebKit with autoplay: play-through in media time until it has started.",
    description: PolicyDescription(
      start: .autoplay(.playThrough(PlayThrough()), then: .media(.milliseconds(42))),
      resume: .level(.media(.milliseconds(42))),
      estimator: .samples(
        .runningMean(limit: .seconds(5)), over: Sampling(clock: .request)),
      fetch: FetchRule(media: .seconds(30))),
    sources: [
      .init(.start, "SourceBuffer::canPlayThroughRange", .copy),
      .init(.resume, "more than 1/24 s ahead", .copy),
      .init(
        .estimator, "media time, weight 0.2 of a second; a mean over 5 s stands for it", .assumed),
      .init(.fetch, "the page decides; our assumption", .assumed),
    ],
    snapshot: "a copy of WebKit's source without a commit",
    gotchas: [
      "It predicts in media time and not in bytes, so that a bit rate that varies does not "
        + "mislead it as it does Chromium and Firefox.",
      "Older versions weigh a second of the average with 0.1, newer ones with 0.2.",
    ])
}
