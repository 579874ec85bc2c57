import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing

/// The public JSON parsing test suite: 95 + 188 + 35 cases.
@Suite struct JSONConformanceTests {
  @Test func `every text that must be accepted is`() {
    let cases = SuiteCase.all(in: acceptedTexts)
    #expect(cases.count == 95)
    for text in cases {
      #expect(throws: Never.self, "\(text.name)") { try JSONValue(parsing: text.bytes) }
    }
  }

  @Test func `every text that must be refused is`() {
    let cases = SuiteCase.all(in: refusedTexts)
    #expect(cases.count == 186)
    for text in cases {
      #expect(throws: JSONError.self, "\(text.name)") { try JSONValue(parsing: text.bytes) }
    }
  }

  // The suite's n_structure_100000_opening_arrays.
  @Test func `a hundred thousand opening brackets are refused at the limit`() {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    let refusal = JSONError(.tooDeep(limit: 512), at: TextPosition(line: 1, column: 513))
    #expect(throws: refusal) { try JSONValue(parsing: text) }
  }

  // The suite's n_structure_open_array_object.
  @Test func `fifty thousand opening lists of objects are refused at the limit`() {
    let text = [UInt8](String(repeating: "[{\"\":", count: 50_000).utf8) + [0x0A]
    let refusal = JSONError(.tooDeep(limit: 512), at: TextPosition(line: 1, column: 1281))
    #expect(throws: refusal) { try JSONValue(parsing: text) }
  }

  // The suite's i_structure_500_nested_arrays.
  @Test func `five hundred nested lists are accepted`() throws {
    let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    let value = try JSONValue(parsing: [UInt8](text.utf8))
    var writer = JSONWriter()
    writer.value(value)
    #expect(writer.text == text)
  }

  @Test func `what the suite leaves open is decided case by case`() {
    let cases = SuiteCase.all(in: undecidedTexts)
    #expect(cases.map(\.name) == decisions.map(\.name))
    for (text, decision) in zip(cases, decisions) {
      #expect(problem(in: text.bytes) == decision.problem, "\(text.name)")
    }
  }

  private func problem(in text: [UInt8]) -> JSONError.Problem? {
    do throws(JSONError) {
      _ = try JSONValue(parsing: text)
      return nil
    } catch {
      return error.problem
    }
  }
}

/// What the reader does where RFC 8259 leaves it to the implementation; nil is an acceptance.
///
/// Numbers of any size are accepted, since they stay text; what is not Unicode in UTF-8 is refused,
/// since it could not be written again; a byte order mark is skipped.
private let decisions: [(name: String, problem: JSONError.Problem?)] = [
  ("i_number_double_huge_neg_exp", nil),
  ("i_number_huge_exp", nil),
  ("i_number_neg_int_huge_exp", nil),
  ("i_number_pos_double_huge_exp", nil),
  ("i_number_real_neg_overflow", nil),
  ("i_number_real_pos_overflow", nil),
  ("i_number_real_underflow", nil),
  ("i_number_too_big_neg_int", nil),
  ("i_number_too_big_pos_int", nil),
  ("i_number_very_big_negative_int", nil),
  ("i_object_key_lone_2nd_surrogate", .loneSurrogate),
  ("i_string_1st_surrogate_but_2nd_missing", .loneSurrogate),
  ("i_string_1st_valid_surrogate_2nd_invalid", .loneSurrogate),
  ("i_string_UTF-16LE_with_BOM", .otherEncoding),
  ("i_string_UTF-8_invalid_sequence", .invalidUTF8),
  ("i_string_UTF8_surrogate_U+D800", .invalidUTF8),
  ("i_string_incomplete_surrogate_and_escape_valid", .loneSurrogate),
  ("i_string_incomplete_surrogate_pair", .loneSurrogate),
  ("i_string_incomplete_surrogates_escape_valid", .loneSurrogate),
  ("i_string_invalid_lonely_surrogate", .loneSurrogate),
  ("i_string_invalid_surrogate", .loneSurrogate),
  ("i_string_invalid_utf-8", .invalidUTF8),
  ("i_string_inverted_surrogates_U+1D11E", .loneSurrogate),
  ("i_string_iso_latin_1", .invalidUTF8),
  ("i_string_lone_second_surrogate", .loneSurrogate),
  ("i_string_lone_utf8_continuation_byte", .invalidUTF8),
  ("i_string_not_in_unicode_range", .invalidUTF8),
  ("i_string_overlong_sequence_2_bytes", .invalidUTF8),
  ("i_string_overlong_sequence_6_bytes", .invalidUTF8),
  ("i_string_overlong_sequence_6_bytes_null", .invalidUTF8),
  ("i_string_truncated-utf-8", .invalidUTF8),
  ("i_string_utf16BE_no_BOM", .otherEncoding),
  ("i_string_utf16LE_no_BOM", .otherEncoding),
  ("i_structure_UTF-8_BOM_empty_object", nil),
]

/// One text of the suite.
struct SuiteCase {
  let name: String
  let bytes: [UInt8]

  /// The cases of a list: a name, a space and the text on each line.
  static func all(in list: String) -> [SuiteCase] {
    list.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      return SuiteCase(name: String(parts[0]), bytes: parts.count > 1 ? decoded(parts[1]) : [])
    }
  }

  private static func decoded(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
