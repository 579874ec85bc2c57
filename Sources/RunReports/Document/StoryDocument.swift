import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension RunOutcome {
  /// The stalls, variants and items of the first player.
  func story(of scenario: Scenario) -> JSONTree {
    let started = itemLogs.filter { $0.player == nil && $0.startup != nil }
    let lapses = self.story.lapses.compactMap { Decision($0, VariantShades(scenario)) }
    return ["stalls": stalls(of: scenario)] + (story.variants.isEmpty ? [:] : story.ofVariants) + [
      "shownVariants": .unlessEmpty(shownVariants.map { Self.use($0.start, $0.variant) }),
      "lapses": .unlessEmpty(
        lapses.map {
          ["seconds": .seconds($0.instant.nanoseconds), "reason": .string($0.sentence)]
        }),
      "items": .unlessEmpty(
        story.items.map {
          ["startSeconds": .seconds($0.start.nanoseconds), "item": .string($0.name)]
        }
      ),
      "startups": .unlessEmpty(
        (started.count > 1 ? started : []).map {
          [
            "item": .string($0.item ?? ""),
            "startupDelaySeconds": .seconds($0.startup?.nanoseconds ?? 0),
          ]
        }),
      "transitions": .unlessEmpty(
        story.transitions.map { end, transition in
          [
            "endSeconds": .seconds(end.nanoseconds),
            "from": .string(transition.from),
            "to": .string(transition.to),
            "kind": .string(transition.kind.word),
            "reason": transition.reason.map { .string($0.word) },
            "gapSeconds": .seconds(transition.gap.nanoseconds),
          ]
        }),
      "failures": .unlessEmpty(
        story.failures.map {
          [
            "seconds": .seconds($0.instant.nanoseconds),
            "item": .text($0.item),
            "failure": .string($0.failure.words),
          ]
        }),
    ]
  }

  private func stalls(of scenario: Scenario) -> JSONTree {
    let words = StoryWords(scenario: scenario, outcome: self)
    return .list(player.stalls.enumerated()) { index, stall in
      [
        "startSeconds": .seconds(stall.start.nanoseconds),
        "endSeconds": .seconds(stall.end?.nanoseconds),
        "stalledSeconds": .seconds(stall.length.nanoseconds),
        "mediaSeconds": .seconds(stall.place.nanoseconds),
        "clause": .string(stall.clause.word),
        "reason": .string(words.reason(of: index)),
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
      "kept": .unlessEmpty(
        kept.map {
          [
            "seconds": .seconds($0.instant.nanoseconds), "variant": .whole($0.variant),
            "clause": .string($0.clause.word),
          ]
        }),
    ]
  }
}

extension JSONTree {
  /// Nil where there is nothing to list.
  fileprivate static func unlessEmpty(_ parts: [JSONTree]) -> JSONTree? {
    parts.isEmpty ? nil : .array(parts)
  }
}
