import ExactText
import Recording
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

extension RunSession {
  /// Arms the steps that wait for a step, or with nil those that wait for none.
  func arm(_ index: Int, after done: String?) {
    let step = scenario.script[index]
    switch step.trigger {
    case .at(let instant):
      if done != nil { return }
      if step.appDelay > .zero { world.at(instant) { [self] in noteTap(index) } }
      world.at(instant + step.appDelay) { [self] in perform(index) }
    case .after(let name, let span): if done == name { hear(index, after: span) }
    case .when(let condition, let name):
      if done != name { return }
      world.when(condition, of: player) { [self] in
        if step.appDelay > .zero { noteTap(index) }
        let delay = step.appDelay + (step.isNotified ? player.core.latency.both : .zero)
        if delay == .zero { return perform(index) }
        world.after(delay) { [self] in perform(index) }
      }
    case .event(let pattern, let number, let name):
      if done == name { moments.waiting.append((pattern, number, { $0.hear(index) })) }
    }
  }

  /// Does a step whose event or step has come; what it causes comes after that.
  func hear(_ index: Int, after span: TimeSpan = .zero) {
    let delay = scenario.script[index].appDelay
    if delay > .zero { world.after(span) { [self] in noteTap(index) } }
    world.after(span + delay) { [self] in perform(index) }
  }

  /// The app's own code begins that a step waits for; a tap precedes one that asks to play.
  private func noteTap(_ index: Int) {
    let step = scenario.script[index]
    note(TraceEvent(.tap, .text(step.name)))
    if case .asks = step.action.bearing { player.userTaps() }
  }

  private func perform(_ index: Int) {
    if stepsDone[index] != nil { return }
    let step = scenario.script[index]
    stepsDone[index] = world.now
    stepOrder.append(index)
    stepUnderWay = index
    defer { stepUnderWay = nil }
    note(step.event)
    if isInBackground, case .asks(let rate) = step.action.bearing, rate?.isZero != true {
      refuse("without background audio an app does not play in the background")
    } else {
      carryOut(step.action, step.item)
    }
    for other in followers[Array(step.name.utf8)] ?? [] { arm(other, after: step.name) }
    moments.stepHappened(step.name, self)
  }

  private func carryOut(_ action: AppAction, _ item: String?) {
    switch action {
    case .play: player.play()
    case .tap: player.userTaps()
    case .pause: setRate(.zero)
    case .playImmediately(let rate): player.playImmediately(atRate: rate)
    case .setRate(let rate): setRate(rate)
    case .setDefaultRate(let rate): player.defaultRate = rate
    case .seek(let time, let tolerance):
      warnOfCancelledSeek(to: time)
      attempt(try player.seek(to: time, within: tolerance))
    case .call(let call): perform(call)
    case .endInterruption(let resumes): endInterruption(resumes)
    case .enterBackground(let playsOn): if !playsOn { perform(.halt(.appBackgrounded)) }
    case .enterForeground: isInBackground = false
    case .setPreferredMaximumResolution(let pixels):
      change(item) { $0.source.constrain { $0.preferredMaximumResolution = pixels } }
    case .replaceItem(let name): replaceItem(with: name)
    case .setWaitsAutomatically(let waits): player.automaticallyWaitsToMinimizeStalling = waits
    case .setForwardPlaybackEndTime(let time): change(item) { $0.forwardPlaybackEndTime = time }
    case .setActionAtItemEnd(let action): attempt(try player.setActionAtItemEnd(action))
    case .setPreferredForwardBufferDuration(let duration):
      change(item) { $0.preferredForwardBufferDuration = duration }
    case .setPreferredPeakBitRate(let rate):
      change(item) { $0.source.constrain { $0.preferredPeakBitRate = rate } }
    case .select(let selection): change(item) { _ = $0.select(selection) }
    case .setExpensiveNetwork(let isExpensive): world.isNetworkExpensive = isExpensive
    case .setNetworkResourcePriority(let priority): player.networkResourcePriority = priority
    case .setLayer(let pixels): player.setLayer(pixels)
    case .setTrackEnabled(_, let track, let isEnabled):
      change(item) { _ = $0.setTrack(track, enabled: isEnabled) }
    case .beginSuspension(let suspension): attempt(try player.setSuspended(true, by: suspension))
    case .endSuspension(let suspension): attempt(try player.setSuspended(false, by: suspension))
    case .setRateAtHostTime(let rate, let time, let hostTime):
      let instant = hostTime.map { $0.instant(at: world.now) }
      attempt(try player.setRate(rate, time: time, atHostTime: instant))
    case .loadValues: player.loadValues(of: items.upcoming.settings)
    case .seekToLive: player.seekToLive()
    case .setPreservesOffset(let preserves): change(item) { $0.live.preservesOffset = preserves }
    case .setConfiguredOffset(let offset): change(item) { $0.live.configuredOffset = offset }
    case .setUsesNetworkWhilePaused(let uses):
      change(item) { $0.live.usesNetworkWhilePaused = uses }
    case .setItem: bringItem()
    case .edit(let edit): carryOut(edit)
    case .removeItem: player.replaceCurrentItem(with: nil)
    case .link(let action): action.carryOut(in: owner)
    case .project(let span): project(span)
    case .showPanel: showPanel()
    }
  }

  /// Foretells the playhead by timebase and by rate, and looks later where it is.
  private func project(_ span: TimeSpan) {
    let instant = world.now + span
    let index = projections.count
    projections.append(
      (player.projectedTime(at: instant), player.projectedTimeByRequestedRate(at: instant), nil))
    world.at(instant) { [self] in
      let actual = player.currentTime()
      projections[index].actual = actual
      let projection = projections[index]
      note(
        TraceEvent(
          .projection, .time(actual), .time(projection.byTimebase), .time(projection.byRate)))
    }
  }

  /// Records the panel of this instant, with all that comes of it.
  private func showPanel() {
    record(Record(.panelAsked, at: world.now))
    world.lookOn(at: world.now) { [self] in recordBuffer() }
  }

  private func perform(_ call: PlayerCall) {
    if call == .halt(.audioSessionInterrupted) { rateBefore = rateBefore ?? player.rate }
    if call == .halt(.appBackgrounded) { isInBackground = true }
    attempt(try player.perform(call))
  }

  /// A pause within an interruption outlasts it.
  private func setRate(_ rate: PlaybackRate) {
    if rate.isZero, rateBefore != nil { rateBefore = .zero }
    player.rate = rate
  }

  private func endInterruption(_ resumes: Bool) {
    perform(.endInterruption)
    if resumes, !isInBackground, let rateBefore, !rateBefore.isZero { player.rate = rateBefore }
    rateBefore = nil
  }

  /// Makes a call; an exception of AVPlayer becomes a line of the trace here, and the run goes on.
  func attempt(_ call: @autoclosure () throws(PlayerError) -> Void) {
    do throws(PlayerError) {
      try call()
    } catch {
      refuse(error.words)
    }
  }
}

extension AppAction.HostTime {
  func instant(at now: Instant) -> Instant {
    switch self {
    case .at(let instant): instant
    case .fromNow(let nanoseconds): now + TimeSpan(nanoseconds: nanoseconds)
    }
  }
}

extension ScriptStep {
  var event: TraceEvent {
    let item: [(String, TraceValue)] = item.map { [("item", .text($0))] } ?? []
    let named: [(String, TraceValue)] = isSameText(name, verb) ? [] : [("step", .text(name))]
    return TraceEvent(.app, named: [("do", .text(verb))] + action.members + item + named)
  }
}

extension ScriptStep.Trigger {
  /// Whether it waits for an event, so that they have to be told.
  var isEvent: Bool { if case .event = self { true } else { false } }

  var precedingStep: String? {
    switch self {
    case .at: nil
    case .after(let name, _): name
    case .when(_, let name), .event(_, _, let name): name
    }
  }
}

extension Scenario {
  /// Whether a condition or an expectation may read the readiness of a player that plays.
  var looksAtReadiness: Bool {
    expectations.contains {
      if case .properties(_, let claims) = $0.claim { !claims.isEmpty } else { true }
    }
      || script.contains {
        if case .when(.likelyToKeepUp, _) = $0.trigger { true } else { false }
      }
  }
}
