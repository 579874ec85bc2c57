import StreamingMedia
package import VirtualTime

/// The amount of a variant's media that has been played.
package struct PlayedVariant: Hashable, Sendable {
  /// `BANDWIDTH`, in bit/s.
  package var bitRate: Int64
  /// The variant's nominal rate, in bit/s.
  package var nominal: Int64
  package var media: MediaTime

  package init(bitRate: Int64, nominal: Int64, media: MediaTime) {
    self.bitRate = bitRate
    self.nominal = nominal
    self.media = media
  }
}

/// A variant of a stream with the instant at which it came under the playhead.
package struct ShownVariant: Hashable, Sendable {
  package var start: Instant
  package var variant: Int64

  package init(start: Instant, variant: Int64) {
    self.start = start
    self.variant = variant
  }
}

extension [PlayedVariant] {
  /// The mean of the declared bit rates over the media that was played; nil where none was.
  package var meanBitRate: Int64? {
    var (bits, span): (Int128, Int128) = (0, 0)
    for played in self {
      bits += Int128(played.bitRate) * Int128(played.media.nanoseconds)
      span += Int128(played.media.nanoseconds)
    }
    return span > 0 ? Int64(clamping: quotient(bits, span, rounding: .down)) : nil
  }
}

/// The part of a stream that has passed under the playhead: media by variant, and its bits.
///
/// It is booked before segments go or give way, and where the playhead begins to move otherwise: so
/// each instant counts for the segment that was under the playhead then.
struct PlayedMedia {
  /// By the variants, as far as one of them was played.
  private(set) var spans: [MediaTime] = []
  /// The bits of pictures and sound, in billionths.
  private var billionths: Int128 = 0
  /// The variants that were played, one after the other; the first thousands.
  private(set) var shown: [ShownVariant] = []
  private static let mostShown = 4_096
  /// The playhead's position when it was last booked.
  private(set) var position = MediaTime.zero
  /// Sound that is played to its end although its track is no more; nil as a rule.
  var soundBeside: SegmentBuffer?

  /// The playhead is somewhere else.
  mutating func jump(to position: MediaTime) { self.position = position }

  /// Books what lies between where the playhead was and where it is.
  mutating func pass(
    to position: MediaTime, _ tracks: [StreamTrack], along timebase: Timebase
  ) {
    for index in tracks.indices where tracks[index].kind != .subtitles {
      let isMain = tracks[index].kind == .main
      pass(to: position, tracks[index].buffer.segments, isMain ? timebase : nil)
    }
    if let soundBeside { pass(to: position, soundBeside.segments, nil) }
    self.position = position
  }

  /// - Parameter timebase: Of the main track; nil for another.
  private mutating func pass(
    to position: MediaTime, _ segments: [BufferedSegment], _ timebase: Timebase?
  ) {
    var start = self.position
    for index in segments.indices {
      if segments[index].start >= position { break }
      start = max(start, segments[index].start)
      let length = min(segments[index].end, position) - start
      if length <= .zero { continue }
      if let timebase, shown.last?.variant != Int64(segments[index].variant) {
        note(segments[index].variant, at: timebase.instant(reaching: start))
      }
      start = start + length
      add(segments[index], length, isMain: timebase != nil)
    }
  }

  private mutating func note(_ variant: Int, at instant: Instant) {
    if shown.count == Self.mostShown { return }
    shown.append(ShownVariant(start: instant, variant: Int64(variant)))
  }

  private mutating func add(_ segment: BufferedSegment, _ length: MediaTime, isMain: Bool) {
    let whole = segment.end - segment.start
    let bits = Int128(segment.bytes) * 8_000_000_000
    // Nearly always all of it has passed, and a division costs ten times as much as the rest.
    billionths +=
      length == whole
      ? bits
      : quotient(
        bits * Int128(length.nanoseconds), Int128(whole.nanoseconds), rounding: .down)
    if !isMain { return }
    while spans.count <= segment.variant { spans.append(.zero) }
    spans[segment.variant] = spans[segment.variant] + length
  }

  /// The bits of a second of what was played, to the nearest whole; nil where nothing was.
  var averageBitRate: Int64? {
    let length = spans.reduce(MediaTime.zero) { $0 + $1 }
    if length <= .zero { return nil }
    let halves = quotient(2 * billionths, Int128(length.nanoseconds), rounding: .down)
    return Int64(clamping: (halves + 1) / 2)
  }
}

struct PlayedStream {
  /// Of each variant by their order.
  var variants: [PlayedVariant] = []
  /// In the order of playing.
  var shown: [ShownVariant] = []
  /// The bits of a second.
  var averageBitRate: Int64?
}

extension LogKeeper {
  /// Books what has been played since it was last booked.
  ///
  /// - Parameter end: Nothing that was played from there on is booked yet.
  func bookPlayed(
    _ tracks: [StreamTrack], upTo end: MediaTime = .distantFuture, at now: Instant
  ) {
    let position = min(time(at: now), end)
    if position > played.position { played.pass(to: position, tracks, along: timebase) }
  }

  /// Whether the playhead is behind a position.
  func hasPassed(_ position: MediaTime, at now: Instant) -> Bool { time(at: now) > position }
}

extension StreamTrack {
  /// The end of the last segment that has been played and can be forgotten; nil where none has.
  func leftEnd(at position: MediaTime) -> MediaTime? {
    var left: MediaTime?
    for index in buffer.segments.indices {
      if buffer.segments[index].end > position { break }
      left = buffer.segments[index].end
    }
    return left
  }
}

extension MediaLoader {
  /// Books what has been played of a stream, whose playhead is about to move otherwise.
  func bookPlayed(at now: Instant) {
    switch self {
    case .file: break
    case .stream(let loader): loader.intake.logs.bookPlayed(loader.intake.tracks, at: now)
    }
  }

  /// The media of a stream that was played; empty for a file.
  func played(at now: Instant) -> PlayedStream {
    guard case .stream(let loader) = self else { return PlayedStream() }
    loader.intake.logs.bookPlayed(loader.intake.tracks, at: now)
    let played = loader.intake.logs.played
    let variants = loader.presentation.variants
    return PlayedStream(
      variants: played.spans.indices.compactMap { index in
        if played.spans[index] <= .zero { return nil }
        return PlayedVariant(
          bitRate: variants[index].attributes.bandwidth,
          nominal: variants[index].attributes.nominalBandwidth, media: played.spans[index])
      }, shown: played.shown, averageBitRate: played.averageBitRate)
  }
}
