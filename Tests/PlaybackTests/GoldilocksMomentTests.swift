import SimulatedWorld
import TestSupport
import Testing

/// The best moment to start, against arithmetic that knows nothing of the player.
///
/// A byte *n* is there at 8 × *n* ÷ bandwidth; the last byte before a media time *t* is due at
/// start + *t* ÷ rate. Both are straight between the corners of the file, so the best start is the
/// latest of the differences at the corners, and not before the first byte of media.
@Suite struct GoldilocksMomentTests {
  struct Case {
    var sizes: [Int64]
    var duration: Int64
    var head: Int64
    var bits: Int64
    var per: Int64
    var rate: (over: Int64, under: Int64)
    var tap: Int64

    init(seed: UInt64) {
      var random = RandomStream(seed: seed, name: "goldilocks")
      func draw(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }
      let seconds = draw(1...40)
      duration = draw(0...1) == 0 ? seconds * second : seconds * second - draw(0...999_999_999)
      let mean = draw(1_000...400_000)
      let isConstant = draw(0...2) == 0
      sizes = (0..<seconds).map { _ in
        if isConstant { return mean }
        return draw(0...5) == 0 ? 0 : draw(1...2 * mean)
      }
      sizes[Int(draw(0...seconds - 1))] += 1
      head = draw(0...1) == 0 ? 0 : draw(1...60_000)
      per = draw(0...1) == 0 ? 1 : draw(1...1_000)
      let total = sizes.reduce(0, +)
      bits = max(1, total * 8 * draw(300...2_500) / 1_000 / seconds) * per + draw(0...per - 1)
      rate = [(1, 2), (3, 4), (1, 1), (1, 1), (5, 4), (3, 2), (2, 1)][Int(draw(0...6))]
      tap = draw(0...3) == 0 ? 0 : draw(0...2 * seconds * second)
    }

    /// The nanosecond from which the end is reached without a stall.
    var bestStart: Int64 {
      // Over the common denominator bits × rate: arrival minus due.
      let scale = Int128(bits) * Int128(rate.over)
      func arrival(_ bytes: Int64) -> Int128 {
        Int128(head + bytes) * 8 * Int128(second) * Int128(per) * Int128(rate.over)
      }
      var latest = arrival(1)
      var (bytes, time): (Int64, Int64) = (0, 0)
      for size in sizes {
        bytes += size
        time = min(duration, time + second)
        // Nothing of a file is missing before its first byte is due.
        let due = Int128(time) * Int128(rate.under) * Int128(bits)
        latest = max(latest, arrival(bytes) - due)
      }
      return Int64((latest + scale - 1) / scale)
    }

    func play(at instant: Int64, _ ask: (SimulatedPlayer, PlaybackRate) -> Void) throws -> (
      SimulatedPlayer, EndReason
    ) {
      let bandwidth = Bandwidth.limited(BitRate(bitsPerSecond: bits, over: per))
      let world = try World(
        conditions: LinkConditions(downlink: DirectionConditions(bandwidth: bandwidth)),
        limits: RunLimits(eventBudget: 200))
      let player = world.makePlayer()
      let map = ByteMap(
        duration: MediaTime(nanoseconds: duration), stretch: .seconds(1), sizes: sizes)
      player.replaceCurrentItem(
        with: ItemSettings(
          source: .progressive(MediaFile(map: map, headAtomBytes: head))))
      world.advance(to: Instant(nanoseconds: instant))
      ask(player, PlaybackRate(Int32(rate.over), over: Int32(rate.under)))
      let end = world.run()
      #expect(world.finish() == [])
      return (player, end)
    }
  }

  @Test(arguments: Seeds.cases(of: 0..<8, few: 1))
  func `playback starts at the best moment, not a nanosecond later, and never stalls`(
    _ part: UInt64
  ) throws {
    var (waited, refusedEarlier) = (0, 0)
    for seed in part * 260..<(part + 1) * 260 {
      let this = Case(seed: seed)
      let (player, end) = try this.play(at: this.tap) { $0.rate = $1 }
      let best = max(this.tap, this.bestStart)
      #expect(end == .finished, "seed \(seed)")
      #expect(player.books.startupDelay == .nanoseconds(best - this.tap), "seed \(seed)")
      #expect(player.books.stallCount == 0, "seed \(seed)")
      #expect(player.currentTime().nanoseconds == this.duration, "seed \(seed)")
      guard best - this.tap > millisecond else { continue }
      waited += 1
      let (hasty, _) = try this.play(at: best - millisecond) { $0.playImmediately(atRate: $1) }
      // Where nothing at all is there a millisecond earlier, the start itself has to wait.
      let couldNotStart = (hasty.books.startupDelay ?? .forever) > .zero
      refusedEarlier += couldNotStart ? 1 : 0
      #expect(hasty.books.stallCount >= 1 || couldNotStart, "seed \(seed) \(this) best \(best)")
    }
    #expect(waited > 40 && refusedEarlier < waited / 2)
  }
}

private let second: Int64 = 1_000_000_000
private let millisecond: Int64 = 1_000_000
