import Autowait
package import ExactText
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
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
    logs: LogChoice = LogChoice(), findings: JSONTree = [:]
  ) -> JSONTree {
    ["file": .string(file)] + heading(of: scenario)
      + ["heuristic": gaps.contains(.decisions) ? .null : .string(heuristic)]
      + player.document(lacking: gaps) + ["warnings": warnings.document] + story(of: scenario)
      + (gaps.contains(.requests) ? ["startup": .null, "criticalPath": .null] : startup.document)
      + [
        "segmentSizes": scenario.segmentSizes,
        "players": others.document { ["stalls": stalls(of: scenario, others[$0])] },
      ]
      + document(of: panels) + document(of: logs) + findings
      + ["faults": faults.isEmpty ? nil : .strings(faults)]
  }

  /// Logs of the item current in the end, or of the only one; of several, those of each in a list.
  private func document(of choice: LogChoice) -> JSONTree {
    if choice.isEmpty { return [:] }
    return document(of: itemLogs.count == 1 ? itemLogs[0].logs : logs, choice) + [
      "itemLogs": .unlessEmpty(itemLogs.count < 2 ? [] : itemLogs) {
        ["player": .text($0.player), "item": .text($0.item)] + document(of: $0.logs, choice)
      }
    ]
  }

  private func document(of logs: RunLogs, _ choice: LogChoice) -> JSONTree {
    let access = logs.accessDocument(
      countsStalls: !gaps.contains(.stalls), timesStalls: !gaps.hideStallTimes)
    let errors: JSONTree = [
      "errorLog": logs.errorLog.map { .list($0.events) { LogEntry($0).tree() } } ?? .null
    ]
    return (choice.hasAccessLog ? access : [:]) + (choice.hasErrorLog ? errors : [:])
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
    if choice == nil, chosenPanels.isEmpty { return [:] }
    return ["panels": .list(panels(choice ?? .all)) { $0.document(lacking: gaps) }]
  }
}

extension RunLogs {
  /// The access log and its indicators, with null for those that are unknown.
  fileprivate func accessDocument(countsStalls: Bool, timesStalls: Bool) -> JSONTree {
    let indicated: JSONTree = [
      "startupTime": .seconds(indicators.startupTime?.nanoseconds),
      "stallsPerHour": .decimal(
        countsStalls ? indicators.thousandStallsPerHour : nil, places: 3),
      "stallDuration": .seconds(timesStalls ? indicators.stallDuration.nanoseconds : nil),
      "timeWeightedIndicatedBitrate": .whole(indicators.timeWeightedIndicatedBitrate),
      "hasFailed": .boolean(indicators.hasFailed),
    ]
    return [
      "accessLog": accessLog.map { .list($0.events) { LogEntry($0).tree(countsStalls) } } ?? .null,
      "keyPerformanceIndicators": indicated,
    ]
  }
}

extension LogEntry {
  fileprivate func tree(_ countsStalls: Bool = true) -> JSONTree {
    let unknown = countsStalls ? nil : "numberOfStalls"
    return .members(fields.map { ($0.name, $0.name == unknown ? .null : $0.value.tree) })
  }
}

extension Panel {
  /// The nine properties, with null for those that are unknown.
  fileprivate func document(lacking gaps: [FieldGap]) -> JSONTree {
    let properties: [(String, JSONTree)] = [
      ("timeControlStatus", .string(control.word)),
      ("reasonForWaitingToPlay", .text(control.reason?.word)),
      ("rate", .rate(rate)),
      ("timebaseRate", .rate(timebaseRate)),
      ("currentTime", .seconds(currentTime.nanoseconds)),
      (
        "loadedTimeRanges",
        .list(loadedTimeRanges) {
          [.seconds($0.lowerBound.nanoseconds), .seconds($0.upperBound.nanoseconds)]
        }
      ),
      ("isPlaybackLikelyToKeepUp", .boolean(isPlaybackLikelyToKeepUp)),
      ("isPlaybackBufferFull", .boolean(isPlaybackBufferFull)),
      ("isPlaybackBufferEmpty", .boolean(isPlaybackBufferEmpty)),
    ]
    let known = zip(properties, Self.isKnown(lacking: gaps))
    return ["seconds": .seconds(instant.nanoseconds)]
      + .members(known.map { ($0.0, $1 ? $0.1 : .null) })
  }
}

extension RunOutcome {
  /// The stalls, variants and items of the first player.
  func story(of scenario: Scenario) -> JSONTree {
    let started = itemLogs.filter { $0.player == nil && $0.startup != nil }
    let lapses = self.story.lapses.compactMap { Decision($0, scenario) }
    return ["stalls": stalls(of: scenario)] + (story.variants.isEmpty ? [:] : story.ofVariants) + [
      "shownVariants": .unlessEmpty(shownVariants) { Self.use($0.start, $0.variant) },
      "lapses": .unlessEmpty(lapses) {
        ["seconds": .seconds($0.instant.nanoseconds), "reason": .string($0.sentence)]
      },
      "items": .unlessEmpty(story.items) {
        ["startSeconds": .seconds($0.start.nanoseconds), "item": .string($0.name)]
      },
      "startups": .unlessEmpty(started.count > 1 ? started : []) {
        [
          "item": .string($0.item ?? ""),
          "startupDelaySeconds": .seconds($0.startup?.nanoseconds ?? 0),
        ]
      },
      "transitions": .unlessEmpty(story.transitions) { end, transition in
        [
          "endSeconds": .seconds(end.nanoseconds),
          "from": .string(transition.from),
          "to": .string(transition.to),
          "kind": .string(transition.kind.word),
          "reason": transition.reason.map { .string($0.word) },
          "gapSeconds": .seconds(transition.gap.nanoseconds),
        ]
      },
      "failures": .unlessEmpty(story.failures) {
        [
          "seconds": .seconds($0.instant.nanoseconds),
          "item": .text($0.item),
          "failure": .string($0.failure.words),
        ]
      },
    ]
  }

  private func stalls(of scenario: Scenario, _ other: NamedSummary? = nil) -> JSONTree {
    if gaps.hideStallTimes { return .null }
    let words = StoryWords(scenario: scenario, outcome: self, other: other)
    return .list(words.books.stalls) { stall in
      [
        "startSeconds": .seconds(stall.start.nanoseconds),
        "endSeconds": .seconds(stall.end?.nanoseconds),
        "stalledSeconds": .seconds(stall.length.nanoseconds),
        "mediaSeconds": .seconds(stall.place.nanoseconds),
        "clause": .string(stall.clause.word),
        "reason": .string(words.reason(of: stall)),
      ]
    }
  }

  fileprivate static func use(_ start: Instant, _ variant: Int64) -> JSONTree {
    ["startSeconds": .seconds(start.nanoseconds), "variant": .whole(variant)]
  }
}

extension RunStory {
  fileprivate var ofVariants: JSONTree {
    [
      "firstVariantClause": firstVariant.map { .string($0.reason.word) },
      "variants": .list(variants) { RunOutcome.use($0.start, $0.variant) },
      "switches": .list(switches) { change in
        [
          "seconds": .seconds(change.instant.nanoseconds),
          "from": .whole(change.from),
          "to": .whole(change.to),
          "clause": .string(change.reason.word),
        ]
      },
      "kept": .unlessEmpty(kept) {
        [
          "seconds": .seconds($0.instant.nanoseconds), "variant": .whole($0.variant),
          "clause": .string($0.clause.word),
        ]
      },
    ]
  }
}
