import Testing

/// What the checks must not stumble over.
@Suite struct LexerTests {
  private func words(_ text: String) -> [String] {
    Lexer(Array(text.utf8)).tokens.map(\.text)
  }

  @Test(arguments: [
    ("let a = b", ["let", "a", "=", "b"]),
    ("a // Date\nb", ["a", "b"]),
    ("a /* x /* Date */ y */ b", ["a", "b"]),
    (#"f("Date")"#, ["f", "(", "\"\"", ")"]),
    (#""a\"Date" b"#, ["\"\"", "b"]),
    (#""a\(f(b)) Date" c"#, ["\"\"", "f", "(", "b", ")", "c"]),
    (#""a\(g("x\(y) Date")) Date" c"#, ["\"\"", "g", "(", "\"\"", "y", ")", "c"]),
    (##"#"a\(b) " Date"# c"##, ["\"\"", "c"]),
    (##"#"a\#(b) Date"# c"##, ["\"\"", "b", "c"]),
    ("\"\"\"\n \"Date\" \\(a)\n\"\"\" b", ["\"\"", "a", "b"]),
    ("func `a Date is not`() {}", ["func", "`a Date is not`", "(", ")", "{", "}"]),
    ("#if os(Linux)\n#endif", ["#if", "os", "(", "Linux", ")", "#endif"]),
    ("@testable import A", ["@testable", "import", "A"]),
    ("1_000...n", ["1_000", ".", ".", ".", "n"]),
    ("\"never closed\nnext", ["\"\"", "next"]),
  ])
  func `code is told from text`(source: String, expected: [String]) {
    #expect(words(source) == expected)
  }

  @Test func `tokens and comments know their lines`() {
    let source = "a\n/* b\nc */ d\n\"\"\"\ne\n\"\"\"\nf // g\nh"
    let lexer = Lexer(Array(source.utf8))
    #expect(lexer.tokens.map(\.line) == [1, 3, 4, 7, 8])
    #expect(
      lexer.comments == [
        Comment(text: "/* b", line: 2), Comment(text: "c */", line: 3),
        Comment(text: "// g", line: 7),
      ])
  }
}
