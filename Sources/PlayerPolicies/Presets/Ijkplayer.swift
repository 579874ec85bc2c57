import VirtualTime

// ijkplayer: hardly a wait at first, and a longer one each time.

enum Ijkplayer {
  /// 1, 2, 4 and 5 s less what is forgiven in rounding to whole percents.
  private static let marks = [100, 991, 1_981, 3_961, 4_951].map { Level.media(.milliseconds($0)) }

  static let from0Point8 = PolicyPreset(
    name: "ijkplayer 0.8",
    about: "ijkplayer: 100 ms, and a mark that rises with each check.",
    description: PolicyDescription(
      start: .every(.milliseconds(50), from: .wait, .level(.media(.milliseconds(100)))),
      resume: .every(
        .milliseconds(500), from: .run,
        .escalating(EscalatingLevel(marks: marks, seekResets: true))),
      estimator: .sinceBeginning,
      fetch: FetchRule(bytes: 15_728_640)),
    sources: [
      .init(.start, "ff_ffplay.c ffp_check_buffering_l, 30eb944", .source),
      .init(.resume, "ff_ffplay_def.h: 100 to 5000 ms, of which av_rescale forgives 1 %", .source),
      .init(.stall, "the packet queue is empty", .source),
      .init(.fetch, "ff_ffplay_def.h: 15 MiB", .source),
    ],
    snapshot: "ijkplayer 30eb944 of 2021-04-26",
    gotchas: [
      "A seek after many stalls goes on with 100 ms, as at first: checked each half second, and "
        + "here each 50 ms.",
      "The mark rises with each check that is passed, while it plays too: with 5 s ahead once, the "
        + "first stall waits for 5 s.",
      "Above 25 Mbit/s its 15 MiB cannot hold the last mark of 5 s: the full queue plays then.",
    ])
}
