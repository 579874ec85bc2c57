import ExactText
import ScenarioFormat
import TestSupport
import Testing

/// Shipped scenarios with parts of others in them, held to what was said of them when they were
/// last reviewed: they have everything that the format knows, in other company.
///
/// Most expectations fail, and a fifth of the scenarios is refused: their words are held as well. A
/// shipped scenario that is changed changes some of the lines; record them before anything else is.
@Suite struct MadeUpCrossingTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/crossings", seeds: 6_000)

  @Test func `a crossing of shipped scenarios has the answer that it had`() async throws {
    let lines = await Self.file.lines(few: 24) { seed in
      let crossing = Crossing(seed)
      do {
        let scenario = try readScenario(
          crossing.document.fileText, file: "\(seed).json", files: crossing.file)
        return try AnswerPrint.line(scenario, file: "folder \(seed % 3)/\(seed).json")
      } catch {
        var print = Fingerprint()
        print.add("\(error)")
        return "refused " + print.text
      }
    }
    #expect(try Self.file.differences(from: lines) == [])
    #expect(lines.count { $0.contains("refused") } * 2 < lines.count)
  }
}

/// A shipped scenario, some values of which are those that others have in the same place.
private struct Crossing {
  private(set) var document: JSONTree
  private let sources: [ShippedScenario]

  init(_ seed: Int) {
    var draw = Draw(seed: UInt64(seed), part: "crossing")
    let (one, other) = (draw.one(of: Library.all), draw.one(of: Library.all))
    sources = [one.shipped, other.shipped]
    var members = one.members
    for key in ["link", "media", "player", "requests", "faults", "expect", "script"]
    where draw.chance(12) {
      let value = other.members.first { $0.key == key }?.value
      if let place = members.firstIndex(where: { $0.key == key }) {
        if let value { members[place].value = value }
      } else if let value {
        members.append((key, value))
      }
    }
    let percent = draw.one(of: [1, 3, 8])
    document = Self.altered(.object(members), percent, &draw).without("eventBudget")
    document = document + ["eventBudget": .number("20000")]
  }

  /// A file that either of them names.
  func file(_ path: String) -> [UInt8]? {
    sources[0].file(beside: path) ?? sources[1].file(beside: path)
  }

  private static func altered(_ tree: JSONTree, _ percent: Int, _ draw: inout Draw) -> JSONTree {
    switch tree {
    case .object(let members):
      return .object(
        members.map { key, value in
          guard draw.chance(percent), let others = Library.values[key] else {
            return (key, altered(value, percent, &draw))
          }
          return (key, draw.one(of: others))
        })
    case .array(let values):
      return .array(
        values.filter { _ in !draw.chance(percent) }.map { altered($0, percent, &draw) })
    case .string(let text): return .string(scaled(text, percent, &draw))
    case .null, .boolean, .number: return tree
    }
  }

  /// Quantities are halved, doubled, or brought to a round number.
  private static func scaled(_ text: String, _ percent: Int, _ draw: inout Draw) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    for place in words.indices.dropLast() {
      guard let count = Int(words[place]), draw.chance(3 * percent) else { continue }
      let others = [count / 2, count * 2, count + 1, count / 10 * 10, count * 3 / 2, 0, 1]
      words[place] = "\(draw.one(of: others))"
    }
    return words.joined(separator: " ")
  }
}

/// The shipped scenarios as documents, and the values that their keys have.
private enum Library {
  typealias Members = [(key: String, value: JSONTree)]

  static let all: [(shipped: ShippedScenario, members: Members)] =
    ShippedScenario.all.compactMap { shipped in
      guard case .object(let members)? = JSONEdit.value(of: shipped.text) else { return nil }
      return (shipped, members)
    }

  static let values: [String: [JSONTree]] = {
    var values: [String: [JSONTree]] = [:]
    for (_, members) in all { add(.object(members), to: &values) }
    return values
  }()

  private static func add(_ tree: JSONTree, to values: inout [String: [JSONTree]]) {
    switch tree {
    case .object(let members):
      for (key, value) in members {
        values[key, default: []].append(value)
        add(value, to: &values)
      }
    case .array(let elements): for element in elements { add(element, to: &values) }
    case .null, .boolean, .number, .string: break
    }
  }
}
