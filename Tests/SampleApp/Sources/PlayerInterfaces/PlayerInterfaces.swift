import Dispatch
import Foundation

// The part of AVPlayer that a player screen needs, by Apple's names: an app is written against
// these, plays with AVPlayer, and is tested with a simulated player. The requirements that AVPlayer
// does not have itself stand last in each protocol.

/// A time in media: `CMTime`, or the simulator's.
public protocol MediaTimeInterface: Comparable, Sendable {
  /// Makes a time from seconds.
  init(seconds: Double, preferredTimescale: Int32)
  /// The time in seconds.
  var seconds: Double { get }
  /// False for the duration of a live stream, for example.
  var isNumeric: Bool { get }
  /// The beginning.
  static var zero: Self { get }
  /// As a tolerance: anywhere. As a target in a live stream: its edge.
  static var positiveInfinity: Self { get }
}

/// `AVPlayer.TimeControlStatus`, or the simulator's.
public protocol TimeControlStatusInterface: Equatable, Sendable {
  /// Nothing moves before the app asks.
  static var paused: Self { get }
  /// The app asked to play, and playback waits.
  static var waitingToPlayAtSpecifiedRate: Self { get }
  /// Playback progresses.
  static var playing: Self { get }
}

/// `AVPlayer.WaitingReason`, or the simulator's.
public protocol WaitingReasonInterface: Equatable, Sendable {
  /// Playing now would likely stall before the end.
  static var toMinimizeStalls: Self { get }
  /// A brief period for which a user interface should show nothing.
  static var evaluatingBufferingRate: Self { get }
  /// There is no current item.
  static var noItemToPlay: Self { get }
}

/// `AVPlayerItem.Status`, or the simulator's.
public protocol ItemStatusInterface: Equatable, Sendable {
  /// Nothing is known of the media yet.
  static var unknown: Self { get }
  /// There is something to show.
  static var readyToPlay: Self { get }
  /// The item cannot be played any more; another has to be made.
  static var failed: Self { get }
}

/// `AVPlayerItem`, or the simulator's.
@MainActor public protocol PlayerItemInterface: AnyObject {
  /// The type of times.
  associatedtype Time: MediaTimeInterface
  /// The type of the status.
  associatedtype Status: ItemStatusInterface

  /// Whether it can be played.
  var status: Status { get }
  /// The reason for a failed status.
  var error: (any Error)? { get }
  /// The duration; not numeric while a live stream goes on.
  var duration: Time { get }
  /// The position of the playhead.
  func currentTime() -> Time
  /// Whether playback would likely reach the end without a stall.
  var isPlaybackLikelyToKeepUp: Bool { get }
  /// Whether the buffer holds as much as it is going to.
  var isPlaybackBufferFull: Bool { get }
  /// Whether playback will stall, or end.
  var isPlaybackBufferEmpty: Bool { get }
  /// Seconds to buffer ahead; zero leaves it to the player.
  var preferredForwardBufferDuration: TimeInterval { get set }
  /// The highest bit rate to choose, in bit/s; zero sets no limit.
  var preferredPeakBitRate: Double { get set }
  /// Posted when playback reached the end.
  static var didPlayToEndTimeNotification: Notification.Name { get }
  /// Posted when playback cannot go on to the end.
  static var failedToPlayToEndTimeNotification: Notification.Name { get }
  /// Posted at a stall.
  static var playbackStalledNotification: Notification.Name { get }

  /// `loadedTimeRanges` in seconds.
  var loadedSeconds: [ClosedRange<Double>] { get }
  /// `seekableTimeRanges` in seconds.
  var seekableSeconds: [ClosedRange<Double>] { get }
  /// The declared bit rate of the last variant in the access log, in bit/s; nil for a file.
  var indicatedBitrate: Double? { get }
}

/// `AVPlayer`, or the simulator's.
@MainActor public protocol PlayerInterface: AnyObject {
  /// The type of items.
  associatedtype Item: PlayerItemInterface
  /// The type of the status.
  associatedtype TimeControlStatus: TimeControlStatusInterface
  /// The type of reasons.
  associatedtype WaitingReason: WaitingReasonInterface

  /// The rate that the app asks for.
  var rate: Float { get set }
  /// The rate that `play()` asks for.
  var defaultRate: Float { get set }
  /// Asks to play at the default rate.
  func play()
  /// Sets the rate to zero.
  func pause()
  /// Plays what there is, without waiting for more.
  func playImmediately(atRate rate: Float)
  /// Whether playback is paused, waits or progresses.
  var timeControlStatus: TimeControlStatus { get }
  /// Nil unless the status is waiting.
  var reasonForWaitingToPlay: WaitingReason? { get }
  /// Whether a player waits until it is likely to keep up.
  var automaticallyWaitsToMinimizeStalling: Bool { get set }
  /// The item that is played.
  var currentItem: Item? { get }
  /// Makes another item current, or none.
  func replaceCurrentItem(with item: Item?)
  /// The position of the playhead.
  func currentTime() -> Item.Time
  /// Moves the playhead, and tells whether that was finished.
  func seek(
    to time: Item.Time, toleranceBefore: Item.Time, toleranceAfter: Item.Time,
    completionHandler: @escaping @Sendable (Bool) -> Void)
  /// Calls back with each interval of media, and where playback starts, stops or jumps.
  func addPeriodicTimeObserver(
    forInterval interval: Item.Time, queue: DispatchQueue?,
    using block: @escaping @Sendable (Item.Time) -> Void
  ) -> Any
  /// Ends the calls to an observer of time.
  func removeTimeObserver(_ observer: Any)

  /// Calls back after a change of status, rate, item, or of what an item says of its buffer, until
  /// the result is let go of.
  func observeState(_ changed: @escaping @MainActor @Sendable () -> Void) -> AnyObject
}
