package import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

// A part of a study as a file: a first line that says of which study, then a line for each session.
// A study that was stopped, a shard and the whole are the same kind of file.

/// Which sessions of a study a machine runs: the third of eight runs every eighth, from the third.
package struct StudyShard: Hashable, Sendable {
  package var number: Int
  package var count: Int

  package init(number: Int = 1, count: Int = 1) {
    self.number = number
    self.count = count
  }

  /// The number of its n-th session.
  package func session(_ index: Int) -> Int { number - 1 + index * count }

  /// Whether a session is its own.
  package func holds(_ session: Int) -> Bool { session % count == number - 1 }

  /// How many of so many sessions are its own.
  package func size(of sessions: Int) -> Int {
    sessions < number ? 0 : (sessions - number) / count + 1
  }
}

/// The first line of a part: what all results say of the study, without what only running needs.
package struct StudyHeader: Sendable {
  package var study: Study
  /// The hash of everything that the results follow from.
  package var digest: String
  package var shard: StudyShard
  /// The groups that are summed up by themselves.
  package var groupings: [StudyResults.Grouping]

  package init(
    study: Study, digest: String, shard: StudyShard, by groupings: [StudyResults.Grouping]
  ) {
    self.study = study
    self.digest = digest
    self.shard = shard
    self.groupings = groupings
  }

  /// The version of the format: since 2 each line ends with its checksum; since 3 a session names
  /// its study and its settings.
  static let version: Int64 = 3

  /// Whether sessions of both are of one study.
  package func isOfSameStudy(as other: StudyHeader) -> Bool {
    func content(_ header: StudyHeader) -> [UInt8] {
      var writer = JSONWriter()
      writer.beginObject()
      writer.study(header.study)
      writer.endObject()
      return writer.bytes
    }
    return digest == other.digest && content(self) == content(other)
  }
}

// MARK: - Writing

extension JSONWriter {
  /// Writes the first line of a part.
  package mutating func part(_ header: StudyHeader) {
    let start = bytes.count
    beginObject()
    key("part")
    integer(StudyHeader.version)
    key("tool")
    string(Tool.version)
    key("study")
    string(header.digest)
    key("shard")
    string("\(header.shard.number)/\(header.shard.count)")
    study(header.study)
    let contestants = header.study.contestants
    list("varied", contestants.indices.filter { !contestants[$0].settings.isEmpty }) {
      $0.beginObject()
      $0.key("place")
      $0.integer(Int64($1))
      $0.policy(contestants[$1])
      $0.endObject()
    }
    list("by", header.groupings) { $0.string($1.rawValue) }
    endSealedLine(from: start, of: header)
  }

  /// Ends a line with the hash of its study's digest and of the line so far: an altered line is not
  /// believed, nor one of another study.
  private mutating func endSealedLine(from start: Int, of header: StudyHeader) {
    let hash = bytes.withUnsafeBufferPointer { bytes in
      fnv1a(UnsafeBufferPointer(rebasing: bytes[start...]), after: fnv1a(header.digest))
    }
    key("checksum")
    let digits = String(hash, radix: 16)
    string(String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    endObject()
    endLine()
  }

  /// Writes what a study is of, as members.
  package mutating func study(_ study: Study) {
    list("scenarios", study.scenarios) { writer, scenario in
      writer.beginObject()
      for (name, value) in [("file", scenario.file), ("scenario", scenario.name)] {
        writer.key(name)
        writer.string(value)
      }
      writer.key("seed")
      writer.natural(scenario.seed)
      writer.key("fidelity")
      writer.string(scenario.fidelity)
      if scenario.isLive {
        writer.key("live")
        writer.boolean(true)
      }
      writer.endObject()
    }
    list("links", study.links) { writer, link in
      writer.beginObject()
      writer.key("link")
      writer.string(link.name)
      writer.key("group")
      writer.string(link.group)
      writer.endObject()
    }
    list("policies", study.contestants) { $0.string($1.name) }
    list("seeds", study.seeds) { $0.natural($1) }
    key("baseline")
    if let baseline = study.baseline {
      string(study.contestants[baseline].name)
    } else {
      null()
    }
    list("objectives", study.objectives) { $0.string($1.name) }
    key("regret")
    boolean(study.asksRegret)
    key("resampling")
    beginObject()
    key("seed")
    natural(study.resampling.seed)
    key("draws")
    integer(Int64(study.resampling.draws(for: study.pairCount)))
    endObject()
  }

  mutating func list<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes the line of a session.
  package mutating func session(_ number: Int, _ row: SessionRow, of header: StudyHeader) {
    let start = bytes.count
    let study = header.study
    let session = study.session(number)
    beginObject()
    key("session")
    integer(Int64(number))
    for (name, value) in [
      ("file", study.scenarios[session.scenario].file),
      ("scenario", study.scenarios[session.scenario].name),
      ("link", study.links[session.link].name),
    ] {
      key(name)
      string(value)
    }
    policy(study.contestants[session.contestant])
    key("seed")
    natural(study.seed(of: session))
    figures(row, of: study)
    key("study")
    string(header.digest)
    endSealedLine(from: start, of: header)
  }

  /// Writes whose session it is, and the settings by which it differs from others of its policy.
  private mutating func policy(_ contestant: Contestant) {
    key("policy")
    string(contestant.policy)
    if contestant.settings.isEmpty { return }
    key("settings")
    beginObject()
    for setting in contestant.settings {
      key(setting.path)
      tree(setting.value)
    }
    endObject()
  }

  /// Writes what a session's row has, as members.
  mutating func figures(_ row: SessionRow, of study: Study) {
    for (name, word) in [("end", row.end.word), ("outcome", row.ending.rawValue)] {
      key(name)
      string(word)
    }
    for field in SessionField.all {
      key(field.name)
      value(row[field], places: field.places)
    }
    var place = SessionRow.fixedWidth
    if study.asksRegret {
      key(StudyFigure.regretName)
      value(row.values[place], places: 9)
      place += 1
    }
    if study.objectives.isEmpty { return }
    key(SessionRow.objectivesName)
    objectives(study.objectives, of: row, from: place)
    let regrets = study.objectivesWithRegret
    if regrets.isEmpty { return }
    key(SessionRow.regretsName)
    objectives(regrets, of: row, from: place + study.objectives.count)
  }

  private mutating func objectives(
    _ objectives: [Objective], of row: SessionRow, from place: Int
  ) {
    beginObject()
    for (index, objective) in objectives.enumerated() {
      key(objective.name)
      value(row.values[place + index], places: 9)
    }
    endObject()
  }

  private mutating func value(_ value: Int64, places: Int) {
    if value == SessionRow.nothing { null() } else { decimal(value, places: places) }
  }
}
