import VirtualTime

// VLC: a wait is over when more has streamed than its delay, which grows as data comes late.

enum VLC {
  /// Its pts_delay: network-caching, raised by what comes late.
  private static let delay = ReadinessRule.lateness(
    LatenessLevel(
      delay: .seconds(1), step: .milliseconds(250), most: .seconds(5),
      reach: .milliseconds(500), lag: .milliseconds(200)))

  static let all = [nearOptimal, predictive]

  /// The logic of the default, from which the option adaptive-logic=predictive departs.
  private static let nearOptimal: PolicyPreset = {
    var preset = predictive
    preset.name = "VLC 3.0"
    preset.about = "VLC: starts with more than its network caching of 1 s, in steps of 250 ms."
    preset.description.firstVariant = .lowest
    preset.description.nextVariant = .bufferBased(
      BufferBasedRule(reservoir: .milliseconds(400), cushion: .milliseconds(1)))
    preset.cite(.init(.firstVariant, "NearOptimalAdaptationLogic.cpp: the lowest", .copy))
    preset.cite(
      .init(
        .nextVariant,
        "NearOptimalAdaptationLogic.cpp: (6 s - 1 s) over the logarithm of the bit rate, so that "
          + "0.3 to 0.5 s are enough for the highest of ladders that span 4 to 14 times; 0.4 s "
          + "stands for them", .copy))
    preset.gotchas.insert(
      "Its adaptive-logic is nearoptimal where no option says otherwise: BOLA with a buffer of "
        + "6 s, which takes the highest variant as soon as 0.3 to 0.5 s are ahead, whatever the "
        + "link.",
      at: 0)
    return preset
  }()

  private static let predictive = PolicyPreset(
    name: "VLC 3.0 predictive",
    about: "VLC with adaptive-logic=predictive: begins a stream with its highest variant.",
    description: PolicyDescription(
      start: delay, resume: delay,
      estimator: .samples(.mean(of: 3), over: Sampling(clock: .request)),
      firstVariant: .highest,
      nextVariant: .highest(withinPercent: 75),
      fetch: FetchSeat(
        ofFiles: FetchRule(media: .seconds(30), discards: 105_000, discardsIfIndexLast: 50_000),
        ofStreams: FetchRule(media: .seconds(30), lookahead: 100_000, interleavedFrom: 540_000))),
    sources: [
      .init(.start, "1.25 s of media, measured; pts_delay 1000 ms", .measured),
      .init(
        .resume,
        "pts_delay, raised by the median of the last three latenesses, measured; streams stop "
          + "0.2 s short of what was received, by which a segment is later", .measured),
      .init(.stall, "the output is dry, measured", .measured),
      .init(.estimator, "a moving average × ¾; over how many is our assumption", .copy),
      .init(
        .firstVariant,
        "adaptive-logic=predictive: with fewer than three segments the highest", .copy),
      .init(.nextVariant, "a moving average × ¾", .copy),
      .init(
        .fetch,
        "adaptive: at most 30 s; a first connection of 105 kB thrown away, and 100 kB of the next "
          + "segment before one counts, measured; a transport stream began with 520 to 570 kB, two "
          + "sessions", .measured),
    ],
    snapshot: "sessions of VLC 3.0.24; copies of its source without a commit",
    gotchas: [
      "It knows no stall: a clock that comes late raises its delay for good, so that each wait "
        + "is longer than the one before.",
      "Beyond 5 s more than it began with the delay is not raised any more: it plays on, and "
        + "what is late is lost.",
      "It leaves out 0.26 s of an mp4 (0.04 s of HLS) each time it buffers again; here nothing "
        + "is left out, and a session is as much longer.",
      "A file costs a connection that is thrown away, and another to look at its end.",
    ],
    knownSegments: [2])
}
