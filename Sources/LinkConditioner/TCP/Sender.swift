/// The sending half of a host's end of a connection.
///
/// Windows count segments; the application's bytes are a stream that begins at zero.
package struct Sender: Sendable {
  /// The state of the sender's loss recovery.
  enum Phase: Sendable {
    case open
    /// Something arrived out of order; no loss is established.
    case disorder
    /// Lost segments are being retransmitted (RFC 6675).
    case recovering
    /// After a retransmission timeout.
    case timedOut
  }

  /// The purpose of the sender's only timer.
  enum Alarm: Sendable {
    case retransmission
    /// RFC 8985 §7: the tail loss probe.
    case probe
    /// RFC 8985 §6.2: the end of the reordering window.
    case reordering
  }

  /// The segment that is sent first once the window is known.
  enum Repair: Sendable {
    case none
    case lostFirst
    /// RFC 5682 §2.1, step 2b: new data, to see whether the timeout was spurious.
    case newFirst
  }

  /// The most retransmissions of an unanswered segment before the connection is given up.
  static let patience = 15

  // MARK: The stream

  /// SND.UNA.
  var acknowledged: Int64 = 0
  /// SND.NXT.
  var next: Int64 = 0
  var buffer: SendBuffer
  /// The receiver takes nothing past this.
  var rightEdge: Int64 = ReceiveWindow.initialBytes

  // MARK: The window

  let initialWindow: Int64
  let haltsAfterIdle: Bool
  /// One of a paced sender, else none; apart, because a sender is copied for each packet.
  var pacing: [Pacing] = []
  var window: CongestionWindow
  var use = WindowUse()
  var reduction = RateReduction()
  var lastSent: Int64 = 0
  /// Whether less than a burst waits for the next acknowledgement.
  var holdsBack = false

  // MARK: Loss and its repair

  var board = Scoreboard()
  var phase = Phase.open
  /// RFC 6675, "RecoveryPoint".
  var recoveryPoint: Int64 = 0
  var recent = RecentDelivery()
  var undo = SpuriousRecovery()
  /// RFC 5682: whether a timeout is still suspected to be spurious.
  var suspectsTimeout = false
  var probe = TailLossProbe()
  /// The blocks last heard of, which need no second look.
  var known = KnownBlocks()

  // MARK: Time

  var estimator = RoundTripEstimator()
  var alarm: Alarm?
  package internal(set) var alarmAt: Int64 = .max
  /// The timeout in force, doubled each time it runs out (RFC 6298 §5.5).
  var timeout = RoundTripEstimator.initialTimeout
  var timeoutCount = 0
  var hasGivenUp = false

  package init(_ options: ConnectionOptions) {
    initialWindow = Int64(options.initialWindow)
    if options.congestionControl == .bbr { pacing = [Pacing()] }
    haltsAfterIdle = options.slowStartAfterIdle && pacing.isEmpty
    window = CongestionWindow(options.congestionControl, initial: initialWindow)
    buffer = SendBuffer(windows: pacing.isEmpty ? 2 : 3, initialWindow: initialWindow)
  }

  var isPaced: Bool { !pacing.isEmpty }

  var isRepairing: Bool { phase == .recovering || phase == .timedOut }

  /// Whether the window is on its way to the threshold.
  var isReducing: Bool { phase == .recovering && !isPaced }

  @inline(__always)
  package var nextWake: Int64 { isPaced ? min(alarmAt, pacing[0].wakeAt) : alarmAt }

  /// The handshake is done; this long it took, if that is known.
  package mutating func begin(roundTrip: Int64?, at now: Int64) {
    window.begin(next: next, at: now)
    use.lastLimited = now
    if isPaced { pacing[0].model.begin(roundTrip: roundTrip, window: window.size, at: now) }
    guard let roundTrip else { return }
    recent.measured(roundTrip)
    measured(roundTrip)
  }

  mutating func measured(_ roundTrip: Int64) {
    estimator.add(roundTrip, acknowledged: acknowledged, next: next)
    timeout = estimator.timeout
  }

  // Hearing acknowledgements: what arrived, how long it took.

  /// Hears the acknowledgement that a packet carries, and sends what it allows.
  package mutating func hear(_ packet: Packet, at now: Int64, from host: inout HostOutlet) {
    let edge = packet.acknowledgement
    guard edge >= acknowledged, edge <= next else { return }
    rightEdge = max(rightEdge, edge + Int64(packet.window))
    buffer.hear(offer: Int64(packet.window))
    let isDuplicateOfNothing =
      packet.blockCount == 0 && edge == acknowledged && !board.isEmpty && packet.length > 0
    if board.isEmpty || isDuplicateOfNothing {
      if packet.reportsDuplicate { hearLateDuplicate() }
      sendNew(at: now, hears: true, from: &host)
      return
    }
    var news = RecentAcknowledgement(echo: packet.echo, priorInFlight: board.inFlight)
    settle(packet, &news, at: now)
    if probe.hasRepaired(edge, news, isPureDuplicate: packet.length == 0) {
      // The original was lost and nothing else told of it.
      beginReduction()
      undo.isArmed = false
      if !isPaced { takeThreshold() }
      keepOpen()
    }
    let repairing = judge(&news, at: now)
    if news.restartsTimer, !scheduleProbe(advancing: true, at: now) { restartTimer(at: now) }
    adjustWindow(news, at: now)
    send(repairing, at: now, from: &host)
  }

  /// Updates the scoreboard, the round trip and the window's law.
  private mutating func settle(
    _ packet: Packet, _ news: inout RecentAcknowledgement, at now: Int64
  ) {
    if packet.reportsDuplicate {
      news.reportsDuplicate = true
      undo.hearDuplicate()
    }
    let highestBefore = max(recent.highest, acknowledged)
    hearBlocks(packet, highestBefore: highestBefore, &news, at: now)
    let headSentAt = board[board.first].sentAt
    removeAcknowledged(packet.acknowledgement, highestBefore: highestBefore, &news, at: now)
    measure(&news, headSentAt: headSentAt, at: now)
    if news.reportsDuplicate {
      recent.hearDuplicate(acknowledged: acknowledged, next: next)
    }
  }

  /// RFC 2018: the blocks beyond the acknowledgement.
  private mutating func hearBlocks(
    _ packet: Packet, highestBefore: Int64, _ news: inout RecentAcknowledgement, at now: Int64
  ) {
    guard packet.blockCount > 0 else { return }
    var heard = KnownBlocks()
    for index in (packet.reportsDuplicate ? 1 : 0)..<packet.blockCount {
      let block = packet.block(index)
      let start = packet.acknowledgement + Int64(block.start)
      let end = packet.acknowledgement + Int64(block.end)
      heard.set(Int(index), start, end)
      hearRange(start, end, highestBefore: highestBefore, &news, at: now)
    }
    known = heard
  }

  /// Marks a range as arrived, leaving out what an earlier acknowledgement said already.
  private mutating func hearRange(
    _ start: Int64, _ end: Int64, highestBefore: Int64, _ news: inout RecentAcknowledgement,
    at now: Int64
  ) {
    var position = board.position(at: max(start, acknowledged))
    while position < board.end {
      let segment = board[position]
      if segment.end > end { break }
      if segment.isSelectivelyAcknowledged {
        let skipped = known.end(around: segment.sequence)
        position = skipped > segment.end ? board.position(at: skipped) : position + 1
        continue
      }
      news.reportsBeyondHole = true
      news.delivered += 1
      hearOriginal(segment, highestBefore: highestBefore, &news)
      if !segment.wasRetransmitted { news.beyondHole.add(segment.sentAt) }
      recent.add(segment, at: now)
      if isPaced { pacing[0].rate.hear(segment, at: position) }
      board.markSelective(position)
      recent.highest = max(recent.highest, segment.end)
      position += 1
    }
  }

  private mutating func hearOriginal(
    _ segment: OutstandingSegment, highestBefore: Int64, _ news: inout RecentAcknowledgement
  ) {
    guard !segment.wasRetransmitted else { return }
    // RFC 8985 §6.2, step 3: an original below what had already arrived was overtaken.
    if segment.end < highestBefore { recent.hasSeenReordering = true }
    if segment.end <= recoveryPoint { news.coversOriginal = true }
  }

  /// Moves the left edge.
  private mutating func removeAcknowledged(
    _ edge: Int64, highestBefore: Int64, _ news: inout RecentAcknowledgement, at now: Int64
  ) {
    guard edge > acknowledged else { return }
    while !board.isEmpty, board[board.first].end <= edge {
      if isPaced { pacing[0].rate.removeFirst(board[board.first], at: board.first) }
      let segment = board.removeFirst()
      if segment.wasRetransmitted {
        news.coversRetransmission = true
      } else if !segment.isSelectivelyAcknowledged {
        news.inSequence.add(segment.sentAt)
        hearOriginal(segment, highestBefore: highestBefore, &news)
      }
      if !segment.isSelectivelyAcknowledged {
        news.delivered += 1
        recent.add(segment, at: now)
      }
    }
    acknowledged = edge
    recent.highest = max(recent.highest, edge)
    news.advances = true
    news.restartsTimer = true
    timeoutCount = 0
  }

  /// RFC 6298 §3 (Karn), RFC 7323 §4.1 where only the timestamp tells.
  private mutating func measure(
    _ news: inout RecentAcknowledgement, headSentAt: Int64, at now: Int64
  ) {
    var sample: Int64?
    var latest: Int64?
    if !news.inSequence.isEmpty, !news.coversRetransmission {
      sample = now - news.inSequence.first
      latest = now - news.inSequence.last
    }
    if !news.beyondHole.isEmpty {
      let spread = now - news.beyondHole.first
      if sample == nil { sample = spread }
      latest = now - news.beyondHole.last
      // Data sent after the head was: its own timer must not be put off for ever.
      if !news.advances, !board.isEmpty, spread > now - headSentAt { news.restartsTimer = true }
    }
    if sample == nil, news.advances {
      sample = Int64(max(milliseconds(now) &- news.echo, 1)) * 1_000_000
    }
    news.roundTrip = latest
    if let latest { recent.measured(latest) }
    if let sample { measured(sample) }
    if let latest {
      window.hear(roundTrip: latest, acknowledged: acknowledged, next: next, at: now)
    }
  }

  /// A duplicate reported when nothing is under way any more.
  private mutating func hearLateDuplicate() {
    // RFC 8985 §7.4.2: a probe that the receiver had no need of was for no loss.
    if let end = probe.end, acknowledged >= end { probe.end = nil }
    undo.hearDuplicate()
    recent.hearDuplicate(acknowledged: acknowledged, next: next)
    if undo.explainsAll { undo.restore(&window) }
  }

  private mutating func adjustWindow(_ news: RecentAcknowledgement, at now: Int64) {
    if isPaced {
      window.size = pacing[0].hear(
        news, minimumRoundTrip: recent.minimumRoundTrip, window: window.size,
        inFlight: board.inFlight, repairs: isRepairing, at: now)
    } else if isReducing {
      if let size = reduction.window(
        delivered: news.delivered, inFlight: board.inFlight, threshold: window.threshold,
        advancesWithoutLoss: news.advances && news.newlyLost == 0)
      {
        window.size = size
      }
    } else if news.advances || recent.hasSeenReordering && news.delivered > 0 {
      if use.allowsGrowth(window) { window.grow(by: news.delivered, at: now) }
    }
  }

  private mutating func send(_ repairing: Repair, at now: Int64, from host: inout HostOutlet) {
    switch repairing {
    case .none: break
    case .newFirst:
      sendNew(at: now, hears: true, from: &host)
      if next <= recoveryPoint {
        suspectsTimeout = false
        repair(at: now, from: &host)
      }
    case .lostFirst: repair(at: now, from: &host)
    }
    sendNew(at: now, hears: true, from: &host)
  }

  // Deciding what an acknowledgement means: loss, recovery, or a false alarm.

  /// Moves between the phases; what is to be sent first.
  mutating func judge(_ news: inout RecentAcknowledgement, at now: Int64) -> Repair {
    let isPlain = news.advances && !news.reportsBeyondHole && !news.reportsDuplicate
    if phase == .open, isPlain, board.selective == 0, board.lost == 0 { return .none }
    if phase == .open {
      undo.forgetRetransmissions()
    } else if phase == .recovering, acknowledged >= recoveryPoint {
      concludeRecovery(news)
      if undo.isArmed, !isPaced { takeThreshold() }
    }
    switch phase {
    case .recovering: return judgeRecovery(&news, at: now)
    case .timedOut: return judgeTimeout(&news, at: now)
    case .open, .disorder:
      if undo.explainsAll { undo.restore(&window) }
      identifyLosses(&news, at: now)
      return judgeLosses()
    }
  }

  /// All that was under way when the trouble began has arrived.
  private mutating func concludeRecovery(_ news: RecentAcknowledgement) {
    if undo.isSpurious(echo: news.echo) {
      undo.restore(&window)
    } else {
      recent.endRecovery()
    }
    phase = .open
  }

  private mutating func judgeRecovery(
    _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Repair {
    // RFC 4015: the originals still arrive.
    if news.advances, undo.isArmed, undo.isOlder(echo: news.echo) {
      if board.retransmitted > 0 { return .none }
      if board.onceRetransmitted == 0 { undo.forgetRetransmissions() }
      takeBack(at: now)
      keepOpen()
      return .none
    }
    if undo.explainsAll {
      undo.restore(&window)
      keepOpen()
    }
    identifyLosses(&news, at: now)
    if phase != .recovering {
      settleDown()
      return .none
    }
    return .lostFirst
  }

  /// RFC 5682 §2.1 and §3.1.
  private mutating func judgeTimeout(_ news: inout RecentAcknowledgement, at now: Int64) -> Repair {
    if let repairing = suspect(news, at: now) { return repairing }
    if phase == .timedOut, acknowledged >= recoveryPoint { concludeRecovery(news) }
    identifyLosses(&news, at: now)
    guard phase == .timedOut else { return judgeLosses() }
    // A retransmission was lost again: a new reduction.
    if news.losesRetransmission { enterRecovery() }
    return .lostFirst
  }

  private mutating func suspect(_ news: RecentAcknowledgement, at now: Int64) -> Repair? {
    if news.advances && undo.isSpurious(echo: news.echo) || suspectsTimeout && news.coversOriginal {
      takeBack(at: now)
      phase = .open
      return .some(.none)
    }
    guard suspectsTimeout else { return nil }
    if next > recoveryPoint {
      if news.reportsBeyondHole || !news.advances { suspectsTimeout = false }
    } else if news.advances, acknowledged < recoveryPoint {
      recoveryPoint = next
      if buffer.written > next, rightEdge > next { return .newFirst }
      suspectsTimeout = false
    }
    return nil
  }

  private mutating func judgeLosses() -> Repair {
    guard board.lost > 0 else {
      settleDown()
      return .none
    }
    enterRecovery()
    return .lostFirst
  }

  private mutating func identifyLosses(_ news: inout RecentAcknowledgement, at now: Int64) {
    let before = board.retransmitted
    news.newlyLost = findLosses(at: now)
    if board.retransmitted < before { news.losesRetransmission = true }
    if alarm == .reordering { news.restartsTimer = false }
  }

  mutating func enterRecovery() {
    undo.arm(retransmitted: board.retransmitted)
    undo.remember(window: window.size, threshold: window.currentThreshold)
    beginReduction()
    if isPaced { pacing[0].model.save(window.size) }
    phase = .recovering
  }

  private mutating func beginReduction() {
    recoveryPoint = next
    probe.end = nil
    reduction.begin(window: window.size)
    window.threshold = window.thresholdAfterLoss()
  }

  private mutating func takeThreshold() { window.size = min(window.threshold, .max / 4) }

  private mutating func settleDown() {
    if board.onceRetransmitted == 0 { undo.forgetRetransmissions() }
    keepOpen()
  }

  private mutating func keepOpen() {
    phase = board.selective + board.lost + board.onceRetransmitted == 0 ? .open : .disorder
  }

  /// The reduction was a mistake.
  private mutating func takeBack(at now: Int64) {
    board.forgetLosses()
    undo.restore(&window)
    use.lastLimited = now
    timeoutCount = 0
    recent.hasAdvanced = true
  }
}
