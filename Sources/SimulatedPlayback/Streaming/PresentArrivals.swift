public import LinkConditioner
import VirtualTime

/// What a request is for beside its kind, and what it had to wait for.
public struct RequestOrigin: Hashable, Sendable {
  /// The track that it is for; nil for what all tracks share.
  public var track: TrackKind?
  /// The request whose end let this one begin; nil where the app did, or the buffer's room.
  public var after: TransferID?

  public init(track: TrackKind? = nil, after: TransferID? = nil) {
    self.track = track
    self.after = after
  }
}

/// What has arrived at the present instant, so that a request can name what let it begin.
///
/// A request that waited for something is made in the very instant in which that arrives. What had
/// been there before did not hold it back.
struct PresentArrivals {
  /// Something that others wait for.
  enum Thing: Hashable {
    case master
    case playlist(Int)
    case key(Int)
    case map(list: Int, Int)
    case segment(TrackKind)
  }

  private var instant = Instant.zero
  private var entries: [(thing: Thing, id: TransferID)] = []

  mutating func note(_ thing: Thing, by id: TransferID, at now: Instant) {
    if now != instant { entries.removeAll(keepingCapacity: true) }
    instant = now
    entries.append((thing, id))
  }

  /// The request that brought the last of what is needed, if that came at this instant.
  func latest(at now: Instant, _ isNeeded: (Thing) -> Bool) -> TransferID? {
    if now != instant { return nil }
    return entries.last { isNeeded($0.thing) }?.id
  }
}
