import VirtualTime

// Video.js with VHS, its HLS engine, over Chromium: it goes by the last segment alone.

enum VHS {
  static let from3 = PolicyPreset(
    name: "VHS 3.17",
    about: "Video.js with VHS over Chromium.",
    description: PolicyDescription(
      sink: Chromium.MediaSource.sink(warmUp: 600, seeksAtFreeze: true),
      start: Chromium.MediaSource.start,
      resume: Chromium.MediaSource.marks(patience: .milliseconds(1_500)),
      stall: Chromium.MediaSource.stall,
      estimator: .samples(
        .last, over: Sampling(boundary: .mainRequestEnds, clock: .request), prior: 4_194_304),
      firstVariant: .withinEstimate(percent: 100, needs: 120, assumed: 4_194_304, heedsRate: false),
      nextVariant: .highest(withinPercent: 100, needing: 120),
      abandon: .slow(
        SlowSegmentRule(from: .seconds(1), margin: .seconds(1), leastGain: .milliseconds(500))),
      fetch: FetchRule(media: .seconds(30), order: .videoFirst)),
    sources: [
      .init(.estimator, "config.js, 6da45b0: the last segment", .source),
      .init(.firstVariant, "config.js: 1.2 times within 4,194,304 bit/s", .source),
      .init(.nextVariant, "config.js: 1.2 times; the rising low-water line is left out", .source),
      .init(
        .abandon,
        "segment-loader.js, earlyAbortWhenNeeded_, 6da45b0: 1 s from the first byte on, 1 s to "
          + "spare, 0.5 s of gain; each 0.1 s is our assumption", .source),
      .init(
        .fetch,
        "config.js: 30 s, without its rise to 60 s; segment-loader.js, hasEnoughInfoToAppend_: "
          + "audio waits with its first segment for that of video", .source),
      .init(
        .sink,
        "playback-watcher.js, videoUnderflow_: where audio is loaded and video is not, it seeks to "
          + "the present position; a seek out of what is loaded empties both buffers", .source),
    ] + Chromium.MediaSource.sources,
    snapshot: "http-streaming 6da45b0 of 2026-02-05 (3.17.4); sessions of 3.0.2",
    gotchas: [
      PolicyPreset.startsWithBrowser,
      "The last segment is all that it knows: one that is slow takes the variant down.",
      "Audio that is ahead does not help where video is late: after 3 s of a frozen frame both are "
        + "loaded again.",
      "Before play is asked for it stops at 1 s ahead, which is left out.",
    ])
}
