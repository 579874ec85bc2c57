package import PlayerPolicies
package import SimulatedPlayback
package import VirtualTime

/// The variants and items of a run, as the screen shows them.
///
/// Of each list the first thousands are kept.
package struct RunStory: Sendable {
  package private(set) var firstVariant: InitialVariant?
  package private(set) var firstItem: String?
  /// Those of which something was asked for.
  package var switches: [VariantChange] { Array(decided[..<askedFor]) }
  /// From when on which variant the next segment was of.
  package var variants: [(start: Instant, variant: Int64)] {
    uses.filter { use in
      !decided[askedFor...].contains { $0.instant == use.start && $0.to == use.variant }
    }
  }
  /// The number of switches that led to a request, those included that are not kept.
  package private(set) var allSwitches = 0
  /// The reasons for which no higher variant was taken, each from where it became one.
  package private(set) var kept:
    [(instant: Instant, variant: Int64, clause: VariantClause, item: String?)] = []
  /// Falls of likely to keep up, and changes of the rate that the app did not ask for.
  package private(set) var lapses: [Record] = []
  private var decided: [VariantChange] = []
  /// The number of them that led to a request, and of all that were decided.
  /// A field log may tell of switches without requests.
  private var (askedFor, decidedCount) = (0, 0)
  private var uses: [(start: Instant, variant: Int64)] = []
  package private(set) var items: [(start: Instant, name: String)] = []
  package private(set) var transitions: [(end: Instant, transition: Transition)] = []
  package private(set) var failures: [Failure] = []
  private let namesItems: Bool
  /// The item that is current, and the variants of items to come.
  private var current: String?
  private var chosen: [(item: String?, variant: Int64)] = []

  package struct VariantChange: Hashable, Sendable {
    package var instant: Instant
    package var from: Int64
    package var to: Int64
    package var reason: SwitchReason
    package var item: String?
  }

  package struct Transition: Sendable {
    package var from: String
    package var to: String
    package var gap: TimeSpan
    package var kind: ItemTransition.Kind
    /// The reason for which it was noticed; nil where it was not.
    package var reason: ItemTransition.Reason?
    package var silence: MediaTime
  }

  package struct Failure: Sendable {
    package var instant: Instant
    package var item: String?
    package var failure: PlaybackFailure
  }

  private static let most = 4_096

  package init(namesItems: Bool) { self.namesItems = namesItems }

  package mutating func see(_ record: Record) {
    let now = record.instant
    guard case .player(let observation) = record.event else { return }
    if case .variantChosen(let choice) = observation {
      if firstVariant == nil || firstVariant?.reason == .probe {
        (firstVariant, firstItem) = (choice, record.item)
      }
      choose(Int64(choice.variant), record)
    } else if case .variantSwitchStarted(let from, let to, let reason, _) = observation {
      decidedCount += 1
      add(
        VariantChange(
          instant: now, from: Int64(from), to: Int64(to), reason: reason, item: record.item),
        to: &decided)
      choose(Int64(to), record)
    } else if case .variantKept(let variant, let clause, _) = observation {
      add((now, Int64(variant), clause, record.item), to: &kept)
    } else if case .likelyToKeepUp(false, _, _, _) = observation {
      add(record, to: &lapses)
    } else if case .rate(_, _, _?) = observation {
      add(record, to: &lapses)
    } else if case .resourceRequested(_, let kind, _, let origin) = observation {
      if origin.track == .main, kind == .mediaSegment || kind == .mediaPlaylist {
        (askedFor, allSwitches) = (decided.count, decidedCount)
      }
    } else if case .variantSwitched = observation {
      (askedFor, allSwitches) = (decided.count, decidedCount)
    } else if case .currentItem(let isPresent) = observation {
      // The buffer went with the item before.
      lapses.removeAll { $0.instant == now && !$0.isRate }
      if !isPresent { return }
      if namesItems { add((now, record.item ?? ""), to: &items) }
      current = record.item
      if let choice = chosen.last(where: { $0.item == current }) { use(choice.variant, at: now) }
      chosen.removeAll { $0.item == current }
    } else if case .itemTransition(let transition) = observation {
      let (from, to) = namesItems ? (record.itemBefore ?? "", record.item ?? "") : ("", "")
      add(
        (
          now - transition.gap,
          Transition(
            from: from, to: to, gap: transition.gap, kind: transition.kind,
            reason: transition.reason, silence: transition.silence)
        ), to: &transitions)
    } else if case .itemFailed(let failure) = observation {
      add(
        Failure(instant: now, item: namesItems ? record.item ?? "" : nil, failure: failure),
        to: &failures)
    }
  }

  private func add<Part>(_ part: Part, to list: inout [Part]) {
    if list.count < Self.most { list.append(part) }
  }

  /// The next segment of an item is of a variant; of an item to come it counts from its turn on.
  private mutating func choose(_ variant: Int64, _ record: Record) {
    if record.item == current { return use(variant, at: record.instant) }
    chosen.removeAll { $0.item == record.item }
    chosen.append((record.item, variant))
  }

  private mutating func use(_ variant: Int64, at now: Instant) {
    if uses.last?.variant != variant { add((now, variant), to: &uses) }
  }
}

extension Record {
  package var isRate: Bool {
    if case .player(.rate) = event { true } else { false }
  }
}
