import Foundation
import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// The rules of the literature, each asked what its authors' simulator asked it.
@Suite struct PublishedRuleTests {
  private struct Row {
    var quality: Int
    var size: Double
    var took: Double
    var firstByte = 0.0
    var level: Double
    var delay = 0.0
    var fullFor = 0.0
  }

  private struct Run {
    var rule: String
    var bitrates: [Double] = []
    var segmentLength = 0.0
    var rows: [Row] = []
  }

  private static func lines(_ file: String) throws -> [[Substring]] {
    let text = try String(
      contentsOf: Checkout.at("Tests/PolicyTests/Published/\(file)"), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: " ", omittingEmptySubsequences: false)
    }
  }

  private static func numbers(_ fields: some Sequence<Substring>) -> [Double] {
    fields.compactMap { Double($0) }
  }

  private static func sabreRuns() throws -> [Run] {
    var runs: [Run] = []
    for fields in try lines("sabre.txt") {
      if fields[0] == "run" {
        let parts = fields.dropFirst().split(separator: "|")
        runs.append(
          Run(
            rule: parts[0].joined(separator: " "), bitrates: numbers(parts[1]),
            segmentLength: numbers(parts[2])[0]))
      } else {
        let row = numbers(fields)
        runs[runs.count - 1].rows.append(
          Row(
            quality: Int(row[0]), size: row[1], took: row[2], firstByte: row[3], level: row[4],
            delay: row[5], fullFor: row[6]))
      }
    }
    return runs
  }

  /// Any of the rules, with what it remembers.
  private struct Chooser {
    let name: String
    let bola: BolaRule
    let enhanced: EnhancedBolaRule
    var bolaMemory = BolaRule.Memory()
    var enhancedMemory = EnhancedBolaRule.Memory()
    var dynamicMemory = DynamicRule.Memory()
    var share = BufferShare()

    init(_ rule: String) {
      let parts = rule.split(separator: " ")
      name = String(parts[0])
      bola = BolaRule(buffer: .seconds(25), avoidsOscillation: parts.contains("-ao"))
      enhanced = EnhancedBolaRule(buffer: .seconds(25), avoidsOscillation: parts.contains("-ao"))
    }

    mutating func choice(_ question: PublishedQuestion) -> PublishedChoice? {
      switch name {
      case "bola": bola.choice(question, &bolaMemory)
      case "bolae": enhanced.choice(question, &enhancedMemory)
      case "dynamic":
        DynamicRule(bola: bola, throughput: .usual, lowMark: .seconds(10))
          .choice(question, &dynamicMemory)
      case "throughput": SabreThroughputRule.usual.choice(question, &share)
      default: nil
      }
    }
  }

  /// Of 8 and 100,000 kbit/s, the throughput sustains the lowest quality and the highest.
  @Test(
    arguments: [
      (10_000, 8, false, false), (10_001, 8, false, true), (9_999, 8, false, false),
      (10_001, 100_000, false, false), (10_000, 100_000, true, true),
      (9_999, 100_000, true, false), (9_999, 8, true, true), (10_001, 100_000, true, true),
    ] as [(Double, Double, Bool, Bool)])
  func `above its mark the buffer rules, and below it again the throughput`(
    level: Double, throughput: Double, ruled: Bool, rules: Bool
  ) {
    let bola = BolaRule(buffer: .seconds(25))
    let rule = DynamicRule(bola: bola, throughput: .usual, lowMark: .seconds(10))
    var memory = DynamicRule.Memory()
    memory.isBola = ruled
    let question = PublishedQuestion(
      PublishedQualities([230, 1_000, 2_500, 6_000]), segmentLength: 3_000, segmentCount: 199,
      segment: 100, level: level, throughput: throughput, latency: 20)
    _ = rule.choice(question, &memory)
    #expect(memory.isBola == rules)
  }

  @Test func `Sabre's rules give a segment up where they did in Sabre`() throws {
    var (givenUp, kept) = (0, 0)
    for fields in try Self.lines("abandoned.txt") {
      let parts = fields.split(separator: "|")
      let (asked, under) = (Self.numbers(parts[2]), Self.numbers(parts[3]))
      let expected = Self.numbers(parts[4])
      let question = PublishedQuestion(
        PublishedQualities(Self.numbers(parts[1])), segmentLength: asked[0],
        segmentCount: Int(asked[1]), segment: Int(asked[2]), level: 0, throughput: asked[3],
        latency: asked[4])
      let progress = PublishedProgress(
        quality: Int(under[0]), size: under[1], received: under[2], time: under[3],
        latency: under[4], level: under[5])
      var (bola, enhanced) = (BolaRule.Memory(), EnhancedBolaRule.Memory())
      enhanced.placeholder = under[6]
      let isGivenUp =
        switch parts[0].first {
        case "bola": BolaRule(buffer: .seconds(25)).abandons(progress, question, &bola)
        case "bolae":
          EnhancedBolaRule(buffer: .seconds(25)).abandons(progress, question, &enhanced)
        default: SabreThroughputRule.usual.abandons(progress, question)
        }
      #expect(isGivenUp == (expected[0] == 1), "\(fields.joined(separator: " "))")
      #expect(abs(enhanced.placeholder - expected[1]) < 1e-6, "\(fields.joined(separator: " "))")
      if isGivenUp { givenUp += 1 } else { kept += 1 }
    }
    #expect(givenUp >= 60 && kept >= 60)
  }

  @Test func `Sabre's rules choose as they did in Sabre, and wait as long`() throws {
    var chosen = 0
    for run in try Self.sabreRuns() {
      var chooser = Chooser(run.rule)
      var average = SabreAverage(
        .halfLives([3_000, 8_000]), segmentLength: run.segmentLength)
      var before: Row?
      for (segment, row) in run.rows.enumerated() {
        if let before {
          chooser.enhancedMemory.placeholder += row.fullFor
          let choice = chooser.choice(
            PublishedQuestion(
              PublishedQualities(run.bitrates), segmentLength: run.segmentLength,
              segmentCount: run.rows.count, segment: segment, level: before.level - row.fullFor,
              throughput: average.throughput, latency: average.latency))
          #expect(choice?.quality == row.quality, "\(run.rule), segment \(segment)")
          #expect(abs((choice?.delay ?? -1) - row.delay) < 1e-6, "\(run.rule), segment \(segment)")
          chooser.enhanced.hear(
            came: row.quality, took: row.took, level: row.level,
            PublishedQualities(run.bitrates), segmentLength: run.segmentLength,
            &chooser.enhancedMemory)
          chosen += 1
        }
        let flowed = row.took - row.firstByte
        average.add(took: flowed, throughput: row.size / flowed, latency: row.firstByte)
        before = row
      }
    }
    #expect(chosen == 7 * 198 + 59)
  }

  private static func byBuffer(_ before: Row) -> Int {
    let rungs = ladder([300_000, 750_000, 1_200_000, 1_850_000, 2_850_000, 4_300_000])
    let rule = BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10))
    let verdict = NextVariantRule.bufferBased(rule).choice(
      VariantQuestion(
        now: .zero, ladder: rungs, eligible: EligibleRungs(allOf: rungs), current: before.quality,
        estimate: Estimate(), ahead: MediaTime(nanoseconds: Int64(before.level * 1e9))))
    if case .take(let rung) = verdict.answer { return rung }
    return before.quality
  }

  @Test func `Pensieve's baselines choose as they did in Pensieve`() throws {
    var sizes: [[Double]] = []
    var runs: [Run] = []
    for fields in try Self.lines("pensieve.txt") {
      let row = Self.numbers(fields)
      switch fields[0] {
      case "sizes": sizes.append(row)
      case "run": runs.append(Run(rule: String(fields[1])))
      default:
        runs[runs.count - 1].rows.append(
          Row(quality: Int(row[0]), size: row[1], took: row[2], level: row[3]))
      }
    }
    let bitrates: [Double] = [300, 750, 1_200, 1_850, 2_850, 4_300]
    for run in runs {
      var throughput = HarmonicThroughput()
      for (segment, row) in run.rows.enumerated() {
        if let before = segment > 0 ? run.rows[segment - 1] : nil {
          let choice: Int
          switch run.rule {
          case "rb":
            let rate = (throughput.mean ?? 0) * 8_000
            choice = bitrates.lastIndex { $0 <= rate } ?? 0
          case "bb": choice = Self.byBuffer(before)
          default:
            // The sizes that it goes by are those of one segment later, and nothing past the last.
            let ahead = (0..<min(5, run.rows.count - segment)).map { position in
              sizes.map { segment + position + 1 < $0.count ? $0[segment + position + 1] : 0 }
            }
            var steps: Int64 = 0
            choice = PredictiveSeat.usual.rule.choice(
              .init(
                bitrates: bitrates, sizes: ahead, segmentLength: 4, level: before.level,
                previous: before.quality, throughput: throughput.robust ?? 0), steps: &steps)
          }
          #expect(choice == row.quality, "\(run.rule), segment \(segment)")
        }
        throughput.add(row.size / row.took / 1_000)
      }
    }
    #expect(runs.map { $0.rows.count } == [48, 48, 48, 48, 48, 48])
  }

  /// Every choice in the order of its qualities, as the authors' script walks through them.
  private static func choice(
    _ rule: PredictiveRule, _ question: PredictiveRule.Question
  ) -> Int {
    var (best, highest) = (0, -Double.infinity)
    func look(_ path: [Int], _ level: Double, _ stalled: Double, _ bits: Double, _ changes: Double)
    {
      if path.count == min(rule.horizon, question.sizes.count) {
        let value =
          rule.quality * (bits / 1_000) - rule.stalling * stalled - rule.change * (changes / 1_000)
        if value >= highest { (highest, best) = (value, path.first ?? 0) }
        return
      }
      let before = question.bitrates[path.last ?? question.previous]
      for (quality, bitrate) in question.bitrates.enumerated() {
        let took = question.sizes[path.count][quality] / 1_000_000 / question.throughput
        look(
          path + [quality], max(0, level - took) + question.segmentLength,
          level < took ? stalled + (took - level) : stalled, bits + bitrate,
          changes + abs(bitrate - before))
      }
    }
    look([], question.level, 0, 0, 0)
    return best
  }

  @Test func `a search that leaves choices out finds what a search of all choices finds`() {
    var random = SplitMix64(state: 39)
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound
        + Double(random.next() >> 40) / 0xFF_FFFF * (range.upperBound - range.lowerBound)
    }
    var fewest = 0
    for round in 0..<Seeds.count(60, inRelease: 600) {
      let (count, horizon) = [(1, 3), (2, 8), (3, 5), (4, 4), (6, 3), (9, 2)][round % 6]
      // Round numbers, among them equal ones, so that many choices are worth the same.
      let isRound = round % 3 == 0
      var bitrates = (0..<count).map { _ in number(200...6_000) }.sorted()
      if isRound { bitrates = bitrates.map { ($0 / 2_000).rounded() * 2_000 } }
      let question = PredictiveRule.Question(
        bitrates: bitrates,
        sizes: (0..<Int(number(0...9))).map { _ in
          bitrates.map { isRound ? $0 * 500 : $0 * number(200...900) }
        },
        segmentLength: 4, level: isRound ? 8 : number(0...30),
        previous: Int(number(0...(Double(count) - 0.01))),
        throughput: isRound ? 0.5 : number(0.02...3))
      let rule = PredictiveRule(
        horizon: horizon, quality: [1, 0, 2.5][round % 3], stalling: [4.3, 0, 100][round / 3 % 3],
        change: [1, 0, 3][round / 9 % 3])
      var steps: Int64 = 0
      #expect(rule.choice(question, steps: &steps) == Self.choice(rule, question), "\(question)")
      fewest += steps < 1_000 ? 1 : 0
    }
    #expect(fewest > 30)
  }

  /// A Mbit/s more is worth one second of stalled time: at a MB/s that is a million bytes.
  @Test(
    arguments: [
      (999_999, 1.0, 1), (1_000_000, 1, 1), (1_000_000.25, 1, 0), (1_000_001, 1, 0),
      (1_999_999, 2, 1), (2_000_000, 2, 1), (2_000_000.5, 2, 0),
      (250_000, 0.25, 1), (250_000.0625, 0.25, 0),
    ] as [(Double, Double, Int)])
  func `a segment takes its bytes over a million times the throughput`(
    bytes: Double, throughput: Double, choice: Int
  ) {
    let rule = PredictiveRule(horizon: 1, quality: 1, stalling: 1, change: 0)
    var steps: Int64 = 0
    let question = PredictiveRule.Question(
      bitrates: [1_000, 2_000], sizes: [[0, bytes]], segmentLength: 4, level: 0, previous: 0,
      throughput: throughput)
    #expect(rule.choice(question, steps: &steps) == choice)
  }

  @Test(arguments: [(16, 8), (32, 5), (64, 8), (500, 8)])
  func `a search of many qualities ends after so many steps`(count: Int, horizon: Int) {
    var random = SplitMix64(state: UInt64(count))
    let bitrates = (1...count).map { Double($0) * 100 }
    for _ in 0..<4 {
      let question = PredictiveRule.Question(
        bitrates: bitrates,
        sizes: (0..<horizon).map { _ in
          bitrates.map { $0 * Double(random.next() >> 54) }
        }, segmentLength: 4, level: 6, previous: count / 2,
        throughput: Double(count) / 200)
      var steps: Int64 = 0
      #expect(
        bitrates.indices.contains(PredictiveRule(horizon: horizon).choice(question, steps: &steps)))
      #expect(steps < PredictiveRule.mostSteps + 50_000)
    }
  }

  /// Of 7,776 choices for five segments most are cut off: each look is charged to the run.
  @Test(
    arguments: [
      (5, 1.0, 12.0, 222), (5, 0.3, 4.0, 324), (5, 0.1, 20.0, 726), (5, 2.0, 30.0, 222),
      (3, 0.25, 8.0, 168), (1, 0.25, 8.0, 42), (8, 0.25, 8.0, 8_760),
    ] as [(Int, Double, Double, Int64)])
  func `a search looks at few of all choices`(
    horizon: Int, throughput: Double, level: Double, looks: Int64
  ) {
    let bitrates = [300.0, 750, 1_200, 1_850, 2_850, 4_300]
    var steps: Int64 = 0
    _ = PredictiveRule(horizon: horizon).choice(
      PredictiveRule.Question(
        bitrates: bitrates,
        sizes: (0..<horizon).map { place in
          bitrates.enumerated().map { $1 * 500 * Double(10 + (place * 7 + $0 * 3) % 5 - 2) / 10 }
        },
        segmentLength: 4, level: level, previous: 2, throughput: throughput), steps: &steps)
    #expect(steps == looks)
  }

  @Test(arguments: [
    (1.0, 0.0), (2, 0.693147180559945309417), (10, 2.302585092994045684018),
    (0.5, -0.693147180559945309417), (230, 5.438079308923195893),
    (6_000, 8.699514748210191414), (1.4142135623730951, 0.34657359027997270),
    (1e300, 690.7755278982137), (.leastNonzeroMagnitude, -744.4400719213812),
  ]) func `the natural logarithm is the nearest number`(x: Double, y: Double) {
    #expect(naturalLogarithm(x) == y)
  }

  @Test func `a logarithm of what has none is no number`() {
    #expect(naturalLogarithm(-1).isNaN && naturalLogarithm(.nan).isNaN)
    #expect(naturalLogarithm(0) == -.infinity && naturalLogarithm(.infinity) == .infinity)
  }

  @Test func `windows take the least throughput and the greatest latency of their means`() {
    var average = SabreAverage(.windows([1, 3]), segmentLength: 3_000)
    for (throughput, latency) in [(1_000.0, 10.0), (2_000, 40), (600, 70)] {
      average.add(took: 500, throughput: throughput, latency: latency)
    }
    #expect(average.throughput == 600 && average.latency == 70)
    average.add(took: 500, throughput: 4_000, latency: 10)
    #expect(average.throughput == 2_200 && average.latency == 40)
  }

  @Test func `a prediction is divided by how wrong the last ones were`() {
    var throughput = HarmonicThroughput(window: 2)
    #expect(throughput.mean == nil && throughput.robust == nil)
    throughput.add(2)
    #expect(throughput.robust == 2)
    // It had said 2: off by one whole.
    throughput.add(1)
    #expect(throughput.mean == 4.0 / 3 && throughput.robust == 2.0 / 3)
  }
}
