import VirtualTime

// ijkplayer: hardly a wait at first, and a longer one each time.

enum Ijkplayer {
  /// A wait that ends raises the mark for the next, and a seek begins with the first again.
  private static let mark = ReadinessRule.escalating(
    EscalatingLevel(
      marks: [100, 1_000, 2_000, 4_000, 5_000].map { .media(.milliseconds($0)) },
      seekResets: true))

  static let from0Point8 = PolicyPreset(
    name: "ijkplayer 0.8",
    about: "ijkplayer: 100 ms, and a mark that rises with each wait.",
    description: PolicyDescription(
      start: .every(.milliseconds(50), from: .wait, mark),
      resume: .every(.milliseconds(500), from: .wait, mark),
      estimator: .sinceBeginning,
      fetch: FetchRule(bytes: 15_728_640)),
    sources: [
      .init(.start, "ff_ffplay.c ffp_check_buffering_l, 30eb944", .source),
      .init(.resume, "ff_ffplay_def.h: 100 to 5000 ms", .source),
      .init(.stall, "the packet queue is empty", .source),
      .init(.fetch, "ff_ffplay_def.h: 15 MiB", .source),
    ],
    snapshot: "ijkplayer 30eb944 of 2021-04-26",
    gotchas: [
      "A seek after many stalls goes on with 100 ms, as at first.",
      "The mark rises with each check that is passed, which a check at the end of the file is "
        + "as well.",
      "Above 25 Mbit/s its 15 MiB cannot hold the last mark of 5 s: the full queue plays then.",
    ])
}
