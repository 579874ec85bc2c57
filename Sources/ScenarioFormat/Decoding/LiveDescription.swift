import ExactText
import StreamingMedia
import VirtualTime

struct LiveDescription {
  var window: MediaTime?
  var isEvent: Bool?
  var startsWith: MediaTime?
  var stops: [EncoderStop] = []
  var stale: [StalePlaylist] = []
  var keepsRemoved: TimeSpan?
  /// Values that override those of the playlists; null removes the playlists' value.
  var holdBack: MediaTime??
  var canSkipUntil: MediaTime??
  var start: StartPoint??
  var parts: LivePartsDescription??
  /// The playlists' tags with these overrides applied.
  var tags = LiveTags()
  /// The node of the object; checks that need the target duration run later.
  var node: DocumentNode?

  static let form = keys.form(LiveDescription()) { part, object -> LiveDescription? in
    for key in ["window", "keepsRemovedSegments"] where part.isEvent == true && object.has(key) {
      object.refuse(
        key: key, "an event playlist keeps everything",
        expected: "no \(quotation(of: key)) beside it")
    }
    return changed(part) { $0.node = object.node }
  }

  private static let keys = KeyTable<Self>("live", "Live publishing of a stream.") {
    Key.optional(
      "window", { $0.window = $1 }, .mediaDuration.examples("36 s"),
      "Media that a playlist lists, at least three target durations; by default six segments, "
        + "more where real playlists hold clients back farther.")
    Key.optional(
      "playlistType", { $0.isEvent = $1 }, .words([("sliding", false), ("event", true)]),
      "Whether old segments leave the playlist: they do, unless it is an event's.")
    Key.optional(
      "keepsRemovedSegments", { $0.keepsRemoved = $1 }, .span.examples("42 s"),
      "Time that a segment stays after it has left the playlist, then not found; by default its "
        + "own duration and that of the longest playlist that had it.")
    Key.optional(
      "startsWith", { $0.startsWith = $1 }, .mediaPlace.examples("4 s"),
      "Media that is published when the run begins; by default a whole window.")
    Key.optional(
      "encoderStops", { $0.stops = $1 }, EncoderStop.list, absent: [], "Stops of the encoder.")
    Key.optional(
      "stalePlaylists", { $0.stale = $1 }, .list(of: StalePlaylist.form),
      absent: [],
      "Times in which a variant's playlist is not renewed, though the encoder goes on; a blocking "
        + "reload passes that by.")
    Key.optional(
      "holdBack", { $0.holdBack = .some($1) }, .nullable(.mediaDuration.examples("40 s")),
      "HOLD-BACK: how far from the end clients should play; three target durations without.")
    Key.optional(
      "canSkipUntil", { $0.canSkipUntil = .some($1) }, .nullable(.mediaDuration.examples("1 min")),
      "CAN-SKIP-UNTIL: delta updates leave out what lies farther from the end, at least six target "
        + "durations; there are none without.")
    Key.optional(
      "start", { $0.start = .some($1) },
      .nullable(
        .object(
          StartPoint.form, or: Form<MediaTime>.signedMediaTime.map { StartPoint(offset: $0) })),
      "EXT-X-START: where clients should begin, from the end where negative.")
    Key.optional(
      "parts", { $0.parts = .some($1) }, .nullable(LivePartsDescription.form),
      "Low latency: segments are published part by part.")
  }
}

struct LivePartsDescription {
  var duration: MediaTime?
  var holdBack: MediaTime?
  var blocksReload: Bool?
  var hints: Bool?
  var reports: Bool?

  static let form = KeyTable<Self>("parts", "The parts of a low-latency stream.") {
    Key.optional(
      "duration", { $0.duration = $1 }, .mediaDuration.examples("1 s"),
      "Length of a part, required for a ladder; of real playlists by default PART-TARGET.")
    Key.optional(
      "holdBack", { $0.holdBack = $1 }, .mediaDuration.examples("3 s"),
      "PART-HOLD-BACK: the distance from the end for clients; by default three parts.")
    Key.optional(
      "blockingReload", { $0.blocksReload = $1 }, .boolean,
      "Whether the server holds a playlist until it has something new; by default it does.")
    Key.optional(
      "preloadHints", { $0.hints = $1 }, .boolean,
      "Whether the next part is named, and may be requested, before it is there; by default it is.")
    Key.optional(
      "renditionReports", { $0.reports = $1 }, .boolean,
      "Whether each playlist reports the last segment of the others; by default it does.")
  }.form(LivePartsDescription())
}

extension StartPoint {
  fileprivate static let form = KeyTable<Self>("startPoint", "Start position (EXT-X-START).") {
    Key.required(
      "offset", { $0.offset = $1 }, .signedMediaTime, "Time offset; from the end where negative.")
    Key.optional(
      "precise", { $0.isPrecise = $1 }, .boolean, absent: false,
      "Whether within the segment as well.")
  }.form(StartPoint(offset: .zero))
}

extension StalePlaylist {
  fileprivate static let form = KeyTable<Self>(
    "stalePlaylist", "A stretch in which a playlist is not renewed."
  ) {
    Key.required(
      "variant", { $0.variant = Int(clamping: $1) }, .count,
      "Number of the variant, from 0 in the order of the playlist.")
    Key.required("from", { $0.begins = $1 }, .instant, "Start time.")
    Key.required("for", { $0.span = $1 }, .spanAboveZero, "Duration.")
  }.form(.none)
}

extension EncoderStop {
  fileprivate static let list = Form<[Self]>.list(of: form).then { (stops, node) -> [Self]? in
    for (a, b) in zip(stops, stops.dropFirst()) where a.begins + a.span > b.begins {
      return node.refuse(
        "the stops overlap or are out of order", expected: "separate stops that rise")
    }
    return stops
  }

  private static let form = KeyTable<Self>(
    "encoderStop", "A stretch in which the encoder stands still."
  ) {
    Key.required("from", { $0.begins = $1 }, .instant, "Start time.")
    Key.required("for", { $0.span = $1 }, .spanAboveZero, "Duration.")
  }.form(EncoderStop(begins: .zero, span: .zero))
}

extension LiveDescription {
  /// The stream, given the lists that it will have; refuses what no server may do.
  func stream(of presentation: Presentation) -> LiveStream? {
    let target = presentation.targetDuration
    guard isAllowed(target) else { return nil }
    let last = presentation.variants.count - 1
    if stale.contains(where: { $0.variant > last }) {
      node?.member("stalePlaylists")?.refuse(
        "the stream has no such variant", expected: "variants from 0 to \(last)")
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

  // HLS authoring specification 8.11: six segments at least; §6.2.2: three target durations.
  private func usualWindow(of presentation: Presentation, _ target: MediaTime) -> MediaTime {
    let first = presentation.variants.first.map { presentation.lists[$0.list].segments } ?? []
    let longest = first.map { $0.duration.nanoseconds }.max() ?? 0
    // The window reaches back to where the playlists hold clients, so that these find media there.
    var said = presentation.liveTags
    if holdBack != nil { said.holdBack = nil }
    if parts != nil { said.parts = nil }
    if start != nil { said.start = nil }
    return max(
      MediaTime(nanoseconds: max(6 * longest, 3 * target.nanoseconds)),
      min(said.heldBack, presentation.duration) + target)
  }

  private func isAllowed(_ target: MediaTime) -> Bool {
    func isBelow(_ value: MediaTime?, _ count: Int64, of unit: MediaTime) -> Bool {
      value.map { $0.nanoseconds < count * unit.nanoseconds } ?? false
    }
    if isBelow(tags.holdBack, 3, of: target) {
      // §4.4.3.8: HOLD-BACK "MUST be at least three times the Target Duration".
      return refuse("holdBack", "HOLD-BACK is too short", "at least three target durations")
    }
    if isBelow(window, 3, of: target) {
      // §6.2.2: no segment may be removed that would leave less than three target durations.
      return refuse("window", "the window is too short", "at least three target durations")
    }
    if isBelow(tags.canSkipUntil, 6, of: target) {
      // §4.4.3.8: the Skip Boundary "MUST be at least six times the Target Duration".
      return refuse("canSkipUntil", "CAN-SKIP-UNTIL is too short", "at least six target durations")
    }
    guard let part = tags.partDuration else { return true }
    if node?.member("parts") != nil, part < .milliseconds(10) || part > target {
      return refuse(
        "parts", "the parts are too short or too long",
        "at least 10 ms and at most a target duration")
    }
    if isBelow(tags.parts?.holdBack, 2, of: part) {
      // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration".
      return refuse("parts", "PART-HOLD-BACK is too short", "at least two parts")
    }
    return true
  }

  private func refuse(_ key: String, _ what: String, _ expected: String) -> Bool {
    node?.member(key)?.refuse(what, expected: expected)
    return false
  }

  /// The same over what playlists say, which counts where no key says otherwise; refuses playlists
  /// that contradict each other at the node that names them.
  func over(_ said: LiveTags, from node: DocumentNode?) -> Self? {
    var part = self
    part.tags = said
    if let isEvent {
      part.tags.isEvent = isEvent
    } else if let uri = said.otherType {
      let path = URIReference(uri).filePath ?? uri
      return node?.refuse(
        file: path, line: node?.shelf.line(of: "#EXT-X-PLAYLIST-TYPE", in: path),
        "EXT-X-PLAYLIST-TYPE is not that of the first variant's playlist (§6.2.4)",
        expected: "EVENT in every playlist or in none, or “playlistType” in the scenario")
    }
    // Nothing is to be taken from an event's playlist.
    if part.tags.isEvent,
      let taken = self.node?.member("window") ?? self.node?.member("keepsRemovedSegments")
    {
      return taken.refuse(
        "the playlists are an event's, which keeps everything",
        expected: "“playlistType”: “sliding” beside it")
    }
    if let holdBack { part.tags.holdBack = holdBack }
    if let canSkipUntil { part.tags.canSkipUntil = canSkipUntil }
    if let start { part.tags.start = start }
    switch parts {
    case nil: return part
    case .some(nil): (part.tags.partDuration, part.tags.parts) = (nil, nil)
    case .some(let parts?):
      guard let duration = parts.duration ?? said.partDuration else {
        self.node?.member("parts")?.refuse("“duration” is missing")
        return nil
      }
      part.tags.partDuration = duration
      part.tags.parts = LiveParts(
        holdBack: parts.holdBack ?? said.parts?.holdBack
          ?? MediaTime(nanoseconds: 3 * duration.nanoseconds),
        blocksReload: parts.blocksReload ?? said.parts?.blocksReload ?? true,
        hints: parts.hints ?? said.parts?.hints ?? true,
        reports: parts.reports ?? said.parts?.reports ?? true)
    }
    return part
  }
}
