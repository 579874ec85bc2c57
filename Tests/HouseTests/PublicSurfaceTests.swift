import Foundation
import TestSupport
import Testing

/// What an app's team sees of the products for tests.
@Suite struct PublicSurfaceTests {
  /// A declaration that is public, with its first line.
  struct Declaration {
    var file: String
    var line: Int
    var text: String
    var kind: String
    var name: String
    var hasComment: Bool
  }

  private static let modules = [
    "VirtualTime", "LinkConditioner", "StreamingMedia", "Autowait", "PlayerPolicies",
    "SimulatedPlayback", "SimulatedWorld", "PlayerTesting", "GoldilocksTesting",
  ]

  /// What a protocol of the language asks for says itself what it is.
  private static let selfEvident = [
    "description", "hash", "rawValue", "body", "==", "<", "advanced", "duration", "enqueue",
    "minimumResolution", "sleep", "allCases",
  ]

  private static let words: Set<String> = [
    "func", "var", "let", "init", "subscript", "struct", "enum", "class", "protocol", "typealias",
    "associatedtype",
  ]

  private static let declarations: [Declaration] = modules.flatMap { module -> [Declaration] in
    let folder = Checkout.at("Sources/" + module)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
      let text = (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
      return declarations(in: text, file: module + "/" + path)
    }
  }

  private static func declarations(in text: String, file: String) -> [Declaration] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
    return lines.indices.compactMap { index in
      let line = lines[index]
      guard line.hasPrefix("public ") || line.hasPrefix("@") && line.contains(" public ") else {
        return nil
      }
      let parts = line.split { !$0.isLetter && !$0.isNumber && !"=<_`".contains($0) }
      guard let place = parts.firstIndex(where: { words.contains(String($0)) }) else { return nil }
      let kind = String(parts[place])
      let name = place + 1 < parts.count ? String(parts[place + 1]) : ""
      var above = index - 1
      while above > 0, lines[above].hasPrefix("@") || lines[above].hasPrefix("#") { above -= 1 }
      return Declaration(
        file: file, line: index + 1, text: String(line), kind: kind,
        name: kind == "init" ? "init" : name.prefix { $0 != "<" || name.first == "<" }.description,
        hasComment: above >= 0 && lines[above].hasPrefix("///"))
    }
  }

  @Test func `declarations and comments are told apart`() {
    let found = Self.declarations(
      in: """
        public import A
        /// Told.
        @inlinable
        public static func a() {}
        public var b: Int
          @frozen public struct C<D> {
        public init(
        """, file: "A.swift")
    #expect(found.map(\.name) == ["a", "b", "C", "init"])
    #expect(found.map(\.hasComment) == [true, false, false, false])
  }

  /// The number may only fall: a new public symbol has a comment.
  @Test func `no more public symbols than before are without a comment`() {
    let bare = Self.declarations.filter {
      !$0.hasComment && !Self.selfEvident.contains($0.name)
    }
    #expect(Self.declarations.count > 500)
    #expect(bare.count <= 211, "\(bare.map { "\($0.file):\($0.line) \($0.text)" })")
    let products = bare.filter { $0.file.hasPrefix("PlayerTesting") || $0.file.hasPrefix("Gold") }
    #expect(products.isEmpty, "\(products.map { "\($0.file):\($0.line) \($0.text)" })")
  }

  /// A structure or class is of use to an app where it has an initialiser, or is the type of what
  /// something returns, holds or tells.
  @Test func `each public type can be made or received`() {
    let all = Self.declarations
    let parts = ["struct", "class", "enum", "protocol", "extension", "init"]
    let told = all.filter { !parts.contains($0.kind) }.map { declaration in
      declaration.kind == "func" || declaration.kind == "subscript"
        ? declaration.text.components(separatedBy: "->").dropFirst().joined() : declaration.text
    }
    let sources = Self.modules.map { Self.source(of: $0) }.joined(separator: "\n")
    for type in all where ["struct", "class"].contains(type.kind) {
      let isTold = told.contains { $0.contains(type.name) }
      let patterns = [
        "(struct|class|extension) \(type.name)\\b((?!\\n\\})[\\s\\S])*?public (convenience )?init",
        "case [a-zA-Z]+\\([^)]*\\b\(type.name)\\b", "-> \\[?\(type.name)\\b",
        "throws?[( ]\(type.name)\\b", "[(,] ?\(type.name)[,)<]",
      ]
      let isMade = patterns.contains { sources.range(of: $0, options: .regularExpression) != nil }
      #expect(isTold || isMade, "\(type.file):\(type.line) \(type.text)")
    }
  }

  private static func source(of module: String) -> String {
    let folder = Checkout.at("Sources/" + module)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap {
      try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }.joined(separator: "\n")
  }

  // MARK: AVPlayer

  #if os(Linux)
    /// On a Mac the product itself is built against the framework.
    @Test func `AVPlayer satisfies the interfaces by its documented declarations`() throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "interfaces-\(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func compile(_ module: String, _ files: [String]) throws -> String {
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments =
          [
            "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name",
            module, "-emit-module-path", folder.appending(path: module + ".swiftmodule").path,
            "-I", folder.path,
          ] + files
        let output = Pipe()
        (compiler.standardError, compiler.standardOutput) = (output, output)
        try compiler.run()
        let text = String(
          decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return text
      }
      func files(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Checkout.at(path).path).sorted()
          .filter { $0.hasSuffix(".swift") }.map { Checkout.at(path + "/" + $0).path }
      }
      #expect(try compile("AVFoundation", files(in: "Tests/HouseTests/Stubs")) == "")
      #expect(
        try compile("PlayerInterfaces", files(in: "Tests/SampleApp/Sources/PlayerInterfaces")) == ""
      )
      let screen = try files(in: "Tests/SampleApp/Sources/PlayerScreen")
      let app = folder.appending(path: "App.swift")
      try """
      import AVFoundation
      @MainActor func screen(_ player: AVPlayer) -> PlayerScreenModel<AVPlayer> {
        PlayerScreenModel(player: player, clock: ContinuousClock()) { AVPlayerItem() }
      }
      """.write(to: app, atomically: true, encoding: .utf8)
      #expect(try compile("PlayerScreen", screen + [app.path]) == "")
      // Proof that the stand-in is what was compiled against.
      try "import AVFoundation\nlet item: AVPlayer = AVPlayerItem()"
        .write(to: app, atomically: true, encoding: .utf8)
      #expect(try compile("PlayerScreen", screen + [app.path]).contains("AVPlayerItem"))
    }
  #endif
}
