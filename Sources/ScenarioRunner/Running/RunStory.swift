import Autowait
import ExactText
import LinkConditioner
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
package import StreamingMedia
package import VirtualTime

/// The variants and items of a run, as the screen shows them.
///
/// It is kept for a screen. Of each list the first thousands are kept.
package struct RunStory: Sendable {
  package private(set) var firstVariant: InitialVariant?
  /// Those of which something was asked for.
  package var switches: [VariantChange] { Array(decided[..<askedFor]) }
  /// From when on which variant the next segment was of.
  package var variants: [(start: Instant, variant: Int64)] {
    uses.filter { use in
      !decided[askedFor...].contains { $0.instant == use.start && $0.to == use.variant }
    }
  }
  /// How many switches something was asked for of, those included that are not kept.
  package private(set) var allSwitches = 0
  /// The switches as they were decided.
  private var decided: [VariantChange] = []
  /// How many of them something was asked for of, and how many were decided in all.
  private var (askedFor, decidedCount) = (0, 0)
  private var uses: [(start: Instant, variant: Int64)] = []
  package private(set) var items: [(start: Instant, name: String)] = []
  package private(set) var transitions: [(end: Instant, from: String, transition: Transition)] = []
  package private(set) var failures: [(instant: Instant, item: String?, words: String)] = []

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

  private static let most = 4_096

  mutating func see(_ record: PlaybackRecord, _ session: RunSession) {
    let now = record.instant
    let isNamed = session.scenario.queue != nil
    let observation = record.observation
    if case .variantChosen(let choice) = observation,
      firstVariant == nil || firstVariant?.reason == .probe
    {
      firstVariant = choice
    } else if case .variantSwitchStarted(let from, let to, let reason) = observation {
      decidedCount += 1
      add(
        VariantChange(instant: now, from: Int64(from), to: Int64(to), clause: reason.word),
        to: &decided)
    } else if case .resourceRequested(_, let kind, _, let origin) = observation {
      if origin.track == .main, kind == .mediaSegment || kind == .mediaPlaylist {
        (askedFor, allSwitches) = (decided.count, decidedCount)
      }
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

  private func add<Part>(_ part: Part, to list: inout [Part]) {
    if list.count < Self.most { list.append(part) }
  }

  /// Looks at what an event has left behind.
  mutating func look(_ core: PlayerCore, at now: Instant) {
    guard let variant = core.variantAskedFor,
      variant != uses.last?.variant
    else { return }
    add((now, variant), to: &uses)
  }
}
