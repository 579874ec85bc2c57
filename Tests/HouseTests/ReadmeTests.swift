import Foundation
import TestSupport
import Testing

/// The README says what is so.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.at(path), encoding: .utf8)
  }

  @Test func `the sample test stands in the README word for word`() throws {
    let sample = try text("Tests/SampleApp/Tests/PlayerScreenTests/SpinnerTests.swift")
    #expect(try text("README.md").contains(sample))
  }

  @Test func `every file that the README names is there`() throws {
    let readme = try text("README.md")
    let names = readme.matches(of: /Scenarios\/[A-Za-z0-9.\/-]+\.(json|csv)/).map { $0.output.0 }
    #expect(names.count >= 5)
    for name in names {
      #expect(FileManager.default.fileExists(atPath: Checkout.at(String(name)).path), "\(name)")
    }
  }
}
