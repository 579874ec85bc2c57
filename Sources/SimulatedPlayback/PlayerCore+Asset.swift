import LinkConditioner
import StreamingMedia
package import VirtualTime

// An asset before it is an item: "AVURLAsset is a lazy API. It doesn't begin loading … until
// someone asks" (WWDC16 503).

/// Media that the app has asked something of, and what has been loaded of it.
///
/// An object, since a player looks for one at every event and sources are large.
final class LoadedAsset {
  let source: MediaSource
  let loader: MediaLoader

  init(source: MediaSource, loader: MediaLoader) {
    self.source = source
    self.loader = loader
  }

  /// Whether it is what an event is about.
  func knows(_ event: LinkEvent) -> Bool {
    loader.isLoadingValues(by: event.transfer)
  }
}

extension LinkEvent {
  /// The transfer that it is about.
  var transfer: TransferID {
    switch self {
    case .responded(let id, _), .completed(let id, _), .flowChanged(let id, _),
      .failed(let id, _, _, _):
      id
    }
  }
}

extension PlayerCore {
  /// Looks whether another player has brought what this one waits for.
  ///
  /// What one has under way nobody asks for once more; should it be given up, the other does.
  package func hearOfAssets(at now: Instant) {
    let count = queue.assetChanges(item)
    if count == heardAssetChanges { return }
    heardAssetChanges = count
    programme.due = min(programme.due, now)
  }

  /// Asks for values of the media that an item will be made of: its duration, for example.
  ///
  /// Of a stream this fetches the multivariant playlist, and the keys that it announces where they
  /// are wanted early; of a file the head atom. What comes in belongs to the item that is made of
  /// the same media. The current item has asked for all that there is already.
  package func loadValues(of settings: ItemSettings, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    let isKnown = [queue.asset?.source, item?.settings.source].contains {
      $0?.isSameMedia(as: settings.source) == true
    }
    if !isKnown {
      queue.take(settings, besides: item, at: now, on: &stage)
    }
    settle(at: now, on: &stage)
  }
}

extension MediaLoader {
  /// Takes over what has been decided since the asset was made.
  func adopt(_ settings: ItemSettings) {
    if case .stream(let new) = settings.source { stream?.adopt(new) }
  }

  func loadValues(for subject: Subject, at now: Instant, on stage: inout Stage) {
    switch self {
    case .file(let loader):
      loader.subject = subject
      loader.loadHead(at: now, on: &stage)
    case .stream(let loader):
      loader.subject = subject
      loader.loadValues(at: now, on: &stage)
    }
  }

  /// How often something of the asset has come, or is no longer under way.
  var assetChanges: Int64 { streamAsset?.resources.changeCount ?? 0 }

  func isLoadingValues(by id: TransferID) -> Bool {
    switch self {
    case .file(let loader): loader.isLoadingHead(by: id)
    case .stream(let loader): loader.asset.resources.resource(by: id) != nil
    }
  }

  /// When what broke is tried again.
  func retryInstant(after now: Instant) -> Instant {
    let due =
      switch self {
      case .file(let loader): loader.retry.due
      case .stream(let loader): loader.asset.retry.due
      }
    return due > now ? due : .distantFuture
  }
}

extension MediaSource {
  /// Whether it is the same media, whatever the player is to do with it.
  func isSameMedia(as other: MediaSource) -> Bool {
    switch (self, other) {
    case (.local(let a), .local(let b)), (.progressive(let a), .progressive(let b)): a == b
    case (.stream(let a), .stream(let b)): a.presentation == b.presentation
    case (.local, _), (.progressive, _), (.stream, _): false
    }
  }
}
