import Foundation
import Testing

/// `goldilocks check gapless`: whether one stream can follow another without a gap.
@Suite(.besideOthers) struct GaplessCheckTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(Self.playlist(codecs: ["mp4a.40.5", "mp4a.40.2"]), to: "a.m3u8")
    try place.write(Self.playlist(codecs: ["mp4a.40.2"]), to: "b.m3u8")
    try place.write(Self.playlist(codecs: ["mp4a.40.2"], sampleRate: 44_100), to: "c.m3u8")
    for name in ["audio-0", "audio-1", "video-0", "video-1"] {
      try place.write(Self.media(), to: "\(name).m3u8")
    }
  }

  static func media(isKeyed: Bool = false) -> String {
    let format = "KEYFORMAT=\"com.apple.streamingkeydelivery\""
    let key = isKeyed ? "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://1\",\(format)\n" : ""
    return "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(key)#EXTINF:6,\n1.mp4\n#EXT-X-ENDLIST\n"
  }

  static func playlist(codecs: [String], sampleRate: Int = 48_000) -> String {
    var text = "#EXTM3U\n"
    for index in codecs.indices {
      text += #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="\#(index)",NAME="Stereo",CHANNELS="2","#
      text += "SAMPLE-RATE=\(sampleRate),URI=\"audio-\(index).m3u8\"\n"
    }
    for (index, codec) in codecs.enumerated() {
      text += "#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,"
      text += #"CODECS="avc1.64001f,\#(codec)",AUDIO="\#(index)""# + "\nvideo-\(index).m3u8\n"
    }
    return text
  }

  @Test func `a boundary that always holds ends with 0`() throws {
    let run = try place.run("check", "gapless", "a.m3u8", "a.m3u8")
    #expect(run.exitCode == 0)
    #expect(
      run.text.hasPrefix(
        """
        a.m3u8, then a.m3u8: gapless from 2 of 2 variants
        a.m3u8:4: 1280x720, 3 Mbit/s: goes on with a.m3u8:4 (1280x720, 3 Mbit/s)
        a.m3u8:6: 1280x720, 3 Mbit/s: goes on with a.m3u8:6 (1280x720, 3 Mbit/s)

        """))
  }

  @Test func `what prevents it is said with both places`() throws {
    let run = try place.run("check", "gapless", "a.m3u8", "b.m3u8")
    #expect(run.exitCode == 1)
    #expect(
      run.text.hasPrefix(
        """
        a.m3u8, then b.m3u8: gapless from 1 of 2 variants
        a.m3u8:4: 1280x720, 3 Mbit/s: no variant of b.m3u8 matches
          audio codec: mp4a.40.5 (a.m3u8:4), then mp4a.40.2 (b.m3u8:3): prevents it
        a.m3u8:6: 1280x720, 3 Mbit/s: goes on with b.m3u8:3 (1280x720, 3 Mbit/s)

        """))
  }

  /// Nothing but a key in a playlist that is not there could prevent it.
  @Test func `what cannot be read is not called gapless`() throws {
    try place.write(Self.playlist(codecs: ["mp4a.40.5", "mp4a.40.2"]), to: "far/a.m3u8")
    let run = try place.run("check", "gapless", "far/a.m3u8", "far/a.m3u8")
    #expect(run.exitCode == 66)
    #expect(
      run.text.hasPrefix(
        """
        far/a.m3u8, then far/a.m3u8: gapless from 0 of 2 variants
        far/a.m3u8:4: 1280x720, 3 Mbit/s: cannot be said
        far/a.m3u8:6: 1280x720, 3 Mbit/s: cannot be said

        """))
    #expect(run.text.contains("note: 4 media playlists of far/a.m3u8 cannot be read here: "))
    let json = try place.run("check", "gapless", "far/a.m3u8", "a.m3u8", "--format", "json").text
    #expect(json.contains("\"gapless\": \"unknown\"") && json.contains("\"gapless\": null"))
    // A codec that differs prevents it, whatever the keys are.
    let apart = try place.run("check", "gapless", "far/a.m3u8", "b.m3u8")
    #expect(apart.text.contains("audio codec: mp4a.40.5 (far/a.m3u8:4), then mp4a.40.2"))
    #expect(apart.text.contains("far/a.m3u8:6: 1280x720, 3 Mbit/s: cannot be said"))
  }

  @Test(arguments: ["v.m3u8", "v.m3u8?token=1", "v.m3u8#frag", "v%202.m3u8", "./v.m3u8"])
  func `a media playlist is found by whatever names its file`(reference: String) throws {
    let variant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS=\"mp4a.40.2\"\n"
    for folder in ["near", "100%25 ?#"] {
      try place.write(variant + reference + "\n", to: "\(folder)/keyed.m3u8")
      try place.write(variant + "plain.m3u8\n", to: "\(folder)/clear.m3u8")
      try place.write(Self.media(), to: "\(folder)/plain.m3u8")
      for name in ["v", "v 2"] {
        try place.write(Self.media(isKeyed: true), to: "\(folder)/\(name).m3u8")
      }
      let run = try place.run(
        "check", "gapless", "\(folder)/keyed.m3u8", "\(folder)/clear.m3u8")
      #expect(run.exitCode == 1)
      #expect(run.text.contains("use of FairPlay: FairPlay"), "\(run.text)")
      #expect(!run.text.contains("cannot be read"))
    }
  }

  @Test func `more variants or renditions than can be compared are refused`() throws {
    try place.write(
      "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", count: 30_000),
      to: "many.m3u8")
    let rendition = #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="0",NAME="A"#
    try place.write(
      Self.playlist(codecs: ["mp4a.40.2"])
        + (0..<1_000).map { rendition + "\($0)\",URI=\"a.m3u8\"\n" }.joined(), to: "loud.m3u8")
    for name in ["many.m3u8", "loud.m3u8"] {
      for arguments in [[name, "b.m3u8"], ["b.m3u8", name]] {
        let run = try place.run(["check", "gapless"] + arguments)
        #expect(run.exitCode == 65)
        #expect(run.errorText == "Error: \(name) has more than 1,000 variants or renditions.\n")
      }
    }
  }

  @Test func `what may inhibit it is a matter of strictness`() throws {
    #expect(try place.run("check", "gapless", "b.m3u8", "c.m3u8").exitCode == 1)
    let run = try place.run("check", "gapless", "--lenient", "b.m3u8", "c.m3u8")
    #expect(run.exitCode == 0)
    #expect(
      run.text.contains("  sample rate: 48000 (b.m3u8:2), then 44100 (c.m3u8:2): may inhibit it\n"))
  }

  @Test func `media playlists that are there are read for their keys`() throws {
    for name in ["audio-0", "video-0"] {
      try place.write(
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXTINF:6,
        1.mp4
        #EXT-X-ENDLIST
        """, to: "keyed/\(name).m3u8")
    }
    try place.write(Self.playlist(codecs: ["mp4a.40.2"]), to: "keyed/b.m3u8")
    let run = try place.run("check", "gapless", "b.m3u8", "keyed/b.m3u8")
    #expect(run.exitCode == 1)
    #expect(
      run.text.contains(
        "  use of FairPlay: no FairPlay (b.m3u8), then FairPlay (keyed/b.m3u8): prevents it\n"))
    #expect(!run.text.contains("of keyed/b.m3u8 cannot be read"))
  }

  @Test func `a machine reads the same`() throws {
    let run = try place.run("check", "gapless", "a.m3u8", "b.m3u8", "--format", "json")
    #expect(run.exitCode == 1)
    let document = try #require(
      try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    #expect(document["gapless"] as? String == "sometimes")
    let variants = try #require(document["variants"] as? [[String: Any]])
    #expect(variants.map { $0["gapless"] as? Bool } == [false, true])
    let reason = try #require((variants[0]["reasons"] as? [[String: Any]])?.first)
    #expect(reason["trait"] as? String == "codec")
    #expect(reason["prevents"] as? Bool == true)
    #expect((reason["second"] as? [String: Any])?["line"] as? Int == 3)
    #expect((variants[1]["continuesWith"] as? [String: Any])?["line"] as? Int == 3)
  }

  @Test func `files that are no multivariant playlists are refused`() throws {
    try place.write("#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1x1\nv.m3u8\n", to: "bad.m3u8")
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.ts\n#EXT-X-ENDLIST\n", to: "media.m3u8")
    let bad = try place.run("check", "gapless", "a.m3u8", "bad.m3u8")
    #expect(bad.exitCode == 65)
    #expect(
      bad.errorText.contains("bad.m3u8:2: EXT-X-STREAM-INF: the attribute BANDWIDTH is missing"))
    try place.write("#EXTM3U\n", to: "empty.m3u8")
    let empty = try place.run("check", "gapless", "a.m3u8", "empty.m3u8")
    #expect(empty.exitCode == 65)
    #expect(
      empty.errorText.contains("empty.m3u8:1: neither a media playlist nor a multivariant playlist")
    )
    let media = try place.run("check", "gapless", "media.m3u8", "a.m3u8")
    #expect(media.exitCode == 65)
    #expect(media.errorText.contains("media.m3u8 is a media playlist"))
    #expect(try place.run("check", "gapless", "a.m3u8", "nothing.m3u8").exitCode == 66)
  }
}
