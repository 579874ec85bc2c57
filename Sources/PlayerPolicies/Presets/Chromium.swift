import VirtualTime

// Chromium and its media element. With the attribute autoplay it waits until it can play through,
// with play() for a few blocks. After a stall the sound must be ahead by a mark that doubles from
// stall to stall, and nothing is predicted any more.

enum Chromium {
  static let all = [chromiumAutoplay, chromiumPlay]

  private static let window = HistoryRule.SinceRule(
    window: .seconds(10), leastBytes: 1_000, leastEntries: 5, newest: 3, oldest: 20)

  /// Media ahead when 0.2, 0.4, 0.8, 1.6 and 3 s of sound are decoded, as it was measured; it is
  /// the second mark that counts after the first stall.
  static var resume: ReadinessRule {
    .escalating(
      EscalatingLevel(
        [720, 720, 1_180, 1_850, 3_200].map { .media(.milliseconds($0)) }, raise: .ranDry))
  }

  static let chromiumAutoplay = PolicyPreset(
    name: "Chromium 156 autoplay",
    about: "Chromium with autoplay: starts when it can play through, or is full.",
    description: PolicyDescription(
      // With its first blocks at the least: 5 of 32 KiB less the index of the files measured.
      start: .all([.playThrough(PlayThrough()), .level(.bytes(135_000))]),
      resume: resume,
      stall: .below(.milliseconds(390)),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .history(
            .leastSince(window)))),
      fetch: FetchRule(bytes: 4_300_000)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "buffered_data_source_host_impl.cc: no margin; five blocks, measured", .copy),
      .init(.resume, "audio_renderer_algorithm.cc; media ahead measured", .measured),
      .init(.stall, "0.39 s ahead, measured", .measured),
      .init(.estimator, "the least mean of a window of 10 s", .copy),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "the cap, measured; that it cancels and opens again is left out", .measured),
    ])

  static let chromiumPlay = PolicyPreset(
    name: "Chromium 156 play",
    about: "Chromium after play(): starts with the first blocks of 32 KiB.",
    description: PolicyDescription(
      start: .level(.bytes(135_000)),
      resume: resume,
      stall: .below(.milliseconds(390)),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .history(
            .leastSince(window)))),
      fetch: FetchRule(bytes: 4_300_000, atLimit: .suspends)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "four or five blocks of 32 KiB, measured", .measured),
      .init(.resume, "audio_renderer_algorithm.cc; media ahead measured", .measured),
      .init(.stall, "0.39 s ahead, measured", .measured),
      .init(.estimator, "the least mean of a window of 10 s", .copy),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "back-pressure while playing, measured", .measured),
    ])
}
