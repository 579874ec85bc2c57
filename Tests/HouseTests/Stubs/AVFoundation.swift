// The declarations of AVFoundation that the sample app relies on, with the
// isolation that its documentation gives. They are type-checked against and never linked.
@_exported import Foundation

public struct CMTime: Comparable, Sendable {
  public init(seconds: Double, preferredTimescale: Int32) {}
  public var seconds: Double { 0 }
  public var isNumeric: Bool { true }
  public static let zero = CMTime(seconds: 0, preferredTimescale: 1)
  public static let positiveInfinity = CMTime(seconds: 0, preferredTimescale: 1)
  public static func < (a: CMTime, b: CMTime) -> Bool { false }
}

public struct CMTimeRange: Sendable {
  public var start: CMTime
  public var end: CMTime { start }
}

extension NSValue {
  public var timeRangeValue: CMTimeRange { CMTimeRange(start: .zero) }
}

public final class NSKeyValueObservation: NSObject, @unchecked Sendable {}
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public struct NSKeyValueObservedChange<Value> {}

extension NSObjectProtocol where Self: NSObject {
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation { NSKeyValueObservation() }
}

@MainActor open class AVPlayerItem: NSObject {
  public enum Status: Int, @unchecked Sendable { case unknown, readyToPlay, failed }
  nonisolated public var status: Status { .unknown }
  nonisolated public var error: (any Error)? { nil }
  nonisolated public var duration: CMTime { .zero }
  nonisolated public func currentTime() -> CMTime { .zero }
  nonisolated public var loadedTimeRanges: [NSValue] { [] }
  nonisolated public var seekableTimeRanges: [NSValue] { [] }
  nonisolated public var isPlaybackLikelyToKeepUp: Bool { false }
  nonisolated public var isPlaybackBufferFull: Bool { false }
  nonisolated public var isPlaybackBufferEmpty: Bool { false }
  public var preferredForwardBufferDuration: TimeInterval = 0
  public var preferredPeakBitRate: Double = 0
  nonisolated public func accessLog() -> AVPlayerItemAccessLog? { nil }
  nonisolated public class var didPlayToEndTimeNotification: NSNotification.Name { .init("") }
  nonisolated public class var failedToPlayToEndTimeNotification: NSNotification.Name { .init("") }
  nonisolated public class var playbackStalledNotification: NSNotification.Name { .init("") }
}

open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
  public var events: [AVPlayerItemAccessLogEvent] { [] }
}

open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
  public var indicatedBitrate: Double { -1 }
}

@MainActor open class AVPlayer: NSObject {
  public enum TimeControlStatus: Int, @unchecked Sendable {
    case paused, waitingToPlayAtSpecifiedRate, playing
  }
  public struct WaitingReason: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let toMinimizeStalls = WaitingReason(rawValue: "")
    public static let evaluatingBufferingRate = WaitingReason(rawValue: "")
    public static let noItemToPlay = WaitingReason(rawValue: "")
  }
  nonisolated public var rate: Float {
    get { 0 }
    set {}
  }
  nonisolated public var defaultRate: Float {
    get { 0 }
    set {}
  }
  nonisolated public func play() {}
  nonisolated public func pause() {}
  nonisolated public func playImmediately(atRate rate: Float) {}
  nonisolated public var timeControlStatus: TimeControlStatus { .paused }
  nonisolated public var reasonForWaitingToPlay: WaitingReason? { nil }
  nonisolated public var automaticallyWaitsToMinimizeStalling: Bool {
    get { true }
    set {}
  }
  public var currentItem: AVPlayerItem? { nil }
  public func replaceCurrentItem(with item: AVPlayerItem?) {}
  nonisolated public func currentTime() -> CMTime { .zero }
  nonisolated public func seek(to time: CMTime) {}
  nonisolated public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {}
  nonisolated public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?,
    using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any { 0 }
  nonisolated public func removeTimeObserver(_ observer: Any) {}
}
