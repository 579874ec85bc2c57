import ExactText
import RunReports
import ScenarioRunner

extension Option {
  fileprivate static let seeds = Option(
    name: "seeds", valueName: "count", help: "How many runs are simulated where packets are lost.",
    fallback: "300")
  fileprivate static let group = Option(
    name: "group", valueName: "group",
    help: "Only the groups of measurements that begin so, such as lossless, lossy or sequence.")
  fileprivate static let worst = Option(
    name: "worst", valueName: "count",
    help: "How many of the cells that are furthest off are named in each group.", fallback: "5")
}

extension Verb {
  static let accuracy = Verb(
    name: "accuracy",
    overview: "Hold the tcp model against downloads measured through a real kernel.",
    discussion: [
      "Simulates every download and session of the measurements, and shows how far the predicted "
        + "times are from the measured ones, group by group, with the cells that are furthest off.",
      "Measurements are JSON Lines: a download a line, with the link's parameters and the median "
        + "of its total time, or a session with its plan and the medians of its requests.",
    ],
    positionals: [
      Positional(
        name: "path", help: "A file of measurements, or a folder of files that end in .jsonl.",
        count: 1...Int.max)
    ],
    options: [.group, .seeds, .worst, .format, .jobs],
    examples: ["accuracy measurements --seeds 20"]
  ) { (invocation) throws(Failure) in
    let report = try AccuracyCheck(invocation).report()
    let console = invocation.console
    if invocation.wantsJSON {
      try invocation.answer { report.writeMembers(to: &$0) }
    } else {
      try console.write(report.text(width: console.tableWidth, style: console.style))
    }
    return .success
  }
}

private struct AccuracyCheck {
  let invocation: Invocation
  let seeds: Int
  let worst: Int
  let jobs: Int

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    seeds = try invocation.number(of: .seeds, in: 1...1_000_000)
    worst = try invocation.number(of: .worst, in: 0...10_000)
    jobs = try invocation.jobCount()
  }

  func report() throws(Failure) -> AccuracyReport {
    var measured = try MeasuredFiles(invocation.positionals)
    let groups = try chosen(of: measured.groups)
    measured.keep(groups: groups)
    let work = measured.work
    let seeds = seeds
    let console = invocation.console
    var scores: [CellScore] = []
    try WorkCrew.run(
      count: work.count, hands: jobs, work: { work[$0].scores(seeds: seeds) },
      receive: { (index, found) throws(Failure) in
        scores += found
        console.progress(index + 1, of: work.count)
      })
    console.clearProgress()
    return AccuracyReport(
      scores, groups: groups, worst: worst, seeds: seeds, rowsLeftOut: measured.rowsLeftOut)
  }

  private func chosen(of groups: [String]) throws(Failure) -> [String] {
    guard let wanted = invocation.value(of: .group) else { return groups }
    let chosen = groups.filter { $0.hasPrefix(wanted) }
    if !chosen.isEmpty { return chosen }
    let meant = nearestWord(to: wanted, among: groups)
    throw Failure(
      usage: .verb(invocation.verb), help: HelpText.row(of: .group),
      "No group begins with \(inQuotes(wanted)).\(question(meant)) "
        + "The measurements have \(choices(groups)).")
  }
}
