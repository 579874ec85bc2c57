import RunReports
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What the screen says of where the time went adds up, whether the player waits by itself or not.
@Suite(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
struct BooksOnScreenTests {
  static let settings: [(outage: Int64, length: Int64, seek: Int64)] = [
    (4, 10, 50), (3, 9, 60), (5, 14, 45), (6, 20, 70), (2, 8, 55), (7, 16, 65), (4, 22, 48),
    (3, 30, 75), (5, 11, 58), (6, 26, 80),
  ]

  /// The numbers of a line of the screen: each whole with its parts.
  private struct Line {
    var wholes: [String: Int64] = [:]
    var parts: [String: Int64] = [:]

    init(_ text: String) {
      for match in text.matches(
        of: /(played|waited|paused) ([0-9]+)\.([0-9]{3}) s(?: \(([^)]*)\))?/)
      {
        let name = String(match.output.1)
        wholes[name] = Self.number(match.output.2, match.output.3)
        guard let inside = match.output.4 else { continue }
        for part in inside.matches(of: /([0-9]+)\.([0-9]{3}) s/) {
          parts[name, default: 0] += Self.number(part.output.1, part.output.2)
        }
      }
    }

    private static func number(_ whole: Substring, _ rest: Substring) -> Int64 {
      (Int64(whole) ?? 0) * 1_000 + (Int64(rest) ?? 0)
    }
  }

  @Test(arguments: settings, ["fluid", "tcp"])
  func `waiting, stalled and seek waiting add up in both modes`(
    setting: (outage: Int64, length: Int64, seek: Int64), fidelity: String
  ) throws {
    let (outage, length, seek) = setting
    for stream in [false, true] {
      for waits in [true, false] {
        let scenario = try scenario(
          outage, length, seek, fidelity, stream: stream, waits: waits)
        let outcome = try ScenarioRunner.run(scenario)
        let player = outcome.player
        #expect(outcome.faults == [])
        #expect(
          player.books.played + player.books.waiting + player.books.paused == outcome.ended
            - Instant.zero)
        #expect(
          player.books.stallCount >= 1 && player.books.stalled > .zero
            && player.books.seekWaiting > .zero)
        let text = line(scenario, outcome)
        let line = Line(text)
        #expect(line.wholes.count == 3, "\(text)")
        for (name, whole) in line.wholes {
          guard let parts = line.parts[name] else { continue }
          // Each is rounded for itself.
          #expect(abs(parts - whole) <= 3, "\(name): \(text)")
        }
        // What did not wait by itself was paused, and says for what.
        let paused = player.books.pausedFor
        if waits {
          #expect(paused.stalled == .zero && paused.seeking == .zero)
        } else {
          #expect(
            paused.stalled == player.books.stalled && paused.seeking == player.books.seekWaiting)
        }
        if !stream, fidelity == "fluid" {
          // Twice what the link brings is played; then it stands until the app plays on, or until
          // something comes.
          let until = waits ? outage + length : outage + length + 2
          #expect(
            abs(player.books.stalled.nanoseconds - (until - 2 * outage) * 1_000_000_000) < 1_000_000
          )
        }
      }
    }
  }

  private func scenario(
    _ outage: Int64, _ length: Int64, _ seek: Int64, _ fidelity: String, stream: Bool, waits: Bool
  ) throws -> Scenario {
    let media =
      stream
      ? #"""
      "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "100 s",
        "segmentDuration": "2 s", "playlistBytes": "0 B" }
      """# : #""progressive": { "duration": "100 s", "bitrate": "1 Mbit/s" }"#
    // Without automatic waiting the app plays on, after the stall and after the seek.
    let again =
      waits
      ? ""
      : #"""
      , { "at": "\#(outage + length + 2) s", "do": "play", "name": "on" },
      { "at": "\#(outage + length + 9) s", "do": "play", "name": "further" }
      """#
    let text = #"""
      { "scenario": "books", "about": "In a test.", "fidelity": "\#(fidelity)",
        "link": { "bandwidth": "2 Mbit/s",
          "outages": [ { "from": "\#(outage) s", "for": "\#(length) s" } ] },
        "media": { \#(media) },
        "player": { "automaticallyWaitsToMinimizeStalling": \#(waits), "mediaTimeout": null,
          "heuristic": "thresholds 1 ms/1 ms", "adaptation": "fixed" },
        "script": [ { "at": "0 s", "do": "play" },
          { "at": "\#(outage + length + 4) s", "do": "seek", "to": "\#(seek) s" } \#(again) ] }
      """#
    return try readScenario(Array(text.utf8), file: "books.json")
  }

  /// What stands beside the time, in one line.
  private func line(_ scenario: Scenario, _ outcome: RunOutcome) -> String {
    let text = RunScreen(scenario, outcome, heuristic: "thresholds").text(
      panels: .none, style: TextStyle(width: 100, isColoured: false))
    let lines = text.split(separator: "\n")
    guard let first = lines.firstIndex(where: { $0.hasPrefix("time ") }) else { return "" }
    let rest = lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
    return ([lines[first]] + rest).joined(separator: " ").split(separator: " ")
      .joined(separator: " ")
  }
}
