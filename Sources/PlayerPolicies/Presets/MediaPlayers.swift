import VirtualTime

// Players of their own on a desk: mpv, VLC and Kodi.

enum MediaPlayers {
  static let all = [mpv, mpvInitial, vlc, kodi, kodi20]

  static let mpv = PolicyPreset(
    name: "mpv 0.35",
    about: "mpv: starts with the first frames, goes on with a second in its cache.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(475))),
      resume: .every(.milliseconds(200), from: .run, .level(.media(.milliseconds(1_390)))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))),
      fetch: FetchRule(bytes: 157_286_400)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "0.475 s of media, measured", .measured),
      .init(
        .resume, "cache-pause-wait 1 s on a poll of 0.2 s; 1.39 s ahead in all, measured", .measured
      ),
      .init(.stall, "an output and the demuxer run dry", .source),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "demuxer-max-bytes 150 MiB", .source),
    ])

  static let mpvInitial = PolicyPreset(
    name: "mpv 0.35 cache-pause-initial",
    about: "mpv with cache-pause-initial: waits for its cache before the first start too.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(1_130))),
      resume: .every(.milliseconds(200), from: .run, .level(.media(.milliseconds(1_390)))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning))),
      fetch: FetchRule(bytes: 157_286_400)),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "cache 1.13 s, measured", .measured),
      .init(
        .resume, "cache-pause-wait 1 s on a poll of 0.2 s; 1.39 s ahead in all, measured", .measured
      ),
      .init(.stall, "an output and the demuxer run dry", .source),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "demuxer-max-bytes 150 MiB", .source),
    ])

  static let vlc = PolicyPreset(
    name: "VLC 3.0",
    about: "VLC: starts with more than its network caching of 1 s, in steps of 250 ms.",
    description: PolicyDescription(
      start: .level(.media(.milliseconds(1_250))),
      resume: .escalating(
        EscalatingLevel(
          [1_250, 1_250, 1_500, 1_750, 2_000].map { .media(.milliseconds($0)) }, raise: .ranDry)),
      estimator: EstimatorSeat(
        EstimatorDescription(
          .samples(SampleStatistics(.mean(of: 3), over: Sampling(.requestEnds, clock: .request))))),
      firstVariant: .highest,
      nextVariant: .throughput(
        ThroughputChoice(
          safetyPercent: 75, upSwitchBuffer: .zero, downSwitchBuffer: .seconds(1_000_000),
          keepsSustained: false)),
      fetch: FetchRule(media: .seconds(30))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "1.25 s of media, measured; pts_delay 1000 ms", .measured),
      .init(
        .resume, "pts_delay grows with lateness by steps of 250 ms; how fast is our assumption",
        .assumed),
      .init(.stall, "the output is dry, measured", .measured),
      .init(.estimator, "a moving average × ¾; over how many is our assumption", .copy),
      .init(.firstVariant, "fewer than three segments: the highest", .copy),
      .init(.nextVariant, "a moving average × ¾", .copy),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "adaptive: at most 30 s", .copy),
    ])

  static let kodi = PolicyPreset(
    name: "Kodi 21",
    about: "Kodi, the newest: goes on with 8 s.",
    description: PolicyDescription(
      start: .level(.media(.seconds(8))),
      resume: .level(.media(.seconds(8))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning)))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "CVideoPlayer, PR 23760", .copy),
      .init(.resume, "CVideoPlayer, PR 23760", .copy),
      .init(.stall, "sound or picture stalled and both queues at half", .copy),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "no limit is known to us", .assumed),
    ])

  static let kodi20 = PolicyPreset(
    name: "Kodi 20",
    about: "Kodi before: plays through with a tenth to spare, or when its cache is full.",
    description: PolicyDescription(
      start: .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100))),
      resume: .playThrough(PlayThrough(safety: SafetyFactor(110, over: 100))),
      estimator: EstimatorSeat(EstimatorDescription(.history(.sinceBeginning)))),
    evidence: [
      .init(
        .sink, "whatever is loaded can be shown; frames and decoders are left out", .assumed),
      .init(.start, "CVideoPlayer::GetCachingTimes", .copy),
      .init(.resume, "CVideoPlayer::GetCachingTimes", .copy),
      .init(.stall, "sound or picture stalled and both queues at half", .copy),
      .init(.estimator, "none is known to us, and nothing goes by it", .assumed),
      .init(.firstVariant, "none is known to us: the first listed", .assumed),
      .init(.nextVariant, "none is known to us: it stays with the first", .assumed),
      .init(.abandon, "what it gives up is left out", .assumed),
      .init(.fetch, "no limit is known to us", .assumed),
    ])
}
