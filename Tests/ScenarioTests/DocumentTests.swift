import ScenarioRunner
import Testing
import VirtualTime

/// A small document with every kind of part.
private struct Sample: Equatable {
  var name: String
  var delay: TimeSpan
  var media: Media
  var steps: [String]
  var players: [String]
  var seed: UInt64
  var reason: String??

  enum Media: Equatable {
    case file(MediaTime)
    case live(BitRate)
  }

  static func decode(_ node: DocumentNode) -> Sample? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let delay = object.optional("delay", default: .zero, as: Decode.timeSpan)
      let media = object.exactlyOne(of: [
        ("file", { Decode.mediaTime($0).map(Media.file) }),
        ("live", { Decode.bitRate($0).map(Media.live) }),
      ])
      let step = Decode.choice([("play", "play"), ("pause", "pause")])
      let steps = object.required("steps", as: Decode.list(atLeast: 1, of: step))
      let players = object.optional("players") { $0.named(of: Decode.boolean) }
      let seed = object.optional("seed", default: 503, as: Decode.seed)
      let reason = object.optional("reason", as: Decode.nullable(Decode.text))
      guard let name, let media, let steps else { return nil }
      return Sample(
        name: name, delay: delay, media: media, steps: steps,
        players: (players ?? []).map { $0.name }, seed: seed, reason: reason)
    }
  }
}

@Suite struct DocumentTests {
  @Test func `a document without mistakes becomes its value`() throws {
    let text = """
      {"name": "a", "live": "2 Mbit/s", "steps": ["play", "pause"], "reason": null,
       "players": {"first": true, "second": false}, "seed": 18446744073709551615}
      """
    let sample = try decodeDocument([UInt8](text.utf8)[...], file: "a.json", as: Sample.decode)
    #expect(
      sample
        == Sample(
          name: "a", delay: .zero, media: .live(.megabitsPerSecond(2)), steps: ["play", "pause"],
          players: ["first", "second"], seed: .max, reason: .some(nil)))
  }

  @Test func `all mistakes of a file are reported at once, in the order of the text`() {
    let text = """
      {
        "name": " ",
        "dealy": "100 ms",
        "file": 39,
        "live": "2 Mbps",
        "steps": ["play", "puase", 3],
        "players": { "a": 1, "a": true, "b c": null },
        "seed": 1.5,
        "seed": 2
      }
      """
    #expect(
      mistakes(in: text) == """
        a.json:2:11: name: the string is empty (expected some text)
        a.json:3:3: unknown key “dealy” (did you mean “delay”?)
        a.json:4:11: file: the number 39 has no unit (expected a string: a number and a unit \
        (ns, us, µs, ms, s, min, h, days, years), such as “100 ms”)
        a.json:5:3: live: cannot stand beside “file” (expected only one of “file” or “live”)
        a.json:5:11: live: “2 Mbps” has the unknown unit “Mbps” (expected one of bit/s, kbit/s, \
        Mbit/s, Gbit/s; did you mean “Mbit/s”?)
        a.json:6:21: steps[1]: unknown word “puase” (expected “play” or “pause”; \
        did you mean “pause”?)
        a.json:6:30: steps[2]: found the number 3 (expected “play” or “pause”)
        a.json:7:21: players.a: found the number 1 (expected true or false)
        a.json:7:24: players: “a” is repeated; it stands first at line 7, column 16 \
        (expected each key once)
        a.json:7:42: players["b c"]: found null (expected true or false)
        a.json:8:11: seed: found the number 1.5 (expected a whole number from 0 up)
        a.json:9:3: “seed” is repeated; it stands first at line 8, column 3 \
        (expected each key once)

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

  @Test func `a composed and a decomposed key are two keys`() {
    let text =
      "{\"name\": \"a\", \"file\": \"1 s\", \"steps\": [\"play\"], "
      + "\"players\": {\"\u{E9}\": true, \"e\u{301}\": true}}"
    #expect(mistakes(in: text) == "")
  }

  @Test func `six thousand unknown and repeated keys end soon`() {
    let unknown = (0..<6_000).map { "\"key\($0 % 3_000)\": 0" }.joined(separator: ",")
    #expect(errors(in: "{\(unknown)}")?.diagnostics.count == 6_000 + 3_000 + 3)
  }

  @Test func `three thousand damaged documents are decoded or say why not`() {
    let text = [UInt8](
      """
      {"name": "a", "live": "2 Mbit/s", "delay": "5 ms", "steps": ["play", "pause"],
       "players": {"first": true, "second": false}, "seed": 7, "reason": null}
      """.utf8)
    var damage = Damage(state: 3)
    var (decoded, misread) = (0, 0)
    for _ in 0..<3_000 {
      do throws(DocumentError) {
        let text = damage.damaged(text, with: [[UInt8]("\"seed\": 5,".utf8)])
        _ = try decodeDocument(text[...], file: "a.json", as: Sample.decode)
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
      _ = try decodeDocument([UInt8](text.utf8)[...], file: "a.json", as: Sample.decode)
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
    #expect(Decode.count(DocumentNode(try read(text), in: log)) == count)
    #expect(log.isEmpty == (count != nil))
  }

  @Test func `bounds and conditions are part of the message`() throws {
    let log = DiagnosticLog(file: "a.json")
    let positive = Decode.checked(Decode.timeSpan, expected: "a time above zero") { $0 > .zero }
    #expect(Decode.count(in: -2...5)(DocumentNode(try read("-2"), in: log)) == -2)
    #expect(Decode.count(in: 1...5)(DocumentNode(try read("0"), in: log)) == nil)
    #expect(Decode.count(in: 1...5)(DocumentNode(try read("6"), in: log)) == nil)
    #expect(positive(DocumentNode(try read("\"0 s\""), in: log)) == nil)
    #expect(
      log.diagnostics.map { $0.text } == [
        "a.json:1:1: found the number 0 (expected a whole number from 1 to 5)",
        "a.json:1:1: found the number 6 (expected a whole number of at most 5)",
        "a.json:1:1: found the string “0 s” (expected a time above zero)",
      ])
  }

  @Test func `unlimited has the meaning that the place gives it`() throws {
    let log = DiagnosticLog(file: "a.json")
    let cap = Decode.unlimited(Int64.max, or: Decode.bytes)
    #expect(cap(DocumentNode(try read("\"unlimited\""), in: log)) == .max)
    #expect(cap(DocumentNode(try read("\"1 KB\""), in: log)) == 1_000)
    #expect(log.isEmpty)
  }
}
