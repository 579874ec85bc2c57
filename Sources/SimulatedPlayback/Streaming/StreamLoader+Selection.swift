import LinkConditioner
import StreamingMedia
package import VirtualTime

// The sound and the subtitles that are selected, before the start and while playing.

extension StreamLoader {
  /// Plays another language from now on.
  ///
  /// A language change discards the audio buffer (WWDC18 502). While the playhead moves, the
  /// segment that it is in is played to its end; one that stands has nothing in its pipeline.
  func select(
    _ selection: MediaSelection, _ playhead: Playhead, at now: Instant, on stage: inout Stage
  ) {
    settings.select(selection)
    guard let variant else { return }
    var kind = selection.kind
    if kind == .audio, soundAlone(of: variant) != nil {
      leaveSoundBeside(at: now, on: &stage)
      kind = .main
    }
    let list = list(of: kind, for: variant)
    guard let index = tracks.firstIndex(where: { $0.kind == kind }) else {
      if let list, kind == .subtitles {
        tracks.append(track(kind, list: list, playhead.time(at: now)))
      }
      return
    }
    if tracks[index].list == list { return }
    drop(index, at: now, on: &stage)
    guard let list else {
      // Nobody listens to nothing: only subtitles can be switched off.
      if kind == .subtitles { tracks.remove(at: index) }
      return
    }
    let discarded = restart(index, with: list, playhead, at: now)
    stage.log.note(.mediaSelected(selection, discarded: discarded), at: now)
  }

  /// Lets a track go on with another list, and says how much of the old one is thrown away.
  private func restart(
    _ index: Int, with list: Int, _ playhead: Playhead, at now: Instant
  ) -> MediaTime {
    let track = tracks[index]
    let position = playhead.time(at: now)
    let kept =
      without.contains(.languageChangeDiscards) ? track.end : boundary(of: track, playhead, now)
    let segments = presentation.lists[list]
    let next = segments.index(at: kept ?? position) ?? segments.segments.count
    let start = next < segments.segments.count ? segments.segments[next].start : position
    tracks[index].list = list
    tracks[index].next = next
    tracks[index].nextPart = 0
    if let kept {
      tracks[index].buffer.cut(at: kept)
    } else {
      tracks[index].buffer.restart(at: start)
    }
    return max(.zero, track.end - max(position, kept ?? .zero))
  }

  /// The end of the segment that is being played; nil where none is.
  private func boundary(
    of track: StreamTrack, _ playhead: Playhead, _ now: Instant
  ) -> MediaTime? {
    let position = playhead.time(at: now)
    let segments = presentation.lists[track.list]
    guard playhead.isMoving, track.buffer.contains(position),
      let index = segments.index(at: position)
    else { return nil }
    return min(track.end, segments.segments[index].end)
  }
}

/// A language that the app selects.
public struct MediaSelection: Hashable, Sendable {
  /// Sound or subtitles.
  public var kind: TrackKind
  /// Nil for what is played when nobody chooses: of subtitles, none.
  public var language: String?

  public init(_ kind: TrackKind, language: String?) {
    self.kind = kind
    self.language = language
  }
}

extension StreamSettings {
  mutating func select(_ selection: MediaSelection) {
    switch selection.kind {
    case .main: break
    case .audio: audioLanguage = selection.language
    case .subtitles: subtitleLanguage = selection.language
    }
  }
}

extension MediaSource {
  /// Changes which language is played; a file has none to choose from.
  public mutating func select(_ selection: MediaSelection) {
    guard case .stream(var settings) = self else { return }
    settings.select(selection)
    self = .stream(settings)
  }
}

extension ItemSettings {
  /// Selects a language; false where it is selected already.
  public mutating func select(_ selection: MediaSelection) -> Bool {
    let before = self
    source.select(selection)
    if source.file != nil {
      switch selection.kind {
      case .main: break
      case .audio: selectedAudio = selection.language
      case .subtitles: selectedSubtitles = selection.language
      }
    }
    return self != before
  }
}

extension PlayerCore {
  /// Selects a language of the current item: `AVPlayerItem.select(_:in:)`.
  package func select(_ selection: MediaSelection, at now: Instant, on stage: inout Stage) {
    begin(at: now, on: &stage)
    if let item, item.settings.select(selection) {
      if case .stream(let loader) = item.loader {
        loader.select(selection, item.playhead(hostStart), at: now, on: &stage)
      }
      tracksChanged(at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }
}
