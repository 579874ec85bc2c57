public import SimulatedWorld

/// Media of which items are made, with AVURLAsset's face: it loads nothing before it is asked.
///
/// Its player loads the values, of one asset at a time, and hands them to the item that is made of
/// the same media. A stream's values need the multivariant playlist, a file's the head atom.
public final class SimulatedAsset: @unchecked Sendable {
  /// `AVKeyValueStatus`.
  public enum Status: Int, Sendable {
    case unknown, loading, loaded, failed, cancelled
  }

  private weak var player: SimulatedPlayer?
  private weak var item: PlayerItem?
  private let origin = BackReference()
  fileprivate let settings: ItemSettings
  fileprivate let home: BackReference?
  private var status = Status.unknown
  private var error: (any Error)?
  private var completions: [() -> Void] = []
  private var observation: PropertyObservation?

  fileprivate init(_ settings: ItemSettings, of player: SimulatedPlayer) {
    (self.settings, self.player, home) = (settings, player, player.world.home)
  }

  fileprivate init(of item: PlayerItem) {
    (settings, home) = (item.settings, item.home)
    join(item)
  }

  deinit { origin.object = nil }

  /// Finds its way to the item, and the item its way back.
  fileprivate func join(_ item: PlayerItem) {
    origin.object = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    (self.item, item.origin) = (item, origin)
  }

  /// The player that loads it; nil while its item has none.
  private var loader: SimulatedPlayer? { player ?? item?.owner.flatMap { item?.world?.player($0) } }

  /// Loads all values, whatever the keys, and calls back when they are there or cannot be had.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler: (() -> Void)? = nil
  ) {
    completions.append(completionHandler ?? {})
    // An item that was played before has loaded them.
    (status, error) = (statusOfValue(forKey: ""), error ?? item?.error)
    if status == .unknown || status == .cancelled {
      (status, error) = (.loading, nil)
      observation = PropertyObservation(loader?.world, loader?.core.index) { [self] _ in look() }
      loader?.loadValues(of: settings)
    }
    look()
  }

  private func look() {
    if status == .loading {
      do throws(PlaybackFailure) {
        let isThere = try loader?.core.hasValues(of: settings.source)
        if isThere == false { return }
        (status, error) = isThere == nil ? (.cancelled, CancellationError()) : (.loaded, nil)
      } catch {
        (status, self.error) = (.failed, error)
      }
      observation = nil
    }
    let done = completions
    completions = []
    for completion in done { completion() }
  }

  /// The state of a value, which is that of all of them.
  public func statusOfValue(forKey key: String) -> Status {
    guard status == .unknown || status == .cancelled, let item else { return status }
    return switch item.status {
    case .unknown: status
    case .readyToPlay: .loaded
    case .failed: .failed
    }
  }

  /// Returns values when they are there.
  ///
  /// - Throws: `PlaybackFailure`, or `CancellationError` where no player loads it, or it loaded
  ///   another asset.
  public func load<each Value>(
    _ property: repeat AssetProperty<each Value>
  ) async throws -> (repeat each Value) {
    await withCheckedContinuation { continuation in
      loadValuesAsynchronously(forKeys: []) { continuation.resume() }
    }
    if let error { throw error }
    return (repeat (each property).value(self))
  }

  /// The duration; indefinite for a live stream. AVAsset's own waits until it is loaded.
  public var duration: MediaTime {
    if case .stream(let stream) = settings.source, stream.live != nil { return .positiveInfinity }
    return settings.source.duration
  }

  /// Whether it was loaded, and can be played.
  public var isPlayable: Bool { statusOfValue(forKey: "playable") == .loaded }
}

/// A value of an asset that can be loaded: `AVAsyncProperty`.
public struct AssetProperty<Value: Sendable>: Sendable {
  fileprivate let value: @Sendable (SimulatedAsset) -> Value
}

extension AssetProperty<MediaTime> {
  /// The duration.
  public static var duration: AssetProperty<MediaTime> { Self { $0.duration } }
}

extension AssetProperty<Bool> {
  /// Whether it can be played.
  public static var isPlayable: AssetProperty<Bool> { Self { $0.isPlayable } }
}

extension SimulatedPlayer {
  /// Makes an asset, which AVURLAsset makes of an address alone: here a player's link loads it.
  public func makeAsset(_ settings: ItemSettings) -> SimulatedAsset {
    SimulatedAsset(settings, of: self)
  }
}

extension PlayerItem {
  /// Makes an item of an asset, as far as that has been loaded.
  public convenience init(asset: SimulatedAsset) {
    self.init(asset.settings)
    home = asset.home
    asset.join(self)
  }

  /// The asset that it was made of; an item that was made of settings has one as well.
  public var asset: SimulatedAsset {
    if let known = origin?.object {
      return Unmanaged<SimulatedAsset>.fromOpaque(known).takeUnretainedValue()
    }
    return SimulatedAsset(of: self)
  }
}
