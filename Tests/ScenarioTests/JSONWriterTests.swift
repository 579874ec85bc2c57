import ExactText
import ScenarioFormat
import ScenarioRunner
import Testing

@Suite struct JSONWriterTests {
  @Test(arguments: [
    (0, "0"), (1, "0.000000001"), (-1, "-0.000000001"), (5_540_000_000, "5.54"),
    (10_000_000_000, "10"), (-1_500_000_000, "-1.5"), (1_000_000_010, "1.00000001"),
    (Int64.max, "9223372036.854775807"), (Int64.min, "-9223372036.854775808"),
  ])
  func `nanoseconds are written as exact seconds`(nanoseconds: Int64, text: String) {
    var writer = JSONWriter()
    writer.seconds(nanoseconds)
    #expect(writer.text == text)
  }

  /// RFC 8259 §7; what cannot be seen is spelled out too.
  @Test func `each control character is escaped, and comes back`() throws {
    let short: [UInt8: String] = [
      8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 0x22: "\"", 0x5C: "\\",
    ]
    for value in 0..<128 as Range<UInt8> {
      let text = String(UnicodeScalar(value))
      let digits = String(value, radix: 16)
      let zeros = String(repeating: "0", count: 4 - digits.count)
      let escape =
        short[value].map { "\\" + $0 }
        ?? (value < 32 || value == 127 ? "\\u\(zeros)\(digits)" : text)
      for around in ["", "plain", "äöü", "long enough for words"] {
        let json = JSONTree.string(around + text + around).json
        #expect(json == "\"\(around)\(escape)\(around)\"")
        let read = try JSONValue(parsing: Array(json.utf8)).string
        #expect(read.map { Array($0.utf8) } == Array((around + text + around).utf8))
      }
    }
  }

  @Test func `integers reach both ends`() {
    var writer = JSONWriter()
    writer.beginArray()
    for number in [Int64.min, -1, 0, 9, 10, .max] { writer.integer(number) }
    writer.natural(.max)
    writer.decimal(780_500, places: 3)
    writer.decimal(780_500, places: 0)
    writer.endArray()
    #expect(
      writer.text
        == "[-9223372036854775808,-1,0,9,10,9223372036854775807,18446744073709551615,780.5,780500]")
  }

  /// DEL, C1, direction, no width, beyond 16 bits; and beside them what is seen.
  @Test(arguments: [
    ("\u{7F}", "\\u007f"), ("\u{9B}31m", "\\u009b31m"), ("a\u{202E}b", "a\\u202eb"),
    ("\u{2066}\u{200F}", "\\u2066\\u200f"), ("\u{E0041}", "\\udb40\\udc41"),
    ("\u{A0}é—😀", "\u{A0}é—😀"),
    ("\u{1B}ü\"", "\\u001bü\\\""),
  ])
  func `what a terminal would obey is spelled out, and reads as what it was`(
    text: String, written: String
  ) throws {
    var bytes: [UInt8] = []
    bytes.append(quoted: text)
    #expect(String(decoding: bytes, as: UTF8.self) == "\"" + written + "\"")
    let read = try JSONValue(parsing: bytes).stringBytes
    #expect(read.map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test func `only what must be escaped, and what cannot be seen, is`() {
    var writer = JSONWriter()
    writer.string("a\"b\\c/d\u{1}\u{8}\u{C}\n\r\t\u{1F}\u{7F}é😀\u{2028}")
    #expect(
      writer.text == #""a\"b\\c/d\u0001\b\f\n\r\t\u001f\u007fé😀\u2028""#)
  }

  @Test func `a compact document has no spaces and a line of its own`() {
    var writer = JSONWriter()
    for instant in [Int64(0), 1] {
      writer.beginObject()
      writer.key("at")
      writer.seconds(instant)
      writer.key("list")
      writer.beginArray()
      writer.null()
      writer.boolean(true)
      writer.endArray()
      writer.endObject()
      writer.endLine()
    }
    #expect(
      writer.text
        == "{\"at\":0,\"list\":[null,true]}\n{\"at\":0.000000001,\"list\":[null,true]}\n")
  }

  @Test func `an indented document has two spaces for each level`() throws {
    var writer = JSONWriter(.indented)
    writer.value(try read(#"{"a":[],"b":{},"c":[1,{"d":"e"}]}"#))
    #expect(
      writer.text == """
        {
          "a": [],
          "b": {},
          "c": [
            1,
            {
              "d": "e"
            }
          ]
        }
        """)
  }
}
