// Hearing acknowledgements: what arrived, how long it took.

extension Sender {
  /// Hears the acknowledgement that a packet carries, and sends what it allows.
  package mutating func hear(_ packet: Packet, at now: Int64, from host: inout HostOutlet) {
    let edge = packet.acknowledgement
    guard edge >= acknowledged, edge <= next else { return }
    rightEdge = max(rightEdge, edge + Int64(packet.window))
    let isDuplicateOfNothing =
      packet.blockCount == 0 && edge == acknowledged && !board.isEmpty && packet.length > 0
    if board.isEmpty || isDuplicateOfNothing {
      if packet.reportsDuplicate { hearLateDuplicate() }
      sendNew(at: now, hears: true, from: &host)
      return
    }
    var news = RecentAcknowledgement()
    news.echo = packet.echo
    let delivered = settle(packet, &news, at: now)
    news.delivered = delivered
    judgeProbe(edge, news, isPureDuplicate: packet.length == 0)
    let repairing = judge(&news, at: now)
    if news.restartsTimer, !scheduleProbe(advancing: true, at: now) { restartTimer(at: now) }
    adjustWindow(news, at: now)
    send(repairing, at: now, from: &host)
  }

  /// Updates the scoreboard, the round trip and the window's law; how many segments arrived.
  private mutating func settle(
    _ packet: Packet, _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Int64 {
    if packet.reportsDuplicate {
      news.reportsDuplicate = true
      undo.hearDuplicate()
    }
    var delivered = hearBlocks(packet, &news, at: now)
    let headSentAt = board[board.first].sentAt
    delivered += removeAcknowledged(packet.acknowledgement, &news, at: now)
    measure(&news, headSentAt: headSentAt, at: now)
    if news.reportsDuplicate {
      recent.hearDuplicate(acknowledged: acknowledged, next: next)
    }
    return delivered
  }

  /// RFC 2018: the blocks beyond the acknowledgement.
  private mutating func hearBlocks(
    _ packet: Packet, _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Int64 {
    guard packet.blockCount > 0 else { return 0 }
    var delivered: Int64 = 0
    let highestBefore = max(recent.highest, acknowledged)
    let known = knownBlocks
    var heard = (KnownBlock(), KnownBlock(), KnownBlock())
    for index in (packet.reportsDuplicate ? 1 : 0)..<packet.blockCount {
      let block = packet.block(index)
      let start = packet.acknowledgement + Int64(block.start)
      let end = packet.acknowledgement + Int64(block.end)
      switch index {
      case 0: heard.0 = KnownBlock(start: start, end: end)
      case 1: heard.1 = KnownBlock(start: start, end: end)
      default: heard.2 = KnownBlock(start: start, end: end)
      }
      delivered += hearRange(
        start, end, known: known, highestBefore: highestBefore, &news, at: now)
    }
    knownBlocks = heard
    return delivered
  }

  /// Marks a range as arrived, leaving out what an earlier acknowledgement said already.
  private mutating func hearRange(
    _ start: Int64, _ end: Int64, known: (KnownBlock, KnownBlock, KnownBlock),
    highestBefore: Int64, _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Int64 {
    var delivered: Int64 = 0
    var position = board.position(at: max(start, acknowledged))
    while position < board.end {
      let segment = board[position]
      if segment.end > end { break }
      if segment.isSelectivelyAcknowledged {
        let skipped = Self.knownEnd(of: segment.sequence, in: known)
        position = skipped > segment.end ? board.position(at: skipped) : position + 1
        continue
      }
      news.reportsBeyondHole = true
      delivered += 1
      hearOriginal(segment, highestBefore: highestBefore, &news)
      if !segment.wasRetransmitted { news.beyondHole.add(segment.sentAt) }
      recent.add(segment, at: now)
      board.markSelective(position)
      recent.highest = max(recent.highest, segment.end)
      position += 1
    }
    return delivered
  }

  private static func knownEnd(
    of sequence: Int64, in known: (KnownBlock, KnownBlock, KnownBlock)
  ) -> Int64 {
    if known.0.start <= sequence, sequence < known.0.end { return known.0.end }
    if known.1.start <= sequence, sequence < known.1.end { return known.1.end }
    if known.2.start <= sequence, sequence < known.2.end { return known.2.end }
    return 0
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
    _ edge: Int64, _ news: inout RecentAcknowledgement, at now: Int64
  ) -> Int64 {
    guard edge > acknowledged else { return 0 }
    var delivered: Int64 = 0
    let highestBefore = recent.highest
    while !board.isEmpty, board[board.first].end <= edge {
      let segment = board.removeFirst()
      if segment.wasRetransmitted {
        news.coversRetransmission = true
      } else if !segment.isSelectivelyAcknowledged {
        news.inSequence.add(segment.sentAt)
        hearOriginal(segment, highestBefore: highestBefore, &news)
      }
      if !segment.isSelectivelyAcknowledged {
        delivered += 1
        recent.add(segment, at: now)
      }
    }
    acknowledged = edge
    recent.highest = max(recent.highest, edge)
    news.advances = true
    news.restartsTimer = true
    timeoutCount = 0
    return delivered
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
    if let latest { recent.measured(latest) }
    if let sample { measured(sample) }
    if let latest {
      window.hear(roundTrip: latest, acknowledged: acknowledged, next: next, at: now)
    }
  }

  /// A duplicate reported when nothing is under way any more.
  private mutating func hearLateDuplicate() {
    // RFC 8985 §7.4.2: a probe that the receiver had no need of was for no loss.
    if let end = probeEnd, acknowledged >= end { probeEnd = nil }
    undo.hearDuplicate()
    recent.hearDuplicate(acknowledged: acknowledged, next: next)
    if undo.explainsAll { undo.restore(&window) }
  }

  private mutating func adjustWindow(_ news: RecentAcknowledgement, at now: Int64) {
    if isReducing {
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

  private mutating func send(
    _ repairing: Repair, at now: Int64, from host: inout HostOutlet
  ) {
    switch repairing {
    case .none:
      break
    case .newFirst:
      sendNew(at: now, hears: true, from: &host)
      if next <= recoveryPoint {
        suspectsTimeout = false
        repair(at: now, from: &host)
      }
    case .lostFirst:
      repair(at: now, from: &host)
    }
    sendNew(at: now, hears: true, from: &host)
  }
}
