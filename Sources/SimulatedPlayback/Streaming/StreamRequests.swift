import LinkConditioner
import VirtualTime

/// Sends an item's requests for a stream, and counts them and their bytes.
struct StreamRequests {
  /// The item that was last asked for: what comes in is told of it.
  var subject: Subject
  let host: Int32
  private(set) var count: Int64 = 0
  /// The link that they go over; nil before the first.
  private var link: Link?
  /// The last requests that were not for segments, of which some may be under way.
  private var recent: [TransferID] = []
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
  ///   - uri: Built only if a fault rule matches on it, or a trace has it.
  ///   - availableAt: Instant at which the server has it; nil where it has it already.
  ///   - followsLine: Whether somebody wants to know what has come before it is whole; what has
  ///     begun to come in is of no other use.
  mutating func start(
    _ bytes: Int64, _ kind: ResourceKind, _ uri: @autoclosure () -> String,
    for origin: RequestOrigin, thinkTime: TimeSpan = .zero, availableAt: Instant? = nil,
    followsLine: Bool = false, at now: Instant, on stage: inout Stage
  ) -> TransferID {
    count += 1
    link = stage.link
    let id = stage.start(
      Request(
        bytes: bytes, host: host, owner: subject.player, thinkTime: thinkTime,
        availableAt: availableAt,
        label: kind.rawValue, uri: stage.readsLabels ? uri() : "",
        followsLine: followsLine),
      at: now)
    if kind != .mediaSegment {
      if recent.count == Self.mostRecent { recent.removeFirst() }
      recent.append(id)
    }
    if stage.log.isEnabled {
      var origin = origin
      if stage.log.keepsURIs { origin.uri = uri() }
      stage.log.note(.resourceRequested(id, kind, bytes: bytes, origin), of: subject, at: now)
    }
    return id
  }

  /// More than a player has under way beside segments.
  private static let mostRecent = 8

  /// Bytes that arrived, those of requests under way for playlists and keys excluded.
  func bytesReceived(
    _ tracks: [StreamTrack], at now: Instant, on stage: borrowing Stage
  ) -> Int64 {
    var bytes = bytesTransferred
    for index in tracks.indices {
      guard let fetch = tracks[index].fetch, !fetch.isComplete else { continue }
      bytes += fetch.arrived(at: now, on: stage)
    }
    return bytes
  }

  /// Bytes that arrived of requests that go on.
  ///
  /// - Parameter isUnderWay: Whether a request that was not for a segment goes on.
  func bytesUnderWay(
    _ tracks: [StreamTrack], at now: Instant, _ isUnderWay: (TransferID) -> Bool
  ) -> Int64 {
    guard let link else { return 0 }
    let segments = tracks.compactMap { track in
      track.fetch.flatMap { $0.isComplete ? nil : $0.id }
    }
    return (segments + recent.filter(isUnderWay)).reduce(0) { sum, id in
      sum + (link.flow(of: id, at: now)?.flow.bytes(at: now) ?? 0)
    }
  }
}
