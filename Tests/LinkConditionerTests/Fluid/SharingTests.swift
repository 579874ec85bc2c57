import LinkConditioner
import Testing
import VirtualTime

/// A small generator for the tests, so that every case can be named by its seed.
struct SeededGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  mutating func next(in range: ClosedRange<Int64>) -> Int64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return range.lowerBound + Int64(state >> 11) % (range.upperBound - range.lowerBound + 1)
  }
}

@Suite struct SharingTests {
  /// Whether an integer instant is the real one, rounded up.
  static func agrees(_ instant: Int64?, _ real: Double?) -> Bool {
    guard let instant, let real else { return instant == nil && real == nil }
    // Real numbers in the oracle carry a millionth of a nanosecond of noise.
    let low = (real - 1e-3).rounded(.up)
    let high = (real + 1e-3).rounded(.up)
    return low <= Double(instant) && Double(instant) <= high
  }

  @Test(arguments: 0..<15)
  func `completions are those of ideal sharing, rounded up to a nanosecond`(group: Int) throws {
    for seed in group * 20..<group * 20 + 20 { try compare(seed) }
  }

  @Test(arguments: 0..<15)
  func `by weight as well`(group: Int) throws {
    for seed in group * 20..<group * 20 + 20 { try compare(seed, isWeighted: true) }
  }

  @Test(
    arguments: [
      (0, 1_000_000, 2_000), (1, 1_000_000, 2_000), (999, 999_000, 1_000),
      (1_000, 1_000_000, 1_001), (1_001, 1_000_000, 1_001),
    ] as [(Int32, Int64, Int64)])
  func `an owner has from one to a thousand shares`(
    weight: Int32, bytes: Int64, milliseconds: Int64
  ) throws {
    var driver = LinkDriver(try Link(conditions: .down(8_000_000)))
    driver.link.setWeight(weight, ofOwner: 1, others: 0, at: .zero)
    let favoured = driver.start(Request(bytes: bytes, owner: 1))
    _ = driver.start(Request(bytes: 9_000_000, owner: 2))
    driver.run(until: 3_000 * millisecond)
    #expect(driver.completion(of: favoured) == milliseconds * millisecond)
  }

  private func compare(_ seed: Int, isWeighted: Bool = false) throws {
    var random = SeededGenerator(UInt64(seed) + 1)
    let horizon: Int64 = 4_000_000_000
    let pieces = (0..<random.next(in: 1...6)).map { _ in
      RatePiece(
        duration: random.next(in: 1...900_000_000),
        bitsPerSecond: random.next(in: 0...4) == 0 ? 0 : Double(random.next(in: 1...50_000_000)))
    }
    // Starts are in ascending order: the link numbers transfers as they come.
    let starts = (0..<random.next(in: 1...14)).map { _ in random.next(in: 0...1_500_000_000) }
    let delay = random.next(in: 0...200_000_000)
    let plans = starts.sorted().map { start in
      let first = start + random.next(in: 1...500_000_000)
      let second = first + random.next(in: 1...500_000_000)
      return TransferPlan(
        start: start, bytes: random.next(in: 0...600_000),
        toggles: random.next(in: 0...2) == 0 ? [first, second] : [],
        cancelled: random.next(in: 0...6) == 0 ? second + random.next(in: 1...100_000_000) : nil,
        weight: isWeighted ? Int32(random.next(in: 1...5)) : 1,
        reweighed: isWeighted && random.next(in: 0...1) == 0
          ? (start + random.next(in: 0...900_000_000), Int32(random.next(in: 1...5))) : nil)
    }
    let schedule = try RateSchedule(
      steps: pieces.map {
        .init(
          duration: .nanoseconds($0.duration),
          bandwidth: .limited(.bitsPerSecond(Int64($0.bitsPerSecond))))
      }, ending: .loops)
    let link = try Link(
      conditions: LinkConditions(downlink: .init(delay: .nanoseconds(delay))), schedule: schedule)
    let oracle = SharingOracle(plans: plans, pieces: pieces, delay: delay)
    let expected = oracle.completions(until: horizon)
    let run = LinkRun(plans, on: link, until: horizon)
    for (index, pair) in zip(run.completions, expected).enumerated() {
      #expect(Self.agrees(pair.0, pair.1), "seed \(seed), transfer \(index): \(pair)")
    }
    for books in run.books { #expect(books.balance, "\(books)") }
  }
}
