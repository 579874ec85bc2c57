import Autowait
import PlayerPolicies
import VirtualTime

/// The number of times that the settle steps may still begin anew at an instant.
///
/// The machine has no cycle without an event from outside, so a handful is enough for an item, and
/// a queue has an end. Should it ever not be, the player asks to be woken once more at the same
/// instant, whose rounds are bounded: the run ends, and says why.
package struct Turns {
  package static let most = 64
  package private(set) var left = Turns.most
  private var queued: Int

  package init(queued: Int) { self.queued = queued }

  /// Takes a turn; false where none is left. An item that has left the queue brings new ones.
  package mutating func take(queued now: Int) -> Bool {
    if now < queued { left = Turns.most }
    queued = min(queued, now)
    if left == 0 { return false }
    left -= 1
    return true
  }
}

/// The next event for the state machine.
enum News {
  /// The app asks for a rate; a call is `pause()`, or `play()` once more.
  case asked(PlaybackEvent, rate: PlaybackRate, isCall: Bool)
  /// Something outside holds the player up, or does so no longer.
  case suspension(PlaybackEvent)
  /// There is an item where there was none.
  case arrived
  /// The next item has taken the place of one that ended or was given up.
  case followed(wasPlaying: Bool)
  /// The playhead has consumed everything up to here, or is stopped before it has.
  case ranDry(MediaTime, StallClause)

  /// Whether an item has become current.
  var bringsItem: Bool {
    switch self {
    case .arrived, .followed: true
    case .asked, .suspension, .ranDry: false
    }
  }

  /// The reason why a playhead that still moves stops; nil where it does not.
  var stallClause: StallClause? { if case .ranDry(_, let clause) = self { clause } else { nil } }

  var rate: PlaybackRate? { if case .asked(_, let rate, _) = self { rate } else { nil } }
}
