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
    story(scenario, outcome)
    members(of: outcome.startup)
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
    if !outcome.faults.isEmpty {
      key("faults")
      beginArray()
      for fault in outcome.faults { string(fault) }
      endArray()
    }
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
    key("scenario")
    string(scenario.name)
    key("seed")
    natural(scenario.seed)
    key("digest")
    if let digest = outcome.digest { string(digest) } else { null() }
    key("end")
    string(outcome.end.word)
    key("endedSeconds")
    seconds(outcome.ended.nanoseconds)
    key("fidelity")
    string(scenario.fidelity.word)
  }

  private mutating func panels(_ panels: [Panel], _ choice: PanelChoice) {
    let chosen: [Panel]
    switch choice {
    case .changes, .all: chosen = panels
    case .end: chosen = Array(panels.suffix(1))
    case .none: chosen = []
    }
    key("panels")
    beginArray()
    for panel in chosen { self.panel(panel) }
    endArray()
  }

  private mutating func panel(_ panel: Panel) {
    beginObject()
    key("seconds")
    seconds(panel.instant.nanoseconds)
    key("timeControlStatus")
    string(panel.control.word)
    key("reasonForWaitingToPlay")
    if let reason = panel.control.reason { string(reason.word) } else { null() }
    key("rate")
    rate(panel.rate)
    key("timebaseRate")
    rate(panel.timebaseRate)
    key("currentTime")
    seconds(panel.currentTime.nanoseconds)
    key("loadedTimeRanges")
    beginArray()
    for range in panel.loadedTimeRanges {
      beginArray()
      seconds(range.lowerBound.nanoseconds)
      seconds(range.upperBound.nanoseconds)
      endArray()
    }
    endArray()
    key("isPlaybackLikelyToKeepUp")
    boolean(panel.isPlaybackLikelyToKeepUp)
    key("isPlaybackBufferFull")
    boolean(panel.isPlaybackBufferFull)
    key("isPlaybackBufferEmpty")
    boolean(panel.isPlaybackBufferEmpty)
    endObject()
  }
}
