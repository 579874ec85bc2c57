/// The speed of media time against run time, as an exact ratio in lowest terms.
public struct PlaybackRate: Hashable, Sendable {
  /// Media time, over the denominator; zero where it stands.
  public let numerator: Int32
  /// Run time.
  public let denominator: Int32

  /// Makes a rate from a ratio, which is reduced; zero if it is no rate of forward playback.
  public init(_ numerator: Int32, over denominator: Int32 = 1) {
    guard numerator > 0, denominator > 0 else {
      (self.numerator, self.denominator) = (0, 1)
      return
    }
    let divisor = Int32(greatestCommonDivisor(Int64(numerator), Int64(denominator)))
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  @inlinable
  init(inLowestTerms numerator: Int32, over denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Stopped.
  public static var zero: PlaybackRate { PlaybackRate(inLowestTerms: 0, over: 1) }

  /// Real time.
  public static var normal: PlaybackRate { PlaybackRate(inLowestTerms: 1, over: 1) }

  @inlinable
  package var isZero: Bool { numerator == 0 }

  /// The multiple of real time, rounded down.
  @inlinable
  package var roundedDown: Int64 {
    // Mostly one, and no division.
    numerator == denominator ? 1 : Int64(numerator / denominator)
  }

  /// The media that passes in a span of run time, rounded down to a nanosecond.
  @inlinable
  package func media(in span: TimeSpan) -> MediaTime {
    if numerator == denominator { return MediaTime(nanoseconds: span.nanoseconds) }
    return MediaTime(
      nanoseconds: scaled(
        span.nanoseconds, by: Int64(numerator), over: Int64(denominator), rounding: .down))
  }

  /// The shortest span of run time in which that much media has passed; forever at rate zero.
  @inlinable
  package func span(toPlay media: MediaTime) -> TimeSpan {
    if numerator == denominator { return TimeSpan(nanoseconds: media.nanoseconds) }
    if isZero { return media.nanoseconds > 0 ? .forever : .zero }
    return TimeSpan(
      nanoseconds: scaled(
        media.nanoseconds, by: Int64(denominator), over: Int64(numerator), rounding: .up))
  }
}
