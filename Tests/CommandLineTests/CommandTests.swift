import Foundation
import Testing

@Suite struct CommandTests {
  @Test func `the built command runs and says its name`() throws {
    let run = try Command().run()
    #expect(run.exitCode == 0)
    #expect(run.text == "goldilocks\n")
    #expect(run.errorText.isEmpty)
  }
}
