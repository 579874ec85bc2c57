import VirtualTime

// mpv starts with the first frames unless told to wait for its cache; it resumes with 1 s in it.

enum Mpv {
  static let all = [standard, cachePauseInitial].leaving(
    "handle_update_cache: the reader is idle, at the end or at its cap", .source)

  private static let snapshot = "mpv b955aa2 of 2026-08-22; sessions of 0.35.1"
  private static let picturesAlone =
    "Its cache counts the track that is furthest: where a segment has its pictures before its "
    + "sound it goes on with pictures alone, plays 0.2 s and stalls again."
  private static let sideBySide =
    "Streams come over two connections, segment k + 1 beside k: a link a tenth faster than "
    + "the media stalls."
  private static let transport =
    "A transport stream, which a scenario calls interleaved, plays while its segment still comes "
    + "in; it was measured with segments of 2 s alone."

  private static let resume = ReadinessRule.every(
    .milliseconds(200), from: .run,
    .any([.level(.media(.milliseconds(1_300))), .level(.mediaWithArriving(.milliseconds(1_150)))]))

  private static let cap: Int64 = 157_286_400

  static let standard = preset(
    "mpv 0.35", "mpv: starts with the first frames, goes on with a second in its cache.",
    start: .milliseconds(400), "0.4 s of media, measured",
    gotchas: [
      picturesAlone,
      "A stall takes an output that ran dry, a reader that ran dry, and less than 1 s in the "
        + "cache at once: slow decoding alone is never one.", sideBySide, transport,
    ],
    knownSegments: [2, 6])

  static let cachePauseInitial = preset(
    "mpv 0.35 cache-pause-initial",
    "mpv with cache-pause-initial: waits for its cache before the first start too.",
    start: .milliseconds(1_300), "1.3 s ahead with 1.13 s in the cache, measured",
    gotchas: [
      "The option holds after a seek as well. Limits of bytes and of reading ahead end the wait "
        + "before its second is there.", picturesAlone, sideBySide, transport,
    ],
    knownSegments: [])

  private static func preset(
    _ name: String, _ about: String, start: MediaTime, _ startSource: String,
    gotchas: [String], knownSegments: [Int64]
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: .level(.media(start)), resume: resume,
        stall: .belowWithArriving(.milliseconds(200)),
        estimator: .sinceBeginning,
        fetch: FetchSeat(
          ofFiles: FetchRule(bytes: cap, discardsIfIndexLast: 105_000),
          ofStreams: FetchRule(
            bytes: cap, lookahead: 120_000, looksAheadOnce: true, sideBySide: 2,
            blocks: 438_000, interleavedFrom: 390_000))),
      sources: [
        .init(.start, startSource, .measured),
        .init(
          .resume,
          "cache-pause-wait 1 s on a poll of 0.2 s; 1.3 s ahead in all, measured, and 1.15 s of a "
            + "stream, where pictures count whose sound has not come: fitted on how often muxed "
            + "segments of 2 s stall at 0.5 to 1.5 times the media", .measured),
        .init(
          .stall,
          "the demuxer has run dry with 0.15 to 0.2 s of sound in the output, measured; with "
            + "pictures in the cache it plays that too", .measured),
        .init(
          .fetch,
          "demuxer-max-bytes 150 MiB; 105 kB for nothing where the index is last; two segments "
            + "side by side, and the first counts with 120 kB of the next, measured; its cache "
            + "grows by blocks of 438 kB, wherever segments begin: the same ends in each session; "
            + "390 kB of a transport stream until its tracks are known, three sessions",
          .measured),
      ],
      snapshot: snapshot, gotchas: gotchas, knownSegments: knownSegments)
  }
}
