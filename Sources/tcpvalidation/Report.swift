import Foundation

/// One cell: what was measured and what the model says.
struct Score {
  var group: String
  var name: String
  var measured: Double
  var predicted: Double
  /// Probabilities of the Kolmogorov-Smirnov test with ties and strict.
  var withTies: Double?
  var strict: Double?
  /// How far the medians of as many simulated runs as were measured lie from the median of all.
  var ownErrors: [Double] = []

  var error: Double { abs(predicted - measured) / measured }
}

func percent(_ value: Double, digits: Int = 2) -> String {
  String(format: "%.\(digits)f %%", value * 100)
}

func share(_ scores: [Score], _ test: (Score) -> Bool) -> String {
  percent(Double(scores.count(where: test)) / Double(max(scores.count, 1)), digits: 1)
}

func padded(_ text: String, _ width: Int) -> String {
  text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
}

func printReport(_ scores: [Score], groups: [String], worst: Int) {
  let titles = ["group", "cells", "median", "p90", "<= 5 %", "<= 10 %", "KS ties", "KS strict"]
  let widths = [34, 7, 9, 10, 9, 9, 9, 9]
  print(zip(titles, widths).map(padded).joined())
  for group in groups {
    let members = scores.filter { $0.group == group }
    guard !members.isEmpty else { continue }
    let errors = members.map(\.error).sorted()
    var columns = [
      group, "\(members.count)", percent(quantile(errors, 0.5)), percent(quantile(errors, 0.9)),
      share(members) { $0.error <= 0.05 }, share(members) { $0.error <= 0.1 },
    ]
    let tested = members.filter { $0.withTies != nil }
    if !tested.isEmpty {
      columns.append(share(tested) { ($0.withTies ?? 0) > 0.05 })
      columns.append(share(tested) { ($0.strict ?? 0) > 0.05 })
    }
    print(zip(columns, widths).map(padded).joined())
  }
  printNoise(scores)
  for group in groups {
    let members = scores.filter { $0.group == group }.sorted { $0.error > $1.error }
    guard !members.isEmpty else { continue }
    print("\nfurthest off, \(group)")
    for score in members.prefix(worst) {
      let test = score.withTies.map { String(format: "  p %.3f", $0) } ?? ""
      print(
        "  " + padded(score.name, 52)
          + String(
            format: "%10.4f measured %10.4f predicted  %+6.1f %%", score.measured, score.predicted,
            (score.predicted / score.measured - 1) * 100) + test)
    }
  }
}

/// What a perfect model would score: the measured medians are those of a few dozen runs.
func printNoise(_ scores: [Score]) {
  let errors = scores.flatMap(\.ownErrors).sorted()
  guard !errors.isEmpty else { return }
  let within = errors.count { $0 <= 0.1 }
  print(
    "\nnoise of the measured medians, lossy: as many simulated runs against all of them:",
    "median \(percent(quantile(errors, 0.5))), p90 \(percent(quantile(errors, 0.9))),",
    "within 10 %: \(percent(Double(within) / Double(errors.count), digits: 1))")
}
