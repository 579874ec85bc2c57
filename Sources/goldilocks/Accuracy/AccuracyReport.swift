import ExactText
import RunReports
import VirtualTime

struct AccuracyReport {
  let groups: [GroupSummary]
  let worst: Int
  let seeds: Int
  let rowsLeftOut: Int64

  /// The groups, and where there are several without loss, these together.
  private var rows: [GroupSummary] {
    let lossless = groups.filter { $0.name.hasPrefix("lossless ") }
    guard lossless.count > 1, let last = groups.lastIndex(where: { $0.name == lossless.last?.name })
    else { return groups }
    var rows = groups
    let all = GroupSummary(name: "lossless, all of them", cells: lossless.flatMap { $0.cells })
    rows.insert(all, at: last + 1)
    return rows
  }

  func text(width: Int, style: TextStyle) -> String {
    let table = summaryTable.lines(width: width, style: style).joined(separator: "\n") + "\n"
    return
      ([table] + noiseNotes(style) + groups.compactMap { furthest($0, width, style) }
      + [explanation(style)]).joined(separator: "\n")
  }

  private var summaryTable: TextTable {
    func column(_ heading: String, _ cell: (GroupSummary) -> String) -> TextTable.Column {
      TextTable.Column(heading: heading, cells: rows.map(cell))
    }
    func error(_ errors: RelativeErrors, _ quantile: (RelativeErrors) -> Double) -> String {
      errors.isEmpty ? "" : percentage(quantile(errors))
    }
    func share(_ value: Double?) -> String { value.map { percentage($0, places: 1) } ?? "" }
    return TextTable(
      names: TextTable.Column(heading: "group", cells: rows.map { $0.name }),
      groups: [
        TextTable.Group(columns: [
          column("cells") { grouped(Int64($0.cells.count)) },
          column("median") { percentage($0.errors.median) },
          column("p90") { percentage($0.errors.ninetieth) },
          column("≤ 5 %") { share($0.errors.shareWithin(0.05)) },
          column("≤ 10 %") { share($0.errors.shareWithin(0.1)) },
          column("KS") { share($0.sameWithTies) },
          column("strict") { share($0.sameStrictly) },
        ]),
        TextTable.Group(columns: [
          column("scanned: median") { error($0.scanned) { $0.median } },
          column("p90") { error($0.scanned) { $0.ninetieth } },
          column("left out: median") { error($0.leftOut) { $0.median } },
          column("p90") { error($0.leftOut) { $0.ninetieth } },
        ]),
      ])
  }

  private func noiseNotes(_ style: TextStyle) -> [String] {
    groups.compactMap { group in
      group.noise.map { noise in
        paragraph(
          "The measured medians of \(group.name) cells have noise of their own: as many simulated "
            + "runs as were measured, held against all simulated runs, give a median error of "
            + "\(percentage(noise.median)), a p90 of \(percentage(noise.ninetieth)), and "
            + "\(percentage(noise.shareWithin(0.1), places: 1)) within 10 %.", style)
      }
    }
  }

  private func furthest(_ group: GroupSummary, _ width: Int, _ style: TextStyle) -> String? {
    let cells = Array(group.furthestOff.prefix(worst))
    if cells.isEmpty { return nil }
    func column(_ heading: String, _ cell: (CellScore) -> String) -> TextTable.Column {
      TextTable.Column(heading: heading, cells: cells.map(cell))
    }
    let hasSamples = cells.contains { $0.comparison != nil }
    let table = TextTable(
      names: TextTable.Column(heading: "  cell", cells: cells.map { "  " + $0.name }),
      groups: [
        TextTable.Group(
          columns: [
            column("measured") { fixedPoint($0.measured, places: 4, unit: " s") },
            column("predicted") { fixedPoint($0.predicted, places: 4, unit: " s") },
            column("error") { percentage($0.predicted / $0.measured - 1, places: 1) },
          ]
            + (hasSamples
              ? [
                column("noise") { cell in
                  cell.comparison?.noise.map { percentage($0, places: 1) } ?? ""
                },
                column("slow mode") { cell in
                  guard let (measured, simulated) = cell.comparison?.slowShares else { return "" }
                  return percentage(measured, places: 0) + " → " + percentage(simulated, places: 0)
                },
                column("KS") { $0.comparison.map { percentage($0.kolmogorovSmirnov) } ?? "" },
                column("W1") { $0.comparison.map { percentage($0.wasserstein) } ?? "" },
                column("p") { $0.comparison.map { fixedPoint($0.withTies, places: 3) } ?? "" },
              ] : []))
      ])
    return style.paint("Furthest off, \(group.name)", .title) + "\n"
      + table.lines(width: width, style: style).joined(separator: "\n") + "\n"
  }

  private func explanation(_ style: TextStyle) -> String {
    let latency = SessionPlan.testbedLatency.nanoseconds / 1_000
    var words =
      "Errors are those of the median over simulated seeds (\(seeds) where packets are lost) "
      + "against the measured median; a session is scored by the sum over its requests, two flows "
      + "by the last completion. KS is the share of cells in which the two-sample "
      + "Kolmogorov-Smirnov test finds no difference (p > 0.05), values within 1 % of each other "
      + "counted as ties; strict is the same without a tolerance. The testbed's own latency, "
      + "\(latency) µs each way, is added to the link's delay, and each run starts at an arbitrary "
      + "turn of the timers. A third of the connections and sessions is left out of scans for "
      + "constants. Noise is the 90th percentile of the error that a perfect model's median has "
      + "over as few runs. Slow mode is the share of times above the gap between two modes, "
      + "measured and simulated, where the measured times have two. Beside a cell, KS is the "
      + "Kolmogorov-Smirnov distance and W1 the Wasserstein distance over the measured median."
    if rowsLeftOut > 0 {
      words +=
        " \(counted(rowsLeftOut, "row")) of unknown kinds or of congestion controls that are not "
        + "offered \(rowsLeftOut == 1 ? "is" : "are") left out."
    }
    return paragraph(words, style)
  }

  private func paragraph(_ words: String, _ style: TextStyle) -> String {
    // A number stays with its sign.
    wrapped(words.replacing(" %", with: "\u{A0}%"), width: style.width).joined(separator: "\n")
      .replacing("\u{A0}", with: " ") + "\n"
  }

  var document: JSONTree {
    [
      "seeds": .whole(seeds),
      "rowsLeftOut": .whole(rowsLeftOut),
      "groups": .list(rows) { $0.document },
      "cells": .list(groups.flatMap { $0.furthestOff }) { $0.document },
    ]
  }
}

extension GroupSummary {
  fileprivate var document: JSONTree {
    [
      "group": .string(name),
      "cellCount": .whole(cells.count),
      "medianError": .statistic(errors.median),
      "ninetiethPercentileError": .statistic(errors.ninetieth),
      "scannedMedianError": .statistic(scanned.median),
      "scannedNinetiethPercentileError": .statistic(scanned.ninetieth),
      "leftOutMedianError": .statistic(leftOut.median),
      "leftOutNinetiethPercentileError": .statistic(leftOut.ninetieth),
      "shareWithin5Percent": .statistic(errors.shareWithin(0.05)),
      "shareWithin10Percent": .statistic(errors.shareWithin(0.1)),
      "shareIndistinguishable": .statistic(sameWithTies),
      "shareIndistinguishableStrictly": .statistic(sameStrictly),
      "noiseMedianError": .statistic(noise?.median),
      "noiseNinetiethPercentileError": .statistic(noise?.ninetieth),
    ]
  }
}

extension CellScore {
  fileprivate var document: JSONTree {
    [
      "group": .string(group),
      "cell": .string(name),
      "measuredSeconds": .statistic(measured),
      "predictedSeconds": .statistic(predicted),
      "error": .statistic(error),
      "probability": .statistic(comparison?.withTies),
      "strictProbability": .statistic(comparison?.strict),
      "noise": .statistic(comparison?.noise),
      "measuredSlowShare": .statistic(comparison?.slowShares?.measured),
      "predictedSlowShare": .statistic(comparison?.slowShares?.simulated),
      "kolmogorovSmirnov": .statistic(comparison?.kolmogorovSmirnov),
      "wasserstein": .statistic(comparison?.wasserstein),
      "isLeftOut": .boolean(isLeftOut),
    ]
  }
}

extension JSONTree {
  /// A statistic to six places; null where there is none.
  static func statistic(_ value: Double?) -> JSONTree {
    guard let value, value.isFinite else { return .null }
    return .number(fixedPoint(value, places: 6))
  }
}
