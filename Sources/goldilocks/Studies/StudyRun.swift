import ExactText
import HeuristicComparison
import LinkConditioner
import ScenarioFormat

struct StudyRun {
  let prepared: PreparedStudy
  let shard: StudyShard
  let console: Console
  let jobs: Int

  private var study: Study { prepared.study }

  /// Runs what is not there yet, in order.
  ///
  /// - Returns: Accounting errors: figures of a session that do not balance.
  func run(
    after done: Int, _ receive: (Int, SessionRow) throws(Failure) -> Void
  ) throws(Failure) -> [String] {
    let count = shard.size(of: study.sessionCount)
    let size = batchSize(of: count - done)
    let batches = (count - done + size - 1) / size
    // Each keeps what it has read for its next sessions.
    let idle = Locked<[StudyRunner]>([])
    let (prepared, shard) = (prepared, shard)
    var faults: [String] = []
    try WorkCrew<Result<[FinishedSession], Failure>>.run(
      count: batches, hands: jobs,
      work: { batch in
        let first = done + batch * size
        return Result { () throws(Failure) in
          let runner = idle.use { $0.popLast() } ?? StudyRunner(prepared.study, prepared.sources)
          defer { idle.use { $0.append(runner) } }
          return try (first..<min(count, first + size)).map { (index) throws(Failure) in
            try prepared.result(of: shard.session(index), runner, runner.run)
          }
        }
      },
      while: { (batch, result) throws(Failure) in
        let first = done + batch * size
        for (index, session) in try result.get().enumerated() {
          let number = shard.session(first + index)
          for fault in session.faults { faults.append(prepared.title(of: number) + ": " + fault) }
          try receive(number, session.row)
        }
        console.progress.tell(min(count, first + size), of: count, since: done)
        return true
      })
    console.progress.clear()
    return faults
  }

  /// Number of sessions that a thread takes at once.
  ///
  /// Sessions of all seeds go together where there are enough to share out: the result of one may
  /// hold for others, and only the thread that ran it knows.
  private func batchSize(of count: Int) -> Int {
    // One at a time where a policy runs outside, so that its command is started when it is due.
    let size = max(1, min(64, count / (4 * jobs)))
    let seeds = max(1, study.seeds.count)
    // Over packets a session takes so long that more would be lost by an interruption.
    let isFluid = study.scenarios.allSatisfy { $0.fidelity == Fidelity.fluid.word }
    let most = min(isFluid ? 1024 : 256, count / (4 * jobs))
    return seeds > most ? size : max(1, size / seeds) * seeds
  }
}

extension PreparedStudy {
  /// Does a runner's work on one session, and says which it was where that cannot be done.
  func result<Value>(
    of number: Int, _ runner: StudyRunner, _ work: (Int) throws(StudyRunner.Failure) -> Value
  ) throws(Failure) -> Value {
    try rethrowing(try work(number)) { failure($0, of: number, runner) }
  }

  private func failure(
    _ error: StudyRunner.Failure, of number: Int, _ runner: StudyRunner
  ) -> Failure {
    let session = study.session(number)
    var file = files[session.scenario]
    file.edits = runner.edits(for: session)
    let mistakes: DocumentError
    switch error {
    case .run(let error): return Failure(error, in: file.title)
    case .document(let error): mistakes = error
    case .edit(let error):
      file.edits.removeAll { $0.path != error.path }
      mistakes = DocumentError([
        Diagnostic(file: file.title, position: nil, path: error.path, message: error.message)
      ])
    }
    return words.refuse(
      mistakes, in: try? runner.document(for: session), link: study.links[session.link].name,
      policy: study.contestants[session.contestant].name) ?? Failure(mistakes, of: file)
  }

  func title(of number: Int) -> String {
    let session = study.session(number)
    return [
      study.scenarios[session.scenario].name, study.links[session.link].name,
      study.contestants[session.contestant].name,
    ].joined(separator: ", ")
  }
}

extension StudyHeader {
  /// Writes the one file of a study in pieces: its first line, and a line for each session.
  func write<Problem: Error>(
    _ rows: StudyRows, _ numbers: some Sequence<Int>,
    to receive: ([UInt8]) throws(Problem) -> Void
  ) throws(Problem) {
    var writer = JSONWriter()
    writer.part(self)
    for number in numbers {
      writer.session(number, rows.row(number), of: self)
      if writer.bytes.count > 65_536 {
        try receive(writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
      }
    }
    try receive(writer.bytes)
  }
}

extension OutputFiles {
  static func writeSessions(
    of header: StudyHeader, _ rows: StudyRows, _ numbers: some Sequence<Int>, to path: String
  ) throws(Failure) {
    try write(to: path) { (descriptor: Int32) throws(SystemError) in
      try header.write(rows, numbers) { (lines: [UInt8]) throws(SystemError) in
        try Descriptor.write(lines[...], to: descriptor)
      }
    }
  }
}
