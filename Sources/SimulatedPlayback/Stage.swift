package import LinkConditioner
import VirtualTime

/// The surroundings of players: the link that they share, and the log that they write to.
package struct Stage {
  package let link: Link
  package var log: PlaybackLog
  /// Whether the path is one that costs, such as a cellular one (NWPath.isExpensive): for all that
  /// is loaded over it, whoever plays it.
  package var isNetworkExpensive = false
  package let home = BackReference()
  /// Whether the readiness of a player that plays is looked at; while it waits it always is.
  package var showsReadiness = true
  /// Work beyond that of an event, in events, until the owner of the loop takes it off the budget.
  package internal(set) var charged: Int64 = 0

  package init(link: Link, log: PlaybackLog) {
    self.link = link
    self.log = log
  }

  package mutating func takeCharge() -> Int64 {
    defer { charged = 0 }
    return charged
  }

  /// Whether bytes come in as a fluid, and not in packets.
  var isFluid: Bool { link.fidelity == .fluid }

  /// The instant at which a request that is made now reaches its server.
  ///
  /// Where that takes longer than the uplink's delay, because a connection has to be opened, what
  /// the server answers is as old as that.
  func reachesServer(at now: Instant) -> Instant { now + link.conditions.uplink.delay }
}

/// The way to an object of a floor above, while there is one: this floor cannot name its type.
package final class BackReference {
  package var object: UnsafeRawPointer?

  package init() {}
}
