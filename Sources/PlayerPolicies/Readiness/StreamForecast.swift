import VirtualTime

/// When the missing segments of a stream are predicted to be whole, held against when they are due.
///
/// A segment comes after those before it, each after the wait for its first byte, and is due when
/// the playhead gets to its beginning. With a separate audio rendition this holds for each of the
/// two tracks, which share the link.
struct StreamForecast {
  // The few parts of a snapshot, which is large, that it looks at.
  let playhead: MediaTime
  private let loadedEnd: MediaTime
  let end: MediaTime
  let rate: PlaybackRate
  let first: Int
  let received: Int64
  let ladder: Ladder
  let variant: Int
  let throughput: Int64
  let latency: TimeSpan
  /// How much longer the segment under way waits for its first byte.
  let firstLatency: TimeSpan
  private let safety: SafetyFactor
  /// The separate audio rendition; nil where audio is muxed in.
  private let audio: AudioFacts?
  let mainEnd: MediaTime
  /// The requests that the next segment waits for.
  let preparations: [PreparationFacts]
  /// The limit of the forward buffer; nil without one.
  let mediaLimit: MediaTime?
  let now: Instant

  /// Nil where too little is known.
  init?(
    _ snapshot: borrowing Snapshot, _ ladder: Ladder, _ estimate: borrowing Estimate,
    _ safety: SafetyFactor
  ) {
    guard let variant = snapshot.stream?.variant, let throughput = estimate.bitsPerSecond,
      throughput > 0, ladder.segmentCount > 0
    else { return nil }
    (playhead, loadedEnd, end) = (snapshot.playhead, snapshot.loadedEnd, snapshot.end)
    rate = snapshot.rate
    first = snapshot.stream?.nextSegment ?? 0
    received = snapshot.stream?.received ?? 0
    self.ladder = ladder
    self.variant = variant
    self.throughput = throughput
    self.safety = safety
    let latency = estimate.latency ?? .zero
    self.latency = latency
    mediaLimit = snapshot.buffer.mediaLimit
    (audio, mainEnd, now) = (
      snapshot.stream?.audio, snapshot.stream?.mainEnd ?? .zero, snapshot.now
    )
    preparations = snapshot.stream?.preparations ?? []
    if let began = snapshot.stream?.request?.began {
      let hasResponded = snapshot.stream?.request?.responded != nil
      firstLatency = hasResponded ? .zero : max(.zero, latency - (snapshot.now - began))
    } else {
      var span = latency
      for request in preparations {
        let left = request.latencyLeft(of: latency, at: now)
        span += left + Estimate.span(of: request.missing, at: throughput)
      }
      firstLatency = span
    }
  }

  /// How long a start must still wait so that no segment is late; not positive if it need not.
  var longestWait: TimeSpan {
    if let audio {
      var forecast = RenditionForecast(self, beside: audio)
      return forecast.longestWait()
    }
    var longest = TimeSpan(nanoseconds: .min)
    var index = first
    while index < ladder.segmentCount, ladder.boundaries[index] < end {
      let wait = arrives(index) - due(index)
      longest = max(longest, wait)
      // From here on each segment is nearer than the one before: it takes less time to come than
      // the one before takes to be played.
      if neverFallsBack { break }
      // Of segments that fall back by the same each, the last is the latest, or the one before.
      index = fallsBackEvenly ? max(index + 1, lastIndex - 1) : index + 1
    }
    return longest
  }

  /// When a wait is over, as far as what comes in has a say in it.
  ///
  /// What comes in faster than it is believed to ends it sooner, and what does not come, later.
  func ends(_ wait: TimeSpan, _ snapshot: borrowing Snapshot) -> Instant {
    // The time until the first byte passes by itself, and after it bytes alone count.
    if firstLatency >= wait, snapshot.stream?.request != nil { return snapshot.now + wait }
    let bytes = scaled(
      wait.nanoseconds, by: throughput, over: 8_000_000_000, rounding: .up)
    return snapshot.look(forBytes: max(1, bytes), after: wait)
  }

  /// The last segment before the end.
  private var lastIndex: Int {
    if let last = ladder.boundaries.last, last <= end { return ladder.segmentCount - 1 }
    return max(0, (ladder.boundaries.firstIndex { $0 >= end } ?? 1) - 1)
  }

  /// Whether no segment takes longer to come than any takes to be played.
  private var neverFallsBack: Bool {
    guard let lengths = ladder.lengths else { return true }
    let bytes = ladder.mostBytes(of: variant, lengths.longest)
    return latency + span(toBring: bytes) <= playing(lengths.shortest)
  }

  /// Whether the segments fall back by the same each, a shorter one at the end aside.
  private var fallsBackEvenly: Bool {
    guard let lengths = ladder.lengths else { return true }
    return lengths.longest == lengths.shortest && ladder.rungs[variant].bytes.isEmpty
  }

  /// From now until a segment is whole.
  private func arrives(_ index: Int) -> TimeSpan {
    let bytes =
      ladder.expectedBytes(of: variant, from: first, to: index + 1) - received
    if index == first { return firstLatency + span(toBring: max(0, bytes)) }
    return firstLatency + latency * Int64(index - first) + span(toBring: max(0, bytes))
  }

  func span(toBring bytes: Int64) -> TimeSpan {
    Estimate.span(of: bytes, at: throughput)
  }

  /// From the start until a segment is due.
  private func due(_ index: Int) -> TimeSpan {
    // What comes in parts is loaded beyond its beginning, and sound may end before it.
    let begin = index == first ? loadedEnd : ladder.boundaries[index]
    return playing(begin - playhead)
  }

  /// How long media lasts, of which a *k*-th is counted on.
  func playing(_ media: MediaTime) -> TimeSpan {
    let span = rate.span(toPlay: media)
    if safety == .none { return span }
    return TimeSpan(
      nanoseconds: scaled(
        span.nanoseconds, by: safety.denominator, over: safety.numerator, rounding: .down))
  }
}
