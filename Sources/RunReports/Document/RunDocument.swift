package import ExactText
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension RunOutcome {
  /// A run under the names that are the same wherever they occur.
  ///
  /// - Parameters:
  ///   - panels: the engineering panels to write; nil for none.
  ///   - logs: the logs to write.
  ///   - findings: Members that others have found out about it.
  package func document(
    of scenario: Scenario, file: String, heuristic: String, panels: PanelChoice? = nil,
    logs: LogChoice = .none, findings: JSONTree = [:]
  ) -> JSONTree {
    ["file": .string(file)] + heading(of: scenario) + ["heuristic": .string(heuristic)]
      + player.document + ["warnings": warnings.document] + story(of: scenario)
      + startup.document
      + ["segmentSizes": scenario.segmentSizes, "players": others.document]
      + document(of: panels) + document(of: logs) + findings
      + ["faults": faults.isEmpty ? nil : .strings(faults)]
  }

  /// The logs of the item that is current in the end, or of the only one there was; where there
  /// were several, those of each in a list.
  private func document(of choice: LogChoice) -> JSONTree {
    if choice.isEmpty { return [:] }
    let first = itemLogs.count == 1 ? itemLogs[0].logs : logs
    return first.document(choice) + [
      "itemLogs": itemLogs.count < 2
        ? nil
        : .list(itemLogs) {
          ["player": .text($0.player), "item": .text($0.item)] + $0.logs.document(choice)
        }
    ]
  }

  /// The members with which everything about a run begins.
  func heading(of scenario: Scenario) -> JSONTree {
    [
      "scenario": .string(scenario.name), "seed": .whole(scenario.seed),
      "digest": .text(digest), "end": .string(end.word),
      "endedSeconds": .seconds(ended.nanoseconds), "fidelity": .string(scenario.fidelity.word),
    ]
  }

  private func document(of choice: PanelChoice?) -> JSONTree {
    let chosen: [Panel]
    switch chosenPanels.isEmpty ? choice : .all {
    case .changes, .all: chosen = chosenPanels.isEmpty ? panels : chosenPanels
    case .end: chosen = Array(panels.suffix(1))
    case .none?: chosen = []
    case nil: return [:]
    }
    return ["panels": .list(chosen) { $0.document }]
  }
}

extension RunLogs {
  fileprivate func document(_ choice: LogChoice) -> JSONTree {
    (choice.hasAccessLog ? accessDocument : [:]) + (choice.hasErrorLog ? errorDocument : [:])
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
