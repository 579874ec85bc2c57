import Autowait
public import VirtualTime

// What can be read of the logs of the current item.

extension PlayerCore {
  /// `AVPlayerItem.accessLog()` of the current item; nil before it is ready to play, and for a
  /// file that needs no network.
  public func accessLog(at now: Instant) -> AccessLog? {
    guard let item, item.settings.source.kind != .local else { return nil }
    return item.logs?.accessLog(received: received(of: item, at: now), at: now)
  }

  /// What came in since an item has been there: others of its asset may have been before it.
  func received(of item: PlayerItem, at now: Instant) -> Int64 {
    item.loader.received(at: now) - item.receivedBefore
  }

  /// `AVPlayerItem.errorLog()` of the current item; nil while nothing went wrong.
  public var errorLog: ErrorLog? { item?.logs?.errorLog }

  /// The key performance indicators of the current item.
  public func indicators(at now: Instant) -> PlaybackIndicators {
    PlaybackIndicators(
      accessLog(at: now), stallDuration: books.stalled, hasFailed: hasFailed)
  }

  /// Bytes of segments that were given up before they were whole.
  public var bytesAbandoned: Int64 { counts.bytesAbandoned }

  /// Bytes of playlists that delta updates left out.
  public var playlistBytesSaved: Int64 { counts.playlistBytesSaved }
}
