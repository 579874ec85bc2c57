import VirtualTime

// Players on handsets beside those of the systems, and QuickTime.

enum HandsetPlayers {
  static let all = [ksPlayer, ijkplayer, nuPlayer, quickTime]

  static let ksPlayer = PolicyPreset(
    name: "KSPlayer 2",
    about: "KSPlayer: 3 s of each track.",
    description: PolicyDescription(
      start: .level(.media(.seconds(3))),
      resume: .level(.media(.seconds(3))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))),
      fetch: FetchRule(media: .seconds(30), refillPercent: 50)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "KSOptions.swift, af2e26f", .source),
      .init(.resume, "KSOptions.swift, af2e26f", .source),
      .init(.stall, "frames and packets at zero", .source),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "stops beyond 30 s, goes on below 15 s", .source),
    ])

  static let ijkplayer = PolicyPreset(
    name: "ijkplayer 0.8",
    about: "ijkplayer: 100 ms, and a mark that rises with each wait.",
    description: PolicyDescription(
      start: .every(.milliseconds(50), from: .wait, ijkplayerMark),
      resume: .every(.milliseconds(500), from: .wait, ijkplayerMark),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))),
      fetch: FetchRule(bytes: 15_728_640)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "ff_ffplay.c ffp_check_buffering_l, 30eb944", .source),
      .init(.resume, "ff_ffplay_def.h: 100 to 5000 ms", .source),
      .init(.stall, "the packet queue is empty", .source),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "ff_ffplay_def.h: 15 MiB", .source),
    ])

  /// A wait that ends raises the mark for the next, and a seek begins with the first again.
  private static var ijkplayerMark: ReadinessRule {
    .escalating(
      EscalatingLevel(
        [100, 1_000, 2_000, 4_000, 5_000].map { .media(.milliseconds($0)) }, raise: .waitEnded,
        seekResets: true))
  }

  static let nuPlayer = PolicyPreset(
    name: "NuPlayer",
    about: "Android before ExoPlayer: starts with 5 s, goes on with 15 s.",
    description: PolicyDescription(
      start: .level(.media(.seconds(5))),
      resume: .level(.media(.seconds(15))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning)))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "GenericSource", .copy),
      .init(.resume, "GenericSource", .copy),
      .init(.stall, "when nothing is left", .assumed),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "no limit is known to us", .assumed),
    ])

  static let quickTime = PolicyPreset(
    name: "QuickTime",
    about: "QuickTime: starts when it can play through, without a margin.",
    description: PolicyDescription(
      start: .playThrough(PlayThrough()),
      resume: .playThrough(PlayThrough()),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning)))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "AUTOPLAY of the plug-in; the averaging is our assumption", .documented),
      .init(.resume, "left to its host", .assumed),
      .init(.stall, "when nothing is left", .assumed),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "no limit is known to us", .assumed),
    ])
}
