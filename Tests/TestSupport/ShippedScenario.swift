import Foundation

/// A scenario that is shipped, as the checkout holds it.
package struct ShippedScenario: Sendable {
  /// Where it lies below `Scenarios`, such as `demo/demo-1-fast-network.json`.
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    (self.path, self.bytes) = (path, bytes)
  }

  /// What it is called wherever it lies, such as `demo-1-fast-network`.
  package var name: String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.dropLast(".json".count))
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A file by its path from where the scenario lies; nil where there is none.
  package func file(beside path: String) -> [UInt8]? {
    let folder = Self.folder.appending(path: self.path).deletingLastPathComponent()
    return FileManager.default.contents(atPath: folder.appending(path: path).path)
      .map { [UInt8]($0) }
  }
}

// MARK: All of them

extension ShippedScenario {
  private static let folder = Checkout.at("Scenarios")

  /// All that take moments, sorted by their paths.
  package static let all = below.filter { !$0.path.hasPrefix("long/") }

  /// The long ones too.
  private static let below: [ShippedScenario] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { path in
      let data = FileManager.default.contents(atPath: folder.appending(path: path).path)
      return ShippedScenario(path: path, bytes: data.map { [UInt8]($0) } ?? [])
    }
  }()

  /// The one of a name, whatever folder it lies in.
  package static func named(_ name: String) throws -> ShippedScenario {
    let found = below.filter { $0.name == name }
    guard found.count == 1 else { throw NotOne(name: name, count: found.count) }
    return found[0]
  }

  struct NotOne: Error {
    var name: String
    var count: Int
  }
}
