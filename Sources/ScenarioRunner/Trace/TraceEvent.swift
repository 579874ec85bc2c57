package import ExactText
import LinkConditioner
package import ScenarioFormat
import SimulatedWorld
import VirtualTime

/// A line of a trace before it is text: a name, and members in a fixed order.
package struct TraceEvent: Sendable {
  let shape: EventShape
  package var members: [(key: QuotedText, value: TraceValue)]

  package var name: String { shape.name }

  /// A line with the values of its row, in their order; nil for what it does without.
  init(_ shape: EventShape, _ values: TraceValue?...) {
    assert(values.count <= shape.members.count, "“\(shape.name)” has a value too many")
    self.shape = shape
    members = []
    members.reserveCapacity(values.count)
    for (member, value) in zip(shape.members, values) {
      if let value { members.append((member.key, value)) }
    }
  }

  /// A line whose members depend on what it speaks of.
  init(_ shape: EventShape, named members: [(String, TraceValue)]) {
    self.shape = shape
    self.members = members.map { (key: QuotedText($0.0), value: $0.1) }
  }

  private static let player = QuotedText("player")
  private static let item = QuotedText("item")
  private static let fromItem = QuotedText("fromItem")

  /// The same, said of a further player; nil stands for the first one, who needs no name.
  func of(_ player: String?) -> TraceEvent {
    guard let player else { return self }
    var event = self
    event.members.insert((key: TraceEvent.player, value: .text(player)), at: 0)
    return event
  }

  /// The same with the names of the item that it is about, and of the one before it.
  func with(item name: String?, from old: String?) -> TraceEvent {
    var event = self
    if let old { event.members.append((key: TraceEvent.fromItem, value: .text(old))) }
    if let name { event.members.append((key: TraceEvent.item, value: .text(name))) }
    return event
  }

  /// Whether it is what a pattern describes.
  func matches(_ pattern: EventPattern) -> Bool {
    name == pattern.event
      && pattern.members.allSatisfy { claim in
        members.contains { $0.key.text == claim.name && $0.value.text == claim.value }
      }
  }
}

extension EventShape {
  /// Whether an event is one of those that a pattern may ask for, and its members are of the row.
  static func allows(_ event: TraceEvent) -> Bool {
    guard let shape = named(event.name) else { return false }
    return event.members.allSatisfy { key, value in
      switch (shape.member(key.text)?.sort, value) {
      case (.flag, .boolean), (.number, .count), (.number, .seconds), (.number, .rate): true
      case (.text, _), (.words, .text), (.flag, .null), (.number, .null), (.words, .null): true
      case (.flag, _), (.number, _), (.words, _), (nil, _): false
      }
    }
  }
}
