import StreamingMedia
import Testing
import VirtualTime

@Suite struct PresentationTests {
  /// A media playlist with three segments of ten seconds; `tags` stand before each of them.
  private func media(_ tags: String = "", count: Int = 3) throws -> LoadedPlaylist {
    var text = "#EXT-X-TARGETDURATION:10\n"
    for index in 0..<count { text += "\(tags)#EXTINF:10,\n\(index).m4s\n" }
    guard case .media(let media) = try playlist(text + "#EXT-X-ENDLIST\n").playlist else {
      throw FixtureMismatch()
    }
    return LoadedPlaylist(media, bytes: Int64(text.utf8.count))
  }

  private func multivariant(_ text: String) throws -> MultivariantPlaylist {
    guard case .multivariant(let main) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    return main
  }

  private func sizes(
    _ variant: String, _ media: LoadedPlaylist
  ) throws -> (bytes: [Int64], source: SizeSource?) {
    let main = try multivariant("#EXT-X-STREAM-INF:\(variant)\nv.m3u8\n")
    let made = try Presentation(main, uri: "a/main.m3u8", bytes: 1, media: ["a/v.m3u8": media])
    let sources = Set(made.lists[0].segments.map(\.sizeSource)).subtracting([.gap])
    #expect(sources.count <= 1)
    return (made.lists[0].segments.map(\.bytes), sources.first)
  }

  @Test func `a playlist of which nothing else is known has two megabits a second`() throws {
    let made = try Presentation(media().playlist, uri: "v.m3u8", bytes: 1)
    // 2,000,000 bit/s for ten seconds are 2,500,000 bytes.
    #expect(made.lists[0].segments.map(\.bytes) == [2_500_000, 2_500_000, 2_500_000])
    #expect(made.lists[0].segments.map(\.sizeSource) == [.assumed, .assumed, .assumed])
    #expect(made.variants[0].attributes.averageBandwidth == 2_000_000)
    #expect(made.variants[0].attributes.bandwidth == 2_000_000)
    #expect(made.variants[0].attributes.uri == "v.m3u8")
  }

  @Test func `sizes come from ranges, then bit rates, then the average, then the peak`() throws {
    let rates = "BANDWIDTH=4000000,AVERAGE-BANDWIDTH=3200000"
    let ranges = try sizes(rates, media("#EXT-X-BITRATE:800\n#EXT-X-BYTERANGE:77@5\n"))
    #expect(ranges == ([77, 77, 77], .exact))
    let tagged = try sizes(rates, media("#EXT-X-BITRATE:800\n"))
    #expect(tagged == ([1_000_000, 1_000_000, 1_000_000], .segmentBitRate))
    let average = try sizes(rates, media())
    #expect(average == ([4_000_000, 4_000_000, 4_000_000], .averageBandwidth))
    let peak = try sizes("BANDWIDTH=4000000", media())
    #expect(peak == ([5_000_000, 5_000_000, 5_000_000], .peakBandwidth))
    let gap = try sizes(rates, media("#EXT-X-GAP\n"))
    #expect(gap == ([0, 0, 0], nil))
  }

  @Test func `an initialization section without a range has a thousand bytes`() throws {
    let made = try ["", ",BYTERANGE=\"77@5\""].map { range in
      try Presentation(
        media("#EXT-X-MAP:URI=\"i.mp4\"\(range)\n", count: 1).playlist, uri: "v.m3u8", bytes: 1)
    }
    #expect(made.map { $0.lists[0].maps.map(\.bytes) } == [[1_000], [77]])
  }

  @Test func `a rate that is not whole bytes loses less than one over all segments`() throws {
    let odd = try sizes("BANDWIDTH=1000001", media(count: 7))
    let whole: Int64 = 1_000_001 * 70 / 8
    #expect(odd.bytes.reduce(0, +) == whole)
    #expect(Set(odd.bytes) == [1_250_001, 1_250_002])
  }

  @Test func `what separate audio takes is not the variant's`() throws {
    let main = try multivariant(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",DEFAULT=YES,CHANNELS="6",URI="en.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1600000,AUDIO="a"
      v.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=80000,CODECS="mp4a.40.2"
      only.m3u8
      """)
    let media = try ["v.m3u8": media(), "en.m3u8": media(), "only.m3u8": media()]
    let made = try Presentation(main, uri: "main.m3u8", bytes: 300, media: media)
    let audio = try #require(made.rendition(of: .audio, for: 0))
    let list = try #require(made.renditions[audio].list)
    #expect(made.lists[list].averageBitRate == 384_000)
    #expect(made.lists[list].segments.allSatisfy { $0.sizeSource == .assumed })
    #expect(made.lists[made.variants[0].list].averageBitRate == 1_216_000)
    #expect(made.lists[made.variants[1].list].averageBitRate == 80_000)
    #expect(made.variants.map(\.attributes.isAudioOnly) == [false, true])
    #expect(made.rendition(of: .audio, for: 1) == nil)
  }

  @Test(arguments: [
    ("AUDIO", "", 128_000), ("AUDIO", ",CHANNELS=\"2\"", 128_000),
    ("AUDIO", ",CHANNELS=\"3/JOC\"", 384_000), ("SUBTITLES", "", 1_000),
    ("VIDEO", "", 2_000_000),
  ])
  func `a rendition of which nothing is said has the rate of its kind`(
    type: String, channels: String, bitRate: Int64
  ) throws {
    let main = try multivariant(
      """
      #EXT-X-MEDIA:TYPE=\(type),GROUP-ID="a",NAME="en",DEFAULT=YES,URI="en.m3u8"\(channels)
      #EXT-X-STREAM-INF:BANDWIDTH=9600000,\(type)="a"
      v.m3u8
      """)
    let media = try ["v.m3u8": media(), "en.m3u8": media()]
    let made = try Presentation(main, uri: "main.m3u8", bytes: 300, media: media)
    let list = try #require(made.renditions[0].list)
    // Three segments of ten seconds.
    #expect(made.lists[list].segments.reduce(0) { $0 + $1.bytes } == bitRate * 30 / 8)
  }

  @Test func `audio that is a variant as well is loaded once`() throws {
    let main = try multivariant(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="only.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="muxed",DEFAULT=YES
      #EXT-X-STREAM-INF:BANDWIDTH=80000,CODECS="mp4a.40.2",AUDIO="a"
      only.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO="a"
      v.m3u8
      """)
    let media = try ["v.m3u8": media(), "only.m3u8": media()]
    let made = try Presentation(main, uri: "main.m3u8", bytes: 300, media: media)
    #expect(made.lists.count == 2)
    #expect(made.renditions.map(\.list) == [0, nil])
    #expect(made.lists.map(\.averageBitRate) == [80_000, 900_000])
  }

  @Test func `a variant of sound alone is played by a rendition of its group`() throws {
    let main = try multivariant(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="fr",LANGUAGE="fr",URI="fr.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="in the variants",DEFAULT=YES
      #EXT-X-STREAM-INF:BANDWIDTH=80000,CODECS="mp4a.40.2",AUDIO="a"
      en.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=90000,CODECS="mp4a.40.2",AUDIO="a"
      own.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=80000,CODECS="mp4a.40.2",AUDIO="b"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=80000,CODECS="mp4a.40.2"
      alone.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
      v.m3u8
      """)
    let names = ["en", "fr", "own", "low", "alone", "v"].map { $0 + ".m3u8" }
    let media = try Dictionary(uniqueKeysWithValues: names.map { ($0, try self.media()) })
    let made = try Presentation(main, uri: "main.m3u8", bytes: 300, media: media)
    func uri(_ variant: Int, _ language: String? = nil) -> String? {
      made.soundAlone(of: variant, language: language).map { made.lists[$0].uri }
    }
    #expect((0..<5).map { uri($0) } == ["en.m3u8", "en.m3u8", nil, nil, nil])
    #expect((0..<5).map { uri($0, "fr") } == ["fr.m3u8", "fr.m3u8", nil, nil, nil])
    #expect(made.lists[made.variants[1].list].averageBitRate == 90_000)
  }

  @Test func `playlists that are missing are all named`() throws {
    let main = try PlaylistFixture.multivariantSeparateAudio.multivariant()
    #expect(
      throws: PresentationFault.missingPlaylists([
        "https://h/f/video/540.m3u8", "https://h/f/video/1080.m3u8",
        "https://h/f/audio/en-stereo.m3u8", "https://h/f/audio/fr-stereo.m3u8",
        "https://h/f/audio/en-surround.m3u8", "https://h/f/text/de.m3u8",
      ])
    ) {
      try Presentation(main, uri: "https://h/f/main.m3u8", bytes: 1, media: [:])
    }
  }

  @Test func `keys are written where they change, and a map has the key that stands before it`()
    throws
  {
    let (key, none) = (#"#EXT-X-KEY:METHOD=AES-128,URI="k""#, "#EXT-X-KEY:METHOD=NONE")
    let (first, second) = (#"#EXT-X-MAP:URI="a.mp4""#, #"#EXT-X-MAP:URI="b.mp4""#)
    let segments = (0..<6).map { "#EXTINF:4,\n\($0).m4s" }
    let text =
      ["#EXT-X-TARGETDURATION:4", first, segments[0], key, segments[1], second, segments[2]]
      + [segments[3], none, segments[4], segments[5], "#EXT-X-ENDLIST"]
    guard case .media(let media) = try playlist(text.joined(separator: "\n")).playlist else {
      throw FixtureMismatch()
    }
    let list = Presentation(media, uri: "m.m3u8", bytes: 1).lists[0]
    #expect(list.segments.map(\.key) == [nil, 0, 0, 0, nil, nil])
    let tags = list.text().split(separator: "\n").map { String($0) }
      .filter { $0.hasPrefix("#EXT-X-KEY") || $0.hasPrefix("#EXT-X-MAP") }
    #expect(tags == [first, key, second, none])
  }

  @Test func `an average is all bits over the whole duration`() {
    var list = SegmentList(
      uri: "", segments: [], naming: .listed([]), targetDuration: .seconds(4))
    #expect(list.averageBitRate == nil)
    list.segments = [
      MediaSegment(start: .zero, duration: .seconds(4), bytes: 3_000_000_000),
      MediaSegment(start: .seconds(4), duration: .seconds(4), bytes: 5_000_000_000),
    ]
    #expect(list.averageBitRate == 8_000_000_000 && list.bytes == 8_000_000_000)
    list.segments[1].bytes = 5_000_000_001
    #expect(list.averageBitRate == 8_000_000_001)
  }

  @Test func `the key that is fetched is FairPlay's where it is offered`() throws {
    let media = try PlaylistFixture.encryptedRotating.media()
    let list = Presentation(media, uri: "m.m3u8", bytes: 1).lists[0]
    let keys = list.segments.map { segment in segment.key.map { list.keys[$0].uri } }
    #expect(
      keys == ["https://keys.example.com/52", "https://keys.example.com/52", "skd://53", nil, nil])
    #expect(!list.isComplete)
  }

  @Test func `a rendition is chosen by language, then by default`() throws {
    let main = try PlaylistFixture.multivariantSeparateAudio.multivariant()
    let uri = "main.m3u8"
    let loaded = try media()
    let media = Dictionary(
      uniqueKeysWithValues: main.mediaPlaylists(from: uri).map { ($0, loaded) })
    let made = try Presentation(main, uri: uri, bytes: 1, media: media)
    #expect(made.rendition(of: .audio, for: 0) == 0)
    #expect(made.rendition(of: .audio, for: 0, language: "fr") == 1)
    #expect(made.rendition(of: .audio, for: 0, language: "it") == 0)
    #expect(made.rendition(of: .audio, for: 1) == 2)
    #expect(made.rendition(of: .subtitles, for: 0) == nil)
    #expect(made.rendition(of: .subtitles, for: 0, language: "de") == 3)
  }
}

@Suite struct SegmentIndexTests {
  @Test func `the segment of every time is the one that holds it`() {
    var stream = RandomStream(seed: 1, name: "index")
    for _ in 0..<200 {
      let list = randomList(&stream)
      for _ in 0..<20 {
        let time = MediaTime(nanoseconds: stream.next(in: -2...list.duration.nanoseconds + 2))
        let expected = list.segments.firstIndex { $0.start <= time && time < $0.end }
        #expect(list.index(at: time) == expected)
        let next = list.segments.firstIndex { $0.start >= time }
        #expect(list.firstIndex(startingAtOrAfter: time) == next)
      }
    }
  }

  private func randomList(_ stream: inout RandomStream) -> SegmentList {
    var segments: [MediaSegment] = []
    var start = MediaTime.zero
    for _ in 0..<stream.next(below: 12) {
      let segment = MediaSegment(
        start: start, duration: MediaTime(nanoseconds: stream.next(in: 0...5)), bytes: 1)
      segments.append(segment)
      start = segment.end
    }
    return SegmentList(
      uri: "", segments: segments, naming: .listed([]), targetDuration: .seconds(1))
  }

  @Test func `a segment is small`() {
    #expect(MemoryLayout<MediaSegment>.stride <= 40)
  }

  @Test func `a playlist without segments needs no bit rate`() throws {
    let text = Array("#EXTM3U\n#EXT-X-TARGETDURATION:10\n".utf8)
    guard case .media(let playlist) = try Playlist.read(text).playlist else {
      throw FixtureMismatch()
    }
    let presentation = Presentation(playlist, uri: "a.m3u8", bytes: Int64(text.count))
    #expect(presentation.variants.map { $0.attributes.bandwidth } == [0])
    #expect(presentation.duration == .zero)
  }
}
