import Autowait
import ExactText
import LinkConditioner
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
package import StreamingMedia
package import VirtualTime

/// What happened to the subject of a run: its stalls, its variants, its items.
///
/// It is kept for a screen. Of each list the first thousands are kept.
package struct RunStory: Sendable {
  package private(set) var stalls: [Stall] = []
  package private(set) var firstVariant: InitialVariant?
  package private(set) var switches: [VariantChange] = []
  /// From when on which variant the next segment was of.
  package private(set) var variants: [(start: Instant, variant: Int64)] = []
  package private(set) var items: [(start: Instant, name: String)] = []
  package private(set) var transitions: [(end: Instant, from: String, transition: Transition)] = []
  package private(set) var failures: [(instant: Instant, item: String?, words: String)] = []

  package struct Stall: Hashable, Sendable {
    package var start: Instant
    /// Nil where it never ended.
    package var end: Instant?
    /// Where the playhead stood.
    package var place: MediaTime
    /// What the rule for stalls said.
    package var clause: String
  }

  package struct VariantChange: Hashable, Sendable {
    package var instant: Instant
    package var from: Int64
    package var to: Int64
    package var clause: String
  }

  /// How one item followed another.
  package struct Transition: Sendable {
    package var to: String
    package var gap: TimeSpan
    package var kind: String
    /// Why it was noticed, as a word and in a sentence; nil where it was not.
    package var reason: (word: String, words: String)?
    package var hasWaited: Bool
    package var silence: MediaTime
  }

  private var control = TimeControl.paused
  private static let most = 4_096

  mutating func see(_ record: PlaybackRecord, _ session: RunSession) {
    let now = record.instant
    let isNamed = session.scenario.queue != nil
    let observation = record.observation
    if case .stalled(let place, let clause) = observation {
      add(Stall(start: now, end: nil, place: place, clause: clause.word), to: &stalls)
    } else if case .timebase(let rate, _) = observation, rate != .zero {
      endStall(now)
    } else if case .timeControl(let new, _, _) = observation {
      // A player that does not wait is paused by running dry, and its stall goes on.
      if control.isWaiting, new == .paused { endStall(now) }
      control = new
    } else if case .variantChosen(let choice) = observation,
      firstVariant == nil || firstVariant?.reason == .probe
    {
      firstVariant = choice
    } else if case .variantSwitchStarted(let from, let to, let reason) = observation {
      add(
        VariantChange(instant: now, from: Int64(from), to: Int64(to), clause: reason.word),
        to: &switches)
    } else if observation.bringsItem, isNamed {
      add((now, session.name(of: record.item)), to: &items)
    } else if case .itemTransition(let transition) = observation {
      add(transition, now, session)
    } else if case .itemFailed(let failure) = observation {
      add((now, isNamed ? session.name(of: record.item) : nil, failure.words), to: &failures)
    }
  }

  private mutating func add(_ transition: ItemTransition, _ now: Instant, _ session: RunSession) {
    let isNamed = session.scenario.queue != nil
    add(
      (
        now - transition.gap, isNamed ? session.name(of: transition.from) : "",
        Transition(
          to: isNamed ? session.name(of: transition.to) : "", gap: transition.gap,
          kind: transition.kind.word, reason: transition.reason.map { ($0.word, $0.words) },
          hasWaited: transition.kind == .buffering, silence: transition.silence)
      ), to: &transitions)
  }

  private mutating func endStall(_ now: Instant) {
    guard let last = stalls.last, last.end == nil else { return }
    stalls[stalls.count - 1].end = now
  }

  private func add<Part>(_ part: Part, to list: inout [Part]) {
    if list.count < Self.most { list.append(part) }
  }

  /// Looks at what an event has left behind.
  mutating func look(_ core: PlayerCore, at now: Instant) {
    guard let variant = core.variantAskedFor,
      variant != variants.last?.variant
    else { return }
    add((now, variant), to: &variants)
  }
}
