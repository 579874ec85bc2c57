import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// The loader of an item's media, a file's or a stream's, as a player has it open.
///
/// Items that are made from one file share it: "you can create multiple AVPlayer items from the
/// same AVAsset … AVFoundation does not have to load and parse the media file multiple times"
/// (WWDC16 503). Of a stream each item holds its own segments; playlists, keys and initialization
/// sections are the asset's.
class MediaLoader {
  final let source: MediaSource
  /// The policy that is told of its requests.
  final let policy: PlayerPolicy
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a loader.
  @exclusivity(unchecked) final var logs: LogKeeper
  @exclusivity(unchecked) final var failure: PlaybackFailure?
  /// The instant at which the media's index is parsed; nil before the index is there.
  @exclusivity(unchecked) var parsedAt: Instant?

  /// The asset of a file that several items share; nil for none.
  @exclusivity(unchecked) final var sharedAs: AssetID?
  /// The number of items in the queue, the current one included, that are made from it.
  @exclusivity(unchecked) final var users = 0
  /// Whether no item has been made from it yet.
  @exclusivity(unchecked) final var isNew = true
  /// The figures that were booked already, when its last item gave it back.
  @exclusivity(unchecked) final var booked = MediaFigures()

  init(_ source: MediaSource, _ policy: PlayerPolicy, _ logs: LogKeeper) {
    (self.source, self.policy, self.logs) = (source, policy, logs)
  }

  var file: FileLoader? { nil }

  var stream: StreamLoader? { nil }

  final var isFile: Bool { stream == nil }

  final var liveStream: StreamLoader? { stream?.live == nil ? nil : stream }

  private func abstract() -> Never {
    preconditionFailure("each kind of media is loaded in its own way")
  }

  /// Whether a request is one that this made, or that belongs to its asset.
  func knows(_ id: TransferID) -> Bool { abstract() }

  /// Whether two items have what is loaded once in common.
  func sharesAsset(with other: MediaLoader?) -> Bool { self === other }

  /// Books in another item's logs from now on; a stream is one item's alone.
  func tell(_ logs: LogKeeper, at now: Instant) {}

  /// The number of segments, requests and ranges that it keeps.
  var keptCount: Int { abstract() }

  var isReady: Bool { abstract() }

  /// Whether reading stands still because the buffer holds as much as it may.
  var isHeld: Bool { abstract() }

  var isEndKnown: Bool { true }

  /// Whether everything from a position to an end is there, and nothing of it is under way.
  func isLoaded(from position: MediaTime, to end: MediaTime, at now: Instant) -> Bool { abstract() }

  /// The playhead is about to jump away from a position.
  func leaves(_ position: MediaTime) {}

  /// Until when the line holds along which a file comes in, if nothing else happens.
  var lineEnds: Instant { .distantFuture }

  /// - Parameter isMoving: Whether it plays, so that sound may go on without the picture.
  func loadedEnd(
    from position: MediaTime, isMoving: Bool = false, at now: Instant
  ) -> MediaTime { abstract() }

  func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] { abstract() }

  /// Bytes of the media between a position and the end of what is loaded there.
  ///
  /// Of a stream whole segments count, those that begin at the position or after it.
  func mediaBytes(aheadOf position: MediaTime, at now: Instant) -> Int64 { abstract() }

  func received(at now: Instant) -> Int64 { abstract() }

  /// The figures of its requests since the last booking.
  final func figures(at now: Instant) -> MediaFigures { MediaFigures(of: self, at: now) - booked }

  /// The figures of its requests, the bytes aside, which may be coming in.
  var counts: MediaFigures { abstract() }

  func instant(loading time: MediaTime, after now: Instant) -> Instant { .distantFuture }

  /// The predicted instant at which the forward buffer reaches that length.
  func instant(leading media: MediaTime, _ item: PlayerItem, after now: Instant) -> Instant {
    .distantFuture
  }

  /// Tells a policy how the media comes in, and what the buffer holds beside that which is ahead.
  func describe(
    _ snapshot: inout Snapshot, _ place: BufferPlace, _ item: PlayerItem, at now: Instant,
    on stage: borrowing Stage
  ) -> Ladder { abstract() }

  /// The forward buffer needed to show anything at all.
  var frame: MediaTime { abstract() }

  /// Books what has been played of a stream, whose playhead is about to move otherwise.
  func bookPlayed(at now: Instant) {}

  /// Asks for what is missing of an item.
  ///
  /// - Parameter start: A start on an external timeline that waits for the first byte of its time.
  func steer(
    _ item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) { abstract() }

  /// Takes what the link says; true where the player has to look what follows from it.
  func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool { abstract() }

  /// Looks at what may have changed without an event.
  func wake(_ item: PlayerItem, at now: Instant, on stage: inout Stage) { abstract() }

  /// Gives the link back what is under way.
  ///
  /// - Parameter keepsShared: Whether another item goes on with what the two have in common.
  func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    abstract()
  }

  func nextInstant(_ item: PlayerItem, _ start: HostStart?, after now: Instant) -> Instant {
    abstract()
  }

  /// Asks for what an asset wants before it is an item: the head atom, or the multivariant playlist
  /// and the keys that it announces.
  func loadValues(for subject: Subject, at now: Instant, on stage: inout Stage) { abstract() }

  func isLoadingValues(by id: TransferID) -> Bool { abstract() }

  /// The number of changes to the asset: a resource received, or a request ended.
  var assetChanges: Int64 { 0 }

  /// The instant at which a broken request is retried; `distantFuture` where none is.
  var retryDue: Instant { abstract() }

  func constrain(_ change: (inout VariantConstraints) -> Void) {}
}
