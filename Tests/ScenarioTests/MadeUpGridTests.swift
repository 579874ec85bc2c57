import ExactText
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Traces of made-up sessions whose times are rounded down to a coarse grid, held to what is said
/// of them when they are read back: what was one after the other coincides, and spans are empty or
/// as long as others.
@Suite struct MadeUpGridTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/grids", seeds: 300)

  @Test func `a trace on a coarse grid is told as it was`() async throws {
    let lines = await Self.file.lines(few: 8) { seed in
      do {
        return try Self.line(GridTrace(seed), seed)
      } catch {
        return "refused " + Fingerprint.text(of: "\(error)")
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 5 < lines.count)
  }

  private static func line(_ trace: GridTrace, _ seed: Int) throws -> String {
    let moments = (0...3).map { Instant.zero + .milliseconds($0 * 500) }
    let told = try report(on: trace.text, file: "a.trace", moments: moments)
    let whole = try report(on: trace.unrounded, file: "b.trace")
    expectOrder(told.outcome, "\(seed)")
    var print = Fingerprint()
    print.add("\(GoldilocksMoment(told.outcome)?.instant.nanoseconds ?? -1)")
    for ofDeeds in [true, false] {
      print.add("\(try compareTraces(trace.text, trace.unrounded, ofDeeds: ofDeeds))")
      guard let parting = try compareDecisions(trace.text, trace.unrounded, ofDeeds: ofDeeds) else {
        continue
      }
      print.add("\(parting.isInTimeOnly)")
      for decision in [parting.first, parting.second, parting.earlier?.first] {
        print.add(decision.map { "\($0.line) \($0.words) \($0.consequence)" } ?? "")
      }
    }
    for runs in [[told, whole], [whole, told]] {
      guard let settled = SettledStall(runs) else { continue }
      print.add("\(settled.run) \(settled.stall)")
      for choice in settled.choices {
        print.add(choice.map { "\($0.instant) \($0.words) \($0.state.words)" } ?? "")
      }
    }
    print.add(
      HARDocument(told.scenario, told.outcome).document.json
        .replacing("\"\(Tool.version)\"", with: ""))
    return [
      AnswerPrint.screens(told.scenario, told.outcome),
      AnswerPrint.page(told.scenario, told.outcome), print.text,
    ].joined(separator: " ")
  }

  /// Bands and rates follow each other without gaps, and no band is empty but the last.
  private static func expectOrder(_ outcome: RunOutcome, _ place: String) {
    for (band, next) in zip(outcome.bands, outcome.bands.dropFirst()) {
      #expect(band.end == next.start && band.start < band.end, "\(place)")
    }
    let spans = outcome.capacity ?? []
    for (span, next) in zip(spans, spans.dropFirst()) {
      #expect(span.end == next.start && span.start < span.end, "\(place)")
    }
    for (panel, next) in zip(outcome.panels, outcome.panels.dropFirst()) {
      #expect(panel.instant < next.instant, "\(place)")
    }
    for (piece, next) in zip(outcome.startup.path, outcome.startup.path.dropFirst()) {
      #expect(piece.end == next.start && piece.start < piece.end, "\(place)")
    }
  }
}

/// The trace of a session that a seed makes up, and the same with rounded numbers.
private struct GridTrace {
  let unrounded: [UInt8]
  private(set) var text: [UInt8] = []
  /// In nanoseconds: a part of a second, so that whole seconds stay what they are.
  private let grid: Int64

  init(_ seed: Int) throws {
    var draw = Draw(seed: UInt64(seed), part: "grid")
    grid = Int64(draw.one(of: [20, 100, 250, 500, 500, 1_000])) * 1_000_000
    let random = RandomScenario(seed: UInt64(80_000 + seed))
    var document = random.document
    // As long as a screen is wide, so that columns and instants coincide.
    document["horizon"] = .text("\(draw.one(of: [20, 25, 46, 96, 100, 184])) s")
    document["eventBudget"] = 1_200
    if seed % 3 == 0 { document = document.withRoundNumbers }
    let scenario = try readScenario(Array(document.json.utf8), file: "a.json")
    unrounded = try run(scenario).trace
    let lines = unrounded.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (place, line) in lines.enumerated() {
      if place > 0 { text.append(UInt8(ascii: "\n")) }
      if place == 0 { text += line } else { append(line) }
    }
  }

  /// The names of numbers that are no times.
  private static let kept = ["rate", "previous", "rebufferRatio"].map { Array($0.utf8) }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    var (place, key, quote) = (line.startIndex, line[line.startIndex..<line.startIndex], -1)
    while place < line.endIndex {
      let byte = line[place]
      if (0x30...0x39).contains(byte) {
        let end =
          line[place...].firstIndex { !(0x30...0x39).contains($0) && $0 != 0x2E } ?? line.endIndex
        let number = line[place..<end]
        let isTime = !Self.kept.contains { key.elementsEqual($0) }
        text += isTime ? rounded(number) : Array(number)
        place = end
        continue
      }
      if byte == UInt8(ascii: "\"") {
        if quote >= 0, place + 1 < line.endIndex, line[place + 1] == UInt8(ascii: ":") {
          key = line[(quote + 1)..<place]
        }
        quote = place
      }
      text.append(byte)
      place += 1
    }
  }

  /// A number with a fraction rounded down to the grid; another one as it is.
  private func rounded(_ number: ArraySlice<UInt8>) -> [UInt8] {
    guard let point = number.firstIndex(of: 0x2E), number.last != 0x2E else { return Array(number) }
    var units: Int64 = 0
    for byte in number where byte != 0x2E { units = units &* 10 &+ Int64(byte - 0x30) }
    for _ in (number.endIndex - point)..<10 { units = units &* 10 }
    return Array(JSONTree.seconds(units / grid * grid).json.utf8)
  }
}
