import Foundation
import TestSupport
import Testing

/// Input that is well formed in ways that are seldom met.
@Suite(.besideOthers) struct UnusualInputTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `a gap of a playlist is played without picture and sound`() throws {
    try place.write(
      """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-TARGETDURATION:4
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXTINF:4,
      s0.m4s
      #EXT-X-GAP
      #EXTINF:4,
      s1.m4s
      #EXTINF:4,
      s2.m4s
      #EXT-X-ENDLIST
      """ + "\n", to: "media.m3u8")
    try place.write(
      """
      { "scenario": "G", "about": "A gap.", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "hls": { "playlists": "media.m3u8" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "emptyVideo": "4 s", "silentAudio": "4 s", "played": "12 s" } ] }
      """, to: "gap.json")
    let run = try place.run("test", "gap.json")
    #expect(run.exitCode == 0, "\(run.text)")
  }

  /// Three segments of 5.5 s of video, with one segment of 6 s of audio or more of them.
  @Test(arguments: [(1, "10.5 s"), (2, "4.5 s"), (3, "0 s")])
  func `separate audio that ends before the video is followed by silence`(
    segments: Int, silent: String
  ) throws {
    try writeUnevenStream(segments)
    try place.write(
      """
      { "scenario": "S", "about": "Silence.", "link": { "bandwidth": "8 Mbit/s" },
        "media": { "hls": { "playlists": "main.m3u8" } },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "14 s", "do": "pause" },
          { "at": "15 s", "do": "play" } ],
        "expect": [ { "emptyVideo": "0 s", "silentAudio": "\(silent)", "played": "16.5 s" } ] }
      """, to: "uneven.json")
    let run = try place.run("test", "uneven.json")
    #expect(run.exitCode == 0, "\(run.text)")
  }

  /// A stream of 16.5 s of video, with separate audio in segments of 6 s.
  private func writeUnevenStream(_ audioSegments: Int) throws {
    func playlist(_ name: String, _ length: String, _ bytes: Int, _ count: Int) -> String {
      let segments = (0..<count).map {
        "#EXTINF:\(length),\n#EXT-X-BYTERANGE:\(bytes)@\($0 * bytes)\n\(name).mp4\n"
      }
      return "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + "\(segments.joined())#EXT-X-ENDLIST\n"
    }
    try place.write(playlist("v", "5.5", 600_000, 3), to: "video.m3u8")
    try place.write(playlist("a", "6", 72_000, audioSegments), to: "audio.m3u8")
    try place.write(
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="En",LANGUAGE="en",DEFAULT=YES,URI="audio.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1100000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
      video.m3u8
      """ + "\n", to: "main.m3u8")
  }

  /// A file of 20 s whose sound is in two tracks, one of which ends after 12 s.
  @Test(arguments: [
    (#"{ "at": "0 s", "do": "setTrackEnabled", "track": "Short", "to": false }, "#, "", 20, 0),
    (#"{ "at": "0 s", "do": "setTrackEnabled", "track": "Long", "to": false }, "#, "", 20, 8),
    ("", "", 20, 0),
    ("", #""player": { "forwardPlaybackEndTime": "shortestTrack" }, "#, 12, 0),
  ])
  func `a file sounds as long as an enabled track does, and the shortest of all ends it`(
    step: String, player: String, played: Int, silent: Int
  ) throws {
    let (short, long) = (
      #"{ "kind": "audio", "name": "Short", "duration": "12 s" }"#,
      #"{ "kind": "audio", "name": "Long" }"#
    )
    for tracks in ["\(short), \(long)", "\(long), \(short)"] {
      try place.write(
        """
        { "scenario": "T", "about": "Tracks.", "link": {}, \(player)
          "media": { "local": { "duration": "20 s", "bitrate": "2 Mbit/s",
            "tracks": [ { "kind": "video", "name": "V" }, \(tracks) ] } },
          "script": [ \(step){ "at": "1 s", "do": "play" } ],
          "expect": [
            { "emptyVideo": "0 s", "silentAudio": "\(silent) s", "played": "\(played) s" } ] }
        """, to: "tracks.json")
      let run = try place.run("test", "tracks.json")
      #expect(run.exitCode == 0, "\(run.text)")
    }
  }

  @Test func `a local file has its length in the input of P 1203`() throws {
    try place.write(
      """
      { "scenario": "L", "about": "Local.", "link": {},
        "media": { "local": { "duration": "10 s", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "local.json")
    let run = try place.run("export", "p1203", "local.json")
    #expect(run.exitCode == 0 && run.text.contains(#""duration": 10,"#), "\(run.text)")
  }

  @Test func `the input of P 1203 says which resolutions are assumed, and that it is empty`() throws
  {
    let note = "s.json: note: 1920x1080 is assumed as the resolution"
    for (resolution, bandwidth, words) in [
      ("", "9 Mbit/s", "\(note)\n"), (#", "resolution": "640x360""#, "9 Mbit/s", ""),
      ("", "0 bit/s", "s.json: note: nothing was played: I13 has no segments\n"),
    ] {
      try place.write(
        """
        { "scenario": "S", "about": "A stream.", "link": { "bandwidth": "\(bandwidth)" },
          "media": { "hls": { "duration": "12 s", "segmentDuration": "4 s",
            "ladder": [ { "bitrate": "1 Mbit/s"\(resolution) } ] } },
          "horizon": "40 s", "script": [ { "at": "0 s", "do": "play" } ] }
        """, to: "s.json")
      let run = try place.run("export", "p1203", "s.json")
      #expect(run.exitCode == 0 && run.errorText == words, "\(run.errorText)")
    }
  }

  @Test func `a scenario in UTF-16 beside others is not left alone`() throws {
    try place.write(shortScenario(), to: "suite/a.json")
    let wide = #"{ "scenario": 1 }"#.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data([0xFF, 0xFE] + wide).write(to: place.folder.appending(path: "suite/wide.json"))
    let run = try place.run("test", "suite")
    #expect(run.exitCode == 65 && run.errorText.contains("not in UTF-8"), "\(run.errorText)")
  }

  @Test func `standard input is not watched`() throws {
    let run = try place.run("test", "-", "--watch")
    #expect(run.exitCode == 64 && run.errorText.contains("Standard input cannot change"))
  }

  @Test func `metrics begin with a byte order mark or without`() throws {
    let lines = """
      {"events": [{"event": "AVMetricPlayerItemLikelyToKeepUpEvent", "date": "2026-01-01T00:00:00Z",
        "timeTaken": 1}]}
      """
    try place.write(lines, to: "plain.json")
    try place.write("\u{FEFF}" + lines, to: "marked.json")
    let plain = try place.run("import", "metrics", "plain.json")
    let marked = try place.run("import", "metrics", "marked.json")
    #expect(!marked.errorText.contains("this is no log"), "\(marked.errorText)")
    #expect(plain.exitCode == marked.exitCode)
    #expect(plain.errorText == marked.errorText.replacing("marked.json", with: "plain.json"))
    try place.write(SampleLogs.events, to: "s.json")
    try place.write("\u{FEFF}" + SampleLogs.events, to: "m/s.json")
    for folder in ["", "m/"] {
      let run = try place.run("import", "metrics", folder + "s.json", "-o", folder + "out.json")
      #expect(run.exitCode == 0, "\(run.errorText)")
    }
    #expect(try place.read("m/out.json") == place.read("out.json"))
  }

  @Test func `a scenario that is named in two ways is tested once`() throws {
    try place.write(shortScenario(), to: "suite/a.json")
    for names in [["suite/a.json", "./suite/a.json"], ["suite", "suite/../suite/a.json"]] {
      let run = try place.run(["test"] + names)
      #expect(run.text.contains("1 passed, 0 failed"), "\(run.text)")
    }
  }

  @Test func `a path that is allowed and holds nothing is named`() throws {
    try place.write(shortScenario(), to: "a.json")
    let run = try place.run("run", "a.json", "--quiet", "--allow-path", "nowhere")
    #expect(run.exitCode == 0)
    #expect(run.errorText == "note: there is nothing at 'nowhere', which --allow-path names\n")
    #expect(try place.run("run", "a.json", "--quiet", "--allow-path", ".").errorText.isEmpty)
  }

  @Test(arguments: [
    (
      "autowait/interstitials-one-after-the-other",
      [
        "left out: the 1 request of the player 'first'",
        "left out: the 3 requests of the player 'second'",
      ]
    ),
    (
      "players/separating-live-edge-nuplayer",
      ["left out: the texts of the live stream's playlists"]
    ),
  ])
  func `a HAR of a run names what it leaves out`(name: String, notes: [String]) throws {
    let run = try place.run(
      "export", "har", Checkout.at("Scenarios/\(name).json").path)
    #expect(run.exitCode == 0)
    #expect(run.errorText.split(separator: "\n").count == notes.count, "\(run.errorText)")
    for note in notes { #expect(run.errorText.contains(note), "\(run.errorText)") }
  }

  @Test func `a property list has characters by their numbers`() throws {
    try place.write(
      """
      <plist><dict><key>Caf&#233; &#x26; Bar</key><dict>
        <key>DownlinkBandwidth</key><real>1000</real>
      </dict></dict></plist>
      """, to: "n.plist")
    let run = try place.run("import", "trace", "n.plist", "--name", "Café & Bar")
    #expect(run.exitCode == 0, "\(run.errorText)")
    // XML has no sign in a number.
    try place.write(
      try place.read("n.plist").replacing("&#233;", with: "&#+233;"), to: "signed.plist")
    let signed = try place.run("import", "trace", "signed.plist", "--name", "Caf&#+233; & Bar")
    #expect(signed.exitCode == 0, "\(signed.errorText)")
  }
}
