import PlayerPolicies
import Testing
import VirtualTime

@Suite struct PlayThroughTests {
  private let rule = ReadinessRule.playThrough(PlayThrough())

  @Test func `over a link of constant rate the wait is the closed form`() {
    var random = RandomStream(seed: 71, name: "play-through")
    var wrong: [String] = []
    for _ in 0..<2_000 {
      let media = random.next(in: 100...20_000) * 1_000
      let link = random.next(in: 100...40_000) * 1_000
      let length = random.next(in: 1...600)
      let percent = random.next(in: 100...200)
      let file = ExampleFile(
        bitsPerSecond: media, duration: .seconds(length), link: link, loaded: media / 8)
      let rule = ReadinessRule.playThrough(
        PlayThrough(safety: SafetyFactor(percent, over: 100)))
      let verdict = rule.verdict(on: file.snapshot(.start))
      // A second is there: what is missing takes (D − 1) R / C, and is due in D / k.
      let (missing, due) = (Double(length - 1), Double(length) * 100 / Double(percent))
      let wait = missing * Double(media) / Double(link) - due
      if length == 1 {
        if verdict != ReadinessVerdict(true, .everythingLoaded) { wrong.append("\(file)") }
      } else if wait > 1e-6 {
        let error = Double(verdict.changesAt.nanoseconds) - wait * 1e9
        if verdict.answer || abs(error) > 2 { wrong.append("\(file) \(wait) \(verdict)") }
      } else if wait < -1e-6 {
        if !verdict.answer { wrong.append("\(file) \(wait) \(verdict)") }
      }
    }
    #expect(wrong == [])
  }

  @Test func `a belief that is not the line is held against how bytes really come`() {
    // 58 s of 8 Mbit/s are missing; they are believed to come at 4 Mbit/s, and come at 8.
    var file = ExampleFile(link: 8_000_000, loaded: 2_000_000)
    let belief = Estimate(bitsPerSecond: 4_000_000, isReliable: true)
    let verdict = rule.verdict(on: file.snapshot(.start), belief)
    // It believes in a wait of 56 s, half of which each second undoes twice.
    #expect(verdict.plain == ReadinessVerdict(false, .someByteLate, changesAt: seconds(28)))
    #expect(verdict.late == .seconds(56))
    file.loaded = 30_000_000
    #expect(
      rule.verdict(on: file.snapshot(.start), belief)
        == ReadinessVerdict(true, .everyByteInTime))
  }

  @Test func `while playing a belief above the truth is found out in time`() {
    // Believed 8 Mbit/s, and 4 come: each second of playing the lead is a half less than believed.
    let file = ExampleFile(link: 4_000_000, loaded: 10_000_000)
    let belief = Estimate(bitsPerSecond: 8_000_000, isReliable: true)
    let verdict = rule.verdict(on: file.snapshot(.nothing), belief)
    #expect(verdict.answer)
    #expect(verdict.changesAt == Instant(nanoseconds: 20_000_000_002))
  }

  @Test func `while playing only a factor lets a lead that is too small grow by itself`() {
    let file = ExampleFile(link: 8_000_000, loaded: 1_000_000)
    let twice = ReadinessRule.playThrough(PlayThrough(safety: SafetyFactor(2)))
    // 59 s are missing, due in 30: 29 s too long, of which playing undoes a half.
    #expect(
      twice.verdict(on: file.snapshot(.nothing)).plain
        == ReadinessVerdict(false, .someByteLate, changesAt: seconds(58)))
    let slow = ExampleFile(link: 4_000_000, loaded: 1_000_000)
    #expect(
      rule.verdict(on: slow.snapshot(.nothing)).plain
        == ReadinessVerdict(false, .someByteLate))
  }

  @Test func `nothing known, nothing coming and no end each have a clause`() {
    let file = ExampleFile(loaded: 2_000_000)
    #expect(rule.verdict(on: file.snapshot(.start), Estimate()).clause == .noThroughput)
    var still = ExampleFile(link: 0, loaded: 2_000_000)
    #expect(
      rule.verdict(on: still.snapshot(.start)) == ReadinessVerdict(false, .someByteLate))
    still.loaded = 0
    #expect(rule.verdict(on: still.snapshot(.start)).clause == .nothingLoaded)
    var endless = file.snapshot(.start)
    endless.end = .distantFuture
    #expect(
      rule.verdict(on: endless)
        == ReadinessVerdict(false, .endUnknown))
    let hopeful = ReadinessRule.playThrough(PlayThrough(whenEndUnknown: true))
    #expect(hopeful.verdict(on: endless).answer)
    endless.loadedEnd = endless.playhead
    #expect(hopeful.verdict(on: endless).clause == .nothingLoaded)
    var unread = file.snapshot(.start)
    unread.file = FileFacts()
    #expect(rule.verdict(on: unread).clause == .noThroughput)
  }

  /// The request under way brings 20 s of 2 Mbit/s, and another one, half a second after it, the
  /// last 10. Over 1 Mbit/s the first 20 s would need no wait once half of them are there.
  @Test(arguments: [(10, 20, 0), (10, 30, 10_500), (15, 30, 500)] as [(Int64, Int64, Int64)])
  func `a further request waits for its first byte`(loaded: Int64, end: Int64, wait: Int64) {
    let knots = [(0, 0), (20, 1), (30, 1)].map {
      DemandCurve.Knot(
        time: .seconds(Int64($0.0)), bytes: Int64($0.0) * 250_000, requests: Int64($0.1))
    }
    let line = ByteFlow(
      anchor: .zero, bytes: loaded * 250_000, rate: .bitsPerSecond(1_000_000))
    let snapshot = Snapshot(
      now: .zero, source: .progressive, wait: .start, loadedEnd: .seconds(loaded),
      end: .seconds(end), file: FileFacts(demand: DemandCurve(knots: knots), line: line))
    let verdict = rule.verdict(
      on: snapshot, Estimate(latency: .milliseconds(500), isLine: true))
    #expect(verdict.answer == (wait == 0))
    if wait > 0 { #expect(verdict.changesAt == milliseconds(wait)) }
  }

  @Test func `of a file the latest corner decides, wherever it is`() {
    // 10 s of 1 Mbit/s, 10 s of 9 Mbit/s, 10 s of nothing.
    let knots = [(0, 0), (10, 1_250_000), (20, 12_500_000), (30, 12_500_000)].map {
      DemandCurve.Knot(time: .seconds(Int64($0.0)), bytes: Int64($0.1))
    }
    let line = ByteFlow(anchor: .zero, bytes: 125_000, rate: .bitsPerSecond(4_000_000))
    let snapshot = Snapshot(
      now: .zero, source: .progressive, wait: .start, loadedEnd: .seconds(1), end: .seconds(30),
      file: FileFacts(demand: DemandCurve(knots: knots), line: line))
    // The last byte comes after 24.75 s and is due after 20.
    #expect(
      rule.verdict(on: snapshot).plain
        == ReadinessVerdict(false, .someByteLate, changesAt: milliseconds(4_750)))
    // Taken as spread evenly, they are all there 5.25 s before the end.
    let even = ReadinessRule.playThrough(PlayThrough(everyByte: false))
    #expect(even.verdict(on: snapshot).answer)
    var trimmed = snapshot
    trimmed.end = .seconds(15)
    // 11.25 Mbyte less half of 11.25: 6,750,000 bytes in 13.5 s, due after 15.
    #expect(rule.verdict(on: trimmed).answer)
  }
}
