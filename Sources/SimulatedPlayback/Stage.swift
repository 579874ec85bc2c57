package import LinkConditioner
import VirtualTime

/// What players play on: the link that they share, and the log that they write to.
package struct Stage {
  package var link: Link
  package var log: PlaybackLog

  package init(link: Link, log: PlaybackLog) {
    self.link = link
    self.log = log
  }
}

extension Stage {
  /// When a request that is made now reaches its server.
  ///
  /// Where that takes longer than the uplink's delay, because a connection has to be opened, what
  /// the server answers is as old as that.
  func reachesServer(at now: Instant) -> Instant { now + link.conditions.uplink.delay }
}
