import ExactText
import LinkConditioner
import Recording
package import ScenarioFormat
package import SimulatedPlayback
package import SimulatedWorld
package import VirtualTime

/// - Throws: where an external policy gives no answer, and errors of a link that was never
///   checked would throw; a scenario that was read does not.
package func run(
  _ scenario: consuming Scenario, options: RunOptions = RunOptions()
) throws(RunError) -> RunOutcome {
  let conversations = try PolicyConversations(scenario, options)
  defer { conversations.close() }
  let session = try RunSession(of: scenario, options: options, conversations)
  session.prepare()
  let outcome = session.goOn()
  if let error = conversations.error { throw error }
  return outcome
}

/// One run under way: the world, the app's script, and those who look on.
package final class RunSession {
  let scenario: Scenario
  let options: RunOptions
  package let world: World
  package let player: SimulatedPlayer
  package let queuePlayer: SimulatedQueuePlayer?
  var items: PlayedItems
  var loop: Loop?
  // Each line is written, counted and kept through these; looking out for overlapping accesses at
  // run time costs a tenth of it. None of them calls back.
  @exclusivity(unchecked) var trace: TraceWriter
  @exclusivity(unchecked) private(set) var evidence: Evidence
  @exclusivity(unchecked) private(set) var folds: PlayerFolds
  @exclusivity(unchecked) private var buffer: BufferRecorder
  @exclusivity(unchecked) private(set) var curves: RunCurves?
  var moments = MomentKeeper()
  var link: LinkSwitch
  var stepsDone: [Instant?]
  var stepOrder: [Int] = []
  /// The steps that wait for each step, by the bytes of its name, so that none searches the script.
  let followers: [[UInt8]: [Int]]
  /// Forecasts of the `project` steps: an instant, and its playhead by timebase and by rate.
  var projections: [Projection] = []
  private let needsEvents: Bool
  private let keepsBuffer: Bool
  /// Known for each line: to ask the options would copy their instants.
  private let keepsTrace: Bool
  private var rates = RateRecorder()
  private var traffic: [TrafficID] = []
  private(set) var leaked: [SimulatedPlayer] = []
  private var released: [Int] = []
  /// The rate before the interruption; nil while the audio session is the app's.
  var rateBefore: PlaybackRate?
  /// Whether the app is in the background without background audio.
  var isInBackground = false
  /// The step that is being done, and what was refused or assumed so far.
  var stepUnderWay: Int?
  var refusals: [RunWarning] = []
  /// The session that this player's belongs to; nil for the first player.
  private let host: RunSession?
  package let name: String?
  let conversations: PolicyConversations
  /// The sessions of the further players.
  package private(set) var guests: [RunSession] = []
  /// Interstitials, which suspend the main player, on players of their own.
  private(set) var interstitials: [Interstitial] = []

  /// A run whose policies all run inside.
  package convenience init(of scenario: Scenario, options: RunOptions) throws(RunError) {
    try self.init(of: scenario, options: options, PolicyConversations(scenario, options))
  }

  convenience init(
    of scenario: consuming Scenario, options: RunOptions, _ talks: PolicyConversations
  ) throws(RunError) {
    let world = try World(of: scenario)
    self.init(scenario, options: options, in: world, host: nil, name: nil, talks)
    // Perf: reading the stored scenario lets the parameter be moved, not copied.
    leaked = self.scenario.leakedPlayers.map { _ in world.makePlayer() }
    guests = self.scenario.others.map {
      RunSession($0.scenario, options: options, in: world, host: self, name: $0.name, talks)
    }
  }

  private init(
    _ scenario: consuming Scenario, options: RunOptions, in world: World, host: RunSession?,
    name: String?, _ conversations: PolicyConversations
  ) {
    self.host = host
    self.name = name
    self.options = options
    keepsTrace = options.keepsTrace
    self.conversations = conversations
    conversations.register(name, in: world)
    link = LinkSwitch(plan: scenario.link)
    stepsDone = Array(repeating: nil, count: scenario.script.count)
    items = PlayedItems(scenario, heuristic: options.heuristic)
    let script = scenario.script
    followers = Dictionary(grouping: script.indices) {
      Array((script[$0].trigger.precedingStep ?? "").utf8)
    }
    trace = TraceWriter(keeping: options.trace)
    keepsBuffer = options.folds == .all || options.keepsTrace
    folds = PlayerFolds(
      of: scenario, isShown: options.folds == .all, host == nil ? options.moments : [])
    buffer = BufferRecorder(scenario.fidelity)
    curves = options.keepsCurves ? RunCurves(of: scenario) : nil
    evidence = Evidence(scenario.expectations)
    self.world = world
    var settings = scenario.player
    if host == nil, let own = options.policy {
      settings = settings.following(own, in: &world.policies)
    }
    queuePlayer = scenario.queue != nil ? world.makeQueuePlayer(settings) : nil
    player = queuePlayer ?? world.makePlayer(settings)
    let needsLines =
      options.keepsTrace || scenario.expectations.contains { $0.needsEvents }
      || scenario.script.contains { $0.trigger.isEvent }
    needsEvents = needsLines || options.folds != .figures
    // Perf: a URI costs as much as the rest of a request's record; only lines of the trace have it.
    world.tellsURIs = host != nil && world.tellsURIs || needsLines
    if needsEvents || options.keepsCurves || scenario.looksAtReadiness {
      world.showsReadiness = true
    }
    self.scenario = scenario
  }

  /// Goes on to the end, and sums the run up.
  package func goOn() -> RunOutcome {
    world.beforeEvent = nil
    var (steps, told): (Int64, Int64) = (0, 0)
    world.skipsSteps = !keepsBuffer && options.moments.isEmpty && !conversations.isUsed
    // Perf: a study's session has no observer of single events.
    let isWatched = !world.skipsSteps || goesOnByItself
    var end = world.run {
      steps &+= 1
      // Perf: the world is asked for its count now and then.
      if steps & 0x3F == 0, world.eventCount - told > 0xFFFF {
        told = world.eventCount
        options.beat?(world.now, scenario.limits.horizon)
      }
      if !isWatched { return false }
      recordStep()
      if conversations.isUsed, !conversations.goOn(in: self) { return true }
      // Activity that renews itself does not prolong a run in which all else has come to rest.
      if goesOnByItself && world.isLeftToItself { return true }
      if !options.moments.isEmpty, world.nextInstant < .distantFuture {
        folds.keepMoments(
          of: player.core, before: min(world.nextInstant, scenario.limits.horizon))
      }
      return false
    }
    // A wait that nothing will end lasts, however little there is left to happen.
    let isOver = end == .idle || end == .finished
    if end == .horizon || isOver && ([self] + guests).contains(where: { $0.standsStill }) {
      // Traffic goes on to the horizon, and each of its lines is behind the rates before it.
      var next = world.nextInstant
      while keepsBuffer, next <= scenario.limits.horizon {
        recordRates(until: next)
        world.advance(to: next)
        next = world.nextInstant > next ? world.nextInstant : .distantFuture
      }
      if keepsBuffer { recordRates(until: scenario.limits.horizon) }
      world.advance(to: scenario.limits.horizon)
    }
    _ = conversations.goOn(in: self)
    let areAllPaused = ([self] + guests).allSatisfy { $0.player.core.machine.control == .paused }
    if end == .idle, areAllPaused { end = .finished }
    if isOver, ([self] + guests).contains(where: { $0.isStarved }) { end = .idle }
    let faults = world.finish()
    if keepsBuffer { for session in [self] + guests { session.finishFolds() } }
    let outcome = RunOutcome(of: self, end: end, faults: faults)
    // A guest knows its host.
    (guests, interstitials) = ([], [])
    return outcome
  }

  /// Whether its player stands still and was to go on.
  private var standsStill: Bool {
    let outcome = PlaybackOutcome(of: player.core)
    return outcome == .stalled || outcome == .neverPlayed && player.core.isToPlay
  }

  private var isStarved: Bool { standsStill && player.core.isPlaybackBufferEmpty }

  /// Whether something happens to the link whoever plays.
  private var goesOnByItself: Bool {
    !traffic.isEmpty || !scenario.link.outages.isEmpty || !leaked.isEmpty
  }

  // MARK: Before the first event

  package func prepare(listening: (RunSession) -> Void = { $0.listen() }) {
    if options.keepsTrace {
      trace.header(
        seed: scenario.seed, heuristic: options.heuristic.map { $0.text },
        files: scenario.files, scenario: scenario.document)
    }
    listening(self)
    if let trace = scenario.link.trace { note(TraceEvent(trace)) }
    traffic = scenario.traffic.map { world.startTraffic($0.traffic) }
    planCourse(of: self)
    if keepsBuffer { recordRates(until: world.now) }
    let leaks = scenario.leakedPlayers
    world.course(leaks.count, of: { leaks[$0].begins }) { [self] index in
      if !released.contains(index) { leaked[index].replaceCurrentItem(with: leaks[index].item) }
    }
    armAll()
    begin()
    for (guest, other) in zip(guests, scenario.others) {
      listening(guest)
      guest.armAll()
      if other.interstitial == nil { guest.begin() }
    }
    interstitials = zip(scenario.others, guests).compactMap { other, guest in
      other.interstitial.map { Interstitial($0, of: self, on: guest) }
    }
    for interstitial in interstitials { interstitial.begin() }
  }

  private func listen() { if needsEvents { player.observe { [self] in tell($0) } } }

  /// Brings what is there from the start.
  private func begin() {
    if scenario.itemIsCurrentAtStart { bringItem() }
    loopFromStart()
  }

  /// Starts looping that does not wait for the script, once.
  func loopFromStart() {
    if scenario.looping?.beginsAtStart == true, loop == nil { startLooping() }
  }

  private func armAll() {
    for index in scenario.script.indices { arm(index, after: nil) }
    for (index, expectation) in scenario.expectations.enumerated() {
      MomentKeeper.arm(expectation, index, of: self)
    }
  }

  /// The session that owns the link and writes the trace.
  var owner: RunSession { host ?? self }

  /// Releases one of the leaked players, with all that it has under way.
  func releaseLeaked(_ number: Int) {
    guard leaked.indices.contains(number - 1) else {
      let verb = leaked.count == 1 ? "is" : "are"
      return refuse("there \(verb) \(counted(Int64(leaked.count), "leaked player"))")
    }
    released.append(number - 1)
    leaked[number - 1].replaceCurrentItem(with: nil)
  }

  /// The traffic of a name that was there when the scenario was read.
  func trafficID(_ name: String) -> TrafficID {
    let index = scenario.traffic.firstIndex { isSameText($0.name, name) }
    precondition(index != nil, "the names in a script are those of traffic")
    return traffic[index ?? 0]
  }

  // MARK: While it runs

  /// The requests and waits of the start, as far as it has come.
  var startup: StartupReport {
    let books = player.core.books
    return folds.startup.result(asked: books.firstRequest, books.startupSpans)
  }

  /// Records buffers and rates as an instant leaves them, where that says something new.
  package func recordStep() {
    if !keepsBuffer || world.nextInstant <= world.now { return }
    recordBuffer()
    for guest in guests { guest.recordBuffer() }
    // Rates are told ahead, and the run may end here.
    let next = goesOnByItself && world.isLeftToItself ? world.now : world.nextInstant
    recordRates(until: next <= scenario.limits.horizon ? next : world.now)
  }

  func recordBuffer() {
    if !keepsBuffer { return }
    for sample in buffer.look(player.core, at: world.now) {
      record(Record(.buffer(sample), at: world.now))
      assert(
        options.folds != .all || folds.states.agrees(with: player.core),
        "every change of the state is a record")
      if keepsTrace { note(TraceEvent(sample, at: world.now)) }
    }
  }

  private func finishFolds() {
    buffer.askForSample(at: world.now)
    recordBuffer()
    folds.finish(at: world.now)
    curves?.finish(at: world.now)
  }

  func record(_ record: consuming Record) {
    folds.nameItem(of: &record)
    folds.see(record)
    curves?.see(record)
    if keepsBuffer { buffer.see(record.event) }
  }

  /// Records the rates of the link up to an instant before which nothing happens, and now.
  private func recordRates(until next: Instant) {
    let now = world.now
    world.link.tellRates(from: now, until: max(next, now + TimeSpan(nanoseconds: 1))) {
      instant, bits in
      guard let rate = rates.next(bits) else { return }
      record(Record(.linkRate(rate), at: instant))
      if keepsTrace { trace.write(TraceEvent(rate), at: instant) }
    }
  }

  /// Puts a line into the trace, and tells the expectations that wait for one like it.
  func note(_ made: @autoclosure () -> TraceEvent, at told: Instant? = nil) {
    if told == nil, conversations.isUsed { _ = conversations.goOn(in: owner) }
    let instant = told ?? world.now
    if !needsEvents { return }
    let event = made()
    assert(EventShape.allows(event), "one of the listed members of “\(event.name)”")
    if keepsTrace { owner.trace.write(event.of(name), at: instant) }
    evidence.keep(event, at: instant)
    moments.eventHappened(event, self)
  }

  // MARK: The link

  /// Gives the link the conditions that the switch, the script and the outages make together.
  func applyConditions() { changeLink(try world.setConditions(link.effectiveConditions)) }

  func applySchedule() { changeLink(try world.setSchedule(link.effectiveSchedule)) }

  private func changeLink(_ change: @autoclosure () throws(LinkError) -> Void) {
    do throws(LinkError) {
      try change()
    } catch {
      note(TraceEvent(.refused, nil, .text(error.description)))
    }
  }
}

// The logs that are left when the run is over.

extension RunOutcome {
  /// The media that the first player played of each declared bit rate, by the rates.
  package var played: [PlayedVariant] {
    var played: [PlayedVariant] = []
    for new in itemLogs.flatMap({ $0.player == nil ? $0.logs.indicators.playedVariants : [] }) {
      if let place = played.firstIndex(where: { $0.bitRate == new.bitRate }) {
        played[place].media = played[place].media + new.media
      } else {
        played.append(new)
      }
    }
    return played.sorted { $0.bitRate < $1.bitRate }
  }

  /// Variants of the first player, each with its first instant under the playhead and its media.
  package var shownVariants: [(start: Instant, variant: Int64, source: MediaSource?)] {
    itemLogs.filter { $0.player == nil }.flatMap { item in
      item.logs.indicators.shownVariants.map { ($0.start, $0.variant, item.playedSource) }
    }.sorted { $0.start < $1.start }
  }

  /// The periods of one variant each, of all items of the first player.
  package var watchedPeriods: [AccessLogEvent] {
    itemLogs.filter { $0.player == nil }.flatMap { $0.logs.accessLog?.events ?? [] }
  }
}

extension RunSession {
  func logs(of item: SimulatedPlayerItem?) -> RunLogs {
    let (core, now) = (player.core, world.now)
    let log = core.accessLog(of: item, at: now)
    return RunLogs(
      accessLog: log, errorLog: core.errorLog(of: item),
      indicators: core.indicators(of: item, log, at: now))
  }

  /// The logs of every item that was played, in the order in which they came.
  ///
  /// They are kept with their items, of which a day of looping makes no more: a looper puts its
  /// copies back, and a rewind is a seek, which begins another event in the log of its one item.
  var itemLogs: [ItemLogs] {
    let played = playedItems
    return played.enumerated().map { place, current in
      let number = scenario.queue == nil ? nil : current.number
      let item = number.map { self.name(of: $0) } ?? "item \(place + 1)"
      var logs = ItemLogs(
        player: name, item: played.count > 1 ? item : nil,
        logs: logs(of: current), startup: current.startup,
        playedSource: current.hasMoved ? current.settings.source : nil)
      let isForeign = items.foreign.contains { $0 === current }
      if current.hasMoved, !isForeign, let number = current.number {
        logs.playedMedia = items.name(of: number, in: player.core)
      }
      return logs
    }
  }

  /// The place of the current item's logs among them.
  var currentLogs: Int? { playedItems.firstIndex { $0 === player.currentItem } }

  private var playedItems: [SimulatedPlayerItem] {
    items.played(loop?.looper?.loopingPlayerItems ?? [])
  }

  // MARK: Items

  /// Makes the item current, or enqueues what stands in the queue from the start.
  func bringItem() {
    if scenario.queue == nil { return replaceItem(with: nil) }
    let isBelt = scenario.looping?.way == .treadmill && scenario.looping?.beginsAtStart == true
    for kind in isBelt ? [] : items.takeEnqueued() { insert(kind, after: nil) }
  }

  func replaceItem(with name: String?) {
    guard let item = takeItem(named: name) else { return refuse("the item is current already") }
    attempt(try player.makeCurrent(item))
  }

  func carryOut(_ edit: QueueEdit) {
    switch edit {
    case .insert(let name, let other):
      insert(items.items(named: name), after: other.flatMap { items.items(named: $0).last })
    case .remove(let name): for item in items.items(named: name) { queuePlayer?.remove(item) }
    case .removeAllItems: queuePlayer?.removeAllItems()
    case .advanceToNextItem: queuePlayer?.advanceToNextItem()
    case .startLooping:
      if isLooping { refuse("the media loops already") } else { startLooping() }
    case .disableLooping:
      if !isLooping { return refuse("nothing is looped") }
      loop?.stop()
      if loop?.looper == nil { loop = nil }
    }
  }

  private func insert(_ kind: [SimulatedPlayerItem], after other: SimulatedPlayerItem?) {
    guard let queuePlayer else { return }
    attempt(try queuePlayer.insert(kind, after: other))
  }

  /// Takes the scenario's item, or the first of a name; nil where it has no such name.
  package func takeItem(named name: String? = nil) -> SimulatedPlayerItem? {
    guard let name else { return items.takeSingle() }
    return items.takeNamed(name, besides: player.currentItem)
  }

  /// Changes how the item of a name is played; without a name the current one, or where there is
  /// none yet, all that are still to come.
  func change(_ name: String?, _ change: (inout ItemSettings) -> Void) {
    let targets =
      name.map { items.items(named: $0) } ?? player.currentItem.map { [$0] } ?? items.all()
    for item in targets { player.change(item, change) }
  }

  // MARK: Looping

  private var isLooping: Bool { loop.map { $0.looper?.status != .cancelled } ?? false }

  func startLooping() {
    guard let plan = scenario.looping else { return }
    if plan.way == .rewind { loop = .rewind(RewindLoop(player)) }
    guard let queuePlayer else { return }
    switch plan.way {
    case .rewind: break
    case .treadmill:
      attempt(loop = .treadmill(try Treadmill(queuePlayer, items: items.enqueued().flatMap { $0 })))
    case .looper: startLooper(plan, queuePlayer)
    }
  }

  private func startLooper(_ plan: LoopingPlan, _ queuePlayer: SimulatedQueuePlayer) {
    var template = items.upcoming.settings
    template.asset = QueueReader.mediaAsset
    do throws(LooperError) {
      loop = .looper(
        try SimulatedPlayerLooper(
          player: queuePlayer, templateItem: template, timeRange: plan.timeRange,
          existingItemsOrdering: plan.loopsFirst
            ? .loopingItemsPrecedeExistingItems : .loopingItemsFollowExistingItems,
          replicaCount: plan.copies ?? SimulatedPlayerLooper.replicaCount,
          durationLoadedAfter: plan.durationLoadedAfter))
    } catch {
      refuse(error.words)
    }
  }

  // MARK: Names

  /// Names the item that a record is about, where events of its kind say that.
  func name(_ told: inout Record, _ shape: EventShape, _ record: PlaybackRecord) {
    if !shape.namesItem || record.observation == .currentItem(isPresent: false) { return }
    told.item = items.name(of: record.item, in: player.core)
    if case .itemTransition(let transition) = record.observation {
      told.itemBefore = items.name(of: transition.from, in: player.core)
    }
  }

  func name(of number: Int32) -> String { items.name(of: number, in: player.core) ?? "" }
}

enum Loop {
  case rewind(RewindLoop)
  case treadmill(Treadmill)
  case looper(SimulatedPlayerLooper)

  var looper: SimulatedPlayerLooper? { if case .looper(let looper) = self { looper } else { nil } }

  func stop() {
    switch self {
    case .rewind(let loop): loop.stop()
    case .treadmill(let treadmill): treadmill.disableLooping()
    case .looper(let looper): looper.disableLooping()
    }
  }
}

// Events of the player, with the link's facts about its requests.

extension RunSession {
  /// Puts what became different in the player into the trace; an app may bring items of its own.
  package func tell(_ record: PlaybackRecord, ofApp isApp: Bool = false) {
    let observation = record.observation
    if isApp, case .currentItem(true) = observation {
      items.note(player.currentItem)
    }
    var told = Record(.player(observation), at: record.instant)
    var event = TraceEvent.line(of: observation)
    if scenario.queue != nil || !scenario.singles.isEmpty {
      name(&told, event.shape, record)
      event = event.with(item: told.item, from: told.itemBefore)
    }
    if let id = observation.timedRequest {
      told.steps = world.link.timings(of: id).flatMap { RequestSteps($0) }
      event = event.with(told.steps)
    }
    self.record(told)
    note(event)
    if case .timeControl(_, let rule, _) = observation { warnOfAssumption(behind: rule, event) }
    guard let (id, origin) = observation.begunRequest else { return }
    if let old = origin.retries { note(TraceEvent(.requestRetry, .id(id), .id(old))) }
    if let fault = world.link.timings(of: id)?.fault { note(TraceEvent(fault, of: id)) }
  }
}

extension PlaybackObservation {
  var begunRequest: (id: TransferID, origin: RequestOrigin)? {
    if case .requestStarted(let id, _, let origin) = self { return (id, origin) }
    if case .resourceRequested(let id, _, _, let origin) = self { return (id, origin) }
    return nil
  }
}
