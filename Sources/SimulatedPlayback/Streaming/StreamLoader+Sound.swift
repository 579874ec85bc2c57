import LinkConditioner
import StreamingMedia
import VirtualTime

// In which track the sound comes, so that it comes once: beside the pictures, or with them in the
// main track, as that of a variant with the sound muxed in, and of one of sound alone, which is a
// rendition of its group.

extension StreamLoader {
  /// The rendition that a variant of sound alone is played by.
  func soundAlone(of variant: Int) -> Int? {
    without.contains(.soundAloneOnce)
      ? nil : presentation.soundAlone(of: variant, language: settings.audioLanguage)
  }

  /// Lets the sound go on in one track where a new variant has it in another.
  func passSound(to new: Int) {
    let audio = tracks.firstIndex { $0.kind == .audio }
    let beside = list(of: .audio, for: new)
    isJoiningSound = audio != nil && beside == nil
    guard audio == nil, let list = beside else { return }
    // The main track has brought the sound so far, or is about to.
    let end = tracks[0].boundary
    var track = StreamTrack(
      kind: .audio, list: list, next: presentation.lists[list].next(after: end), at: end)
    track.buffer.reach(from: tracks[0].start)
    tracks.insert(track, at: 1)
  }

  /// Goes on with the main track alone once the sound beside it has come as far.
  func joinSound() {
    guard let audio = tracks.firstIndex(where: { $0.kind == .audio }) else {
      isJoiningSound = false
      return
    }
    if tracks[0].fetch != nil || tracks[audio].fetch != nil || !isFarEnough(audio) { return }
    // Where there are pictures, they are needed from where they end, and bring their sound anew.
    if variant.flatMap({ soundAlone(of: $0) }) != nil {
      tracks[0].buffer.reach(to: tracks[audio].end)
      tracks[0].next = presentation.lists[tracks[0].list].next(after: tracks[audio].end)
    }
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

  /// Gives up the sound that is still beside the main track: another is going to be played.
  func leaveSoundBeside(at now: Instant, on stage: inout Stage) {
    isJoiningSound = false
    guard let audio = tracks.firstIndex(where: { $0.kind == .audio }) else { return }
    drop(audio, at: now, on: &stage)
    tracks.remove(at: audio)
  }
}

extension SegmentList {
  /// The segment that follows what is loaded up to a time.
  func next(after boundary: MediaTime) -> Int {
    firstIndex(startingAtOrAfter: boundary) ?? index(at: boundary) ?? segments.count
  }
}
