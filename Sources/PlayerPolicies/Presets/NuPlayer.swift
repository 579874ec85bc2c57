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
    evidence: [
      .wholeBuffer,
      .init(.start, "GenericSource", .copy),
      .init(.resume, "GenericSource", .copy),
      .runsDry, .noEstimator, .firstListed, .staysWithFirst, .givesNothingUp, .noLimit,
    ])
}
