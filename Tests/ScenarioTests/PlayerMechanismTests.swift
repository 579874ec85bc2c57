import ScenarioRunner
import Testing
import VirtualTime

/// What players do beside waiting and choosing, as a scenario mixes it: connections that are thrown
/// away, tracks that keep together, segments that count late or come side by side, and the time
/// that the first picture takes.
@Suite struct PlayerMechanismTests {
  private struct Request {
    var at: String
    var size: String
    var isSound: Bool
  }

  private struct Run {
    var startup: Int64
    var stalls: Int64
    var bytes: Int64
    var segments: [Request]
  }

  /// What a policy has as it is.
  private static let nothing = "\"choice\": { \"at\": \"arrival\" }"
  private static let file = """
    "progressive": { "duration": "6 s", "bitrate": "1 Mbit/s" }
    """

  private func played(
    _ policy: String, _ media: String, rate: Int64 = 2_000, delay: Int64 = 20,
    fidelity: String = "fluid"
  ) throws -> Run {
    let start = policy.contains("\"start\"") ? "" : "\"start\": { \"segments\": 1 },"
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "\(fidelity)",
        "link": { "bandwidth": "\(rate) kbit/s", "delay": "\(delay) ms" },
        "media": { \(media) },
        "player": { "policy": { \(start) "resume": { "media": "0.2 s" },
          "nextVariant": "fixed", "abandon": "never", \(policy) } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    // A replay over packets takes long, and goldens are replayed over them.
    if fidelity == "fluid" {
      guard case .same = try replay(outcome.trace, file: "a.json") else {
        Issue.record("it diverged")
        return Run(startup: 0, stalls: 0, bytes: 0, segments: [])
      }
    }
    var segments: [Request] = []
    for line in String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    where line.contains("\"event\":\"requestStart\"") && line.contains("\"mediaSegment\"") {
      func value(_ key: String) -> String {
        guard let range = line.firstRange(of: "\"\(key)\":") else { return "" }
        return String(line[range.upperBound...].prefix { $0.isNumber || $0 == "." })
      }
      segments.append(
        Request(
          at: value("t"), size: value("size"), isSound: line.contains("\"track\":\"audio\"")))
    }
    let startup = try #require(outcome.player.startupDelay)
    return Run(
      startup: startup.nanoseconds, stalls: outcome.player.stallCount,
      bytes: outcome.player.bytesTransferred, segments: segments)
  }

  private func stream(_ segments: Int64, bytes: Int64, sound: Bool = false) -> String {
    let sizes = (0..<segments).map { _ in "\"\(bytes) B\"" }.joined(separator: ", ")
    let audio = sound ? "\"audio\": [ { \"name\": \"sound\", \"bitrate\": \"96 kbit/s\" } ]," : ""
    return """
      "hls": { "ladder": [ { "bitrate": "1 Mbit/s", "segmentBytes": [ \(sizes) ] } ], \(audio)
        "duration": "\(segments * 2) s", "segmentDuration": "2 s" }
      """
  }

  @Test(arguments: [1, 40, 250, 333, 500, 800, 1_250, 2_000, 5_000, 9_999] as [Int64])
  func `the first picture takes its time, whatever is played`(milliseconds: Int64) throws {
    for fidelity in ["fluid", "tcp"] {
      for media in [Self.file, stream(4, bytes: 250_000)] {
        let sink = "\"sink\": { \"warmUp\": \"\(milliseconds) ms\" }"
        let start = "\"start\": { \"media\": \"1 s\" }"
        let plain = try played(
          start, media, fidelity: fidelity)
        let warm = try played("\(start), \(sink)", media, fidelity: fidelity)
        #expect(warm.startup - plain.startup == milliseconds * 1_000_000, "\(fidelity)")
        #expect(warm.bytes == plain.bytes)
      }
    }
  }

  /// In a fluid a request takes a round trip and its bytes at the bandwidth.
  @Test(
    arguments: [
      (1_000, 105_000, 20), (2_000, 105_000, 20), (3_000, 50_000, 5), (700, 1, 100),
      (800, 64_000, 10), (1_600, 200_000, 1), (2_000, 1_000_000, 20), (4_000, 105_000, 200),
      (5_000, 12_345, 33), (10_000, 999_999, 7),
    ] as [(Int64, Int64, Int64)])
  func `a connection that is thrown away costs its bytes and a round trip`(
    rate: Int64, bytes: Int64, delay: Int64
  ) throws {
    let fetch = "\"fileFetch\": { \"discards\": \"\(bytes) B\" }, \"start\": { \"media\": \"1 s\" }"
    let plain = try played("\"start\": { \"media\": \"1 s\" }", Self.file, rate: rate, delay: delay)
    let wasteful = try played(fetch, Self.file, rate: rate, delay: delay)
    let cost = bytes * 8_000_000 / rate + delay * 2_000_000
    #expect(abs(wasteful.startup - plain.startup - cost) <= 2)
    #expect(wasteful.bytes - plain.bytes == bytes)
    let packets = try played(fetch, Self.file, rate: rate, delay: delay, fidelity: "tcp")
    #expect(packets.bytes - plain.bytes == bytes)
    #expect(packets.startup > wasteful.startup - 50_000_000)
  }

  /// The next segment is asked for when the last has come: a round trip, and the bytes that count.
  @Test(
    arguments: [
      (2_000, 100_000, 20), (1_500, 100_000, 20), (2_500, 50_000, 5), (3_000, 1, 100),
      (4_000, 120_000, 10), (2_000, 250_000, 20), (6_000, 200_000, 50), (1_300, 10_000, 3),
      (2_200, 77_777, 40), (9_000, 99_000, 1),
    ] as [(Int64, Int64, Int64)])
  func `a segment counts when enough of the next has come`(
    rate: Int64, bytes: Int64, delay: Int64
  ) throws {
    let media = stream(8, bytes: 250_000)
    let fetch = "\"streamFetch\": { \"lookahead\": \"\(bytes) B\" }"
    let plain = try played(Self.nothing, media, rate: rate, delay: delay)
    let late = try played(fetch, media, rate: rate, delay: delay)
    let cost = bytes * 8_000_000 / rate + delay * 2_000_000
    #expect(abs(late.startup - plain.startup - cost) <= 2)
    #expect(late.bytes == plain.bytes)
    let packets = try played(fetch, media, rate: rate, delay: delay, fidelity: "tcp")
    let without = try played(Self.nothing, media, rate: rate, delay: delay, fidelity: "tcp")
    #expect(packets.startup > without.startup)
    #expect(packets.bytes == without.bytes)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 12, 15] as [Int64])
  func `segments side by side are there together`(count: Int64) throws {
    for fidelity in ["fluid", "tcp"] {
      for beside in Int64(1)...4 {
        let media = stream(count, bytes: 250_000)
        let run = try played(
          "\"streamFetch\": { \"sideBySide\": \(beside) }", media, fidelity: fidelity)
        // The first alone, and the others in groups.
        let requests = 1 + (count - 1 + beside - 1) / beside
        #expect(Int64(run.segments.count) == requests, "\(fidelity) \(beside)")
        #expect(run.segments.reduce(0) { $0 + (Int64($1.size) ?? 0) } == count * 250_000)
      }
    }
  }

  /// A pair comes a whole segment later than its first half alone would: over a link a tenth faster
  /// than the media that is a stall, and one segment after the other is none.
  @Test func `a link that is a little faster than the media stalls with segments side by side`()
    throws
  {
    for fidelity in ["fluid", "tcp"] {
      for rate in [Int64(1_060), 1_100, 1_150, 1_200, 1_300] {
        let media = stream(20, bytes: 240_000)
        let one = try played(Self.nothing, media, rate: rate, delay: 5, fidelity: fidelity)
        let two = try played(
          "\"streamFetch\": { \"sideBySide\": 2 }", media, rate: rate, delay: 5,
          fidelity: fidelity)
        #expect(one.stalls == 0, "\(fidelity) \(rate)")
        #expect(two.stalls >= 1, "\(fidelity) \(rate)")
      }
    }
  }

  /// Sound is small: left alone it is fetched far ahead of the pictures.
  @Test(arguments: [0, 1, 2, 3, 5] as [Int64])
  func `a track keeps within its lead of the other`(lead: Int64) throws {
    for fidelity in ["fluid", "tcp"] {
      for rate in [Int64(500), 1_200, 3_000] {
        let media = stream(8, bytes: 240_000, sound: true)
        let run = try played(
          "\"streamFetch\": { \"trackLead\": \(lead) }", media, rate: rate, fidelity: fidelity)
        var (pictures, sound) = (Int64(0), Int64(0))
        var farthest: Int64 = 0
        for request in run.segments {
          if request.isSound { sound += 1 } else { pictures += 1 }
          // Of the pictures one is under way.
          farthest = max(farthest, sound - max(0, pictures - 1))
        }
        #expect((pictures, sound) == (8, 8))
        #expect(farthest <= lead + 1, "\(fidelity) \(rate)")
        let free = try played(Self.nothing, media, rate: rate, fidelity: fidelity)
        #expect(free.bytes == run.bytes)
        #expect(free.startup >= run.startup, "\(fidelity) \(rate)")
      }
    }
  }
}
