/// How long a file, a function and a line may be.
enum Sizes {
  static let fileLimit = 600
  static let stateMachineLimit = 700
  static let functionLimit = 50
  static let lineLimit = 100

  // The tables below only tighten: an entry may be lowered or taken out, never raised or added to
  // without a reason that stands beside it.

  /// State machines, where every event meets every state and the length is honest.
  static let stateMachines: [String] = []

  /// Files that are longer than they should be, with the length they may not pass.
  static let longFiles: [String: Int] = [:]

  /// Functions that are longer than they should be, as `path name`, with the same meaning.
  static let longFunctions: [String: Int] = [
    // A row for each event, of which `variantStay` is the last to have come; what is split has to
    // list the events of the other part.
    "Sources/ScenarioRunner/Trace/TraceEvent.swift line": 64
  ]

  static func files(_ files: [SourceFile]) -> [Finding] {
    Ratchet(
      measured: files.filter(isCode).map { file in
        let limit = stateMachines.contains(file.path) ? stateMachineLimit : fileLimit
        return Measurement(
          name: file.path, path: file.path, line: nil, length: file.lines.count, limit: limit)
      }, table: longFiles, noun: "file", instead: "Split it where an idea ends"
    ).findings
  }

  static func functions(_ files: [SourceFile]) -> [Finding] {
    Ratchet(
      measured: files.flatMap { file in
        Functions.all(in: file).map {
          Measurement(
            name: file.path + " " + $0.name, path: file.path, line: $0.line, length: $0.length,
            limit: functionLimit)
        }
      }, table: longFunctions, noun: "function", instead: "Give a part of it a name of its own"
    ).findings
  }

  static func widths(_ file: SourceFile) -> [Finding] {
    guard isCode(file) else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      guard line.count > lineLimit else { return nil }
      let width = String(decoding: line, as: UTF8.self).count
      if width <= lineLimit { return nil }
      return Finding(
        path: file.path, line: index + 1, what: "a line of \(width) columns",
        instead: "Break it before column \(lineLimit)",
        because: "two files fit beside each other on a screen")
    }
  }

  private static func isCode(_ file: SourceFile) -> Bool {
    !file.path.hasPrefix("Scenarios/") && !file.path.hasSuffix(".md")
  }
}

/// Something that has a length and a limit.
struct Measurement {
  /// What the ratchet's table calls it.
  var name: String
  var path: String
  var line: Int?
  var length: Int
  var limit: Int
}

/// Holds lengths under their limits, and what is already longer at its length of today.
struct Ratchet {
  var measured: [Measurement]
  var table: [String: Int]
  var noun: String
  var instead: String

  var findings: [Finding] {
    measured.compactMap(judged) + forgotten
  }

  private func judged(_ one: Measurement) -> Finding? {
    guard let notch = table[one.name] else {
      return one.length > one.limit ? tooLong(one, limit: one.limit) : nil
    }
    if one.length > notch { return tooLong(one, limit: notch) }
    if one.length == notch && notch > one.limit { return nil }
    let next = one.length > one.limit ? "Lower the ratchet to \(one.length)" : "Take it out"
    return Finding(
      path: one.path, line: one.line,
      what: "a \(noun) of \(one.length) lines with a ratchet at \(notch)", instead: next,
      because: "the ratchet only tightens")
  }

  private func tooLong(_ one: Measurement, limit: Int) -> Finding {
    Finding(
      path: one.path, line: one.line, what: "a \(noun) of \(one.length) lines, over \(limit)",
      instead: instead, because: "what fits on a screen is read as a whole")
  }

  /// Entries of the table that name nothing any more.
  private var forgotten: [Finding] {
    let names = Set(measured.map(\.name))
    return table.keys.filter { !names.contains($0) }.sorted().map {
      Finding(
        path: $0, what: "a ratchet for something that is not there", instead: "Take it out",
        because: "the ratchet only tightens")
    }
  }
}
