import Foundation
import StreamingMedia
import TestSupport
import Testing
import VirtualTime

/// Broken playlists by the thousand: each is read or refused, and none takes long.
///
/// `GOLDILOCKS_MUTANTS` sets how many; a debug build makes do with some hundreds.
@Suite struct PlaylistMutationTests {
  static let count =
    ProcessInfo.processInfo.environment["GOLDILOCKS_MUTANTS"].flatMap { Int($0) }
    ?? Seeds.count(500, inRelease: 10_000)

  @Test func `no mutant of a playlist crashes or hangs its reader`() throws {
    var random = RandomStream(seed: 4, name: "mutants")
    let originals = PlaylistFixture.all.map(\.bytes)
    var (read, refused, longest) = (0, 0, Duration.zero)
    let clock = ContinuousClock()
    for index in 0..<Self.count {
      var mutant = originals[index % originals.count]
      for _ in 0...random.next(below: 4) { mutate(&mutant, with: originals, &random) }
      let took = clock.measure {
        if isRead(mutant) { read += 1 } else { refused += 1 }
      }
      longest = max(longest, took)
    }
    #expect(read > 0 && refused > 0, "mutants that all fare alike show nothing")
    #expect(longest < .seconds(1), "the slowest of \(Self.count) took \(longest)")
  }

  private func isRead(_ mutant: [UInt8]) -> Bool {
    let context = PlaylistContext(
      uri: "https://example.com/main.m3u8?session=1",
      imports: [PlaylistVariable(name: "token", value: "1")])
    do {
      stream(through: try Playlist.read(mutant, in: context), size: mutant.count)
      return true
    } catch {
      #expect(!error.faults.isEmpty)
      return false
    }
  }

  /// Goes on with what was read: a value that reading lets through must not trap later.
  private func stream(through reading: PlaylistReading, size: Int) {
    switch reading.playlist {
    case .media(let playlist):
      let made = Presentation(playlist, uri: "a.m3u8", bytes: Int64(size))
      let list = made.lists[0]
      #expect(list.segments.count == playlist.segments.count)
      #expect(list.bytes >= 0)
      _ = list.index(at: MediaTime(nanoseconds: list.duration.nanoseconds / 2))
      _ = list.text()
      _ = list.liveText(LiveWindow(segments: 1..<4))
    case .multivariant(let playlist):
      let loaded = LoadedPlaylist(MediaPlaylist(), bytes: 1)
      let uris = playlist.mediaPlaylists(from: "https://example.com/main.m3u8")
      let media = Dictionary(uniqueKeysWithValues: uris.map { ($0, loaded) })
      let made = try? Presentation(
        playlist, uri: "https://example.com/main.m3u8", bytes: Int64(size), media: media)
      #expect((made == nil) == playlist.variants.isEmpty)
      _ = made?.multivariantText()
      _ = made?.verdicts(under: VariantConstraints())
    }
  }

  private func mutate(
    _ bytes: inout [UInt8], with originals: [[UInt8]], _ stream: inout RandomStream
  ) {
    func place(_ count: Int) -> Int { Int(stream.next(below: UInt64(max(1, count)))) }
    let at = place(bytes.count)
    switch stream.next(below: 8) {
    case 0 where !bytes.isEmpty: bytes[at] = UInt8(truncatingIfNeeded: stream.next())
    case 1 where !bytes.isEmpty: bytes[at] ^= 1 << UInt8(stream.next(below: 8))
    case 2 where !bytes.isEmpty: bytes.removeSubrange(at..<min(bytes.count, at + place(40) + 1))
    case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + place(200))], at: at)
    case 4:
      let other = originals[place(originals.count)]
      let from = place(other.count)
      bytes.insert(contentsOf: other[from..<min(other.count, from + place(200))], at: at)
    case 5: bytes.insert(contentsOf: Self.texts[place(Self.texts.count)].utf8, at: at)
    case 6: swapLines(&bytes, &stream)
    default: bytes.removeLast(min(bytes.count, place(bytes.count)))
    }
  }

  /// Texts that readers trip over.
  private static let texts = [
    "9223372036854775807", "99999999999999999999", "-1", "0", "0.0000000001", ".", "\"", ",", "=",
    "@", "\n", "\r", "\u{FEFF}", "{$token}", "{$", "#EXT-X-ENDLIST\n", "#EXTINF:", "x", "\t",
    "#EXT-X-BYTERANGE:9223372036854775807@1\n", "#EXTINF:9223372036,\na.ts\n",
    "#EXT-X-BITRATE:9223372036854775807\n", "#EXT-X-TARGETDURATION:1000000000\n",
    "#EXT-X-MEDIA-SEQUENCE:9223372036854775807\n", "#EXT-X-START:TIME-OFFSET=-9223372036\n",
    "#EXT-X-STREAM-INF:BANDWIDTH=9223372036854775807,RESOLUTION=2147483647x2147483647\nv.m3u8\n",
  ]

  private func swapLines(_ bytes: inout [UInt8], _ stream: inout RandomStream) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (a, b) = (
      Int(stream.next(below: UInt64(lines.count))), Int(stream.next(below: UInt64(lines.count)))
    )
    lines.swapAt(a, b)
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
