package import Autowait
import PlayerPolicies
import StreamingMedia
package import VirtualTime

/// What is played and how: the machine, the current item with its timebase, the pipeline before it,
/// and the books.
///
/// It knows neither a queue nor an app: what comes next is decided above it.
package struct Playback: ~Copyable {
  let index: Int32
  let settings: PlayerSettings
  // Asked for at every instant: to look at a part of the settings copies them all.
  let hasQueue: Bool
  let showsPictures: Bool
  private let playUsesDefaultRate: Bool
  package var machine: AutowaitMachine
  package var books: PlayerBooks
  package var item: PlayerItem?
  package var pipeline = Pipeline()
  /// Until when is set up what shows anything at all; nil before the first item.
  var setUpAt: Instant?
  /// An end that was reached and that nothing has followed yet.
  var transition: PendingTransition?
  /// What the machine has not been told yet.
  var news: News?
  /// A start on an external timeline that waits for its first byte.
  var hostStart: HostStart?
  /// What was said of the buffer of the item before, where another has taken its place since.
  var saidBefore: BufferCondition?
  /// `automaticallyWaitsToMinimizeStalling`, which the contract may override for a kind of media.
  package var waitsProperty: Bool
  package var defaultRate: PlaybackRate
  private var evaluationEnds = Instant.distantFuture

  package init(index: Int32, _ settings: PlayerSettings, at now: Instant) {
    self.index = index
    self.settings = settings
    hasQueue = settings.hasQueue
    showsPictures = settings.display != nil
    playUsesDefaultRate = settings.contract.playUsesDefaultRate
    waitsProperty = settings.waitsByDefault
    defaultRate = settings.defaultRate
    books = PlayerBooks(at: now)
    machine = AutowaitMachine(
      waitsAutomatically: waitsProperty, evaluatesFirst: settings.evaluationPeriod > .zero)
  }

  /// What `play()` asks for.
  package var rateOfPlay: PlaybackRate {
    playUsesDefaultRate && !defaultRate.isZero ? defaultRate : .normal
  }

  /// What records of its current item name.
  var subject: Subject { Subject(player: index, item: item?.number ?? 0) }

  /// Closes the books for the time that has passed under the present state.
  package mutating func begin(at now: Instant) {
    books.close(
      machine.control, waitingOut: machine.waitsOut, item?.timebase.rate ?? .zero, at: now)
  }
}

// MARK: - What the machine is told

extension Playback {
  /// Hands the machine an event and carries out its answer; false when no rule fired.
  @discardableResult
  package mutating func send(_ event: PlaybackEvent, at now: Instant, on stage: inout Stage) -> Bool
  {
    let previous = machine.rate
    let rule = machine.handle(event, item?.shown)
    noteRate(since: previous, rule, at: now, on: &stage)
    return apply(rule, at: now, on: &stage)
  }

  /// Carries out what a transition means for the timebase, the books and the log.
  private mutating func apply(
    _ rule: TransitionRule?, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let rule else { return false }
    if rule == .evaluatesFirst || rule == .itemIsEvaluated {
      evaluationEnds = now + settings.evaluationPeriod
    }
    // What goes on after an end is told where it goes on.
    if rule == .endRunsOn || rule == .endAdvances { return true }
    if machine.control.isWaiting { transition?.hasWaited = true }
    if rule != .rateChangedPlaying && rule != .rateChangedWaiting && rule != .liveEdgeSlows {
      stage.log.note(
        .timeControl(machine.control, rule, clause(behind: rule)), of: subject, at: now)
    }
    followMachine(at: now, on: &stage)
    return true
  }

  /// What the policy said of the buffer, where a rule goes by that.
  private func clause(behind rule: TransitionRule) -> ReadinessClause? {
    guard rule.goesByReadiness, machine.waitsAutomatically, let item else { return nil }
    let (clause, condition) = (item.verdict.clause, item.condition)
    if machine.control == .playing {
      return !condition.isLikelyToKeepUp && condition.isFull ? .bufferFull : clause
    }
    // What is likely, and yet waited for, has nothing under the playhead.
    return condition.isLikelyToKeepUp ? .nothingLoaded : clause
  }

  func noteRate(
    since previous: PlaybackRate, _ rule: TransitionRule?, at now: Instant, on stage: inout Stage
  ) {
    if machine.rate == previous { return }
    var reason = RateChangeReason(rule)
    // The reason came with iOS 26.4; that the rate goes back under older contracts as well, and
    // nothing says why, is our assumption.
    if reason == .playheadReachedLiveEdge && !settings.contract.tellsLiveEdge { reason = nil }
    stage.log.note(.rate(machine.rate, previous: previous, reason), of: subject, at: now)
  }

  /// Tells the machine what there is to tell, with the buffer as it is known to be; false where
  /// there is nothing.
  mutating func announce(at now: Instant, on stage: inout Stage) -> Bool {
    guard let told = news else { return false }
    news = nil
    switch told {
    case .asked(let event, _), .suspension(let event):
      if item != nil { send(.bufferChanged, at: now, on: &stage) }
      send(event, at: now, on: &stage)
    case .arrived:
      takeOver(wasPlaying: false, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: true), of: subject, at: now)
    case .followed(let wasPlaying):
      takeOver(wasPlaying: wasPlaying, at: now, on: &stage)
    case .ranDry(let position, let clause):
      send(.ranDry(.consumed), at: now, on: &stage)
      stage.log.note(.stalled(position, clause), of: subject, at: now)
    }
    return true
  }

  /// Lets the item that followed another play on, or wait.
  private mutating func takeOver(wasPlaying: Bool, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    let canPlay =
      machine.waitsAutomatically ? item.condition.permitsPlaying : item.condition.holdsAnything
    if machine.control == .playing && canPlay {
      send(.bufferChanged, at: now, on: &stage)
      followMachine(at: now, on: &stage)
    } else {
      send(.itemArrived, at: now, on: &stage)
    }
    if wasPlaying, item.timebase.rate.isZero {
      stage.log.note(.timebase(.zero, from: item.timebase.anchorTime), of: subject, at: now)
    }
  }

  /// Gives the machine the mode that the contract makes of the property for this kind of media.
  package mutating func adoptWaiting(at now: Instant, on stage: inout Stage) {
    let waits = item.map { settings.waits(for: $0.settings.source.kind, property: waitsProperty) }
    send(.setWaitsAutomatically(waits ?? waitsProperty), at: now, on: &stage)
  }

  mutating func endEvaluation(at now: Instant, on stage: inout Stage) -> Bool {
    isEvaluating && evaluationEnds <= now && send(.evaluationEnded, at: now, on: &stage)
  }

  var isEvaluating: Bool { machine.control == .waiting(.evaluatingBufferingRate) }

  /// When the brief evaluation is over, where there is one.
  var evaluationDue: Instant { isEvaluating ? evaluationEnds : .distantFuture }
}

// MARK: - Items that come and go

extension Playback {
  /// Makes an item current that has its media open; what is to be told of it is left to the caller.
  package mutating func take(_ new: PlayerItem, at now: Instant) {
    item = new
    new.begins(stalledSoFar: books.stalled, at: now)
    new.timebase.set(time: new.timebase.anchorTime, rate: .zero, at: now)
    books.placed(at: new.timebase.anchorTime)
  }

  /// Another item begins, and not because one before it ended: its start is a startup.
  mutating func itemBegins() {
    if transition != nil { return }
    _ = machine.handle(.itemBegins, nil)
    books.itemBegins()
  }

  /// Takes leave of the current item.
  package mutating func leave(_ old: PlayerItem, at now: Instant, on stage: inout Stage) {
    if old.pendingSeek != nil { finishSeek(false, inBuffer: false, at: now, on: &stage) }
    old.finishPreroll(false, at: now, on: &stage)
    books.left(at: old.timebase.anchorTime)
    old.timebase.set(time: old.timebase.anchorTime, rate: .zero, at: now)
    old.sitsAt = nil
    old.isStarved = false
    old.isPastEnd = false
    old.filledAt = nil
    send(.itemLeft, at: now, on: &stage)
    item = nil
    old.ends(stalledSoFar: books.stalled, at: now)
  }
}

// MARK: - What the app asks

extension Playback {
  /// Makes room for a request for a rate.
  package mutating func prepareToAsk(for rate: PlaybackRate, at now: Instant) {
    hostStart = nil
    if !rate.isZero { books.appAsked(at: now) }
    // How long somebody pauses says nothing of the way from one item to the next.
    if rate.isZero { transition = nil }
    leaveHostTimeline(at: now)
  }

  package mutating func setWaits(_ waits: Bool, at now: Instant, on stage: inout Stage) {
    if waits != waitsProperty {
      waitsProperty = waits
      // A start that would be refused now does not come either.
      if waits { hostStart = nil }
      stage.log.note(.waitsAutomatically(waits), of: subject, at: now)
    }
    adoptWaiting(at: now, on: &stage)
  }
}

/// A start on an external timeline that waits for its first byte.
struct HostStart {
  var rate: PlaybackRate
  var time: MediaTime?
}

extension PlayerItem {
  /// From now on it is played: what its media brings, and how long it stalls, is its own.
  ///
  /// - Parameter stalledSoFar: How long its player has stalled in all.
  fileprivate func begins(stalledSoFar: TimeSpan, at now: Instant) {
    stalledSince = stalledSoFar
    guard let media, let logs else { return }
    if let before = receivedWhenLeft {
      receivedBefore += media.loader.received(at: now) - before
      receivedWhenLeft = nil
    }
    media.loader.tell(logs, at: now)
  }

  /// It is left; another item of its asset may go on with its media.
  fileprivate func ends(stalledSoFar: TimeSpan, at now: Instant) {
    stalled += stalledSoFar - stalledSince
    receivedWhenLeft = media?.loader.received(at: now)
  }
}
