public import LinkConditioner
public import StreamingMedia
public import VirtualTime

/// What a player knows of a live stream: what its playlists said when they were last read.
///
/// An object, so that a loader whose stream is not live does not carry the room for it about.
final class LiveTimeline {
  /// One media playlist, as it was read and as it is being read.
  struct Listing {
    /// What it said; nil before it was read.
    var known: LiveWindow?
    /// When reading that began.
    var began = Instant.zero
    /// How often in a row it said nothing new.
    var unchangedReads: Int64 = 0
    var coming: Coming?
    var size = LivePlaylistSize()
  }

  /// What the request under way will bring, and when it was made.
  struct Coming {
    var window: LiveWindow
    var bytes: Int64
    var began: Instant
  }

  let stream: LiveStream
  /// By list of the presentation.
  @exclusivity(unchecked) var listings: [Listing]
  /// Whether a playlist has said that nothing will be added.
  @exclusivity(unchecked) var isEnded = false
  /// Whether the playhead has been put where playback begins.
  @exclusivity(unchecked) var hasBegun = false
  /// Whether the player stands and may not use the network for that.
  @exclusivity(unchecked) var isQuiet = false
  /// Whether a playlist has been read since somebody last looked where the playhead should be.
  @exclusivity(unchecked) var hasNews = false
  /// How far from the live edge the playhead was when buffering began.
  @exclusivity(unchecked) var offset: MediaTime?
  /// Whether the player waited when it was last looked at, and since when it has been stalled.
  @exclusivity(unchecked) var isWaiting = false
  @exclusivity(unchecked) var stalledSince: Instant?
  @exclusivity(unchecked) var longestStall = TimeSpan.zero
  /// The seek whose distance was taken.
  @exclusivity(unchecked) var soughtTo: MediaTime?

  private let without: BehaviourSet

  init(_ stream: LiveStream, lists: Int, without: BehaviourSet) {
    self.stream = stream
    self.without = without
    listings = Array(repeating: Listing(), count: lists)
  }
}

extension LiveTimeline {
  func adopt(_ list: Int, _ coming: Coming, isChanged: Bool) {
    listings[list].coming = nil
    listings[list].known = coming.window
    listings[list].began = coming.began
    listings[list].unchangedReads = isChanged ? 0 : listings[list].unchangedReads + 1
    isEnded = isEnded || coming.window.isEnded && !without.contains(.playlistEnd)
    hasNews = true
  }

  /// When a list's playlist is to be read again, if it is in use.
  func reloadDue(_ list: Int, of presentation: Presentation) -> Instant {
    let listing = listings[list]
    guard let known = listing.known, !known.isEnded, !isQuiet else { return .distantFuture }
    return listing.began + pause(after: listing, in: presentation.lists[list])
  }

  // RFC 8216 §6.3.4: "the client MUST wait for at least the target duration before attempting to
  // reload the Playlist file again, measured from the last time the client began loading"; if it
  // has not changed, "a period of one-half the target duration". That the half is measured from
  // the same point is our reading.
  private func pause(after listing: Listing, in list: SegmentList) -> TimeSpan {
    var pause = list.targetDuration
    if let parts = stream.parts, let partDuration = list.partDuration {
      // A server that holds the answer until there is news needs no waiting client.
      if parts.blocksReload { return .zero }
      // §6.3.4 of the successor: where there are parts, the part target takes its place.
      pause = partDuration
    }
    let whole = TimeSpan(nanoseconds: pause.nanoseconds)
    if listing.unchangedReads == 0 || without.contains(.hastenedReload) { return whole }
    return TimeSpan(nanoseconds: whole.nanoseconds / 2)
  }

  /// Whether so much time has passed since a list was read that nothing in it need be there still.
  func isOutdated(_ list: Int, at now: Instant) -> Bool {
    switch stream.window {
    case .growing: false
    case .sliding(let length): (now - listings[list].began).nanoseconds > length.nanoseconds
    }
  }

  /// Where the live edge is by a list, as time goes on since it was read.
  func liveTime(_ list: Int, of presentation: Presentation, at now: Instant) -> MediaTime? {
    let listing = listings[list]
    guard let known = listing.known else { return nil }
    let end = presentation.lists[list].end(of: known)
    if known.isEnded { return end }
    return end + MediaTime(nanoseconds: (now - listing.began).nanoseconds)
  }
}

extension LiveTimeline {
  /// Notes how far from the live edge the playhead is when buffering begins, and how long stalls
  /// last.
  func note(
    isBuffering: Bool, isStalled: Bool, seekTarget: MediaTime?, isNew: Bool, offset: MediaTime?,
    at now: Instant
  ) {
    let begins = isBuffering && !isWaiting
    let seeks = seekTarget != nil && seekTarget != soughtTo
    if begins || seeks || isNew { self.offset = offset }
    isWaiting = isBuffering
    soughtTo = seekTarget
    if isStalled {
      if stalledSince == nil { stalledSince = now }
    } else if let since = stalledSince {
      stalledSince = nil
      longestStall = max(longestStall, now - since)
    }
  }
}

/// Something that became different because a stream is live.
public enum LiveObservation: Hashable, Sendable {
  /// A playlist has been read.
  case playlistRead(TransferID, PlaylistReading)
  /// The playhead was put somewhere.
  case moved(MediaTime, LiveMoveReason)
}

/// What a read of a live playlist brought.
public struct PlaylistReading: Hashable, Sendable {
  /// Whether it says anything that it did not say before.
  public var isChanged: Bool
  /// The number of its first segment.
  public var mediaSequence: Int64
  /// How many whole segments it lists, and how many parts after them.
  public var segments: Int64
  public var parts: Int64
  /// The end of the media that it lists.
  public var edge: MediaTime
  public var isEnded: Bool
}

/// Where the playhead of a live stream goes, and why.
struct LiveMove {
  var time: MediaTime
  var reason: LiveMoveReason

  init(_ time: MediaTime, _ reason: LiveMoveReason) {
    self.time = time
    self.reason = reason
  }
}

/// Why the playhead of a live stream was moved.
public enum LiveMoveReason: Hashable, Sendable {
  /// It begins here.
  case begins(LiveStartReason)
  /// What comes next has slid out of the window.
  case windowSlid
  /// `automaticallyPreservesTimeOffsetFromLive`.
  case preservesOffset
}

/// What an app says of playing live; without effect on anything else.
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
