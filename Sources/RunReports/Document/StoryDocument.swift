import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension JSONWriter {
  /// What happened to the subject of a run.
  mutating func story(_ scenario: Scenario, _ outcome: RunOutcome) {
    stalls(scenario, outcome)
    let story = outcome.story
    if !story.variants.isEmpty { variants(story) }
    list("shownVariants", outcome.shownVariants, unlessEmpty: true) { writer, use in
      writer.instant("startSeconds", use.start)
      writer.key("variant")
      writer.integer(use.variant)
    }
    list("items", story.items, unlessEmpty: true) { writer, item in
      writer.instant("startSeconds", item.start)
      writer.text("item", item.name)
    }
    let started = outcome.itemLogs.filter { $0.player == nil && $0.startup != nil }
    list("startups", started.count > 1 ? started : [], unlessEmpty: true) { writer, item in
      writer.text("item", item.item ?? "")
      writer.key("startupDelaySeconds")
      writer.seconds(item.startup?.nanoseconds ?? 0)
    }
    list("transitions", story.transitions, unlessEmpty: true) { writer, entry in
      writer.instant("endSeconds", entry.end)
      writer.text("from", entry.transition.from)
      writer.text("to", entry.transition.to)
      writer.text("kind", entry.transition.kind.word)
      if let reason = entry.transition.reason { writer.text("reason", reason.word) }
      writer.key("gapSeconds")
      writer.seconds(entry.transition.gap.nanoseconds)
    }
    list("failures", story.failures, unlessEmpty: true) { writer, failure in
      writer.instant("seconds", failure.instant)
      writer.key("item")
      if let item = failure.item { writer.string(item) } else { writer.null() }
      writer.text("failure", failure.failure.words)
    }
  }

  private mutating func stalls(_ scenario: Scenario, _ outcome: RunOutcome) {
    let words = StoryWords(scenario: scenario, outcome: outcome)
    list("stalls", Array(outcome.player.stalls.indices)) { writer, index in
      let stall = outcome.player.stalls[index]
      writer.instant("startSeconds", stall.start)
      writer.key("endSeconds")
      if let end = stall.end { writer.seconds(end.nanoseconds) } else { writer.null() }
      writer.key("stalledSeconds")
      writer.seconds(stall.length.nanoseconds)
      writer.key("mediaSeconds")
      writer.seconds(stall.place.nanoseconds)
      writer.text("clause", stall.clause.word)
      writer.text("reason", words.reason(of: index))
    }
  }

  private mutating func variants(_ story: RunStory) {
    if let first = story.firstVariant { text("firstVariantClause", first.reason.word) }
    list("variants", story.variants) { writer, use in
      writer.instant("startSeconds", use.start)
      writer.key("variant")
      writer.integer(use.variant)
    }
    list("switches", story.switches) { writer, change in
      writer.instant("seconds", change.instant)
      for (name, variant) in [("from", change.from), ("to", change.to)] {
        writer.key(name)
        writer.integer(variant)
      }
      writer.text("clause", change.reason.word)
    }
  }

  private mutating func list<Part>(
    _ name: String, _ parts: [Part], unlessEmpty: Bool = false,
    _ write: (inout JSONWriter, Part) -> Void
  ) {
    if unlessEmpty, parts.isEmpty { return }
    key(name)
    beginArray()
    for part in parts {
      beginObject()
      write(&self, part)
      endObject()
    }
    endArray()
  }

  private mutating func instant(_ name: String, _ instant: Instant) {
    key(name)
    seconds(instant.nanoseconds)
  }

  private mutating func text(_ name: String, _ text: String) {
    key(name)
    string(text)
  }
}
