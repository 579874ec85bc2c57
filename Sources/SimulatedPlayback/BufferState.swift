import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What a policy is told of the buffer, beside how much media is ahead.

extension BufferFacts {
  init(of loader: MediaLoader, _ place: BufferPlace, _ playhead: Playhead, at now: Instant) {
    switch loader {
    case .file(let loader): self.init(of: loader, place, playhead, at: now)
    case .stream(let loader): self.init(of: loader, place, playhead)
    }
  }

  private init(of loader: FileLoader, _ place: BufferPlace, _ playhead: Playhead, at now: Instant) {
    let rule = FileLead(loader: loader, playhead: playhead).rule
    let loading: LoadingState =
      if loader.failure != nil {
        .failed
      } else if loader.isHeld {
        .full
      } else {
        loader.isLocal ? .idle : .underWay
      }
    self.init(
      bytesAhead: loader.policy.countsBytes
        ? loader.bytesAhead(of: place.position, at: now) : nil,
      mediaLimit: rule.media, byteLimit: rule.bytes, loading: loading)
  }

  private init(of loader: StreamLoader, _ place: BufferPlace, _ playhead: Playhead) {
    let rule = loader.rule(playhead)
    self.init(
      mediaLimit: rule.media, byteLimit: rule.bytes,
      loading: loader.failure != nil ? .failed : loader.isFull ? .full : .underWay)
    if loader.policy.countsBytes {
      bytesAhead = loader.intake.bytesAhead(of: place.position)
    }
    if let (picture, sound) = loader.intake.endsApart {
      pictureAhead = max(.zero, picture - place.position)
      soundAhead = max(.zero, sound - place.position)
    }
  }
}
