public import StreamingMedia
public import VirtualTime

/// The position of an item on a live stream: its start, and its distance from the live edge.
///
/// An object, so that a loader whose stream is not live does not carry the room for it about.
final class LiveTimeline {
  let playlists: LivePlaylists
  // Not checked at run time for overlapping accesses: nothing that is called while it changes knows
  // a timeline.
  @exclusivity(unchecked) var memory = LiveMemory()

  init(_ playlists: LivePlaylists) {
    self.playlists = playlists
  }

  var stream: LiveStream { playlists.stream }

  /// Whether the playhead has been put where playback begins.
  var hasBegun: Bool { memory.hasBegun }

  /// The window of the last version read of a list's playlist; nil before the first.
  func known(_ list: Int) -> LiveWindow? { playlists.listings[list].known }

  /// The instant at which a list's playlist is to be reloaded, if it is in use.
  func reloadDue(_ list: Int, of presentation: Presentation) -> Instant {
    memory.isQuiet ? .distantFuture : playlists.reloadDue(list, of: presentation)
  }
}

// MARK: - Position

extension LiveTimeline {
  /// The move to the start of playback, once a playlist says what there is.
  ///
  /// An item that has waited for its turn reads its playlist again before.
  func start(
    _ list: Int, of presentation: Presentation, _ preferences: LivePreferences, asked: MediaTime?,
    at now: Instant
  ) -> LiveMove? {
    guard !memory.hasBegun, let known = known(list), !playlists.isOutdated(list, at: now) else {
      return nil
    }
    let segments = presentation.lists[list]
    let (first, edge) = (segments.start(of: known), segments.end(of: known))
    if first >= edge { return nil }
    if let asked { return LiveMove(min(max(asked, first), edge), .begins(.startTime)) }
    let (time, reason) = stream.start(
      in: segments, known, configured: preferences.configuredOffset)
    return LiveMove(time, .begins(reason))
  }

  /// The position at which playback would begin now.
  func restart(
    _ list: Int, of presentation: Presentation, _ preferences: LivePreferences
  ) -> MediaTime? {
    guard memory.hasBegun, let known = known(list) else { return nil }
    return stream.start(
      in: presentation.lists[list], known, configured: preferences.configuredOffset
    ).time
  }

  /// `seekableTimeRanges`: from what is listed first to where the server wants clients to be.
  ///
  /// That it ends there, and not at the last segment listed, is our assumption: whoever seeks to
  /// its end plays live without a stall.
  func seekableRange(_ list: Int, of presentation: Presentation) -> Range<MediaTime>? {
    guard memory.hasBegun, let known = known(list) else { return nil }
    let segments = presentation.lists[list]
    let (first, edge) = (segments.start(of: known), segments.end(of: known))
    let offset = known.isEnded ? .zero : stream.recommendedOffset(in: segments).0
    return first..<max(first, edge - offset)
  }
}

/// A move of a live stream's playhead, with its reason.
package struct LiveMove: Hashable {
  package var time: MediaTime
  package var reason: LiveMoveReason

  package init(_ time: MediaTime, _ reason: LiveMoveReason) {
    self.time = time
    self.reason = reason
  }
}

/// The reason for a move of a live stream's playhead.
public enum LiveMoveReason: Hashable, Sendable {
  case begins(LiveStartReason)
  /// The next segment has slid out of the window.
  case windowSlid
  /// `automaticallyPreservesTimeOffsetFromLive`.
  case preservesOffset
}

/// An app's preferences for live playback; without effect on anything else.
public struct LivePreferences: Hashable, Sendable {
  /// `automaticallyPreservesTimeOffsetFromLive`.
  public var preservesOffset: Bool
  /// `configuredTimeOffsetFromLive`; nil leaves it to the server.
  public var configuredOffset: MediaTime?
  /// `canUseNetworkResourcesForLiveStreamingWhilePaused`; nil leaves it to the contract.
  public var usesNetworkWhilePaused: Bool?

  public init(
    preservesOffset: Bool = false, configuredOffset: MediaTime? = nil,
    usesNetworkWhilePaused: Bool? = nil
  ) {
    self.preservesOffset = preservesOffset
    self.configuredOffset = configuredOffset
    self.usesNetworkWhilePaused = usesNetworkWhilePaused
  }
}
