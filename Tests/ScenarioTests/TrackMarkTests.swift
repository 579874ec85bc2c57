import Foundation
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import Testing
import VirtualTime

/// Starts that look at one kind of track, and variants that come back.
@Suite struct TrackMarkTests {
  private func outcome(_ text: String) throws -> RunOutcome {
    let outcome = try run(readScenario(Array(text.utf8), file: "a.json"))
    #expect(outcome.faults == [])
    return outcome
  }

  /// Pictures of 1 Mbit/s and sound of a tenth of it share 2 Mbit/s: all of the sound is there when
  /// the first four seconds of pictures are, after four seconds; four more take two.
  @Test(arguments: [("sound", 8, 4_000), ("pictures", 4, 4_000), ("pictures", 8, 6_000)])
  func `a start waits for the track that it names`(
    track: String, seconds: Int, milliseconds: Int64
  ) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "40 s",
          "segmentDuration": "4 s", "playlistBytes": "0 B",
          "audio": [ { "name": "English", "language": "en", "bitrate": "100 kbit/s" } ] } },
        "player": { "policy": {
          "start": { "\(track)": "\(seconds) s" }, "streamFetch": { "media": "50 s" } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    let delay = try #require(outcome.player.startupDelay)
    #expect(delay >= .milliseconds(milliseconds) && delay < .milliseconds(milliseconds + 5))
  }

  /// Over links that bring the pictures alone in time, and the subtitles with them or not.
  @Test(
    arguments: [
      (1_010, 1_000, 20, 6, 600), (1_019, 1_000, 20, 6, 600), (1_030, 1_000, 20, 6, 600),
      (1_040, 1_000, 50, 4, 300), (510, 500, 16, 2, 900), (1_100, 1_000, 200, 6, 300),
      (1_018, 1_000, 20, 6, 60), (2_050, 2_000, 64, 10, 600), (900, 1_000, 20, 6, 200),
    ])
  func `a start allows for the subtitles that are to come`(
    link: Int, pictures: Int, subtitles: Int, segment: Int, seconds: Int
  ) throws {
    for selected in ["", #""subtitleLanguage": "en""#] {
      let outcome = try outcome(
        """
        { "scenario": "a", "about": "b", "horizon": "30 min",
          "link": { "bandwidth": "\(link) kbit/s", "delay": "20 ms" },
          "media": { "hls": { "ladder": [ { "bitrate": "\(pictures) kbit/s" } ],
            "duration": "\(seconds) s", "segmentDuration": "\(segment) s", "subtitles": [
              { "name": "E", "language": "en", "bitrate": "\(subtitles) kbit/s" } ] } },
          "player": { \(selected) }, "script": [ { "at": "0 s", "do": "play" } ] }
        """)
      #expect(outcome.player.outcome == .played && outcome.player.books.stallCount == 0)
    }
  }

  private func list(_ seconds: Int, _ count: Int, _ kilobits: Int) -> String {
    "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(seconds)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
      + (0..<count).map {
        "#EXTINF:\(seconds),\n#EXT-X-BITRATE:\(kilobits)\n\(kilobits)-\($0).mp4\n"
      }.joined() + "#EXT-X-ENDLIST\n"
  }

  /// The first 6 s alone have subtitles: the rest of the link is the video's.
  @Test(arguments: [100, 300, 900])
  func `subtitles that are all loaded leave the link to the pictures`(kilobits: Int) throws {
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="E",LANGUAGE="en",DEFAULT=YES,URI="s.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f,mp4a.40.2",SUBTITLES="s"
      v.m3u8

      """, "v.m3u8": list(6, 50, 1_000), "s.m3u8": list(6, 1, kilobits),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1050 kbit/s", "delay": "20 ms" },
        "media": { "hls": { "playlists": "main.m3u8" } }, "player": { "subtitleLanguage": "en" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let outcome = try run(
      readScenario(Array(text.utf8), file: "a.json") { name in files[name].map { Array($0.utf8) } })
    #expect(outcome.player.books.stallCount == 0)
    // The first segments of both, and as much again for what the link has to spare.
    let most = Int64(6_000 * (1_000 + kilobits) / 1_050 + 2_000)
    #expect(try #require(outcome.player.startupDelay) < .milliseconds(most))
  }

  /// Sound comes in segments of 5 s and waits for pictures in segments of 12 s, unless no more than
  /// one of its own is ahead: that is so when 10 s were played, and no other event wakes it then.
  @Test func `sound goes on when no more than its floor is ahead`() throws {
    let files = [
      "main.m3u8": """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1100000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
      v.m3u8

      """, "v.m3u8": list(12, 4, 1_000), "a.m3u8": list(5, 10, 100),
    ]
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1150 kbit/s" },
        "media": { "hls": { "playlists": "main.m3u8" } },
        "player": { "policy": { "like": "avfoundation", "start": "anything",
          "resume": "anything",
          "streamFetch": { "media": "60 s", "trackLead": 0, "trackFloor": 1 } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """
    let scenario = try readScenario(Array(text.utf8), file: "a.json") { name in
      files[name].map { Array($0.utf8) }
    }
    let outcome = try run(scenario)
    let mark = try #require(outcome.player.startupDelay) + .seconds(10)
    let (seconds, rest) = (mark.nanoseconds / 1_000_000_000, mark.nanoseconds % 1_000_000_000)
    let digits = String(rest + 1_000_000_000).dropFirst()
    let event = "{\"t\":\(seconds).\(digits),\"event\":\"requestStart\""
    let lines = String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix(event) && $0.contains(#""track":"audio""#) })
  }

  /// Audio is held back from its own last byte on, and looks in steps from there; the first look
  /// after video has come further asks for the next segment.
  /// At 500 kbit/s it does so while playback waits.
  @Test(
    arguments: [100, 250, 300, 500, 700, 800, 900, 1_000, 1_300, 1_700] as [Int64],
    [1_800, 500])
  func `a track that waits for another looks at its own times`(sleeps: Int64, rate: Int) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "\(rate) kbit/s", "delay": "10 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "segmentDuration": "4 s",
          "audio": [ { "name": "a", "bitrate": "64 kbit/s" } ], "duration": "40 s" } },
        "player": { "policy": { "like": "avfoundation", "start": "anything",
          "resume": { "media": "5 s" },
          "streamFetch": { "media": "60 s", "trackLead": 0, "sleeps": "\(sleeps) ms" } } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    var (audio, video) = ([Int64: Int64](), [Int64: Int64]())
    var (heldSince, videoCame, checked) = (Int64?.none, Int64(0), 0)
    for line in String(decoding: outcome.trace, as: UTF8.self).split(separator: "\n") {
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let event, let request = (event["request"] as? NSNumber)?.int64Value,
        let time = (event["t"] as? NSNumber).map({ Int64(($0.doubleValue * 1e9).rounded()) })
      else { continue }
      if event["resource"] as? String == "mediaSegment" {
        if event["track"] as? String == "audio" {
          audio[request] = time
          if let heldSince, videoCame > heldSince {
            let waited = time - heldSince
            #expect(waited % (sleeps * 1_000_000) <= 1 && waited > 0, "\(sleeps): \(waited)")
            #expect(time - videoCame <= sleeps * 1_000_000)
            checked += 1
          }
          heldSince = nil
        } else {
          video[request] = time
        }
      } else if event["event"] as? String == "mediaResourceRequest" {
        if audio[request] != nil { heldSince = time }
        if video[request] != nil { videoCame = time }
      }
    }
    #expect(checked >= 5)
    #expect(outcome.player.outcome == .played)
  }

  /// Requests of other traffic are nobody's that a fault could count: of a file there is one.
  @Test(arguments: 1...4) func `faults do not count the requests of traffic`(flows: Int) throws {
    let traffic = (0..<flows).map { "{ \"name\": \"t\($0)\", \"bytes\": \"200 KB\" }" }
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "10 s", "bitrate": "400 kbit/s" } },
        "traffic": [ \(traffic.joined(separator: ", ")) ],
        "faults": [ { "status": 503, "requests": 2 }, { "status": 503, "requests": 3 } ],
        "script": [ { "at": "100 ms", "do": "play" } ] }
      """)
    #expect(outcome.player.outcome == .played)
    #expect(outcome.logs.errorLog == nil)
  }

  /// Without a variant to change to, what is in the buffer is played; the only one is tried again
  /// when its time has come, and where that is before the buffer runs dry nothing is lost.
  @Test(arguments: [(5, 120), (20, 120), (90, 40)])
  func `a stream that failed goes on when its variant may be tried again`(
    seconds: Int, played: Int64
  ) throws {
    let outcome = try outcome(
      """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "10 Mbit/s" }, "horizon": "5 min",
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "120 s",
          "segmentDuration": "4 s" } },
        "faults": [ { "status": 410, "url": "*segment10.*", "requests": 1 } ],
        "player": { "variantRecovery": "\(seconds) s" },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """)
    #expect(outcome.player.books.played == .seconds(played))
  }
}
