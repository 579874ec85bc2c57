import VirtualTime

enum DashJS {
  static let from5 = PolicyPreset(
    name: "dash.js 5.1",
    about: "dash.js over Chromium.",
    description: PolicyDescription(
      sink: Chromium.MediaSource.sink(warmUp: 500),
      start: Chromium.MediaSource.start,
      resume: Chromium.MediaSource.marks(),
      stall: Chromium.MediaSource.stall,
      estimator: .samples(
        .halfLife(.seconds(8), weight: 1_500), .halfLife(.seconds(3), weight: 1_500),
        over: Sampling(boundary: .mainRequestEnds, leastSpan: .milliseconds(10))),
      firstVariant: .withinEstimate(percent: 100, assumed: 1_100_000, heedsRate: false),
      nextVariant: .guarded(GuardedThroughputRule()),
      abandon: .slow(SlowSegmentRule(from: .milliseconds(500), takesPercent: 180)),
      fetch: FetchRule(
        media: .seconds(18), countsNext: true, sleeps: .milliseconds(500), trackLead: 0,
        trackFloor: 1)),
    sources: [
      .init(.estimator, "Settings.js, ccf3b95: half-lives 8 and 3 s, weight 0.0015 × ms", .source),
      .init(
        .firstVariant, "AbrController: 1000 kbit/s of pictures and 100 kbit/s of sound", .source),
      .init(
        .nextVariant,
        "ThroughputRule.js (0.9), InsufficientBufferRule.js (0.7) and SwitchHistoryRule.js (8 "
          + "choices, 7.5 %), ccf3b95; BOLA is left out", .source),
      .init(
        .abandon,
        "AbandonRequestsRule.js, ccf3b95: 500 ms, 1.8 times the segment; each 0.1 s is assumed",
        .source),
      .init(
        .fetch,
        "ScheduleController.js, ccf3b95: 18 s (bufferTimeDefault) with the segment to come; a "
          + "track that is full or waits for the other looks each 500 ms (defaultTimeout)",
        .source),
    ] + Chromium.MediaSource.sources,
    snapshot: "dash.js ccf3b95 of 2025-12-23 (5.1.1)",
    gotchas: [
      PolicyPreset.startsWithBrowser,
      "Its own mark of 0.3 s is told to the page and stops nothing: the browser goes by its own.",
      "A bit rate that it has saved, up to six minutes old, goes before the 1 Mbit/s that it "
        + "assumes at first; nothing is saved here.",
      "In its highest variant it has 30 s ahead, and 60 s of media of ten minutes and more: both "
        + "are left out, and 18 s stand for them.",
      "Its fast switch, which fetches loaded segments again in a better variant, and BOLA from "
        + "18 s ahead on are left out.",
      "It holds the bit rate of the video alone against its estimate; here a variant's has its "
        + "separate audio in it.",
    ])
}
