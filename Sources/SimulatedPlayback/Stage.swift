package import LinkConditioner
import VirtualTime

/// The surroundings of players: the link that they share, and the log that they write to.
package struct Stage {
  /// For whoever owns the loop; players and loaders have the verbs below.
  package let link: Link
  package var log: PlaybackLog
  /// Whether the path is one that costs, such as a cellular one (NWPath.isExpensive): for all that
  /// is loaded over it, whoever plays it.
  package var isNetworkExpensive = false
  /// Whether the readiness of a player that plays is looked at; while it waits it always is.
  package var showsReadiness = true
  /// Work beyond that of an event, in events, until the owner of the loop takes it off the budget.
  package internal(set) var charged: Int64 = 0

  package init(link: Link, log: PlaybackLog) {
    self.link = link
    self.log = log
  }
}

extension Stage {
  package mutating func takeCharge() -> Int64 {
    defer { charged = 0 }
    return charged
  }
}

// The operations on the link that are open to a loader.

extension Stage {
  func start(_ request: consuming Request, at now: Instant) -> TransferID {
    link.start(request, at: now)
  }

  func cancel(_ id: TransferID, at now: Instant) { link.cancel(id, at: now) }

  func suspend(_ id: TransferID, at now: Instant) { link.suspend(id, at: now) }

  func resume(_ id: TransferID, at now: Instant) { link.resume(id, at: now) }

  /// The line of what comes in, and until when it holds; nil while nothing does.
  func flow(of id: TransferID, at now: Instant) -> (flow: ByteFlow, validUntil: Instant)? {
    link.flow(of: id, at: now)
  }

  /// The bytes of a response received so far.
  func arrived(of id: TransferID, at now: Instant) -> Int64 {
    link.flow(of: id, at: now)?.flow.bytes(at: now) ?? 0
  }

  /// The last instant at which anything of an answer can have come; nil before the first.
  func lastArrival(of id: TransferID, at now: Instant) -> Instant? {
    link.lastArrival(of: id, at: now)
  }

  /// Whether bytes come in as a fluid, and not in packets.
  var isFluid: Bool {
    switch link.fidelity {
    case .fluid: true
    case .tcp: false
    }
  }

  /// Whether somebody asks what a request is called.
  var readsLabels: Bool { link.readsLabels }

  /// The instant at which a request that is made now reaches its server.
  ///
  /// Where that takes longer than the uplink's delay, because a connection has to be opened, what
  /// the server answers is as old as that.
  func reachesServer(at now: Instant) -> Instant { now + link.uplinkDelay }
}
