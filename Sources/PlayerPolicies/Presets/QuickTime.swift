// QuickTime, the first to start when the rest was predicted to come in time.

enum QuickTime {
  static let plugIn = PolicyPreset(
    name: "QuickTime",
    about: "QuickTime: starts when it can play through, without a margin.",
    description: PolicyDescription(
      sink: SinkDescription(predictsOnce: true), start: .playThrough(PlayThrough(everyByte: false)),
      resume: .playThrough(PlayThrough()),
      estimator: .sinceBeginning),
    sources: [
      .init(.start, "AUTOPLAY of the plug-in; the averaging is our assumption", .documented),
      .init(.resume, "left to its host", .assumed),
    ],
    snapshot: "Apple's documentation of the plug-in and of movie load states",
    gotchas: [
      "It starts by mistake where the rate falls afterwards: there is no margin.",
      "How it averages is not documented. AUTOPLAY=\"@time\" of QuickTime 5 starts with so many "
        + "seconds instead.",
    ])
}
