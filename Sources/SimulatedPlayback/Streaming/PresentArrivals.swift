public import LinkConditioner
package import VirtualTime

/// The purpose of a request besides its kind, and the request that it waited for.
public struct RequestOrigin: Hashable, Sendable {
  /// The track that it is for; nil for what all tracks share.
  package var track: TrackKind?
  /// The request whose end let this one begin; nil where the app did, or the buffer's room.
  package var after: TransferID?
  /// The request that broke, in whose place this one is made; nil for a first attempt.
  package var retries: TransferID?
  /// The variant of a segment; nil for other requests and for other tracks.
  package var variant: Int32?
  /// The media that a segment or a part of one brings; nil for other requests.
  package var media: Range<MediaTime>?
  /// Relative to the playlist, as it names it; empty for other requests.
  package var uri = ""

  public init(
    track: TrackKind? = nil, after: TransferID? = nil, retries: TransferID? = nil
  ) {
    self.track = track
    self.after = after
    self.retries = retries
  }

  /// Notes the media that a request brings: of a variant where it is the variant's own.
  mutating func bring(
    _ start: MediaTime, _ end: MediaTime, _ variant: Int, _ kind: TrackKind
  ) {
    media = start..<end
    if kind == .main { self.variant = Int32(variant) }
  }
}

/// The arrivals of the present instant, so that a request can name the one that let it begin.
///
/// A request that waited for something is made in the very instant in which that arrives. Earlier
/// arrivals did not hold it back.
struct PresentArrivals {
  /// Something that others wait for.
  enum Thing: Hashable {
    case resource(StreamResource)
    case segment(TrackKind)
  }

  private var instant = Instant.zero
  /// Those of the instant come first; the rest is room for more.
  private var entries: [(thing: Thing, id: TransferID)] = []
  private var count = 0

  /// The number of entries that there is room for.
  var keptCount: Int { entries.count }

  mutating func note(_ thing: Thing, by id: TransferID, at now: Instant) {
    if now != instant { count = 0 }
    instant = now
    if count == entries.count {
      entries.append((thing, id))
    } else {
      entries[count] = (thing, id)
    }
    count += 1
  }

  /// The request that brought the last of what is needed, if that came at this instant.
  func latest(at now: Instant, _ isNeeded: (Thing) -> Bool) -> TransferID? {
    if now != instant { return nil }
    var index = count
    while index > 0 {
      index -= 1
      if isNeeded(entries[index].thing) { return entries[index].id }
    }
    return nil
  }
}
