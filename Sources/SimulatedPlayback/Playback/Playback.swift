package import Autowait
import PlayerPolicies
package import VirtualTime

/// The state of playback: machine, current item with its timebase, pipeline before it, and books.
///
/// It knows neither a queue nor an app: what comes next is decided above it.
package struct Playback: ~Copyable {
  let index: Int32
  private let constant: Constant<PlayerSettings>
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
  /// The pending event that the machine has not been told yet.
  var news: News?
  /// A start on an external timeline that waits for its first byte.
  var hostStart: HostStart?
  /// The last reported buffer condition of the previous item, if another has replaced it since.
  var saidBefore: BufferCondition?
  /// `automaticallyWaitsToMinimizeStalling`, which the contract may override for a kind of media.
  package var waitsProperty: Bool
  package var defaultRate: PlaybackRate
  private(set) var evaluationEnds = Instant.distantFuture

  package init(index: Int32, _ settings: PlayerSettings, at now: Instant) {
    self.index = index
    constant = Constant(settings)
    hasQueue = settings.hasQueue
    showsPictures = settings.display != nil
    playUsesDefaultRate = settings.contract.playUsesDefaultRate
    waitsProperty = settings.waitsByDefault
    defaultRate = settings.defaultRate
    books = PlayerBooks(at: now)
    machine = AutowaitMachine(
      waitsAutomatically: waitsProperty, evaluatesFirst: settings.evaluationPeriod > .zero)
  }

  var settings: PlayerSettings { constant.value }

  package var rateOfPlay: PlaybackRate {
    playUsesDefaultRate && !defaultRate.isZero ? defaultRate : .normal
  }

  var subject: Subject { Subject(player: index, item: item?.number) }

  /// Closes the books for the time that has passed under the present state.
  package mutating func begin(at now: Instant) {
    books.close(
      machine.control, waitingOut: machine.waitsOut, item?.timebase.rate ?? .zero, at: now)
  }

  // MARK: - Events for the machine

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
    // Playback that continues after an end is logged at the place where it continues.
    if rule == .endRunsOn || rule == .endAdvances { return true }
    if machine.control.isWaiting { transition?.hasWaited = true }
    if rule != .rateChangedPlaying && rule != .rateChangedWaiting && rule != .liveEdgeSlows {
      stage.log.note(
        .timeControl(machine.control, rule, clause(behind: rule)), of: subject, at: now)
    }
    followMachine(at: now, on: &stage)
    return true
  }

  /// The policy's clause about the buffer, where a rule depends on it.
  private func clause(behind rule: TransitionRule) -> ReadinessClause? {
    guard rule.goesByReadiness, machine.waitsAutomatically, let item else { return nil }
    let (clause, condition) = (item.verdict.clause, item.condition)
    if machine.control == .playing {
      return !condition.isLikelyToKeepUp && condition.isFull ? .bufferFull : clause
    }
    // Likely to keep up, and yet waiting: nothing is loaded under the playhead.
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

  /// Tells the machine the news, with the buffer as it is known to be; false where there are none.
  mutating func announce(at now: Instant, on stage: inout Stage) -> Bool {
    guard let told = news else { return false }
    news = nil
    switch told {
    // The buffer is judged for the new rate already: a player that waits goes on at that one.
    case .asked(let event, let rate, _)
    where machine.control.isWaiting && !rate.isZero && rate != machine.rate:
      send(event, at: now, on: &stage)
      send(.bufferChanged, at: now, on: &stage)
    case .asked(let event, _, _), .suspension(let event):
      if item != nil { send(.bufferChanged, at: now, on: &stage) }
      send(event, at: now, on: &stage)
    case .arrived:
      takeOver(wasPlaying: false, at: now, on: &stage)
      stage.log.note(.currentItem(isPresent: true), of: subject, at: now)
    case .followed(let wasPlaying):
      takeOver(wasPlaying: wasPlaying, at: now, on: &stage)
    case .ranDry(let position, let clause):
      send(.ranDry(.consumed), at: now, on: &stage)
      // The pipeline of a start was still filling.
      if books.isStarting { break }
      books.ranDry(position, clause, at: now)
      item?.logs?.ranDry()
      stage.log.note(.stalled(position, clause), of: subject, at: now)
    }
    if case .asked(_, _, isCall: true) = told { item?.judgement?.hear(.asked) }
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

  var isEvaluating: Bool { machine.control == .waiting(.evaluatingBufferingRate) }

  // MARK: - Items that come and go

  /// Makes an item current that has its media open; nothing has been told of it yet.
  package mutating func take(_ new: PlayerItem, at now: Instant) {
    item = new
    new.condition = .nothing
    // From now on what its media brings, and how long it stalls, is its own.
    new.stalledSince = books.stalled
    if let opened = new.opened, let logs = new.logs {
      if let before = new.receivedWhenLeft {
        new.receivedBefore += opened.received(at: now) - before
        new.receivedWhenLeft = nil
      }
      opened.tell(logs, at: now)
      // An item that could be played before has waited for another item only.
      if let opened = logs.opened { logs.likelyToKeepUp(at: opened) }
    }
    new.timebase.set(time: new.timebase.anchorTime, rate: .zero, at: now)
    books.placed(at: new.timebase.anchorTime)
  }

  /// Another item begins, and not because one before it ended: its start is a startup.
  mutating func itemBegins() {
    if transition != nil { return }
    _ = machine.handle(.itemBegins, nil)
    books.itemBegins()
  }

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
    // Another item of its asset may go on with its media.
    old.stalled += books.stalled - old.stalledSince
    old.receivedWhenLeft = old.opened?.received(at: now)
  }

  // MARK: - Calls of the app

  /// Makes room for a request for a rate.
  package mutating func prepareToAsk(
    for rate: PlaybackRate, at now: Instant, on stage: inout Stage
  ) {
    hostStart = nil
    // A pause by the user says nothing about the gap between two items.
    if rate.isZero { transition = nil } else { books.appAsked(at: now) }
    leaveHostTimeline(at: now, on: &stage)
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

// The reported condition of the buffer, and the next instant at which it could change by itself.
//
// Perf: methods that run at every instant are `mutating` even where they change nothing: a call
// that only reads would copy the whole of a `Playback`.

extension Playback {
  /// Says anew what is to be said of the buffer.
  mutating func judge(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: inout Stage
  ) {
    let isMoving =
      machine.control == .playing && news?.stallClause == nil && news?.bringsItem != true
      && !item.isStarved && !item.isPastEnd
    if isMoving, news == nil, !stage.showsReadiness,
      loader.policy.isReadinessShownOnly(of: item, loader)
    {
      item.verdict.changesAt = .distantFuture
    } else {
      item.verdict = verdict(item, loader, place, at: now, on: stage)
    }
    // The buffer "has as much as it's going to. So […] you might as well": of an item with nothing
    // left to try, what there is is played out, by a player that waits as well.
    let isAllThereIs = loader.failure != nil && place.loadedEnd > place.position
    noteBuffer(
      item, loader.policy, place, isMoving: isMoving, isHeld: loader.isHeld || isAllThereIs,
      at: now, on: &stage)
  }

  /// Notes the condition of the buffer, by the last verdict about it.
  ///
  /// - Parameter isHeld: Whether no more comes in before something is played.
  mutating func noteBuffer(
    _ item: PlayerItem, _ policy: PlayerPolicy, _ place: BufferPlace, isMoving: Bool,
    isHeld: Bool, at now: Instant, on stage: inout Stage
  ) {
    let (loadedEnd, end) = (place.loadedEnd, item.end)
    let isAtEnd = place.position >= end
    // Less than a frame to show under a playhead that stands, with more to come, is nothing.
    let condition = BufferCondition(
      isEmpty: (!isMoving || isAtEnd)
        && (loadedEnd <= place.position || item.verdict.clause == .frameShown
          || loadedEnd < min(place.position + item.loader.frame, end)),
      isFull: isHeld || loadedEnd >= end,
      isLikelyToKeepUp: item.verdict.answer, isAtEnd: isAtEnd,
      startsWhenFull: policy.startsWhenFull)
    let old = item.condition
    let said = saidBefore ?? old
    saidBefore = nil
    item.condition = condition
    item.note(condition, after: old, said, loadedEnd: loadedEnd, policy, at: now, on: &stage)
  }

  /// Whether a stream plays, and nothing but its loading and the next stop of its playhead can be
  /// due; its loader and the queue are looked at elsewhere.
  mutating func isUndisturbed(_ item: PlayerItem, _ loader: MediaLoader) -> Bool {
    machine.control == .playing && item.isMoving && !item.isFreeOfMedia && hostStart == nil
      && news == nil && item.pendingSeek == nil && !item.awaitsPreroll && item.sitsAt == nil
      && item.status == .readyToPlay && item.opened?.parsedAt != nil
      && loader.policy.isReadinessShownOnly(of: item, loader)
  }

  private mutating func verdict(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> ReadinessVerdict {
    let ladder = describe(item, loader, place, at: now, on: stage)
    let verdict = loader.policy.judge(item, &item.snapshot, ladder)
    item.isJudgedMoving = item.snapshot.wait == .nothing
    if let stream = loader.stream {
      stream.awaitsBytes =
        !verdict.answer && verdict.changesAt != .distantFuture && item.snapshot.wait != .nothing
        && item.judgement?.looksAtInflow == true
    }
    return verdict
  }

  /// Notes in an item's snapshot what the policy is shown of it; returns the variants beside it.
  mutating func describe(
    _ item: PlayerItem, _ loader: MediaLoader, _ place: BufferPlace, at now: Instant,
    on stage: borrowing Stage
  ) -> Ladder {
    item.snapshot.now = now
    // A policy may stop a playhead that has something under it.
    item.snapshot.wait = news?.stallClause ?? .dry == .dry ? machine.wait : .stall
    item.snapshot.waitBegan = .zero
    item.snapshot.rate = wantedRate
    item.snapshot.playhead = place.position
    item.snapshot.loadedEnd = place.loadedEnd
    item.snapshot.end = item.end
    item.snapshot.frame = loader.stream?.choice.frame
    return loader.describe(&item.snapshot, place, item, at: now, on: stage)
  }

  /// The rate that is asked for, before it is granted, or that play would ask for.
  var wantedRate: PlaybackRate {
    let asked = news?.rate ?? .zero
    let requested = asked.isZero ? machine.rate : asked
    return requested.isZero ? rateOfPlay : requested
  }

  /// The next instant at which something is due, its loading aside.
  mutating func nextInstant(_ item: PlayerItem, after now: Instant) -> Instant {
    var next = Instant.distantFuture
    if machine.control == .playing, !item.isPastEnd {
      next = item.timebase.instant(reaching: item.end)
      next = min(next, item.isStarved ? item.isCaughtUp(after: now) : item.runsDryAt ?? next)
    }
    if item.isPastEnd { next = item.usesUp(after: now) }
    if awaitsPipeline || item.awaitsPreroll, pipelineReadyAt > now {
      next = min(next, pipelineReadyAt)
    }
    if isEvaluating { next = min(next, evaluationEnds) }
    // Of a playhead without media under it nothing better can be said before it is caught up.
    if !item.isStarved && !item.isPastEnd, item.verdict.changesAt > now {
      next = min(next, item.verdict.changesAt)
    }
    return next
  }

  /// Asks for what is missing of an item, up to the limit.
  mutating func load(
    _ item: PlayerItem, _ loader: MediaLoader, at now: Instant, on stage: inout Stage
  ) {
    if item.isLive, let live = loader.stream?.live {
      let mayLoad =
        item.settings.live.usesNetworkWhilePaused ?? settings.contract.usesNetworkWhilePaused
      live.memory.isQuiet = machine.control == .paused && !mayLoad && live.memory.soughtAt == nil
    }
    item.snapshot.rate = wantedRate
    loader.steer(item, hostStart, at: now, on: &stage)
  }
}

extension PlayerItem {
  /// Notes what has become of the buffer, against what it was and what was said of it.
  fileprivate func note(
    _ condition: BufferCondition, after old: BufferCondition, _ said: BufferCondition,
    loadedEnd: MediaTime, _ policy: PlayerPolicy, at now: Instant, on stage: inout Stage
  ) {
    if condition.isEmpty != old.isEmpty || condition.isEmpty != said.isEmpty {
      stage.log.note(.bufferEmpty(condition.isEmpty), of: subject, at: now)
    }
    if condition.isFull != old.isFull || condition.isFull != said.isFull {
      stage.log.note(.bufferFull(condition.isFull), of: subject, at: now)
    }
    let isLikely = condition.isLikelyToKeepUp
    if isLikely != old.isLikelyToKeepUp || isLikely != said.isLikelyToKeepUp {
      if isLikely { logs?.likelyToKeepUp(at: now) }
      let estimate = policy.running.estimate(of: snapshot.source).bitsPerSecond
      stage.log.note(
        .likelyToKeepUp(isLikely, verdict.clause, loadedEnd: loadedEnd, estimate: estimate),
        of: subject, at: now)
    }
    guard let late = verdict.late, snapshot.wait != .nothing, stage.log.isEnabled else { return }
    // Over packets a forecast moves with each of them.
    if let forecast {
      let moved = (now + late - forecast.start).nanoseconds.magnitude
      if moved < 1_000_000 || now < forecast.told + .milliseconds(100) { return }
    }
    forecast = (now, now + late)
    let estimate = policy.running.estimate(of: snapshot.source).bitsPerSecond
    stage.log.note(.forecast(late: late, estimate: estimate), of: subject, at: now)
  }
}

// The timebase moves as soon as the machine says playing and the pipeline is set up and full.

extension Playback {
  /// Whether the timebase stands for no other reason than work on the pipeline.
  package var awaitsPipeline: Bool {
    machine.control == .playing && item?.timebase.rate.isZero == true
  }

  package mutating func buildPipeline(for item: PlayerItem, at now: Instant, on stage: inout Stage)
  {
    pipeline.drop(at: now)
    if setUpAt == nil { setUpAt = now + item.loader.policy.sink.setUp }
    work(.build, of: item, lasting: settings.pipeline.build, at: now, on: &stage)
    if machine.rate.isZero {
      work(.stillFrame, of: item, lasting: settings.pipeline.stillFrame, at: now, on: &stage)
    }
  }

  /// Fills the pipeline with an item; answers when it will be full.
  package mutating func fill(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Instant
  {
    parse(item, at: now)
    // The player sets up what shows an item once.
    let warmUp = item.hasMoved ? .zero : item.loader.policy.sink.warmUp
    // The setup in parallel to the loading may take longer than that.
    let begins = max(item.opened?.parsedAt ?? now, setUpAt ?? now)
    return work(
      .preroll, of: item, lasting: settings.pipeline.preroll + warmUp, from: begins, at: now,
      on: &stage)
  }

  /// Throws away what was decoded: it is of another place, or all used up.
  package func drainPipeline() { item?.filledAt = nil }

  /// The instant at which the timebase may move; never while the pipeline is not being filled.
  package var pipelineReadyAt: Instant {
    guard let filled = item?.filledAt else { return .distantFuture }
    return max(filled, pipeline.readyAt)
  }

  /// Lets the timebase go once the pipeline is ready.
  mutating func leavesPipeline(at now: Instant, on stage: inout Stage) -> Bool {
    if let item, item.awaitsPreroll, item.status == .readyToPlay {
      // At the end nothing is left to be decoded.
      let (time, end) = (item.time(at: now), item.end)
      if item.filledAt == nil, item.loadedEnd(at: now) > time || time >= end {
        item.filledAt = fill(item, at: now, on: &stage)
      }
      if pipelineReadyAt <= now { item.finishPreroll(true, at: now, on: &stage) }
    }
    guard awaitsPipeline, pipelineReadyAt <= now else { return false }
    followMachine(at: now, on: &stage)
    return true
  }

  @discardableResult
  mutating func work(
    _ work: PipelineWork, of item: PlayerItem, lasting span: TimeSpan,
    from start: Instant = .zero, at now: Instant, on stage: inout Stage
  ) -> Instant {
    let done = pipeline.take(work, lasting: span, at: max(start, now))
    if span > .zero { stage.log.note(.pipeline(work, until: done), of: item.subject, at: now) }
    return done
  }

  /// Reads through the index of an item's media, once, when it is there.
  package mutating func parse(_ item: PlayerItem, at now: Instant) {
    guard let loader = item.opened, loader.parsedAt == nil, loader.isReady else { return }
    loader.parsedAt = pipeline.parse(lasting: settings.pipeline.parse, at: now)
  }

  /// Fills the pipeline for the items to come, as deep as they are short.
  ///
  /// "If item B is super short, then AVFoundation may even start work on the transition to item C"
  /// (WWDC16 503): an item is prepared when those between it and the current one play for less
  /// than a preroll lasts. That several are filled side by side is our assumption.
  mutating func prerollAhead(_ items: [PlayerItem], at now: Instant, on stage: inout Stage) {
    guard let item, item.filledAt != nil, settings.pipeline.preroll > .zero else { return }
    let rate = machine.rate.isZero ? rateOfPlay : machine.rate
    var before = item
    var between = TimeSpan.zero
    for (depth, next) in items.enumerated() {
      if between >= settings.pipeline.preroll { break }
      if let most = settings.pipeline.lookAheadDepth, depth >= most { break }
      if next.filledAt == nil, TransitionPlan(from: before, to: next, settings).overlaps,
        next.loader.isReady, next.loader.failure == nil,
        next.loadedEnd(at: now) > next.time(at: now)
      {
        next.filledAt = fill(next, at: now, on: &stage)
      }
      between = between + rate.span(toPlay: max(.zero, next.end - next.time(at: now)))
      before = next
    }
  }
}
