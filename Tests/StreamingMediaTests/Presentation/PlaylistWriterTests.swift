import StreamingMedia
import Testing
import VirtualTime

/// Multivariant playlists that are read and written again, every attribute of them.
@Suite struct PlaylistWriterTests {
  private static let head = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"

  private func written(_ text: String) throws -> String {
    guard case .multivariant(let main) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    let media = "#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns.m4s\n#EXT-X-ENDLIST\n"
    guard case .media(let list) = try playlist(media).playlist else { throw FixtureMismatch() }
    let lists = main.mediaPlaylists(from: "main.m3u8").map {
      ($0, LoadedPlaylist(list, bytes: Int64(media.utf8.count)))
    }
    return try Presentation(
      main, uri: "main.m3u8", bytes: 1, media: Dictionary(uniqueKeysWithValues: lists)
    ).multivariantText()
  }

  static let variants = [
    #"BANDWIDTH=1"#,
    #"BANDWIDTH=9000000,AVERAGE-BANDWIDTH=8000000,SCORE=1.5,CODECS="hvc1.2.4.L153.b0,ec-3","#
      + #"SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=3840x2160,FRAME-RATE=59.94,"#
      + #"HDCP-LEVEL=TYPE-1,VIDEO-RANGE=PQ,AUDIO="a",VIDEO="v",SUBTITLES="s","#
      + #"CLOSED-CAPTIONS="c",PATHWAY-ID="CDN-A",STABLE-VARIANT-ID="v9",NAME="top""#,
    #"BANDWIDTH=2,SCORE=0.000001,FRAME-RATE=23.976,HDCP-LEVEL=NONE,VIDEO-RANGE=HLG"#,
    #"BANDWIDTH=3,SCORE=10,FRAME-RATE=60,HDCP-LEVEL=TYPE-0,PATHWAY-ID="B""#,
    #"BANDWIDTH=4,CODECS="mp4a.40.2",STABLE-VARIANT-ID="x",NAME="n""#,
  ]

  @Test(arguments: variants)
  func `a variant has every attribute that it was read with, and no other`(line: String) throws {
    var text = Self.head
    for (kind, group) in [("AUDIO", "a"), ("VIDEO", "v"), ("SUBTITLES", "s")]
    where line.contains("\(kind)=\"") {
      text += #"#EXT-X-MEDIA:TYPE=\#(kind),GROUP-ID="\#(group)","# + "NAME=\"n\",URI=\"r.m3u8\"\n"
    }
    if line.contains("CLOSED") {
      text += #"#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="n",INSTREAM-ID="CC1""# + "\n"
    }
    text += "#EXT-X-STREAM-INF:\(line)\nv.m3u8\n"
    #expect(try written(text) == text)
  }

  @Test(arguments: [
    #"TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",ASSOC-LANGUAGE="en-GB",DEFAULT=YES,"#
      + #"AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video,org.x","#
      + #"CHANNELS="16/JOC",BIT-DEPTH=24,SAMPLE-RATE=48000,STABLE-RENDITION-ID="e1",URI="a.m3u8""#,
    #"TYPE=SUBTITLES,GROUP-ID="a",NAME="Forced",LANGUAGE="fr",AUTOSELECT=YES,FORCED=YES,"#
      + #"URI="s.m3u8""#,
    #"TYPE=AUDIO,GROUP-ID="a",NAME="muxed",CHANNELS="2""#,
    #"TYPE=AUDIO,GROUP-ID="a",NAME="deep",BIT-DEPTH=16,URI="a.m3u8""#,
    #"TYPE=AUDIO,GROUP-ID="a",NAME="rate",SAMPLE-RATE=44100,URI="a.m3u8""#,
    #"TYPE=CLOSED-CAPTIONS,GROUP-ID="a",NAME="c",INSTREAM-ID="SERVICE3""#,
  ])
  func `a rendition has every attribute that it was read with, and no other`(line: String) throws {
    let text = Self.head + "#EXT-X-MEDIA:\(line)\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
    #expect(try written(text) == text)
  }

  @Test(arguments: [
    "#EXT-X-START:TIME-OFFSET=-9.25\n", "#EXT-X-START:TIME-OFFSET=0.000000001,PRECISE=YES\n",
    "#EXT-X-START:TIME-OFFSET=25\n",
    #"#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k","#
      + #"KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1/2""# + "\n",
    #"#EXT-X-SESSION-KEY:METHOD=AES-128,URI="k",IV=0x00000000000000000000000000000001"# + "\n",
  ])
  func `the start and the keys of the session are written as they were read`(line: String) throws {
    let text = Self.head + line + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
    #expect(try written(text) == text)
  }
}
