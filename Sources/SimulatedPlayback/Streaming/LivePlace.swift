import StreamingMedia
import VirtualTime

/// The positions at which a live stream can be played, by its main track's playlist.
struct LivePlace {
  private let loader: StreamLoader
  private let live: LiveTimeline
  private let list: Int

  /// Nil where nothing is live, and before the main track is known.
  init?(_ loader: StreamLoader) {
    guard let live = loader.live, let list = loader.intake.tracks.mainList else { return nil }
    self.loader = loader
    self.live = live
    self.list = list
  }

  private var presentation: Presentation { loader.presentation }

  /// The move to the start of playback, once a playlist says what there is.
  func start(
    _ preferences: LivePreferences, asked: MediaTime?, at now: Instant
  ) -> LiveMove? {
    live.start(list, of: presentation, preferences, asked: asked, at: now)
  }

  /// The target of a seek to the live edge; nil before playback has begun.
  func edge(_ preferences: LivePreferences) -> MediaTime? {
    live.restart(list, of: presentation, preferences)
  }

  /// The move after the next segment has slid out of the window and the buffer is played out.
  func afterSliding(from position: MediaTime, _ preferences: LivePreferences) -> LiveMove? {
    if !isPlayedOut(at: position) { return nil }
    // As if it began anew: what is listed first would be the next to slide out. That is our
    // assumption.
    guard hasSlid, let time = edge(preferences), time > position else { return nil }
    return LiveMove(time, .windowSlid)
  }

  private func isPlayedOut(at position: MediaTime) -> Bool {
    loader.intake.tracks.loadedEnd(from: position) <= position
  }

  /// Whether what a track would ask for next is no longer listed.
  private var hasSlid: Bool {
    loader.intake.tracks.indices.contains { index in
      guard loader.intake.tracks[index].kind != .subtitles,
        loader.intake.tracks[index].fetch == nil,
        let listed = live.known(loader.intake.tracks[index].list)
      else { return false }
      return loader.intake.tracks[index].next < listed.segments.lowerBound
    }
  }

  /// The live edge, advanced by the time since its playlist was read.
  func time(at now: Instant) -> MediaTime? {
    live.playlists.liveTime(list, of: presentation, at: now)
  }

  var listedEnd: MediaTime? {
    live.known(list).map { presentation.lists[list].end(of: $0) }
  }

  var seekableRange: Range<MediaTime>? { live.seekableRange(list, of: presentation) }

  /// The distance from its edge at which the server wants a live stream to be played.
  var recommendedOffset: MediaTime { live.stream.recommendedOffset(in: presentation.lists[list]).0 }
}
