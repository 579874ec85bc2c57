import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// The scenarios that are shipped, as the checkout holds them.
enum ShippedScenario {
  static let all: [(name: String, bytes: [UInt8])] = {
    let folder = Checkout.at("Scenarios").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { name in
      (name, FileManager.default.contents(atPath: folder + "/" + name).map { [UInt8]($0) } ?? [])
    }
  }()

  /// A file that scenarios name by its path from where they lie.
  static func fileBeside(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: Checkout.at("Scenarios").path + "/" + path)
      .map { [UInt8]($0) }
  }
}

@Suite struct ShippedScenarioReadingTests {
  @Test func `every scenario shipped is read without a mistake`() {
    #expect(ShippedScenario.all.count >= 20)
    for (name, bytes) in ShippedScenario.all {
      do throws(DocumentError) {
        _ = try readScenario(bytes, file: name, files: ShippedScenario.fileBeside)
      } catch {
        Issue.record("\(error.text)")
      }
    }
  }
}
