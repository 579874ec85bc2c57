import ExactText
import LinkConditioner
import SimulatedPlayback
import VirtualTime

/// On one link; with the requests of the player they stay below what a link takes.
private let mostEntries = 32

extension TrafficPlan {
  static let list = Form<[Self]>.named("download", atMost: mostEntries, of: form)

  private static let form = keys.form(TrafficPlan(name: "", traffic: CompetingTraffic())) {
    plan, object -> TrafficPlan? in
    if let ends = plan.traffic.ends, ends <= plan.traffic.begins {
      return object.child("to")?.refuseKind(expected: "a time after “from”")
    }
    return plan
  }

  private static let keys = KeyTable<Self>("traffic", "Competing downloads.") {
    Key.required("name", { $0.name = $1 }, .text("updates"), "Name in the script.")
    Key.optional("from", { $0.traffic.begins = $1 }, .instant, absent: "0 s", "Start time.")
    Key.optional(
      "to", { $0.traffic.ends = $1 }, .instant,
      "Time at which it is broken off; by default when its bytes are received.")
    Key.optional(
      "bytes", { $0.traffic.bytes = $1 }, .bytesAboveZero,
      "Bytes of each connection; without end by default.")
    Key.optional(
      "sharesConnections", { $0.traffic.sharesConnections = $1 }, .boolean, absent: false,
      "Whether it comes from the media's server, over the same connections: later requests find "
        + "them open, over tcp with the congestion window that they have reached.")
    Key.optional(
      "connections", { $0.traffic.connections = $1 }, .whole(in: 1...100), absent: 1,
      "Number of connections.")
  }
}

struct LeakedDescription {
  var media: MediaSource?
  var begins = Instant.zero

  static let list = Form<[LeakedPlayer]>.list("player", atMost: mostEntries, of: form)
    .map { players in
      var players = players
      for index in players.indices { players[index].item.label = "leaked-\(index + 1).mp4" }
      return players
    }

  private static let form = keys.form(LeakedDescription()) { part, _ in
    part.media.map { LeakedPlayer(item: ItemSettings(source: $0, label: ""), begins: part.begins) }
  }

  private static let keys = KeyTable<Self>("leakedPlayer", "A player that the app forgot.") {
    Key.required("media", { $0.media = $1 }, .media, "Media that it loads.")
    Key.optional("from", { $0.begins = $1 }, .instant, absent: "0 s", "Start time of its loading.")
  }
}
