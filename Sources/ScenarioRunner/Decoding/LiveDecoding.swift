import StreamingMedia
import VirtualTime

extension Decode {
  /// What a scenario says of a stream that comes into being while it is watched.
  struct LivePart {
    var window: MediaTime?
    var isEvent = false
    var startsWith: MediaTime?
    var stops: [EncoderStop] = []
    var stale: [StalePlaylist] = []
    var keepsRemoved: TimeSpan?
    var holdBack: MediaTime?
    var canSkipUntil: MediaTime?
    var start: StartPoint?
    var parts: PartsPart?
    /// Where what needs the target duration to be judged stands.
    var windowNode: DocumentNode?
    var holdBackNode: DocumentNode?
    var skipNode: DocumentNode?
    var partsNode: DocumentNode?
    var staleNode: DocumentNode?

    /// The parts of a low-latency stream.
    struct PartsPart {
      var duration: MediaTime
      var holdBack: MediaTime?
      var blocksReload: Bool
      var hints: Bool
      var reports: Bool
    }
  }

  static func live(_ node: DocumentNode) -> LivePart? {
    node.object { object in
      var part = LivePart()
      part.window = object.optional("window", as: mediaDuration)
      part.isEvent = object.optional(
        "playlistType", default: false, as: choice([("sliding", false), ("event", true)]))
      if part.isEvent, object.has("window") {
        object.refuse(
          key: "window", "an event playlist keeps everything", expected: "no “window” beside it")
      }
      part.keepsRemoved = object.optional("keepsRemovedSegments", as: runSpan)
      if part.isEvent, object.has("keepsRemovedSegments") {
        object.refuse(
          key: "keepsRemovedSegments", "an event playlist keeps everything",
          expected: "no “keepsRemovedSegments” beside it")
      }
      part.startsWith = object.optional("startsWith", as: mediaPlace)
      part.stops = object.optional("encoderStops", default: [], as: encoderStops)
      part.stale = object.optional("stalePlaylists", default: [], as: list(of: stalePlaylist))
      part.holdBack = object.optional("holdBack", as: mediaDuration)
      part.canSkipUntil = object.optional("canSkipUntil", as: mediaDuration)
      part.start = object.optional("start", as: startPoint)
      part.parts = object.optional("parts", as: liveParts)
      part.windowNode = object.child("window")
      part.holdBackNode = object.child("holdBack")
      part.skipNode = object.child("canSkipUntil")
      part.partsNode = object.child("parts")
      part.staleNode = object.child("stalePlaylists")
      return part
    }
  }

  private static func liveParts(_ node: DocumentNode) -> LivePart.PartsPart? {
    node.object { object in
      let duration = object.required("duration", as: mediaDuration)
      let holdBack = object.optional("holdBack", as: mediaDuration)
      let blocks = object.optional("blockingReload", default: true, as: boolean)
      let hints = object.optional("preloadHints", default: true, as: boolean)
      let reports = object.optional("renditionReports", default: true, as: boolean)
      return duration.map {
        LivePart.PartsPart(
          duration: $0, holdBack: holdBack, blocksReload: blocks, hints: hints, reports: reports)
      }
    }
  }

  /// EXT-X-START: "-30 s" counts from the end.
  private static func startPoint(_ node: DocumentNode) -> StartPoint? {
    guard case .object = node.value.content else {
      return signedMediaTime(node).map { StartPoint(offset: $0) }
    }
    return node.object { object in
      let offset = object.required("offset", as: signedMediaTime)
      let isPrecise = object.optional("precise", default: false, as: boolean)
      return offset.map { StartPoint(offset: $0, isPrecise: isPrecise) }
    }
  }

  private static func stalePlaylist(_ node: DocumentNode) -> StalePlaylist? {
    node.object { object in
      let variant = object.required("variant", as: count)
      let begins = object.required("from", as: runInstant)
      let span = object.required("for", as: runSpanAboveZero)
      guard let variant, let begins, let span else { return nil }
      return StalePlaylist(variant: Int(clamping: variant), begins: begins, span: span)
    }
  }

  private static func encoderStops(_ node: DocumentNode) -> [EncoderStop]? {
    guard let stops = node.list(of: encoderStop) else { return nil }
    for (a, b) in zip(stops, stops.dropFirst()) where a.begins + a.span > b.begins {
      node.refuse("the stops overlap or are out of order", expected: "separate stops that rise")
      return nil
    }
    return stops
  }

  private static func encoderStop(_ node: DocumentNode) -> EncoderStop? {
    node.object { object in
      let begins = object.required("from", as: runInstant)
      let span = object.required("for", as: runSpanAboveZero)
      guard let begins, let span else { return nil }
      return EncoderStop(begins: begins, span: span)
    }
  }
}

extension Decode.LivePart {
  /// The stream, given the lists that it will have; refuses what no server may do.
  func stream(of presentation: Presentation) -> LiveStream? {
    let target = presentation.lists.map { $0.targetDuration.nanoseconds }.max() ?? 0
    let segment = presentation.lists.first?.segments.first?.duration.nanoseconds ?? 0
    if holdBack.map({ $0.nanoseconds < 3 * target }) ?? false {
      // §4.4.3.8: HOLD-BACK "MUST be at least three times the Target Duration".
      return refuse(holdBackNode, "HOLD-BACK is too short", "at least three target durations")
    }
    if window.map({ $0.nanoseconds < 3 * target }) ?? false {
      // §6.2.2: no segment may be removed that would leave less than three target durations.
      return refuse(windowNode, "the window is too short", "at least three target durations")
    }
    if canSkipUntil.map({ $0.nanoseconds < 6 * target }) ?? false {
      // §4.4.3.8: the Skip Boundary "MUST be at least six times the Target Duration".
      return refuse(skipNode, "CAN-SKIP-UNTIL is too short", "at least six target durations")
    }
    // HLS authoring specification 8.11: six segments at least.
    let length = window ?? MediaTime(nanoseconds: 6 * segment)
    let parts = parts.map { part in
      LiveParts(
        holdBack: part.holdBack ?? MediaTime(nanoseconds: 3 * part.duration.nanoseconds),
        blocksReload: part.blocksReload, hints: part.hints, reports: part.reports)
    }
    if let part = self.parts, let holdBack = part.holdBack,
      holdBack.nanoseconds < 2 * part.duration.nanoseconds
    {
      // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration".
      return refuse(partsNode, "PART-HOLD-BACK is too short", "at least two parts")
    }
    let last = presentation.variants.count - 1
    if stale.contains(where: { $0.variant > last }) {
      return refuse(staleNode, "the stream has no such variant", "variants from 0 to \(last)")
    }
    var stream = LiveStream(
      window: isEvent ? .growing : .sliding(length), startsWith: startsWith ?? length,
      stops: stops, holdBack: holdBack, start: start, parts: parts)
    stream.stalePlaylists = stale
    stream.canSkipUntil = canSkipUntil
    stream.keepsRemovedSegments = keepsRemoved
    return stream
  }

  private func refuse(
    _ node: DocumentNode?, _ what: String, _ expected: String
  ) -> LiveStream? {
    node?.refuse(what, expected: expected)
    return nil
  }
}

extension Decode {
  static func configuredOffset(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: anyPlace).map { .live(.setConfiguredOffset($0)) }
  }

  static func preservation(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: boolean).map { .live(.setPreservesOffset($0)) }
  }

  static func networkUse(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: boolean).map { .live(.setUsesNetworkWhilePaused($0)) }
  }

  /// A place in media, or null.
  static func anyPlace(_ node: DocumentNode) -> MediaTime?? {
    nullable(mediaPlace)(node)
  }
}
