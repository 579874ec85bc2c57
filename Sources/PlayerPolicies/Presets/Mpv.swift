import VirtualTime

// mpv: it starts with the first frames unless it is told to wait for its cache, and goes on with a
// second in it.

enum Mpv {
  static let all = [standard, cachePauseInitial]

  private static let resume = ReadinessRule.every(
    .milliseconds(200), from: .run, .level(.media(.milliseconds(1_250))))

  private static let cap: Int64 = 157_286_400

  static let standard = preset(
    "mpv 0.35", "mpv: starts with the first frames, goes on with a second in its cache.",
    start: .milliseconds(400), "0.4 s of media, measured")

  static let cachePauseInitial = preset(
    "mpv 0.35 cache-pause-initial",
    "mpv with cache-pause-initial: waits for its cache before the first start too.",
    start: .milliseconds(1_300), "1.3 s ahead with 1.13 s in the cache, measured")

  private static func preset(
    _ name: String, _ about: String, start: MediaTime, _ startSource: String
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: .level(.media(start)), resume: resume, stall: .below(.milliseconds(150)),
        estimator: .sinceBeginning,
        fetch: FetchSeat(
          ofFiles: FetchRule(bytes: cap, discardsIfIndexLast: 105_000),
          ofStreams: FetchRule(
            bytes: cap, lookahead: 120_000, looksAheadOnce: true, sideBySide: 2))),
      evidence: [
        .wholeBuffer,
        .init(.start, startSource, .measured),
        .init(
          .resume, "cache-pause-wait 1 s on a poll of 0.2 s; 1.25 s ahead in all, measured",
          .measured),
        .init(.stall, "the demuxer runs dry: 0.15 s left, measured", .measured),
        .noEstimator, .firstListed, .staysWithFirst, .givesNothingUp,
        .init(
          .fetch,
          "demuxer-max-bytes 150 MiB; 105 kB for nothing where the index is last; two segments "
            + "side by side, and the first counts with 120 kB of the next, measured", .measured),
      ])
  }
}
