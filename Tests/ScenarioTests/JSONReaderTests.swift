import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing

@Suite struct JSONReaderTests {
  @Test func `every value and every key knows its line and column`() throws {
    let value = try read("{ \"a\": 1,\r\n  \"é😀\": [ true,\n\t\"x\" ] }")
    let members = Array(try #require(value.members))
    let list = try #require(members[1].value.elements)
    #expect(value.position == TextPosition(line: 1, column: 1))
    #expect(members[0].keyPosition == TextPosition(line: 1, column: 3))
    #expect(members[0].value.position == TextPosition(line: 1, column: 8))
    #expect(members[1].keyPosition == TextPosition(line: 2, column: 3))
    #expect(members[1].value.position == TextPosition(line: 2, column: 9))
    #expect(list.map(\.position) == [.init(line: 2, column: 11), .init(line: 3, column: 2)])
  }

  @Test func `a column counts scalars, and a byte order mark not at all`() throws {
    #expect(try read("\u{FEFF}[1]").position == TextPosition(line: 1, column: 1))
    #expect(error(in: "[\"é😀\" x]")?.position == TextPosition(line: 1, column: 7))
  }

  @Test func `a part of a longer text counts from its own start`() throws {
    let text = [UInt8]("###\n[1]".utf8)
    #expect(try JSONValue(parsing: text[4...]).position == .start)
  }

  @Test func `a number keeps its text, a repeated key both its values`() throws {
    let value = try read("{\"a\": 0.1000000000000000000001e+2, \"a\": -0}")
    #expect(written(value) == "{\"a\":0.1000000000000000000001e+2,\"a\":-0}")
    guard case .number(let text) = value["a"]?.content else {
      Issue.record("the first value is a number")
      return
    }
    #expect(text == "0.1000000000000000000001e+2")
  }

  @Test func `escapes become the characters that they mean`() throws {
    let value = try read(#""\" \\ \/ \b\f\n\r\t \u0041 \ud83d\uDE00 \u0000""#)
    guard case .string(let text) = value.content else {
      Issue.record("not a string")
      return
    }
    #expect(text == "\" \\ / \u{8}\u{C}\n\r\t A 😀 \0")
  }

  @Test(arguments: [
    ("", 1, 1, "this is not JSON: found the end of the text", "a value"),
    ("[1 2]", 1, 4, "this is not JSON: found “2”", "“,” or “]”"),
    ("{\"a\" 1}", 1, 6, "this is not JSON: found “1”", "“:” after the key"),
    (
      "{\"a\": 1,}", 1, 8, "this is not JSON: a comma stands before “}”",
      "no comma after the last element"
    ),
    ("{a: 1}", 1, 2, "this is not JSON: found “a”", "a key in quotation marks or “}”"),
    ("{} é", 1, 4, "this is not JSON: found “é”", "the end of the text"),
    ("01", 1, 2, "this is not JSON: found “1”", "no digit after a leading zero"),
    ("-", 1, 2, "this is not JSON: found the end of the text", "a digit"),
    ("[\n1.]", 2, 3, "this is not JSON: found “]”", "a digit after the decimal point"),
    (#"["\x"]"#, 1, 3, "this is no escape sequence", nil),
    (#"["\ud800"]"#, 1, 3, "half of a surrogate pair stands alone", nil),
    ("[\"a\tb\"]", 1, 4, "a string may not hold a tab as it is", "\\t"),
    ("[\"a", 1, 4, "this is not JSON: found the end of the text", "a closing quotation mark"),
    ("[\u{1B}]", 1, 2, "this is not JSON: found a control character", "a value"),
  ])
  func `an error says where it is and what was expected`(
    text: String, line: Int, column: Int, message: String, expected: String?
  ) {
    let error = error(in: text)
    #expect(error?.position == TextPosition(line: line, column: column))
    #expect(error?.message == message)
    if let expected { #expect(error?.expected == expected) }
  }

  @Test func `the limit of nesting is the last depth that is read`() throws {
    let limit = JSONValue.depthLimit
    let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(throws: Never.self) { try read(deepest) }
    #expect(error(in: "[\(deepest)]")?.problem == .tooDeep(limit: limit))
  }

  private func error(in text: String) -> JSONError? {
    do throws(JSONError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }
}

/// Reads a document from a literal.
func read(_ text: String) throws(JSONError) -> JSONValue {
  try JSONValue(parsing: [UInt8](text.utf8))
}

/// A document on one line.
func written(_ value: JSONValue) -> String {
  var writer = JSONWriter()
  writer.value(value)
  return writer.text
}
