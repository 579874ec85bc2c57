import ExactText
import Foundation
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// Damaged scenarios: each is read or refused, and what is read runs to an end.
///
/// Some dozens in a debug build; `GOLDILOCKS_MUTANTS=100000 swift test -c release
/// --filter ScenarioMutationTests` asks for more.
@Suite struct ScenarioMutationTests {
  static let samples =
    SampleScenario.all.map { [UInt8]($0.utf8) } + ShippedScenario.all.map { $0.bytes }

  static let count =
    ProcessInfo.processInfo.environment["GOLDILOCKS_MUTANTS"].flatMap { Int($0) }
    ?? Seeds.count(80, inRelease: 4_000)

  @Test func `damaged scenarios are read or refused, and what is read ends`() throws {
    var damage = ScenarioDamage()
    var accepted = 0
    for _ in 0..<Self.count {
      let text = damage.damaged(Self.samples)
      do throws(DocumentError) {
        let scenario = try readScenario(
          text, file: "a.json", files: SampleScenario.file)
        accepted += 1
        runs(scenario, text)
      } catch {
        if error.diagnostics.isEmpty || error.text.isEmpty {
          Issue.record("refused without a word: \(String(decoding: text, as: UTF8.self))")
        }
      }
    }
    print("\(Self.count) mutants: \(accepted) read and run, \(Self.count - accepted) refused")
    // The damage must leave both kinds in good number, or the test shows little.
    #expect(accepted * 20 > Self.count && accepted * 20 < Self.count * 19)
  }

  /// Runs a scenario as long as a test may take.
  private func runs(_ original: Scenario, _ text: [UInt8]) {
    var scenario = original
    scenario.limits = RunLimits(
      horizon: min(scenario.limits.horizon, Instant(nanoseconds: 600_000_000_000)),
      eventBudget: min(scenario.limits.eventBudget, 2_000), roundsPerInstant: 200)
    do {
      let outcome = try run(scenario)
      if !outcome.faults.isEmpty {
        Issue.record("\(outcome.faults): \(String(decoding: text, as: UTF8.self))")
      }
    } catch {
      if scenario.fidelity == .fluid {
        Issue.record("\(error): \(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}

/// Damage to scenarios: to their bytes, and to the values in them.
private struct ScenarioDamage {
  var bytes = Damage(state: 503)

  mutating func damaged(_ samples: [[UInt8]]) -> [UInt8] {
    let text = samples[bytes.below(samples.count)]
    if bytes.below(6) == 0 { return bytes.damaged(text, with: samples) }
    guard var document = try? JSONValue(parsing: text).tree else { return text }
    for _ in 0...bytes.below(2) {
      let count = places(in: document)
      var place = bytes.below(count)
      document = replaced(document, &place)
    }
    return document.written
  }

  private func places(in value: JSONTree) -> Int {
    switch value {
    case .object(let members): 1 + members.reduce(0) { $0 + places(in: $1.value) }
    case .array(let elements): 1 + elements.reduce(0) { $0 + places(in: $1) }
    case .null, .boolean, .number, .string: 1
    }
  }

  /// The document with another value at a place, counted in the order of the text.
  private mutating func replaced(_ value: JSONTree, _ place: inout Int) -> JSONTree {
    if place == 0 {
      place = -1
      return other(than: value)
    }
    if place < 0 { return value }
    place -= 1
    switch value {
    case .object(let members):
      var changed = members
      for index in changed.indices {
        changed[index].value = replaced(changed[index].value, &place)
      }
      return JSONTree.object(changed)
    case .array(let elements):
      return JSONTree.array(elements.map { replaced($0, &place) })
    case .null, .boolean, .number, .string: return value
    }
  }

  private mutating func other(than value: JSONTree) -> JSONTree {
    switch value {
    case .string(let text) where bytes.below(4) > 0: return JSONTree.string(quantity(text))
    case .number where bytes.below(4) > 0:
      return JSONTree.number(Self.numbers[bytes.below(Self.numbers.count)])
    case .array(let elements) where bytes.below(4) > 0: return JSONTree.array(list(elements))
    case .object(let members) where bytes.below(4) > 0 && !members.isEmpty:
      var members = members
      let index = bytes.below(members.count)
      if bytes.below(2) == 0 { members.remove(at: index) } else { members.append(members[index]) }
      return JSONTree.object(members)
    case .null, .boolean, .number, .string, .array, .object: return nasty()
    }
  }

  /// The same text with another number in it, or another unit, or another word.
  private mutating func quantity(_ text: String) -> String {
    let parts = text.split(separator: " ", maxSplits: 1).map { String($0) }
    guard parts.count == 2, bytes.below(8) > 0 else {
      return Self.words[bytes.below(Self.words.count)]
    }
    let number = Self.numbers[bytes.below(Self.numbers.count)]
    let unit = Self.units[bytes.below(Self.units.count)]
    switch bytes.below(4) {
    case 0: return "\(parts[0]) \(unit)"
    case 1: return "\(number) \(unit)"
    default: return "\(number) \(parts[1])"
    }
  }

  private mutating func list(_ elements: [JSONTree]) -> [JSONTree] {
    guard !elements.isEmpty else { return [nasty()] }
    let index = bytes.below(elements.count)
    switch bytes.below(4) {
    case 0: return Array(elements.dropFirst(index + 1))
    case 1: return elements + [elements[index]]
    case 2: return elements.reversed()
    default: return Array(repeating: elements[index], count: 1 + bytes.below(30))
    }
  }

  private mutating func nasty() -> JSONTree {
    switch bytes.below(8) {
    case 0: return JSONTree.null
    case 1: return JSONTree.boolean(bytes.below(2) == 0)
    case 2: return JSONTree.string(String(repeating: "é", count: 1 + bytes.below(3_000)))
    case 3: return JSONTree.array([])
    case 4: return JSONTree.object([])
    case 5:
      return (0..<bytes.below(200)).reduce(JSONTree.null) { a, _ in JSONTree.array([a]) }
    case 6: return JSONTree.number(Self.numbers[bytes.below(Self.numbers.count)])
    default: return JSONTree.string(Self.words[bytes.below(Self.words.count)])
    }
  }

  private static let numbers = [
    "0", "-1", "1", "2", "32", "0.001", "0.000000001", "1.000000001", "9999999999",
    "1000000000000000000", "9223372036854775807", "9223372036854775808",
    "1" + String(repeating: "0", count: 30), "1e18", "1e-18", "1e400", "0.333", "0.1", "300",
    "2592000", "31536000", "12345.678901234", "3", "7", "39",
  ]

  private static let units = [
    "ns", "us", "ms", "s", "min", "h", "days", "years", "B", "KB", "MB", "GB", "GiB", "bit/s",
    "kbit/s", "Mbit/s", "Gbit/s", "%", "", "parsecs", "s ago",
  ]

  private static let words = [
    "", " ", "play", "pause", "playing", "unlimited", "end", "3G", "Slow Server", "100% Loss",
    "Very Bad Network", "tcp", "playThrough x1.1", "thresholds 0 s/0 s", "everythingLoaded",
    "immediate", "stallCount >= 0", "loaded >= 0 s", "ahead >= 1 ns", "bufferFull", "waiting",
    "paused", "readyToPlay", "removeItem", "setItem", "project", "on", "off", "repeat", "hold",
    "iOS 9", "iOS 18", "front", "local", "in 365 days", "365 days ago", "at 0 s", "none",
    "advance", "0 bit/s", "1 bit/s", "0 s", "1 ns", "30 days", "365 days", "\u{0}", "é", "…",
  ]
}
