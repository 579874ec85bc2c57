import ExactText

extension Option {
  fileprivate static let seeds = Option(
    name: "seeds", valueName: "count",
    help: "Simulated runs where packets are lost.",
    fallback: "300")
  fileprivate static let group = Option(
    name: "group", valueName: "group",
    help: "Only groups whose names begin with this, such as lossless, lossy or sequence.")
  fileprivate static let worst = Option(
    name: "worst", valueName: "count",
    help: "Number of cells that are furthest off and named, in each group.", fallback: "5")
  fileprivate static let media = Option(
    name: "media", valueName: "file",
    help: "The measurements are sessions of real players, which played the media of this file.")
}

extension Verb {
  static let accuracy = Verb(
    name: "accuracy",
    overview: "Compare the tcp model with downloads measured through a real kernel.",
    discussion: [
      "Simulates every download and session of the measurements, and shows how far the predicted "
        + "times are from the measured ones, group by group, with the cells that are furthest off.",
      "Measurements are JSON Lines: a download a line, with the link's parameters and the median "
        + "of its total time, or a session with its plan and the medians of its requests.",
      "With --media they are sessions of real players, a line each, compared with the players' own "
        + "policies over both kinds of link: start, stalled time, stalls and variants. A row's "
        + "\"schedule\" has pairs of a second and a rate in bit/s (up to 100, a multiple of its "
        + "\"linkBps\"; 0 is an outage), and its \"seek\" pairs of a second and a place.",
    ],
    positionals: [
      Positional(
        name: "path", help: "A file of measurements, or a folder of files that end in .jsonl.",
        count: 1...Int.max)
    ],
    options: [.group, .seeds, .worst, .media, .format, .jobs],
    examples: ["accuracy measurements --seeds 20"]
  ) { (invocation) throws(Failure) in
    let (width, style) = (invocation.console.tableWidth, invocation.console.style)
    if let media = invocation.value(of: .media) {
      invocation.note([.group, .seeds], haveNoEffectBeside: "'--media'")
      let report = try playedReport(invocation, media)
      try invocation.answer(report.document, orText: report.text(width: width, style: style))
    } else {
      let report = try accuracyReport(invocation)
      try invocation.answer(report.document, orText: report.text(width: width, style: style))
    }
    return .success
  }
}

private func accuracyReport(_ invocation: Invocation) throws(Failure) -> AccuracyReport {
  let seeds = try invocation.number(of: .seeds, in: 1...1_000_000)
  let worst = try invocation.number(of: .worst, in: 0...10_000)
  let measured = try MeasuredFiles(invocation.positionals)
  let wanted = invocation.value(of: .group) ?? ""
  let groups = measured.groups.filter { $0.hasPrefix(wanted) }
  if groups.isEmpty {
    let meant = nearestWord(to: wanted, among: measured.groups)
    throw invocation.refusal(
      "No group begins with \(inQuotes(wanted)).\(question(meant)) "
        + "The measurements have \(choices(measured.groups)).")
  }
  let work = measured.work.filter { $0.groups.contains { groups.contains($0) } }
  var scores: [CellScore] = []
  try WorkCrew.run(
    count: work.count, hands: try invocation.jobCount(), telling: invocation.console.progress,
    work: { work[$0].scores(seeds: seeds) },
    while: { _, found in
      scores += found
      return true
    })
  return AccuracyReport(
    groups: groups.map { group in
      GroupSummary(name: group, cells: scores.filter { $0.group == group })
    }, worst: worst, seeds: seeds, rowsLeftOut: measured.rowsLeftOut)
}

private func playedReport(
  _ invocation: Invocation, _ media: String
) throws(Failure) -> PlayedReport {
  let worst = try invocation.number(of: .worst, in: 0...10_000)
  let (sessions, unread) = try playedSessions(invocation, media)
  let fidelities = ["fluid", "tcp"]
  var cells: [PlayedReport.Cell] = []
  var leftOut = unread
  try WorkCrew.run(
    count: sessions.count, hands: try invocation.jobCount(), telling: invocation.console.progress,
    work: { index in
      fidelities.compactMap { fidelity in
        sessions[index].play(fidelity).map {
          PlayedReport.Cell(session: sessions[index], fidelity: fidelity, outcome: $0)
        }
      }
    },
    while: { _, found in
      cells += found
      if found.count < fidelities.count { leftOut.append("not played") }
      return true
    })
  return PlayedReport(cells, worst: worst, leftOut: leftOut)
}

/// The sessions that can be scored, and the reason of each row that cannot.
private func playedSessions(
  _ invocation: Invocation, _ media: String
) throws(Failure) -> (sessions: [PlayedSession], leftOut: [String]) {
  let files = try InputFiles.files(at: media, endingIn: ".json", called: "file of media")
  guard let file = files.first,
    let catalogue = try MeasuredRow.rows(of: file.read(), file: file.title).first
  else { throw Failure(.wrongInput, "\(inQuotes(media)) names no media.") }
  var (sessions, leftOut): ([PlayedSession], [String]) = ([], [])
  try MeasuredRow.forEach(below: invocation.positionals, called: "file of sessions") {
    (row) throws(Failure) in
    do throws(Failure) {
      if let reason = try PlayedSession.reason(row) {
        leftOut.append(reason)
      } else {
        sessions.append(try PlayedSession(row, catalogue))
      }
    } catch {
      invocation.console.say("note: left out: \(error.message ?? "a row")\n")
      leftOut.append("with a mistake")
    }
  }
  if sessions.isEmpty {
    throw Failure(.wrongInput, "There is no session that can be played with this media.")
  }
  return (sessions, leftOut)
}
