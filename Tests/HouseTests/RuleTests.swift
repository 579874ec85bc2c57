import Testing

/// Every rule finds its own bad sample, says so in these words, and lets a good one pass.
@Suite struct RuleTests {
  private func sample(_ text: String, in path: String = "Sources/Autowait/A.swift") -> SourceFile {
    SourceFile(path, text)
  }

  private func said(_ findings: [Finding]) -> String {
    findings.map(\.description).joined(separator: "\n")
  }

  @Test func `an import of a sibling is found however it is written`() {
    let file = sample("import VirtualTime\n@_exported public import struct LinkConditioner.Link")
    #expect(
      said(ImportTable.findings(in: file)) == """
        Sources/Autowait/A.swift:2: `Autowait` imports `LinkConditioner`. It may import \
        `VirtualTime`: move the code to a higher floor or hand the value down, because arrows \
        point down only, and only the command knows the machine it runs on.
        """)
  }

  @Test(arguments: [
    ("package import Foundation", "goldilocks"), ("import SystemLibrary", "goldilocks"),
    ("@testable import Glibc", "SystemLibrary"), ("import func Darwin.exp", "SystemLibrary"),
  ])
  func `only the command imports the machine`(line: String, module: String) {
    #expect(ImportTable.findings(in: sample(line)).count == 1)
    #expect(ImportTable.findings(in: sample(line, in: "Sources/\(module)/A.swift")).isEmpty)
  }

  @Test func `a testable import is found`() {
    let file = sample(
      "import Testing\n@testable import Autowait", in: "Tests/AutowaitTests/A.swift")
    #expect(
      said(TestableImports.findings(in: file)) == """
        Tests/AutowaitTests/A.swift:2: `@testable` opens a floor's inside. Test what the floor \
        offers, or make the piece `package`, because the release build is tested as it is \
        shipped, without testable imports.
        """)
  }

  @Test func `a floor outside the plan is found`() {
    #expect(
      said(ImportTable.findings(in: sample("", in: "Sources/Attic/A.swift"))) == """
        Sources/Attic/A.swift:1: `Attic` is not in the plan of the house. Give it a row in \
        Package.swift and in ImportTable.swift, because a floor stands somewhere.
        """)
  }

  @Test func `the top level is exactly the house`() {
    let names = [".ci", "Package.swift", "README.md", "Scenarios", "Sources", "docs"]
    #expect(
      said(TopLevel.findings(in: names)) == """
        docs: the top level holds `docs`. Move it below Sources, Tests or Scenarios, or into a \
        dot-folder, because whoever opens the checkout sees the house and nothing else.
        Tests: the top level lacks `Tests`. Put it back, because the package is built from it.
        """)
  }

  @Test func `a clock is found with its line, its replacement and the reason`() {
    #expect(
      said(BannedWords.findings(in: sample("struct A {\n  let now = Date()\n}"))) == """
        Sources/Autowait/A.swift:2: `Date` is not written below the command. Take an `Instant` as \
        a parameter, because time is virtual, and a run is the same whenever it happens.
        """)
  }

  @Test(arguments: [
    "Date()", "ContinuousClock.now", "SuspendingClock()", "Task { }", "func f() async { }",
    "await f()", "Int.random(in: 0..<2)", "Int64.random(in: a, using: &g)",
    "SystemRandomNumberGenerator()", "a.shuffled()", "a.shuffled(using: &g)", "a.randomElement()",
    "a.hashValue", "let a: any P", "[any P]", "func f() throws -> A { }", "func f(g: () rethrows)",
    "let a: Double", "var a = Float(1)", "print(a)", "try! f()", "fatalError()",
    "fatalError(message)", "preconditionFailure()", "struct A: Codable", #""\(Date())""#,
  ])
  func `what asks the machine is found`(code: String) {
    #expect(BannedWords.findings(in: sample(code)).count == 1)
    #expect(BannedWords.findings(in: sample(code, in: "Sources/goldilocks/A.swift")).isEmpty)
    #expect(BannedWords.findings(in: sample(code, in: "Tests/AutowaitTests/A.swift")).isEmpty)
  }

  @Test(arguments: [
    "// Date, async, any P", #""Date async""#, "let updated: DateLine", "func f() throws(E) { }",
    "func print(a: Int)", "trace.print(a)", "try f()", "try? f()", "stream.random(below: 6)",
    #"fatalError("the heap lost its order")"#, "let any = 1", "a.any", "lossless.shuffle",
  ])
  func `what only looks like it is left alone`(code: String) {
    #expect(BannedWords.findings(in: sample(code)).isEmpty)
  }

  @Test func `statistics may use floating point`() {
    #expect(BannedWords.findings(in: sample("Double", in: "Sources/RunReports/A.swift")).isEmpty)
  }

  @Test func `a walk over a dictionary is found`() {
    let file = sample("let sizes: [String: Int64] = [:]\nfor size in sizes { }")
    #expect(
      said(HashWalks.findings(in: file)) == """
        Sources/Autowait/A.swift:2: a walk over the unordered `sizes`. Walk an array, or the \
        sorted keys, because the order differs from one process to the next, and so would the trace.
        """)
  }

  @Test(arguments: [
    "var a: Set<Int> = []\nfor x in a { }", "var a = Set<Int>()\nfor x in self.a where x > 1 { }",
    "func f(a: [K: V]) { for (k, v) in a { } }", "for k in whatever.keys { }",
    "let a: [K: V]\nfor v in a.values { }", "let a: [K: V]\na.values.reduce(0, +)",
    "let a: Dictionary<K, V>\n_ = a.map { $0 }", "var a: Set<K>\nlet b = a.first",
  ])
  func `walks in any form are found`(code: String) {
    #expect(HashWalks.findings(in: sample(code)).count == 1)
  }

  @Test(arguments: [
    "let a: [Int]\nfor x in a { }", "let a: [K: V]\nfor k in a.keys.sorted() { }",
    "let a: [K: V]\nlet v = a[k]", "let a = [f(b ? c : d)]\nfor x in a { }",
    "let a: Set<K>\nif a.contains(k) { }", "for v in profile.values { }",
    "f(a: [b, c])\nfor x in a { }", "let a = b ? c[0] : [d: e]\nfor x in [a, c[0]] { }",
  ])
  func `walks over what has an order are left alone`(code: String) {
    #expect(HashWalks.findings(in: sample(code)).isEmpty)
  }

  @Test func `a default beside the cases of an enum is found`() {
    let file = sample("switch a {\ncase .waiting: 1\ndefault: 2\n}")
    #expect(
      said(SwitchDefaults.findings(in: file)) == """
        Sources/Autowait/A.swift:3: `default` in a switch over an enum. Name the cases, or give \
        the file a reason in SwitchDefaults.allowed, because a case added later must not fall \
        through unseen.
        """)
  }

  @Test(arguments: [
    ("switch a { case let .b(c): 1\ndefault: 2 }", 1),
    ("switch (a, b) { case (.c, .d): 1\ndefault: 2 }", 1),
    ("switch a { case 1: switch b { case .c: 1\ndefault: 2 }\ndefault: 3 }", 1),
    ("switch a { case 1...9: f(.b)\ndefault: 2 }", 0),
    ("switch a { case 1, .some(2...3), .none: 1\ndefault: 2 }", 0),
    ("switch a { case UInt8(ascii: \"a\"), .max: 1\ndefault: 2 }", 0),
    ("switch a { case \"x\": .waiting\ndefault: .playing }", 0),
    ("switch a { case .b: d[c, default: 0]\ncase .c: 2 }", 0),
  ])
  func `a default over numbers or text is left alone`(code: String, count: Int) {
    #expect(SwitchDefaults.findings(in: sample(code)).count == count)
  }

  @Test func `a note for later is found in comments only`() {
    let file = sample("let a = \"TODO\"\n// a fixed thing\n/// FIXME: this\nlet todo = XXX")
    #expect(
      said(Leftovers.notes(in: file)) == """
        Sources/Autowait/A.swift:3: `FIXME`. Do it, or open an issue that says what is missing, \
        because a note in the code is read by nobody who plans the work.
        """)
    #expect(Leftovers.notes(in: sample("# HACK", in: ".ci/run")).count == 1)
  }

  @Test func `a folder of one machine is found`() {
    let file = sample("a\nlet a = \"/home/ada/x\"")
    #expect(
      said(Leftovers.folders(in: file)) == """
        Sources/Autowait/A.swift:2: `/home` is a folder of one machine. Write a path from the root \
        of the checkout, or ask for a temporary folder, because the checkout is used on other \
        machines.
        """)
    for text in ["a/work/b", "/worker", "https://example.org/tmp", "x / root", "{a}/tmp"] {
      #expect(Leftovers.folders(in: sample(text)).isEmpty, "\(text)")
    }
  }

  @Test func `a wide line is found by its columns, not its bytes`() {
    let wide = String(repeating: "é", count: 100)
    #expect(
      said(Sizes.widths(sample("\(wide)\n\(wide)x"))) == """
        Sources/Autowait/A.swift:2: a line of 101 columns. Break it before column 100, because \
        two files fit beside each other on a screen.
        """)
  }
}
