import LinkConditioner
import Testing

/// What a receiver acknowledges at once, what later, and what it says of holes.
@Suite struct ReceiverTests {
  private static let millisecond: Int64 = 1_000_000

  /// Hears a segment, by its number; whether an acknowledgement goes out at once.
  private func hears(
    _ receiver: inout Receiver, _ number: Int64, at now: Int64 = 0, roundTrip: Int64 = 50
  ) -> Bool {
    var packet = Packet(seat: 0, generation: 0, kind: .segment)
    packet.sequence = number * Packet.segmentBytes
    packet.length = Int32(Packet.segmentBytes)
    return receiver.hear(
      packet, timeout: 300 * Self.millisecond, smoothed: roundTrip * Self.millisecond, at: now)
  }

  private func acknowledgement(_ receiver: inout Receiver, at now: Int64 = 0) -> Packet {
    var packet = Packet(seat: 0, generation: 0, kind: .segment)
    receiver.stamp(&packet, at: now)
    return packet
  }

  /// A receiver that has acknowledged so many segments, each by itself.
  private func receiver(after count: Int64) -> Receiver {
    var receiver = Receiver()
    for number in 0..<count {
      _ = hears(&receiver, number)
      _ = acknowledgement(&receiver)
    }
    return receiver
  }

  @Test func `after sixteen quick ones every second full segment is acknowledged at once`() {
    var receiver = receiver(after: 60)
    var answers: [Bool] = []
    for number in Int64(60)..<70 {
      answers.append(hears(&receiver, number))
      if answers.last == true {
        #expect(acknowledgement(&receiver).acknowledgement == (number + 1) * Packet.segmentBytes)
      }
    }
    // RFC 5681 §4.2.
    #expect(answers == [false, true, false, true, false, true, false, true, false, true])
  }

  /// The buffer of 81,920 bytes of segments holds what waits as well, and the window's edge stays
  /// where it was offered once.
  @Test func `segments beyond a hole open the window and take up its room`() {
    var receiver = receiver(after: 1)
    var offers: [Int32] = []
    for number in Int64(2)...12 {
      _ = hears(&receiver, number)
      offers.append(acknowledgement(&receiver).window)
    }
    #expect(offers == [70_656, 73_728] + Array(repeating: 76_800, count: 9))
    _ = hears(&receiver, 1)
    let filled = acknowledgement(&receiver)
    // 81,920 − 12 × 1,440 for what is not read yet, in units of 1,024.
    #expect(filled.acknowledgement == 13 * Packet.segmentBytes && filled.window == 65_536)
  }

  @Test func `behind the second of two holes what waits leaves less of the window`() {
    var receiver = receiver(after: 20)
    #expect(acknowledgement(&receiver).window == 80_896)
    for number in Array(21...30) + Array(32...41) as [Int64] { _ = hears(&receiver, number) }
    _ = acknowledgement(&receiver)
    _ = hears(&receiver, 20)
    // No less than what was offered before: 80,896 − 11 × 1,448, in units of 1,024.
    let filled = acknowledgement(&receiver)
    #expect(filled.acknowledgement == 31 * Packet.segmentBytes && filled.window == 65_536)
    _ = hears(&receiver, 42)
    // 81,920 − 11 × 1,440.
    #expect(acknowledgement(&receiver).window == 66_560)
  }

  /// The size is twice the data of a round trip, ten segments at first, and all from the hole on:
  /// 81,920 and with 36 segments 82,536 bytes, with 60 it is 117,288; less 1,440 not yet read, in
  /// units of 1,024.
  @Test(arguments: [(1, 80_896), (35, 80_896), (36, 81_920), (60, 116_736)] as [(Int64, Int32)])
  func `a long hole makes the buffer larger`(waiting: Int64, window: Int32) {
    var receiver = receiver(after: 1)
    for number in 2..<waiting + 2 { _ = hears(&receiver, number) }
    for number in [1] + Array(waiting + 2..<waiting + 60) { _ = hears(&receiver, number) }
    #expect(acknowledgement(&receiver).window == window)
  }

  /// Three at once, and then one for 44, so that a burst beyond a hole is no burst of answers. The
  /// very first opens the window, which is told at once and is none of the three.
  @Test func `beyond a hole the first three are answered at once, and then 44 with one answer`() {
    var receiver = receiver(after: 60)
    var answered: [Int64] = []
    for number in Int64(1)...140 where hears(&receiver, 60 + number) {
      answered.append(number)
      let packet = acknowledgement(&receiver)
      #expect(packet.acknowledgement == 60 * Packet.segmentBytes)
      #expect(packet.blockCount == 1 && !packet.reportsDuplicate)
      #expect(packet.block(0).start == Int32(Packet.segmentBytes))
      #expect(packet.block(0).end == Int32((number + 1) * Packet.segmentBytes))
    }
    #expect(answered == [1, 2, 3, 4, 48, 92, 136])
  }

  /// A twentieth of the round trip, and a millisecond at most.
  @Test(arguments: [(10, 500_000), (20, 1_000_000), (200, 1_000_000)] as [(Int64, Int64)])
  func `what is gathered is answered after a twentieth of a round trip`(
    roundTrip: Int64, span: Int64
  ) {
    var receiver = receiver(after: 60)
    for number in Int64(61)...64 {
      #expect(hears(&receiver, number, at: 7, roundTrip: roundTrip))
      _ = acknowledgement(&receiver, at: 7)
    }
    #expect(!hears(&receiver, 65, at: 7, roundTrip: roundTrip))
    #expect(!hears(&receiver, 66, at: 90, roundTrip: roundTrip))
    #expect(receiver.nextWake == 7 + span)
    let isDue = receiver.wake(timeout: 300 * Self.millisecond, at: 7 + span)
    #expect(isDue)
    _ = acknowledgement(&receiver, at: 7 + span)
    #expect(receiver.nextWake == .max)
  }

  @Test func `a hole that is filled is acknowledged at once, with all that is behind it`() {
    var receiver = receiver(after: 60)
    #expect(hears(&receiver, 61) && hears(&receiver, 62))
    _ = acknowledgement(&receiver)
    #expect(hears(&receiver, 60))
    #expect(receiver.expected == 63 * Packet.segmentBytes)
    let packet = acknowledgement(&receiver)
    #expect(packet.acknowledgement == 63 * Packet.segmentBytes && packet.blockCount == 0)
  }

  /// RFC 2883: the first block, once.
  @Test func `what comes twice is reported first, below the acknowledgement or beyond it`() {
    var receiver = receiver(after: 60)
    #expect(hears(&receiver, 9))
    var packet = acknowledgement(&receiver)
    #expect(packet.reportsDuplicate && packet.blockCount == 1)
    #expect(packet.block(0).start == Int32(-51 * Packet.segmentBytes))
    #expect(hears(&receiver, 62))
    _ = acknowledgement(&receiver)
    #expect(hears(&receiver, 62))
    packet = acknowledgement(&receiver)
    #expect(packet.reportsDuplicate && packet.blockCount == 2)
    #expect(packet.block(0) == packet.block(1))
    packet = acknowledgement(&receiver)
    #expect(!packet.reportsDuplicate && packet.blockCount == 1)
  }

  /// RFC 2018 §4: the one heard of last first, and no more than three.
  @Test func `of many holes the latest three are told`() {
    var receiver = receiver(after: 60)
    for number in [62, 64, 66, 68] as [Int64] { _ = hears(&receiver, number) }
    let packet = acknowledgement(&receiver)
    #expect(packet.blockCount == 3)
    let starts = (0..<3).map { Int64(packet.block($0).start) / Packet.segmentBytes }
    #expect(starts == [8, 6, 4])
  }
}
