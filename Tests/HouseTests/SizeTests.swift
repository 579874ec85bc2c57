import Testing

/// Lengths are measured as a reader would, and the ratchet turns one way.
@Suite struct SizeTests {
  @Test func `functions are measured from their name to their last brace`() {
    let file = SourceFile(
      "Sources/Autowait/A.swift",
      """
      struct A {
        var stored = { 1 }()
        var computed: Int {
          1
        }
        init?(a: Int = f({ 2 })) {
        }
        func a() where T == { case b = "}" }
        subscript(a: Int) -> Int { 1 }
      }
      protocol P {
        func required() -> Int
        var needed: Int { get }
      }
      if var a = b { a.init() }
      """)
    #expect(
      Functions.all(in: file) == [
        Function(name: "computed", line: 3, length: 3), Function(name: "init", line: 6, length: 2),
        Function(name: "a", line: 8, length: 1), Function(name: "subscript", line: 9, length: 1),
        Function(name: "needed", line: 13, length: 1),
      ])
  }

  @Test func `a long function and a long file are found`() {
    let body = String(repeating: "  a()\n", count: 600)
    let file = SourceFile("Sources/Autowait/A.swift", "func long() {\n\(body)}\n")
    #expect(
      Sizes.functions([file]).first?.description == """
        Sources/Autowait/A.swift:1: a function of 602 lines, over 50. Give a part of it a name of \
        its own, because what fits on a screen is read as a whole.
        """)
    #expect(
      Sizes.files([file]).first?.description == """
        Sources/Autowait/A.swift: a file of 602 lines, over 600. Split it where an idea ends, \
        because what fits on a screen is read as a whole.
        """)
  }

  @Test func `a type is measured with its extensions and what is nested in it`() {
    let first = SourceFile(
      "Sources/Autowait/A.swift",
      """
      import struct VirtualTime.Instant
      public struct A: Hashable {
        struct B {
        }
      }
      extension A.C {
        func a() {}
      }
      """)
    let second = SourceFile(
      "Sources/Autowait/B.swift", "extension A {\n}\nextension A where T == B {\n  func b() {}\n}")
    let elsewhere = SourceFile("Sources/VirtualTime/A.swift", "enum A {\n}")
    let measured = TypeSizes.measured([first, second, elsewhere])
    #expect(measured.map(\.name) == ["Autowait A", "Autowait A.C", "VirtualTime A"])
    #expect(measured.map(\.length) == [9, 3, 2])
  }

  @Test func `a type that is long only with its extensions is found`() {
    let body = String(repeating: "  func a() {}\n", count: 350)
    let files = ["A", "B"].map {
      SourceFile("Sources/Autowait/\($0).swift", "extension A {\n\(body)}\n")
    }
    #expect(
      TypeSizes.findings(in: files).first { $0.path.hasSuffix("A.swift") }?.description == """
        Sources/Autowait/A.swift: a type of 750 lines, over 700. Make a part of it a value with \
        state of its own, because what fits on a screen is read as a whole.
        """)
  }

  @Test(
    arguments: [
      (50, [:], nil),
      (51, [:], "a function of 51 lines, over 50"),
      (60, ["a f": 60], nil),
      (61, ["a f": 60], "a function of 61 lines, over 60"),
      (55, ["a f": 60], "a function of 55 lines with a ratchet at 60. Lower the ratchet to 55"),
      (50, ["a f": 60], "a function of 50 lines with a ratchet at 60. Take it out"),
      (40, ["a f": 40], "a function of 40 lines with a ratchet at 40. Take it out"),
    ] as [(Int, [String: Int], String?)])
  func `the ratchet only tightens`(length: Int, table: [String: Int], expected: String?) {
    let measured = Measurement(name: "a f", path: "a", line: 7, length: length, limit: 50)
    let findings = ratchet([measured], table).findings
    #expect(findings.count == (expected == nil ? 0 : 1))
    #expect(findings.first?.description.hasPrefix("a:7: \(expected ?? "")") ?? true)
  }

  @Test func `an entry for what is gone is found`() {
    #expect(
      ratchet([], ["a f": 60]).findings.map(\.description) == [
        "a f: a ratchet for something that is not there. Take it out, "
          + "because the ratchet only tightens."
      ])
  }

  private func ratchet(_ measured: [Measurement], _ table: [String: Int]) -> Ratchet {
    Ratchet(measured: measured, table: table, noun: "function", instead: "Cut it")
  }
}
