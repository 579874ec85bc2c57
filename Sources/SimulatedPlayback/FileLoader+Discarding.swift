import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// A first connection that a player throws away once it knows what the file is.

extension FileLoader {
  /// Sees to it that a request that is thrown away comes before all others; false where there is
  /// none, or none any more.
  func discards(at now: Instant, on stage: inout Stage) -> Bool {
    if discarded != nil { return true }
    if requestCount > 0 { return false }
    let bytes = discardedBytes
    if bytes <= 0 { return false }
    let id = stage.start(
      Request(bytes: bytes, host: host, owner: owner, label: label), at: now)
    discarded = id
    requestCount += 1
    logs.rangeRequested(at: now)
    stage.log.note(.requestStarted(id, firstByte: 0, RequestOrigin()), of: subject, at: now)
    return true
  }

  /// How much of it comes.
  var discardedBytes: Int64 {
    let rule = policy.running.description.fetch.ofFiles
    let isIndexLast = file.headAtomPosition == .end && file.headAtomBytes > 0
    return rule.discards + (isIndexLast ? rule.discardsIfIndexLast : 0)
  }

  /// Notes that a request is over; false where it is another. Whether it broke or not, what follows
  /// is asked for.
  func hasDiscarded(_ id: TransferID) -> Bool {
    if discarded != id { return false }
    discarded = nil
    return true
  }

  func cancelDiscarded(at now: Instant, on stage: inout Stage) {
    guard let id = discarded else { return }
    discarded = nil
    cancel(id, at: now, on: &stage)
  }

  /// Gives up a request that brings no media.
  func cancel(_ id: TransferID, at now: Instant, on stage: inout Stage) {
    let bytes = stage.arrived(of: id, at: now)
    bytesTransferred += bytes
    stage.cancel(id, at: now)
    stage.log.note(.requestCancelled(id, bytes: bytes), of: subject, at: now)
  }
}
