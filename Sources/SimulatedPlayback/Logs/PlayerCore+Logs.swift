import Autowait
package import VirtualTime

// The logs of items: of the current one, and of those that were.

extension PlayerCore {
  /// `AVPlayerItem.accessLog()`, of the current item unless another is named; nil before it is
  /// ready to play, and for a file that needs no network.
  package func accessLog(of item: PlayerItem? = nil, at now: Instant) -> AccessLog? {
    guard let item = item ?? self.item, item.settings.source.kind != .local else { return nil }
    return item.logs?.accessLog(received: item.received(at: now), at: now)
  }

  /// `AVPlayerItem.errorLog()` likewise; nil while nothing went wrong.
  package var errorLog: ErrorLog? { item.flatMap { errorLog(of: $0) } }

  package func errorLog(of item: PlayerItem) -> ErrorLog? { item.logs?.errorLog }

  /// The key performance indicators likewise.
  package func indicators(of item: PlayerItem? = nil, at now: Instant) -> PlaybackIndicators {
    guard let item = item ?? self.item else {
      return PlaybackIndicators(nil, PlayedStream(), stallDuration: books.stalled, hasFailed: false)
    }
    let isCurrent = item === self.item
    return PlaybackIndicators(
      accessLog(of: item, at: now), item.opened?.played(at: now) ?? PlayedStream(),
      stallDuration: item.stalled + (isCurrent ? books.stalled - item.stalledSince : .zero),
      hasFailed: item.hasFailed)
  }
}

extension PlayerItem {
  /// The bytes received for it: other items of its asset may have been before it and after.
  func received(at now: Instant) -> Int64 {
    guard let media else { return 0 }
    return (receivedWhenLeft ?? media.loader.received(at: now)) - receivedBefore
  }
}
