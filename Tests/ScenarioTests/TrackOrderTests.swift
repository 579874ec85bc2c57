import Foundation
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// Streams with separate audio whose tracks wait for each other.
struct TrackOrderTests {
  private struct Request {
    var isSound: Bool
    /// The segment, and the instants of its request and its last byte in seconds.
    var segment: Int
    var began: Double
    var ended = Double.infinity
  }

  /// Ten segments of 4 s of video and of audio, at bit rates in kbit/s.
  private func requests(
    _ player: String, link: Int, video: Int, audio: Int, fidelity: String = "fluid"
  ) throws -> (RunOutcome, [Request]) {
    let text = """
      { "scenario": "a", "about": "b", "fidelity": "\(fidelity)",
        "link": { "bandwidth": "\(link) kbit/s", "delay": "20 ms" },
        "media": { "hls": { "duration": "40 s", "segmentDuration": "4 s",
          "ladder": [ { "bitrate": "\(video) kbit/s" } ], "playlistsAreThere": true,
          "audio": [ { "name": "S", "bitrate": "\(audio) kbit/s" } ] } },
        "player": { "policy": \(player) }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    var (requests, places, counts) = ([Request](), [Int64: Int](), (sound: 0, video: 0))
    for line in String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n") {
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let event, let id = (event["request"] as? NSNumber)?.int64Value,
        let time = (event["t"] as? NSNumber)?.doubleValue
      else { continue }
      if event["resource"] as? String == "mediaSegment" {
        let isSound = event["track"] as? String == "audio"
        places[id] = requests.count
        let segment = isSound ? counts.sound : counts.video
        requests.append(Request(isSound: isSound, segment: segment, began: time))
        if isSound { counts.sound += 1 } else { counts.video += 1 }
      } else if event["event"] as? String == "mediaResourceRequest", let place = places[id] {
        requests[place].ended = time
      }
    }
    return (outcome, requests)
  }

  /// The segments of a track that had come at an instant.
  private func count(_ requests: [Request], isSound: Bool, at instant: Double) -> Int {
    requests.filter { $0.isSound == isSound && $0.ended <= instant }.count
  }

  @Test(arguments: [0, 1, 2], ["fluid", "tcp"])
  func `video waits for audio where both wait`(lead: Int, fidelity: String) throws {
    var waits = 0
    for (link, video, audio) in [
      (500, 200, 320), (700, 100, 500), (900, 300, 300), (1_500, 400, 1_000), (2_000, 64, 64),
    ] {
      for (order, floor) in [("bothWait", 0), ("audioWaits", 0), ("bothWait", 2)] {
        let policy = """
          { "like": "avfoundation", "nextVariant": "fixed", "abandon": "never",
            "streamFetch": { "media": "60 s", "trackLead": \(lead), "order": "\(order)",
              "trackFloor": \(floor) } }
          """
        let (outcome, all) = try requests(
          policy, link: link, video: video, audio: audio, fidelity: fidelity)
        #expect(all.count == 20 && outcome.player.outcome == .played)
        for request in all {
          let others = count(all, isSound: !request.isSound, at: request.began)
          // A floor is for audio alone.
          if request.isSound ? floor == 0 : order == "bothWait" {
            #expect(request.segment - others <= lead, "\(link) \(order) \(request)")
          } else if !request.isSound, request.segment - others > lead {
            waits += 1
          }
        }
      }
    }
    // Left alone, video runs ahead on the same links.
    #expect(waits > 0)
  }

  @Test(arguments: ["fluid", "tcp"], [400, 800, 1_000, 1_600, 4_000])
  func `audio waits with its second segment for the first of video`(
    fidelity: String, link: Int
  ) throws {
    for policy in [#""hls.js 1.6""#, #""VHS 3.17""#] {
      let (_, all) = try requests(
        policy, link: link, video: 300, audio: 64, fidelity: fidelity)
      let first = try #require(all.first { !$0.isSound }?.ended)
      let second = try #require(all.first { $0.isSound && $0.segment == 1 }?.began)
      #expect(second >= first)
    }
  }

  /// By an independent calculation: both tracks share the link while both receive, one round trip
  /// of 40 ms after each request, and the playhead stands where either track is missing.
  @Test(arguments: [
    ("Media3 1.6", 5.12, 2.24, 8), ("Shaka 5.2", 4.45, 1.61, 9),
  ])
  func `the track that is least far loaded asks next`(
    preset: String, startup: Double, stalled: Double, stalls: Int64
  ) throws {
    let (outcome, _) = try requests("\"\(preset)\"", link: 500, video: 200, audio: 320)
    let books = outcome.player.books
    #expect(books.stallCount == stalls)
    #expect(abs(Double(books.stalled.nanoseconds) / 1e9 - stalled) < 0.001)
    let delay = try #require(outcome.player.startupDelay)
    #expect(abs(Double(delay.nanoseconds) / 1e9 - startup) < 0.001)
  }

  /// Both first segments share 1 Mbit/s, and the element is set up in 0.6 s.
  @Test func `VHS begins with the first segments of both tracks`() throws {
    let (outcome, _) = try requests("\"VHS 3.17\"", link: 1_000, video: 800, audio: 64)
    #expect(try #require(outcome.player.startupDelay) == .milliseconds(4_096))
  }

  @Test func `hls.js loads audio one fragment beyond the video that is there`() throws {
    let (_, all) = try requests("\"hls.js 1.6\"", link: 1_000, video: 800, audio: 64)
    let third = try #require(all.first { $0.isSound && $0.segment == 2 }?.began)
    let second = try #require(all.first { !$0.isSound && $0.segment == 1 }?.ended)
    #expect(third < second)
  }

  /// A gap is passed without a request: nothing of video is ever there for audio to wait for.
  @Test(arguments: ["VHS 3.17", "hls.js 1.6", "Media3 1.6", "Shaka 5.2"], [12, 20])
  func `audio does not wait for video that begins with gaps`(preset: String, gaps: Int) throws {
    func list(_ name: String, gaps: Int) -> String {
      "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + (0..<20).map {
          "#EXTINF:4,\n#EXT-X-BITRATE:200\n\($0 < gaps ? "#EXT-X-GAP\n" : "")\(name)\($0).mp4\n"
        }.joined() + "#EXT-X-ENDLIST\n"
    }
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
      v.m3u8

      """, "v.m3u8": list("v", gaps: gaps), "a.m3u8": list("a", gaps: 0),
    ]
    let text = """
      { "scenario": "a", "about": "b", "horizon": "200 s",
        "link": { "bandwidth": "1500 kbit/s", "delay": "20 ms" },
        "media": { "hls": { "playlists": "main.m3u8" } },
        "player": { "policy": "\(preset)" }, "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(
      readScenario(Array(text.utf8), file: "a.json") { name in files[name].map { Array($0.utf8) } })
    #expect(outcome.player.outcome == .played && outcome.player.books.played == .seconds(80))
  }

  /// Audio is full by its bytes while video waits for it, and the wait ends with a full buffer.
  @Test func `a buffer is full where the audio that video waits for is`() throws {
    let policy = """
      { "like": "avfoundation", "nextVariant": "fixed", "abandon": "never",
        "start": { "media": "20 s" }, "exits": { "whenFull": true },
        "streamFetch": { "bytes": "300 KB", "trackLead": 0, "order": "bothWait" } }
      """
    let (outcome, _) = try requests(policy, link: 2_000, video: 64, audio: 320)
    #expect(outcome.player.outcome == .played)
    #expect(try #require(outcome.player.startupDelay) < .seconds(4))
  }
}
