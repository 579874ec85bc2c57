import VirtualTime

// QuickTime, the first to start when the rest was predicted to come in time.

enum QuickTime {
  static let plugIn = PolicyPreset(
    name: "QuickTime",
    about: "QuickTime: starts when it can play through, without a margin.",
    description: PolicyDescription(
      start: .playThrough(PlayThrough(everyByte: false)),
      resume: .playThrough(PlayThrough()),
      estimator: .sinceBeginning),
    evidence: [
      .wholeBuffer,
      .init(.start, "AUTOPLAY of the plug-in; the averaging is our assumption", .documented),
      .init(.resume, "left to its host", .assumed),
      .runsDry, .noEstimator, .firstListed, .staysWithFirst, .givesNothingUp, .noLimit,
    ])
}
