import Autowait
import ExactText
import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import VirtualTime

struct PlayerDescription {
  var settings = PlayerSettings()
  /// Nil leaves it to the policy.
  var heuristic: KeepUpHeuristic?
  var preferredForwardBufferDuration = MediaTime.zero
  var bufferByteCap: Int64?
  var forwardPlaybackEndTime: MediaTime?
  var startTime: MediaTime?
  var live = LivePreferences()
  var retry = RetryPolicy.standard
  var variants: VariantDescription
  var pictures = PictureDescription()
  /// Whether the item is current from the beginning.
  var hasItem = true
  let media: MediaSource?
  let mayQueue: Bool

  init(of media: MediaSource?, mayQueue: Bool = false) {
    self.media = media
    self.mayQueue = mayQueue
    variants = VariantDescription(languages: LanguageNames(media))
  }

  /// Reads what is said of a player that plays the media that is known here.
  func read(_ node: DocumentNode) -> PlayerDescription? {
    Self.keys.read(node, self) { part, object in
      if let end = part.forwardPlaybackEndTime, let start = part.startTime, start >= end {
        return object.refuse(
          key: "startTime", "is not before “forwardPlaybackEndTime”", expected: "an earlier time")
      }
      var part = part
      part.settings.layer = part.variants.layer
      if let display = part.pictures.display {
        part.settings.display = display
        part.variants.constraints.videoRanges.removeAll { !display.videoRanges.contains($0) }
      }
      return part
    }
  }

  func item(_ media: MediaSource) -> ItemSettings {
    let item = ItemSettings(
      source: variants.applied(to: media, under: settings.contract, settings.policy),
      heuristic: heuristic,
      preferredForwardBufferDuration: preferredForwardBufferDuration,
      bufferByteCap: bufferByteCap, forwardPlaybackEndTime: forwardPlaybackEndTime,
      startTime: startTime, live: live, retry: retry, label: "movie.mp4")
    return changed(item) { $0.pictures = pictures.use }
  }

  static let keys = KeyTable<Self>("player", "The player, its contract, and the item in it.") {
    PlayerSettings.keys.within { $1(&$0.settings) }
    Key.read(
      "actionAtItemEnd", as: .words(["advance", "pause", "none"]),
      "Action at the end of an item; by default it pauses, or advances to the next item of a "
        + "queue."
    ) {
      $1.settings.actionAtItemEnd.takes(
        $1.mayQueue ? Form<ActionAtItemEnd>.cases.read($0) : Decode.actionOfItem($0))
    }
    Key.optional(
      "heuristic", { $0.heuristic = $1 }, .heuristic, only: .remote,
      notBeside: "policy",
      "Rule for likely to keep up, in short: " + joined(KeepUpHeuristic.textForms, by: ", ") + ".")
    Key.optional(
      "policy", { $0.settings.policy = $1 }, .policy, absent: "avfoundation",
      "The player's policy: its name, or a choice for each seat.")
    Key.optional(
      "item", { $0.hasItem = $1 }, .words([("atStart", true), ("byScript", false)]),
      absent: "atStart",
      "Whether the item is current from the start, or brought by a setItem of the script.")
    Key.optional(
      "preferredForwardBufferDuration", { $0.preferredForwardBufferDuration = $1 }, .mediaPlace,
      absent: "0 s", only: .remote,
      "Media to buffer ahead of the playhead; zero leaves it to the player.")
    Key.optional(
      "bufferCap", { $0.bufferByteCap = $1 }, .bytesAboveZero, only: .remote,
      "The most bytes to hold ahead of the playhead; of a file 16 KiB at least.")
    Key.optional(
      "retry", { $0.retry = $1 }, RetryPolicy.form, only: .remote,
      "The player's retries of a failed request.")
    VariantDescription.keys.within { $1(&$0.variants) }
    Key.read("forwardPlaybackEndTime", as: .endTime, "End of the item's playback.") {
      $1.forwardPlaybackEndTime.takes(Decode.endTime($0, of: $1.media?.file))
    }
    Key.read("startTime", as: .time.examples("0.5 s"), "Start of the item's playback.") {
      node, part in
      let duration = part.media?.duration ?? .distantFuture
      let place = Form.mediaPlace.checked(expected: "a time before the end of the media") {
        $0 < duration
      }
      return part.startTime.takes(place.read(node))
    }
    LivePreferences.keys.within { $1(&$0.live) }
    PictureDescription.keys.within { $1(&$0.pictures) }
  }
}

extension PlayerSettings {
  @KeyRows<Self> fileprivate static var keys: KeyRows<Self> {
    Key.optional(
      "linkedSDK", { $0.contract = $1 }, .contract,
      "The SDK the app is linked against, whose contract holds; by default today's.")
    Key.optional(
      "client", { $0.client = $1 },
      .words([("AVFoundation", .avFoundation), ("AVKit", .avKit), ("MediaPlayer", .mediaPlayer)]),
      absent: "AVFoundation",
      "Client of the player: the app's own code on AVFoundation, or AVKit or MediaPlayer, under "
        + "which playback waits in any contract.")
    Key.optional(
      "automaticallyWaitsToMinimizeStalling", { $0.waitsAutomatically = $1 }, .boolean,
      "Whether the player waits until it is likely to keep up; by default as the contract says.")
    Key.optional(
      "defaultRate", { $0.defaultRate = $1 }, .rate, absent: 1, "The rate that play asks for.")
    Key.optional(
      "evaluationPeriod", { $0.evaluationPeriod = $1 }, .span, absent: "0 s", only: .remote,
      "Time for which the player evaluates the buffering rate.")
    Key.optional(
      "gaplessTraits", { $0.gaplessStrictness = $1 },
      .words([("strict", .strict), ("lenient", .lenient)]), absent: "strict",
      "Whether sample rate and bit depth have to be alike for a stream to follow without a gap.")
    Key.optional(
      "networkResourcePriority", { $0.networkResourcePriority = $1 }, .cases, absent: "default",
      "Priority over a fluid link shared with other players: 1, 2 or 4 shares a request.")
    Key.optional(
      "pipeline", { $0.pipeline = $1 }, PipelineCosts.form,
      "Costs of setting media in motion once it is loaded; none by default.")
    Key.optional(
      "latency", { $0.latency = $1 }, AppLatency.form,
      "Latency between app and player when it loops; none by default.")
  }
}

extension PipelineCosts {
  fileprivate static let form = KeyTable<Self>("pipeline", "Costs of setting media in motion.") {
    Key.optional(
      "build", { $0.build = $1 }, .span, absent: "0 s",
      "Setting the pipeline up when an item becomes current.")
    Key.optional(
      "stillFrame", { $0.stillFrame = $1 }, .span, absent: "0 s",
      "Showing the still frame of an item that is there before play.")
    Key.optional(
      "preroll", { $0.preroll = $1 }, .span, absent: "0 s",
      "Filling the pipeline before media moves: at the start, after a seek and after a stall.")
    Key.optional(
      "parse", { $0.parse = $1 }, .span, absent: "0 s", "Reading through the index of an asset.")
    Key.optional(
      "lookAhead", { $0.lookAheadDepth = $1 }, .whole(in: 0...1_000), only: .queues,
      "Most queue items prepared ahead; by default one, more if it is shorter than a preroll.")
    Key.optional(
      "reconfiguration", { $0.reconfiguration = $1 }, .span, absent: "0 s",
      "Adjusting the pipeline to other tracks while playing, before iOS 10.")
    Key.optional(
      "keyFrameInterval", { $0.keyFrameInterval = $1 }, .mediaPlace, absent: "0 s",
      "Distance of key frames, to which such an adjustment goes back.")
  }.form(.none)
}

extension AppLatency {
  fileprivate static let form = KeyTable<Self>("latency", "Latency of commands and notifications.")
  {
    Key.optional(
      "notification", { $0.notification = $1 }, .span, absent: "0 s",
      "From something happening until the app hears of it.")
    Key.optional(
      "command", { $0.command = $1 }, .span, absent: "0 s",
      "From a call of the app until the player acts.")
  }.form(.none)
}

extension LivePreferences {
  @KeyRows<Self> fileprivate static var keys: KeyRows<Self> {
    Key.optional(
      "automaticallyPreservesTimeOffsetFromLive", { $0.preservesOffset = $1 }, .boolean,
      absent: false, only: .live,
      "Whether the distance from the live edge is restored after buffering.")
    Key.optional(
      "configuredTimeOffsetFromLive", { $0.configuredOffset = $1 }, .mediaPlace, only: .live,
      "Distance from the live edge at which playback begins; by default the server's hold-back.")
    Key.optional(
      "canUseNetworkResourcesForLiveStreamingWhilePaused", { $0.usesNetworkWhilePaused = $1 },
      .boolean, only: .live,
      "Whether live playlists are read while paused; by default as the contract says.")
  }
}

/// Priorities are shares of a fluid; packets know nothing of them.
func checkPriorities(
  of players: [PlayerDescription], _ script: [ScriptStep], _ fidelity: Fidelity,
  _ node: DocumentNode
) {
  if fidelity == .fluid { return }
  var unknown: [String] = []
  if players.contains(where: { $0.settings.networkResourcePriority != .standard }) {
    unknown.append("networkResourcePriority")
  }
  let step = script.first {
    if case .setNetworkResourcePriority = $0.action { true } else { false }
  }
  if let step { unknown.append(step.verb) }
  for key in unknown { node.refuse("“\(key)” applies to fluid only", expected: "“fluid”") }
}

extension Form<Contract> {
  static var contract: Form {
    Form(
      .pattern(
        #"^ *(iOS|iPadOS|tvOS|macOS|watchOS|visionOS|macCatalyst|(Mac +)?Catalyst)"#
          + #" +[0-9]{1,2}(\.[0-9]{1,2})? *$"#,
        noun: "a platform and a version",
        examples: ["iOS 10", "iOS 9.3", "macOS 10.12", "tvOS 10", "visionOS 26", "Mac Catalyst 18"])
    ) { node in
      guard let text = Decode.text(node) else { return nil }
      if let contract = Contract(linkedSDK: text) { return contract }
      return node.refuse(
        "\(quotation(of: text)) is no SDK",
        expected: "a platform and a version that is known, such as “iOS 10”, “macOS 10.12”, "
          + "“visionOS 26” or “Mac Catalyst 18”")
    }
  }
}

extension Form<KeepUpHeuristic> {
  fileprivate static var heuristic: Form {
    let time = UnitSystem.time.pattern
    let shape = Shape.pattern(
      #"^ *(playThrough( +x[0-9]+(\.[0-9]+)?(/[0-9]+(\.[0-9]+)?)?)?"#
        + "|thresholds +\(time) */ *\(time)|everythingLoaded|immediate) *$",
      noun: "a heuristic",
      examples: ["playThrough", "playThrough x1.1", "thresholds 1 s/2 s", "immediate"])
    return Form(shape) { node in
      Decode.text(node).flatMap { node.value(of: $0, by: KeepUpHeuristic.init(text:)) }
    }
  }
}

extension Decode {
  fileprivate static func actionOfItem(_ node: DocumentNode) -> ActionAtItemEnd? {
    if case .string(let word) = node.content, isSameText(word, "advance") {
      return node.refuse(
        "a player without a queue cannot advance", expected: alternatives(["pause", "none"]))
    }
    return word(node, among: [("pause", .pause), ("none", .none)])
  }
}
