import LinkConditioner
import VirtualTime

struct MeasuredSession: Sendable {
  struct Request: Sendable {
    var client: Int
    var index: Int
    var median: Double
  }

  let group: String
  let name: String
  let isLossy: Bool
  let requests: [Request]
  let plan: SessionPlan

  /// Nil for a congestion control that is not offered.
  init?(_ row: MeasuredRow) throws(Failure) {
    try row.knows(MeasuredSession.keys, as: "a session")
    let path = try MeasuredPath(row)
    let sources = row.has("clients") ? try row.objects("clients") : []
    if !sources.isEmpty && row.has("plan") {
      throw row.wrong("plan", "none beside 'clients', each of which has its own")
    }
    for source in sources {
      try source.knows(
        ["plan", "congestionControl", "startMs", "endsWithTheOthers"], as: "a client")
    }
    let controls = try (sources.isEmpty ? [row] : sources).map { (source) throws(Failure) in
      try source.text("congestionControl")
    }
    var clients: [SessionPlan.Client] = []
    for (name, source) in zip(controls, sources.isEmpty ? [row] : sources) {
      guard let control = congestionControl(name) else { return nil }
      clients.append(try MeasuredSession.client(source, of: row, control))
    }
    var plan = SessionPlan(
      conditions: path.conditions, path: path.options, clients: clients)
    try plan.readSchedule(row)
    self.plan = plan
    isLossy = path.isLossy
    group = try row.text("group")
    let bytes = try row.whole("bytes", in: 0...RequestPlan.mostBytes)
    name = "\(try row.text("cell")) \(controls.joined(separator: "+")) \(bytes)"
    requests = try MeasuredSession.requests(row, of: clients)
  }

  private static let keys =
    MeasuredPath.keys + MeasuredPath.descriptions + [
      "congestionControl", "bytes", "initialWindow", "slowStartAfterIdle", "plan", "clients",
      "schedule", "tokenBucketSchedule", "stepMs", "lossPosition", "requests",
    ]

  private static func client(
    _ source: MeasuredRow, of row: MeasuredRow, _ control: CongestionControl
  ) throws(Failure) -> SessionPlan.Client {
    guard let requests = RequestPlan.requests(try source.text("plan")) else {
      throw source.wrong("plan", "requests such as 'C0:500000,0:500000,@6000:1350000'")
    }
    let window = try row.whole("initialWindow", in: 1...10_000)
    let idles = try row.whole("slowStartAfterIdle", in: 0...1) == 1
    let hasStart = source.has("startMs")
    return SessionPlan.Client(
      requests: requests,
      options: ConnectionOptions(
        congestionControl: control, initialWindow: Int32(window), slowStartAfterIdle: idles),
      startMilliseconds: hasStart
        ? try source.number("startMs", in: 0...RequestPlan.longestPause) : 0,
      endsWithTheOthers: source.has("endsWithTheOthers")
        ? try source.boolean("endsWithTheOthers") : false)
  }

  private static func requests(
    _ row: MeasuredRow, of clients: [SessionPlan.Client]
  ) throws(Failure) -> [Request] {
    var requests: [Request] = []
    for element in try row.objects("requests") {
      try element.knows(
        ["client", "index"] + MeasuredPath.descriptions, as: "a request")
      let client = try element.whole("client", in: 0...Int64(clients.count - 1))
      let last = clients[Int(client)].requests.count - 1
      let index = try element.whole("index", in: 0...Int64(last))
      if requests.contains(where: { $0.client == Int(client) && $0.index == Int(index) }) {
        throw element.wrong("index", "each request once")
      }
      requests.append(
        Request(client: Int(client), index: Int(index), median: try element.medianSeconds()))
    }
    if requests.isEmpty { throw row.wrong("requests", "at least one") }
    return requests
  }
}

extension SessionPlan {
  fileprivate mutating func readSchedule(_ row: MeasuredRow) throws(Failure) {
    if row.has("lossPosition") {
      let position = try row.text("lossPosition", oneOf: ["before the queue", "after the queue"])
      if position == "after the queue" { path.lossPosition = .afterQueue }
    }
    let keys = ["schedule", "tokenBucketSchedule"].filter { row.has($0) }
    guard let key = keys.first else {
      if row.has("stepMs") { throw row.wrong("stepMs", "a 'schedule' beside it") }
      return
    }
    if keys.count > 1 { throw row.wrong(key, "none beside '\(keys[1])'") }
    let fastest = Double(LinkLimits.fastestRate.roundedDown)
    for rate in try row.numbers(key, in: 1...fastest) {
      guard let rate = Int64(exactly: rate) else { throw row.wrong(key, "whole rates") }
      schedule.append(rate)
    }
    if schedule.isEmpty { throw row.wrong(key, "at least one rate") }
    step = .nanoseconds(Int64(try row.number("stepMs", in: 1...1_000_000) * 1_000_000))
  }
}
