import VirtualTime

// Chromium and its media element. With the attribute autoplay it waits until it can play through,
// with play() for a few blocks. After a stall the sound must be ahead by a mark that doubles from
// stall to stall, and nothing is predicted any more.
//
// Players in a page fetch, and this element plays what they append.

enum Chromium {
  static let all =
    [autoplay, play].leaving(
      "CanPlayThrough is true with an idle network; at the cap of bytes measured too", .copy)
    + [MediaSource.preset]

  fileprivate static let snapshot =
    "sessions of Chromium 156; copies of its source without a commit"

  /// Media ahead when 0.2, 0.4, 0.8, 1.6 and 3 s of sound are decoded, as it was measured; it is
  /// the second mark that counts after the first stall.
  static let resume = ReadinessRule.escalating(
    EscalatingLevel(
      marks: [720, 720, 1_180, 1_850, 3_200].map { .media(.milliseconds($0)) }, raise: .ranDry,
      seekResets: true, silent: .media(.milliseconds(600))))

  /// The first blocks of 32 KiB, which take 135 kB of media: four of them and the start of a fifth.
  private static let firstBlocks = Level.bytes(135_000)
  private static let stall = StallRule.below(.milliseconds(390), silent: .milliseconds(220))
  private static let window = HistoryRule.leastSince(
    .init(window: .seconds(10), leastBytes: 32_768, leastEntries: 5, newest: 3, oldest: 20))
  private static let estimator = EstimatorSeat(EstimatorDescription(measure: .history(window)))
  private static let cap: Int64 = 4_300_000

  private static let resumeEvidence = PolicyPreset.Evidence(
    .resume,
    "audio_renderer_algorithm.cc; media ahead measured; without sound 0.5 to 0.7 s each time",
    .measured)
  private static let stallEvidence = PolicyPreset.Evidence(
    .stall,
    "0.39 s ahead, measured; without sound what leaves 31 stalls at 0.7 times the media, one "
      + "figure",
    .measured)
  private static let estimatorEvidence = PolicyPreset.Evidence(
    .estimator,
    "the least mean of a window of 10 s; it hears of whole blocks of 32 KiB (multibuffer)", .copy)

  static let autoplay = PolicyPreset(
    name: "Chromium 156 autoplay",
    about: "Chromium with autoplay: starts when it can play through, or its buffer is full.",
    description: PolicyDescription(
      sink: SinkDescription(predictsOnce: true),
      start: .autoplay(
        .all([.playThrough(PlayThrough(everyByte: false)), .level(firstBlocks)]),
        then: firstBlocks),
      resume: resume, stall: stall, estimator: estimator,
      fetch: FetchRule(
        bytes: cap, atLimit: .reopens(after: .milliseconds(4_400)), reopensOnce: true)),
    sources: [
      .init(.start, "buffered_data_source_host_impl.cc: no margin; five blocks, measured", .copy),
      resumeEvidence, stallEvidence, estimatorEvidence,
      .init(
        .fetch, "the cap, at which it cancels, and opens again 4.4 s later, measured", .measured),
    ],
    snapshot: snapshot,
    gotchas: [
      "The attribute and play() are two policies: only the attribute predicts, until the first "
        + "start, and after a stall or a seek neither predicts.",
      "It predicts by bytes, as if each second of the file had as many: a file whose end is "
        + "heavy stalls although it was predicted to play through.",
      "With its cap of bytes reached before the start it plays whatever the link, cancels the "
        + "request, and opens it again 4.4 s later; once it has played, reading is suspended.",
    ])

  static let play = PolicyPreset(
    name: "Chromium 156 play",
    about: "Chromium after play(): starts with the first blocks of 32 KiB.",
    description: PolicyDescription(
      sink: SinkDescription(predictsOnce: true), start: .level(firstBlocks), resume: resume,
      stall: stall, estimator: estimator, fetch: FetchRule(bytes: cap)),
    sources: [
      .init(.start, "four or five blocks of 32 KiB, measured", .measured),
      resumeEvidence, stallEvidence, estimatorEvidence,
      .init(.fetch, "back-pressure while playing, measured", .measured),
    ],
    snapshot: snapshot,
    gotchas: [
      "The mark of sound doubles from stall to stall, until a seek: from the fifth on it takes "
        + "3.2 s ahead, however short the first stalls were.",
      "A file without sound goes on with 0.5 to 0.7 s after every stall: a scenario says so with "
        + "tracks of which none is audio.",
    ])

  /// The media element under a page that appends whole segments: a segment of every track to start,
  /// the same growing mark to resume, and a stall with little audio left.
  enum MediaSource {
    static let start = ReadinessRule.level(.segments(1))

    /// - Parameter patience: Time until the page moves a playhead that stands with media ahead,
    ///   which to the element is a seek; nil for never.
    static func marks(patience: TimeSpan? = nil) -> ReadinessRule {
      .escalating(
        EscalatingLevel(
          // Marks of decoded sound; a whole segment may bring more than the mark.
          marks: [200, 400, 800, 1_600, 3_000].map { .media(.milliseconds($0)) }, raise: .ranDry,
          seekResets: true, patience: patience))
    }

    /// The time a page, its scripts and decoders take from first playable data to the first frame.
    static func sink(warmUp: Int64, seeksAtFreeze: Bool = false) -> SinkDescription {
      SinkDescription(
        warmUp: .milliseconds(warmUp), freezes: .seconds(3), seeksAtFreeze: seeksAtFreeze)
    }

    static let stall = StallRule.below(.milliseconds(60))

    static let preset = PolicyPreset(
      name: "Chromium 156 MSE",
      about: "Media Source Extensions in Chromium, with autoplay or play().",
      description: PolicyDescription(
        sink: sink(warmUp: 250), start: start, resume: marks(), stall: stall,
        estimator: .sinceBeginning, fetch: FetchRule(media: .seconds(30))),
      sources: sources + [.init(.fetch, "the page decides; our assumption", .assumed)],
      snapshot: Chromium.snapshot,
      gotchas: [
        "Where pictures alone are missing no stall is declared at first: the sound goes on "
          + "under a standing picture for about 3 s. Segments with both muxed in stall at once.",
        "It takes whole segments: what is appended in pieces would start sooner.",
      ])

    static let sources: [PolicyPreset.Evidence] = [
      .init(
        .sink,
        "a whole segment of every track, which the start asks for; 3 s of sound under a picture "
          + "that stands; what the page and the decoders take at the start", .measured),
      .init(.start, "the browser decides", .source),
      .init(.resume, "the browser: its growing mark of sound, measured", .measured),
      .init(.stall, "60 ms of sound left, measured", .measured),
    ]
  }
}
