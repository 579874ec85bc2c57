import ExactText
import ScenarioRunner

/// The reason why a file is no part of a study, or not of this one.
package struct StudyPartError: Error, Hashable, Sendable {
  package var message: String
  package var line = 1
}

package struct StudyPart: Sendable {
  package var header: StudyHeader
  /// The numbers of its sessions, in the order of the file.
  package var sessions: [Int] = []
  package var rows: [SessionRow] = []
  /// The length of its whole lines in bytes: any later bytes are of a line that was broken off.
  package var wholeBytes = 0

  package init(_ text: [UInt8]) throws(StudyPartError) {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    // A line that is whole ends with a line break.
    wholeBytes = text.count - (lines.popLast() ?? []).count
    guard let first = lines.popFirst() else {
      throw StudyPartError(
        message: text.isEmpty ? "it is empty" : "it was broken off in its first line")
    }
    header = try StudyHeader(first)
    // A line that was read is written again: whatever of it was not understood makes a difference.
    var writer = JSONWriter()
    writer.part(header)
    if !Self.isSame(writer, first) { throw Self.altered(line: 1) }
    for (index, line) in lines.enumerated() {
      guard let value = try? JSONValue(parsing: line), let number = value.integer("session"),
        let row = SessionRow(value, header), number >= 0,
        number < Int64(header.study.sessionCount), header.shard.holds(Int(number))
      else {
        throw StudyPartError(message: "this is no line of a session of the part", line: index + 2)
      }
      writer.bytes.removeAll(keepingCapacity: true)
      writer.session(Int(number), row, of: header)
      if !Self.isSame(writer, line) { throw Self.altered(line: index + 2) }
      sessions.append(Int(number))
      rows.append(row)
    }
  }

  private static func isSame(_ writer: JSONWriter, _ line: ArraySlice<UInt8>) -> Bool {
    writer.bytes.dropLast().elementsEqual(line)
  }

  private static func altered(line: Int) -> StudyPartError {
    StudyPartError(
      message: "this line was altered since it was written: it does not match its checksum",
      line: line)
  }
}

extension StudyHeader {
  init(_ line: ArraySlice<UInt8>) throws(StudyPartError) {
    guard let value = try? JSONValue(parsing: line), let version = value.integer("part") else {
      throw StudyPartError(message: "it is no part of a study")
    }
    guard version == StudyHeader.version,
      value.text("tool").map({ isSameText($0, Tool.version) }) == true
    else {
      throw StudyPartError(message: "it was written by another version of goldilocks")
    }
    guard let digest = value.text("study"), let shard = value.text("shard"),
      let parsed = StudyShard(shard), let study = Study(value)
    else { throw StudyPartError(message: "it does not say of which study it is a part") }
    if let excess = study.excess { throw StudyPartError(message: excess) }
    let groupings = value["by"]?.elements?.compactMap {
      StudyResults.Grouping(rawValue: $0.string ?? "")
    }
    self.init(study: study, digest: digest, shard: parsed, by: groupings ?? [])
  }
}

extension StudyShard {
  /// Nil for text that is no number, a slash and a number that is not less.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
    guard isPlain, parts.count == 2, let number = Int(Substring(parts[0])),
      let count = Int(Substring(parts[1])), (1...10_000).contains(count),
      (1...count).contains(number)
    else { return nil }
    self.init(number: number, count: count)
  }
}

extension Study {
  /// Reads the study that a part describes: enough for its results, and not for running it.
  fileprivate init?(_ value: JSONValue) {
    guard let scenarios = value["scenarios"]?.elements, let links = value["links"]?.elements,
      let names = value["policies"]?.elements, let seeds = value["seeds"]?.elements,
      let objectives = value["objectives"]?.elements, let resampling = value["resampling"],
      let salt = resampling.natural("seed"), let draws = resampling.integer("draws"),
      Resampling.permittedDraws.contains(draws)
    else { return nil }
    self.init(
      scenarios: scenarios.map {
        StudyScenario(
          file: $0.text("file") ?? "", name: $0.text("scenario") ?? "",
          seed: $0.natural("seed") ?? 0, fidelity: $0.text("fidelity") ?? "",
          isLive: $0["live"]?.flag == true)
      },
      links: links.map {
        StudyLink($0.text("link") ?? "", group: $0.text("group") ?? "", edits: [])
      },
      contestants: names.map { Contestant($0.string ?? "") },
      seeds: seeds.compactMap { $0.natural },
      objectives: objectives.compactMap { Objective.named($0.string ?? "") },
      asksRegret: value["regret"]?.flag == true,
      resampling: Resampling(seed: salt, draws: Int(draws)))
    keepsDigests = value["digests"]?.flag == true
    notes = value["notes"]?.elements?.compactMap { $0.string } ?? []
    for varied in value["varied"]?.elements.map({ Array($0) }) ?? [] {
      guard let place = varied.integer("place").map({ Int(clamping: $0) }),
        contestants.indices.contains(place), let settings = varied["settings"]?.members
      else { continue }
      contestants[place].policy = varied.text("policy") ?? ""
      contestants[place].settings = settings.map { ($0.key, JSONTree($0.value)) }
    }
    if let name = value.text("baseline") {
      baseline = contestants.firstIndex { isSameText($0.name, name) }
    }
    if self.scenarios.isEmpty || self.links.isEmpty || contestants.isEmpty { return nil }
  }
}

extension SessionRow {
  /// Reads the line of a session; nil where it has not all that it should have.
  fileprivate init?(_ line: JSONValue, _ header: StudyHeader) {
    let columns = header.columns
    guard let end = line.text("end"), let outcome = line.text("outcome"),
      let endings = SessionRow.code(ending: outcome, end: end)
    else { return nil }
    var values: [Int64] = []
    for column in columns {
      if column.place == SessionRow.fixedWidth { values.append(endings) }
      let object = column.group == .none ? line : line[column.group.rawValue]
      guard let member = object?[column.name] else { return nil }
      let number = member.isNull ? SessionRow.nothing : member.units(places: column.places)
      guard let number, column.permits(number) else { return nil }
      values.append(number)
    }
    if values.count == columns.count { values.append(endings) }
    if header.study.keepsDigests {
      guard let digest = line.text("digest").flatMap({ SessionRow.values(of: $0) }) else {
        return nil
      }
      values += digest
    }
    self.init(values: values)
  }
}

extension JSONValue {
  fileprivate func text(_ key: String) -> String? { self[key]?.string }

  fileprivate func integer(_ key: String) -> Int64? { self[key]?.units(places: 0) }

  fileprivate func natural(_ key: String) -> UInt64? { self[key]?.natural }

  fileprivate var natural: UInt64? {
    numberBytes.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
  }
}
