import LinkConditioner
import VirtualTime

/// The segment under way that the policy was asked about, and when it is asked again.
struct SegmentWatch {
  private var id: TransferID?
  private var isMoving = false
  private(set) var due = Instant.distantFuture

  /// Whether there is nothing to ask of a segment yet.
  func isAtRest(_ id: TransferID, isMoving: Bool, at now: Instant) -> Bool {
    self.id == id && self.isMoving == isMoving && due > now
  }

  mutating func asked(of id: TransferID, isMoving: Bool, again due: Instant) {
    (self.id, self.isMoving, self.due) = (id, isMoving, due)
  }

  mutating func stop() { self = SegmentWatch() }
}
