import StreamingMedia
import VirtualTime

// In which track the sound comes.
//
// So that it comes once: beside the pictures, or with them in the main track, as that of a variant
// with the sound muxed in, and of one of sound alone, which is a rendition of its group.

extension SegmentIntake {
  /// Lets the sound go on in one track where a new variant has it in another.
  ///
  /// - Parameter beside: The list of the sound that comes beside the new variant's pictures.
  func passSound(to beside: Int?) {
    let audio = tracks.index(of: .audio)
    isJoiningSound = audio != nil && beside == nil
    guard audio == nil, let beside else { return }
    // The main track has brought the sound so far, or is about to.
    let end = tracks[0].boundary
    var track = StreamTrack(
      kind: .audio, list: beside, next: presentation.lists[beside].next(after: end), at: end)
    track.buffer.reach(from: tracks[0].start)
    tracks.insert(track, at: 1)
  }

  /// Goes on with the main track alone once the sound beside it has come as far.
  ///
  /// - Parameter isSoundAlone: Whether the main track is of sound alone from now on.
  func joinSound(isSoundAlone: Bool) {
    guard let audio = tracks.index(of: .audio) else {
      isJoiningSound = false
      return
    }
    if tracks[0].fetchID != nil || tracks[audio].fetchID != nil || !isFarEnough(audio) { return }
    // Video in the main track is needed from its loaded end on, and brings its audio again.
    if isSoundAlone {
      tracks[0].buffer.reach(to: tracks[audio].end)
      tracks[0].next = presentation.lists[tracks[0].list].next(after: tracks[audio].end)
    }
    logs.played.soundBeside = tracks[audio].buffer
    tracks.remove(at: audio)
    isJoiningSound = false
  }

  /// Whether a track asks for nothing until the sound has come as far as the picture.
  func holdsBack(_ index: Int) -> Bool {
    guard isJoiningSound, tracks[index].fetchID == nil else { return false }
    switch tracks[index].kind {
    case .main: return true
    case .audio: return isFarEnough(index)
    case .subtitles: return false
    }
  }

  private func isFarEnough(_ audio: Int) -> Bool {
    tracks[audio].end >= tracks[0].end && tracks[audio].nextPart == 0
  }
}
