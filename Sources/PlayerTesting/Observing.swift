public import Dispatch
public import Foundation
public import SimulatedWorld

/// An observation that lasts until it is let go of.
public final class PropertyObservation: @unchecked Sendable {
  private weak var world: World?
  private var token: ObservationToken?

  init(_ world: World?, _ player: Int32?, _ handler: @escaping (PlaybackRecord) -> Void) {
    self.world = world
    token = world?.observe(player, handler)
  }

  convenience init<Root: AnyObject, Value: Equatable>(
    of root: Root, in world: World?, _ player: Int32?, _ property: KeyPath<Root, Value>,
    _ initial: Bool, _ handler: @escaping (Root, Value) -> Void
  ) {
    var value = root[keyPath: property]
    if initial { handler(root, value) }
    self.init(world, player) { [weak root] _ in
      guard let root else { return }
      let new = root[keyPath: property]
      if new == value { return }
      value = new
      handler(root, new)
    }
  }

  deinit { invalidate() }

  /// Ends the observation.
  public func invalidate() {
    if let token { world?.stopObserving(token) }
    token = nil
  }
}

// A property is compared where its player tells something. The loaded part of a file and the
// playhead move between two such instants: an observer of time follows them.

extension SimulatedPlayer {
  /// Calls back on the main actor after each change, until the result is let go of.
  public func observeState(_ changed: @escaping @MainActor @Sendable () -> Void) -> AnyObject {
    PropertyObservation(world, core.index) { _ in MainActor.assumeIsolated { changed() } }
  }

  /// Calls back with each new value of a property, until the result is let go of.
  public func observe<Value: Equatable>(
    _ property: KeyPath<SimulatedPlayer, Value>, initial: Bool = false,
    changeHandler: @escaping (SimulatedPlayer, Value) -> Void
  ) -> PropertyObservation {
    PropertyObservation(of: self, in: world, core.index, property, initial, changeHandler)
  }

  /// The values of a property, from the present one on.
  public func values<Value: Equatable & Sendable>(
    of property: KeyPath<SimulatedPlayer, Value>
  ) -> AsyncStream<Value> {
    AsyncStream { continuation in
      let observation = observe(property, initial: true) { continuation.yield($1) }
      continuation.onTermination = { _ in observation.invalidate() }
    }
  }

  /// Calls back with each interval of media that was played, and where playback begins, stops or
  /// jumps, as long as the result is held; always on the thread that moves time.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, queue: DispatchQueue? = nil,
    using block: @escaping (MediaTime) -> Void
  ) -> Any {
    precondition(interval > .zero, "a periodic observer needs a positive interval")
    let step = interval.nanoseconds
    return TimeObserver(
      self, next: { MediaTime(nanoseconds: ($0.nanoseconds / step + 1) * step) },
      reached: block, moved: block)
  }

  /// Calls back whenever the playhead passes one of the times, as long as the result is held;
  /// always on the thread that moves time. AVPlayer takes the times as values in objects.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], queue: DispatchQueue? = nil, using block: @escaping () -> Void
  ) -> Any {
    TimeObserver(
      self, next: { place in times.filter { $0 > place }.min() }, reached: { _ in block() },
      moved: { _ in })
  }

  /// Ends the calls to an observer of time.
  public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserver)?.stop() }
}

extension PlayerItem {
  /// Calls back with each new value of a property, until the result is let go of.
  public func observe<Value: Equatable>(
    _ property: KeyPath<PlayerItem, Value>, initial: Bool = false,
    changeHandler: @escaping (PlayerItem, Value) -> Void
  ) -> PropertyObservation {
    PropertyObservation(of: self, in: world, nil, property, initial, changeHandler)
  }
}

private final class TimeObserver {
  private weak var player: SimulatedPlayer?
  private let (next, reached): ((MediaTime) -> MediaTime?, (MediaTime) -> Void)
  private var moves: PropertyObservation?
  private var wait: ObservationToken?

  init(
    _ player: SimulatedPlayer, next: @escaping (MediaTime) -> MediaTime?,
    reached: @escaping (MediaTime) -> Void, moved: @escaping (MediaTime) -> Void
  ) {
    (self.player, self.next, self.reached) = (player, next, reached)
    moves = PropertyObservation(player.world, player.core.index) { [weak self] record in
      guard record.observation.movesPlayhead, let self, let player = self.player else { return }
      moved(player.currentTime())
      arm()
    }
    arm()
  }

  deinit { stop() }

  func stop() {
    moves = nil
    if let wait { player?.world.stopObserving(wait) }
    wait = nil
  }

  private func arm() {
    guard let player, moves != nil else { return }
    if let wait { player.world.stopObserving(wait) }
    wait = next(player.currentTime()).map { time in
      player.world.when(.currentTime(time), of: player) { [weak self] in
        guard let self, let player = self.player, moves != nil else { return }
        reached(player.currentTime())
        arm()
      }
    }
  }
}

extension PlaybackObservation {
  /// Whether the playhead begins to move, stops or jumps.
  fileprivate var movesPlayhead: Bool {
    if case .timebase = self { return true }
    if case .timeJumped = self { return true }
    return isItemThere != nil
  }

  /// Whether the access log may have another entry.
  fileprivate var mayLogAccess: Bool {
    if case .itemReady = self { return true }
    if case .variantSwitched = self { return true }
    if case .timeJumped = self { return true }
    return false
  }
}

// MARK: - Notifications

extension PlayerItem {
  /// Playback reached the end.
  public static let didPlayToEndTimeNotification = name("DidPlayToEndTime")
  /// Playback cannot go on to the end; the error is under `failedToPlayToEndTimeErrorKey`.
  public static let failedToPlayToEndTimeNotification = name("FailedToPlayToEndTime")
  /// The key of the error.
  public static let failedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
  /// Playback stalled.
  public static let playbackStalledNotification = name("PlaybackStalled")
  /// The playhead jumped.
  public static let timeJumpedNotification = name("TimeJumped")
  /// The access log has another entry.
  public static let newAccessLogEntryNotification = name("NewAccessLogEntry")
  /// The error log has another entry.
  public static let newErrorLogEntryNotification = name("NewErrorLogEntry")

  private static func name(_ event: String) -> Notification.Name {
    // `AVPlayerItemTimeJumpedNotification` and its siblings.
    Notification.Name("AVPlayerItem" + event + "Notification")
  }
}

extension World {
  /// Posts the notifications of items from now on, each with the item as its object.
  ///
  /// They are posted in the instant of their cause, on the thread that moves time.
  public func postNotifications(to center: NotificationCenter = .default) {
    // Every item that a player had: one that failed may have left when that is told.
    var items: [[Int32]: (item: PlayerItem, entries: Int)] = [:]
    observe { [unowned self] record in
      for item in cores[Int(record.player)].items {
        items[[record.player, item.number ?? 0], default: (item, 0)].item = item
      }
      guard let number = record.item, let item = items[[record.player, number]]?.item else {
        return
      }
      func post(_ name: Notification.Name, _ info: [String: any Sendable]? = nil) {
        center.post(name: name, object: item, userInfo: info)
      }
      let observation = record.observation
      if case .playedToEnd = observation {
        post(PlayerItem.didPlayToEndTimeNotification)
      } else if case .failedToPlayToEnd(let failure) = observation {
        post(
          PlayerItem.failedToPlayToEndTimeNotification,
          [PlayerItem.failedToPlayToEndTimeErrorKey: failure])
      } else if case .stalled = observation {
        post(PlayerItem.playbackStalledNotification)
      } else if case .timeJumped = observation {
        post(PlayerItem.timeJumpedNotification)
      } else if case .errorLogged = observation {
        post(PlayerItem.newErrorLogEntryNotification)
      }
      if observation.mayLogAccess, let entries = item.accessLog()?.events.count,
        entries > items[[record.player, number]]?.entries ?? 0
      {
        items[[record.player, number]]?.entries = entries
        post(PlayerItem.newAccessLogEntryNotification)
      }
    }
  }
}
