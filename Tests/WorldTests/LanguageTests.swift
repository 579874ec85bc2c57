import SimulatedWorld
import StreamingMedia
import Testing

/// Sound and subtitles that are chosen while a stream plays: 40 s in segments of 4 s, of which
/// those of a megabit of pictures, of 100 kbit/s of sound and of 10 kbit/s of text are told apart.
@Suite struct LanguageTests {
  typealias Session = StreamTests.Session

  private static func presentation() throws -> Presentation {
    StreamTests.weightless(
      try Presentation(
        LadderDescription(
          rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)],
          audio: ["en", "fr"].map { LadderAudio(name: $0, language: $0, bitRate: 100_000) },
          subtitles: ["en", "fr"].map {
            LadderSubtitles(name: $0, language: $0, bitRate: 10_000)
          }, segmentDuration: .seconds(4), duration: .seconds(40))))
  }

  /// A buffer of 16 s, which is full at once.
  private func session(_ adjust: (inout StreamSettings) -> Void = { _ in }) throws -> Session {
    var settings = StreamSettings(presentation: try Self.presentation())
    settings.subtitleLanguage = "en"
    settings.automaticForwardBuffer = .seconds(16)
    adjust(&settings)
    return try Session(settings, kilobits: 8_000_000)
  }

  /// The seconds at which the segments begin that were asked for, from a note on.
  private func asked(_ session: Session, _ track: TrackKind, from first: Int = 0) -> [Int64] {
    session.notes.dropFirst(first).compactMap { note in
      guard case .resourceRequested(_, .mediaSegment, _, let origin) = note.observation,
        origin.track == track
      else { return nil }
      return origin.media.map { $0.lowerBound.nanoseconds / 1_000_000_000 }
    }
  }

  private func discarded(_ session: Session) -> [MediaTime] {
    session.notes.compactMap {
      if case .mediaSelected(_, let discarded) = $0.observation { discarded } else { nil }
    }
  }

  /// A segment is asked for while less than 16 s are ahead: at ten seconds they end at 28 s.
  @Test func `subtitles that are switched off come no more, and again from where they are wanted`()
    throws
  {
    let session = try session()
    session.player.play()
    session.world.advance(by: .seconds(10))
    #expect(asked(session, .subtitles) == [0, 4, 8, 12, 16, 20, 24])
    var count = session.notes.count
    session.player.select(MediaSelection(.subtitles, language: nil))
    session.world.advance(by: .seconds(7))
    #expect(asked(session, .subtitles, from: count) == [])
    #expect(asked(session, .main, from: count) == [28, 32])
    count = session.notes.count
    session.player.select(MediaSelection(.subtitles, language: "fr"))
    session.world.advance(by: .milliseconds(100))
    #expect(asked(session, .subtitles, from: count) == [16, 20, 24, 28, 32])
    // Nothing of a track that was not there is thrown away.
    #expect(discarded(session) == [MediaTime(nanoseconds: 18_000_555_000), .zero])
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0 && session.world.finish() == [])
  }

  /// Segments behind the one that plays are of 100 kbit/s: 50,000 bytes each. Playback began
  /// with the first segments, 4.44 Mbit at 8 Gbit a second.
  @Test(arguments: [true, false])
  func `another language goes on behind what plays, and under a playhead that stands`(
    isPlaying: Bool
  ) throws {
    let session = try session()
    session.player.play()
    session.world.advance(by: .seconds(10))
    if !isPlaying { session.player.pause() }
    let count = session.notes.count
    session.player.select(MediaSelection(.audio, language: "fr"))
    session.world.advance(by: .milliseconds(100))
    let sound = asked(session, .audio, from: count)
    #expect(sound == (isPlaying ? [12, 16, 20, 24] : [8, 12, 16, 20, 24]))
    #expect(
      discarded(session) == [isPlaying ? .seconds(16) : MediaTime(nanoseconds: 18_000_555_000)])
    #expect(session.player.core.counts.bytesDiscarded == 200_000)
    session.player.select(MediaSelection(.audio, language: "fr"))
    #expect(discarded(session).count == 1)
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0 && session.world.finish() == [])
  }

  /// Subtitles of 24 s: nothing of them comes behind their end, and nobody waits for it.
  @Test func `subtitles may end before the film`() throws {
    let session = try session { settings in
      for list in settings.presentation.lists.indices
      where settings.presentation.lists[list].uri.contains("subtitles") {
        settings.presentation.lists[list].segments.removeLast(4)
      }
    }
    session.player.play()
    session.world.advance(by: .seconds(5))
    try session.player.seek(to: .seconds(30))
    session.world.advance(by: .seconds(1))
    // Pictures and sound of 4.4 Mbit at 8 Gbit a second.
    #expect(session.player.currentTime() == MediaTime(nanoseconds: 30_999_450_000))
    #expect(session.world.run() == .finished)
    #expect(asked(session, .subtitles) == [0, 4, 8, 12, 16, 20])
    #expect(session.player.books.stallCount == 0 && session.world.finish() == [])
  }

  /// Behind the end of a shorter sound there is none to wait for: the pictures play on.
  @Test func `sound that ends before the playhead has no segment for it`() throws {
    let session = try session { settings in
      for list in settings.presentation.lists.indices
      where settings.presentation.lists[list].uri.contains("audio-1") {
        settings.presentation.lists[list].segments.removeLast(4)
      }
    }
    try session.player.seek(to: .seconds(30))
    session.world.advance(by: .seconds(1))
    let count = session.notes.count
    session.player.select(MediaSelection(.audio, language: "fr"))
    session.world.advance(by: .seconds(1))
    #expect(asked(session, .audio, from: count) == [])
    #expect(discarded(session) == [.seconds(10)])
    #expect(session.player.loadedTimeRanges == [.seconds(30)..<(.seconds(40))])
  }
}
