import VirtualTime

// KSPlayer: the same mark of each track whenever it waits.

enum KSPlayer {
  static let from2 = PolicyPreset(
    name: "KSPlayer 2",
    about: "KSPlayer: 3 s of each track.",
    description: PolicyDescription(
      start: .level(.media(.seconds(3))),
      resume: .level(.media(.seconds(3))),
      estimator: .sinceBeginning,
      nextVariant: .step(
        StepRule(upFrom: .seconds(30), downBelow: .seconds(3), leastBetweenSwitches: .seconds(15))),
      fetch: FetchRule(media: .seconds(30), refillPercent: 50)),
    sources: [
      .init(.start, "KSOptions.swift, af2e26f", .source),
      .init(.resume, "KSOptions.swift, af2e26f", .source),
      .init(.stall, "frames and packets at zero", .source),
      .init(
        .nextVariant,
        "KSOptions.swift and MEPlayerItem.swift: a step every 15 s at the most, up with a full "
          + "buffer", .source),
      .init(.fetch, "stops beyond 30 s, goes on below 15 s", .source),
    ],
    snapshot: "KSPlayer af2e26f of 2026-08-22",
    gotchas: [
      "Sound alone starts with its first frames, and a seek asks for half as much where the app "
        + "wants to open fast.",
      "It reads on when half of its 30 s is left, so that it requests files in bursts; "
        + "those of streams are left out, of which it requests segment by segment.",
    ],
    knownSegments: [])
}
