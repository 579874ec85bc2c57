import VirtualTime

// NuPlayer, which played on Android before ExoPlayer.

enum NuPlayer {
  static let genericSource = PolicyPreset(
    name: "NuPlayer",
    about: "Android before ExoPlayer: starts with 5 s, goes on with 15 s.",
    description: PolicyDescription(
      start: .level(.media(.seconds(5))),
      resume: .level(.media(.seconds(15))),
      estimator: .sinceBeginning),
    sources: [
      .init(.start, "GenericSource", .copy),
      .init(.resume, "GenericSource", .copy),
    ],
    snapshot: "a copy of Android's source without a commit",
    gotchas: [
      "A mark of 2 s at which it would pause stands in a comment alone: it plays until it is "
        + "dry.",
      "With 15 s to go on it buffers beyond what a short file needs, and ends later than others "
        + "over a slow link.",
    ],
    knownSegments: [])
}
