import ExactText
package import ScenarioFormat
import ScenarioRunner

package func readBaseline(_ bytes: [UInt8], file: String) throws(DocumentError) -> Baseline {
  try decodeDocument(bytes[...], file: file, as: Baseline.table.form(Baseline(file: file)).read)
}

extension KeyedFile {
  package static var baseline: KeyedFile { KeyedFile("baseline", "a baseline", Baseline.table) }
}

extension Baseline {
  fileprivate static let table = KeyTable<Self>(
    "baseline",
    "Recorded figures, written by --update-baseline; tolerances are added by hand."
  ) {
    Key.optional(
      "$schema", { $0.schema = $1 }, .text("baseline.schema.json"),
      "Path of the schema, for editors.")
    Key.optional(
      "tolerance", { $0.tolerance = $1 }, BaselineTolerance.table.form(BaselineTolerance()),
      "Permitted distance of figures from the recorded ones; without one they have to be the same.")
    Key.required(
      "scenarios", { $0.entries = $1 }, Form.list(of: entry).then(apart),
      "Record of each scenario.")
  }

  /// Refuses records of a scenario that has one already.
  private static func apart(_ all: [BaselineEntry], _ node: DocumentNode) -> [BaselineEntry]? {
    var known: Set<String> = []
    let twice = all.firstIndex { !known.insert($0.place).inserted }
    guard let twice else { return all }
    return (node.elements?[twice] ?? node).refuse(
      "\(quotation(of: all[twice].place)) is recorded twice", expected: "one record of a scenario")
  }

  private static var entry: Form<BaselineEntry> {
    BaselineEntry.table.form(BaselineEntry(place: "")).then { entry, node in
      var entry = entry
      entry.position = node.value.position
      return entry
    }
  }

  /// As the file has it, in the order of the paths, so that a diff shows what changed.
  package var bytes: [UInt8] {
    let sorted = entries.sorted { $0.place.utf8.lexicographicallyPrecedes($1.place.utf8) }
    let document: JSONTree = [
      "$schema": schema.map { .string($0) }, "tolerance": tolerance.document,
      "scenarios": .list(sorted) { $0.document },
    ]
    return document.fileText
  }
}

extension BaselineTolerance {
  fileprivate static let table = KeyTable<Self>(
    "tolerance", "Permitted distance of figures from the recorded ones, absolute or in percent."
  ) {
    Key.optional(
      "trace", { $0.wantsSameTrace = $1 }, .words([("same", true), ("any", false)]), absent: "any",
      "Whether the trace has to be the same to the last byte.")
    Figure.all.enumerated().compactMap { place, figure -> Key<Self>? in
      figure.tolerance.map { form in
        Key.optional(figure.name, { $0.figures[place] = $1 }, form, figure.about)
      }
    }
  }

  fileprivate var document: JSONTree {
    let written = zip(Figure.all, figures).map { figure, tolerance in
      (figure.name, tolerance.map { figure.written($0) })
    }
    return ["trace": wantsSameTrace.map { $0 ? "same" : "any" }] + .members(written)
  }
}

extension BaselineEntry {
  fileprivate static let table = KeyTable<Self>("record", "Record of a scenario.") {
    Key.required(
      "file", { $0.place = $1 }, .text("scenarios/start.json"),
      "Path of the scenario, from this file's folder.")
    Key.optional(
      "digest", { $0.digest = $1 },
      Form.text("00ab").then { digest, node in (digest, node.value.position) },
      "The digest of its trace.")
    Key.optional(
      "inputs", { $0.inputs = $1 },
      FreeForms.members(of: FreeForms.anything).then { members, _ in
        members.map { (name: $0.key, digest: $0.value.shown) }
      },
      absent: nil, "The digests of its parts and of the files that it names.")
    Key.optional(
      "tolerance", { $0.tolerance = $1 }, BaselineTolerance.table.form(BaselineTolerance()),
      "Its own tolerances, before those of all.")
    Key.required(
      "figures", { $0.players.insert((nil, $1), at: 0) },
      RecordedFigures.table.form(RecordedFigures()), "Those of the first player.")
    Key.optional(
      "players", { $0.players += $1 }, .list(of: playerRecord.form(("", RecordedFigures()))),
      absent: nil, "Those of further players.")
  }

  fileprivate var document: JSONTree {
    [
      "file": .string(place), "digest": digest.map { .string($0.text) },
      "inputs": inputs.isEmpty ? nil : .members(inputs.map { ($0.name, .string($0.digest)) }),
      "tolerance": tolerance.isEmpty ? nil : tolerance.document,
      "figures": players.first { $0.name == nil }?.figures.document,
      "players": .unlessEmpty(players.filter { $0.name != nil }) {
        ["name": .string($0.name ?? ""), "figures": $0.figures.document]
      },
    ]
  }
}

private let playerRecord = KeyTable<(name: String?, figures: RecordedFigures)>(
  "playerRecord", "Record of a further player."
) {
  Key.required("name", { $0.name = $1 }, .text("second"), "Name of the player.")
  Key.required(
    "figures", { $0.figures = $1 }, RecordedFigures.table.form(RecordedFigures()), "Its figures.")
}

extension RecordedFigures {
  fileprivate static let table = KeyTable<Self>("figures", "Figures of a player.") {
    Figure.all.enumerated().map { place, figure in
      Key.optional(
        figure.name, { ($0.values[place], $0.positions[place]) = ($1.value, $1.position) },
        figure.recorded.then { value, node in (value: value, position: node.value.position) },
        figure.about)
    }
  }

  fileprivate var document: JSONTree {
    .members(
      zip(Figure.all, values).map { figure, value in
        (figure.name, value.map { figure.written($0) })
      })
  }
}
