import SimulatedWorld
import Testing

/// Playlists that say how far the others have got.
@Suite struct LiveReportTests {
  typealias Session = LiveTests.Session

  private static let audio = [
    LadderAudio(name: "English", language: "en", bitRate: 64_000),
    LadderAudio(name: "French", language: "fr", bitRate: 64_000),
  ]

  private func session(reports: Bool = true, firstNumber: Int64 = 0) throws -> Session {
    try Session(
      LiveStream(
        window: .sliding(.seconds(36)), startsWith: .milliseconds(63_500),
        parts: LiveParts(holdBack: .seconds(3), reports: reports)),
      audio: Self.audio, partDuration: .seconds(1)
    ) { item in
      guard case .stream(var stream) = item.source else { return }
      for list in stream.presentation.lists.indices {
        stream.presentation.lists[list].mediaSequence = firstNumber
      }
      item.source = .stream(stream)
    }
  }

  /// The lines in a playlist of video or sound that ends at a second: all renditions are cut alike.
  private func reportBytes(end: Int64, firstNumber: Int64) -> Int64 {
    let (segment, part) = (firstNumber + (end - 1) / 6, (end - 1) % 6)
    let others = ["../audio-0/playlist.m3u8", "../audio-1/playlist.m3u8"]
    return others.reduce(0) { sum, uri in
      let line =
        "#EXT-X-RENDITION-REPORT:URI=\"\(uri)\",LAST-MSN=\(segment),LAST-PART=\(part)\n"
      return sum + Int64(line.utf8.count)
    }
  }

  @Test(arguments: [0, 95] as [Int64])
  func `every playlist is longer by a line for each other one`(firstNumber: Int64) throws {
    let with = try session(firstNumber: firstNumber)
    let without = try session(reports: false, firstNumber: firstNumber)
    for session in [with, without] {
      session.player.play()
      session.world.advance(by: .seconds(60))
      #expect(session.world.finish() == [])
    }
    let (longer, shorter) = (with.playlistReads, without.playlistReads)
    #expect(longer.count == shorter.count && longer.count > 110)
    for (a, b) in zip(longer, shorter) {
      #expect(a.reading.edge == b.reading.edge)
      // "video-0" is as long as "audio-0", and so is its report.
      let end = a.reading.edge.nanoseconds / 1_000_000_000
      #expect(a.bytes - b.bytes == reportBytes(end: end, firstNumber: firstNumber))
    }
  }

  @Test func `a rendition that was reported is asked for by its newest part`() throws {
    for reports in [true, false] {
      let session = try session(reports: reports)
      session.player.play()
      session.world.advance(by: .seconds(20))
      let (count, before) = (session.notes.count, session.playlistReads.count)
      let edge = try #require(session.playlistReads.last).reading.edge
      session.player.select(MediaSelection(.audio, language: "fr"))
      let ids = session.notes.dropFirst(count).compactMap { note -> TransferID? in
        guard case .resourceRequested(let id, .mediaPlaylist, _, _) = note.observation else {
          return nil
        }
        return id
      }
      let wanted = try #require(ids.first)
      session.world.advance(by: .seconds(2))
      let directives = session.notes.compactMap { note -> DeliveryDirectives? in
        guard case .live(.playlistRead(wanted, let reading)) = note.observation else { return nil }
        return reading.directives
      }
      let last = edge.nanoseconds / 1_000_000_000 - 1
      let asked = reports ? "_HLS_msn=\(last / 6)&_HLS_part=\(last % 6)" : ""
      #expect(directives.map(\.text) == [asked])
      #expect(session.playlistReads.count > before)
      #expect(session.world.finish() == [])
    }
  }
}
