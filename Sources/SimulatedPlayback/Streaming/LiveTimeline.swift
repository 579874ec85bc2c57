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
    /// When reading that began, and of when it was.
    var began = Instant.zero
    var published = Instant.zero
    /// How often in a row it said nothing new.
    var unchangedReads: Int64 = 0
    var coming: Coming?
    /// Whether a delta update is of no use: something broke, or one left out what was not known.
    var wantsWhole = false
    /// Whether it has to be read again before anything that it lists is asked for.
    var isDoubtful = false
    /// Whether a segment was not found, since it may have slid out, and none has come after it.
    var hasLost = false
  }

  /// What the request under way will bring, and when it was made.
  struct Coming {
    var window: LiveWindow
    /// How many segments of it a delta update leaves out.
    var skipped: Int
    var directives: DeliveryDirectives
    var bytes: Int64
    /// What a delta update saves on the link.
    var saved: Int64
    var began: Instant
    var published: Instant
  }

  let stream: LiveStream
  /// By list of the presentation.
  @exclusivity(unchecked) var listings: [Listing]
  /// How large the playlists are; apart, since listings are looked at often.
  @exclusivity(unchecked) var sizes: [LivePlaylistSize]
  /// What delta updates have saved.
  @exclusivity(unchecked) var savedBytes: Int64 = 0
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

  /// What each playlist calls the others; empty until it is asked for.
  @exclusivity(unchecked) var namesOfOthers: [[String]]
  let without: BehaviourSet

  init(_ stream: LiveStream, lists: Int, without: BehaviourSet) {
    self.stream = stream
    namesOfOthers = Array(repeating: [], count: lists)
    self.without = without
    listings = Array(repeating: Listing(), count: lists)
    sizes = Array(repeating: LivePlaylistSize(), count: lists)
  }
}

extension LiveTimeline {
  func adopt(_ list: Int, _ coming: Coming, isChanged: Bool) {
    listings[list].coming = nil
    listings[list].known = coming.window
    listings[list].wantsWhole = false
    listings[list].isDoubtful = false
    savedBytes += coming.saved
    listings[list].began = coming.began
    listings[list].published = coming.published
    listings[list].unchangedReads = isChanged ? 0 : listings[list].unchangedReads + 1
    isEnded = isEnded || coming.window.isEnded && !without.contains(.playlistEnd)
    hasNews = true
  }

  // §6.3.7: a client "SHOULD NOT request a Playlist Delta Update unless it already has a version of
  // the Playlist that is no older than one-half of the Skip Boundary". How old it is counts from
  // when reading it began.
  /// Whether a read of a list's playlist asks for what is new alone.
  func asksForDelta(_ list: Int, at now: Instant) -> Bool {
    if listings[list].wantsWhole || without.contains(.deltaUpdates) { return false }
    guard let known = listings[list].known, let boundary = known.canSkipUntil, !known.isEnded else {
      return false
    }
    return 2 * (now - listings[list].began).nanoseconds <= boundary.nanoseconds
  }

  // §6.3.7: a client that "does not already have all of the information that was skipped" "MUST
  // obtain a complete copy".
  /// Whether what a delta update leaves out is known.
  func knowsWhatIsSkipped(_ coming: Coming, of list: Int) -> Bool {
    if coming.skipped == 0 { return true }
    guard let known = listings[list].known else { return false }
    let first = coming.window.segments.lowerBound
    return known.segments.lowerBound <= first
      && first + coming.skipped <= known.segments.upperBound
  }

  /// When a list's playlist is to be read again, if it is in use.
  func reloadDue(_ list: Int, of presentation: Presentation) -> Instant {
    // Asked where it stands: a listing is too large to be copied for a look.
    guard let isOver = listings[list].known?.isEnded, !isOver, !isQuiet else {
      return .distantFuture
    }
    let isUnchanged = listings[list].unchangedReads > 0
    return listings[list].began + pause(isUnchanged, in: presentation.lists[list])
  }

  // RFC 8216 §6.3.4: "the client MUST wait for at least the target duration before attempting to
  // reload the Playlist file again, measured from the last time the client began loading"; if it
  // has not changed, "a period of one-half the target duration". That the half is measured from
  // the same point is our reading.
  private func pause(_ isUnchanged: Bool, in list: SegmentList) -> TimeSpan {
    var pause = list.targetDuration
    if let parts = stream.parts, let partDuration = list.partDuration {
      // A server that holds the answer until there is news needs no waiting client.
      if parts.blocksReload { return .zero }
      // §6.3.4 of the successor: where there are parts, the part target takes its place.
      pause = partDuration
    }
    let whole = TimeSpan(nanoseconds: pause.nanoseconds)
    if !isUnchanged || without.contains(.hastenedReload) { return whole }
    return TimeSpan(nanoseconds: whole.nanoseconds / 2)
  }

  /// Whether so much time has passed since a list was read that nothing in it need be there still.
  func isOutdated(_ list: Int, at now: Instant) -> Bool {
    switch stream.window {
    case .growing: false
    case .sliding(let length): (now - listings[list].began).nanoseconds > length.nanoseconds
    }
  }

  /// Whether a segment may have left the playlist since that was read, and the server after it.
  ///
  /// Only once: where the next is not found either there is another reason.
  func mayHaveSlidOut(
    _ index: Int, of list: Int, in segments: SegmentList, at now: Instant
  ) -> Bool {
    guard case .sliding = stream.window, let known = listings[list].known, !known.isEnded,
      !listings[list].hasLost
    else { return false }
    let age = MediaTime(nanoseconds: (now - listings[list].began).nanoseconds)
    return segments.segments[index].start
      < segments.start(of: known) + age + segments.targetDuration
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
