import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// The loader of an item's media: a file's or a stream's.
enum MediaLoader {
  case file(FileLoader)
  case stream(StreamLoader)

  /// - Parameter stream: The resources of the stream already loaded; nil for none.
  init(
    _ settings: ItemSettings, of stream: StreamAsset? = nil, owner: Int32,
    policy: PlayerPolicy
  ) {
    switch settings.source {
    case .local(let file):
      self = .file(FileLoader(file, isLocal: true, settings, owner: owner, policy: policy))
    case .progressive(let file):
      self = .file(FileLoader(file, isLocal: false, settings, owner: owner, policy: policy))
    case .stream(let source):
      let asset =
        stream ?? StreamAsset(source, retry: settings.retry)
      self = .stream(
        StreamLoader(
          source, of: asset, retry: settings.retry, host: settings.host,
          owner: owner, policy: policy))
    }
  }

  /// The loader of a file; nil for a stream.
  var file: FileLoader? {
    if case .file(let loader) = self { return loader }
    return nil
  }

  /// The loader of a stream; nil for a file.
  var stream: StreamLoader? {
    if case .stream(let loader) = self { return loader }
    return nil
  }

  var isFile: Bool { stream == nil }

  /// Whether an event is of something that this asked for, or that belongs to its asset.
  func knows(_ event: LinkEvent) -> Bool {
    switch self {
    case .file(let loader): loader.knows(event.transfer)
    case .stream(let loader): loader.intake.knows(event.transfer)
    }
  }

  /// Whether two items have what is loaded once in common.
  func sharesAsset(with other: MediaLoader?) -> Bool {
    switch (self, other) {
    case (.file(let a), .file(let b)?): a === b
    case (.stream(let a), .stream(let b)?): a.asset === b.asset
    case (.file, _), (.stream, _): false
    }
  }

  /// The keeper of the item's logs.
  var logs: LogKeeper {
    switch self {
    case .file(let loader): loader.logs
    case .stream(let loader): loader.intake.logs
    }
  }

  /// Books in another item's logs from now on; a stream is one item's alone.
  func tell(_ logs: LogKeeper, at now: Instant) {
    guard case .file(let loader) = self, loader.logs !== logs else { return }
    loader.logs.handOver(to: logs, at: now)
    loader.logs = logs
  }

  /// The number of segments, requests and ranges that it keeps.
  var keptCount: Int {
    switch self {
    case .file(let loader): loader.loaded.ranges.count + (loader.fetch == nil ? 0 : 1)
    case .stream(let loader): loader.intake.keptCount + loader.asset.resources.requestCount
    }
  }

  // MARK: Contents

  var isReady: Bool {
    switch self {
    case .file(let loader): loader.isReady
    case .stream(let loader): loader.intake.tracks.isReady
    }
  }

  /// Whether reading is suspended because the buffer holds as much as it may.
  var isSuspended: Bool {
    switch self {
    case .file(let loader): loader.isHeld
    case .stream(let loader): loader.isFull
    }
  }

  /// Whether everything from a position to an end is there, and nothing of it is under way.
  func isLoaded(from position: MediaTime, to end: MediaTime, at now: Instant) -> Bool {
    switch self {
    case .file(let loader): loader.isLoaded(from: position, to: end, at: now)
    case .stream(let loader):
      !loader.intake.tracks.isFetching && loader.intake.tracks.loadedEnd(from: position) >= end
    }
  }

  var failure: PlaybackFailure? {
    switch self {
    case .file(let loader): loader.failure.map { .mediaUnavailable($0) }
    case .stream(let loader): loader.failure
    }
  }

  /// The playhead is about to jump away from a position.
  func leaves(_ position: MediaTime) { stream?.intake.leftAt = position }

  /// Until when the line holds along which a file comes in, if nothing else happens.
  var lineEnds: Instant { file?.arrivalHolds ?? .distantFuture }

  /// - Parameter isMoving: Whether it plays, so that sound may go on without the picture.
  func loadedEnd(
    from position: MediaTime, isMoving: Bool = false, at now: Instant
  ) -> MediaTime {
    switch self {
    case .file(let loader): loader.loadedEnd(from: position, at: now)
    case .stream(let loader): loader.loadedEnd(from: position, isMoving: isMoving)
    }
  }

  func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    switch self {
    case .file(let loader): loader.loadedTimeRanges(at: now)
    case .stream(let loader): loader.intake.tracks.loadedTimeRanges()
    }
  }

  /// Bytes of the media between a position and the end of what is loaded there.
  ///
  /// Of a stream whole segments count, those that begin at the position or after it.
  func bytesAhead(of position: MediaTime, at now: Instant) -> Int64 {
    switch self {
    case .file(let loader):
      let map = loader.file.map
      let end = loader.loadedEnd(from: position, at: now)
      return max(0, map.bytes(before: end) - map.bytes(before: position))
    case .stream(let loader):
      return loader.intake.tracks.reduce(0) {
        $0 + $1.buffer.bytes(startingAtOrAfter: position)
      }
    }
  }

  func received(at now: Instant) -> Int64 {
    switch self {
    case .file(let loader): loader.received(at: now)
    case .stream(let loader): loader.intake.received(at: now)
    }
  }

  /// The predicted instant at which the media before a position is loaded.
  func instant(loading time: MediaTime, after now: Instant) -> Instant {
    file.map { $0.instant(reaching: $0.file.map.bytes(before: time), after: now) }
      ?? .distantFuture
  }

  /// The predicted instant at which the forward buffer reaches that length.
  func instant(
    leading media: MediaTime, _ item: PlayerItem, after now: Instant
  ) -> Instant {
    file.map { FileLead(loader: $0, item: item).instant(leading: media, after: now) }
      ?? .distantFuture
  }

  /// Tells a policy how the media comes in, and what the buffer holds beside that which is ahead.
  func describe(
    _ snapshot: inout Snapshot, _ place: BufferPlace, _ item: PlayerItem,
    at now: Instant, on stage: borrowing Stage
  ) -> Ladder {
    switch self {
    case .file(let loader):
      snapshot.buffer = BufferFacts(
        of: loader, loader.policy.facts, place, item, at: now)
      loader.describe(&snapshot)
      return .empty
    case .stream(let loader):
      snapshot.buffer = BufferFacts(of: loader, loader.policy.facts, place, item)
      return snapshot.note(loader, at: now, on: stage)
    }
  }

  /// The forward buffer needed to show anything at all.
  var frame: MediaTime {
    switch self {
    case .file(let loader): loader.frame
    case .stream(let loader):
      loader.policy.sink.frame(comesInPackets: false, named: loader.choice.frame)
    }
  }

  /// The policy that is told of its requests.
  var policy: PlayerPolicy {
    switch self {
    case .file(let loader): loader.policy
    case .stream(let loader): loader.policy
    }
  }

  // MARK: Actions

  /// Asks for what is missing of an item.
  ///
  /// - Parameter start: A start on an external timeline that waits for the first byte of its time.
  func steer(
    _ item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    switch self {
    case .file(let loader):
      loader.subject = item.subject
      loader.steer(item, start, at: now, on: &stage)
    case .stream(let loader):
      loader.subject = item.subject
      loader.steer(item, at: now, on: &stage)
    }
  }

  /// Takes what the link says; true where the player has to look what follows from it.
  func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    switch self {
    case .file(let loader):
      loader.handle(event, at: now, on: &stage)
      return true
    case .stream(let loader):
      return loader.handle(event, at: now, on: &stage)
    }
  }

  /// Looks at what may have changed without an event.
  func wake(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    switch self {
    case .file(let loader):
      if min(loader.arrivalHolds, loader.telling.next) <= now {
        loader.readFlow(at: now, on: stage)
      }
    case .stream(let loader):
      if loader.hasToLook(at: now) { loader.wake(item, at: now, on: &stage) }
    }
  }

  /// Gives the link back what is under way.
  ///
  /// - Parameter keepsShared: Whether another item goes on with what the two have in common.
  func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    switch self {
    case .file(let loader):
      if !keepsShared { loader.cancelAll(at: now, on: &stage) }
    case .stream(let loader):
      loader.cancelAll(keepingShared: keepsShared, at: now, on: &stage)
    }
  }

  func nextInstant(_ item: PlayerItem, _ start: HostStart?, after now: Instant) -> Instant {
    switch self {
    case .file(let loader): loader.nextInstant(item, start, after: now)
    case .stream(let loader): loader.nextInstant(item, after: now)
    }
  }
}

// The variants of a stream: constraints on them, and queries.

extension MediaLoader {
  func constrain(_ change: (inout VariantConstraints) -> Void) {
    guard let stream else { return }
    var constraints = stream.settings.constraints
    change(&constraints)
    if constraints == stream.settings.constraints { return }
    stream.settings.constraints = constraints
    stream.choice.isDue = true
  }

  /// The buffer of a stream's main track; nil for a file, and before the first choice.
  var mainBuffer: SegmentBuffer? { stream?.intake.tracks.first?.buffer }
}
