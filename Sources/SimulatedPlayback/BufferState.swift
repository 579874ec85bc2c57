import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// The facts about the buffer that a policy sees, beside the length of the forward buffer.

extension BufferFacts {
  /// - Parameter wanted: The facts that the policy reads; the rest is left out.
  init(
    of loader: FileLoader, _ wanted: WantedFacts, _ place: BufferPlace,
    _ playhead: @autoclosure () -> Playhead, at now: Instant
  ) {
    self.init(loading: loader.state)
    if wanted.bytes { bytesAhead = loader.bytesAhead(of: place.position, at: now) }
    if wanted.limits {
      let rule = FileLead(loader: loader, playhead: playhead()).rule
      (mediaLimit, byteLimit) = (rule.media, rule.bytes)
    }
  }

  init(
    of loader: StreamLoader, _ wanted: WantedFacts, _ place: BufferPlace,
    _ playhead: @autoclosure () -> Playhead
  ) {
    self.init(
      loading: loader.failure != nil ? .failed : loader.isFull ? .full : .underWay)
    if wanted.bytes { bytesAhead = loader.intake.tracks.bytesAhead(of: place.position) }
    // A forecast of two tracks stops reading where the player does.
    if wanted.limits || loader.intake.tracks.count > 1 {
      let rule = loader.rule(playhead())
      (mediaLimit, byteLimit) = (rule.media, rule.bytes)
    }
    if wanted.tracks, let (picture, sound) = loader.intake.tracks.endsApart {
      pictureAhead = max(.zero, picture - place.position)
      soundAhead = max(.zero, sound - place.position)
    }
  }
}

extension FileLoader {
  fileprivate var state: LoadingState {
    if failure != nil { return .failed }
    if isHeld { return .full }
    return isLocal ? .idle : .underWay
  }
}
