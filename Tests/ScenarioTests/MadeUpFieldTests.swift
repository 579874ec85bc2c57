import ExactText
import Recording
import RunReports
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Logs of sessions that were not run, as seeds make them up, held to what was read of them when
/// they were last reviewed: scenario, playlists and recording, or why they are refused.
@Suite struct MadeUpFieldTests {
  private static let logs = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/field-logs", seeds: 1_050)
  private static let runs = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/field-runs", seeds: 120)

  @Test func `a made-up log becomes the session that it became`() async throws {
    let lines = await Self.logs.lines(few: 70) { seed in
      let log = MadeUpLog(seed)
      return Self.line(seed, log.form, Array(log.text.utf8))
    }
    #expect(try Self.logs.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 4 < lines.count)
  }

  /// Every other archive is damaged a little.
  @Test func `the archive of a made-up run becomes the session that it became`() async throws {
    let lines = await Self.runs.lines(few: 7) { seed in
      do {
        let random = RandomScenario(seed: UInt64(40_000 + seed))
        let scenario = try readScenario(Array(random.document.json.utf8), file: "a.json")
        var options = RunOptions()
        options.keepsCurves = true
        let outcome = try run(scenario, options: options)
        var text = Array(HARDocument(scenario, outcome).document.json.utf8)
        var damage = Damage(state: UInt64(seed) * 1_000_003)
        if seed % 2 == 1 { text = damage.renumbered(text) }
        return Self.line(seed, .stream, text)
      } catch {
        return "not run"
      }
    }
    #expect(try Self.runs.differences(from: lines) == [])
    let refused = lines.count { $0.contains("refused") || $0.hasSuffix("not run") }
    #expect(refused * 2 < lines.count)
  }

  private static func line(_ seed: Int, _ form: MadeUpLog.Form, _ text: [UInt8]) -> String {
    var text = text
    var damage = Damage(state: UInt64(seed) * 7_919)
    if seed % 5 == 4 { text = damage.renumbered(text) }
    if seed % 11 == 10 { text = damage.damaged(text, with: [Array("null".utf8)]) }
    do throws(Diagnostic) {
      let log: FieldLog
      switch form {
      case .stream, .segments, .file: log = try FieldLog(har: text)
      case .events, .lines: log = try FieldLog(metrics: text)
      case .entries, .entryEvents: log = try FieldLog(accessLog: text)
      }
      let length: MediaTime? = seed % 5 == 1 ? nil : .seconds(20)
      var session = try FieldSession(
        log, name: "a", folder: "f/", duration: log.duration ?? length,
        segmentDuration: seed % 4 == 0 ? .seconds(4) : nil)
      let recording = session.trace()
      let words = [digest(session, recording), comparison(session, recording)]
      if seed % 140 == 3 || seed % 140 == 71 { try session.fit() }
      let last = session.notes.suffix(1).map { Fingerprint.text(of: $0) }
      return (words + last).joined(separator: " ")
    } catch {
      let place = error.position.map { " at \($0.line):\($0.column)" } ?? ""
      let words = error.message + (error.expected ?? "") + place
      return "refused " + Fingerprint.text(of: words)
    }
  }

  private static func digest(_ session: FieldSession, _ recording: [UInt8]) -> String {
    var print = Fingerprint()
    print.add(session.document.json)
    for note in session.notes { print.add(note) }
    for file in session.media.files {
      print.add(file.path)
      print.add(file.text)
    }
    print.add(recording.replacing("\"version\":\"\(Tool.version)\"".utf8, with: []))
    return print.text
  }

  /// The run of the scenario that a session became, held against the session.
  private static func comparison(_ session: FieldSession, _ recording: [UInt8]) -> String {
    do {
      let scenario = try readScenario(session.document.fileText, file: "a.json") { path in
        session.media.files.first { $0.path == path }.map { Array($0.text.utf8) }
      }
      var options = RunOptions(keepsTrace: false)
      options.keepsCurves = true
      let field = try report(on: recording, file: "a.trace").outcome
      let found = FieldComparison(field: field, run: try run(scenario, options: options))
      var print = Fingerprint()
      for pair in found.pairs { print.add("\(pair.field.id) \(pair.run.id) \(pair.error)") }
      for stage in found.fieldAlone + found.runAlone { print.add("\(stage.id) \(stage.length)") }
      for stall in found.stalls {
        print.add("\(stall.place) \(stall.field ?? .zero) \(stall.run ?? .zero)")
      }
      let counts = (field: found.stallCount.field ?? -1, run: found.stallCount.run)
      print.add("\(found.startup) \(counts) \(found.fieldTime) \(found.isExplained)")
      print.add("\(found.requestShare ?? -1) \(found.stallShare ?? -1)")
      return print.text
    } catch {
      return "no run"
    }
  }
}

extension Damage {
  /// A text some of whose digits are others.
  mutating func renumbered(_ text: [UInt8]) -> [UInt8] {
    var text = text
    let places = text.indices.filter { 0x30...0x39 ~= text[$0] }
    if places.isEmpty { return text }
    for _ in 0...below(6) { text[places[below(places.count)]] = UInt8(0x30 + below(10)) }
    return text
  }
}
