package import ExactText
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension JSONWriter {
  /// Writes a run under the names that are the same wherever they occur.
  ///
  /// - Parameters:
  ///   - panels: the engineering panels to write; nil for none.
  ///   - logs: the logs to write.
  ///   - findings: Writes what others have found out about it.
  package mutating func run(
    _ scenario: Scenario, _ outcome: RunOutcome, file: String, heuristic: String,
    panels: PanelChoice? = nil, logs: LogChoice = .none,
    findings: (inout JSONWriter) -> Void = { _ in }
  ) {
    beginObject()
    key("file")
    string(file)
    heading(scenario, outcome)
    key("heuristic")
    string(heuristic)
    figures(of: outcome.player)
    warnings(outcome.warnings)
    members(outcome.story(of: scenario))
    members(outcome.startup.document)
    if case .stream(let settings) = scenario.item.source,
      let report = settings.presentation.sizeReport
    {
      segmentSizes(report)
    }
    players(outcome.others)
    if !outcome.chosenPanels.isEmpty {
      self.panels(outcome.chosenPanels, .all)
    } else if let panels {
      self.panels(outcome.panels, panels)
    }
    self.logs(of: outcome, logs)
    findings(&self)
    members(["faults": outcome.faults.isEmpty ? nil : .strings(outcome.faults)])
    endObject()
  }

  /// The logs of the item that is current in the end, or of the only one there was; where there
  /// were several, those of each in a list.
  private mutating func logs(of outcome: RunOutcome, _ choice: LogChoice) {
    if choice.isEmpty { return }
    let all = outcome.itemLogs
    logs(all.count == 1 ? all[0].logs : outcome.logs, choice)
    if all.count < 2 { return }
    key("itemLogs")
    beginArray()
    for item in all {
      beginObject()
      for (name, text) in [("player", item.player), ("item", item.item)] {
        key(name)
        if let text { string(text) } else { null() }
      }
      logs(item.logs, choice)
      endObject()
    }
    endArray()
  }

  private mutating func logs(_ logs: RunLogs, _ choice: LogChoice) {
    if choice.hasAccessLog { accessLog(of: logs) }
    if choice.hasErrorLog { errorLog(of: logs) }
  }

  /// The members with which everything about a run begins.
  mutating func heading(_ scenario: Scenario, _ outcome: RunOutcome) {
    members([
      "scenario": .string(scenario.name),
      "seed": .whole(scenario.seed),
      "digest": .text(outcome.digest),
      "end": .string(outcome.end.word),
      "endedSeconds": .seconds(outcome.ended.nanoseconds),
      "fidelity": .string(scenario.fidelity.word),
    ])
  }

  private mutating func panels(_ panels: [Panel], _ choice: PanelChoice) {
    let chosen: [Panel]
    switch choice {
    case .changes, .all: chosen = panels
    case .end: chosen = Array(panels.suffix(1))
    case .none: chosen = []
    }
    members(["panels": .list(chosen) { $0.document }])
  }
}

extension Panel {
  fileprivate var document: JSONTree {
    [
      "seconds": .seconds(instant.nanoseconds),
      "timeControlStatus": .string(control.word),
      "reasonForWaitingToPlay": .text(control.reason?.word),
      "rate": .rate(rate),
      "timebaseRate": .rate(timebaseRate),
      "currentTime": .seconds(currentTime.nanoseconds),
      "loadedTimeRanges": .list(loadedTimeRanges) {
        [.seconds($0.lowerBound.nanoseconds), .seconds($0.upperBound.nanoseconds)]
      },
      "isPlaybackLikelyToKeepUp": .boolean(isPlaybackLikelyToKeepUp),
      "isPlaybackBufferFull": .boolean(isPlaybackBufferFull),
      "isPlaybackBufferEmpty": .boolean(isPlaybackBufferEmpty),
    ]
  }
}
