import StreamingMedia
import Testing
import VirtualTime

/// Multivariant playlists of described ladders, line by line.
@Suite struct LadderTextTests {
  private func lines(_ ladder: LadderDescription) throws -> [String] {
    try Presentation(ladder).multivariantText().split(separator: "\n").map { String($0) }
  }

  private let header = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]

  private static let withGroups = LadderDescription(
    rungs: [
      LadderRung(
        resolution: PixelSize(width: 640, height: 360), bitRate: 800_000, codecs: ["avc1.4d401e"],
        frameRate: 29_970),
      LadderRung(
        resolution: PixelSize(width: 1_920, height: 1_080), bitRate: 5_000_000,
        codecs: ["hvc1.2.4.L123.B0"], frameRate: 60_000, videoRange: .perceptualQuantiser),
    ],
    audio: [
      LadderAudio(group: "stereo", name: "English", language: "en", bitRate: 128_000),
      LadderAudio(group: "stereo", name: "Deutsch", language: "de", bitRate: 96_000),
      LadderAudio(
        group: "surround", name: "English", language: "en", bitRate: 384_000, codec: "ec-3",
        channels: 6, sampleRate: 48_000, bitDepth: 24),
    ],
    subtitles: [
      LadderSubtitles(name: "English", language: "en", isDefault: true),
      LadderSubtitles(name: "Forced", language: "de", bitRate: 2_000, isForced: true),
    ],
    segmentDuration: .seconds(6), duration: .seconds(60))

  @Test func `every rung is offered with each group of sounds`() throws {
    let sound = #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="#
    let text = #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="#
    let (first, second) = (
      #"RESOLUTION=640x360,FRAME-RATE=29.97"#, #"RESOLUTION=1920x1080,FRAME-RATE=60,VIDEO-RANGE=PQ"#
    )
    let expected = [
      sound + #""stereo",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,"#
        + #"CHANNELS="2",URI="audio-0/playlist.m3u8""#,
      sound + #""stereo",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,"#
        + #"CHANNELS="2",URI="audio-1/playlist.m3u8""#,
      sound + #""surround",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,"#
        + #"CHANNELS="6",BIT-DEPTH=24,SAMPLE-RATE=48000,URI="audio-2/playlist.m3u8""#,
      text + #""English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,"#
        + #"URI="subtitles-0/playlist.m3u8""#,
      text + #""Forced",LANGUAGE="de",AUTOSELECT=YES,FORCED=YES,"#
        + #"URI="subtitles-1/playlist.m3u8""#,
      #"#EXT-X-STREAM-INF:BANDWIDTH=928000,AVERAGE-BANDWIDTH=928000,"#
        + #"CODECS="avc1.4d401e,mp4a.40.2",\#(first),AUDIO="stereo",SUBTITLES="subtitles""#,
      "video-0/playlist.m3u8",
      #"#EXT-X-STREAM-INF:BANDWIDTH=1184000,AVERAGE-BANDWIDTH=1184000,"#
        + #"CODECS="avc1.4d401e,ec-3",\#(first),AUDIO="surround",SUBTITLES="subtitles""#,
      "video-0/playlist.m3u8",
      #"#EXT-X-STREAM-INF:BANDWIDTH=5128000,AVERAGE-BANDWIDTH=5128000,"#
        + #"CODECS="hvc1.2.4.L123.B0,mp4a.40.2",\#(second),AUDIO="stereo",SUBTITLES="subtitles""#,
      "video-1/playlist.m3u8",
      #"#EXT-X-STREAM-INF:BANDWIDTH=5384000,AVERAGE-BANDWIDTH=5384000,"#
        + #"CODECS="hvc1.2.4.L123.B0,ec-3",\#(second),AUDIO="surround",SUBTITLES="subtitles""#,
      "video-1/playlist.m3u8",
    ]
    let lines = try lines(Self.withGroups)
    #expect(lines == header + expected)
    let lists = try Presentation(Self.withGroups).lists
    // Six seconds of each rate, in bytes.
    #expect(
      lists.map { $0.segments[0].bytes } == [
        600_000, 3_750_000, 96_000, 72_000, 288_000, 750, 1_500,
      ])
  }

  @Test func `sound within the pictures counts in their rate`() throws {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 300_000, audioBitRate: 64_000)],
      segmentDuration: .seconds(4), duration: .seconds(12))
    let lines = try lines(ladder)
    #expect(
      lines == header + [
        "#EXT-X-STREAM-INF:BANDWIDTH=364000,AVERAGE-BANDWIDTH=364000", "video-0/playlist.m3u8",
      ])
    #expect(try Presentation(ladder).lists[0].segments.map(\.bytes) == [182_000, 182_000, 182_000])
  }

  @Test func `a rung of sound alone plays a separate sound`() throws {
    let ladder = LadderDescription(
      rungs: [
        LadderRung(resolution: nil, bitRate: 64_000, codecs: ["mp4a.40.5"]),
        LadderRung(resolution: PixelSize(width: 4, height: 2), bitRate: 500_000),
      ],
      audio: [
        LadderAudio(group: "low", name: "a", bitRate: 64_000, codec: "mp4a.40.5"),
        LadderAudio(group: "high", name: "b", bitRate: 256_000),
      ],
      subtitles: [LadderSubtitles(name: "t")], segmentDuration: .seconds(6),
      duration: .seconds(12))
    let media = #",NAME="a",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio-0/playlist.m3u8""#
    let other = #",NAME="b",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio-1/playlist.m3u8""#
    let lines = try lines(ladder)
    #expect(
      lines == header + [
        #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low""# + media,
        #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high""# + other,
        #"#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="t",AUTOSELECT=YES,"#
          + #"URI="subtitles-0/playlist.m3u8""#,
        #"#EXT-X-STREAM-INF:BANDWIDTH=64000,AVERAGE-BANDWIDTH=64000,CODECS="mp4a.40.5","#
          + #"AUDIO="low",SUBTITLES="subtitles""#,
        "audio-0/playlist.m3u8",
        #"#EXT-X-STREAM-INF:BANDWIDTH=564000,AVERAGE-BANDWIDTH=564000,"#
          + #"CODECS="mp4a.40.5",RESOLUTION=4x2,AUDIO="low",SUBTITLES="subtitles""#,
        "video-1/playlist.m3u8",
        #"#EXT-X-STREAM-INF:BANDWIDTH=756000,AVERAGE-BANDWIDTH=756000,"#
          + #"CODECS="mp4a.40.2",RESOLUTION=4x2,AUDIO="high",SUBTITLES="subtitles""#,
        "video-1/playlist.m3u8",
      ])
  }

  @Test(
    arguments: [
      (1_499, 1), (1_500, 2), (6_000, 6), (6_499, 6), (6_500, 7), (400, 1), (499, 1),
    ] as [(Int64, Int64)])
  func `a target duration is the duration of a segment, rounded to a second`(
    milliseconds: Int64, target: Int64
  ) throws {
    let made = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 8_000)],
        segmentDuration: .milliseconds(milliseconds), duration: .seconds(30)))
    #expect(made.lists[0].targetDuration == .seconds(target))
  }

  @Test(
    arguments: [
      (1_000_000_000, "1"), (1, "0.000000001"), (-1_500_000_000, "-1.5"), (0, "0"),
      (-10_000_000, "-0.01"), (29_970_000_000, "29.97"), (100_050_000_000, "100.05"),
    ] as [(Int64, String)])
  func `a start is written without zeros at its end`(nanoseconds: Int64, text: String) throws {
    var made = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 8_000)], segmentDuration: .seconds(6),
        duration: .seconds(30)))
    made.start = StartPoint(offset: MediaTime(nanoseconds: nanoseconds))
    #expect(made.multivariantText().contains("#EXT-X-START:TIME-OFFSET=\(text)\n"))
    made.start?.isPrecise = true
    #expect(made.multivariantText().contains("#EXT-X-START:TIME-OFFSET=\(text),PRECISE=YES\n"))
  }
}
