import Foundation
import TestSupport
import Testing

/// A stall says its cause with the rates of link and media, and two runs the decision behind one.
@Suite(.besideOthers) struct StallCauseTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  /// A link, media, and the other members of a scenario.
  private func screen(
    _ link: String, _ media: String, _ more: String = "", _ options: String...
  ) throws -> String {
    let script = #""script": [ { "at": "0 s", "do": "play" } ]"#
    let hasOwn = more.contains(#""do": "play" }, {"#) || more.contains("setRate")
    try place.write(
      """
      { "scenario": "Cause", "about": "Stalls.", "link": \(link), "media": \(media)
        \(hasOwn ? "" : ", " + script)\(more.isEmpty ? "" : ", " + more) }
      """, to: "cause.json")
    let run = try place.run(["run", "cause.json", "--panel", "none"] + options)
    #expect(run.exitCode == 0, "\(run.errorText)")
    return run.text.replacing(#/\s+/#, with: " ")
  }

  private static let file = #"{ "progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" } }"#
  private static let stream = """
    { "hls": { "ladder": [ { "bitrate": "400 kbit/s" }, { "bitrate": "2 Mbit/s" } ],
      "duration": "120 s", "segmentDuration": "4 s" } }
    """
  private static let full = #""player": { "preferredForwardBufferDuration": "12 s" }"#
  private static let hasty = #""player": { "heuristic": "immediate" }"#

  /// A segment of 200 kB takes 0.2 s. The one of 16 s to 20 s is asked for at 12.201 s, the next
  /// at 16.201 s, with 4 s ahead; a failed one again after 1 s, 2 s and 4 s, one that hangs after
  /// 15 s and 1 s.
  @Test(
    arguments: [
      (
        #""status": 503, "requests": [1, 3]"#, "for 3.200 s",
        "3 requests failed meanwhile, the last at 19.201 s: unrecognized http response 503"
      ),
      (
        #""reset": { "after": "1 kB" }, "requests": [1, 3]"#, "for 3.203 s",
        "3 requests failed meanwhile, the last at 19.204 s: the network connection was lost"
      ),
      (
        #""stall": { "after": "1 kB" }, "requests": [1, 1]"#, "for 12.201 s",
        "1 request failed meanwhile, at 31.202 s: media file not received in 15 seconds"
      ),
    ])
  func `a stall names the requests that failed since the buffer was full`(
    fault: String, length: String, failures: String
  ) throws {
    let text = try screen(
      #"{ "bandwidth": "8 Mbit/s" }"#,
      """
      { "hls": { "ladder": [ { "bitrate": "400 kbit/s" } ], "duration": "60 s",
        "segmentDuration": "4 s" } }
      """,
      """
      "player": { "preferredForwardBufferDuration": "4 s" },
      "faults": [ { "url": "*segment5*", \(fault) } ]
      """)
    #expect(
      text.contains(
        "\(failures); the link had 8 Mbit/s for 4.000 s; the segments asked for need 400 kbit/s; "
          + "7.800 s were ahead at 12.401 s, and about 4.000 s when loading went on"), "\(text)")
    #expect(text.contains("at 20.201 s \(length): "), "\(text)")
  }

  /// `immediate` resumes with 0.25 s of a file, or with a segment. 0.25 s last 1.25 s at 0.8 of the
  /// media's rate, and 5/6 s where 1.2 Mbit/s meet 1.5 times 1 Mbit/s. 20 s at 2 Mbit/s leave 20 s
  /// ahead, which last 20/0.7 s at 300 kbit/s. The loss cap is 1.22 × 1,448 bytes ÷ (0.3 s × √5 %).
  @Test(
    arguments: Seeds.cases(
      of: [
        (
          #"{ "bandwidth": "800 kbit/s" }"#, file, hasty,
          "the link had 800 kbit/s for 1.250 s; the media needs 1 Mbit/s; 0.250 s were"
        ),
        (
          #"{ "bandwidth": "1.2 Mbit/s" }"#, file,
          hasty + #", "script": [ { "at": "0 s", "do": "setRate", "rate": 1.5 } ]"#,
          "1.2 Mbit/s for 0.833 s; the media needs 1.5 Mbit/s at rate 1.50; 0.250 s were ahead"
        ),
        (
          """
          { "schedule": { "steps": [ { "for": "20 s", "bandwidth": "2 Mbit/s" },
            { "for": "60 s", "bandwidth": "300 kbit/s" } ], "then": "repeat" } }
          """, file, hasty,
          "had 300 kbit/s for 28.571 s; the media needs 1 Mbit/s; 20.000 s were ahead at 20"
        ),
        (
          #"{ "bandwidth": "350 kbit/s" }"#, stream, hasty,
          "had 350 kbit/s for 4.000 s; the segments asked for need 400 kbit/s; 4.000 s were"
        ),
        (
          #"{ "bandwidth": "350 kbit/s", "delay": "50 ms" }"#, stream,
          hasty + #", "fidelity": "tcp""#,
          "had 350 kbit/s for 4.000 s; the segments asked for need 400 kbit/s; 4.000 s were"
        ),
        (
          #"{ "bandwidth": "600 kbit/s" }"#, stream,
          hasty
            + #", "players": [ { "name": "two", "media": \#(stream), "#
            + #""script": [ { "at": "0 s", "do": "play" } ] } ]"#,
          "had 600 kbit/s for 4.000 s, and others may have had a part of it; the segments"
        ),
        (
          #"{ "delay": "2.2 s" }"#, stream, hasty,
          "; the link was unlimited for 4.000 s, with 4.4 s round trip; the segments asked"
        ),
        (
          #"{ "bandwidth": "5 Mbit/s", "delay": "150 ms", "loss": "5 %" }"#, stream, hasty,
          "with 300 ms round trip, 5.00 % loss each way, which holds a transfer to 210.674 kbit/s; "
        ),
        // The rate alone would be too low, and 1.22 × 1,448 bytes ÷ (0.2 s × √2 %) is lower still.
        (
          #"{ "bandwidth": "900 kbit/s", "delay": "100 ms", "loss": "2 %" }"#, file, hasty,
          "the link had 900 kbit/s for 0.500 s, with 200 ms round trip, 2.00 % loss each way, "
            + "which holds a transfer to 499.658 kbit/s; the media needs 1 Mbit/s"
        ),
        (
          #"{ "bandwidth": "1.2 Mbit/s" }"#, stream,
          #""player": { "policy": { "like": "BOLA", "firstVariant": "highest", "#
            + #""nextVariant": "fixed" } }"#,
          "had 1.2 Mbit/s for 4.000 s; the segments asked for need 2 Mbit/s; the lowest variant "
            + "needs 400 kbit/s; 4.000 s were ahead at "
        ),
        (
          #"{ "bandwidth": "2 Mbit/s", "outages": [ { "from": "9 s", "for": "30 s" } ] }"#, file,
          hasty, "for 21.125 s: the link was out from 9.000 s to 39.000 s"
        ),
      ], few: 6))
  func `a stall says what the link had and what the media needs`(
    link: String, media: String, more: String, words: String
  ) throws {
    let screen = try screen(link, media, more)
    #expect(screen.contains(words), "\(screen)")
  }

  /// Segments of 6 s; a player that may load 12 s ahead asks for the next one when 12 s are left.
  @Test(
    arguments: Seeds.cases(
      of: [
        // An outage that the buffer survived, and a stop of the encoder behind the missing segment.
        (
          """
          { "schedule": { "steps": [ { "for": "40 s", "bandwidth": "4 Mbit/s" },
            { "for": "1 h", "bandwidth": "200 kbit/s" } ], "then": "hold" },
            "outages": [ { "from": "10 s", "for": "1 s" } ] }
          """, #""duration": "90 s""#,
          #""player": { "preferredForwardBufferDuration": "30 s" }"#,
          "the link had 200 kbit/s for 30.000 s; the segments asked for need 1 Mbit/s"
        ),
        (
          """
          { "schedule": { "steps": [ { "for": "35 s", "bandwidth": "8 Mbit/s" },
            { "for": "1 h", "bandwidth": "100 kbit/s" } ], "then": "hold" } }
          """,
          """
          "duration": "10 min", "live": { "startsWith": "63 s",
            "encoderStops": [ { "from": "44 s", "for": "1 s" } ] }
          """, #""horizon": "70 s""#,
          ": the link had 100 kbit/s for "
        ),
        // A live buffer is full again and again: the last time counts.
        (
          """
          { "schedule": { "steps": [ { "for": "300 s", "bandwidth": "8 Mbit/s" },
            { "for": "1 h", "bandwidth": "300 kbit/s" } ], "then": "hold" }, "delay": "20 ms" }
          """, #""duration": "1 h", "live": { "startsWith": "63 s" }"#, #""horizon": "350 s""#,
          "had 300 kbit/s for 12.784 s; the segments asked for need 1 Mbit/s; 18.000 s were ahead"
        ),
        // A full buffer asks for nothing while the link is still fast.
        (
          """
          { "schedule": { "steps": [ { "for": "60 s", "bandwidth": "8 Mbit/s" },
            { "for": "1 h", "bandwidth": "100 kbit/s" } ], "then": "hold" } }
          """, #""duration": "84 s""#, full,
          "had 100 kbit/s for 12.000 s; the segments asked for need 1 Mbit/s; 17.250 s were ahead"
        ),
        // The link as the app left it, and not as it was at first.
        (
          #"{ "bandwidth": "8 Mbit/s", "delay": "20 ms" }"#, #""duration": "84 s""#,
          full + """
            , "script": [ { "at": "0 s", "do": "play" }, { "at": "60 s", "do": "changeLink",
              "to": { "bandwidth": "8 Mbit/s", "delay": "200 ms", "loss": "10 %" } } ]
            """,
          "with 400 ms round trip, 10.00 % loss each way, which holds a transfer to 111.727 kbit/s"
        ),
        // An answer that is late, by its track.
        (
          #"{ "bandwidth": "8 Mbit/s", "delay": "20 ms" }"#,
          #""duration": "60 s", "audio": [ { "name": "English", "bitrate": "128 kbit/s" } ]"#,
          full + #", "faults": [ { "slowFirstByte": "14 s", "url": "audio-0/segment5*" } ]"#,
          ": the audio segment from 30.000 s, asked for at 18.967 s, was answered at 33.007 s; the"
        ),
        // Subtitles are not waited for.
        (
          """
          { "schedule": { "steps": [ { "for": "13 s", "bandwidth": "4 Mbit/s" },
            { "for": "1 h", "bandwidth": "500 kbit/s" } ], "then": "hold" }, "delay": "20 ms" }
          """, #""duration": "300 s", "subtitles": [ { "name": "English", "language": "en" } ]"#,
          """
          "player": { "preferredForwardBufferDuration": "12 s", "subtitleLanguage": "en" },
          "faults": [ { "status": 404, "url": "subtitles-0/*", "requests": [4, 100] } ]
          """, "had 500 kbit/s for 12.000 s; the segments asked for need 1 Mbit/s; 16.460 s were"
        ),
      ], few: 4))
  func `a stall is explained by the time in which its buffer fell`(
    link: String, stream: String, more: String, words: String
  ) throws {
    let ladder = #""ladder": [ { "bitrate": "1 Mbit/s" } ]"#
    let screen = try screen(link, "{ \"hls\": { \(ladder), \(stream) } }", more)
    #expect(screen.contains(words), "\(screen)")
    let start = try #require(screen.range(of: " stalls ")).lowerBound
    let end = try #require(screen.range(of: " quality ")).lowerBound
    for word in ["was out", "stood still", "failed"] {
      #expect(!screen[start..<end].contains(word), "\(screen)")
    }
  }

  /// 300 kB take 1.333 s at 1.8 Mbit/s; the 1,500 kB of the next 6 s need 2 Mbit/s.
  @Test func `a segment that was there before the buffer fell is not among those asked for`()
    throws
  {
    let screen = try screen(
      #"{ "bandwidth": "1.8 Mbit/s" }"#,
      """
      { "hls": { "duration": "12 s", "segmentDuration": "6 s", "playlistBytes": "1 KB",
        "ladder": [ { "bitrate": "1.5 Mbit/s", "segmentBytes": [ "300 KB", "1500 KB" ] } ] } }
      """)
    #expect(
      screen.contains(
        "at 7.342 s for 0.667 s: the link had 1.8 Mbit/s for 6.000 s; the segments asked for need "
          + "2 Mbit/s; 6.000 s were ahead at 1.342 s"), "\(screen)")
  }

  /// Segments of 4 s, the last of which ends at 24 s: the playhead is put at 23 s and moves from
  /// 0.26 s on. The playlist is read again at 4.02 s, a target duration after the first request.
  @Test func `a stall at the live edge names the edge, and no rate`() throws {
    let screen = try screen(
      #"{ "bandwidth": "20 Mbit/s", "delay": "10 ms" }"#,
      """
      { "hls": { "duration": "60 s", "segmentDuration": "4 s", "playlistBytes": "500 B",
        "ladder": [ { "bitrate": "1 Mbit/s" } ],
        "live": { "startsWith": "24 s", "window": "24 s" } } }
      """, #""player": { "configuredTimeOffsetFromLive": "1 s" }, "horizon": "30 s""#)
    #expect(
      screen.contains(
        "at 1.260 s for 3.000 s: the playhead had come to the live edge: no further segment was "
          + "listed; 1.000 s were ahead at 0.260 s"), "\(screen)")
  }

  /// The segment that begins at 12 s ends at 25 s. From 16.04 s on the playlist is read every 2 s:
  /// at 26.04 s it lists it. The 12 s that were ahead at 13.454 s do not last until then.
  @Test func `a stop of the encoder is the cause until a playlist lists a segment again`() throws {
    let screen = try screen(
      #"{ "bandwidth": "3 Mbit/s", "delay": "20 ms" }"#,
      """
      { "hls": { "duration": "120 s", "segmentDuration": "4 s", "audio": [],
        "ladder": [ { "bitrate": "1 Mbit/s" } ], "live": { "window": "28 s",
          "encoderStops": [ { "from": "12 s", "for": "9 s" } ] } } }
      """,
      """
      "horizon": "30 s",
      "script": [ { "at": "0 s", "do": "play" }, { "at": "29 s", "do": "pause" } ]
      """)
    #expect(
      screen.contains(
        "at 25.454 s for 2.000 s: the encoder stood still from 12.000 s to 21.000 s; 12.000 s "
          + "were ahead at 13.454 s"), "\(screen)")
  }

  /// The seek leaves nothing ahead, and 0.46 s bring 0.9 × 0.46 s of media until playback begins;
  /// the next item has 7.226 s ahead when it begins.
  @Test func `what was ahead before a seek or in another item does not count`() throws {
    let seek = try screen(
      #"{ "bandwidth": "900 kbit/s", "delay": "20 ms" }"#,
      #"{ "progressive": { "duration": "600 s", "bitrate": "1 Mbit/s" } }"#,
      """
      "script": [ { "at": "0 s", "do": "play" }, { "at": "120 s", "do": "seek", "to": "590 s" },
        { "at": "120.5 s", "do": "playImmediately" } ]
      """)
    #expect(
      seek.contains(
        "the link had 900 kbit/s for 4.140 s; the media needs 1 Mbit/s; 0.414 s were ahead at "
          + "120.500 s, after the seek at 120.000 s"), "\(seek)")
    let item = try screen(
      #"{ "bandwidth": "1.2 Mbit/s", "delay": "20 ms" }"#,
      #"{ "progressive": { "duration": "20 s", "bitrate": "500 kbit/s" } }"#,
      """
      "queue": [ "a", "b" ], "items": [ { "name": "a" }, { "name": "b", "asset": "big" } ],
      "assets": [ { "name": "big", "media":
        { "progressive": { "duration": "22 s", "bitrate": "2 Mbit/s" } } } ],
      "player": { "heuristic": "thresholds 1 s/1 s" }
      """)
    #expect(
      item.contains(
        "the link had 1.2 Mbit/s for 18.065 s; the media needs 2 Mbit/s; 7.226 s were ahead at "
          + "20.457 s, after b began at 20.457 s"), "\(item)")
  }

  /// 0.5 s of the first item are loaded at 1 s, which last 1 s at half of what it needs.
  @Test func `a stall that ends with the next item names the rate of the item that stalled`()
    throws
  {
    let screen = try screen(
      #"{ "bandwidth": "1 Mbit/s" }"#,
      #"{ "progressive": { "duration": "10 s", "bitrate": "2 Mbit/s" } }"#,
      """
      "queue": [ "a", "b" ], "items": [ { "name": "a" }, { "name": "b", "asset": "small" } ],
      "assets": [ { "name": "small", "media":
        { "progressive": { "duration": "4 s", "bitrate": "500 kbit/s" } } } ],
      "script": [ { "at": "0 s", "do": "play" }, { "at": "1 s", "do": "playImmediately" },
        { "when": "stallCount >= 1", "do": "advanceToNextItem" } ]
      """)
    #expect(
      screen.contains(
        "at 2.000 s for 0.000 s: the link had 1 Mbit/s for 1.000 s; the media needs 2 Mbit/s; "
          + "0.500 s were ahead at 1.000 s"), "\(screen)")
  }

  /// The first segment of 4 s is there at 6.615 s, and the next 4.571 s later.
  private static let cause =
    "at 10.615 s for 0.571 s: the link had 350 kbit/s for 4.000 s; the segments asked for need "
    + "400 kbit/s; 4.000 s were ahead at 6.615 s"

  @Test func `a stall of a further player has its cause`() throws {
    let screen = try screen(
      #"{ "bandwidth": "350 kbit/s" }"#,
      #"{ "local": { "duration": "60 s", "bitrate": "1 Mbit/s" } }"#,
      """
      "players": [ { "name": "two", "media": \(Self.stream), \(Self.hasty),
        "script": [ { "at": "0 s", "do": "play" } ] } ]
      """)
    #expect(screen.contains(" stalls none ") && screen.contains(Self.cause), "\(screen)")
    let run = try place.run("run", "cause.json", "--format", "json")
    #expect(run.text.contains("the link had 350 kbit/s for 4.000 s; the segments"), "\(run.text)")
  }

  /// Downloads long after, and in a second of the fall of the first buffer.
  @Test func `others have a part of the link only while they transfer something`() throws {
    for (from, to, count) in [("10 min", "11 min", 0), ("8 s", "9 s", 1)] {
      let screen = try screen(
        #"{ "bandwidth": "350 kbit/s" }"#, Self.stream,
        Self.hasty
          + #", "traffic": [ { "name": "updates", "from": "\#(from)", "to": "\#(to)" } ]"#)
      #expect(screen.contains(Self.cause) == (count == 0), "\(screen)")
      #expect(screen.components(separatedBy: "and others may have").count == 1 + count)
    }
  }

  /// A stall every 1.5625 s, as in the table above: 1,500 s of media take 1,875 s, with 1,200.
  @Test func `each of very many stalls has its cause`() throws {
    _ = try screen(
      #"{ "bandwidth": "800 kbit/s" }"#,
      #"{ "progressive": { "duration": "1500 s", "bitrate": "1 Mbit/s" } }"#, Self.hasty)
    let run = try place.run("run", "cause.json", "--format", "json")
    let answer = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let scenario = try #require((answer?["scenarios"] as? [[String: Any]])?.first)
    let stalls = try #require(scenario["stalls"] as? [[String: Any]])
    #expect(stalls.count == 1_200)
    for stall in stalls.dropFirst() {
      let reason = stall["reason"] as? String ?? ""
      #expect(reason.hasPrefix("the link had 800 kbit/s for 1.250 s; the media needs 1 Mbit/s; "))
    }
  }

  @Test func `a link that changes is a row of the chart, by the mean of each column`() throws {
    let steps = """
      { "schedule": { "steps": [ { "for": "10 s", "bandwidth": "8 Mbit/s" },
        { "for": "10 s", "bandwidth": "2 Mbit/s" }, { "for": "10 s", "bandwidth": "4 Mbit/s" } ],
        "then": "repeat" } }
      """
    let media = #"{ "local": { "duration": "60 s", "bitrate": "1 Mbit/s" } }"#
    // 60 columns of a second each, beside 8 of the label.
    let screen = try screen(steps, media, "", "--width", "68")
    let round = "██████████▂▂▂▂▂▂▂▂▂▂▄▄▄▄▄▄▄▄▄▄"
    #expect(screen.contains("link " + round + round), "\(screen)")
    #expect(screen.contains("the link is at █ with 8 Mbit/s"))
    for steady in [#"{ "bandwidth": "2 Mbit/s" }"#, "{}"] {
      #expect(try !self.screen(steady, media).contains("the link is at"))
    }
  }

  @Test func `the screen says why likely to keep up fell and why the rate did`() throws {
    let screen = try screen(
      #"{ "bandwidth": "1.5 Mbit/s", "outages": [ { "from": "10 s", "for": "20 s" } ] }"#,
      Self.file)
    #expect(
      screen.contains(
        "keeping up at 10.000 s: No longer likely to keep up, with media to 15.000 s: "
          + "some byte is predicted to arrive after it is due (someByteLate)"), "\(screen)")
    // The estimate is known, but the request for the place of the seek has no answer yet.
    let sought = try self.screen(
      #"{ "bandwidth": "3 Mbit/s", "delay": "20 ms" }"#, Self.file,
      #""script": [ { "at": "0 s", "do": "play" }, { "at": "5 s", "do": "seek", "to": "50 s" } ]"#)
    #expect(
      sought.contains(
        "with media to 50.000 s: no playable media is arriving, or the throughput is not known yet "
          + "(noThroughput)"), "\(sought)")
    let live = try self.screen(
      #"{ "bandwidth": "8 Mbit/s", "delay": "20 ms" }"#,
      """
      { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "30 min",
        "segmentDuration": "6 s", "live": { "window": "120 s", "startsWith": "120 s" } } }
      """,
      """
      "horizon": "700 s",
      "player": { "linkedSDK": "iOS 26.4", "configuredTimeOffsetFromLive": "60 s" },
      "script": [ { "at": "0 s", "do": "play" }, { "at": "10 s", "do": "setRate", "rate": 2 } ]
      """)
    #expect(
      live.contains("The rate becomes 1.00: the playhead reached the live edge (rateChange · "),
      "\(live)")
  }

  /// 0.25 s last 1.25 s, and come back in 0.3125 s: a stall every 1.5625 s, the first at 50 µs.
  @Test(arguments: [
    (2, "it was 2: stall at 0.00005 s and 1.56255 s\n"),
    (4, "it was 3: stall at 0.00005 s, 1.56255 s and 3.12505 s\n"),
    (6, "it was 4: stall at 0.00005 s, 1.56255 s, 3.12505 s and once more\n"),
  ])
  func `a count that is wrong names the first three events, and how many more`(
    seconds: Int, words: String
  ) throws {
    try place.write(
      """
      { "scenario": "Count", "about": "Stalls.", "link": { "bandwidth": "800 kbit/s" },
        "media": \(Self.file), \(Self.hasty), "horizon": "\(seconds) s",
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ] }
      """, to: "count.json")
    let run = try place.run("test", "count.json")
    #expect(run.exitCode == 1 && run.text.contains("      actual    " + words), "\(run.text)")
  }

  // MARK: Two runs

  /// A stream whose policy goes up to a variant that the link cannot carry stalls; one that stays
  /// does not.
  @Test(arguments: [600, 700, 900])
  func `two runs are told apart by the choice for the media that was missing`(rate: Int) throws {
    _ = try screen(#"{ "bandwidth": "\#(rate) kbit/s" }"#, Self.stream)
    let names = ["hasty", "patient"]
    for (name, variant) in zip(names, ["highest", "lowest"]) {
      let policy =
        #"player.policy={"like":"BOLA","firstVariant":"\#(variant)","nextVariant":"fixed"}"#
      let run = try place.run(
        "run", "cause.json", "--quiet", "--trace", name, "--set", policy)
      #expect(run.exitCode == 0, "\(run.errorText)")
    }
    let told = try place.run("diff", "hasty", "patient").text
    #expect(told.contains("\nThe first stall that only one of them has is at "), "\(told)")
    #expect(told.contains(" in hasty, 4.000 s into the media; its decisions:\n"), "\(told)")
    #expect(told.contains("  hasty: asked for a segment of 2 Mbit/s at "), "\(told)")
    #expect(told.contains("  patient: asked for a segment of 400 kbit/s at "), "\(told)")
    #expect(told.contains(", with 4.000 s ahead and an estimate of "), "\(told)")
    let json = try place.run("diff", "patient", "hasty", "--format", "json")
    let answer = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    let settled = try #require(answer?["settledStall"] as? [String: Any])
    #expect(settled["file"] as? String == "hasty" && settled["mediaSeconds"] as? Double == 4)
    let choices = try #require(settled["choices"] as? [[String: Any]])
    let estimates = choices.map { $0["estimate"] as? Int ?? 0 }
    #expect(estimates.allSatisfy { abs($0 - rate * 1_000) <= 1 }, "\(estimates)")
  }

  @Test func `of two files the start is named, with what was loaded at it`() throws {
    _ = try screen(#"{ "bandwidth": "500 kbit/s" }"#, Self.file)
    for (name, start) in [("hasty", "immediate"), ("patient", "everythingLoaded")] {
      _ = try place.run(
        "run", "cause.json", "--quiet", "--trace", name, "--set", "player.heuristic=\(start)")
    }
    let told = try place.run("diff", "patient", "hasty").text
    #expect(told.contains("  patient: playback began at 120.000 s, with 60.000 s ahead and "))
    #expect(told.contains("  hasty: playback began at 0.000 s, with 0.000 s ahead and "), "\(told)")
  }

  @Test func `a rule of the literature is explained by buffer and estimate`() throws {
    let told = try place.run(
      "compare", Checkout.at("Scenarios/variants/hls-goes-down-before-it-stalls.json").path,
      "--links", "3G", "--explain", "BOLA without abandonment", "hls.js 1.6"
    ).text
    #expect(
      told.contains(", by published, with 10.000 s ahead and an estimate of 683.121 kbit/s\n"),
      "\(told)")
    let name = "BOLA without abandonment"
    #expect(
      told.contains("in \(name), 10.000 s into the media; its decisions:\n  \(name): asked"))
    #expect(!told.contains("The first decision at which they part:\n  \(name):17: variantStay"))
  }
}
