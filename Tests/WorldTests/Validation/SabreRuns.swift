import Foundation
import SimulatedWorld
import TestSupport

/// A run of Sabre at a fixed quality, with its log.
struct SabreRun {
  var name: String
  var trace: ImportedTrace
  var bytes: [Int64]
  var segment: MediaTime
  /// The clock after each segment and the rebuffering up to then, in milliseconds.
  var times: [Double]
  var rebuffering: [Double]
}

/// The runs that lie beside the checkout, or one folder further up.
enum SabreRuns {
  private static let folder: URL? = {
    let parent = Checkout.root.deletingLastPathComponent()
    return [parent, parent.deletingLastPathComponent()]
      .map { $0.appending(path: "shared/validation/sabre") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static var areThere: Bool { folder != nil }

  /// All of them; in a debug build, which takes long to read them, those of the shortest log.
  static func all() throws -> [SabreRun] {
    guard let folder else { return [] }
    var runs: [SabreRun] = []
    for name in Seeds.areMany ? ["3G", "4G", "example", "fcc_sd"] : ["fcc_sd"] {
      let lines = try Data(contentsOf: folder.appending(path: "expected/\(name).jsonl"))
      for line in lines.split(separator: 10) {
        if let run = try run(line, in: folder) { runs.append(run) }
      }
    }
    return runs
  }

  private static func run(_ line: Data, in folder: URL) throws -> SabreRun? {
    let log = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
    guard let arguments = log["args"] as? [String],
      arguments.last?.hasPrefix("<fixed quality") == true,
      let rows = log["segments"] as? [[Any]],
      let movie = try JSONSerialization.jsonObject(
        with: Data(contentsOf: folder.appending(path: arguments[3]))) as? [String: Any],
      case .trace(let trace) = try Imported(
        [UInt8](Data(contentsOf: folder.appending(path: arguments[1]))), options: ImportOptions())
    else { return nil }
    return SabreRun(
      name: arguments.joined(separator: " "), trace: trace,
      bytes: rows.map { Int64(number($0[2])) / 8 },
      segment: .milliseconds(Int64(number(movie["segment_duration_ms"]))),
      times: rows.map { number($0[8]) }, rebuffering: rows.map { number($0[11]) })
  }

  private static func number(_ value: Any?) -> Double {
    (value as? NSNumber)?.doubleValue ?? .nan
  }
}
