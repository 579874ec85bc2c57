import ExactText
import RunReports
import StreamingMedia
import VirtualTime

/// Live settings for playlists without an end, played as if their server published them just now.
struct ImportedLive {
  /// Media that exists when the run begins: no more than a player needs, so that much is left.
  let startsWith: MediaTime
  /// Window of a sliding playlist: the duration listed when it was saved; nil for the default.
  let window: MediaTime?

  /// Nil where nothing will be added.
  init?(_ presentation: Presentation) {
    let tags = presentation.liveTags
    guard tags.isGrowing,
      let list = presentation.variants.first.map({ presentation.lists[$0.list] }),
      let last = list.segments.last
    else { return nil }
    let stream = LiveStream(
      window: .growing, startsWith: .zero, holdBack: tags.holdBack, parts: tags.parts)
    let offset = min(stream.recommendedOffset(in: list).0, list.duration)
    // The media at the position that EXT-X-START asks for must be available as well.
    let start = tags.start?.offset ?? .zero
    let asked = max(
      max(.zero, min(start, list.duration)) + offset, min(tags.heldBack, list.duration))
    startsWith = min(list.segments.first { $0.end >= asked }?.end ?? last.start, last.start)
    // RFC 8216 §6.2.2: never less than three target durations.
    let least = 3 * presentation.targetDuration.nanoseconds
    window = tags.isEvent || list.duration.nanoseconds < least ? nil : list.duration
  }

  /// The scenario's live settings, which stand beside the playlists.
  var document: JSONTree {
    func text(_ time: MediaTime) -> JSONTree { .string(JSONTree.secondsText(time.nanoseconds)) }
    return ["window": window.map(text), "startsWith": text(startsWith)]
  }

  var words: String {
    "live: \(shownSpan(startsWith.nanoseconds)) are there at the start, and the rest is published "
      + "as time goes on"
  }
}
