import ExactText
import HeuristicComparison

extension Verb {
  static let compare = Verb(
    name: "compare",
    overview: "Run scenarios under several policies, over several links, and sum up the sessions.",
    discussion: [
      "Runs every scenario under every policy, over every link and with every seed. Shows startup "
        + "delay, stalls and bit rate of each policy: means, medians and 95th percentiles, with "
        + "intervals of 95 %. Startup never counts as a stall. A session that never starts or "
        + "never resumes ranks worst. Wasted bytes are of requests given up, of media replaced "
        + "before it was played, and of media ahead of the playhead at the end or the horizon.",
      "The time that a page and its decoders take before the first picture belongs to each policy: "
        + "--vary player.policy.sink.warmUp='1 s' sets it to one value for all, and so does "
        + "player.policy.sink.setUp.",
      "Instead of options, a file of JSON can hold the study; 'goldilocks schema --for study' says "
        + "how it is written.",
      "A shard runs some of the sessions and writes them as a part; 'goldilocks merge' puts the "
        + "parts together.",
    ],
    positionals: [.scenarios],
    options: [
      .heuristics, .policies, .set, .vary, .links, .repeats, .sessionSeeds, .against,
      .objectives, .regret, .digests, .groupings, .draws, .drawSeed, .studyFormat, .html, .engine,
      .sessionsFile, .checkpoint, .shard, .explain, .explained, .allowPath, .allowCommands,
      .answerTime, .jobs,
    ],
    examples: [
      "compare start.json", "compare scenarios --policies avfoundation,BOLA --links 3G,traces",
      "compare study.json --checkpoint study.part",
    ], sharesFiles: false
  ) { (invocation) throws(Failure) in try invocation.compare() }

  static let merge = Verb(
    name: "merge",
    overview: "Put the parts of a study together that 'goldilocks compare --shard' wrote.",
    discussion: [
      "Gives the same bytes as 'goldilocks compare' without shards, for any order of the parts."
    ],
    positionals: [Positional(name: "part", help: "A part of the study.", count: 1...Int.max)],
    options: [.groupings, .studyFormat, .sessionsFile],
    examples: ["merge part-*.jsonl"]
  ) { (invocation) throws(Failure) in try mergeParts(invocation) }
}

extension Invocation {
  fileprivate func compare() throws(Failure) -> ExitCode {
    let prepared = try PreparedStudy(self)
    var code = prepared.code
    if prepared.files.isEmpty { return code }
    if has(.explain) { return max(code, try Explanation(self, prepared).write()) }
    var remarks: [String] = []
    if has(.explained) { remarks.append("without '--explain' '--scenario' has no effect") }
    try keep(prepared.inputs, fromFilesOf: [.sessionsFile, .checkpoint, .html])
    let page = try PageOutput(self)
    let study = prepared.study
    let shard = try self.shard()
    if shard == nil, has(.digests), !has(.checkpoint), page != nil || !has(.sessionsFile) {
      let reason = page == nil ? "without '--sessions' no session is written" : "a page has them"
      remarks.append("'--digests' has no effect: \(reason)")
    }
    console.note(remarks)
    let own = shard ?? StudyShard()
    var rows = StudyRows(width: SessionRow.width(of: study), count: study.sessionCount)
    let run = StudyRun(prepared: prepared, shard: own, console: console, jobs: try jobCount())
    for fault in try perform(run, prepared, into: &rows) {
      console.say("Error: the books do not balance: \(fault).\n")
      code = max(code, .different)
    }
    let header = prepared.header(of: own)
    let numbers = (0..<own.size(of: study.sessionCount)).lazy.map { own.session($0) }
    let path = value(of: .sessionsFile)
    if let path { try OutputFiles.writeSessions(of: header, rows, numbers, to: path) }
    if shard != nil { note([.html, .studyFormat], haveNoEffectBeside: "'--shard'") }
    if shard == nil {
      try sayRegret(prepared, rows)
      let results = StudyResults(study, rows, digest: prepared.digest, by: prepared.groupings)
      try show(results, remarks: remarks)
      try page?.write(results.page(prepared, StudyScreen(results: results, console: console)))
    } else if path == nil, value(of: .checkpoint) == nil {
      try header.write(rows, numbers) { (lines: [UInt8]) throws(Failure) in
        try console.write(lines)
      }
    }
    return code
  }

  @discardableResult
  func note(_ options: [Option], haveNoEffectBeside other: String) -> [String] {
    let left = options.filter { has($0) }.map { $0.spelling }
    if left.isEmpty { return [] }
    let verb = left.count == 1 ? "has" : "have"
    return console.note(["beside \(other) \(choices(left)) \(verb) no effect"])
  }

  /// Says of each scenario's first session with regrets what they are held against, and of the same
  /// with other policies why there is none.
  private func sayRegret(_ prepared: PreparedStudy, _ rows: StudyRows) throws(Failure) {
    let study = prepared.study
    if !study.asksRegret { return }
    let runner = StudyRunner(study, prepared.sources)
    for place in study.scenarios.indices.prefix(3) {
      var notes: [(remark: String, policies: [String])] = []
      var isTold = false
      for contestant in study.contestants.indices.prefix(50) {
        let session = Study.Session(scenario: place, link: 0, contestant: contestant, seed: 0)
        let number = study.number(of: session)
        let row = isTold ? rows.row(number) : nil
        let remarks = try prepared.result(of: number, runner) {
          (number) throws(StudyRunner.Failure) in
          try runner.regretRemarks(of: number, lackedBy: row)
        }
        isTold = isTold || remarks.areAllKnown
        for remark in remarks.words {
          let known = notes.firstIndex { $0.remark == remark } ?? notes.count
          if known == notes.count { notes.append((remark, [])) }
          notes[known].policies.append(study.contestants[contestant].name)
        }
      }
      for (remark, policies) in notes {
        let isOfAll = policies.count == study.contestants.count && policies.count > 3
        let names = isOfAll ? "all policies" : policies.joined(separator: ", ")
        let title = "\(study.scenarios[place].name), \(study.links[0].name), \(names)"
        console.say("note: \(shown(title)): \(shown(remark))\n")
      }
    }
  }

  private func perform(
    _ run: StudyRun, _ prepared: PreparedStudy, into rows: inout StudyRows
  ) throws(Failure) -> [String] {
    guard let path = value(of: .checkpoint) else {
      return try run.run(after: 0) { rows.record($1, of: $0) }
    }
    let header = prepared.header(of: run.shard)
    let checkpoint = try Checkpoint(path, header)
    for (number, row) in zip(checkpoint.sessions, checkpoint.rows) {
      rows.record(row, of: number)
    }
    if !checkpoint.sessions.isEmpty {
      let count = run.shard.size(of: prepared.study.sessionCount)
      console.say(
        "note: \(checkpoint.sessions.count) of \(count) sessions come from \(inQuotes(path))\n")
    }
    var writer = JSONWriter()
    let faults = try run.run(after: checkpoint.sessions.count) { (number, row) throws(Failure) in
      rows.record(row, of: number)
      writer.session(number, row, of: header)
      try checkpoint.add(writer.bytes)
      writer.bytes.removeAll(keepingCapacity: true)
    }
    try checkpoint.flush()
    return faults
  }
}

private func mergeParts(_ invocation: Invocation) throws(Failure) -> ExitCode {
  let inputs = invocation.positionals.map { InputFile(path: $0, relativePath: $0) }
  let first = try StudyPart(inputs[0].read(), in: inputs[0].title)
  let header = first.header
  let study = header.study
  var rows = StudyRows(width: SessionRow.width(of: study), count: study.sessionCount)
  var owners = [Int32](repeating: -1, count: study.sessionCount)
  var shards: [MergedShard] = []
  for (place, input) in inputs.enumerated() {
    // One after the other: a part that was recorded makes room for the next.
    let part = place == 0 ? first : try StudyPart(input.read(), in: input.title)
    guard part.header.isOfSameStudy(as: header) else {
      throw Failure(
        .wrongInput,
        "\(inQuotes(input.title)) is a part of another study than \(inQuotes(inputs[0].title)).")
    }
    for (number, row) in zip(part.sessions, part.rows) {
      if owners[number] >= 0 {
        throw Failure(
          .wrongInput,
          "\(inQuotes(inputs[Int(owners[number])].title)) and \(inQuotes(input.title)) hold the "
            + "same session \(number).")
      }
      owners[number] = Int32(place)
      rows.record(row, of: number)
    }
    shards.append((input.title, part.header, part.sessions.count))
  }
  try checkWhole(owners, shards)
  invocation.console.note(study.notes)
  try invocation.keep(inputs, fromFilesOf: [.sessionsFile])
  if let path = invocation.value(of: .sessionsFile) {
    var whole = header
    whole.shard = StudyShard()
    try OutputFiles.writeSessions(of: whole, rows, 0..<study.sessionCount, to: path)
  }
  let asked = invocation.groupings
  // As the whole would be summed up, unless something else is asked for now.
  let groupings = asked.isEmpty ? shards[Int(owners[0])].header.groupings : asked
  try invocation.show(StudyResults(study, rows, digest: header.digest, by: groupings))
  return .success
}

extension StudyPart {
  /// - Throws: 65 where a line is wrong, with the title of the file.
  init(_ text: [UInt8], in title: String) throws(Failure) {
    self = try rethrowing(try StudyPart(text)) { (error: StudyPartError) in
      Failure(.wrongInput, "\(title), line \(error.line): \(error.message).")
    }
  }
}

private typealias MergedShard = (title: String, header: StudyHeader, sessionCount: Int)

private func checkWhole(_ owners: [Int32], _ parts: [MergedShard]) throws(Failure) {
  let missing = owners.indices.filter { owners[$0] < 0 }
  guard let first = missing.first else { return }
  var reasons: [String] = []
  var absent: [String] = []
  for part in parts {
    let size = part.header.shard.size(of: owners.count)
    if part.sessionCount >= size { continue }
    reasons.append("\(inQuotes(part.title)) was broken off after \(part.sessionCount) of \(size)")
  }
  if let count = parts.first?.header.shard.count,
    parts.allSatisfy({ $0.header.shard.count == count })
  {
    let present = Set(parts.map { $0.header.shard.number })
    absent = (1...count).filter { !present.contains($0) }.map { "\($0)/\(count)" }
  }
  if absent.count > 10 { absent[10...] = ["and \(absent.count - 10) more"] }
  if !absent.isEmpty { reasons.append("there is no part \(absent.joined(separator: ", "))") }
  throw Failure(
    .wrongInput,
    "\(counted(Int64(missing.count), "session")) of the study "
      + (missing.count == 1 ? "is" : "are") + " missing, the first is session \(first)"
      + (reasons.isEmpty ? "." : ": \(reasons.joined(separator: ", "))."))
}
