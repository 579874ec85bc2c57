import Testing
import VirtualTime

@Suite struct RandomStreamTests {
  // Outputs of the reference implementations at https://prng.di.unimi.it, as widely published.
  @Test func `splitmix64 gives the published numbers`() {
    var generator = SplitMix64(state: 1_234_567)
    let drawn = (0..<5).map { _ in generator.next() }
    #expect(
      drawn == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `xoshiro256** gives the published numbers`() {
    var stream = RandomStream(state: (1, 2, 3, 4))
    let drawn = (0..<10).map { _ in stream.next() }
    #expect(
      drawn == [
        11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
        607_988_272_756_665_600, 16_172_922_978_634_559_625, 8_476_171_486_693_032_832,
        10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
      ])
  }

  @Test(arguments: [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ])
  func `FNV-1a gives the published hashes`(text: String, hash: UInt64) {
    #expect(fnv1a(text) == hash)
  }

  // Computed by a separate implementation in another language; a change breaks every golden trace.
  @Test(arguments: [
    (503, "loss/downlink", [0x1CBC_B578_C1D3_89A1, 0xD1A7_8A9E_AE75_CD24, 0x6EFE_4D98_973E_E161]),
    (503, "loss/uplink", [0xB7D6_A0BA_A717_7DD8, 0x9B5A_192E_6032_2EDE, 0x0690_CC17_BF17_D8DF]),
    (0, "", [0x1E28_178E_EDBF_0F30, 0x32DA_DB1A_9E4A_4D08, 0x4EF4_9088_479A_6D5C]),
    (.max, "größe", [0x081C_C03D_1238_6D15, 0xC693_D1D4_AAC7_7000, 0xAFFF_C8E8_402F_94CD]),
  ])
  func `a stream is decided by seed and name alone`(seed: UInt64, name: String, words: [UInt64]) {
    var stream = RandomStream(seed: seed, name: name)
    #expect((0..<words.count).map { _ in stream.next() } == words)
  }

  @Test func `streams of near seeds and near names do not resemble each other`() {
    var words: [UInt64] = []
    for seed in UInt64(0)..<40 {
      for name in ["loss/downlink", "loss/uplink", "loss/downlinj", "", "a", "b"] {
        var stream = RandomStream(seed: seed, name: name)
        words.append(stream.next())
      }
    }
    var bits = 0
    for (word, next) in zip(words, words.dropFirst()) {
      bits += (word ^ next).nonzeroBitCount
    }
    // Independent words differ in half of their bits: 32 on average, here within 5 deviations.
    let mean = Double(bits) / Double(words.count - 1)
    #expect(mean > 30.7 && mean < 33.3)
    #expect(Set(words).count == words.count)
  }

  @Test(arguments: [1, 2, 3, 6, 10, 100, 1_000])
  func `a bounded draw is uniform`(bound: UInt64) {
    var stream = RandomStream(seed: 51, name: "uniform")
    var counts = [Int](repeating: 0, count: Int(bound))
    let expected = 200
    for _ in 0..<(Int(bound) * expected).clamped(to: 2_000...40_000) {
      counts[Int(stream.next(below: bound))] += 1
    }
    let mean = Double(counts.reduce(0, +)) / Double(bound)
    let deviations = counts.map { (Double($0) - mean) * (Double($0) - mean) / mean }
    let chiSquared = deviations.reduce(0, +)
    let freedom = Double(bound - 1)
    // Five deviations above the mean of the chi-squared distribution.
    #expect(chiSquared <= freedom + 5 * (2 * freedom).squareRoot())
    #expect(bound == 1 || chiSquared > 0)
  }

  @Test func `a bound that divides no power of two refuses what would favour some draws`() {
    // Of 2⁶⁴ words a bound of 3 × 2⁶² leaves a quarter over; taken as they are, every third draw
    // would be twice as likely as the others.
    let bound: UInt64 = 3 << 62
    var stream = RandomStream(seed: 52, name: "refused")
    var counts = [0, 0, 0]
    for _ in 0..<9_000 {
      let draw = stream.next(below: bound)
      #expect(draw < bound)
      counts[Int(draw % 3)] += 1
    }
    // A deviation is 45; the biased draw would be off by 750.
    for count in counts {
      #expect(abs(count - 3_000) < 225)
    }
  }

  @Test func `a draw from a range takes both ends and nothing beyond`() {
    var stream = RandomStream(seed: 53, name: "ranges")
    var seen = Set<Int64>()
    for _ in 0..<200 { seen.insert(stream.next(in: -2...2)) }
    #expect(seen == [-2, -1, 0, 1, 2])
    #expect(stream.next(in: 7...7) == 7)
    #expect(stream.next(in: Int64.min...Int64.min) == .min)
    var negative = 0
    for _ in 0..<1_000 where stream.next(in: Int64.min...Int64.max) < 0 { negative += 1 }
    #expect(negative > 420 && negative < 580)
    for _ in 0..<1_000 {
      let draw = stream.next(in: (Int64.min + 1)...Int64.max)
      #expect(draw > Int64.min)
    }
  }

  @Test func `a chance comes true as often as it says`() {
    var stream = RandomStream(seed: 54, name: "chances")
    var hits = 0
    for _ in 0..<20_000 where stream.chance(numerator: 3, denominator: 100) { hits += 1 }
    // 600 expected, a deviation is 24.
    #expect(hits > 480 && hits < 720)
    for _ in 0..<500 {
      let never = stream.chance(numerator: 0, denominator: 7)
      let always = stream.chance(numerator: 7, denominator: 7)
      let surely = stream.chance(numerator: .max, denominator: .max)
      #expect(!never && always && surely)
    }
  }

  @Test func `two chances of one denominator draw the same numbers`() {
    var rare = RandomStream(seed: 55, name: "loss")
    var often = rare
    for _ in 0..<2_000 {
      let first = rare.chance(numerator: 1, denominator: 1_000)
      let second = often.chance(numerator: 500, denominator: 1_000)
      #expect(!first || second)
    }
    #expect(rare == often)
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
