import ExactText
@_exported public import SimulatedWorld

// Seconds at the edges of a test: inside, times are whole nanoseconds.

extension TimeSpan: CustomStringConvertible {
  /// The nearest nanosecond.
  public init(seconds: Double) { self = .nanoseconds(nearest(seconds)) }

  /// The span in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public var description: String { JSONTree.secondsText(nanoseconds) }
}

extension MediaTime: CustomStringConvertible {
  /// The nearest nanosecond; invalid for what is not a number.
  public init(seconds: Double) { self.init(nanoseconds: seconds.isNaN ? .min : nearest(seconds)) }

  /// The nearest nanosecond, whatever the time scale.
  public init(seconds: Double, preferredTimescale: Int32) { self.init(seconds: seconds) }

  /// So many parts of a second, to the nanosecond below; invalid where there are no such parts.
  public init(value: Int64, timescale: Int32) {
    self.init(
      nanoseconds: timescale <= 0
        ? .min : scaled(value, by: 1_000_000_000, over: Int64(timescale), rounding: .down))
  }

  /// The time in seconds; not a number for the duration of a live stream.
  public var seconds: Double { isNumeric ? Double(nanoseconds) / 1e9 : .nan }

  /// False for the duration of a live stream, and for `invalid`.
  public var isNumeric: Bool { isValid && !isIndefinite }

  /// True for the duration of a live stream. Infinity is the same time here.
  public var isIndefinite: Bool { self == .distantFuture }

  /// False for `invalid` alone.
  public var isValid: Bool { self != .invalid }

  /// The value of a preference that is not set, and of a recommendation that is not known.
  public static var invalid: MediaTime { MediaTime(nanoseconds: .min) }

  /// The duration of a live stream.
  public static var indefinite: MediaTime { .distantFuture }

  /// As a tolerance: anywhere. As a target in a live stream: its edge.
  public static var positiveInfinity: MediaTime { .distantFuture }

  public var description: String {
    isNumeric ? JSONTree.secondsText(nanoseconds) : isValid ? "infinity" : "invalid"
  }
}

/// The names of `CMTimeRange`.
extension Range<MediaTime> {
  /// The first time.
  public var start: MediaTime { lowerBound }

  /// The time behind the last one.
  public var end: MediaTime { upperBound }

  /// The distance between both.
  public var duration: MediaTime { upperBound - lowerBound }

  /// Start and end in seconds, as a screen shows loaded and seekable ranges.
  public var seconds: ClosedRange<Double> {
    start.seconds...(end.isIndefinite ? .infinity : end.seconds)
  }

  /// The range itself, which AVPlayerItem has in an `NSValue`.
  public var timeRangeValue: Self { self }
}

extension Instant: CustomStringConvertible {
  /// The nearest nanosecond.
  public init(seconds: Double) { self = .zero + TimeSpan(seconds: seconds) }

  /// Seconds since the start of the run.
  public var seconds: Double { (self - Instant.zero).seconds }

  public var description: String { (self - Instant.zero).description }
}

extension PlaybackRate: CustomStringConvertible {
  /// The nearest thousandth; zero for what is no rate of forward playback.
  public init(_ rate: Float) {
    let thousandths = rate.isFinite ? min(max(0, rate), 32) * 1_000 : 0
    self.init(Int32(thousandths.rounded()), over: 1_000)
  }

  public var description: String { "\(Float(self))" }
}

extension Float {
  /// The nearest number.
  public init(_ rate: PlaybackRate) { self = Float(rate.numerator) / Float(rate.denominator) }
}

private func nearest(_ seconds: Double) -> Int64 {
  let nanoseconds = (seconds * 1e9).rounded()
  return Int64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0)
}
