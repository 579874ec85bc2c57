import LinkConditioner

/// The unit of simulation: a session, or one cell's downloads of a size, in turn on one connection.
struct Measurement: Sendable {
  struct Request: Sendable {
    var client = 0
    /// Its place on the connection; of a download that of its phase.
    var index: Int
    var median: Double
    /// Every measured time, sorted; of a download where the link loses packets.
    var samples: [Double] = []
  }

  let name: String
  /// Connection, which rows of downloads share, or session: all of it is on one side of the split.
  let key: String
  /// Of a session; the phases of a connection are groups by themselves.
  private let group: String?
  let plan: SessionPlan
  private(set) var requests: [Request]

  /// In the order in which the connection had them.
  private static let phases = ["cold", "warm", "idle5s"]
  /// The group scored by its last completion: the order of its two flows is chaotic.
  private static let scoredByTheLast = "two flows"

  /// Takes in another phase of the same connection, if it was measured over the same link.
  mutating func join(_ other: Measurement, from row: MeasuredRow) throws(Failure) {
    guard plan.conditions == other.plan.conditions else {
      throw row.wrong("phase", "the link of the other phases of \(inQuotes(key))")
    }
    requests += other.requests
  }

  var groups: [String] { group.map { [$0] } ?? requests.map { group(of: $0) } }

  private func group(of request: Request) -> String {
    plan.isLossy ? "lossy" : "lossless \(Self.phases[request.index])"
  }

  func scores(seeds: Int) -> [CellScore] {
    // Without loss only the timers' phase differs between runs.
    let results = plan.results(seeds: plan.isLossy ? seeds : min(seeds, group == nil ? 11 : 21))
    func times(_ request: Request) -> [Double] {
      results.compactMap { result in
        result.first { $0.client == request.client && $0.index == request.index }?.seconds
      }
    }
    guard let group else {
      return requests.map { request in
        let times = times(request)
        var score = CellScore(
          group: group(of: request), name: "\(name) \(Self.phases[request.index])", key: key,
          measured: request.median, predicted: SampleStatistics.median(times))
        if plan.isLossy {
          score.comparison = SampleComparison(measured: request.samples, simulated: times)
        }
        return score
      }
    }
    // There are medians for each request and no samples: their sums are held together.
    var (measured, predicted) = (0.0, 0.0)
    if group == Self.scoredByTheLast {
      measured = requests.map { $0.median }.max() ?? 0
      predicted = SampleStatistics.median(
        results.compactMap { result in result.map { $0.seconds }.max() })
    } else {
      for request in requests {
        measured += request.median
        predicted += SampleStatistics.median(times(request))
      }
    }
    return [CellScore(group: group, name: name, key: key, measured: measured, predicted: predicted)]
  }
}

extension Measurement {
  /// - Returns: Nil for a congestion control that is not offered.
  init?(download row: MeasuredRow) throws(Failure) {
    try row.knows(
      SessionPlan.keys + Self.descriptions + ["congestionControl", "bytes", "phase"],
      as: "a download")
    let controlName = try row.text("congestionControl")
    guard let control = congestionControls[controlName] else { return nil }
    let (group, cell) = (try row.text("group"), try row.text("cell"))
    let bytes = try row.whole("bytes", in: 0...RequestPlan.mostBytes)
    var plan = try SessionPlan(linkOf: row)
    // At once, at once again, and after five idle seconds.
    let phases = RequestPlan.requests("C0:\(bytes),0:\(bytes),5000:\(bytes)") ?? []
    plan.clients = [
      SessionPlan.Client(requests: phases, options: ConnectionOptions(congestionControl: control))
    ]
    let phase = try row.text("phase", oneOf: Self.phases)
    let times = "totalSecondsSamples"
    let samples = row.has(times) ? try row.numbers(times, in: 0...1_000_000) : []
    let request = Request(
      index: Self.phases.firstIndex(of: phase) ?? 0, median: try row.medianSeconds(),
      samples: samples.sorted())
    self.init(
      name: "\(cell) \(controlName) \(bytes)", key: "\(group)/\(cell)/\(controlName)/\(bytes)",
      group: nil, plan: plan, requests: [request])
  }

  init?(session row: MeasuredRow) throws(Failure) {
    try row.knows(Self.sessionKeys, as: "a session")
    var plan = try SessionPlan(linkOf: row)
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
    for (name, source) in zip(controls, sources.isEmpty ? [row] : sources) {
      guard let control = congestionControls[name] else { return nil }
      plan.clients.append(try SessionPlan.Client(source, of: row, control))
    }
    try plan.readSchedule(row)
    let group = try row.text("group")
    let bytes = try row.whole("bytes", in: 0...RequestPlan.mostBytes)
    let name = "\(try row.text("cell")) \(controls.joined(separator: "+")) \(bytes)"
    let requests = try Self.requests(row, of: plan.clients)
    self.init(name: name, key: name, group: group, plan: plan, requests: requests)
  }

  /// Keys of a row that describe the row and its measurement, except the times that are read.
  private static let descriptions = [
    "group", "cell", "runs", "connectSeconds", "firstByteSeconds", "totalSeconds",
    "totalSecondsSamples",
  ]

  private static let sessionKeys =
    SessionPlan.keys + descriptions + [
      "congestionControl", "bytes", "initialWindow", "slowStartAfterIdle", "plan", "clients",
      "schedule", "tokenBucketSchedule", "stepMs", "lossPosition", "requests",
    ]

  private static func requests(
    _ row: MeasuredRow, of clients: [SessionPlan.Client]
  ) throws(Failure) -> [Request] {
    var requests: [Request] = []
    for element in try row.objects("requests") {
      try element.knows(["client", "index"] + descriptions, as: "a request")
      let client = Int(try element.whole("client", in: 0...Int64(clients.count - 1)))
      let last = clients[client].requests.count - 1
      let index = Int(try element.whole("index", in: 0...Int64(last)))
      if requests.contains(where: { $0.client == client && $0.index == index }) {
        throw element.wrong("index", "each request once")
      }
      requests.append(Request(client: client, index: index, median: try element.medianSeconds()))
    }
    if requests.isEmpty { throw row.wrong("requests", "at least one") }
    return requests
  }
}

extension MeasuredRow {
  fileprivate func medianSeconds() throws(Failure) -> Double {
    try object("totalSeconds").number("median", in: 0.000_001...1_000_000)
  }
}

/// The congestion controls that can be predicted, by the names the measurements use.
private let congestionControls: [String: CongestionControl] = [
  "reno": .reno, "cubic": .cubic, "bbr": .bbr,
]
