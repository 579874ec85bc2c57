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

  deinit { invalidate() }

  /// Ends the observation.
  public func invalidate() {
    if let token { world?.stopObserving(token) }
    token = nil
  }
}

/// The values of a property at a change: `NSKeyValueObservedChange`, which needs Objective-C.
public struct ObservedChange<Value> {
  /// The value before the change; nil unless `.old` was asked for.
  public let oldValue: Value?
  /// The value after the change; nil unless `.new` was asked for.
  public let newValue: Value?
}

/// `NSKeyValueObservingOptions`, which needs Objective-C.
public struct ObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  /// Makes options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The new value is told.
  public static let new = Self(rawValue: 1)
  /// The old value is told.
  public static let old = Self(rawValue: 2)
  /// The first call comes at once, with the present value.
  public static let initial = Self(rawValue: 4)
}

/// A player, an item or a looper.
///
/// A property is compared where a player tells something. The loaded part of a file and the
/// playhead move between two such instants: an observer of time follows them.
public protocol PropertyObservable: AnyObject {
  /// The world, and the player's index; nil for all players.
  var observed: (world: World?, player: Int32?) { get }
}

extension SimulatedPlayer: PropertyObservable {
  /// Its world and itself.
  public var observed: (world: World?, player: Int32?) { (world, core.index) }
}
extension SimulatedPlayerItem: PropertyObservable {
  /// Its world, if it has one, and any player: it may become another's.
  public var observed: (world: World?, player: Int32?) { (world, nil) }
}
extension SimulatedPlayerLooper: PropertyObservable {
  /// Those of its player.
  public var observed: (world: World?, player: Int32?) { player.observed }
}

extension PropertyObservable {
  /// Calls back with each change of a property, until the result is let go of.
  public func observe<Value: Equatable>(
    _ property: KeyPath<Self, Value>, options: ObservingOptions = [],
    changeHandler: @escaping (Self, ObservedChange<Value>) -> Void
  ) -> PropertyObservation {
    var value = self[keyPath: property]
    func tell(_ root: Self, _ old: Value?) {
      let (old, new) = (options.contains(.old) ? old : nil, options.contains(.new) ? value : nil)
      changeHandler(root, ObservedChange(oldValue: old, newValue: new))
    }
    if options.contains(.initial) { tell(self, nil) }
    return PropertyObservation(observed.world, observed.player) { [weak self] _ in
      guard let self else { return }
      let old = value
      value = self[keyPath: property]
      if value != old { tell(self, old) }
    }
  }

  /// The values of a property, from the present one on.
  public func values<Value: Equatable & Sendable>(
    of property: KeyPath<Self, Value>
  ) -> AsyncStream<Value> {
    AsyncStream { continuation in
      let observation = observe(property, options: [.initial, .new]) {
        if let new = $1.newValue { continuation.yield(new) }
      }
      continuation.onTermination = { _ in observation.invalidate() }
    }
  }
}

extension SimulatedPlayer {
  /// Calls back on the main actor after each change, until the result is let go of.
  public func observeState(_ changed: @escaping @MainActor @Sendable () -> Void) -> AnyObject {
    PropertyObservation(world, core.index) { _ in MainActor.assumeIsolated { changed() } }
  }

  /// Calls back with each interval of media that was played, and where playback begins, stops or
  /// jumps, until `removeTimeObserver(_:)`; always on the thread that moves time.
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

  /// Calls back whenever the playhead passes one of the times, until `removeTimeObserver(_:)`;
  /// always on the thread that moves time. AVPlayer takes the times as values in objects.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], queue: DispatchQueue? = nil, using block: @escaping () -> Void
  ) -> Any {
    TimeObserver(
      self, next: { place in times.filter { $0 > place }.min() }, reached: { _ in block() })
  }

  /// Ends the calls to an observer of time.
  public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserver)?.stop() }

  /// The rate changed; the reason is under `rateDidChangeReasonKey` where Apple documents one.
  public static let rateDidChangeNotification =
    Notification.Name("AVPlayerRateDidChangeNotification")
  /// The key of the reason.
  public static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReasonKey"

  /// The reasons for a change of the rate. Nothing is played backwards, so that one is missing.
  public enum RateDidChangeReason: String, Hashable, Sendable {
    case setRateCalled, setRateFailed, audioSessionInterrupted, appBackgrounded
    case playheadReachedLiveEdge
  }
}

private final class TimeObserver {
  private weak var player: SimulatedPlayer?
  private let (next, reached): ((MediaTime) -> MediaTime?, (MediaTime) -> Void)
  private var moves: PropertyObservation?
  private var wait: ObservationToken?

  init(
    _ player: SimulatedPlayer, next: @escaping (MediaTime) -> MediaTime?,
    reached: @escaping (MediaTime) -> Void, moved: ((MediaTime) -> Void)? = nil
  ) {
    (self.player, self.next, self.reached) = (player, next, reached)
    // The world keeps it until it is stopped.
    moves = PropertyObservation(player.world, player.core.index) { [self] record in
      let matters = record.observation.movesPlayhead(orTurns: moved != nil)
      guard matters, let player = self.player else { return }
      moved?(player.currentTime())
      arm()
    }
    arm()
  }

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
  /// Whether the playhead jumps. With turns, it also starts or stops; without, it jumps from the
  /// call of a seek on, and a time that is reached now is still waited for.
  fileprivate func movesPlayhead(orTurns: Bool) -> Bool {
    switch self {
    case .timebase: orTurns
    case .seek, .live(.moved): !orTurns
    case .timeJumped: true
    case _: isItemThere != nil
    }
  }

  /// Whether the access log may have another entry.
  fileprivate var mayLogAccess: Bool {
    switch self {
    case .itemReady, .variantSwitched, .timeJumped: true
    case _: false
    }
  }
}

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

#if !canImport(Darwin)
  extension NotificationCenter {
    /// The notifications of a name, which Foundation has on Apple's systems alone.
    public func notifications(
      named name: Notification.Name, object: AnyObject? = nil
    ) -> AsyncStream<Notification> {
      AsyncStream { continuation in
        nonisolated(unsafe) let token = addObserver(forName: name, object: object, queue: nil) {
          nonisolated(unsafe) let note = $0
          continuation.yield(note)
        }
        continuation.onTermination = { [unowned self] _ in removeObserver(token) }
      }
    }
  }
#endif

extension World {
  /// The player of a record; nil where it was released.
  func player(_ index: Int32) -> SimulatedPlayer? {
    faces[Int(index)]?.takeUnretainedValue()
  }

  /// - Parameter isHalting: Whether the next rule says why a rate became zero.
  private func postRate(
    _ record: PlaybackRecord, to center: NotificationCenter, _ isHalting: inout Bool
  ) {
    var reason: SimulatedPlayer.RateDidChangeReason? = .setRateCalled
    if case .rate(let rate, _, let known) = record.observation {
      if let known { reason = .init(rawValue: known.rawValue) }
      isHalting = rate.isZero && known == nil
      if isHalting { return }
    } else if isHalting, case .timeControl(_, let rule, _) = record.observation {
      // A stall, an end, a failure and an item that is taken away have no documented reason.
      if rule != .pausedByApp { reason = nil }
      isHalting = false
    } else {
      return
    }
    center.post(
      name: SimulatedPlayer.rateDidChangeNotification, object: player(record.player),
      userInfo: reason.map { [SimulatedPlayer.rateDidChangeReasonKey: $0] })
  }

  /// Posts the notifications of players and items from now on, each with its player or item as the
  /// object.
  ///
  /// They are posted in the instant of their cause, on the thread that moves time.
  public func postNotifications(to center: NotificationCenter = .default) {
    // Every item that a player had: one that failed may have left when that is told.
    var items: [[Int32]: (item: PlayerItem, entries: Int)] = [:]
    var isHalting = false
    observe { [unowned self] record in
      for item in cores[Int(record.player)].items {
        items[[record.player, item.number ?? 0], default: (item, 0)].item = item
      }
      postRate(record, to: center, &isHalting)
      guard let number = record.item, let item = items[[record.player, number]]?.item else {
        return
      }
      func post(_ name: Notification.Name, _ info: [String: any Sendable]? = nil) {
        center.post(name: name, object: item, userInfo: info)
      }
      switch record.observation {
      case .playedToEnd: post(PlayerItem.didPlayToEndTimeNotification)
      case .failedToPlayToEnd(let failure):
        post(
          PlayerItem.failedToPlayToEndTimeNotification,
          [PlayerItem.failedToPlayToEndTimeErrorKey: failure])
      case .stalled: post(PlayerItem.playbackStalledNotification)
      case .timeJumped: post(PlayerItem.timeJumpedNotification)
      case .errorLogged: post(PlayerItem.newErrorLogEntryNotification)
      case _: break
      }
      if record.observation.mayLogAccess, let entries = item.accessLog()?.events.count,
        entries > items[[record.player, number]]?.entries ?? 0
      {
        items[[record.player, number]]?.entries = entries
        post(PlayerItem.newAccessLogEntryNotification)
      }
    }
  }
}
