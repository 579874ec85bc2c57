import StreamingMedia
import VirtualTime

extension Decode {
  /// What a scenario says of a stream that comes into being while it is watched.
  struct LivePart {
    var window: MediaTime?
    var isEvent: Bool?
    var startsWith: MediaTime?
    var stops: [EncoderStop] = []
    var stale: [StalePlaylist] = []
    var keepsRemoved: TimeSpan?
    /// What playlists may say as well; null takes away what they say.
    var holdBack: MediaTime??
    var canSkipUntil: MediaTime??
    var start: StartPoint??
    var parts: PartsPart??
    /// What counts of both.
    var tags = LiveTags()
    /// Where what needs the target duration to be judged stands.
    var windowNode: DocumentNode?
    var keepsRemovedNode: DocumentNode?
    var holdBackNode: DocumentNode?
    var skipNode: DocumentNode?
    var partsNode: DocumentNode?
    var staleNode: DocumentNode?

    /// The parts of a low-latency stream.
    struct PartsPart {
      var duration: MediaTime?
      var holdBack: MediaTime?
      var blocksReload: Bool?
      var hints: Bool?
      var reports: Bool?
    }
  }

  static func live(_ node: DocumentNode) -> LivePart? {
    node.object { object in
      var part = LivePart()
      part.window = object.optional("window", as: mediaDuration)
      part.isEvent = object.optional(
        "playlistType", as: choice([("sliding", false), ("event", true)]))
      if part.isEvent == true, object.has("window") {
        object.refuse(
          key: "window", "an event playlist keeps everything", expected: "no “window” beside it")
      }
      part.keepsRemoved = object.optional("keepsRemovedSegments", as: runSpan)
      if part.isEvent == true, object.has("keepsRemovedSegments") {
        object.refuse(
          key: "keepsRemovedSegments", "an event playlist keeps everything",
          expected: "no “keepsRemovedSegments” beside it")
      }
      part.startsWith = object.optional("startsWith", as: mediaPlace)
      part.stops = object.optional("encoderStops", default: [], as: encoderStops)
      part.stale = object.optional("stalePlaylists", default: [], as: list(of: stalePlaylist))
      part.holdBack = object.optional("holdBack", as: nullable(mediaDuration))
      part.canSkipUntil = object.optional("canSkipUntil", as: nullable(mediaDuration))
      part.start = object.optional("start", as: nullable(startPoint))
      part.parts = object.optional("parts", as: nullable(liveParts))
      part.windowNode = object.child("window")
      part.keepsRemovedNode = object.child("keepsRemovedSegments")
      part.holdBackNode = object.child("holdBack")
      part.skipNode = object.child("canSkipUntil")
      part.partsNode = object.child("parts")
      part.staleNode = object.child("stalePlaylists")
      return part
    }
  }

  private static func liveParts(_ node: DocumentNode) -> LivePart.PartsPart? {
    node.object { object in
      var part = LivePart.PartsPart()
      part.duration = object.optional("duration", as: mediaDuration)
      part.holdBack = object.optional("holdBack", as: mediaDuration)
      part.blocksReload = object.optional("blockingReload", as: boolean)
      part.hints = object.optional("preloadHints", as: boolean)
      part.reports = object.optional("renditionReports", as: boolean)
      return part
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
    let target = presentation.lists.map { $0.targetDuration }.max() ?? .zero
    guard isAllowed(target) else { return nil }
    let last = presentation.variants.count - 1
    if stale.contains(where: { $0.variant > last }) {
      staleNode?.refuse("the stream has no such variant", expected: "variants from 0 to \(last)")
      return nil
    }
    let length = window ?? usualWindow(of: presentation, target)
    var stream = LiveStream(
      window: tags.isEvent ? .growing : .sliding(length), startsWith: startsWith ?? length,
      stops: stops, holdBack: tags.holdBack, start: tags.start, parts: tags.parts)
    stream.stalePlaylists = stale
    stream.canSkipUntil = tags.canSkipUntil
    stream.keepsRemovedSegments = keepsRemoved
    return stream
  }

  // HLS authoring specification 8.11: six segments at least.
  private func usualWindow(of presentation: Presentation, _ target: MediaTime) -> MediaTime {
    let segment = presentation.lists.first?.segments.first?.duration.nanoseconds ?? 0
    let six = MediaTime(nanoseconds: 6 * segment)
    // Whoever begins as far back as playlists ask for finds something there.
    guard let holdBack = tags.holdBack, self.holdBack == nil else { return six }
    return max(six, min(holdBack, presentation.duration) + target)
  }

  private func isAllowed(_ target: MediaTime) -> Bool {
    func isBelow(_ value: MediaTime?, _ count: Int64, of unit: MediaTime) -> Bool {
      value.map { $0.nanoseconds < count * unit.nanoseconds } ?? false
    }
    if isBelow(tags.holdBack, 3, of: target) {
      // §4.4.3.8: HOLD-BACK "MUST be at least three times the Target Duration".
      return refuse(holdBackNode, "HOLD-BACK is too short", "at least three target durations")
    }
    if isBelow(window, 3, of: target) {
      // §6.2.2: no segment may be removed that would leave less than three target durations.
      return refuse(windowNode, "the window is too short", "at least three target durations")
    }
    if isBelow(tags.canSkipUntil, 6, of: target) {
      // §4.4.3.8: the Skip Boundary "MUST be at least six times the Target Duration".
      return refuse(skipNode, "CAN-SKIP-UNTIL is too short", "at least six target durations")
    }
    guard let part = tags.partDuration else { return true }
    if partsNode != nil, part < .milliseconds(10) || part > target {
      return refuse(
        partsNode, "the parts are too short or too long",
        "at least 10 ms and at most a target duration")
    }
    if isBelow(tags.parts?.holdBack, 2, of: part) {
      // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration".
      return refuse(partsNode, "PART-HOLD-BACK is too short", "at least two parts")
    }
    return true
  }

  private func refuse(_ node: DocumentNode?, _ what: String, _ expected: String) -> Bool {
    node?.refuse(what, expected: expected)
    return false
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
