import ExactText
import LinkConditioner
import RunReports
import ScenarioFormat
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Values at the limits of what a scenario may say: the last that is read, and the first that is
/// not.
@Suite struct LimitTests {
  struct Limit: CustomTestStringConvertible {
    /// Members of the scenario with a hole in them.
    var text: String
    var within: String
    var beyond: String
    var message: String

    init(_ text: String, _ within: String, _ beyond: String, _ message: String) {
      (self.text, self.within, self.beyond, self.message) = (text, within, beyond, message)
    }

    var testDescription: String { "\(text) \(beyond)" }

    func document(_ value: String) -> [UInt8] {
      var members = ["\"scenario\": \"a\"", "\"about\": \"b\"", text.replacing("…", with: value)]
      for (key, usual) in [
        ("link", #"{ "bandwidth": "1 Mbit/s" }"#),
        ("media", #"{ "progressive": { "duration": "9 s", "bitrate": "1 Mbit/s" } }"#),
        ("script", #"[ { "at": "0 s", "do": "play" } ]"#),
      ] where !text.hasPrefix("\"\(key)\"") {
        members.append("\"\(key)\": \(usual)")
      }
      return Array("{ \(members.joined(separator: ", ")) }".utf8)
    }
  }

  private static let limits = [
    // Ten thousand gigabytes.
    Limit(
      #""media": { "progressive": { "duration": "2000 s", "bitrate": "… bit/s" } }"#,
      "40000000000", "40000000001", "the file is too large"),
    Limit(
      #""media": { "progressive": { "sizesPerSecond": [ "5000 GB", "5000 GB", "…" ] } }"#,
      "0 B", "1 B", "the file is too large"),
    // Two hundred thousand segments of all rungs.
    Limit(
      #""media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" }, { "bitrate": "2 Mbit/s" },"#
        + #" { "bitrate": "3 Mbit/s" }, { "bitrate": "4 Mbit/s" } ],"#
        + #" "segmentDuration": "1 s", "duration": "… s" } }"#,
      "49999", "50000", "too many segments"),
    // A year.
    Limit(
      #""script": [ { "at": "1 s", "do": "setRateAtHostTime", "rate": 1, "time": "0 s","#
        + #" "hostTime": "in …" } ]"#,
      "31536000 s", "31536000.000000001 s", "too far away"),
    Limit(
      #""traffic": [ { "name": "t", "from": "1 s", "to": "…" } ]"#,
      "1.000000001 s", "1 s", "expected a time after"),
    Limit(
      #""media": { "hls": { "duration": "9 s", "ladder": [ { "bitrate": "1 Mbit/s","#
        + #" "resolution": "…" } ] } }"#,
      "1x1", "0x1", "is no size"),
    Limit(
      #""media": { "hls": { "duration": "9 s", "ladder": [ { "bitrate": "1 Mbit/s","#
        + #" "resolution": "…" } ] } }"#,
      "99999x1", "1x100000", "is no size"),
    Limit(#""requests": { "connectionsThere": … }"#, "6", "7", "there are at most 6 to a host"),
    Limit(
      #""requests": { "connectionsPerHost": 2, "connectionsThere": … }"#, "2", "3",
      "there are at most 2 to a host"),
    Limit(
      #""requests": { "http": "2", "connectionsThere": … }"#, "1", "2",
      "there are at most 1 to a host"),
    Limit(#""link": { "relativeBandwidth": "… %" }"#, "100000", "100000.001", "at most 100000 %"),
    Limit(
      #""player": { "defaultRate": … }"#, "32", "32.001", "from 0 to 32"),
    Limit(#""player": { "defaultRate": … }"#, "0.001", "0.0001", "three decimals"),
    Limit(
      #""expect": [ { "at": "1 s", "loadedTimeRanges": [ [ "0 s", "1 s" ], [ "…", "2 s" ] ] } ]"#,
      "1.000000001 s", "1 s", "touch or are out of order"),
    Limit(
      #""expect": [ { "at": "1 s", "loadedTimeRanges": [ [ "0 s", "…" ] ] } ]"#,
      "0.000000001 s", "0 s", "that is no range"),
    Limit(
      #""link": { "bandwidth": "… bit/s" }"#, "1000000000000", "1000000000001", "at most 1 Tbit/s"),
  ]

  private func refusal(_ text: [UInt8]) -> String? {
    do throws(DocumentError) {
      _ = try readScenario(text, file: "a.json")
      return nil
    } catch {
      return error.text
    }
  }

  @Test(arguments: limits)
  func `a value is read up to a limit, and not beyond it`(limit: Limit) {
    #expect(refusal(limit.document(limit.within)) == nil)
    let found = refusal(limit.document(limit.beyond))
    #expect(found?.contains(limit.message) == true, "\(found ?? "read")")
  }

  /// 999,999,000,001 bytes in 800,000 s at 10,000.01 % are 10¹⁸ + 1 billionths of a bit per second:
  /// more than a link counts, and rounded to millionths.
  @Test(
    arguments: [
      (999_998_999_999, 999_999_999_997_999_999, 1_000_000_000),
      (999_999_000_000, 999_999_999_999, 1_000), (999_999_000_001, 1_000_000_000, 1),
    ] as [(Int64, Int64, Int64)])
  func `a share of a bit rate is exact as far as a link carries it`(
    bytes: Int64, numerator: Int64, denominator: Int64
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "relativeBandwidth": "10000.01 %" },
        "media": { "progressive": { "duration": "800000 s", "size": "\(bytes) B" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json")
    let rate = BitRate(bitsPerSecond: numerator, over: denominator)
    #expect(scenario.link.conditions.downlink.bandwidth == .limited(rate))
  }

  /// Of a number that is refused forty characters are shown, and a larger one is too large.
  @Test(arguments: [39, 40, 41])
  func `a number in a message has forty characters at most`(count: Int) {
    let digits = String(repeating: "9", count: count)
    let limit = Limit(#""seed": …"#, "", "", "")
    let found = refusal(limit.document(digits)) ?? ""
    #expect(found.contains(digits) == (count <= 40))
    #expect(found.contains(String(digits.prefix(40)) + "…") == (count > 40))
  }

  @Test(arguments: [("2147483647.5", false), ("2147483648", true), ("2147483648.5", true)])
  func `a rate beyond a word is too large, and one of a word too fine`(
    rate: String, isLarge: Bool
  ) {
    let limit = Limit(#""player": { "defaultRate": … }"#, "", "", "")
    let (found, other) = (
      refusal(limit.document(rate)) ?? "", refusal(limit.document("1e12")) ?? ""
    )
    func reason(_ text: String, _ rate: String) -> String { text.replacing(rate, with: "x") }
    #expect((reason(found, rate) == reason(other, "1e12")) == isLarge, "\(found) \(other)")
  }

  /// As many as a list may have, each with a name of its own, and one more.
  @Test(arguments: [(15, 15), (16, 16), (16, 1), (17, 17)])
  func `a list has as many elements as it may, and names differ`(count: Int, names: Int) {
    let players = (0..<count).map { number in
      #"{ "name": "p\#(number % names)", "media": { "progressive": { "duration": "9 s","#
        + #" "bitrate": "1 Mbit/s" } } }"#
    }
    let limit = Limit(#""players": [ … ]"#, "", "", "")
    let found = refusal(limit.document(players.joined(separator: ", ")))
    #expect((found == nil) == (count < 17 && names == count), "\(found ?? "read")")
    if count > 16 { #expect(found?.contains("at most 16") == true, "\(found ?? "read")") }
  }

  @Test func `a value is better than none where less is, and outcomes have an order`() throws {
    let outcome = try #require(Figure.all.first { $0.name == "outcome" })
    let words = ["played", "stalled", "failed", "neverPlayed"]
    for (place, word) in words.enumerated() {
      for (other, worse) in words.enumerated() {
        #expect(outcome.isBetter(.text(word), than: .text(worse)) == (place < other))
      }
    }
    for figure in Figure.all {
      #expect(figure.isBetter(.count(9), than: .null) == (figure.better == .less))
      #expect(!figure.isBetter(.null, than: .count(9)) && !figure.isBetter(.null, than: .null))
    }
  }

  @Test func `no value of a figure is better than itself`() {
    let values: [PropertyValue] = [.count(0), .count(1), .time(-1), .share(1)]
    for figure in Figure.all {
      for value in values { #expect(!figure.isBetter(value, than: value), "\(figure.name)") }
      let (more, less) = (
        figure.isBetter(.count(1), than: .count(0)), figure.isBetter(.count(0), than: .count(1))
      )
      #expect(figure.better == nil ? !more && !less : more != less, "\(figure.name)")
    }
  }
}
