import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

/// Documents that are read one after the other with what was read before.
@Suite struct ReadingCacheTests {
  @Test(arguments: ["profile-from-a-file"])
  func `a document read again has its files, each of which was read once`(name: String) throws {
    let shipped = try ShippedScenario.named(name)
    let cache = ReadingCache()
    nonisolated(unsafe) var asked: [String] = []
    func read() throws -> Scenario {
      try readScenario(shipped.bytes, file: shipped.path, keeping: cache) { path in
        asked.append(path)
        return shipped.file(beside: path)
      }
    }
    let (first, second) = (try read(), try read())
    let paths = first.files.map { $0.path }
    #expect(!paths.isEmpty && asked == paths)
    #expect(second.files.map { $0.path } == paths)
    #expect(second.files.map { $0.text } == first.files.map { $0.text })
  }
}
