import ExactText
public import SimulatedWorld

// Seconds at the edges of a test: inside, times are whole nanoseconds.

extension TimeSpan: CustomStringConvertible {
  /// The nearest nanosecond.
  public init(seconds: Double) { self = .nanoseconds(nearest(seconds)) }

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public var description: String { JSONTree.seconds(nanoseconds).shown + " s" }
}

extension MediaTime: CustomStringConvertible {
  /// The nearest nanosecond.
  public init(seconds: Double) { self = .zero + .init(nanoseconds: nearest(seconds)) }

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public var description: String { JSONTree.seconds(nanoseconds).shown + " s" }
}

extension Instant: CustomStringConvertible {
  public init(seconds: Double) { self = .zero + TimeSpan(seconds: seconds) }

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
  public init(_ rate: PlaybackRate) { self = Float(rate.numerator) / Float(rate.denominator) }
}

private func nearest(_ seconds: Double) -> Int64 {
  Int64(clamping: Int((seconds * 1e9).rounded()))
}
