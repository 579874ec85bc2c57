import LinkConditioner
import VirtualTime

/// How an item's requests for a stream are made, and what they have cost.
struct StreamRequests {
  /// The item that was last asked for: what comes in is told of it.
  var subject: Subject
  let host: Int32
  private(set) var count: Int64 = 0
  /// Bytes that came, whatever they were of.
  var bytesTransferred: Int64 = 0
  /// Bytes of segments that were given up before they were whole.
  var bytesAbandoned: Int64 = 0
  /// Bytes of segments that were thrown away before anything of them was played.
  var bytesDiscarded: Int64 = 0

  init(owner: Int32, host: Int32) {
    subject = Subject(player: owner, item: 0)
    self.host = host
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - uri: Built only if a fault rule matches on it.
  ///   - availableAt: When the server has what is asked for; nil where it has it already.
  ///   - followsLine: Whether somebody wants to know what has come before it is whole; what has
  ///     begun to come in is of no other use.
  mutating func start(
    _ bytes: Int64, _ kind: ResourceKind, _ uri: @autoclosure () -> String,
    for origin: RequestOrigin, thinkTime: TimeSpan = .zero, availableAt: Instant? = nil,
    followsLine: Bool = false, at now: Instant, on stage: inout Stage
  ) -> TransferID {
    count += 1
    let id = stage.start(
      Request(
        bytes: bytes, host: host, owner: subject.player, thinkTime: thinkTime,
        availableAt: availableAt,
        label: kind.rawValue, uri: stage.readsLabels ? uri() : "",
        followsLine: followsLine),
      at: now)
    stage.log.note(.resourceRequested(id, kind, bytes: bytes, origin), of: subject, at: now)
    return id
  }
}
