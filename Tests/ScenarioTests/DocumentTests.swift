import ExactText
import ScenarioFormat
import ScenarioRunner
import TestSupport
import Testing
import VirtualTime

/// A small document with every kind of part.
struct SampleDocument: Equatable {
  var name = ""
  var delay = TimeSpan.zero
  var media: Media?
  var steps: [String] = []
  var seed: UInt64 = 503
  var reason: String??
  var rate: Int64?
  var hint: String?

  enum Media: Equatable {
    case file(MediaTime)
    case live(TimeSpan)
  }

  static let keys = KeyTable<Self>("sample", "A small document.") {
    Key.required("name", { $0.name = $1 }, .text("clip"), "What it is called.")
    Key.optional("delay", { $0.delay = $1 }, .span, absent: "0 s", "How long it takes.")
    Key.oneOf("file", { $0.media = .file($1) }, .mediaPlace, "A file.")
    Key.oneOf("live", { $0.media = .live($1) }, .spanAboveZero, "A stream.")
    Key.required("steps", { $0.steps = $1 }, .list(of: step, atLeast: 1), "What is done.")
    Key.optional("seed", { $0.seed = $1 }, .seed, absent: 503, "The seed.")
    Key.optional("reason", { $0.reason = .some($1) }, .nullable(.text("why")), "Why | why not.")
    Key.optional("rate", { $0.rate = $1 }, .whole(in: 1...9), "How fast.").needing("reason")
    Key.optional("hint", { $0.hint = $1 }, .text("a"), notBeside: "seed", "A hint.").beside(
      "live", expected: "a stream")
  }

  private static let step = Form.words([("play", "play"), ("pause", "pause")])

  static func read(_ node: DocumentNode) -> SampleDocument? {
    keys.form(SampleDocument()).read(node)
  }
}

@Suite struct DocumentTests {
  @Test func `a document without mistakes becomes its value`() throws {
    let text = """
      {"name": "a", "live": "2 s", "steps": ["play", "pause"], "reason": null,
       "rate": 3, "seed": 18446744073709551615}
      """
    let sample = try decodeDocument(
      [UInt8](text.utf8)[...], file: "a.json", as: SampleDocument.read)
    #expect(
      sample
        == SampleDocument(
          name: "a", delay: .zero, media: .live(.seconds(2)), steps: ["play", "pause"],
          seed: .max, reason: .some(nil), rate: 3))
  }

  @Test func `all mistakes of a file are reported at once, in the order of the text`() {
    let text = """
      {
        "name": " ",
        "dealy": "100 ms",
        "file": 39,
        "live": "2 sec",
        "steps": ["play", "puase", 3],
        "seed": 1.5,
        "seed": 2,
        "rate": 10,
        "hint": "h"
      }
      """
    #expect(
      mistakes(in: text) == """
        a.json:1:1: “reason” is missing
        a.json:2:11: name: the string is empty (expected some text)
        a.json:3:3: unknown key “dealy” (did you mean “delay”?)
        a.json:4:11: file: the number 39 has no unit (expected a string: a number and a unit \
        (ns, us, µs, ms, s, min, h, days, years), such as “100 ms”)
        a.json:5:3: live: cannot stand beside “file” (expected only one of “file” or “live”)
        a.json:5:11: live: “2 sec” has the unknown unit “sec” (expected one of ns, us, µs, ms, s, \
        min, h, days, years; did you mean “s”?)
        a.json:6:21: steps[1]: unknown word “puase” (expected “play” or “pause”; \
        did you mean “pause”?)
        a.json:6:30: steps[2]: found the number 3 (expected “play” or “pause”)
        a.json:7:11: seed: found the number 1.5 (expected a whole number from 0 up)
        a.json:8:3: “seed” is repeated; it stands first at line 7, column 3 \
        (expected each key once)
        a.json:9:11: rate: found the number 10 (expected a whole number of at most 9)
        a.json:10:3: hint: cannot stand beside “seed” (expected only one of “seed” or “hint”)

        """)
  }

  @Test(arguments: [
    (
      "{}",
      """
      a.json:1:1: “name” is missing
      a.json:1:1: one of “file” or “live” is missing
      a.json:1:1: “steps” is missing

      """
    ),
    // A misspelled key is one mistake, not an unknown key and a missing one.
    (
      "{\"nmae\": \"a\", \"fiel\": \"1 s\", \"steps\": []}",
      """
      a.json:1:2: unknown key “nmae” (did you mean “name”?)
      a.json:1:15: unknown key “fiel” (did you mean “file”?)
      a.json:1:39: steps: the list is empty (expected at least one element)

      """
    ),
    ("[1]", "a.json:1:1: found a list (expected an object)\n"),
    ("{\"a\": }", "a.json:1:7: this is not JSON: found “}” (expected a value)\n"),
    ("", "a.json:1:1: this is not JSON: found the end of the text (expected a value)\n"),
  ])
  func `what is missing or of another kind is named`(text: String, expected: String) {
    #expect(mistakes(in: text) == expected)
  }

  @Test func `a key stands beside another where a table says so`() {
    let steps = #""name": "a", "file": "1 s", "steps": ["play"]"#
    #expect(mistakes(in: "{\(steps)}") == "")
    #expect(
      mistakes(in: "{\(steps), \"hint\": \"h\"}") == """
        a.json:1:49: hint: stands beside “live” only (expected a stream)

        """)
    #expect(mistakes(in: "{\(steps), \"rate\": 1}") == "a.json:1:1: “reason” is missing\n")
  }

  @Test func `a composed and a decomposed key are two keys`() {
    let text = "{\"\u{E9}\": true, \"e\u{301}\": true}"
    #expect(mistakes(in: text).contains("unknown key “\u{E9}”"))
    #expect(!mistakes(in: text).contains("is repeated"))
  }

  @Test func `thousands of unknown and repeated keys end soon`() {
    let count = Seeds.count(1_000, inRelease: 3_000)
    let unknown = (0..<2 * count).map { "\"key\($0 % count)\": 0" }.joined(separator: ",")
    #expect(errors(in: "{\(unknown)}")?.diagnostics.count == 2 * count + count + 3)
  }

  @Test func `three thousand damaged documents are decoded or say why not`() {
    let text = [UInt8](
      """
      {"name": "a", "live": "2 s", "delay": "5 ms", "steps": ["play", "pause"],
       "reason": null, "hint": "at length, so that much of the damage is done here"}
      """.utf8)
    var damage = Damage(state: 3)
    var (decoded, misread) = (0, 0)
    for _ in 0..<3_000 {
      do throws(DocumentError) {
        let text = damage.damaged(text, with: [[UInt8]("\"seed\": 5,".utf8)])
        _ = try decodeDocument(text[...], file: "a.json", as: SampleDocument.read)
        decoded += 1
      } catch {
        #expect(!error.diagnostics.isEmpty)
        if !error.diagnostics[0].path.steps.isEmpty { misread += 1 }
      }
    }
    // Some whole, some JSON without the right meaning, the rest no JSON.
    #expect(decoded > 100 && misread > 100 && decoded + misread < 2_700)
  }

  private func errors(in text: String) -> DocumentError? {
    do throws(DocumentError) {
      _ = try decodeDocument([UInt8](text.utf8)[...], file: "a.json", as: SampleDocument.read)
      return nil
    } catch {
      return error
    }
  }

  private func mistakes(in text: String) -> String { errors(in: text)?.text ?? "" }
}

@Suite struct NumberDecodingTests {
  @Test(arguments: [
    ("0", 0), ("20.0", 20), ("2e1", 20), ("9223372036854775807", Int64.max), ("-0", 0),
    ("1.5", nil), ("-1", nil), ("9223372036854775808", nil), ("1e400", nil), ("1e-400", nil),
    ("\"5\"", nil),
  ])
  func `a count is a whole number from zero up`(text: String, count: Int64?) throws {
    let log = DiagnosticLog(file: "a.json")
    #expect(Form<Int64>.count.read(DocumentNode(try read(text), in: log)) == count)
    #expect(log.isEmpty == (count != nil))
  }

  @Test func `bounds and conditions are part of the message`() throws {
    let log = DiagnosticLog(file: "a.json")
    let positive = Form.span.checked(expected: "a time above zero") { $0 > .zero }
    #expect(Form<Int64>.whole(in: -2...5).read(DocumentNode(try read("-2"), in: log)) == -2)
    #expect(Form<Int64>.whole(in: 1...5).read(DocumentNode(try read("0"), in: log)) == nil)
    #expect(Form<Int64>.whole(in: 1...5).read(DocumentNode(try read("6"), in: log)) == nil)
    #expect(positive.read(DocumentNode(try read("\"0 s\""), in: log)) == nil)
    #expect(
      log.diagnostics.map { $0.text } == [
        "a.json:1:1: found the number 0 (expected a whole number from 1 to 5)",
        "a.json:1:1: found the number 6 (expected a whole number of at most 5)",
        "a.json:1:1: found the string “0 s” (expected a time above zero)",
      ])
  }
}
