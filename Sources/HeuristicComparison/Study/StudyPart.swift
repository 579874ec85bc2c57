package import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

// A part of a study as a file: a first line that says of which study, then a line for each session.
// A study that was stopped, a shard and the whole are the same kind of file.

/// The share of a study's sessions that a machine runs: 3 of 8 runs every eighth, from the third.
package struct StudyShard: Hashable, Sendable {
  package var number: Int
  package var count: Int

  package init(number: Int = 1, count: Int = 1) {
    self.number = number
    self.count = count
  }

  /// The number of its n-th session.
  package func session(_ index: Int) -> Int { number - 1 + index * count }

  /// Whether a session, or another piece of work, is its own: neighbours, which often take equally
  /// long, are in different shards.
  package func holds(_ session: Int) -> Bool { session % count == number - 1 }

  /// The number of this shard's sessions, of all sessions of a study.
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
  /// The values of its sessions, in the order of a row.
  let columns: [SessionColumn]

  package init(
    study: Study, digest: String, shard: StudyShard, by groupings: [StudyResults.Grouping]
  ) {
    self.study = study
    self.digest = digest
    self.shard = shard
    self.groupings = groupings
    columns = study.columns
  }

  /// The version of the format: since 2 each line ends with its checksum; since 3 a session names
  /// its study and its settings; since 4 figures stand in the order of results.
  static let version: Int64 = 4

  package func isOfSameStudy(as other: StudyHeader) -> Bool {
    digest == other.digest && isSameText(study.document.json, other.study.document.json)
  }
}

/// Sixteen digits.
func hexadecimal(_ word: UInt64) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}

extension Study {
  /// A study without what only running it needs.
  package var document: JSONTree {
    [
      "scenarios": .list(scenarios) {
        [
          "file": .string($0.file), "scenario": .string($0.name), "seed": .whole($0.seed),
          "fidelity": .string($0.fidelity), "live": $0.isLive ? true : nil,
        ]
      },
      "links": .list(links) { ["link": .string($0.name), "group": .string($0.group)] },
      "policies": .list(contestants) { .string($0.name) },
      "seeds": .list(seeds) { .whole($0) },
      "baseline": .text(baseline.map { contestants[$0].name }),
      "objectives": .list(objectives) { .string($0.name) },
      "regret": .boolean(asksRegret), "digests": keepsDigests ? true : nil,
      "notes": notes.isEmpty ? nil : .strings(notes),
      "resampling": [
        "seed": .whole(resampling.seed), "draws": .whole(resampling.draws(for: pairCount)),
      ],
    ]
  }
}

extension Contestant {
  /// Its policy, and the settings by which it differs from others of that.
  package var document: JSONTree {
    let settings = settings.map { ($0.path, JSONTree?.some($0.value)) }
    return ["policy": .string(policy), "settings": settings.isEmpty ? nil : .members(settings)]
  }
}

extension JSONWriter {
  /// Writes the first line of a part.
  package mutating func part(_ header: StudyHeader) {
    let start = bytes.count
    let contestants = header.study.contestants
    beginObject()
    members([
      "part": .whole(StudyHeader.version), "tool": .string(Tool.version),
      "study": .string(header.digest),
      "shard": .string("\(header.shard.number)/\(header.shard.count)"),
    ])
    members(header.study.document)
    members([
      "varied": .list(contestants.indices.filter { !contestants[$0].settings.isEmpty }) {
        ["place": .whole($0)] + contestants[$0].document
      },
      "by": .list(header.groupings) { .string($0.rawValue) },
    ])
    endSealedLine(from: start, of: header)
  }

  /// Ends a line with the hash of its study's digest and of the line so far: an altered line is not
  /// believed, nor one of another study.
  private mutating func endSealedLine(from start: Int, of header: StudyHeader) {
    let hash = bytes.withUnsafeBufferPointer { bytes in
      fnv1a(UnsafeBufferPointer(rebasing: bytes[start...]), after: fnv1a(header.digest))
    }
    members(["checksum": .string(hexadecimal(hash))])
    endObject()
    endLine()
  }

  package mutating func session(_ number: Int, _ row: SessionRow, of header: StudyHeader) {
    let start = bytes.count
    let study = header.study
    let session = study.session(number)
    beginObject()
    members([
      "session": .whole(number), "file": .string(study.scenarios[session.scenario].file),
      "scenario": .string(study.scenarios[session.scenario].name),
      "link": .string(study.links[session.link].name),
    ])
    members(study.contestants[session.contestant].document)
    members([
      "seed": .whole(study.seed(of: session)),
      "digest": row.digest(in: study).map { .string($0) },
    ])
    figures(row, header.columns)
    members(["study": .string(header.digest)])
    endSealedLine(from: start, of: header)
  }

  /// Writes what a session's row has, as members.
  mutating func figures(_ row: SessionRow, _ columns: [SessionColumn]) {
    members(["end": .string(row.end.word), "outcome": .string(row.ending.rawValue)])
    var open = SessionColumn.Group.none
    for column in columns {
      if column.group != open {
        if open != .none { endObject() }
        key(column.group.rawValue)
        beginObject()
        open = column.group
      }
      key(column.name)
      let value = row.values[column.place]
      if value == SessionRow.nothing { null() } else { decimal(value, places: column.places) }
    }
    if open != .none { endObject() }
  }
}
