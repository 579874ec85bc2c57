import VirtualTime

extension PlayThrough.Margin {
  /// Safety margin of files and streams over tcp: an assumption of ours.
  ///
  /// A loss gap or a queue overflow costs up to some seconds, and no player knows of it before.
  package static let standard = PlayThrough.Margin(span: .seconds(2), percentOfWait: 5)
}

extension PolicyPreset {
  /// AVPlayer, as far as its documentation and the talks go; where they are silent, our assumption.
  ///
  /// Nobody outside Apple has seen its predictor. With a link at 0.858 of the media's bit rate and
  /// a file of 39 s this one reproduces the three screens that were shown on stage (WWDC16 503).
  package static let avfoundation = PolicyPreset(
    name: "avfoundation",
    about: "AVPlayer, from its documentation and the talks.",
    description: PolicyDescription(
      sink: SinkDescription(holds: .seconds(15)),
      start: .playThrough(PlayThrough(margin: .standard)),
      resume: .playThrough(PlayThrough(margin: .standard)),
      // The property may be false while the buffer is full: "the decision is left to the app".
      exits: .besidePrediction,
      stall: .whenDry,
      estimator: EstimatorSeat(
        ofFiles: EstimatorDescription(measure: .line(otherwise: .afterThirdOfWait)),
        ofStreams: EstimatorSeat.samples(
          .mean(of: 3), over: Sampling(boundary: .mainSegmentEnds)
        ).ofStreams),
      // HLS authoring specification 1.32: the default variant should be the 2000 kbit/s one.
      firstVariant: .withinEstimate(percent: 100, assumed: 2_000_000),
      nextVariant: .throughput(ThroughputChoice()),
      // "Once it's begun downloading segments, it can use the statistics" (WWDC16 503): over 2G the
      // talk's player shows the lowest variant, whatever it began with.
      abandon: .rescue(
        RescueRule(first: FirstSegmentRule(every: .seconds(2), leastGain: .seconds(5)))),
      fetch: FetchSeat(ofStreams: FetchRule(media: .seconds(50), trackLead: 0))),
    sources: [
      Evidence(.sink, "a frame of 40 ms over tcp, if none is named", .assumed),
      Evidence(.start, "WWDC16 503, AVPlayerItem.isPlaybackLikelyToKeepUp", .documented),
      Evidence(.resume, "no constant of its own is documented", .assumed),
      Evidence(.stall, "AVPlayerItem.isPlaybackBufferEmpty", .documented),
      Evidence(
        .estimator,
        "a file's rate now, over tcp its mean after the first third of the wait; a stream's "
          + "mean of three segments", .assumed),
      Evidence(.firstVariant, "HLS authoring specification 1.32", .documented),
      Evidence(.nextVariant, "every number", .assumed),
      Evidence(.abandon, "WWDC18 502 says that it switches down; every number", .assumed),
      Evidence(
        .fetch, "50 s of a stream, files to their end; audio one segment beyond the video", .assumed
      ),
    ],
    snapshot: "Apple's documentation, and the talks of 2010 to 2018",
    gotchas: [
      "It may be unlikely to keep up with a full buffer: nothing was learnt of the link yet, "
        + "and whether to play is left to the app.",
      "The startup time of its access log begins with the first media and ends when it is first "
        + "likely to keep up: playlists and keys are not in it.",
      "Before iOS 10 files did not wait and streams did, and before iOS 13 the first listed "
        + "variant began: linkedSDK says which it is.",
      "An app that brings the media itself misleads the prediction, and Apple says to turn "
        + "waiting off there.",
    ])
}
