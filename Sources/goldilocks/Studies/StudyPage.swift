import ExactText
import HeuristicComparison
import RunReports
import ScenarioFormat

extension StudyResults {
  func page(_ prepared: PreparedStudy, _ screen: StudyScreen) -> ComparisonPage {
    var tables = [table("All sessions", StudyTable(whole, of: study))]
    if let differences = StudyTable(differences: whole, of: study), let baseline = study.baseline {
      let name = study.contestants[baseline].name
      tables.append(table("Against \(name), session by session", differences))
    }
    for group in groups {
      tables.append(
        table("\(group.kind.rawValue) \(group.name)", StudyTable(group.summary, of: study)))
    }
    return ComparisonPage(
      heading: screen.heading, policies: study.contestants.indices.map { policy($0) },
      distributions: [StudyFigure.startup, .stalled].map { figure in
        (figure.title, values(of: figure) { _ in true })
      },
      links: study.links.indices.map { place in
        (study.links[place].name, values(of: .startup) { $0.link == place })
      }, tables: tables, remarks: screen.remarks,
      data: data(prepared))
  }

  private func table(_ title: String, _ table: StudyTable) -> ComparisonPage.Table {
    let columns = table.filled
    let headings = columns.map { $0.group.isEmpty ? $0.heading : "\($0.group), \($0.heading)" }
    let rows = table.names.indices.map { row in
      let contestant = study.contestants.first { $0.name == table.names[row] }
      let settings = varied.map { path in
        contestant?.settings.last { $0.path == path }?.value.shown ?? "-"
      }
      return [(contestant?.policy ?? table.names[row]) + table.marks[row]] + settings
        + columns.map { $0.cells[row] }
    }
    return (title, ["policy"] + varied + headings, rows)
  }

  private var varied: [String] {
    distinct(study.contestants.flatMap { $0.settings.map { $0.path } })
  }

  private func values(of figure: StudyFigure, _ counts: (Study.Session) -> Bool) -> [[Int64?]] {
    var values: [[Int64?]] = study.contestants.map { _ in [] }
    for number in 0..<study.sessionCount {
      let session = study.session(number)
      if counts(session) { values[session.contestant].append(self.number(number, figure)) }
    }
    return values
  }

  private func policy(_ place: Int) -> ComparisonPage.Policy {
    func mean(_ figure: StudyFigure) -> FigureStatistics.Statistic? {
      let index = whole.figures.firstIndex { $0.name == figure.name }
      return index.flatMap { whole.contestants[place].statistics[$0].mean }
    }
    func spread(_ figure: StudyFigure) -> ComparisonPage.Spread? {
      mean(figure).map { mean in
        (mean.value, mean.interval?.low ?? mean.value, mean.interval?.high ?? mean.value)
      }
    }
    return (
      study.contestants[place].name, whole.front.contains(place), spread(.startup),
      spread(.stalled), mean(.averageBitrate)?.value
    )
  }

  private func number(_ session: Int, _ figure: StudyFigure) -> Int64? {
    if case .number(let value) = figure.value(rows.row(session)) { value } else { nil }
  }

  /// The sessions that a page lists; it says how many it leaves out.
  private static let mostSessions = 20_000
  /// The bytes of recordings and other files that a page holds.
  private static let mostBytes = 2_000_000

  private func data(_ prepared: PreparedStudy) -> JSONTree {
    let listed = 0..<min(study.sessionCount, Self.mostSessions)
    return [
      "policies": .list(study.contestants) { contestant in
        let isRunnable = contestant.heuristic == nil
        return contestant.document + ["edits": isRunnable ? edits(contestant.edits) : nil]
      },
      "links": .list(study.links) { ["name": .string($0.name), "edits": edits($0.edits)] },
      "scenarios": .list(study.scenarios.indices) { place in
        let isDelayed = place < prepared.sources.delays.count
        return [
          "name": .string(study.scenarios[place].name),
          "file": .string(study.scenarios[place].file),
          "delays": edits(isDelayed ? prepared.sources.delays[place] : []),
          "document": (try? JSONValue(parsing: prepared.sources.documents[place]))
            .map { JSONTree($0) },
        ]
      },
      "keepsDelay": .list(study.links) { .boolean($0.keepsDelay) },
      "edits": edits(study.edits), "files": files(prepared),
      "seeded": .boolean(!study.seeds.isEmpty), "count": .whole(study.sessionCount),
      "sessions": .list(listed) { number in
        let session = study.session(number)
        let (start, stalled) = (self.number(number, .startup), self.number(number, .stalled))
        return [
          .whole(session.scenario), .whole(session.link), .whole(session.contestant),
          .whole(study.seed(of: session)), .whole(start.map { $0 / 1_000_000 }),
          .whole(stalled.map { $0 / 1_000_000 }),
          .whole(self.number(number, .averageBitrate).map { $0 / 1000 }),
          .text(rows.row(number).digest(in: study).map { shortDigest($0) }),
        ]
      },
    ]
  }

  private func edits(_ edits: [JSONEdit]) -> JSONTree {
    .list(edits) { .string("\($0.path.text)=" + ($0.value?.json ?? "")) }
  }

  /// The files that sessions read by the paths that scenarios know, as far as there is room.
  private func files(_ prepared: PreparedStudy) -> JSONTree {
    var room = Self.mostBytes
    var members: [(String, JSONTree?)] = []
    for file in prepared.sessionFiles where file.text.count <= room {
      room -= file.text.count
      members.append((file.name, .string(String(decoding: file.text, as: UTF8.self))))
    }
    return .members(members)
  }
}
