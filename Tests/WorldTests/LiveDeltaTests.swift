import SimulatedWorld
import Testing

/// What a live stream costs whose playlists are read as delta updates, against a count of their
/// lines.
@Suite struct LiveDeltaTests {
  typealias Session = LiveTests.Session

  /// Forty segments of six seconds in the playlist.
  private func stream(stale: [StalePlaylist] = []) -> LiveStream {
    var live = LiveStream(window: .sliding(.seconds(240)), startsWith: .seconds(603))
    live.canSkipUntil = .seconds(36)
    live.stalePlaylists = stale
    return live
  }

  /// The bytes of a playlist, line by line.
  private func bytes(first: Int, listed: Range<Int>) -> Int64 {
    let isDelta = first < listed.lowerBound
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:\(isDelta ? 9 : 7)", "#EXT-X-TARGETDURATION:6",
      "#EXT-X-MEDIA-SEQUENCE:\(first)", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36",
    ]
    if isDelta { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(listed.lowerBound - first)") }
    for segment in listed { lines += ["#EXTINF:6,", "segment\(segment).m4s"] }
    return Int64(lines.reduce(0) { $0 + $1.count + 1 })
  }

  @Test func `each read costs what its lines say`() throws {
    let session = try Session(stream(), duration: .seconds(3_600))
    session.player.play()
    session.world.advance(by: .seconds(120))
    let reads = session.playlistReads
    #expect(reads.count == 20)
    // Six target durations back lie six segments; the seventh ends where they begin.
    for (number, read) in reads.enumerated() {
      let end = 100 + number
      let listed = number == 0 ? end - 40..<end : end - 6..<end
      #expect(read.bytes == bytes(first: end - 40, listed: listed))
      #expect(read.reading.mediaSequence == Int64(end - 40) && read.reading.segments == 40)
      #expect(read.reading.skipped == (number == 0 ? 0 : 34))
      let whole = bytes(first: end - 40, listed: end - 40..<end)
      #expect(read.reading.saved == whole - read.bytes)
    }
    // Nothing is lost or counted twice: what came is the playlists and the segments.
    let saved = reads.reduce(0) { $0 + $1.reading.saved }
    #expect(session.player.core.counts.playlistBytesSaved == saved && saved > 0)
    #expect(session.world.finish() == [])
  }

  /// The bytes of a low-latency playlist that ends at a second, line by line: segments of six parts
  /// of 125 KB.
  private func bytes(end second: Int64, window: Int, isDelta: Bool) -> Int64 {
    let (whole, trailing) = (Int(second / 6), Int(second % 6))
    let first = whole - window
    let listed = isDelta ? whole - 6..<whole : first..<whole
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:\(isDelta ? 9 : 7)", "#EXT-X-TARGETDURATION:6",
      "#EXT-X-MEDIA-SEQUENCE:\(first)",
      "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3,CAN-SKIP-UNTIL=36",
      "#EXT-X-PART-INF:PART-TARGET=1",
    ]
    if isDelta { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(listed.lowerBound - first)") }
    func part(_ index: Int, of segment: Int) -> String {
      "#EXT-X-PART:DURATION=1,URI=\"segment\(segment).m4s\","
        + "BYTERANGE=\"125000@\(index * 125_000)\"" + (index == 0 ? ",INDEPENDENT=YES" : "")
    }
    for segment in listed {
      if segment >= whole - 3 { lines += (0..<6).map { part($0, of: segment) } }
      lines += ["#EXTINF:6,", "segment\(segment).m4s"]
    }
    lines += (0..<trailing).map { part($0, of: whole) }
    lines.append(
      "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"segment\(whole).m4s\","
        + "BYTERANGE-START=\(trailing * 125_000)")
    return Int64(lines.reduce(0) { $0 + $1.count + 1 })
  }

  @Test func `so it does with parts`() throws {
    var live = stream()
    live.startsWith = .milliseconds(603_500)
    live.parts = LiveParts(holdBack: .seconds(3))
    let session = try Session(live, duration: .seconds(3_600), partDuration: .seconds(1))
    session.player.play()
    session.world.advance(by: .seconds(60))
    let reads = session.playlistReads
    #expect(reads.count == 61 && session.player.books.stallCount == 0)
    for (number, read) in reads.enumerated() {
      let end = read.reading.edge.nanoseconds / 1_000_000_000
      #expect(end == 603 + Int64(number))
      #expect(read.bytes == bytes(end: end, window: 40, isDelta: number > 0))
      #expect(
        read.reading.saved == bytes(end: end, window: 40, isDelta: false) - read.bytes)
    }
    #expect(session.world.finish() == [])
  }

  @Test func `a copy older than half the boundary is replaced as a whole`() throws {
    let session = try Session(stream(), duration: .seconds(3_600))
    session.player.play()
    for (pause, isWhole) in [(11, false), (18, true)] as [(Int64, Bool)] {
      session.world.advance(by: .seconds(30))
      session.player.pause()
      session.world.advance(by: .seconds(pause))
      let before = session.playlistReads.count
      session.player.play()
      session.world.advance(by: .seconds(1))
      let read = try #require(session.playlistReads.dropFirst(before).first)
      #expect(read.reading.directives.skips != isWhole && (read.reading.skipped == 0) == isWhole)
    }
  }

  @Test func `after an error the playlist is asked for as a whole`() throws {
    let session = try Session(
      stream(), duration: .seconds(3_600),
      faults: FaultPlan([
        FaultRule(.status(503), numbers: 5...5, label: LabelPattern("mediaPlaylist"))
      ]))
    session.player.play()
    session.world.advance(by: .seconds(60))
    let skips = session.playlistReads.map(\.reading.directives.skips)
    #expect(skips.prefix(7) == [false, true, true, true, false, true, true])
  }

  @Test func `an update that leaves out what is not known is thrown away`() throws {
    // For 100 s a cache hands out the same playlist: what it has missed is then left out.
    var stale = StalePlaylist.none
    (stale.begins, stale.span) = (.zero + .seconds(20), .seconds(100))
    let session = try Session(stream(stale: [stale]), duration: .seconds(3_600))
    session.player.play()
    session.world.advance(by: .seconds(140))
    let unusable = session.notes.indices.filter {
      if case .live(.deltaUnusable(_, 34)) = session.notes[$0].observation { true } else { false }
    }
    #expect(unusable.count == 1)
    let index = try #require(unusable.first)
    let next = session.notes[index + 1]
    guard case .resourceRequested(let id, .mediaPlaylist, let bytes, _) = next.observation else {
      Issue.record("the playlist was not asked for again at once")
      return
    }
    #expect(next.instant == session.notes[index].instant)
    let after = session.notes.dropFirst(index).compactMap {
      if case .live(.playlistRead(id, let reading)) = $0.observation { reading } else { nil }
    }
    #expect(after.map(\.skipped) == [0] && after.map(\.isChanged) == [true])
    #expect(bytes == self.bytes(first: 80, listed: 80..<120))
    #expect(session.world.finish() == [])
  }
}
