import Foundation
import LinkConditioner
import VirtualTime

// tcp-validation FOLDER [--seeds N] [--worst N] [--only TEXT] [--speed]

func option(_ name: String, in arguments: inout [String]) -> String? {
  guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
  let value = arguments[place + 1]
  arguments.removeSubrange(place...(place + 1))
  return value
}

var arguments = Array(CommandLine.arguments.dropFirst())
let seedCount = UInt64(option("--seeds", in: &arguments) ?? "300") ?? 300
let worst = Int(option("--worst", in: &arguments) ?? "12") ?? 12
let only = option("--only", in: &arguments) ?? ""
if let place = arguments.firstIndex(of: "--speed") {
  arguments.remove(at: place)
  printSpeed()
  exit(0)
}
let detail = arguments.contains("--detail")
arguments.removeAll { $0 == "--detail" }
let folder = arguments.first ?? "."

let downloads = try rows(DownloadRow.self, of: folder + "/downloads.jsonl")
let sequences = try rows(SequenceRow.self, of: folder + "/sequences.jsonl")
let began = Date()
var scores = downloadScores(
  downloads.filter { only.isEmpty || $0.name.contains(only) }, seeds: seedCount)
scores += sequenceScores(
  sequences.filter { only.isEmpty || $0.name.contains(only) }, seeds: seedCount)
printReport(
  scores,
  groups: [
    "lossless cold", "lossless warm", "lossless idle5s", "lossless (all)", "lossy",
    "sequence", "changing rate", "idle gaps",
    "initial window", "queue length", "loss placement", "two flows",
    "object against a long flow",
  ], worst: worst)
print(
  """

  errors: of the median over simulated seeds against the measured median; sessions by the sum over
  their requests, two flows by the last completion. KS: share of cells with p > 0.05, two-sample
  Kolmogorov-Smirnov; with ties a step counts only against what the other sample has not reached
  within 1 % of it. The testbed's own latency, \(testbedLatency.nanoseconds / 1_000) µs each way, is
  added to the link's delay. Timers start at an arbitrary turn of the wheel in each run.
  """)
print(String(format: "\n%.1f s, %d seeds", Date().timeIntervalSince(began), Int(seedCount)))
