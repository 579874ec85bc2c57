import StreamingMedia
import VirtualTime

extension LiveDescription {
  /// The stream, given the lists that it will have; refuses what no server may do.
  func stream(of presentation: Presentation) -> LiveStream? {
    let target = presentation.lists.map { $0.targetDuration }.max() ?? .zero
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
}

// MARK: - Real playlists

extension LiveDescription {
  /// The same over what playlists say, which counts where no key says otherwise; refuses playlists
  /// that contradict each other.
  ///
  /// - Parameter node: where the playlists are named.
  func over(_ said: LiveTags, from node: DocumentNode?) -> Self? {
    var part = self
    part.tags = said
    if let isEvent {
      part.tags.isEvent = isEvent
    } else if let uri = said.otherType {
      let path = URIReference(uri).filePath ?? uri
      node?.refuse(
        file: path, line: node?.shelf.line(of: "#EXT-X-PLAYLIST-TYPE", in: path),
        "EXT-X-PLAYLIST-TYPE is not that of the first variant's playlist (§6.2.4)",
        expected: "EVENT in every playlist or in none, or “playlistType” in the scenario")
      return nil
    }
    guard keepsWhatItMust(part.tags) else { return nil }
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
      part.tags.parts = parts.over(said.parts, duration)
    }
    return part
  }

  /// Whether nothing is to be taken from an event's playlist.
  private func keepsWhatItMust(_ tags: LiveTags) -> Bool {
    guard tags.isEvent, let node = node?.member("window") ?? node?.member("keepsRemovedSegments")
    else { return true }
    node.refuse(
      "the playlists are an event's, which keeps everything",
      expected: "“playlistType”: “sliding” beside it")
    return false
  }
}

extension LivePartsDescription {
  fileprivate func over(_ said: LiveParts?, _ duration: MediaTime) -> LiveParts {
    LiveParts(
      holdBack: holdBack ?? said?.holdBack ?? MediaTime(nanoseconds: 3 * duration.nanoseconds),
      blocksReload: blocksReload ?? said?.blocksReload ?? true,
      hints: hints ?? said?.hints ?? true, reports: reports ?? said?.reports ?? true)
  }
}
