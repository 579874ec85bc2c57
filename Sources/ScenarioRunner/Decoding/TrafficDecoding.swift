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
    Decode.namedList("download", atMost: Self.mostEntries, name: { $0.name }, of: plan)(node)
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
    guard let players else { return nil }
    guard players.count <= Self.mostEntries else {
      node.refuse("the list has \(players.count) players", expected: "at most \(Self.mostEntries)")
      return nil
    }
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
}
