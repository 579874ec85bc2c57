/// Which floor may import which: arrows point down only, and siblings never meet.
enum ImportTable {
  private static let middle = [
    "LinkConditioner", "StreamingMedia", "Autowait", "PlayerPolicies",
  ]
  private static let engine = ["VirtualTime"] + middle + ["SimulatedPlayback"]
  private static let simulator =
    engine + ["ExactText", "SimulatedWorld", "Recording", "ScenarioFormat", "ScenarioRunner"]

  static let allowed: [String: [String]] = [
    "VirtualTime": [],
    "ExactText": [],
    "LinkConditioner": ["VirtualTime", "ExactText"],
    "StreamingMedia": ["VirtualTime"],
    "Autowait": ["VirtualTime"],
    "PlayerPolicies": ["VirtualTime"],
    "SimulatedPlayback": ["VirtualTime"] + middle,
    "SimulatedWorld": engine,
    "Recording": engine + ["SimulatedWorld"],
    "ScenarioFormat": engine + ["ExactText", "SimulatedWorld", "Recording"],
    "ScenarioRunner": engine + ["ExactText", "SimulatedWorld", "Recording", "ScenarioFormat"],
    "HeuristicComparison": simulator,
    "RunReports": simulator,
    "goldilocks": simulator + [
      "HeuristicComparison", "RunReports", "PageFiles", "SystemLibrary", "Foundation",
    ],
    "PlayerTesting": engine + ["ExactText", "SimulatedWorld", "Dispatch", "Foundation"],
    "GoldilocksTesting": simulator + ["PlayerTesting", "Foundation"],
    "PageFiles": [],
    "SystemLibrary": ["Glibc", "Darwin"],
    "BrowserRuntime": [],
    "BrowserEngine": simulator + ["RunReports", "BrowserRuntime"],
  ]

  /// `import struct Module.Type` names a kind before the module.
  private static let kinds = [
    "struct", "class", "enum", "protocol", "typealias", "func", "var", "let",
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard let module = file.module else { return [] }
    guard let permitted = allowed[module] else { return [unknown(module, file)] }
    return file.tokens.enumerated().compactMap { index, token in
      guard token.text == "import", file.word(index - 1) != "." else { return nil }
      let next = file.word(index + 1)
      let name = kinds.contains(next) ? file.word(index + 2) : next
      if permitted.contains(name) { return nil }
      return forbidden(name, in: module, permitted, file.path, file.tokens[index].line)
    }
  }

  private static func unknown(_ module: String, _ file: SourceFile) -> Finding {
    Finding(
      path: file.path, line: 1, what: "`\(module)` is not in the plan of the house",
      instead: "Give it a row in Package.swift and in ImportTable.swift",
      because: "a floor stands somewhere")
  }

  private static func forbidden(
    _ name: String, in module: String, _ permitted: [String], _ path: String, _ line: Int
  ) -> Finding {
    let list = permitted.isEmpty ? "nothing" : permitted.map { "`\($0)`" }.joined(separator: ", ")
    return Finding(
      path: path, line: line, what: "`\(module)` imports `\(name)`",
      instead: "It may import \(list): move the code to a higher floor or hand the value down",
      because: "arrows point down only, and only the command knows the machine it runs on")
  }
}

/// Tests see what the other floors see.
enum TestableImports {
  static func findings(in file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix("Tests/") else { return [] }
    return file.tokens.filter { $0.text == "@testable" }.map {
      Finding(
        path: file.path, line: $0.line, what: "`@testable` opens a floor's inside",
        instead: "Test what the floor offers, or make the piece `package`",
        because: "the release build is tested as it is shipped, without testable imports")
    }
  }
}

/// What lies at the top of the checkout.
enum TopLevel {
  private static let required = ["Package.swift", "Sources", "Tests"]
  private static let allowed = required + ["Scenarios", "README.md"]

  static func findings(in names: [String]) -> [Finding] {
    let visible = names.filter { !$0.hasPrefix(".") }
    let extra = visible.filter { !allowed.contains($0) }.map {
      Finding(
        path: $0, what: "the top level holds `\($0)`",
        instead: "Move it below Sources, Tests or Scenarios, or into a dot-folder",
        because: "whoever opens the checkout sees the house and nothing else")
    }
    let missing = required.filter { !visible.contains($0) }.map {
      Finding(
        path: $0, what: "the top level lacks `\($0)`", instead: "Put it back",
        because: "the package is built from it")
    }
    return extra + missing
  }
}
