import VirtualTime

// Firefox: it declares a stall with media left, and goes on when it can play through, after
// fifteen seconds, or with fifteen seconds ahead, whichever is first, as it looks about every
// second.

enum Firefox {
  static let all = [firefoxAutoplay, firefoxPlay]

  static var resume: ReadinessRule {
    .any([
      .every(
        .milliseconds(1_050), from: .wait,
        .playThrough(PlayThrough(whenEndUnknown: true))),
      .after(.seconds(15)), .level(.media(.seconds(15))),
    ])
  }

  static let firefoxAutoplay = PolicyPreset(
    name: "Firefox 153 autoplay",
    about: "Firefox with autoplay: starts when it can play through with a second to spare.",
    description: PolicyDescription(
      start: .all([
        .playThrough(PlayThrough(whenEndUnknown: true)), .level(.media(.seconds(1))),
      ]),
      resume: resume,
      stall: .belowUnlessPlayThrough(.milliseconds(1_800)),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .history(.sinceBeginning), gate: .init(bytes: 83_220, span: .seconds(3)))),
      fetch: FetchRule(media: .seconds(60), refillPercent: 50)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(
        .start, "ChannelMediaDecoder, MediaChannelStatistics: 1 s ahead of the playhead", .copy),
      .init(.resume, "15 s; looks every 1.05 s, measured", .measured),
      .init(.stall, "1.8 s ahead, measured; unless it can play through", .measured),
      .init(
        .estimator, "everything since the request; reliable after 3 s or 57 × 1460 bytes", .copy),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "suspends 60 s ahead, goes on at 30 s, measured", .measured),
    ])

  static let firefoxPlay = PolicyPreset(
    name: "Firefox 153 play",
    about: "Firefox after play(): starts with 1.25 s.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(1_250))),
      resume: resume,
      stall: .belowUnlessPlayThrough(.milliseconds(1_800)),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .history(.sinceBeginning), gate: .init(bytes: 83_220, span: .seconds(3)))),
      fetch: FetchRule(media: .seconds(60), refillPercent: 50)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "1.25 s received, measured", .measured),
      .init(.resume, "15 s; looks every 1.05 s, measured", .measured),
      .init(.stall, "1.8 s ahead, measured; unless it can play through", .measured),
      .init(
        .estimator, "everything since the request; reliable after 3 s or 57 × 1460 bytes", .copy),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "suspends 60 s ahead, goes on at 30 s, measured", .measured),
    ])
}
