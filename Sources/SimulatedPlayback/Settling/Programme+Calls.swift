package import Autowait
import VirtualTime

/// What is asked of a player beside rates, seeks and items.
package enum PlayerCall: Hashable, Sendable {
  /// What waits for a seek is told that it will not be completed; the playhead stays where it is.
  case cancelPendingSeeks
  /// The pipeline is filled before the app asks to play.
  case preroll
  /// The system brings playback to rest.
  case halt(SystemHalt)
  /// The audio session is the app's again.
  case endInterruption
}

extension Programme {
  mutating func perform(_ call: PlayerCall, at now: Instant, on stage: inout Stage) {
    switch call {
    case .cancelPendingSeeks: playback.finishSeek(false, inBuffer: false, at: now, on: &stage)
    case .preroll:
      if let item {
        item.awaitsPreroll = true
      } else {
        stage.log.note(.prerolled(finished: false), of: playback.subject, at: now)
      }
    case .halt(let halt):
      if halt == .audioSessionInterrupted { isInterrupted = true }
      playback.hostStart = nil
      playback.transition = nil
      playback.leaveHostTimeline(at: now)
      playback.send(.systemHalted(halt), at: now, on: &stage)
    case .endInterruption: isInterrupted = false
    }
  }

  /// Whether a request for motion comes to nothing: somebody else has the audio session.
  func refuses(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) -> Bool {
    if !isInterrupted || rate.isZero { return false }
    stage.log.note(.rate(.zero, previous: rate, .setRateFailed), of: playback.subject, at: now)
    return true
  }
}

extension PlayerItem {
  /// Tells an app that waits for a preroll that it is over.
  func finishPreroll(_ finished: Bool, at now: Instant, on stage: inout Stage) {
    if !awaitsPreroll { return }
    awaitsPreroll = false
    stage.log.note(.prerolled(finished: finished), of: subject, at: now)
  }
}
