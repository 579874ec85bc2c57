import LinkConditioner

/// Downloads of one size in one cell, in the phases that were measured on one connection.
struct MeasuredDownload: Sendable {
  /// Phase of the connection in which a download was made.
  struct Phase: Sendable {
    var name: String
    /// Its place on the connection.
    var index: Int
    var median: Double
    /// Every measured time, sorted; where the link loses packets.
    var samples: [Double]
  }

  /// Key of the connection, which its rows share.
  let key: String
  let name: String
  let path: MeasuredPath
  let control: CongestionControl
  let bytes: Int64
  private(set) var phases: [Phase]

  /// Nil for a congestion control that is not offered.
  init?(_ row: MeasuredRow) throws(Failure) {
    try row.knows(
      MeasuredPath.keys + MeasuredPath.descriptions + ["congestionControl", "bytes", "phase"],
      as: "a download")
    let controlName = try row.text("congestionControl")
    guard let control = congestionControl(controlName) else { return nil }
    self.control = control
    let (group, cell) = (try row.text("group"), try row.text("cell"))
    bytes = try row.whole("bytes", in: 0...RequestPlan.mostBytes)
    key = "\(group)/\(cell)/\(controlName)/\(bytes)"
    name = "\(cell) \(controlName) \(bytes)"
    path = try MeasuredPath(row)
    phases = [try MeasuredDownload.phase(row)]
  }

  private static func phase(_ row: MeasuredRow) throws(Failure) -> Phase {
    let name = try row.text("phase")
    guard let index = phaseNames.firstIndex(of: name) else {
      throw row.wrong("phase", "one of " + phaseNames.map(inQuotes).joined(separator: ", "))
    }
    let times = "totalSecondsSamples"
    let samples = row.has(times) ? try row.numbers(times, in: 0...1_000_000) : []
    return Phase(
      name: name, index: index, median: try row.medianSeconds(), samples: samples.sorted())
  }

  /// In the order in which the connection had them.
  private static let phaseNames = ["cold", "warm", "idle5s"]

  /// Takes in another phase of the same connection.
  ///
  /// - Throws: if the phases were not measured over one link.
  mutating func join(_ other: MeasuredDownload, from row: MeasuredRow) throws(Failure) {
    guard path.conditions == other.path.conditions else {
      throw row.wrong("phase", "the link of the other phases of \(inQuotes(key))")
    }
    phases += other.phases
  }

  func group(of phase: Phase) -> String {
    path.isLossy ? "lossy" : "lossless \(phase.name)"
  }

  /// All phases on one connection: at once, at once again, and after five idle seconds.
  var plan: SessionPlan {
    let times: [PlannedRequest.Time] = [.pause(0), .pause(0), .pause(5_000)]
    return SessionPlan(
      conditions: path.conditions, path: path.options,
      clients: [
        SessionPlan.Client(
          requests: times.enumerated().map { index, time in
            PlannedRequest(time: time, bytes: bytes, opensConnection: index == 0)
          },
          options: ConnectionOptions(congestionControl: control))
      ])
  }
}

extension MeasuredRow {
  /// The median of the measured total times.
  func medianSeconds() throws(Failure) -> Double {
    try object("totalSeconds").number("median", in: 0.000_001...1_000_000)
  }
}
