import ExactText
import ScenarioFormat
import SimulatedPlayback
import VirtualTime

package enum StudyValue: Hashable, Sendable {
  case number(Int64)
  /// Playback never began, or did not go on: worse than any number.
  case never
  /// There is none, and nothing follows from that.
  case unknown
}

/// A figure of a study: a row for each, with the one name that it has in all results.
package struct StudyFigure: Sendable {
  /// As documents have it.
  package let name: String
  /// As a table has it.
  package let title: String
  /// The unit, where the name does not say it.
  package var unit = ""
  /// The number of decimal places in its whole numbers.
  package let places: Int
  package var isGain = false
  /// Whether it has a median and a percentile; a share has a mean alone.
  package var hasPercentiles = true
  /// The value in a session that was not cut by its event budget.
  let whole: @Sendable (SessionRow) -> StudyValue

  /// The value in a session; after a cut by the event budget only a startup is known.
  package func value(_ row: SessionRow) -> StudyValue {
    let isKnown = row.end != .budget || name == SessionField.startup.name && row.hasStarted
    return isKnown ? whole(row) : .unknown
  }
}

extension StudyFigure {
  /// The figures of a study, in the order of results.
  package static func all(of study: Study) -> [StudyFigure] {
    var figures = always
    func add(
      _ name: String, _ title: String, _ unit: String, isGain: Bool, _ lastsWithStalls: Bool
    ) {
      let place = SessionRow.fixedWidth + figures.count - always.count
      figures.append(
        StudyFigure(name: name, title: title, unit: unit, places: 9, isGain: isGain) { row in
          let value = row.values[place]
          if row.isBroken && lastsWithStalls { return .never }
          if value != SessionRow.nothing { return .number(value) }
          return row.isBroken ? .never : .unknown
        })
    }
    if study.asksRegret { add(regretName, "regret", "s", isGain: false, true) }
    for one in study.objectives {
      add(one.name, one.name, one.unit, isGain: one.isGain, one.lastsWithStalls)
    }
    for one in study.objectivesWithRegret {
      let name = one.name + "Regret"
      add(name, name, one.unit, isGain: false, one.lastsWithStalls)
    }
    return figures
  }

  static let always: [StudyFigure] = {
    let first = [
      startup, stalled, rebufferRatio, StudyFigure(.stalls),
      // A session that never starts has no stall, and is not better for it.
      share("stallShare", "with a stall", else: .never) { $0.hasStarted ? $0[.stalls] > 0 : nil },
      share("neverPlayedShare", "never start") { !$0.hasStarted },
      share("neverRecoveredShare", "never go on") { $0.hasStarted ? $0.isBroken : nil },
      StudyFigure(.firstBitrate), averageBitrate, StudyFigure(.switches),
    ]
    let others = SessionField.all.filter { field in
      field.column.title != nil && !first.contains { isSameText($0.name, field.name) }
    }
    return first + others.map { StudyFigure($0) }
  }()

  private init(_ field: SessionField) {
    // A mean of counts has decimals.
    let scale: Int64 = field.unit.isEmpty ? 1_000_000 : 1
    self.init(
      name: field.name, title: field.column.title ?? field.name, unit: field.unit,
      places: field.unit.isEmpty ? 6 : field.places, isGain: field.isGain
    ) { row in
      switch field.column.sessions {
      case .started where !row.hasStarted, .unbroken where row.isBroken: .never
      case .all, .started, .unbroken: .number(row[field] * scale)
      }
    }
  }

  package static let startup = StudyFigure(.startup)
  package static let stalled = StudyFigure(.stalled)
  package static let averageBitrate = StudyFigure(.averageBitrate)

  /// The figures of the Pareto front, and of the table of differences.
  static let compared = [startup.name, stalled.name, averageBitrate.name]

  /// Stalled time over stalled and played time, in millionths.
  private static let rebufferRatio = StudyFigure(
    name: "rebufferRatio", title: "rebuffer", places: 6
  ) { row in
    if row.isBroken { return .never }
    let whole = row[.stalled] + row[.played]
    if whole == 0 { return .number(0) }
    return .number(scaled(row[.stalled], by: 1_000_000, over: whole, rounding: .down))
  }

  private static func share(
    _ name: String, _ title: String, else other: StudyValue = .unknown,
    _ holds: @escaping @Sendable (SessionRow) -> Bool?
  ) -> StudyFigure {
    StudyFigure(name: name, title: title, places: 6, hasPercentiles: false) { row in
      holds(row).map { .number($0 ? 1_000_000 : 0) } ?? other
    }
  }

  static let regretName = "regretSeconds"
}

extension SessionRow {
  package var hasStarted: Bool { self[.startup] != SessionRow.nothing }

  /// Summed differences of startup and stalled time; a year if one alone never began or resumed.
  package func distance(from other: SessionRow) -> UInt64 {
    if isBroken || other.isBroken {
      return isBroken == other.isBroken ? 0 : 31_536_000_000_000_000
    }
    return (self[.startup] - other[.startup]).magnitude
      + (self[.stalled] - other[.stalled]).magnitude
  }

  /// Whether playback never began, or did not go on in the end.
  package var isBroken: Bool { !hasStarted || ending != .played }
}
