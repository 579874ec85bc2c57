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

  /// The sample package compiles and runs them.
  @Test func `every listing of the documentation stands in the sample package`() throws {
    let (documents, sample) = (
      "Sources/GoldilocksTesting/GoldilocksTesting.docc/", "Tests/SampleApp/"
    )
    func files(in folder: String, _ end: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: Checkout.at(folder).path)
        .filter { $0.hasSuffix(end) && !$0.contains(".build") }.map { try text(folder + $0) }
    }
    let sources = try files(in: sample, ".swift")
    let listings = try files(in: documents, ".md").flatMap { article in
      article.matches(of: /```swift\n([\s\S]*?)```/).map { String($0.output.1) }
    }
    #expect(listings.count >= 7)
    for listing in listings {
      #expect(sources.contains { $0.contains(listing) }, "\(listing)")
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
