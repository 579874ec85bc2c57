import VirtualTime

// hls.js over Chromium: it has no mark of its own to start or to go on.

enum HLSJS {
  static let from1Point5 = PolicyPreset(
    name: "hls.js 1.6",
    about: "hls.js 1.5 to 1.7 over Chromium.",
    description: PolicyDescription(
      sink: Chromium.MediaSource.sink(warmUp: 250),
      start: Chromium.MediaSource.start,
      resume: Chromium.MediaSource.marks(patience: .milliseconds(2_300)),
      stall: Chromium.MediaSource.stall,
      estimator: .samples(
        .halfLife(.seconds(3)), .halfLife(.seconds(9)), over: Sampling(boundary: .mainRequestEnds),
        prior: 500_000),
      firstVariant: .firstListed,
      nextVariant: .band(
        BandRule(
          upPercent: 70, downPercent: 95, leastBetweenSwitches: .zero, starvation: .seconds(4))),
      abandon: .slow(SlowSegmentRule(fromPercent: 50, judgesFirst: false)),
      fetch: FetchRule(
        media: .seconds(600), bytes: 60_000_000, leastMedia: .seconds(30), trackLead: 1,
        order: .videoFirst)),
    sources: [
      .init(.estimator, "config.ts: half-lives 3 and 9 s, prior 500 kbit/s; main alone", .source),
      .init(.firstVariant, "abr-controller.ts: normally the first listed", .source),
      .init(
        .nextVariant,
        "abr-controller.ts 770, findBestLevel, afe5b8b: factors 0.95 and 0.7, a segment in time "
          + "or 4 s late, average bit rates with two segments ahead", .source),
      .init(
        .abandon,
        "abr-controller.ts, _abandonRulesCheck, afe5b8b: each 0.1 s from half the segment's "
          + "length on; at once, where hls.js may wait for as long as the other takes; then its "
          + "estimate begins anew at the other's bit rate, where that lies below 0.7 of it",
        .source),
      .init(
        .fetch,
        "getMaxBufferLength, afe5b8b: 30 s or, if more, 60 MB at the level's rate; 600 s; "
          + "audio-stream-controller.ts: audio waits for the first video, and is then loaded up to "
          + "a fragment ahead of it", .source),
    ] + Chromium.MediaSource.sources,
    snapshot: "hls.js afe5b8b of 2026-08-20 (1.7.1); sessions of 1.5.14 and 1.5.17",
    gotchas: [
      PolicyPreset.startsWithBrowser,
      "Its estimate is raised to the bit rate of the first listed variant, up to 5 Mbit/s, so "
        + "that this variant normally begins, whatever the link.",
      "The browser asks for up to 3 s of sound after a stall: from the fourth on a segment of 2 "
        + "s is not enough.",
      "Its documentation says that a playhead is watched for 3 s, the code 2 s; what it moves a "
        + "little on is to the browser a seek.",
      "A seek out of the buffer keeps the range that it leaves (backBufferLength is infinite); "
        + "here that is thrown away.",
    ])
}
