import LinkConditioner
import Testing

/// What a sender sends for each thing it hears, in segments worked out from the RFCs.
@Suite struct SenderTests {
  /// When a timer that is set for so many milliseconds goes off.
  private func timer(_ span: Int64, from now: Int64) -> Int64 {
    CoarseTimer.deadline(span * DrivenSender.millisecond, from: now)
  }

  // MARK: Timers

  @Test func `an unanswered segment is probed for, then sent at doubling timeouts, fifteen times`()
  {
    var sender = DrivenSender()
    #expect(sender.write(1) == [0])
    // RFC 8985 §7.2: two round trips and 200 ms, but no later than the timeout of 300 ms; then
    // RFC 6298 §5.5 with a bound of two minutes.
    var spans: [Int64] = [300, 300]
    while spans.count < 16 { spans.append(min(2 * spans[spans.count - 1], 120_000)) }
    for span in spans {
      #expect(sender.alarm == timer(span, from: sender.now))
      #expect(sender.ring() == [0])
    }
    #expect(sender.ring() == [])
    #expect(sender.alarm == .max)
  }

  @Test func `where several are under way the probe comes after two round trips and 2 ms`() {
    var sender = DrivenSender()
    #expect(sender.write(2) == [0, 1])
    #expect(sender.alarm == timer(202, from: 0))
    // Nothing new is there to probe with: the last segment goes again.
    #expect(sender.ring() == [1])
    #expect(sender.alarm == timer(300, from: sender.now))
    // The timeout that follows says that both are lost; a window of one lets the first go.
    #expect(sender.ring() == [0])
  }

  @Test func `a probe is new data where there is some and the receiver has room`() {
    var sender = DrivenSender()
    #expect(sender.write(30) == Array(0..<10))
    #expect(sender.ring() == [10])
    var narrow = DrivenSender()
    #expect(narrow.write(1) == [0])
    #expect(narrow.hear(1, room: 3, at: 100) == [])
    // The receiver had promised 65,535 bytes at first, 45 segments, and takes none of it back.
    #expect(narrow.write(60, at: 101) == Array(1..<11))
    for edge in Int64(2)...8 {
      let sent = narrow.hear(edge, room: 3, at: 200)
      #expect(sent.allSatisfy { $0 < 45 })
    }
  }

  @Test func `whatever was last acknowledged, the timer starts anew with each that advances`() {
    var sender = DrivenSender()
    _ = sender.write(3)
    #expect(sender.hear(1, at: 150) == [])
    #expect(sender.alarm >= timer(208, from: 150 * DrivenSender.millisecond))
    let alarm = sender.alarm
    // The same again says nothing.
    #expect(sender.hear(1, at: 160) == [])
    #expect(sender.alarm == alarm)
    #expect(sender.hear(3, at: 170) == [])
    #expect(sender.alarm == .max)
  }

  /// RFC 8985 §7.4: the window pays for a loss that a probe repaired, and not for a needless probe.
  @Test(arguments: [(false, 5), (true, 10)])
  func `a probe that repaired a loss halves the window, a needless one does not`(
    isNeedless: Bool, window: Int
  ) {
    var sender = DrivenSender()
    #expect(sender.write(2) == [0, 1])
    #expect(sender.hear(1, at: 100) == [])
    #expect(sender.ring() == [1])
    let probed = sender.now / DrivenSender.millisecond
    #expect(sender.hear(2, at: probed + 20) == [])
    if isNeedless { #expect(sender.hear(2, twice: 1..<2, at: probed + 100) == []) }
    #expect(sender.write(1, at: probed + 101) == [2])
    #expect(sender.hear(3, at: probed + 201) == [])
    #expect(sender.write(40, at: probed + 202).count == window)
  }

  // MARK: Fast recovery

  /// A sender of ten segments of which the first was lost, after three others were heard of.
  private func recovering() -> DrivenSender {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    // RFC 3042: each of the first two lets one new segment go; RFC 6675: the third says lost.
    #expect(sender.hear(0, beyond: 1..<2, at: 100) == [10])
    #expect(sender.hear(0, beyond: 1..<3, at: 101) == [11])
    #expect(sender.hear(0, beyond: 1..<4, at: 102) == [0])
    return sender
  }

  @Test func `a loss is repaired at the third report, and five go for ten that are delivered`() {
    var sender = recovering()
    // RFC 6937 §3.1, with a threshold of five out of ten.
    let sent: [[Int64]] = (5...12).map { end in
      sender.hear(0, beyond: 1..<end, at: 103 + end)
    }
    #expect(sent == [[], [12], [], [13], [], [], [14], [15]])
    // What was under way when the loss was found has arrived: the window is the threshold.
    #expect(sender.hear(12, echo: 102, at: 203) == [16])
    // RFC 5681 §3.1: from here on one more for each window.
    var window: [Int] = []
    for edge in Int64(13)...17 { window.append(sender.hear(edge, at: 220).count) }
    #expect(window.reduce(0, +) == 6)
  }

  /// RFC 8985 §6.2, step 3, compares with what had arrived before: the same acknowledgement tells
  /// of the first segment and of one beyond the hole, and neither overtook the other.
  @Test func `an acknowledgement that advances to a hole tells of no reordering`() {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    #expect(!sender.hear(1, beyond: 2..<3, at: 100).contains(1))
    #expect(!sender.hear(1, beyond: 2..<4, at: 101).contains(1))
    #expect(sender.hear(1, beyond: 2..<5, at: 102).contains(1))
  }

  @Test func `a repair that is lost is sent again once a segment sent after it arrives`() {
    var sender = recovering()
    #expect(sender.hear(0, beyond: 1..<5, at: 103) == [])
    #expect(sender.hear(0, beyond: 1..<6, at: 104) == [12])
    for end in Int64(7)...12 { _ = sender.hear(0, beyond: 1..<end, at: 105) }
    // RFC 8985 §6.2: 12 was sent after the retransmission and is there before it.
    #expect(sender.hear(0, beyond: 1..<13, at: 204).contains(0))
  }

  @Test func `a needless repair gives the window back when the receiver says so`() {
    for isNeedless in [false, true] {
      var sender = recovering()
      for end in Int64(5)...12 { _ = sender.hear(0, beyond: 1..<end, at: 103 + end) }
      #expect(sender.hear(12, echo: 102, at: 203) == [16])
      // RFC 3708: the only retransmission was of something that had arrived. Two leave at a time,
      // and a fifth waits for the acknowledgement that lets more go.
      let sent = sender.hear(
        12, twice: isNeedless ? 0..<1 : nil, echo: 102, at: 204)
      #expect(sent == (isNeedless ? Array(17..<21) : []))
    }
  }

  @Test func `one segment beyond a hole waits for a quarter of a round trip before it is lost`() {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    #expect(sender.hear(0, beyond: 1..<2, at: 100) == [10])
    // RFC 8985 §6.2: 25 ms, and 2 ms more.
    #expect(sender.alarm == timer(27, from: sender.now))
    #expect(sender.ring() == [0])
  }

  @Test func `of two that are lost by then one goes, for one has been delivered`() {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    #expect(sender.hear(0, beyond: 2..<3, at: 100) == [10])
    // RFC 6937 §3.1: ⌈5 × 1 ÷ 10⌉.
    #expect(sender.ring() == [0])
  }

  @Test func `after a segment was overtaken, three beyond it are not yet a loss`() {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    #expect(sender.hear(0, beyond: 1..<2, at: 100) == [10])
    // It was late, and not lost: reordering was seen.
    #expect(sender.hear(2, at: 105).count == 2)
    for end in Int64(4)...6 {
      #expect(!sender.hear(2, beyond: 3..<end, at: 106).contains(2))
    }
    #expect(sender.alarm <= timer(60, from: sender.now))
    #expect(sender.ring() == [2])
  }

  @Test(arguments: [(nil, 25), (3..<4, 50)] as [(Range<Int64>?, Int64)])
  func `a repair found needless with nothing under way lets more be overtaken afterwards`(
    _ twice: Range<Int64>?, overtaking: Int64
  ) {
    var sender = DrivenSender()
    #expect(sender.write(10) == Array(0..<10))
    _ = sender.hear(0, beyond: 8..<10, at: 100)
    _ = sender.hear(10, at: 110)
    _ = sender.hear(10, twice: twice, at: 120)
    #expect(sender.write(10, at: 200) == Array(10..<20))
    _ = sender.hear(10, beyond: 11..<12, at: 300)
    // RFC 8985 §6.2: a quarter of a round trip, and another one after a needless repair.
    #expect(sender.alarm == timer(overtaking + 2, from: sender.now))
  }

  /// RFC 8985 §7.4.2: the original and the probe have arrived, so that nothing was lost.
  @Test func `a probe that the receiver answers with nothing new costs no window`() {
    var sender = DrivenSender()
    #expect(sender.write(10) == Array(0..<10))
    #expect(sender.ring() == [9])
    let now = sender.now / DrivenSender.millisecond
    #expect(sender.hear(10, at: now + 10) == [])
    #expect(sender.write(5, at: now + 20) == Array(10..<15))
    #expect(sender.hear(10, at: now + 100) == [])
    #expect(sender.hear(15, at: now + 120) == [])
    #expect(sender.write(40, at: now + 121).count == 20)
  }

  // MARK: Timeouts

  /// A sender of ten segments of which nothing was heard, at its first timeout.
  private func timedOut() -> DrivenSender {
    var sender = DrivenSender()
    #expect(sender.write(60) == Array(0..<10))
    #expect(sender.ring() == [10])
    #expect(sender.ring() == [0])
    return sender
  }

  @Test func `a timeout that was none is taken back when an original is acknowledged after it`() {
    var sender = timedOut()
    let now = sender.now / DrivenSender.millisecond
    // RFC 5682 §2.1: the first acknowledgement lets two new ones go, the second tells.
    #expect(sender.hear(1, echo: now, at: now + 10) == [11, 12])
    #expect(sender.hear(2, echo: now + 1, at: now + 11) == [])
    // All of the window is back, and in slow start each that arrives lets two go.
    #expect(sender.hear(3, echo: now + 1, at: now + 12) == [13, 14])
    #expect(sender.hear(4, echo: now + 1, at: now + 13) == [15, 16])
  }

  /// RFC 3522: the receiver echoes a time before the retransmission.
  @Test func `a timeout that was none is taken back at once where the echo tells`() {
    var sender = timedOut()
    let now = sender.now / DrivenSender.millisecond
    // Eleven are under way, and each that arrives lets two go once the window has room.
    #expect(sender.hear(1, echo: now - 1, at: now + 10) == [11])
    #expect(sender.hear(2, echo: now - 1, at: now + 11) == [12, 13])
    // Two round trips until a probe, and no timeout.
    #expect(sender.alarm < timer(300, from: sender.now))
    #expect(sender.hear(3, echo: now - 1, at: now + 12) == [14, 15])
  }

  @Test func `a timeout whose new segments arrive beyond the hole was one`() {
    var sender = timedOut()
    let now = sender.now / DrivenSender.millisecond
    #expect(sender.hear(1, echo: now, at: now + 100) == [11, 12])
    // RFC 5682 §2.1, step 3a: what was lost is sent, in the window of two.
    #expect(sender.hear(1, beyond: 11..<12, echo: now + 100, at: now + 200) == [1])
    #expect(sender.hear(1, beyond: 11..<13, echo: now + 100, at: now + 201) == [2])
    // Slow start: 1, 2 and 3 open the window to the threshold of five, from there it is linear.
    #expect(sender.hear(2, beyond: 11..<13, echo: now + 200, at: now + 300) == [3, 4])
    #expect(sender.hear(3, beyond: 11..<13, echo: now + 201, at: now + 301) == [5, 6])
    #expect(sender.hear(4, beyond: 11..<13, echo: now + 300, at: now + 400) == [7, 8])
    #expect(sender.hear(5, beyond: 11..<13, echo: now + 300, at: now + 400) == [9])
  }

  /// RFC 5682 §2.1, step 2b: without new data nothing can tell.
  @Test func `a timeout with nothing new to send is one`() {
    var sender = DrivenSender()
    #expect(sender.write(10) == Array(0..<10))
    #expect(sender.ring() == [9] && sender.ring() == [0])
    let now = sender.now / DrivenSender.millisecond
    #expect(sender.hear(1, echo: now, at: now + 10) == [1, 2])
    #expect(sender.hear(2, echo: now + 10, at: now + 20) == [3, 4])
  }

  /// An echo of the same millisecond is a round trip of one: 52 ms, of which an eighth is replaced
  /// twice, become 40.05 and not 39.81, and the timeout is 200 more, in ticks of four.
  @Test func `a round trip by its echo is a millisecond at least`() {
    var sender = DrivenSender(roundTrip: 52)
    #expect(sender.write(10) == Array(0..<10))
    #expect(sender.ring() == [9] && sender.ring() == [0])
    let now = (sender.now + 999_999) / DrivenSender.millisecond
    #expect(sender.hear(1, echo: now, at: now) == [1, 2])
    #expect(sender.hear(2, echo: now, at: now) == [3, 4])
    #expect(sender.alarm == timer(244, from: sender.now))
  }

  /// 44 segments are 63,712 bytes, and the receiver takes 64,240: less than a segment is left.
  @Test func `a timeout without room for a new segment is one`() {
    var sender = DrivenSender(window: 50)
    #expect(sender.write(60) == Array(0..<44))
    #expect(sender.ring() == [43] && sender.ring() == [0])
    let now = sender.now / DrivenSender.millisecond
    #expect(sender.hear(1, echo: now, room: 43, at: now + 10) == [1, 2])
    #expect(sender.hear(2, echo: now + 10, room: 42, at: now + 20) == [3, 4])
  }

  /// RFC 2861 §3.1: a window is validated after a timeout's worth of disuse, counted from when it
  /// was last changed; a timeout changes it.
  @Test func `a window that a timeout has just set is not shrunk for disuse`() {
    var sender = DrivenSender(window: 1)
    #expect(sender.write(1) == [0])
    #expect(sender.ring() == [0])
    #expect(sender.ring() == [0])
    let now = sender.now / DrivenSender.millisecond
    #expect(sender.hear(1, echo: now, at: now + 100) == [])
    // One acknowledged: the window is two, of which one is used for a while.
    #expect(sender.write(1, at: now + 101) == [1])
    #expect(sender.hear(2, at: now + 201) == [])
    #expect(sender.write(5, at: now + 202) == [2, 3])
  }

  @Test func `a timeout within a recovery does not halve the threshold again`() {
    var sender = recovering()
    while sender.ring() != [0] {}
    let now = sender.now / DrivenSender.millisecond
    // Slow start goes to five, not to two: 1, 2, 3, 4, 5 under way.
    var edge: Int64 = 0
    var most = 0
    for round in Int64(1)...3 {
      edge += 4
      most = max(most, sender.hear(edge, echo: now, at: now + 100 * round).count)
    }
    #expect(most >= 4)
  }

  // MARK: What else holds a sender up

  /// A Linux server writes files so: over 2 Mbit/s and 20 ms 135 segments of 173 left at once.
  @Test func `what has no room in the send buffer waits, however wide the window is`() {
    var sender = DrivenSender()
    var count = sender.write(150).count
    for edge in Int64(1)...150 { count += sender.hear(edge, room: 191, at: 100 + 6 * edge).count }
    #expect(count == 150)
    // The buffer has followed the window to 45 segments of 4,608 bytes: 207,360. Half of what the
    // receiver takes is 95 segments: at the third piece of 45 all leaves, in 68 bursts whose heads
    // take 832 bytes each, and 252,056 bytes are more than a new piece may find in use.
    #expect(sender.write(173, at: 1_050).count == 135)
    // The rest, as far as the window of 161 goes.
    #expect(sender.hear(151, room: 191, at: 1_150).count == 161 - 134)
  }

  @Test(arguments: [(64_240, 45), (64_241, 44)] as [(Int64, Int)])
  func `before a receiver says more it takes 64,240 bytes`(bytes: Int64, segments: Int) {
    // The window of a Linux SYN is 44 segments of 1,460 bytes; the last segment is a short one.
    var sender = DrivenSender(window: 100)
    #expect(sender.write(bytes: bytes) == segments)
  }

  /// Twice the pace of the window for 1/1,024 s, on a path of 6 ms: three segments of a window of
  /// 11 or 12, four of 13 to 15, five of 16 to 18.
  @Test func `less than a burst waits for an acknowledgement that is due at once`() {
    var sender = DrivenSender(window: 10, roundTrip: 6)
    #expect(sender.write(60) == Array(0..<10))
    // Nothing has left for 6 ms: a burst that has waited so long waits no longer.
    #expect(sender.hear(1, at: 6) == [10, 11])
    var sent: [Int] = []
    for edge in Int64(2)...9 { sent.append(sender.hear(edge, at: 6).count) }
    // With the eighth six may leave, and after five the sixth waits.
    #expect(sent == [0, 4, 0, 4, 0, 0, 5, 0])
  }

  @Test func `nothing is sent past what the receiver takes`() {
    var sender = DrivenSender(window: 30)
    #expect(sender.write(100) == Array(0..<30))
    // The first offer stands: 64,240 bytes, 44 segments. Then as far as there is room.
    #expect(sender.hear(10, room: 20, at: 100) == Array(30..<44))
    #expect(sender.hear(20, room: 20, at: 101) == [])
    #expect(sender.hear(30, room: 16, at: 102) == [44, 45])
  }

  /// Ha and Rhee 2011: a train of acknowledgements longer than half a round trip ends slow start,
  /// and what comes beyond a hole in the first round trip is such a train.
  @Test(arguments: [16, 17, 18, 20, 24, 25, 30, 32, 40, 44] as [Int64])
  func `the first round trip of a connection can be the one that ends slow start`(window: Int64) {
    for begins in [3, 50, 170, 1_000, 86_400_000] as [Int64] {
      var sender = DrivenSender(window: Int32(window), .cubic, roundTrip: 2, begins: begins)
      #expect(sender.write(4 * window).count == window)
      // Three arrived beyond the first one, which is taken for lost.
      #expect(sender.hear(0, beyond: 1..<5, at: begins + 2).first == 0)
      // It was late: the window is given back, and is as far as it goes for now.
      let sent = sender.hear(window, echo: begins, at: begins + 3)
      #expect(sent.last == 2 * window - 1)
    }
  }
}
