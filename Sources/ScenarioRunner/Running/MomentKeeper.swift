import Autowait
import Recording
import ScenarioFormat
import SimulatedWorld
import VirtualTime

/// Waits for the moments of the expectations, and keeps what was so at each.
struct MomentKeeper {
  typealias Sighting = (values: [PropertyValue?], instant: Instant, control: TimeControl)

  /// By the expectation's index; nil while its moment has not come.
  var sightings: [Sighting?] = []
  /// The events that are waited for: how many are still to come, and what is done then.
  var waiting: [(pattern: EventPattern, left: Int64, act: (RunSession) -> Void)] = []
  private var waitingForStep: [String: [(index: Int, after: TimeSpan)]] = [:]

  mutating func eventHappened(_ event: TraceEvent, _ session: RunSession) {
    for place in waiting.indices where event.matches(waiting[place].pattern) {
      waiting[place].left -= 1
      if waiting[place].left == 0 { waiting[place].act(session) }
    }
  }

  mutating func stepHappened(_ name: String, _ session: RunSession) {
    for entry in waitingForStep[name] ?? [] {
      session.readProperties(of: entry.index, at: session.world.now + entry.after)
    }
  }

  /// Has the properties of an expectation read when its moment comes.
  static func arm(_ expectation: Expectation, _ index: Int, of session: RunSession) {
    session.moments.sightings.append(nil)
    guard case .properties(let moment, _) = expectation.claim else { return }
    switch moment {
    case .at(let instant): session.readProperties(of: index, at: instant)
    case .after(let step, let span):
      session.moments.waitingForStep[step, default: []].append((index, span))
    case .event(let pattern, let number, let span):
      session.moments.waiting.append(
        (pattern, number, { $0.readProperties(of: index, at: $0.world.now + span) }))
    case .end: break
    }
  }
}

extension Expectation {
  var needsEvents: Bool {
    switch claim {
    case .order, .count, .properties(.event, _): true
    case .properties(.at, let claims), .properties(.after, let claims),
      .properties(.end, let claims):
      claims.contains { $0.property.scope == .summaryOfEvents }
    }
  }
}

extension RunSession {
  /// Reads the properties of an expectation when everything else of an instant is done.
  func readProperties(of index: Int, at instant: Instant) {
    world.lookOn(at: instant) { [self] in readProperties(of: index, end: nil) }
  }

  func readProperties(of index: Int, end: EndReason?) {
    guard case .properties(_, let claims) = scenario.expectations[index].claim else { return }
    player.core.begin(at: world.now)
    let source = PropertySource(
      player, at: world.now, end: end, looper: loop?.looper?.status,
      projection: projections.last { $0.actual != nil },
      name: { [self] in name(of: $0) }, stageCount: { [self] in startup.stageCount })
    moments.sightings[index] = (
      claims.map { $0.property.value(source) }, world.now, player.core.machine.control
    )
  }
}
