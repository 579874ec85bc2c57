import ExactText
import ScenarioFormat
import TestSupport
import Testing

/// Shipped scenarios with parts of others in them, held to what was said of them when they were
/// last reviewed: they have everything that the format knows, in other company.
///
/// Expectations fail and scenarios are refused: the words of that are held as well. A shipped
/// scenario that is changed changes some of the lines; record them before anything else is changed.
@Suite struct MadeUpCrossingTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/crossings", seeds: 1_200)

  @Test func `a crossing of shipped scenarios has the answer that it had`() async throws {
    let lines = await Self.file.lines(few: 24) { seed in
      AnswerPrint.line("folder \(seed % 3)/\(seed).json") {
        let crossing = Crossing(seed)
        return try readScenario(
          crossing.document.fileText, file: "\(seed).json", files: crossing.file)
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
    let alteration = Alteration(values: Library.values, percent: percent)
    document = alteration.altered(.object(members), &draw).without("eventBudget")
    document = document + ["eventBudget": .number("20000")]
  }

  /// A file that either of them names.
  func file(_ path: String) -> [UInt8]? {
    sources[0].file(beside: path) ?? sources[1].file(beside: path)
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

  static let values = Alteration.values(of: all.map { .object($0.members) })
}
