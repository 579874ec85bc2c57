import Foundation
import TestSupport

/// The whole sets of logs, where they lie beside the checkout; one of each in a debug build, which
/// takes long to read them.
enum PublishedRuns {
  private static let folder = Checkout.root
    .deletingLastPathComponent().appending(path: "shared/validation")

  /// The folder may be beside the checkout or one further up.
  private static func file(_ path: String) -> Data? {
    let further = Checkout.root.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "shared/validation")
    return [folder, further].lazy.compactMap { try? Data(contentsOf: $0.appending(path: path)) }
      .first
  }

  private static func lines(_ path: String) throws -> [[String: Any]] {
    guard let data = file(path) else { return [] }
    return try data.split(separator: 10).compactMap {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any]
    }
  }

  private static func number(_ value: Any) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }

  static func sabre() throws -> [(run: PeerRun, segment: Int64)] {
    var runs: [(PeerRun, Int64)] = []
    for name in Seeds.areMany ? ["3G", "4G", "example", "fcc_sd"] : ["fcc_sd"] {
      for line in try lines("sabre/expected/\(name).jsonl") {
        let arguments = line["args"] as? [String] ?? []
        guard arguments.last?.hasPrefix("<fixed quality") == true,
          let trace = file("sabre/" + arguments[1]), let movie = file("sabre/" + arguments[3]),
          let content = try JSONSerialization.jsonObject(with: movie) as? [String: Any],
          let rows = line["segments"] as? [[Any]]
        else { continue }
        let run = PeerRun(
          name: arguments.joined(separator: " "), trace: [UInt8](trace),
          bytes: rows.map { Int64(number($0[2])) / 8 }, times: rows.map { number($0[8]) },
          rebuffering: rows.map { number($0[11]) })
        runs.append((run, Int64(number(content["segment_duration_ms"] ?? 0)) * 1_000_000))
      }
    }
    return runs
  }

  static func pensieve() throws -> [PeerRun] {
    var runs: [PeerRun] = []
    for name in Seeds.areMany ? ["fixed0", "fixed2", "fixed5"] : ["fixed2"] {
      for line in try lines("pensieve/expected/\(name).jsonl") {
        guard let trace = (line["trace"] as? String).flatMap({ file("pensieve/traces/" + $0) }),
          let rows = line["rows"] as? [[Any]]
        else { continue }
        runs.append(
          PeerRun(
            name: "\(line["trace"] ?? "") \(name)", trace: [UInt8](trace),
            bytes: rows.map { Int64(number($0[2])) }, times: rows.map { number($0[3]) },
            rebuffering: rows.map { number($0[6]) }))
      }
    }
    return runs
  }
}
