import LinkConditioner
import VirtualTime

/// Drives the transport as the measured clients drove theirs.
struct SimulatedSession {
  private struct ClientState {
    var id: ConnectionID?
    var next = 0
    var startedAt: Int64 = 0
    var due: Int64 = .max
    var requested: Int64 = 0
    var isUnderWay = false
    var isDone = false
  }

  private let plan: SessionPlan
  private(set) var transport: PacketTransport
  private(set) var result: [SimulatedRequest] = []
  private var states: [ClientState] = []
  private let start: Int64
  private var steps: Int64 = 0

  private static let requestBytes: Int64 = 400
  private static let headerBytes: Int64 = 250
  /// Longer than anything that was measured.
  private static let horizon: Int64 = 4_000_000_000_000

  /// The start is at an arbitrary turn of the timer wheel, as it was in each measured run.
  init(_ plan: SessionPlan, seed: UInt64) {
    self.plan = plan
    var phases = RandomStream(seed: seed, name: "timer phase")
    start = Int64(phases.next(below: 4_096_000_000)) + 1_000_000_000
    var conditions = plan.conditions
    if let first = plan.schedule.first {
      conditions.downlink.bandwidth = .limited(.bitsPerSecond(first))
    }
    transport = PacketTransport(conditions, options: plan.path, seed: seed)
    states = plan.clients.map { ClientState(due: start + nanoseconds($0.startMilliseconds)) }
  }

  mutating func run() {
    var events: [TransportEvent] = []
    let end = start + Self.horizon
    while zip(states, plan.clients).contains(where: { !$0.isDone && !$1.endsWithTheOthers }) {
      let limit = states.reduce(min(nextStep, end)) { min($0, $1.due) }
      if limit == end, transport.nextWake.nanoseconds > end { return }
      events.removeAll(keepingCapacity: true)
      let now = transport.advance(to: Instant(nanoseconds: limit), into: &events).nanoseconds
      for event in events { hear(event, at: now) }
      if now == nextStep { changeRate(at: now) }
      for index in states.indices where states[index].due <= now { begin(index, at: now) }
    }
  }

  private var nextStep: Int64 {
    plan.schedule.isEmpty ? .max : start + (steps + 1) * plan.step.nanoseconds
  }

  private mutating func changeRate(at now: Int64) {
    steps += 1
    let rate = plan.schedule[Int(steps % Int64(plan.schedule.count))]
    var conditions = plan.conditions
    conditions.downlink.bandwidth = .limited(.bitsPerSecond(rate))
    transport.change(to: conditions, at: Instant(nanoseconds: now))
  }

  private mutating func begin(_ index: Int, at now: Int64) {
    states[index].due = .max
    states[index].startedAt = now
    states[index].isUnderWay = true
    let instant = Instant(nanoseconds: now)
    let request = plan.clients[index].requests[states[index].next]
    if let id = states[index].id, !request.opensConnection {
      self.request(index, on: id, at: instant)
    } else {
      // A connection that another one follows stays open and is used no more.
      states[index].requested = 0
      states[index].id = transport.open(plan.clients[index].options, at: instant)
    }
  }

  private mutating func request(_ index: Int, on id: ConnectionID, at now: Instant) {
    let bytes = plan.clients[index].requests[states[index].next].bytes + Self.headerBytes
    states[index].requested += bytes
    transport.send(Self.requestBytes, answeredBy: bytes, on: id, at: now)
  }

  private mutating func hear(_ event: TransportEvent, at now: Int64) {
    switch event {
    case .established(let id):
      guard let index = client(of: id) else { return }
      request(index, on: id, at: Instant(nanoseconds: now))
    case .requestArrived:
      break
    case .delivered(let id, let bytes):
      guard let index = client(of: id), states[index].isUnderWay,
        bytes >= states[index].requested
      else { return }
      finish(index, at: now)
    case .failed(let id, _):
      guard let index = client(of: id) else { return }
      states[index].isDone = true
    }
  }

  private func client(of id: ConnectionID) -> Int? { states.firstIndex { $0.id == id } }

  private mutating func finish(_ index: Int, at now: Int64) {
    let state = states[index]
    result.append((index, state.next, Double(now - state.startedAt) / 1e9))
    states[index].isUnderWay = false
    states[index].next += 1
    let requests = plan.clients[index].requests
    guard states[index].next < requests.count else {
      states[index].isDone = true
      return
    }
    switch requests[states[index].next].time {
    case .pause(let milliseconds): states[index].due = now + nanoseconds(milliseconds)
    case .at(let milliseconds): states[index].due = max(now, start + nanoseconds(milliseconds))
    }
  }
}

private func nanoseconds(_ milliseconds: Double) -> Int64 { Int64(milliseconds * 1_000_000) }
