import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Brings a file's bytes over the link: which range to ask for, what is there, what is to come.
///
/// Bytes are counted in the file's media data; the head atom stands outside that count. While a
/// transfer flows, what has arrived is not stored but read off its line.
final class FileLoader: MediaLoader {
  /// A range request under way.
  struct Fetch {
    var id: TransferID
    /// The media byte at which the transfer's own count is zero: before the media data where the
    /// head atom comes first.
    var base: Int64
    /// The media bytes it was asked for.
    var range: Range<Int64>
    var hasResponded = false
    /// The line of its bytes, and until when it holds.
    var flow: ByteFlow?
    var flowHolds: Instant = .distantFuture
    /// Bytes received, in the transfer's own count, as of the last look at the line.
    var received: Int64 = 0
  }

  /// The state of the file's index, without which no media can be played.
  private enum HeadAtom: Hashable {
    case there
    case missing
    /// It comes with the media, in front of it.
    case inFetch
    case underWay(TransferID)
    /// The request for it alone broke, and is made again when its wait is over.
    case broken(TransferID)
  }

  /// The distance from a byte within which a fetch is awaited instead of requesting anew.
  private static let bytesWithinReach: Int64 = 64

  let media: MediaFile
  let isLocal: Bool
  let owner: Int32
  /// The host and the label that all its requests share.
  let host: Int32
  let label: String
  private var retry: RetryClock
  /// Retries of the head atom's own request, independent of the range beside it.
  private var headRetry: RetryClock
  @exclusivity(unchecked) var telling = Telling()
  /// The item that it was last asked for: several of one asset share it.
  @exclusivity(unchecked) var subject: Subject
  /// The range request that broke and is made again, with the first byte that it did not bring.
  private var brokenRange: (id: TransferID, byte: Int64)?
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows a loader.
  @exclusivity(unchecked) private(set) var loaded = ByteRanges()
  @exclusivity(unchecked) private(set) var fetch: Fetch?
  @exclusivity(unchecked) private var head: HeadAtom
  private(set) var isSuspended = false
  /// Until when a request that was cancelled at the limit is not opened again; nil where none was.
  var reopensAt: Instant?
  /// The request that is thrown away; nil while none is.
  var discarded: TransferID?
  /// The missing bytes by media time, as the transfer under way counts them.
  @exclusivity(unchecked) private(set) var demand = DemandCurve.empty
  var requestCount: Int64 = 0
  var bytesTransferred: Int64 = 0

  init(
    _ file: MediaFile, isLocal: Bool, _ settings: ItemSettings, owner: Int32, policy: PlayerPolicy
  ) {
    media = file
    self.isLocal = isLocal
    self.owner = owner
    subject = Subject(player: owner, item: nil)
    host = settings.host
    label = settings.label
    retry = RetryClock(settings.retry)
    headRetry = retry
    head = isLocal || file.headAtomBytes == 0 ? .there : .missing
    super.init(
      settings.source, policy,
      LogKeeper(
        .init(uri: settings.label, indicatedAverage: file.averageBitRate.roundedDown, type: .file)))
    if isLocal { loaded.insert(0..<file.map.bytes) }
  }

  override var file: FileLoader? { self }

  override func tell(_ logs: LogKeeper, at now: Instant) {
    if self.logs === logs { return }
    self.logs.handOver(to: logs, at: now)
    self.logs = logs
  }

  override var keptCount: Int { loaded.ranges.count + (fetch == nil ? 0 : 1) }

  override var counts: MediaFigures {
    var figures = MediaFigures()
    figures.requests = requestCount
    return figures
  }

  /// Whether what has arrived can be played.
  override var isReady: Bool { head == .there || head == .inFetch }

  // MARK: Contents

  /// The media bytes that are there, with those of the transfer under way.
  private func loaded(at now: Instant) -> ByteRanges {
    guard let fetch, let flow = fetch.flow else { return loaded }
    var all = loaded
    let end = min(fetch.range.upperBound, fetch.base + flow.bytes(at: now))
    if end > fetch.range.lowerBound { all.insert(fetch.range.lowerBound..<end) }
    return all
  }

  private func contiguousEnd(from byte: Int64, at now: Instant) -> Int64 {
    let stored = loaded.contiguousEnd(from: byte)
    guard let fetch, let flow = fetch.flow, fetch.range.lowerBound <= stored else { return stored }
    let end = min(fetch.range.upperBound, fetch.base + flow.bytes(at: now))
    return end > stored ? loaded.contiguousEnd(from: end) : stored
  }

  override func loadedEnd(
    from position: MediaTime, isMoving: Bool = false, at now: Instant
  ) -> MediaTime {
    if !isReady { return position }
    let byte = media.map.byte(at: position)
    if byte >= media.map.bytes { return media.duration }
    let end = contiguousEnd(from: byte, at: now)
    if end == byte {
      // A stretch of no bytes comes with the byte before it; at the front there is none.
      if byte <= 0 || contiguousEnd(from: byte - 1, at: now) != byte { return position }
    }
    return max(position, media.map.time(ofFirst: end))
  }

  override func mediaBytes(aheadOf position: MediaTime, at now: Instant) -> Int64 {
    let end = loadedEnd(from: position, at: now)
    return max(0, media.map.bytes(before: end) - media.map.bytes(before: position))
  }

  func bytesAhead(of position: MediaTime, at now: Instant) -> Int64 {
    let byte = media.map.byte(at: position)
    return contiguousEnd(from: byte, at: now) - byte
  }

  override func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    if !isReady { return [] }
    return loaded(at: now).ranges.map { range in
      let start = range.lowerBound == 0 ? .zero : media.map.time(ofFirst: range.lowerBound)
      return start..<media.map.time(ofFirst: range.upperBound)
    }
  }

  override func received(at now: Instant) -> Int64 {
    guard let fetch else { return bytesTransferred }
    return bytesTransferred + (fetch.flow?.bytes(at: now) ?? fetch.received)
  }

  /// The line along which media comes in; nil while none does.
  var arrival: ByteFlow? { isReady ? fetch?.flow : nil }

  // MARK: Requests to come

  /// Sees to it that the first missing byte at or after a position is under way, unless it lies
  /// past an end; false where all of it is there, and what is under way is for somebody else.
  func load(
    from position: MediaTime, to end: MediaTime, at now: Instant, on stage: inout Stage
  ) -> Bool {
    if isLocal || failure != nil { return true }
    let mayAsk = retry.allows(at: now)
    if mayAsk && discards(at: now, on: &stage) { return true }
    retryHead(at: now, on: &stage)
    if !mayAsk { return true }
    let needed = contiguousEnd(from: media.map.byte(at: position), at: now)
    let limit = media.map.bytes(before: end)
    if needed >= limit { return fetch?.range.contains(limit - 1) ?? true }
    if let fetch, fetch.range.contains(needed), brings(needed, fetch, now) { return true }
    cancelFetch(at: now, on: &stage)
    let end = min(limit, loaded.nextStart(after: needed) ?? limit)
    var base = needed
    if head == .missing, media.headAtomPosition == .front {
      if needed == 0 {
        head = .inFetch
        base = -media.headAtomBytes
      } else {
        // A start in the middle reads the head atom on its own and then the range.
        requestHead(at: now, on: &stage)
      }
    }
    request(needed..<end, base: base, at: now, on: &stage)
    return true
  }

  /// Whether a fetch is on its way to a byte, rather than past or far before it.
  private func brings(_ byte: Int64, _ fetch: Fetch, _ now: Instant) -> Bool {
    let arrived = fetch.flow?.bytes(at: now) ?? fetch.received
    let edge = max(fetch.range.lowerBound, fetch.base + arrived)
    // A playhead that ran dry stands on a nanosecond, which is within what is just arriving.
    return edge <= byte && byte - edge <= FileLoader.bytesWithinReach
  }

  private func request(_ range: Range<Int64>, base: Int64, at now: Instant, on stage: inout Stage) {
    let retries = brokenRange.flatMap { $0.byte == range.lowerBound ? $0.id : nil }
    brokenRange = nil
    let first = base + (media.headAtomPosition == .front ? media.headAtomBytes : 0)
    let id = ask(
      range.upperBound - base, from: first, for: RequestOrigin(retries: retries), at: now,
      on: &stage)
    fetch = Fetch(id: id, base: base, range: range)
    demand = demandCurve(range, base: base)
    let isFluid = stage.isFluid
    telling.subscribe(
      policy.running.subscription(to: .progressive, flows: isFluid), isFluid: isFluid)
    hear(.requested(RequestNumber(id), .main), at: now)
  }

  /// Sends a request for a part of the media.
  func ask(
    _ bytes: Int64, from byte: Int64, called suffix: String = "",
    for origin: RequestOrigin = RequestOrigin(), at now: Instant, on stage: inout Stage
  ) -> TransferID {
    let label = label.isEmpty ? label : label + suffix
    let id = stage.link.start(
      Request(bytes: bytes, host: host, owner: owner, label: label), at: now)
    requestCount += 1
    logs.rangeRequested(at: now)
    stage.log.note(.requestStarted(id, firstByte: byte, origin), of: subject, at: now)
    return id
  }

  /// Asks for the head atom alone: what an asset wants of a file that is no item yet.
  override func loadValues(for subject: Subject, at now: Instant, on stage: inout Stage) {
    self.subject = subject
    retryHead(at: now, on: &stage)
    if failure == nil, head == .missing { requestHead(at: now, on: &stage) }
  }

  override func isLoadingValues(by id: TransferID) -> Bool { head == .underWay(id) }

  override var retryDue: Instant { headRetry.due }

  override func knows(_ id: TransferID) -> Bool {
    fetch?.id == id || head == .underWay(id) || discarded == id
  }

  private func requestHead(after other: TransferID? = nil, at now: Instant, on stage: inout Stage) {
    let broken: TransferID? = if case .broken(let id) = head { id } else { nil }
    let origin = RequestOrigin(after: other, retries: broken)
    head = .underWay(
      ask(
        media.headAtomBytes, from: media.headAtomOffset, called: "#head", for: origin, at: now,
        on: &stage))
  }

  private func retryHead(at now: Instant, on stage: inout Stage) {
    guard failure == nil, case .broken = head, headRetry.allows(at: now) else { return }
    requestHead(at: now, on: &stage)
  }

  /// Gives up what is under way when an item has all that it plays, and nobody else wants it.
  func stopPastEnd(
    of item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch, !item.isFreeOfMedia else { return }
    let needed = contiguousEnd(from: media.map.byte(at: item.place(of: start, at: now)), at: now)
    // A transfer that ends at this instant is about to be reported.
    if needed < media.map.bytes(before: item.end) || needed == fetch.range.upperBound { return }
    cancelFetch(at: now, on: &stage)
  }

  override var frame: MediaTime {
    policy.sink.frame(comesInPackets: !telling.flows, named: nil)
  }

  override func isLoaded(from position: MediaTime, to end: MediaTime, at now: Instant) -> Bool {
    if loadedEnd(from: position, at: now) < end { return false }
    if case .underWay = head { return false }
    guard let fetch, !isSuspended else { return true }
    return !fetch.range.contains(media.map.bytes(before: end) - 1)
  }

  func cancelFetch(at now: Instant, on stage: inout Stage) {
    guard let fetch else { return }
    store(fetch, at: now)
    let bytes = fetch.flow?.bytes(at: now) ?? fetch.received
    bytesTransferred += bytes
    if head == .inFetch { head = bytes >= media.headAtomBytes ? .there : .missing }
    stage.link.cancel(fetch.id, at: now)
    isOver(fetch, bytes, .cancelled, at: now)
    stage.log.note(.requestCancelled(fetch.id, bytes: bytes), of: subject, at: now)
  }

  private func isOver(_ fetch: Fetch, _ bytes: Int64, _ outcome: RequestOutcome, at now: Instant) {
    stopFlow(of: fetch, at: now)
    hear(.ended(RequestNumber(fetch.id), bytes: bytes, outcome), at: now)
    self.fetch = nil
    isSuspended = false
  }

  override func cancelAll(keepingShared keepsShared: Bool, at now: Instant, on stage: inout Stage) {
    if keepsShared { return }
    cancelFetch(at: now, on: &stage)
    if let id = discarded {
      discarded = nil
      cancel(id, at: now, on: &stage)
    }
    if case .underWay(let id) = head {
      head = .missing
      cancel(id, at: now, on: &stage)
    }
  }

  private func store(_ fetch: Fetch, at now: Instant) {
    let arrived = fetch.flow?.bytes(at: now) ?? fetch.received
    let end = min(fetch.range.upperBound, fetch.base + arrived)
    if end > fetch.range.lowerBound { loaded.insert(fetch.range.lowerBound..<end) }
  }

  /// Suspends reading at a limit, or goes on where there is none.
  private func setSuspended(_ limit: FetchClause?, at now: Instant, on stage: inout Stage) {
    let suspended = limit != nil
    guard let fetch, isSuspended != suspended else { return }
    if suspended { stopFlow(of: fetch, at: now) }
    isSuspended = suspended
    if suspended {
      stage.link.suspend(fetch.id, at: now)
      hear(.suspended(RequestNumber(fetch.id)), at: now)
    } else {
      if fetch.hasResponded { logs.flows(at: now) }
      stage.link.resume(fetch.id, at: now)
      hear(.resumed(RequestNumber(fetch.id)), at: now)
    }
    stage.log.note(.readingSuspended(suspended, limit ?? .room), of: subject, at: now)
    readFlow(at: now, on: stage)
  }

  // MARK: Responses of the link

  override func handle(_ event: LinkEvent, at now: Instant, on stage: inout Stage) -> Bool {
    switch event {
    case .responded(let id, _):
      stage.log.note(.requestResponded(id), of: subject, at: now)
      if id == fetch?.id {
        fetch?.hasResponded = true
        hear(.responded(RequestNumber(id), trip: telling.trip(of: id, on: stage)), at: now)
        if !isSuspended { logs.flows(at: now) }
        readFlow(at: now, on: stage)
        // The beginning of the file says that its index lies behind the media.
        if head == .missing {
          requestHead(after: id, at: now, on: &stage)
          readFlow(at: now, on: stage)
        }
      }
    case .flowChanged(let id, _):
      if id == fetch?.id { readFlow(at: now, on: stage) }
    case .completed(let id, _):
      completed(id, at: now, on: &stage)
    case .failed(let id, _, let reason, let bytes):
      broke(id, reason, bytes: bytes, at: now, on: &stage)
    }
    return true
  }

  override func wake(_ item: PlayerItem, at now: Instant, on stage: inout Stage) {
    if min(lineEnds, telling.next) <= now { readFlow(at: now, on: stage) }
  }

  /// Keeps what has arrived, and tries again if the policy says so: a range request for the rest.
  private func broke(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let isOfHead = head == .underWay(id)
    if var fetch, id == fetch.id {
      fetch.flow = nil
      fetch.received = bytes
      store(fetch, at: now)
      // Of a head atom that is not whole nothing is kept.
      if bytes > 0, fetch.base + bytes >= 0 { retry.progressed() }
      if head == .inFetch { head = fetch.base + bytes >= 0 ? .there : .missing }
      brokenRange = (id, loaded.contiguousEnd(from: fetch.range.lowerBound))
      isOver(fetch, bytes, .failed, at: now)
    } else if isOfHead {
      head = .broken(id)
    } else if !hasDiscarded(id) {
      return
    }
    bytesTransferred += bytes
    var next: Instant?
    if reason.isTemporary { next = isOfHead ? headRetry.broke(at: now) : retry.broke(at: now) }
    if next == nil { failure = .mediaUnavailable(reason) }
    stage.log.note(.requestFailed(id, reason, bytes: bytes, retriedAt: next), of: subject, at: now)
    let error = ErrorLogEvent(label, reason, at: now)
    logs.note(error)
    stage.log.note(.errorLogged(error), of: subject, at: now)
  }

  private func completed(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    if head == .underWay(id) { headRetry.progressed() } else { retry.progressed() }
    if hasDiscarded(id) {
      let bytes = discardedBytes
      bytesTransferred += bytes
      stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    } else if head == .underWay(id) {
      head = .there
      bytesTransferred += media.headAtomBytes
      stage.log.note(.requestCompleted(id, bytes: media.headAtomBytes), of: subject, at: now)
    } else if let fetch, id == fetch.id {
      let bytes = fetch.range.upperBound - fetch.base
      bytesTransferred += bytes
      loaded.insert(fetch.range)
      if head == .inFetch { head = .there }
      isOver(fetch, bytes, .completed, at: now)
      stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    }
  }

  /// Reads the line of the transfer under way anew.
  func readFlow(at now: Instant, on stage: borrowing Stage) {
    guard let fetch, fetch.hasResponded else { return }
    guard let (flow, holds) = stage.link.flow(of: fetch.id, at: now) else { return }
    self.fetch?.flow = flow
    self.fetch?.flowHolds = holds
    self.fetch?.received = flow.bytes(at: now)
    // The bytes so far are told where the policy wants to know.
    if !telling.isWanted { return }
    hear(.received(RequestNumber(fetch.id), bytes: flow.bytes(at: now)), at: now)
    telling.rest()
    if !isSuspended { telling.plan(flow, at: now) }
  }

  // MARK: Read-ahead

  /// Asks for what is missing, and suspends reading at the limit.
  override func steer(
    _ item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    subject = item.subject
    let lead = FileLead(loader: self, item: item)
    if staysClosed(lead.limitReached(at: now) != nil, at: now) {
      return retryHead(at: now, on: &stage)
    }
    if fetch == nil || start?.time != nil || !item.isFreeOfMedia {
      let wantsMore = load(from: item.place(of: start, at: now), to: item.end, at: now, on: &stage)
      // The transfer now under way is another item's, which sets its own read-ahead.
      if !wantsMore { return }
    }
    hold(lead.limitReached(at: now), of: item, at: now, on: &stage)
  }

  /// The predicted instant of the loader's next change that matters to the player.
  override func nextInstant(
    _ item: PlayerItem, _ start: HostStart?, after now: Instant
  ) -> Instant {
    let again =
      failure == nil ? min(retry.next(after: now), headRetry.next(after: now)) : .distantFuture
    if fetch == nil {
      guard let reopensAt else { return again }
      // A request cancelled at the limit is reopened once its wait is over and there is room.
      if reopensAt > now { return min(again, reopensAt) }
      return min(again, FileLead(loader: self, item: item).nextSuspensionChange(after: now))
    }
    let (position, isFull) = (item.place(of: start, at: now), item.condition.isFull)
    if isFull, isLoaded(from: position, to: item.end, at: now) { return again }
    var next = isSuspended ? .distantFuture : min(lineEnds, telling.next)
    // The first byte under the playhead is awaited.
    if start != nil || item.condition.isEmpty && !item.isFreeOfMedia {
      let edge = media.map.byte(at: position) + bytesAhead(of: position, at: now)
      // Once something is there, the rest of the frame is waited for.
      if loadedEnd(from: position, at: now) <= position {
        next = min(next, instant(reaching: edge + 1, after: now))
      }
      let whole = media.map.bytes(before: min(position + frame, item.end))
      if whole > edge + 1 { next = min(next, instant(reaching: whole, after: now)) }
    }
    if !isFull {
      let whole = instant(reaching: media.map.bytes(before: item.end), after: now)
      // Media that is loaded but not contiguous has a gap before it, which is requested next.
      if whole > now { next = min(next, whole) }
    }
    return min(next, again, FileLead(loader: self, item: item).nextSuspensionChange(after: now))
  }

  /// The media byte that the transfer under way has come to, if it flows.
  func edge(at now: Instant) -> Int64? {
    guard isReady, let fetch, let flow = fetch.flow else { return nil }
    return min(fetch.range.upperBound, fetch.base + flow.bytes(at: now))
  }

  /// The end of the transfer under way, in its own count.
  var lastByte: Int64 { fetch.map { $0.range.upperBound - $0.base } ?? 0 }

  override var lineEnds: Instant { fetch?.flowHolds ?? .distantFuture }

  override func instant(loading time: MediaTime, after now: Instant) -> Instant {
    instant(reaching: media.map.bytes(before: time), after: now)
  }

  override func instant(
    leading media: MediaTime, _ item: PlayerItem, after now: Instant
  ) -> Instant {
    FileLead(loader: self, item: item).instant(leading: media, after: now)
  }

  /// The predicted instant at which the contiguous media from a position on reaches a byte.
  func instant(reaching byte: Int64, after now: Instant) -> Instant {
    guard let fetch, let flow = arrival else { return .distantFuture }
    // A transfer brings nothing of what lies before it or behind it.
    if byte <= fetch.range.lowerBound || byte > fetch.range.upperBound { return .distantFuture }
    return max(now, flow.instant(reaching: byte - fetch.base))
  }

  // MARK: The limit, and the policy

  override var isHeld: Bool { isSuspended || reopensAt != nil }

  /// Whether nothing is asked for yet, as the request was cancelled at the limit.
  func staysClosed(_ isBeyond: @autoclosure () -> Bool, at now: Instant) -> Bool {
    guard let reopensAt else { return false }
    if now < reopensAt || isBeyond() { return true }
    self.reopensAt = nil
    return false
  }

  /// Stops reading at a limit, or goes on, as the policy does that.
  ///
  /// - Parameter limit: The one that what is ahead has reached; nil where there is room.
  func hold(
    _ limit: FetchClause?, of item: PlayerItem, at now: Instant, on stage: inout Stage
  ) {
    guard limit != nil, fetch?.hasResponded == true,
      case .reopens(let span) = policy.fetch.ofFiles.atLimit,
      !policy.fetch.ofFiles.reopensOnce || !item.hasMoved
    else {
      setSuspended(limit, at: now, on: &stage)
      return
    }
    cancelFetch(at: now, on: &stage)
    reopensAt = now + span
  }

  override func describe(
    _ snapshot: inout Snapshot, _ place: BufferPlace, _ item: PlayerItem, at now: Instant,
    on stage: borrowing Stage
  ) -> Ladder {
    snapshot.buffer = BufferFacts(of: self, policy.facts, place, item, at: now)
    snapshot.source = isLocal ? .local : .progressive
    snapshot.file = FileFacts(demand: demand, line: arrival, flows: telling.flows)
    snapshot.buffer.isSilent = media.isSilent
    return .empty
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    if !isLocal { policy.running.hear(event, of: .progressive, at: now) }
  }
}
