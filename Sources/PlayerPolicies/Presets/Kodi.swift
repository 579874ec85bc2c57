import VirtualTime

// Kodi: the newest goes by 8 s of media, those before by a prediction with a tenth to spare.

enum Kodi {
  static let all =
    [from21]
    + [upTo20].leaving("a full cache goes on, with a warning that the source is too slow", .copy)

  static let from21 = preset(
    "Kodi 21", "Kodi, the newest: goes on with 8 s.",
    .level(.media(.seconds(8))), "CVideoPlayer, PR 23760",
    snapshot: "a copy of Kodi's source with pull request 23760",
    gotchas: [
      "There are two generations of its rule, and comparisons seldom say which: before, it "
        + "predicted.",
      "It stalls when sound or picture stands and both queues of 8 s are half empty: with media "
        + "left, which is left out.",
    ])

  static let upTo20 = preset(
    "Kodi 20", "Kodi before: plays through with a tenth to spare, or when its cache is full.",
    .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100), everyByte: false)),
    "CVideoPlayer::GetCachingTimes",
    snapshot: "a copy of Kodi's source before pull request 23760",
    gotchas: [
      "With a full cache it goes on although it cannot play through, and warns that the source "
        + "is too slow.",
      "Its prediction takes the link for a tenth slower than it is, and bytes for evenly spread.",
    ])

  /// A version, with what it starts and goes on by.
  private static func preset(
    _ name: String, _ about: String, _ rule: ReadinessRule, _ source: String,
    snapshot: String, gotchas: [String]
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(start: rule, resume: rule, estimator: .sinceBeginning),
      sources: [
        .init(.start, source, .copy),
        .init(.resume, source, .copy),
        .init(.stall, "sound or picture stalled and both queues at half", .copy),
      ],
      snapshot: snapshot, gotchas: gotchas, knownSegments: [])
  }
}
