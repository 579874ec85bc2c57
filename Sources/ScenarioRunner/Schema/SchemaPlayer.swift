import SimulatedPlayback

extension Schema {
  static var otherPlayers: Schema {
    list(
      of: object([
        .required("name", text("preview"), "What the trace calls it."),
        .required("media", media, "Its media: one of local, progressive or hls."),
        SchemaKey("assets", assets, "Further media, by name."),
        SchemaKey("items", items, "What can stand in its queue, by name."),
        SchemaKey("queue", queue, "The items that are enqueued from the start, in their order."),
        SchemaKey("looping", looping, "How what it plays is looped."),
        SchemaKey("player", player, "The player, its contract, and the item in it."),
        SchemaKey("script", script, "What the app does with it, and when."),
        SchemaKey("expect", expectations, "What is expected of it."),
      ]))
  }

  static var player: Schema {
    object(playerKeys + itemKeys + variantKeys + pictureKeys)
  }

  private static let playerKeys = [
    SchemaKey(
      "linkedSDK",
      pattern(#"^ *(iOS|iPadOS|tvOS|macOS) +[0-9]{1,2}(\.[0-9]{1,2})? *$"#)
        .examples("iOS 10", "iOS 9.3", "macOS 10.12", "tvOS 10"),
      "The SDK the app is linked against, whose contract holds; today's unless said otherwise."),
    SchemaKey(
      "client", words(PlayerClient.names.map { $0.word }),
      "What plays: the app's own code on AVFoundation, unless said otherwise, or AVKit or "
        + "MediaPlayer, which wait under any contract."),
    SchemaKey(
      "automaticallyWaitsToMinimizeStalling", boolean,
      "Whether the player waits until it is likely to keep up; what the contract says unless said "
        + "otherwise."),
    SchemaKey(
      "heuristic",
      pattern(
        #"^ *(playThrough( +x[0-9]+(\.[0-9]+)?(/[0-9]+(\.[0-9]+)?)?)?"#
          + "|thresholds +\(part(.time)) */ *\(part(.time))|everythingLoaded|immediate) *$"
      ).examples("playThrough", "playThrough x1.1", "thresholds 1 s/2 s", "immediate"),
      "What counts as likely to keep up: playThrough, playThrough x1.1 (with a safety factor), "
        + "thresholds START/RESUME, everythingLoaded or immediate."),
    SchemaKey(
      "evaluationPeriod", time,
      "How long the player evaluates the buffering rate; zero as a rule."),
    SchemaKey("defaultRate", playbackRate, "The rate that play asks for; 1 as a rule."),
    SchemaKey(
      "actionAtItemEnd", words(["pause", "none"]),
      "What happens at the end of an item, if it is not to pause, or to give way to the next."),
    SchemaKey(
      "gaplessTraits", words(["strict", "lenient"]),
      "Whether sample rate and bit depth have to be alike for a stream to follow without a gap; "
        + "strict as a rule."),
    SchemaKey(
      "networkResourcePriority", words(NetworkResourcePriority.allCases.map { $0.rawValue }),
      "How it shares a fluid link with the other players: 1, 2 or 4 shares a request."),
    SchemaKey(
      "pipeline", pipeline,
      "What it takes to get media moving beside having it; nothing unless said otherwise."),
    SchemaKey(
      "latency", latency,
      "How far the app is from the player when it loops; nothing unless said otherwise."),
    SchemaKey(
      "without", list(of: words(Behaviour.allCases.map { $0.name })),
      "Behaviours that this player lacks, to see what depends on them."),
  ]

  private static let pipeline = object([
    SchemaKey("build", time, "Setting the pipeline up when an item becomes current."),
    SchemaKey(
      "stillFrame", time, "Showing the still frame of an item that is there before play."),
    SchemaKey(
      "preroll", time,
      "Filling the pipeline before media moves: at the start, after a seek and after a stall."),
    SchemaKey("parse", time, "Reading through the index of an asset."),
    SchemaKey(
      "lookAhead", integer(from: 0, through: 1_000),
      "How many items of a queue are prepared at most; as many as are short as a rule."),
    SchemaKey(
      "reconfiguration", time,
      "Adjusting the pipeline to other tracks while playing, before iOS 10."),
    SchemaKey(
      "keyFrameInterval", time,
      "Where such an adjustment goes back to a key frame: how far apart they are."),
  ])

  private static let latency = object([
    SchemaKey("notification", time, "From something happening until the app hears of it."),
    SchemaKey("command", time, "From a call of the app until the player acts."),
  ])

  private static let retry = object([
    SchemaKey(
      "attempts", integer(from: 0, through: 1_000),
      "How often it tries again before it has got a byte more; 3 unless said otherwise."),
    SchemaKey("backOff", time, "The first wait; each further one is twice as long. 1 s as a rule."),
    SchemaKey("longestBackOff", time, "The longest wait; 8 s unless said otherwise."),
  ])

  private static let itemKeys = [
    SchemaKey(
      "item", words(["atStart", "byScript"]),
      "Whether the item is current from the start, or brought by a setItem of the script."),
    SchemaKey(
      "preferredForwardBufferDuration", time,
      "How much media to buffer ahead of the playhead; zero leaves it to the player."),
    SchemaKey(
      "bufferCap", reference("size"), "The most bytes to hold ahead of the playhead."),
    SchemaKey("forwardPlaybackEndTime", endTime, "Where playback of the item ends."),
    SchemaKey("retry", retry, "What the player does about a request that broke."),
    SchemaKey("startTime", time.examples("0.5 s"), "Where playback of the item begins."),
    SchemaKey(
      "automaticallyPreservesTimeOffsetFromLive", boolean,
      "Whether the distance from the live edge is restored after buffering; not as a rule."),
    SchemaKey(
      "configuredTimeOffsetFromLive", time,
      "How far from the live edge playback begins; what the server asks for as a rule."),
    SchemaKey(
      "canUseNetworkResourcesForLiveStreamingWhilePaused", boolean,
      "Whether live playlists are read while paused; what the contract says unless said "
        + "otherwise."),
  ]
}
