import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// Playlists that seeds damage, and ladders that they make up, held to what was read or written of
/// them when they were last reviewed.
@Suite struct MadeUpPlaylistTests {
  private static let playlists = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/playlists", seeds: 1_500)
  private static let ladders = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/ladders", seeds: 300)

  // MARK: Reading

  private static let tokens = [
    "9223372036854775807", "-1", "0", "7", ".5", "\"", ",", "=", "@", "\n", "{$token}", "YES", "NO",
    "#EXT-X-ENDLIST\n", "#EXTINF:4,\nb.ts\n", "#EXT-X-BYTERANGE:100@7\n", "#EXT-X-BITRATE:900\n",
    "#EXT-X-DISCONTINUITY\n", "#EXT-X-GAP\n", "#EXT-X-TARGETDURATION:3\n", "#EXT-X-VERSION:4\n",
    "#EXT-X-MEDIA-SEQUENCE:9\n", "#EXT-X-START:TIME-OFFSET=-9\n", "#EXT-X-PLAYLIST-TYPE:EVENT\n",
    "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"9@0\"\n", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n",
    "#EXT-X-PART-INF:PART-TARGET=1\n", "#EXT-X-PART:DURATION=1,URI=\"p\",INDEPENDENT=YES\n",
    "#EXT-X-PROGRAM-DATE-TIME:2026-02-28T23:59:59.5Z\n", "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n",
    "#EXT-X-STREAM-INF:BANDWIDTH=900,AVERAGE-BANDWIDTH=800,CODECS=\"mp4a.40.2\"\nv.m3u8\n",
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"a.m3u8\",CHANNELS=\"2\"\n",
  ]

  private static func text(_ draw: inout Draw) -> [UInt8] {
    var text = draw.one(of: PlaylistFixture.all).bytes
    for _ in 0..<draw.below(4) where !text.isEmpty {
      let starts = [0] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
      let line = draw.one(of: starts)
      let place = draw.below(text.count)
      switch draw.below(5) {
      case 0: text.insert(contentsOf: draw.one(of: tokens).utf8, at: place)
      case 1, 2: text.insert(contentsOf: draw.one(of: tokens).utf8, at: line)
      case 3: text[place] = UInt8(0x30 + draw.below(10))
      default: text.removeSubrange(place..<min(text.count, place + 1 + draw.below(12)))
      }
    }
    return text
  }

  private static func line(ofPlaylist seed: Int) -> String {
    var draw = Draw(seed: UInt64(seed), part: "playlist")
    let text = text(&draw)
    let context = PlaylistContext(
      uri: "https://example.com/main.m3u8?session=1",
      imports: [PlaylistVariable(name: "token", value: "1")])
    var print = Fingerprint()
    do throws(PlaylistRefusal) {
      let reading = try Playlist.read(text, in: context)
      for remark in reading.remarks { print.add("\(remark.place) \(remark.message)") }
      print.add("\(reading.playlist)")
      add(reading.playlist, size: Int64(text.count), to: &print)
      return "read " + print.text
    } catch {
      for fault in error.faults { print.add("\(fault.place) \(fault.message)") }
      return "refused " + print.text
    }
  }

  private static func add(_ playlist: Playlist, size: Int64, to print: inout Fingerprint) {
    switch playlist {
    case .media(let playlist):
      let made = Presentation(playlist, uri: "a.m3u8", bytes: size)
      add(made, to: &print)
    case .multivariant(let playlist):
      let uris = playlist.mediaPlaylists(from: "https://example.com/main.m3u8")
      print.add(uris.joined(separator: " "))
      let media = Dictionary(
        uniqueKeysWithValues: uris.enumerated().map {
          ($0.element, LoadedPlaylist(MediaPlaylist(), bytes: Int64($0.offset)))
        })
      let made = try? Presentation(
        playlist, uri: "https://example.com/main.m3u8", bytes: size, media: media)
      if let made { add(made, to: &print) }
    }
  }

  /// All that is said of a presentation, and its playlists as they would be written.
  private static func add(_ presentation: Presentation, to print: inout Fingerprint) {
    print.add(presentation.multivariantText())
    print.add("\(presentation.isLive) \(presentation.duration)")
    if let report = presentation.sizeReport { print.add("\(report)") }
    for list in presentation.lists {
      print.add(list.text())
      print.add("\(list.bytes) \(list.duration) \(list.targetDuration) \(list.writtenBytes)")
      print.add("\(list.averageBitRate as Int64?) \(list.peakBitRate as Int64?)")
      for (index, segment) in list.segments.enumerated().prefix(40) {
        print.add("\(segment.start) \(segment.duration) \(segment.bytes) \(segment.sizeSource)")
        print.add(
          "\(list.uri(of: index)) \(segment.map as Int?) \(segment.key as Int?) \(segment.isGap)")
        if list.hasParts {
          for part in 0..<list.partCount(of: index) { print.add("\(list.part(part, of: index))") }
        }
      }
      let window = LiveWindow(segments: 0..<list.segments.count / 2, isEnded: false)
      print.add(list.liveText(window))
    }
    for (place, verdict) in presentation.verdicts(
      under: VariantConstraints(preferredPeakBitRate: 1_000_000)
    ).enumerated() {
      print.add("\(verdict) \(presentation.audioTraits(of: place))")
    }
  }

  @Test func `a damaged playlist is read, or refused, as it was`() async throws {
    let lines = await Self.playlists.lines(few: 200) { Self.line(ofPlaylist: $0) }
    #expect(try Self.playlists.differences(from: lines) == [])
    let read = lines.count { $0.contains(" read ") }
    #expect(read * 5 > lines.count && read * 20 < lines.count * 19)
  }

  // MARK: Ladders

  private static func ladder(_ draw: inout Draw) -> LadderDescription {
    let ladders: [NamedLadder] = [.talk, .appleH264, .appleHEVC, .tree]
    let named = draw.one(of: ladders)
    var description = named.description(duration: .milliseconds(Int64(draw.within(900...90_000))))
    if draw.chance(60) {
      description.segmentDuration = .milliseconds(Int64(draw.within(500...9_000)))
    }
    if draw.chance(50) {
      description.sizes = .variable(
        seed: draw.next(), peakPercent: Int64(draw.within(99...300)))
    }
    if draw.chance(50) {
      description.audio = ["en", "fr"].map {
        LadderAudio(name: $0, language: $0, bitRate: Int64(draw.within(32_000...200_000)))
      }
    }
    if draw.chance(30) {
      description.partDuration = .milliseconds(Int64(draw.within(5...2_000)))
    }
    if draw.chance(20) {
      description.rungs = description.rungs.map { rung in
        var rung = rung
        rung.bitRate = Int64(draw.magnitude(0...9_000_000))
        if draw.chance(30) { rung.videoRange = .perceptualQuantiser }
        if draw.chance(10) { rung.segmentBytes = [1_000, 2_000, 30] }
        return rung
      }
    }
    return description
  }

  private static func line(ofLadder seed: Int) -> String {
    var draw = Draw(seed: UInt64(seed), part: "ladder")
    var print = Fingerprint()
    do throws(LadderFault) {
      let presentation = try Presentation(ladder(&draw))
      add(presentation, to: &print)
      let constraints = VariantConstraints(
        preferredPeakBitRate: Int64(draw.magnitude(0...9_000_000)))
      for verdict in presentation.verdicts(under: constraints) { print.add("\(verdict)") }
      let other = presentation.sortedFromHighest()
      let boundary = GaplessBoundary(from: presentation, to: other, strictness: .strict)
      print.add("\(boundary)")
      return "made " + print.text
    } catch {
      return error.message
    }
  }

  @Test func `a made-up ladder has the playlists and sizes that it had`() async throws {
    let lines = await Self.ladders.lines(few: 40) { Self.line(ofLadder: $0) }
    #expect(try Self.ladders.differences(from: lines) == [])
    #expect(lines.count { $0.contains(" made ") } * 2 > lines.count)
  }
}
