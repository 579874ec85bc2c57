import ExactText
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Bounds of single values, on both sides of each.
@Suite struct BoundTableTests {
  private func words(media: String, expect: String = "[]") -> String {
    mistakes(
      in: """
        { "scenario": "a", "about": "b", "link": {}, "media": \(media),
          "script": [ { "at": "0 s", "do": "play" } ], "expect": \(expect) }
        """)
  }

  // MARK: Live streams

  /// Segments of 4 s, which is the target duration.
  private func words(live: String) -> String {
    words(
      media: #"{ "hls": { "duration": "60 s", "segmentDuration": "4 s", "#
        + #""ladder": [ { "bitrate": "1 Mbit/s" }, { "bitrate": "2 Mbit/s" } ], "#
        + "\"live\": { \(live) } } }")
  }

  @Test(arguments: [
    (#""holdBack": "12 s""#, ""), (#""holdBack": "11.999999999 s""#, "HOLD-BACK is too short"),
    (#""window": "12 s""#, ""), (#""window": "11.999999999 s""#, "the window is too short"),
    (#""canSkipUntil": "24 s""#, ""),
    (#""canSkipUntil": "23.999999999 s""#, "CAN-SKIP-UNTIL is too short"),
    (#""parts": { "duration": "10 ms" }"#, ""),
    (
      #""parts": { "duration": "9.999999 ms" }"#,
      "media.hls.live.parts.duration: a part lasts at least 10 ms and no longer than a segment "
        + "(expected 10 ms to 4 s)"
    ),
    (#""parts": { "duration": "4 s" }"#, ""),
    (
      #""parts": { "duration": "4.000000001 s" }"#,
      "media.hls.live.parts.duration: a part lasts at least 10 ms and no longer than a segment "
        + "(expected 10 ms to 4 s)"
    ),
    (#""parts": { "duration": "1 s", "holdBack": "2 s" }"#, ""),
    (
      #""parts": { "duration": "1 s", "holdBack": "1.999999999 s" }"#,
      "PART-HOLD-BACK is too short"
    ),
    (#""stalePlaylists": [ { "variant": 1, "from": "1 s", "for": "1 s" } ]"#, ""),
    (
      #""stalePlaylists": [ { "variant": 2, "from": "1 s", "for": "1 s" } ]"#,
      "the stream has no such variant (expected variants from 0 to 1)"
    ),
    (#""playlistType": "event""#, ""), (#""playlistType": "sliding", "window": "20 s""#, ""),
    (
      #""playlistType": "event", "window": "20 s""#,
      "an event playlist keeps everything"
    ),
    (
      #""playlistType": "event", "keepsRemovedSegments": "20 s""#,
      "an event playlist keeps everything"
    ),
  ])
  func `a live stream keeps the distances of RFC 8216`(live: String, mistake: String) {
    let found = words(live: live)
    if mistake.isEmpty {
      #expect(found == "")
    } else {
      #expect(found.contains(mistake), "\(found)")
    }
  }

  // MARK: Lists

  /// A second that begins before the end has a size, the last one perhaps for less than a second.
  @Test(arguments: [
    ("1 s", 1), ("1.000000001 s", 2), ("1.999999999 s", 2), ("2 s", 2), ("2.000000001 s", 3),
    ("0.000000001 s", 1),
  ])
  func `a file has as many sizes as seconds that it begins`(duration: String, count: Int) {
    for sizes in 1...3 {
      let list = Array(repeating: "\"1 kB\"", count: sizes).joined(separator: ", ")
      let found = words(
        media: "{ \"progressive\": { \"duration\": \"\(duration)\", "
          + "\"sizesPerSecond\": [ \(list) ] } }")
      #expect((found == "") == (sizes == count), "\(found)")
      if sizes != count {
        #expect(found.contains("(expected \(count), one for each second that begins"), "\(found)")
      }
    }
  }

  @Test(arguments: [
    ("[ 1 ]", "the list has 1 element (expected the least and the most)"),
    ("[ 1, 2, 3 ]", "the list has 3 elements (expected the least and the most)"),
    ("[ ]", "the list has 0 elements (expected the least and the most)"), ("[ 1, 1 ]", ""),
    ("[ 2, 1 ]", "the first bound is above the second"),
  ])
  func `two bounds are the least and the most`(list: String, mistake: String) {
    let found = words(
      media: #"{ "local": { "duration": "4 s", "bitrate": "1 Mbit/s" } }"#,
      expect: "[ { \"stallCount\": { \"between\": \(list) } } ]")
    #expect(mistake.isEmpty ? found == "" : found.contains(mistake), "\(found)")
  }

  // MARK: Numbers

  @Test(arguments: [
    ("x1", true), ("x0.999999", false), ("x1.000001", true), ("x1.0000001", false),
    ("x1000", true), ("x1000.000001", false), ("x1000000/1000000", true),
    ("x1000000000000/1000000000000", true), ("x1000000000001/1000000000001", false),
    ("x1/0", false), ("x4/3/2", false), ("1", false), ("x-1", false), ("x1/-1", false),
    ("x1000001/1000000", true), ("x1000002/1000001", false), ("x", false),
  ])
  func `a safety factor lies between one and a thousand`(factor: String, isOne: Bool) {
    #expect(((try? KeepUpHeuristic(text: "playThrough " + factor)) != nil) == isOne)
  }

  /// A number that is none, and one that is out of range.
  @Test(arguments: [
    ("x1/0", false), ("x4//3", false), ("x1000000000001", false), ("x1000000000000", true),
    ("x1.0000000000001", false), ("x0.5", true), ("x-1", false),
  ])
  func `a factor that is a number is out of range, and another is none`(
    factor: String, isNumber: Bool
  ) {
    do throws(QuantityProblem) {
      _ = try KeepUpHeuristic(text: "playThrough " + factor)
      Issue.record("that is no safety factor")
    } catch {
      let words = isNumber ? "is out of range" : "has no safety factor"
      #expect(error.message.hasSuffix(words), "\(error.message)")
    }
  }

  @Test(arguments: [
    (#""10000 GB""#, true), (#""9999999999999 B", "1 B""#, true),
    (#""9999999999999 B", "2 B""#, false), (#""10000 GB", "1 B""#, false), (#""1 B", "0 B""#, true),
  ])
  func `the sizes of a file are ten terabytes together at most`(sizes: String, isOne: Bool) {
    let found = words(media: "{ \"progressive\": { \"sizesPerSecond\": [ \(sizes) ] } }")
    #expect((found == "") == isOne && found.contains("too large") != isOne, "\(found)")
  }

  /// Units, their places, those that are shown, and the text; halves go up, or away from zero.
  @Test(
    arguments: [
      (15, 1, 0, "2", "2"), (14, 1, 0, "1", "1"), (-15, 1, 0, "-1", "-2"), (-16, 1, 0, "-2", "-2"),
      (5, 2, 1, "0.1", "0.1"), (-5, 2, 1, "0.0", "-0.1"), (-4, 2, 1, "0.0", "0.0"),
      (1_005, 3, 2, "1.01", "1.01"), (1_004, 3, 2, "1.00", "1.00"),
      (-1_005, 3, 2, "-1.00", "-1.01"),
      (1_234, 3, 3, "1.234", "1.234"), (1_234, 3, 5, "1.234", "1.234"),
      (1_234, 0, 0, "1234", "1234"),
      (7, 2, 2, "0.07", "0.07"), (-1, 3, 3, "-0.001", "-0.001"), (0, 9, 1, "0.0", "0.0"),
      (99_950_000_000, 9, 1, "100.0", "100.0"), (99_949_999_999, 9, 1, "99.9", "99.9"),
      (49_999_999, 9, 1, "0.0", "0.0"), (50_000_000, 9, 1, "0.1", "0.1"),
      (149_999_999, 9, 1, "0.1", "0.1"), (150_000_000, 9, 1, "0.2", "0.2"),
      (949_999_999, 9, 1, "0.9", "0.9"), (950_000_000, 9, 1, "1.0", "1.0"),
      (-49_999_999, 9, 1, "0.0", "0.0"), (-50_000_000, 9, 1, "0.0", "-0.1"),
      (-50_000_001, 9, 1, "-0.1", "-0.1"), (-150_000_000, 9, 1, "-0.1", "-0.2"),
      (-150_000_001, 9, 1, "-0.2", "-0.2"), (1_234_567, 3, 3, "1234.567", "1234.567"),
      (1_234_567, 3, 5, "1234.567", "1234.567"), (7, 3, 3, "0.007", "0.007"),
      (70, 3, 3, "0.070", "0.070"), (500, 3, 0, "1", "1"), (499, 3, 0, "0", "0"),
      (-500, 3, 0, "0", "-1"), (-501, 3, 0, "-1", "-1"), (5, 0, 0, "5", "5"),
      (-5, 0, 3, "-5", "-5"), (.max, 9, 9, "9223372036.854775807", "9223372036.854775807"),
      (.min, 9, 9, "-9223372036.854775808", "-9223372036.854775808"),
    ] as [(Int64, Int, Int, String, String)])
  func `a decimal is rounded to its places`(
    units: Int64, given: Int, places: Int, up: String, away: String
  ) {
    #expect(decimal(units, of: given, places: places) == up)
    #expect(decimal(units, of: given, places: places, awayFromZero: true) == away)
  }

  @Test func `what a panel shows has a place behind its point`() {
    #expect(shown(PlaybackRate(3, over: 2)) == "1.5" && shown(PlaybackRate(1, over: 3)) == "0.3")
    #expect(shown(MediaTime(nanoseconds: 1_250_000_000)) == "1.3s")
    #expect(
      shown([.zero..<MediaTime.seconds(1), .seconds(2)..<(.seconds(3))])
        == "[[0.0s, 1.0s], [2.0s, 3.0s]]")
    #expect(
      shown([.zero..<MediaTime.seconds(2), .seconds(3)..<(.milliseconds(4_040))])
        == "[[0.0s, 2.0s], [3.0s, 4.0s]]")
    #expect(shown(PlaybackRate.normal) == "1.0")
    #expect(shown([Range<MediaTime>]()) == "[]")
    #expect(shown(PlaybackRate(.max)) == "2147483647.0")
  }
}
