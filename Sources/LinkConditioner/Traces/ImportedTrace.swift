/// The meaning of a trace's samples; where a format leaves it open, an importer states its choice.
package struct TraceReading: Hashable, Sendable {
  package enum Interval: String, Hashable, Sendable, CaseIterable {
    /// From its time to the next one's.
    case starts
    /// From the one before to its own time.
    case ends
    /// It says how long itself.
    case explicit
  }

  package var interval: Interval
  package var ending: RateSchedule.Ending
  package var clock: RateSchedule.Clock
  /// Whether an answer begins although nothing gets through.
  package var answersInOutages: Bool

  package init(
    interval: Interval, ending: RateSchedule.Ending, clock: RateSchedule.Clock = .wall,
    answersInOutages: Bool = false
  ) {
    self.answersInOutages = answersInOutages
    self.interval = interval
    self.ending = ending
    self.clock = clock
  }
}

extension TraceFormat {
  /// The reading that the format's own tool uses.
  package var usualReading: TraceReading {
    switch self {
    case .sabre:
      // A request's latency passes, and what it is charged for begins then, whatever the rate.
      TraceReading(interval: .explicit, ending: .loops, answersInOutages: true)
    case .pensieve:
      TraceReading(interval: .ends, ending: .loops, clock: .pausedDuringLatency)
    case .mahimahi: TraceReading(interval: .ends, ending: .loops)
    case .hsdpa: TraceReading(interval: .explicit, ending: .loops)
    case .cadvise, .networkLinkConditioner: TraceReading(interval: .explicit, ending: .holds)
    case .commaSeparated: TraceReading(interval: .starts, ending: .holds)
    }
  }
}

/// Settings of an import that override the usual ones.
package struct ImportOptions: Hashable, Sendable {
  /// Nil: as the content looks.
  package var format: TraceFormat?
  /// For the formats whose samples carry times alone; the others say it themselves.
  package var interval: TraceReading.Interval?
  package var ending: RateSchedule.Ending?
  package var clock: RateSchedule.Clock?
  package var answersInOutages: Bool?
  /// The payload fraction of each rate: Pensieve's own simulator takes 0.95.
  package var payload = LossRatio.total {
    didSet { precondition(!payload.isNone, "a payload is a part of the rate") }
  }

  package init(format: TraceFormat? = nil, ending: RateSchedule.Ending? = nil) {
    (self.format, self.ending) = (format, ending)
  }
}

/// A recorded link, and how it was read.
package struct ImportedTrace: Hashable, Sendable {
  package let format: TraceFormat
  package let reading: TraceReading
  package let schedule: RateSchedule
  /// Conditions besides the schedule: loss, where a trace has one.
  package let conditions: LinkConditions
  /// Assumptions, rounded values and omissions of the import, in sentences.
  package let notes: [String]
}

/// Conditions that a file gives a name.
package struct ImportedProfile: Hashable, Sendable {
  package let name: String
  package let conditions: LinkConditions
}

package enum Imported: Hashable, Sendable {
  case trace(ImportedTrace)
  case profiles([ImportedProfile])

  package init(_ bytes: [UInt8], options: ImportOptions = .init()) throws(ImportError) {
    let text = SourceText(bytes)
    let format =
      if let chosen = options.format { chosen } else { try TraceFormat.detected(in: text) }
    var draft = TraceDraft(format: format, options: options)
    switch format {
    case .sabre: try draft.readSabre(text)
    case .pensieve: try draft.readPensieve(text)
    case .mahimahi: try draft.readMahimahi(text)
    case .hsdpa: try draft.readHSDPA(text)
    case .cadvise: try draft.readCAdViSE(text)
    case .commaSeparated: try draft.readTable(text)
    case .networkLinkConditioner:
      self = .profiles(try importedProfiles(text))
      return
    }
    self = .trace(try draft.finished())
  }
}
