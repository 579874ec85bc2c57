import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Brings a file's bytes over the link: which range to ask for, what is there, what is to come.
///
/// Bytes are counted in the file's media data; the head atom stands outside that count. While a
/// transfer flows, what has arrived is not stored but read off its line.
final class FileLoader {
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
  }

  /// The distance from a byte within which a fetch is awaited instead of requesting anew.
  private static let bytesWithinReach: Int64 = 64

  let file: MediaFile
  let isLocal: Bool
  let owner: Int32
  /// The host and the label that all its requests share.
  let host: Int32
  let label: String
  private(set) var retry: RetryClock
  let policy: PlayerPolicy
  @exclusivity(unchecked) var telling = Telling()
  @exclusivity(unchecked) var logs: LogKeeper
  /// The item that it was last asked for: several of one asset share it.
  @exclusivity(unchecked) var subject: Subject
  /// The request for the head atom alone that broke and will be made again.
  private var brokenHead: TransferID?
  /// The same of a range, with the first byte that it did not bring.
  private var brokenRange: (id: TransferID, byte: Int64)?
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows a loader.
  @exclusivity(unchecked) private(set) var loaded = ByteRanges()
  @exclusivity(unchecked) private(set) var fetch: Fetch?
  @exclusivity(unchecked) private var head: HeadAtom
  private(set) var isSuspended = false
  /// Until when a request that was cancelled at the limit is not opened again; nil where none was.
  var reopensAt: Instant?
  /// The request that is thrown away; nil while none is.
  var discarded: TransferID?
  private(set) var failure: TransferFailure?
  /// The missing bytes by media time, as the transfer under way counts them.
  @exclusivity(unchecked) private(set) var demand = DemandCurve.empty
  var requestCount: Int64 = 0
  var bytesTransferred: Int64 = 0

  init(
    _ file: MediaFile, isLocal: Bool, _ settings: ItemSettings, owner: Int32, policy: PlayerPolicy
  ) {
    self.file = file
    self.isLocal = isLocal
    self.owner = owner
    self.policy = policy
    subject = Subject(player: owner, item: nil)
    host = settings.host
    label = settings.label
    retry = RetryClock(settings.retry)
    logs = LogKeeper(.init(file, called: settings.label), duration: file.duration)
    head = isLocal || file.headAtomBytes == 0 ? .there : .missing
    if isLocal { loaded.insert(0..<file.map.bytes) }
  }

  /// Whether what has arrived can be played.
  var isReady: Bool { head == .there || head == .inFetch }
}

// MARK: - Contents

extension FileLoader {
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

  func loadedEnd(from position: MediaTime, at now: Instant) -> MediaTime {
    if !isReady { return position }
    let byte = file.map.byte(at: position)
    if byte >= file.map.bytes { return file.duration }
    let end = contiguousEnd(from: byte, at: now)
    if end == byte {
      // A stretch of no bytes comes with the byte before it; at the front there is none.
      let isReached = byte > 0 && contiguousEnd(from: byte - 1, at: now) == byte
      if !isReached { return position }
    }
    return max(position, file.map.time(ofFirst: end))
  }

  func bytesAhead(of position: MediaTime, at now: Instant) -> Int64 {
    let byte = file.map.byte(at: position)
    return contiguousEnd(from: byte, at: now) - byte
  }

  func loadedTimeRanges(at now: Instant) -> [Range<MediaTime>] {
    if !isReady { return [] }
    return loaded(at: now).ranges.map { range in
      file.map.time(ofFirst: range.lowerBound)..<file.map.time(ofFirst: range.upperBound)
    }
  }

  func received(at now: Instant) -> Int64 {
    guard let fetch else { return bytesTransferred }
    return bytesTransferred + (fetch.flow?.bytes(at: now) ?? fetch.received)
  }

  /// The line along which media comes in; nil while none does.
  var arrival: ByteFlow? { isReady ? fetch?.flow : nil }
}

// MARK: - Requests to come

extension FileLoader {
  /// Sees to it that the first missing byte at or after a position is under way, unless it lies
  /// past an end; false where all of it is there, and what is under way is for somebody else.
  func load(
    from position: MediaTime, to end: MediaTime, at now: Instant, on stage: inout Stage
  ) -> Bool {
    if isLocal || failure != nil || !retry.allows(at: now) { return true }
    if discards(at: now, on: &stage) { return true }
    if brokenHead != nil && head == .missing { requestHead(at: now, on: &stage) }
    let needed = contiguousEnd(from: file.map.byte(at: position), at: now)
    let limit = file.map.bytes(before: end)
    if needed >= limit { return fetch?.range.contains(limit - 1) ?? true }
    if let fetch, fetch.range.contains(needed), brings(needed, fetch, now) { return true }
    cancelFetch(at: now, on: &stage)
    let end = min(limit, loaded.nextStart(after: needed) ?? limit)
    var base = needed
    if head == .missing, file.headAtomPosition == .front {
      if needed == 0 {
        head = .inFetch
        base = -file.headAtomBytes
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

  private func request(
    _ range: Range<Int64>, base: Int64, at now: Instant, on stage: inout Stage
  ) {
    let retries = brokenRange.flatMap { $0.byte == range.lowerBound ? $0.id : nil }
    brokenRange = nil
    let id = ask(
      range.upperBound - base, from: base + file.mediaOffset, for: RequestOrigin(retries: retries),
      at: now, on: &stage)
    fetch = Fetch(id: id, base: base, range: range)
    demand = demandCurve(range, base: base)
    subscribe(isFluid: stage.isFluid)
    hear(.requested(RequestNumber(id), .main), at: now)
  }

  /// Sends a request for a part of the file.
  private func ask(
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
  func loadHead(at now: Instant, on stage: inout Stage) {
    if failure != nil || !retry.allows(at: now) || head != .missing { return }
    requestHead(at: now, on: &stage)
  }

  func isLoadingHead(by id: TransferID) -> Bool { head == .underWay(id) }

  func knows(_ id: TransferID) -> Bool {
    fetch?.id == id || head == .underWay(id) || discarded == id
  }

  private func requestHead(
    after other: TransferID? = nil, at now: Instant, on stage: inout Stage
  ) {
    let origin = RequestOrigin(after: other, retries: brokenHead)
    brokenHead = nil
    head = .underWay(
      ask(
        file.headAtomBytes, from: file.headAtomOffset, called: "#head", for: origin, at: now,
        on: &stage))
  }

  /// Gives up what is under way when an item has all that it plays, and nobody else wants it.
  func stopPastEnd(
    of item: PlayerItem, _ start: HostStart?, at now: Instant, on stage: inout Stage
  ) {
    guard let fetch, !item.isFreeOfMedia else { return }
    let needed = contiguousEnd(from: file.map.byte(at: item.place(of: start, at: now)), at: now)
    // A transfer that ends at this instant is about to be reported.
    if needed < file.map.bytes(before: item.end) || needed == fetch.range.upperBound { return }
    cancelFetch(at: now, on: &stage)
  }

  /// The forward buffer needed to show anything at all.
  var frame: MediaTime {
    policy.sink.frame(comesInPackets: !telling.flows, named: nil)
  }

  /// Whether everything from a position to an end is there, and nothing of it is under way.
  func isLoaded(from position: MediaTime, to end: MediaTime, at now: Instant) -> Bool {
    if loadedEnd(from: position, at: now) < end { return false }
    if case .underWay = head { return false }
    guard let fetch, !isSuspended else { return true }
    return !fetch.range.contains(file.map.bytes(before: end) - 1)
  }

  func cancelFetch(
    at now: Instant, on stage: inout Stage
  ) {
    guard let fetch else { return }
    store(fetch, at: now)
    let bytes = fetch.flow?.bytes(at: now) ?? fetch.received
    bytesTransferred += bytes
    if head == .inFetch { head = bytes >= file.headAtomBytes ? .there : .missing }
    stage.link.cancel(fetch.id, at: now)
    hear(.ended(RequestNumber(fetch.id), bytes: bytes, .cancelled), at: now)
    stage.log.note(.requestCancelled(fetch.id, bytes: bytes), of: subject, at: now)
    stopFlow(of: fetch, at: now)
    self.fetch = nil
    isSuspended = false
  }

  /// Gives the link back everything that is under way.
  func cancelAll(at now: Instant, on stage: inout Stage) {
    cancelFetch(at: now, on: &stage)
    cancelDiscarded(at: now, on: &stage)
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
  func setSuspended(
    _ limit: FetchClause?, at now: Instant, on stage: inout Stage
  ) {
    let suspended = limit != nil
    guard let fetch, isSuspended != suspended else { return }
    if suspended { stopFlow(of: fetch, at: now) }
    isSuspended = suspended
    if !suspended, fetch.hasResponded { logs.flows(at: now) }
    if suspended {
      stage.link.suspend(fetch.id, at: now)
      hear(.suspended(RequestNumber(fetch.id)), at: now)
    } else {
      stage.link.resume(fetch.id, at: now)
      hear(.resumed(RequestNumber(fetch.id)), at: now)
    }
    stage.log.note(.readingSuspended(suspended, limit ?? .room), of: subject, at: now)
    readFlow(at: now, on: stage)
  }
}

// MARK: - Responses of the link

extension FileLoader {
  func handle(
    _ event: LinkEvent, at now: Instant, on stage: inout Stage
  ) {
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
  }

  /// Keeps what has arrived, and tries again if the policy says so: a range request for the rest.
  private func broke(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    if var fetch, id == fetch.id {
      fetch.flow = nil
      fetch.received = bytes
      store(fetch, at: now)
      if bytes > 0 { retry.progressed() }
      if head == .inFetch { head = fetch.base + bytes >= 0 ? .there : .missing }
      brokenRange = (id, loaded.contiguousEnd(from: fetch.range.lowerBound))
      stopFlow(of: fetch, at: now)
      hear(.ended(RequestNumber(id), bytes: bytes, .failed), at: now)
      self.fetch = nil
      isSuspended = false
    } else if head == .underWay(id) {
      head = .missing
      brokenHead = id
    } else if !hasDiscarded(id) {
      return
    }
    bytesTransferred += bytes
    let next = reason.isTemporary ? retry.broke(at: now) : nil
    if next == nil { failure = reason }
    stage.log.note(.requestFailed(id, reason, bytes: bytes, retriedAt: next), of: subject, at: now)
    report(reason, at: now, on: &stage)
  }

  private func completed(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    retry.progressed()
    if hasDiscarded(id) {
      let bytes = discardedBytes
      bytesTransferred += bytes
      stage.log.note(.requestCompleted(id, bytes: bytes), of: subject, at: now)
    } else if head == .underWay(id) {
      head = .there
      bytesTransferred += file.headAtomBytes
      stage.log.note(.requestCompleted(id, bytes: file.headAtomBytes), of: subject, at: now)
    } else if let fetch, id == fetch.id {
      let bytes = fetch.range.upperBound - fetch.base
      bytesTransferred += bytes
      loaded.insert(fetch.range)
      if head == .inFetch { head = .there }
      stopFlow(of: fetch, at: now)
      hear(.ended(RequestNumber(id), bytes: bytes, .completed), at: now)
      self.fetch = nil
      isSuspended = false
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
    tell(flow, of: fetch.id, at: now)
  }
}

extension FileLoader {
  /// The corners of everything missing from a range on, counted as the range's transfer counts.
  func demandCurve(_ range: Range<Int64>, base: Int64) -> DemandCurve {
    let map = file.map
    var knots: [DemandCurve.Knot] = []
    knots.reserveCapacity(map.corners.count + 1)
    var gap = range
    var counted = range.lowerBound - base
    var corner = 0
    while true {
      let start = map.time(ofFirst: gap.lowerBound)
      append(DemandCurve.Knot(time: start, bytes: counted), to: &knots)
      while corner < map.corners.count, map.corners[corner].bytes <= gap.upperBound {
        let here = map.corners[corner]
        corner += 1
        if here.bytes < gap.lowerBound || here.time <= start { continue }
        append(
          DemandCurve.Knot(time: here.time, bytes: counted + here.bytes - gap.lowerBound),
          to: &knots)
      }
      counted += gap.upperBound - gap.lowerBound
      append(
        DemandCurve.Knot(time: map.time(ofFirst: gap.upperBound), bytes: counted), to: &knots)
      let next = loaded.contiguousEnd(from: gap.upperBound)
      if next >= map.bytes { break }
      gap = next..<(loaded.nextStart(after: next) ?? map.bytes)
    }
    return DemandCurve(knots: knots)
  }

  private func append(_ knot: DemandCurve.Knot, to knots: inout [DemandCurve.Knot]) {
    if let last = knots.last, last.time >= knot.time {
      knots[knots.count - 1].bytes = max(last.bytes, knot.bytes)
    } else {
      knots.append(knot)
    }
  }
}

// A first connection that a player throws away once it knows what the file is.

extension FileLoader {
  /// Sees to it that a request that is thrown away comes before all others; false where there is
  /// none, or none any more.
  func discards(at now: Instant, on stage: inout Stage) -> Bool {
    if discarded != nil { return true }
    if requestCount > 0 { return false }
    let bytes = discardedBytes
    if bytes <= 0 { return false }
    discarded = ask(bytes, from: 0, at: now, on: &stage)
    return true
  }

  /// The size of the discarded request in bytes; zero if the policy makes none.
  var discardedBytes: Int64 {
    let rule = policy.fetch.ofFiles
    let isIndexLast = file.headAtomPosition == .end && file.headAtomBytes > 0
    return rule.discards + (isIndexLast ? rule.discardsIfIndexLast : 0)
  }

  /// Notes that a request is over; false where it is another. Whether it broke or not, what follows
  /// is asked for.
  func hasDiscarded(_ id: TransferID) -> Bool {
    if discarded != id { return false }
    discarded = nil
    return true
  }

  func cancelDiscarded(at now: Instant, on stage: inout Stage) {
    guard let id = discarded else { return }
    discarded = nil
    cancel(id, at: now, on: &stage)
  }

  /// Gives up a request that brings no media.
  func cancel(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    let bytes = stage.link.arrivedBytes(of: id, at: now) ?? 0
    bytesTransferred += bytes
    stage.link.cancel(id, at: now)
    stage.log.note(.requestCancelled(id, bytes: bytes), of: subject, at: now)
  }
}

extension FileLoader {
  /// Whether reading stands still at a limit.
  var isHeld: Bool { isSuspended || reopensAt != nil }

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
  func hold(_ limit: FetchClause?, at now: Instant, on stage: inout Stage) {
    guard limit != nil, fetch?.hasResponded == true,
      case .reopens(let span) = policy.fetch.ofFiles.atLimit
    else {
      setSuspended(limit, at: now, on: &stage)
      return
    }
    cancelFetch(at: now, on: &stage)
    reopensAt = now + span
  }
}

extension FileLoader {
  /// Tells a policy what is still to come of it.
  func describe(_ snapshot: inout Snapshot) {
    snapshot.source = isLocal ? .local : .progressive
    snapshot.file = FileFacts(demand: demand, line: arrival, flows: telling.flows)
    snapshot.buffer.isSilent = file.isSilent
  }

  func hear(_ event: TransferEvent, at now: Instant) {
    if !isLocal { policy.running.hear(event, of: .progressive, at: now) }
  }

  func subscribe(isFluid: Bool) {
    telling.subscribe(
      policy.running.subscription(to: .progressive, flows: isFluid), isFluid: isFluid)
  }

  /// Tells what has come, where the policy wants to know.
  func tell(_ flow: ByteFlow, of id: TransferID, at now: Instant) {
    if !telling.isWanted { return }
    hear(.received(RequestNumber(id), bytes: flow.bytes(at: now)), at: now)
    telling.rest()
    if !isSuspended { telling.plan(flow, at: now) }
  }
}
