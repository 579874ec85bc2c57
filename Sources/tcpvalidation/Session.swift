import LinkConditioner
import VirtualTime

/// What is simulated: a link and who downloads over it.
struct SessionPlan {
  struct Client {
    var requests: [PlannedRequest]
    var options: ConnectionOptions
    var startMilliseconds: Double = 0
    var endsWithTheOthers = false
  }

  var conditions: LinkConditions
  var path = PathOptions()
  var schedule: [Int64] = []
  var step = TimeSpan.zero
  var clients: [Client]
}

/// When a request of a session ended, and how long it took.
struct RequestResult {
  var client: Int
  var index: Int
  var seconds: Double
  var endSeconds: Double
}

/// What the hosts and the software link of the testbed add to each way, by the smallest cells: the
/// connect time less two delays and two SYNs.
let testbedLatency = TimeSpan.microseconds(125)

/// Runs sessions; the start is at an arbitrary turn of the timer wheel.
struct Session {
  private struct State {
    var id: ConnectionID?
    var next = 0
    var startedAt: Int64 = 0
    var due: Int64 = .max
    var requested: Int64 = 0
    var isUnderWay = false
    var isDone = false
  }

  let plan: SessionPlan
  private(set) var transport: PacketTransport
  private var states: [State]
  private let start: Int64
  private(set) var results: [RequestResult] = []
  private var steps: Int64 = 0

  static let requestBytes: Int64 = 400
  static let headerBytes: Int64 = 250

  init(_ plan: SessionPlan, seed: UInt64) {
    self.plan = plan
    var phases = RandomStream(seed: seed, name: "timer phase")
    start = Int64(phases.next(below: 4_096_000_000)) + 1_000_000_000
    var conditions = plan.conditions
    if let first = plan.schedule.first {
      conditions.downlink.bandwidth = .limited(.bitsPerSecond(first))
    }
    transport = PacketTransport(conditions, options: plan.path, seed: seed)
    states = plan.clients.map { _ in State() }
    for index in plan.clients.indices {
      let client = plan.clients[index]
      states[index].due = start + Int64(client.startMilliseconds * 1_000_000)
    }
  }

  private var isOver: Bool {
    for index in states.indices
    where !states[index].isDone && !plan.clients[index].endsWithTheOthers {
      return false
    }
    return true
  }

  mutating func run(horizon: Int64 = 4_000_000_000_000) {
    var events: [TransportEvent] = []
    while !isOver {
      var limit = min(nextStep, start + horizon)
      for state in states { limit = min(limit, state.due) }
      if limit == start + horizon, transport.nextWake.nanoseconds > limit {
        print("not finished", start); break
      }
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
    let rate = plan.schedule[Int(steps) % plan.schedule.count]
    var conditions = plan.conditions
    conditions.downlink.bandwidth = .limited(.bitsPerSecond(rate))
    transport.change(to: conditions, at: Instant(nanoseconds: now))
  }

  private mutating func begin(_ index: Int, at now: Int64) {
    states[index].due = .max
    states[index].startedAt = now
    states[index].isUnderWay = true
    let instant = Instant(nanoseconds: now)
    if let id = states[index].id {
      request(index, on: id, at: instant)
    } else {
      states[index].id = transport.open(plan.clients[index].options, at: instant)
    }
  }

  private mutating func request(_ index: Int, on id: ConnectionID, at now: Instant) {
    let bytes = plan.clients[index].requests[states[index].next].bytes + Self.headerBytes
    states[index].requested += bytes
    transport.send(Self.requestBytes, answeredBy: Answer(bytes: bytes), on: id, at: now)
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

  private func client(of id: ConnectionID) -> Int? {
    states.firstIndex { $0.id == id }
  }

  private mutating func finish(_ index: Int, at now: Int64) {
    let state = states[index]
    results.append(
      RequestResult(
        client: index, index: state.next, seconds: Double(now - state.startedAt) / 1e9,
        endSeconds: Double(now - start) / 1e9))
    states[index].isUnderWay = false
    states[index].next += 1
    let requests = plan.clients[index].requests
    guard states[index].next < requests.count else {
      states[index].isDone = true
      return
    }
    switch requests[states[index].next].time {
    case .opening(let milliseconds), .pause(let milliseconds):
      states[index].due = now + Int64(milliseconds * 1_000_000)
    case .at(let milliseconds):
      states[index].due = max(now, start + Int64(milliseconds * 1_000_000))
    }
  }
}
