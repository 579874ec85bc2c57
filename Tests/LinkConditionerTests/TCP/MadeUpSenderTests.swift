import LinkConditioner
import TestSupport
import Testing

/// Senders whose acknowledgements are made up, at whole milliseconds so that they meet timers and
/// each other, held to what was sent when that was last reviewed.
@Suite struct MadeUpSenderTests {
  private static let senders = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/senders", seeds: 4_000)

  @Test func `a sender whose acknowledgements are made up sends what it did`() async throws {
    let lines = await Self.senders.lines(few: 400) { seed in
      var sender = MadeUpSender(seed)
      return sender.answer()
    }
    #expect(try Self.senders.differences(from: lines) == [])
  }
}

private struct MadeUpSender {
  private var draw: Draw
  private var sender: DrivenSender
  /// The path's round trip in milliseconds, and the greatest number of one acknowledgement.
  private let roundTrip: Int
  private let stride: Int
  private var edge: Int64 = 0
  private var next: Int64 = 0
  /// Segments beyond a hole that the receiver has.
  private var beyondHole: Set<Int64> = []
  private var time: Int64 = 0
  private var print = Fingerprint()

  init(_ seed: Int) {
    draw = Draw(seed: UInt64(seed), part: "sender")
    roundTrip = draw.one(of: [1, 10, 20, 50, 100, 200])
    stride = draw.one(of: [1, 2, 4, 10, 40])
    sender = DrivenSender(
      window: Int32(draw.one(of: [1, 2, 4, 10, 30])), [.bbr, .cubic, .reno][seed % 3],
      roundTrip: Int64(roundTrip))
  }

  mutating func answer() -> String {
    for _ in 0..<200 {
      let sent = act()
      next = max(next, (sent.max() ?? -1) + 1)
      print.add("\(sender.now) \(sent) \(sender.alarm)")
    }
    return print.text
  }

  private mutating func act() -> [Int64] {
    // A timer goes off when it is due, or a little late.
    let pause = pause()
    if sender.alarm <= (time + pause) * DrivenSender.millisecond, draw.below(8) > 0 {
      let sent = sender.ring()
      time = (sender.now + DrivenSender.millisecond - 1) / DrivenSender.millisecond
      return sent
    }
    time += pause
    if next == edge || draw.below(12) == 0 {
      return sender.write(Int64(draw.magnitude(1...400)), at: time)
    }
    return hear()
  }

  /// Mostly less than a round trip; now and then one to the millisecond, or a long rest.
  private mutating func pause() -> Int64 {
    switch draw.below(40) {
    case 0: Int64(draw.one(of: [200, 1_000, 5_000, 10_000]))
    case 1...8: Int64(roundTrip)
    case 9...20: 0
    default: Int64(draw.below(roundTrip + 1) / 2)
    }
  }

  private mutating func hear() -> [Int64] {
    let before = edge
    if draw.below(5) > 0 { edge = min(next, edge + Int64(draw.below(stride) + 1)) }
    while beyondHole.contains(edge) { edge += 1 }
    var beyond: Range<Int64>?
    if next - edge > 2, draw.below(3) == 0 {
      let start = edge + 1 + Int64(draw.below(min(Int(next - edge) - 1, 6)))
      beyond = start..<min(next, start + Int64(draw.below(stride) + 1))
    }
    beyondHole.formUnion(beyond ?? 0..<0)
    let twice = edge == before && edge > 0 && draw.below(6) == 0 ? edge - 1..<edge : nil
    let echo = max(time - Int64(roundTrip) - Int64(draw.below(3)) / 2, 0)
    let room = draw.below(30) == 0 ? Int64(draw.below(20)) : 10_000
    return sender.hear(edge, beyond: beyond, twice: twice, echo: echo, room: room, at: time)
  }
}
