import Foundation

/// Percentiles of a measured time, in seconds.
struct MeasuredTime: Decodable {
  var p10: Double?
  var median: Double
  var p90: Double?
}

/// A row of `downloads.jsonl`.
struct DownloadRow: Decodable {
  var group: String
  var cell: String
  var congestionControl: String
  var phase: String
  var bytes: Int64
  var runs: Int
  var downBitsPerSecond: Int64
  var upBitsPerSecond: Int64
  var downDelayMs: Double
  var upDelayMs: Double
  var downLoss: Double
  var upLoss: Double
  var downQueuePackets: Int32
  var upQueuePackets: Int32
  var connectSeconds: MeasuredTime
  var firstByteSeconds: MeasuredTime
  var totalSeconds: MeasuredTime
  var totalSecondsSamples: [Double]?

  var isLossy: Bool { downLoss > 0 || upLoss > 0 }

  /// Rows that were measured in one session.
  var sessionKey: String { "\(group)/\(cell)/\(congestionControl)/\(bytes)" }

  var name: String { "\(cell) \(congestionControl) \(bytes) \(phase)" }
}

/// A row of `sequences.jsonl`.
struct SequenceRow: Decodable {
  struct Client: Decodable {
    var plan: String
    var congestionControl: String
    var startMs: Double
    var endsWithTheOthers: Bool
  }

  struct Request: Decodable {
    var client: Int
    var index: Int
    var totalSeconds: MeasuredTime
  }

  var group: String
  var cell: String
  var congestionControl: String
  var bytes: Int64
  var runs: Int
  var downBitsPerSecond: Int64
  var upBitsPerSecond: Int64
  var downDelayMs: Double
  var upDelayMs: Double
  var downLoss: Double
  var upLoss: Double
  var downQueuePackets: Int32
  var upQueuePackets: Int32
  var initialWindow: Int32
  var slowStartAfterIdle: Int
  var plan: String?
  var clients: [Client]?
  var schedule: [Double]?
  var stepMs: Double?
  var lossPosition: String?
  var requests: [Request]

  var isLossy: Bool { downLoss > 0 || upLoss > 0 }

  var name: String {
    let controls = clients.map { $0.map(\.congestionControl).joined(separator: "+") }
    return "\(cell) \(controls ?? congestionControl) \(bytes)"
  }
}

func rows<Row: Decodable>(_ type: Row.Type, of path: String) throws -> [Row] {
  let decoder = JSONDecoder()
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return try text.split(separator: "\n").map { try decoder.decode(Row.self, from: Data($0.utf8)) }
}
