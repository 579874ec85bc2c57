import LinkConditioner
import StreamingMedia
import VirtualTime

// The effect that a change of the variant, or of the language, has on the tracks.

extension SegmentIntake {
  /// Takes the segments that are still to be asked for from the lists of a variant.
  func goOn(with variant: Int, _ lists: VariantLists) {
    for index in tracks.indices {
      guard let list = lists.list(of: tracks[index].kind, for: variant),
        list != tracks[index].list
      else { continue }
      tracks[index].list = list
      // A track in the middle of a segment in parts goes on with the same part.
      if tracks[index].nextPart > 0 { continue }
      // Switching happens at a segment boundary.
      tracks[index].next = presentation.lists[list].next(after: tracks[index].boundary)
    }
    passSound(to: lists.list(of: .audio, for: variant))
  }

  /// Plays another language, or none, in a track of a kind.
  ///
  /// - Parameter list: Of which the language is; nil for none.
  func play(
    _ selection: MediaSelection, _ kind: TrackKind, list: Int?, _ playhead: Playhead,
    at now: Instant, on stage: inout Stage
  ) {
    guard let index = tracks.index(of: kind) else {
      if let list, kind == .subtitles {
        tracks.append(
          StreamTrack(kind, list: list, of: presentation, under: playhead.time(at: now)))
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
    stage.log.note(.mediaSelected(selection, discarded: discarded), of: requests.subject, at: now)
  }

  /// Gives up the sound that is still beside the main track: another is going to be played.
  func leaveSoundBeside(at now: Instant, on stage: inout Stage) {
    isJoiningSound = false
    guard let audio = tracks.index(of: .audio) else { return }
    drop(audio, at: now, on: &stage)
    logs.bookPlayed(tracks, at: now)
    tracks.remove(at: audio)
  }
}
