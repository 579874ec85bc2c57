import LinkConditioner
import SimulatedPlayback
import VirtualTime

/// Decodes who else is on the link.
struct TrafficDecoding {
  let shelf: FileShelf
  /// On one link; with the requests of the player they stay below what a link takes.
  private static let mostEntries = 32
  private static let mostConnections: Int64 = 100

  func traffic(_ node: DocumentNode) -> [TrafficPlan]? {
    guard let plans = node.list(of: plan), isFew(plans.count, node) else { return nil }
    for (index, plan) in plans.enumerated()
    where plans[..<index].contains(where: { isSameText($0.name, plan.name) }) {
      node.refuse(
        "two downloads are called \(quotation(of: plan.name))", expected: "a name for each")
      return nil
    }
    return plans
  }

  private func plan(_ node: DocumentNode) -> TrafficPlan? {
    node.object { object in
      let name = object.required("name", as: Decode.nonEmptyText)
      let begins = object.optional("from", default: .zero, as: Decode.runInstant)
      let ends = object.optional(
        "to", as: Decode.checked(Decode.runInstant, expected: "a time after “from”") { $0 > begins }
      )
      let bytes = object.optional("bytes", as: Decode.bytesAboveZero)
      let connections = object.optional(
        "connections", default: 1, as: Decode.count(in: 1...TrafficDecoding.mostConnections))
      return name.map {
        TrafficPlan(
          name: $0,
          traffic: CompetingTraffic(
            connections: Int32(clamping: connections), begins: begins, ends: ends, bytes: bytes))
      }
    }
  }

  /// Further players that were never released.
  func leakedPlayers(_ node: DocumentNode) -> [LeakedPlayer]? {
    var number = 0
    let players = node.list { node in
      number += 1
      return leakedPlayer(node, number)
    }
    guard let players, isFew(players.count, node) else { return nil }
    return players
  }

  private func leakedPlayer(_ node: DocumentNode, _ number: Int) -> LeakedPlayer? {
    node.object { object in
      let media = object.required("media", as: Decode.media(shelf))
      let begins = object.optional("from", default: .zero, as: Decode.runInstant)
      return media.map {
        LeakedPlayer(
          item: ItemSettings(source: $0, label: "leaked-\(number).mp4"), begins: begins)
      }
    }
  }

  private func isFew(_ count: Int, _ node: DocumentNode) -> Bool {
    if count <= TrafficDecoding.mostEntries { return true }
    node.refuse(
      "the list has \(count) elements", expected: "at most \(TrafficDecoding.mostEntries)")
    return false
  }
}

/// The names of the downloads that there are.
///
/// They are read from the document, so that a mistake in a download does not make a mistake of
/// every mention of it.
struct TrafficNames {
  private let names: [String]

  init(in node: DocumentNode?) {
    guard let node, case .array(let elements) = node.value.content else {
      names = []
      return
    }
    names = elements.compactMap { element in
      if case .string(let name)? = element["name"]?.content { name } else { nil }
    }
  }

  func reference(_ node: DocumentNode) -> String? {
    guard let name = Decode.text(node) else { return nil }
    if names.contains(where: { isSameText($0, name) }) { return name }
    node.refuse(
      "no traffic is called \(quotation(of: name))",
      expected: names.isEmpty ? "a name that stands in “traffic”" : alternatives(names),
      suggestion: nearestWord(to: name, among: names))
    return nil
  }
}
