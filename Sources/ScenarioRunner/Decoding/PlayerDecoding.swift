import Autowait
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// What a scenario says of its player, and of the item in it.
struct PlayerPart {
  var settings = PlayerSettings()
  var heuristic = KeepUpHeuristic.standard
  var preferredForwardBufferDuration = MediaTime.zero
  var bufferByteCap: Int64?
  var forwardPlaybackEndTime: MediaTime?
  var startTime: MediaTime?
  var live = LivePreferences()
  var retry = RetryPolicy.standard
  var variants = VariantPart()
  var pictures = PictureUse()
  /// Whether the item is current from the beginning.
  var hasItem = true

  func item(_ media: MediaSource) -> ItemSettings {
    var item = ItemSettings(
      source: variants.applied(to: media, under: settings.contract), heuristic: heuristic,
      preferredForwardBufferDuration: preferredForwardBufferDuration,
      bufferByteCap: bufferByteCap, forwardPlaybackEndTime: forwardPlaybackEndTime,
      startTime: startTime, live: live, retry: retry, label: "movie.mp4")
    item.pictures = pictures
    return item
  }
}

/// Decodes the player, given the media that it plays.
struct PlayerDecoding {
  /// Nil where it is wrong.
  let media: MediaSource?
  /// Whether the player may be one with a queue.
  let mayQueue: Bool
  let languages: LanguageNames

  func part(_ node: DocumentNode) -> PlayerPart? {
    node.object { object in
      var part = PlayerPart()
      part.settings = settings(&object)
      part.settings.client = object.optional(
        "client", default: .avFoundation, as: Decode.choice(PlayerClient.names))
      part.heuristic = object.optional("heuristic", default: .standard, as: Decode.heuristic)
      part.hasItem = object.optional(
        "item", default: true, as: Decode.choice([("atStart", true), ("byScript", false)]))
      part.preferredForwardBufferDuration = object.optional(
        "preferredForwardBufferDuration", default: .zero, as: Decode.mediaPlace)
      part.bufferByteCap = object.optional("bufferCap", as: Decode.bytesAboveZero)
      part.forwardPlaybackEndTime = object.optional(
        "forwardPlaybackEndTime", as: Decode.endTime(of: media?.file))
      part.retry = object.optional("retry", default: .standard, as: Decode.retryPolicy)
      part.variants = VariantPart(&object, languages)
      part.startTime = object.optional("startTime", as: startTime)
      part.live = LivePreferences(
        preservesOffset: object.optional(
          "automaticallyPreservesTimeOffsetFromLive", default: false, as: Decode.boolean),
        configuredOffset: object.optional(
          "configuredTimeOffsetFromLive", as: Decode.mediaPlace),
        usesNetworkWhilePaused: object.optional(
          "canUseNetworkResourcesForLiveStreamingWhilePaused", as: Decode.boolean))
      part.settings.hasLayer = part.variants.constraints.layerPixels != nil
      part.settings.networkResourcePriority = object.optional(
        "networkResourcePriority", default: .standard, as: Decode.networkResourcePriority)
      part.settings.gaplessStrictness = object.optional(
        "gaplessTraits", default: .strict,
        as: Decode.choice([("strict", .strict), ("lenient", .lenient)]))
      part.adopt(object.optional("display", as: Decode.display))
      part.pictures = PictureUse(
        output: object.optional("videoOutput", as: Decode.colourRequest),
        composition: object.optional("composition", as: Decode.composition))
      return part
    }
  }

  private func settings(_ object: inout DocumentObject) -> PlayerSettings {
    PlayerSettings(
      contract: object.optional("linkedSDK", default: .current, as: Decode.contract),
      waitsAutomatically: object.optional(
        "automaticallyWaitsToMinimizeStalling", as: Decode.boolean),
      defaultRate: object.optional("defaultRate", default: .normal, as: Decode.scenarioRate),
      actionAtItemEnd: object.optional(
        "actionAtItemEnd",
        as: mayQueue ? Decode.actionOfQueue : Decode.actionOfItem),
      evaluationPeriod: object.optional(
        "evaluationPeriod", default: .zero, as: Decode.runSpan),
      pipeline: object.optional("pipeline", default: .none, as: Decode.pipelineCosts),
      latency: object.optional("latency", default: .none, as: Decode.appLatency),
      without: BehaviourSet(
        object.optional("without", default: [], as: Decode.list(of: Decode.behaviour))))
  }

  private func startTime(_ node: DocumentNode) -> MediaTime? {
    let duration = media?.duration ?? .distantFuture
    return Decode.checked(Decode.mediaPlace, expected: "a time before the end of the media") {
      $0 < duration
    }(node)
  }
}

extension PlayerClient {
  /// What scenarios call them.
  static let names: [(word: String, value: PlayerClient)] = [
    ("AVFoundation", .avFoundation), ("AVKit", .avKit), ("MediaPlayer", .mediaPlayer),
  ]
}

extension Decode {
  /// A behaviour that the player is to lack.
  static func behaviour(_ node: DocumentNode) -> Behaviour? {
    choice(Behaviour.allCases.map { ($0.name, $0) })(node)
  }

  static func networkResourcePriority(_ node: DocumentNode) -> NetworkResourcePriority? {
    choice(NetworkResourcePriority.allCases.map { ($0.rawValue, $0) })(node)
  }

  static func pipelineCosts(_ node: DocumentNode) -> PipelineCosts? {
    node.object { object in
      PipelineCosts(
        build: object.optional("build", default: .zero, as: runSpan),
        stillFrame: object.optional("stillFrame", default: .zero, as: runSpan),
        preroll: object.optional("preroll", default: .zero, as: runSpan),
        parse: object.optional("parse", default: .zero, as: runSpan),
        lookAheadDepth: object.optional("lookAhead", as: count(in: 0...1_000)).map {
          Int32($0)
        },
        reconfiguration: object.optional("reconfiguration", default: .zero, as: runSpan),
        keyFrameInterval: object.optional("keyFrameInterval", default: .zero, as: mediaPlace))
    }
  }

  static func appLatency(_ node: DocumentNode) -> AppLatency? {
    node.object { object in
      AppLatency(
        notification: object.optional("notification", default: .zero, as: runSpan),
        command: object.optional("command", default: .zero, as: runSpan))
    }
  }

  static func contract(_ node: DocumentNode) -> Contract? {
    guard let text = text(node) else { return nil }
    if let contract = Contract(linkedSDK: text) { return contract }
    node.refuse(
      "\(quotation(of: text)) is no SDK",
      expected: "a platform and a version, such as “iOS 10”, “macOS 10.12” or “tvOS 9.2”")
    return nil
  }

  static func actionOfQueue(_ node: DocumentNode) -> ActionAtItemEnd? {
    choice([("advance", .advance), ("pause", .pause), ("none", .none)])(node)
  }

  static func actionOfItem(_ node: DocumentNode) -> ActionAtItemEnd? {
    if case .string(let word) = node.value.content, isSameText(word, "advance") {
      node.refuse(
        "a player without a queue cannot advance", expected: alternatives(["pause", "none"]))
      return nil
    }
    return choice([("pause", .pause), ("none", .none)])(node)
  }

  static func heuristic(_ node: DocumentNode) -> KeepUpHeuristic? {
    guard let text = text(node) else { return nil }
    do throws(QuantityProblem) {
      return try KeepUpHeuristic(text: text)
    } catch {
      node.refuse(error.message, expected: error.expected, suggestion: error.suggestion)
      return nil
    }
  }
}
