import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing

@Suite struct ShippedScenarioReadingTests {
  @Test func `every scenario shipped is read without a mistake`() {
    #expect(ShippedScenario.all.count >= 20)
    for shipped in ShippedScenario.all {
      do throws(DocumentError) {
        _ = try shipped.read()
      } catch {
        Issue.record("\(error.text)")
      }
    }
  }

  @Test func `every scenario shipped has a name of its own, whatever folder it lies in`() {
    let names = ShippedScenario.all.map { $0.name }
    #expect(Set(names).count == names.count)
  }
}
