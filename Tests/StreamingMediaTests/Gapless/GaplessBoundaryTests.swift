import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// Whether the sound goes on from one stream to the next (WWDC21 10142).
@Suite struct GaplessBoundaryTests {
  /// Two picture sizes, each with two sounds: the example of the talk.
  static func example(withoutHEAAC: Bool = false, key: EncryptionKey? = nil) -> String {
    var text = "#EXTM3U\n"
    if let key { text += "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"\(key.uri)\"\n" }
    for (group, channels) in [("he", 2), ("lc", 2)] where !(withoutHEAAC && group == "he") {
      text += #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="\#(group)",NAME="Stereo",DEFAULT=YES,"#
      text += #"AUTOSELECT=YES,CHANNELS="\#(channels)",URI="\#(group).m3u8""# + "\n"
    }
    for (size, rate) in [("1280x720", 3_000_000), ("1920x1080", 6_000_000)] {
      for (group, codec) in [("he", "mp4a.40.5"), ("lc", "mp4a.40.2")]
      where !(withoutHEAAC && group == "he") {
        text += "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),RESOLUTION=\(size),"
        text += #"CODECS="avc1.64001f,\#(codec)",AUDIO="\#(group)""# + "\n\(size)-\(group).m3u8\n"
      }
    }
    return text
  }

  static func side(_ text: String, _ name: String = "a.m3u8") throws -> PlaylistSide {
    guard case .multivariant(let playlist) = try Playlist.read(Array(text.utf8)).playlist else {
      throw FixtureMismatch()
    }
    return PlaylistSide(file: name, playlist, base: name)
  }

  static func boundary(
    _ first: String, _ second: String, _ strictness: GaplessStrictness = .strict
  ) throws -> GaplessBoundary {
    GaplessBoundary(
      from: try side(first).presentation, to: try side(second).presentation,
      strictness: strictness)
  }

  @Test func `each variant goes on with the one that is encoded like it`() throws {
    let boundary = try Self.boundary(Self.example(), Self.example())
    #expect(boundary.departures.map { $0.continuation } == [0, 1, 2, 3])
    #expect(boundary.departures.map { $0.matches } == [[0, 2], [1, 3], [0, 2], [1, 3]])
  }

  @Test func `a trait is told with the line of the tag that declares it`() throws {
    let keys = [
      "METHOD=AES-128,URI=\"k\"",
      "METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
    ].map { "#EXT-X-SESSION-KEY:\($0)\n" }
    let text = "#EXTM3U\n" + keys.joined() + Self.example().dropFirst("#EXTM3U\n".count)
    let side = try Self.side(text)
    #expect(side.line(of: .fairPlay, 0) == 3)
    #expect(side.line(of: .channels, 0) == 4 && side.line(of: .channels, 1) == 5)
    #expect(side.line(of: .codec, 0) == 6 && side.line(of: .codec, 3) == 12)
  }

  @Test func `a sound that the next stream does not have is not followed`() throws {
    let boundary = try Self.boundary(Self.example(), Self.example(withoutHEAAC: true))
    #expect(boundary.departures.count { !$0.matches.isEmpty } == 2)
    #expect(boundary.departures.map { $0.continuation } == [nil, 0, nil, 1])
    #expect(boundary.departures[0].differences == [.codec])
  }

  struct Change: CustomTestStringConvertible {
    var trait: AudioTrait
    var from: String
    var to: String
    var testDescription: String { "\(trait)" }
  }

  static let base = """
    #EXTM3U
    #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="https://keys.example/1",KEYFORMAT="identity"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="",CHANNELS="2",SAMPLE-RATE=48000,BIT-DEPTH=16,URI="x"
    #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
    v.m3u8

    """

  static let changes = [
    Change(trait: .fairPlay, from: "identity", to: "com.apple.streamingkeydelivery"),
    Change(trait: .fairPlay, from: "https://keys.example", to: "skd://keys.example"),
    Change(trait: .codec, from: "mp4a.40.2", to: "mp4a.40.5"),
    Change(trait: .channels, from: "CHANNELS=\"2\"", to: "CHANNELS=\"6\""),
    Change(trait: .sampleRate, from: "48000", to: "44100"),
    Change(trait: .bitDepth, from: "BIT-DEPTH=16", to: "BIT-DEPTH=24"),
    // What one side alone declares is taken for different.
    Change(trait: .bitDepth, from: ",BIT-DEPTH=16", to: ""),
    Change(trait: .channels, from: ",CHANNELS=\"2\"", to: ""),
  ]

  @Test(arguments: changes)
  func `each trait alone makes the difference`(_ change: Change) throws {
    let other = Self.base.replacing(change.from, with: change.to)
    #expect(other != Self.base)
    for (first, second) in [(Self.base, other), (other, Self.base)] {
      let strict = try Self.boundary(first, second).departures[0]
      #expect(strict.matches.isEmpty)
      #expect(strict.differences == [change.trait])
      let lenient = try Self.boundary(first, second, .lenient).departures[0]
      #expect(lenient.matches.isEmpty == !change.trait.mayInhibitOnly)
      #expect(lenient.differences == [change.trait])
    }
    #expect(try Self.boundary(other, other).departures.allSatisfy { !$0.matches.isEmpty })
  }

  @Test func `what is not of the sound makes none`() throws {
    let other = Self.base.replacing("avc1.64001f", with: "hvc1.2.4.L93")
      .replacing("1000000", with: "9000000")
    #expect(try Self.boundary(Self.base, other).departures.allSatisfy { !$0.matches.isEmpty })
  }

  @Test func `a key in the sound's own playlist counts`() throws {
    let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://1\"\n"
    func media(_ key: String) throws -> MediaPlaylist {
      let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(key)#EXTINF:6,\na.mp4\n#EXT-X-ENDLIST\n"
      guard case .media(let playlist) = try Playlist.read(Array(text.utf8)).playlist else {
        throw FixtureMismatch()
      }
      return playlist
    }
    guard case .multivariant(let playlist) = try Playlist.read(Array(Self.base.utf8)).playlist
    else { throw FixtureMismatch() }
    let sides = try [key, ""].map { key in
      PlaylistSide(
        file: "a.m3u8", playlist, media: ["x": try media(key), "v.m3u8": try media("")],
        base: "")
    }
    #expect(sides.allSatisfy { $0.missing.isEmpty })
    let boundary = GaplessBoundary(from: sides[0].presentation, to: sides[1].presentation)
    #expect(boundary.departures[0].differences == [.fairPlay])
  }

  /// Streams made by ladders and written as playlists: what the ladders say of their sound is
  /// compared without either.
  @Test func `pairs of streams agree with what they were made of`() throws {
    var random = RandomStream(seed: 12, name: "gapless")
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int(random.next(below: UInt64(values.count)))]
    }
    func sound(_ group: Int) -> LadderAudio {
      LadderAudio(
        group: "g\(group)", name: "n", bitRate: 64_000, codec: pick(["mp4a.40.2", "ac-3"]),
        channels: pick([2, 6]), sampleRate: pick([nil, 44_100, 48_000]),
        bitDepth: pick([nil, 16]))
    }
    func isSame(_ a: LadderAudio, _ b: LadderAudio) -> Bool {
      a.codec == b.codec && a.channels == b.channels && a.sampleRate == b.sampleRate
        && a.bitDepth == b.bitDepth
    }
    var matching = 0
    let count = Seeds.count(150, inRelease: 1_000)
    for _ in 0..<count {
      let sounds = (0..<2).map { _ in (0..<2).map(sound) }
      let sides = try sounds.map { sounds in
        let ladder = LadderDescription(
          rungs: [LadderRung(resolution: nil, bitRate: 500_000, codecs: ["avc1.42c00d"])],
          audio: sounds, segmentDuration: .seconds(6), duration: .seconds(12))
        return try Self.side(try Presentation(ladder).multivariantText())
      }
      let boundary = GaplessBoundary(from: sides[0].presentation, to: sides[1].presentation)
      for (index, departure) in boundary.departures.enumerated() {
        let expected = sounds[1].indices.filter { isSame(sounds[0][index], sounds[1][$0]) }
        #expect(departure.matches == expected)
        matching += expected.count
      }
    }
    #expect(matching * 10 > count)
  }
}

/// The frames that an encoder adds, and the silence that they are (CMAF, WWDC21 10142).
@Suite struct EncoderPaddingTests {
  @Test func `without an edit list remainder and priming are heard`() {
    let plain = EncoderPadding(
      priming: 2_112, remainder: 480, sampleRate: 48_000, hasEditList: false)
    #expect(plain.leadIn == .milliseconds(44))
    #expect(plain.leadOut == .milliseconds(10))
    var edited = plain
    edited.hasEditList = true
    #expect(EncoderPadding.silence(between: plain, and: plain) == .milliseconds(54))
    #expect(EncoderPadding.silence(between: edited, and: plain) == .milliseconds(44))
    #expect(EncoderPadding.silence(between: plain, and: edited) == .milliseconds(10))
    #expect(EncoderPadding.silence(between: edited, and: edited) == .zero)
    #expect(EncoderPadding.silence(between: nil, and: plain) == .milliseconds(44))
  }
}
