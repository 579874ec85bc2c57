@_exported public import Autowait
@_exported public import LinkConditioner
@_exported public import PlayerPolicies
@_exported public import SimulatedPlayback
@_exported public import StreamingMedia
@_exported public import VirtualTime

/// A world in virtual time: a link, the players on it, and the loop that runs them.
///
/// The only part that knows the event loop. Everything else says what it wants to be woken for; the
/// world wakes it, hands on what it tells, and delivers every change to the observers in order.
public final class World {
  /// The order within an instant, and why.
  enum Step {
    /// Bytes that arrive at the instant at which they are due are in time, so they come first.
    static let arrivals = Phase(0)
    /// Then the playheads, which may need those bytes.
    static let playheads = Phase(1)
    /// Then the app, which sees what has happened.
    static let app = Phase(2)
    /// Last whoever looks on: everything of the instant that has a cause before it is done.
    static let onlookers = Phase(3)
  }

  enum Kind {
    static let link: UInt16 = 0
    static let player: UInt16 = 1
    static let timer: UInt16 = 2
    static let watch: UInt16 = 3
    static let glance: UInt16 = 4
    static let appointment: UInt16 = 5
  }

  // Looking out for overlapping accesses at run time cost a third of a run. There are none: the
  // floors below know no world, and an app is called back only between two changes.
  @exclusivity(unchecked) var queue: EventQueue
  @exclusivity(unchecked) var stage: Stage
  package let link: Link
  @exclusivity(unchecked) package private(set) var cores: [PlayerCore] = []
  /// The player objects by index of their cores; nil for a released one.
  package var faces: [Unmanaged<SimulatedPlayer>?] = []
  @exclusivity(unchecked) var watches = Watches()
  /// The wake-ups of several players, by their index; a single player's stand outside the queue.
  @exclusivity(unchecked) private var wakeUps: [WakeUp] = []
  // Perf: a retain and a release at every event were 2 % of a request. `cores` keeps it alive.
  @exclusivity(unchecked) private var single: Unmanaged<PlayerCore>?
  @exclusivity(unchecked) private var linkEvents: [LinkEvent] = []
  /// The callbacks of pending timers, and the free places among them.
  private var timers: [(() -> Void)?] = []
  private var freeTimers: [Int] = []
  var pendingTimers = 0
  var calendars: [Calendar] = []
  var observers: [Observer] = []
  var isDelivering = false
  var delivered = 0
  /// The number of records delivered before those that the log holds.
  var deliveredBefore: Int64 = 0
  var observationCount: Int64 = 0
  private var isFinished = false
  /// The policies that a player's settings can name, as registered when it is made.
  package var policies = PolicyRegistry()
  /// The number of assets that the app has made, and the loaded parts of those that are streams.
  var assetCount: Int32 = 0
  let assets = AssetShelf()

  /// A wake-up that somebody asked for, and the event that will bring it.
  private struct WakeUp {
    var instant = Instant.distantFuture
    var token: EventToken?
  }

  struct Observer {
    var id: ObservationToken
    var player: Int32?
    /// The first record that it is told of.
    var since: Int64
    var handler: (PlaybackRecord) -> Void
  }

  package init(link: Link, limits: RunLimits = RunLimits()) {
    queue = EventQueue(limits: limits)
    stage = Stage(link: link, log: PlaybackLog(isEnabled: false))
    self.link = link
    stage.home.object = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { stage.home.object = nil }

  /// Makes a world with a link that is like this; a run ends after a day unless limits say else.
  public convenience init(
    conditions: LinkConditions = .perfect, schedule: RateSchedule? = nil,
    fidelity: Fidelity = .fluid, seed: UInt64 = 0,
    limits: RunLimits = RunLimits(horizon: .zero + .seconds(86_400)),
    requests: RequestOptions? = nil, faults: FaultPlan = .none
  ) throws(LinkError) {
    self.init(
      link: try Link(
        conditions: conditions, schedule: schedule, fidelity: fidelity, seed: seed,
        requests: requests, faults: faults),
      limits: limits)
  }

  /// The present instant of virtual time.
  public var now: Instant { queue.now }

  /// Whether `isPlaybackLikelyToKeepUp` of a player that plays is kept up to date.
  package var showsReadiness: Bool {
    get { stage.showsReadiness }
    set { stage.showsReadiness = newValue }
  }

  /// Whether nobody looks at the steps of packets between the events that they lead to.
  @exclusivity(unchecked) package var skipsSteps = false
  /// Called before each event.
  package var beforeEvent: (() -> Void)?

  /// The events so far, each step of a packet and each answer of a search counted as one.
  package var eventCount: Int64 { queue.spentCount }

  /// The instant of the next event; the distant future where none is due.
  package var nextInstant: Instant {
    min(
      queue.peek?.instant ?? .distantFuture, max(now, min(link.nextWake, playhead.instant)))
  }

  package var pendingEventCount: Int { queue.count }
}

// MARK: - Time

extension World {
  /// Lets everything happen up to an instant, which is included.
  public func advance(to instant: Instant) {
    checkThatTimeMayMove()
    if beforeEvent != nil { run { nextInstant > instant } }
    while let event = queue.next(notAfter: instant, besides: arrival, playhead) {
      dispatch(event, notAfter: instant)
    }
    // A limit that was met leaves events behind that the clock must not pass over.
    let isClear = nextInstant > instant || nextInstant == .distantFuture
    if isClear, instant > now { queue.advance(to: instant) }
    for core in cores { core.begin(at: now) }
  }

  /// Lets a span of virtual time pass.
  public func advance(by span: TimeSpan) { advance(to: now + span) }

  /// Runs until nothing is left to happen, or a limit is met.
  @discardableResult
  public func run(until isDone: () -> Bool = { false }) -> EndReason {
    checkThatTimeMayMove()
    guard let beforeEvent else { return go(until: isDone) }
    return go {
      beforeEvent()
      return isDone()
    }
  }

  private func checkThatTimeMayMove() {
    precondition(!isDelivering && !isFinished, "time is moved by an observer or after the run")
  }

  private func go(until isDone: () -> Bool) -> EndReason {
    while !isDone() {
      guard let event = queue.next(besides: arrival, playhead) else {
        let reason = queue.endReason(besides: arrival, playhead) ?? .idle
        return reason == .idle && cores.allSatisfy { $0.isAtRest } ? .finished : reason
      }
      dispatch(event, until: isDone)
    }
    return .finished
  }

  /// Whether the app and its players have come to rest, so that nothing can be under way but what
  /// others do, or what becomes of the link.
  package var isLeftToItself: Bool {
    pendingTimers == 0 && watches.armedCount == 0
      && cores.allSatisfy {
        $0.isAtRest && !$0.isLoadingAhead
          && (!$0.hasItem || $0.hasFailed || $0.isPlaybackBufferFull)
      }
  }

  /// The next event of the link.
  private var arrival: StandingEvent {
    StandingEvent(at: link.nextWake, in: Step.arrivals, EventPayload(kind: Kind.link, subject: 0))
  }

  /// The next wake-up of a single player.
  private var playhead: StandingEvent {
    let due = single?._withUnsafeGuaranteedRef { $0.nextWake } ?? .distantFuture
    return StandingEvent(at: due, in: Step.playheads, EventPayload(kind: Kind.player, subject: 0))
  }

  private func dispatch(
    _ event: ScheduledEvent, notAfter latest: Instant = .distantFuture,
    until isDone: () -> Bool = { false }
  ) {
    switch event.payload.kind {
    case Kind.link:
      // Perf: most packet steps have no player event; queueing each was 13 % of a session over tcp.
      repeat {
        let steps = link.stepCount
        link.advance(to: now, into: &linkEvents)
        // One of them is the event.
        queue.charge(max(0, link.stepCount - steps - 1))
        if skipsSteps, linkEvents.isEmpty, watches.isEmpty { skipSteps(notAfter: latest) }
      } while linkEvents.isEmpty && watches.isEmpty && link.nextWake == nextInstant && !isDone()
        && queue.firesNext(at: link.nextWake, in: Step.arrivals, notAfter: latest)
      for index in linkEvents.indices { hand(linkEvents[index]) }
      while linkEvents.popLast() != nil {}
      if !stage.log.records.isEmpty { deliver() }
      wakeAtOnce()
    case Kind.player:
      wake(Int(event.payload.subject))
    case Kind.timer:
      pendingTimers -= 1
      callBack(Int(event.payload.argument))
    case Kind.glance:
      callBack(Int(event.payload.argument))
    case Kind.appointment:
      let (place, number) = (Int(event.payload.argument), Int(event.payload.subject))
      // Before anything else is scheduled by what is done now.
      if calendars[number].isLastPending(place) { scheduleAppointments(of: number) }
      calendars[number].action(place)
    default:
      fire(Int(event.payload.argument))
    }
    if stage.charged > 0 { charge(stage.takeCharge()) }
    afterwards()
  }

  /// Lets packets go on up to the first instant that anybody is told of.
  private func skipSteps(notAfter latest: Instant) {
    let due = min(queue.peek?.instant ?? .distantFuture, playhead.instant)
    let next = min(due, latest, queue.limits.horizon)
    let (steps, most) = (link.stepCount, queue.limits.eventBudget - queue.spentCount)
    guard let reached = link.run(to: next, steps: most, into: &linkEvents) else { return }
    let isNext = queue.firesNext(at: reached, in: Step.arrivals, notAfter: latest)
    assert(isNext, "nothing comes before the steps of packets")
    queue.charge(link.stepCount - steps - 1)
  }

  /// Wakes the one player for whom the link had news, where that comes next anyway.
  private func wakeAtOnce() {
    if let single {
      if single._withUnsafeGuaranteedRef({ $0.nextWake }) > now { return }
      if queue.firesNext(at: now, in: Step.playheads) { wake(0) }
      return
    }
    var due: Int?
    for index in cores.indices where cores[index].nextWake <= now {
      if due != nil { return }
      due = index
    }
    guard let due, queue.firesNext(at: now, in: Step.playheads) else { return }
    cores[due].wake(at: now, on: &stage)
  }

  private func wake(_ index: Int) {
    if let single {
      single._withUnsafeGuaranteedRef { $0.wake(at: now, on: &stage) }
    } else {
      wakeUps[index] = WakeUp()
      cores[index].wake(at: now, on: &stage)
    }
  }

  private func hand(_ event: LinkEvent) {
    let owner: Int32
    switch event {
    case .responded(_, let who), .completed(_, let who), .flowChanged(_, let who),
      .failed(_, let who, _, _):
      owner = who
    }
    if let single, owner == 0 {
      single._withUnsafeGuaranteedRef { $0.handle(event, at: now, on: &stage) }
    } else if owner >= 0, Int(owner) < cores.count {
      cores[Int(owner)].handle(event, at: now, on: &stage)
    }
  }

  /// Schedules new wake-ups and delivers records to the observers, after every change.
  func afterwards() {
    if single == nil { armPlayers() }
    if !watches.isEmpty { armWatches() }
    if !stage.log.records.isEmpty { deliver() }
  }

  private func armPlayers() {
    if !assets.isEmpty { for core in cores { core.hearOfAssets(at: now) } }
    for index in cores.indices {
      let instant = cores[index].nextWake
      if wakeUps[index].instant == instant { continue }
      if let token = wakeUps[index].token { _ = queue.cancel(token) }
      wakeUps[index].instant = instant
      wakeUps[index].token =
        instant == .distantFuture
        ? nil
        : queue.schedule(
          EventPayload(kind: Kind.player, subject: UInt16(index)), at: max(instant, now),
          phase: Step.playheads)
    }
  }

  /// Calls the app back after a span of time.
  public func after(_ span: TimeSpan, _ action: @escaping () -> Void) { at(now + span, action) }

  /// Calls the app back at an instant, after everything that arrives at it.
  public func at(_ instant: Instant, _ action: @escaping () -> Void) {
    schedule(action, at: instant, phase: Step.app)
  }

  /// Looks on at an instant, when everything else of it is done.
  package func lookOn(at instant: Instant, _ action: @escaping () -> Void) {
    schedule(action, at: instant, phase: Step.onlookers)
  }

  /// Looks on at an instant, if the app and its players have not come to rest before.
  package func glance(at instant: Instant, _ action: @escaping () -> Void) {
    schedule(action, at: instant, phase: Step.onlookers, kind: Kind.glance)
  }

  /// Calls the app back after a span of time, or early through the returned closure.
  package func timer(after span: TimeSpan, _ action: @escaping () -> Void) -> () -> Void {
    let (place, token) = schedule(action, at: now + span, phase: Step.app)
    return { [self] in
      if isFinished || !queue.cancel(token) { return }
      pendingTimers -= 1
      callBack(place)
    }
  }

  @discardableResult
  private func schedule(
    _ action: @escaping () -> Void, at instant: Instant, phase: Phase, kind: UInt16 = Kind.timer
  ) -> (place: Int, token: EventToken) {
    let place = freeTimers.popLast() ?? timers.count
    if place == timers.count { timers.append(action) } else { timers[place] = action }
    if kind == Kind.timer { pendingTimers += 1 }
    let payload = EventPayload(kind: kind, argument: UInt32(place))
    return (place, queue.schedule(payload, at: max(now, instant), phase: phase))
  }

  private func callBack(_ place: Int) {
    let action = timers[place]
    timers[place] = nil
    freeTimers.append(place)
    action?()
  }
}

// MARK: - Players and observers

extension World {
  /// Puts a player on the link.
  public func makePlayer(_ settings: PlayerSettings = PlayerSettings()) -> SimulatedPlayer {
    SimulatedPlayer(core: makeCore(settings), world: self)
  }

  /// Puts a player on the link whose seats are filled by a policy of the app's own, as far as it
  /// has something for them; the others are AVPlayer's.
  public func makePlayer(
    _ settings: PlayerSettings = PlayerSettings(), following policy: CustomPolicy
  ) -> SimulatedPlayer {
    makePlayer(settings.following(policy, in: &policies))
  }

  func makeCore(_ settings: PlayerSettings) -> PlayerCore {
    let core = PlayerCore(
      index: Int32(cores.count), settings: settings, policies, sharing: assets, at: now)
    cores.append(core)
    wakeUps.append(WakeUp())
    single = cores.count == 1 ? Unmanaged.passUnretained(core) : nil
    if cores.count == 2 { armPlayers() }
    faces.append(nil)
    if settings.networkResourcePriority != .standard {
      weigh(core, settings.networkResourcePriority)
    }
    return core
  }

  /// Takes everything from a player that nothing holds any more: "release AVPlayers … so that they
  /// do not waste bandwidth in the background" (WWDC16 503).
  func release(_ core: PlayerCore) {
    if isFinished { return }
    // Not at once: the last reference may go in the middle of a change. Only the world calls it,
    // and Embedded Swift has no checked unowned references.
    after(.zero) { [unowned(unsafe) self] in core.removeAllItems(at: now, on: &stage) }
  }

  // MARK: The link

  /// Changes what the link is like, from now on.
  public func setConditions(_ conditions: LinkConditions) throws(LinkError) {
    try link.setConditions(conditions, at: now)
    afterwards()
  }

  /// Switches a schedule on, from its beginning, or off.
  public func setSchedule(_ schedule: RateSchedule?) throws(LinkError) {
    try link.setSchedule(schedule, at: now)
    afterwards()
  }

  /// Puts competing downloads on the link.
  public func startTraffic(_ traffic: CompetingTraffic) -> TrafficID {
    defer { afterwards() }
    return link.startTraffic(traffic, at: now)
  }

  /// Ends downloads that `startTraffic` began.
  public func stopTraffic(_ id: TrafficID) { direct { $0.link.stopTraffic(id, at: now) } }

  /// Suspends the app's other downloads: "Suspend other network activity in your app during
  /// network playback" (WWDC16 503).
  public func suspendTraffic(_ id: TrafficID) {
    direct { $0.link.setTrafficSuspended(true, id, at: now) }
  }

  /// Lets suspended downloads go on.
  public func resumeTraffic(_ id: TrafficID) {
    direct { $0.link.setTrafficSuspended(false, id, at: now) }
  }

  // MARK: The end

  /// Closes the run's books, drops every callback, and says what does not balance.
  public func finish() -> [String] {
    if !isFinished {
      for core in cores { core.finish(at: now) }
      isFinished = true
      freeTimers = []
      // A callback that goes may end other observations: none goes before all are taken out.
      withExtendedLifetime((timers, calendars, watches, observers)) {
        (timers, calendars, watches, observers) = ([], [], Watches(), [])
      }
    }
    var faults: [String] = []
    if !link.books(at: now).balance {
      faults.append("bytes requested are not delivered, abandoned or outstanding")
    }
    if let packets = link.packetBooks,
      !packets.downlink.balances || !packets.uplink.balances
    {
      faults.append("packets sent are not delivered, lost, refused or in flight")
    }
    for core in cores where !core.booksBalance(at: now) {
      faults.append("player \(core.index): the time of the run is not booked exactly once")
    }
    for core in cores where !core.mediaBalances(at: now) {
      faults.append("player \(core.index): the playhead is not where rate × time and jumps put it")
    }
    return faults
  }
}

extension PlayerSettings {
  /// The same with a policy of the app's own, which is registered.
  package func following(
    _ policy: CustomPolicy, in registry: inout PolicyRegistry
  ) -> PlayerSettings {
    registry.register(policy)
    var settings = self
    for seat in policy.seats {
      // A policy has something for seats alone that a name can fill.
      try? settings.policy.fill(seat, with: policy.name)
    }
    return settings
  }
}

extension World {
  /// Delivers every change of every player, in order.
  @discardableResult
  public func observe(_ handler: @escaping (PlaybackRecord) -> Void) -> ObservationToken {
    observe(nil, handler)
  }

  /// Delivers what happens from now on, of one player or of all.
  package func observe(
    _ player: Int32?, _ handler: @escaping (PlaybackRecord) -> Void
  ) -> ObservationToken {
    observationCount += 1
    let id = ObservationToken(number: observationCount)
    let since = deliveredBefore + Int64(stage.log.records.count)
    observers.append(Observer(id: id, player: player, since: since, handler: handler))
    stage.log.isEnabled = true
    return id
  }

  package var tellsURIs: Bool {
    get { stage.log.keepsURIs }
    set { stage.log.keepsURIs = newValue }
  }

  /// Ends an observation, or a wait for a condition.
  public func stopObserving(_ id: ObservationToken) {
    // A handler that goes may end other observations.
    withExtendedLifetime(observers) { observers.removeAll { $0.id == id } }
    if id.number < 0 { forget(watch: Int(-1 - id.number)) }
  }

  /// Hands the observers what they have not seen; what a handler causes comes after it.
  func deliver() {
    if isDelivering { return }
    isDelivering = true
    let count = stage.log.records.count
    while delivered < stage.log.records.count {
      // A handler whose calls lead to the same record again would go on without end.
      if delivered - count >= queue.limits.roundsPerInstant {
        queue.isUsedUp = true
        break
      }
      let record = stage.log.records[delivered]
      let number = deliveredBefore + Int64(delivered)
      delivered += 1
      for observer in observers
      where observer.player ?? record.player == record.player && observer.since <= number
        && observers.contains(where: { $0.id == observer.id })
      {
        observer.handler(record)
      }
    }
    deliveredBefore += Int64(delivered)
    stage.log.records.removeAll(keepingCapacity: true)
    delivered = 0
    isDelivering = false
  }
}

extension SimulatedPlayer {
  /// `AVPlayer.networkResourcePriority`: it may change at any time, and what is being loaded goes
  /// on with it. That it does so at once is our assumption.
  public var networkResourcePriority: NetworkResourcePriority {
    get { core.networkResourcePriority }
    set {
      if newValue == core.networkResourcePriority { return }
      core.networkResourcePriority = newValue
      world.weigh(core, newValue)
      world.afterwards()
    }
  }
}

extension World {
  /// Whether the path is one that costs, such as a cellular one: for every item of every player.
  public var isNetworkExpensive: Bool {
    get { stage.isNetworkExpensive }
    set {
      if newValue == stage.isNetworkExpensive { return }
      stage.isNetworkExpensive = newValue
      for core in cores { core.surroundingsChanged(at: now, on: &stage) }
      afterwards()
    }
  }

  /// Gives a player's requests the shares of a priority.
  func weigh(_ core: PlayerCore, _ priority: NetworkResourcePriority) {
    link.setWeight(
      priority.weight, ofOwner: core.index, others: NetworkResourcePriority.standard.weight,
      at: now)
  }
}

// MARK: - Many instants that are known from the start

extension World {
  /// Calls back at each of many instants of the course of things, by its place among them, in the
  /// order of one `at` after the other; only the next is pending.
  ///
  /// None of them keeps a run going in which everything else has come to rest.
  package func course(
    _ count: Int, of instant: (Int) -> Instant, _ action: @escaping (Int) -> Void
  ) {
    if count == 0 { return }
    calendars.append(
      Calendar(
        count, of: instant, from: now, sequence: queue.reserve(UInt64(count)), action: action))
    scheduleAppointments(of: calendars.count - 1)
  }

  private func scheduleAppointments(of number: Int) {
    for entry in calendars[number].takeNext() {
      _ = queue.schedule(
        EventPayload(
          kind: Kind.appointment, subject: UInt16(number), argument: UInt32(entry.place)),
        at: entry.instant, phase: Step.app,
        sequence: calendars[number].firstSequence + UInt64(entry.place))
    }
  }

  /// Takes work beyond that of events off the budget.
  package func charge(_ events: Int64) { queue.charge(events) }
}
