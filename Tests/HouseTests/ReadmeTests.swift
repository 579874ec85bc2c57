import Foundation
import TestSupport
import Testing

/// The README says what is so.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.at(path), encoding: .utf8)
  }

  @Test func `README and manifests name the same version of Swift`() throws {
    let readme = try text("README.md")
    let needed = try #require(readme.firstMatch(of: /Swift ([0-9]+\.[0-9]+) toolchain/)).output.1
    for manifest in ["Package.swift", "Tests/SampleApp/Package.swift"] {
      #expect(try text(manifest).hasPrefix("// swift-tools-version: \(needed)\n"))
    }
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
