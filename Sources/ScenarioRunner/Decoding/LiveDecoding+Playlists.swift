import StreamingMedia
import VirtualTime

extension Decode.LivePart {
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
      node?.refuse(
        file: URIReference(uri).filePath ?? uri,
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
        partsNode?.refuse("“duration” is missing")
        return nil
      }
      part.tags.partDuration = duration
      part.tags.parts = parts.over(said.parts, duration)
    }
    return part
  }

  /// Whether nothing is to be taken from an event's playlist.
  private func keepsWhatItMust(_ tags: LiveTags) -> Bool {
    guard tags.isEvent, let node = windowNode ?? keepsRemovedNode else { return true }
    node.refuse(
      "the playlists are an event's, which keeps everything",
      expected: "“playlistType”: “sliding” beside it")
    return false
  }
}

extension Decode.LivePart.PartsPart {
  fileprivate func over(_ said: LiveParts?, _ duration: MediaTime) -> LiveParts {
    LiveParts(
      holdBack: holdBack ?? said?.holdBack ?? MediaTime(nanoseconds: 3 * duration.nanoseconds),
      blocksReload: blocksReload ?? said?.blocksReload ?? true,
      hints: hints ?? said?.hints ?? true, reports: reports ?? said?.reports ?? true)
  }
}
