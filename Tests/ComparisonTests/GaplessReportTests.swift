import ExactText
import RunReports
import StreamingMedia
import Testing

/// The report on the sound between two streams whose playlists differ in one trait.
@Suite struct GaplessReportTests {
  private static let codecs = #"CODECS="avc1.64001f,mp4a.40.2",AUDIO="s""#

  private func side(
    _ file: String, sampleRate: Int, _ variants: [String], isRead: Bool
  ) throws -> PlaylistSide {
    let text =
      #"#EXTM3U\#n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="S",CHANNELS="2","#
      + "SAMPLE-RATE=\(sampleRate),BIT-DEPTH=16,URI=\"sound.m3u8\"\n"
      + variants.enumerated().map { "#EXT-X-STREAM-INF:\($1),\(Self.codecs)\nv\($0).m3u8\n" }
      .joined()
    let read = try Playlist.read(Array(text.utf8)).playlist
    let playlist = try #require(read.multivariant)
    let uris = playlist.mediaPlaylists(from: "")
    let media = Dictionary(uniqueKeysWithValues: uris.map { ($0, MediaPlaylist()) })
    return PlaylistSide(file: file, playlist, media: isRead ? media : [:], base: "")
  }

  private func report(
    _ strictness: GaplessStrictness, following: Int, isRead: Bool = true
  ) throws -> GaplessReport {
    let rates = ["BANDWIDTH=1000000", "BANDWIDTH=2500000", "BANDWIDTH=9000000"]
    return GaplessReport(
      try side(
        "a", sampleRate: 48_000, ["BANDWIDTH=2000000,RESOLUTION=1280x720"], isRead: isRead),
      try side("b", sampleRate: 44_100, Array(rates.prefix(following)), isRead: isRead),
      strictness: strictness)
  }

  @Test(
    arguments: [
      (1, 3, "1 Mbit/s", ""), (2, 5, "2.5 Mbit/s", ", or with 1 other"),
      (3, 5, "2.5 Mbit/s", ", or with 2 others"),
    ] as [(Int, Int, String, String)])
  func `what may inhibit it does no harm where that is taken so`(
    following: Int, line: Int, rate: String, others: String
  ) throws {
    let report = try report(.lenient, following: following)
    #expect(report.verdict == "always")
    #expect(
      report.text(style: .plain) == """
        a, then b: gapless from 1 of 1 variant
        a:3: 1280x720, 2 Mbit/s: goes on with b:\(line) (\(rate))\(others)
          sample rate: 48000 (a:2), then 44100 (b:2): may inhibit it

        """)
    #expect(report.document.json.contains(#""gapless":true,"continuesWith":{"line":\#(line),"#))
    #expect(report.document.json.contains(#""prevents":false"#))
  }

  @Test func `what may inhibit it prevents it where that is taken so`() throws {
    let report = try report(.strict, following: 2, isRead: false)
    let note =
      "cannot be read here: FairPlay is judged by what is announced with EXT-X-SESSION-KEY"
    #expect(report.verdict == "never")
    #expect(
      report.text(style: .plain) == """
        a, then b: gapless from 0 of 1 variant
        a:3: 1280x720, 2 Mbit/s: no variant of b matches
          sample rate: 48000 (a:2), then 44100 (b:2): prevents it
        note: 2 media playlists of a \(note)
        note: 3 media playlists of b \(note)

        """)
    let sound =
      #""fairPlay":false,"codec":"mp4a.40.2","channels":2,"sampleRate":48000,"bitDepth":16"#
    #expect(
      report.document.json.hasSuffix(
        #""variants":[{"line":3,"uri":"v0.m3u8","resolution":"1280x720","bandwidth":2000000,"#
          + #""audio":{\#(sound)},"gapless":false,"continuesWith":null,"matchingLines":[],"#
          + #""reasons":[{"trait":"sampleRate","prevents":true,"first":{"value":"48000","line":2},"#
          + #""second":{"value":"44100","line":2}}]}]}"#))
  }
}

extension Playlist {
  fileprivate var multivariant: MultivariantPlaylist? {
    if case .multivariant(let playlist) = self { playlist } else { nil }
  }
}
