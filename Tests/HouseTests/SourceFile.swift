import Foundation
import TestSupport

/// A file of the checkout, read and cut once for all checks.
struct SourceFile {
  /// The path from the root of the checkout.
  var path: String
  let text: String
  let lines: [ArraySlice<UInt8>]
  /// Empty unless the file is Swift.
  var tokens: [Token] = []
  var comments: [Comment] = []

  init(_ path: String, _ text: String) {
    self.init(path, bytes: Array(text.utf8))
  }

  init(_ path: String, bytes: [UInt8]) {
    self.path = path
    text = String(decoding: bytes, as: UTF8.self)
    lines = Self.lines(of: bytes)
    guard path.hasSuffix(".swift") else { return }
    let lexer = Lexer(bytes)
    tokens = lexer.tokens
    comments = lexer.comments
  }

  /// The folder below `Sources`, if the file stands there.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// Whether the house's rules for deterministic code hold here: everywhere but in the command.
  var isBelowTheCommand: Bool {
    guard let module else { return false }
    return !["goldilocks", "GoldilocksTesting", "PlayerTesting"].contains(module)
  }

  func isUnder(_ prefixes: [String]) -> Bool {
    prefixes.contains { path.hasPrefix($0) }
  }

  /// The text of a token, or nothing past either end.
  func word(_ index: Int) -> String {
    0 <= index && index < tokens.count ? tokens[index].text : ""
  }

  /// Whether some letters stand anywhere in the file, in a word of their own or not.
  func mentions(_ letters: String) -> Bool {
    text.withCString { strstr($0, letters) != nil }
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    bytes.withUnsafeBytes { raw in
      while start < raw.count, let first = raw.baseAddress,
        let end = memchr(first + start, Int32(UInt8(ascii: "\n")), raw.count - start)
      {
        let index = UnsafeRawPointer(end) - first
        lines.append(bytes[start..<index])
        start = index + 1
      }
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}

/// Every file that the house's rules are about.
enum SourceTree {
  static let files: [SourceFile] =
    (["Sources", "Tests", "Scenarios", ".ci"].flatMap(paths(under:)) + [
      "Package.swift", "README.md",
    ])
    .filter(isRead).compactMap(read)

  static let topLevel: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: Checkout.root.path)) ?? []).sorted()

  private static func paths(under folder: String) -> [String] {
    let root = Checkout.at(folder).path
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    // What a build leaves behind is nobody's source.
    let sources = names.filter { !("/" + $0).contains("/.build/") }
    return sources.sorted().map { folder + "/" + $0 }
  }

  /// Test data may hold anything; the tests themselves may not.
  private static func isRead(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last ?? "" : ""
    if path.hasPrefix("Tests/") { return ending == "swift" }
    return ["swift", "c", "h", "json", "mjs", "md", ""].contains(ending)
  }

  private static func read(_ path: String) -> SourceFile? {
    guard let data = FileManager.default.contents(atPath: Checkout.at(path).path) else {
      return nil
    }
    return SourceFile(path, bytes: Array(data))
  }
}
