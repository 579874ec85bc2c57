package import LinkConditioner
package import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// Makes the samples of a player's buffer: the one place that looks at a player while it runs.
///
/// A sample is made at the end of an instant in which the state changed, in which the loaded media
/// jumped or ran out, or before which the line of the media ahead bent by more than a bound.
package struct BufferRecorder {
  /// The most by which a line may miss the media ahead, in nanoseconds: in fluid the media of a
  /// byte or a few, and over tcp the few packets by which a steady flow varies.
  private let bound: Int64
  /// Whether the loaded end of a file moves in steps.
  private let comesInPackets: Bool
  private var first = BufferLevel(.zero, .zero)
  /// The last look at the line that begins with the first level.
  private var last = BufferLevel(.zero, .zero)
  /// The slopes from the first level whose lines are near enough to every look.
  private var slopes = SlopeRange()
  /// The loaded end and the timebase of the item that was looked at last.
  private var edge: Edge?
  /// The loaded ranges of the last sample, and the start of the one behind that at the playhead.
  private var (ranges, next): ([Range<MediaTime>], MediaTime?) = ([], nil)
  private typealias Edge = (
    item: PlayerItem, loadedEnd: MediaTime, timebase: Timebase, sitsAt: MediaTime?,
    arrival: ByteFlow?
  )
  /// Whether something happened since the last sample that changes the state, and whether that
  /// moves the playhead to other media.
  private var (isTouched, isMoved) = (true, false)
  /// Whether media that is there can be played from now on.
  private var isRevealed = false

  package init(_ fidelity: Fidelity) {
    switch fidelity {
    case .fluid: (bound, comesInPackets) = (100_000, false)
    case .tcp: (bound, comesInPackets) = (10_000_000, true)
    }
  }

  /// Notes what happens before the next look.
  package mutating func see(_ event: Record.Event) {
    switch event {
    case .panelAsked: isTouched = true
    case .buffer, .linkRate: break
    case .player(let observation):
      if observation.changesState { isTouched = true }
      switch observation {
      case .currentItem, .seek, .timeJumped, .mediaSelected: isMoved = true
      case .itemReady: isRevealed = true
      case _: break
      }
    }
  }

  /// Has the next look make a sample, unless there is one of the instant.
  package mutating func askForSample(at now: Instant) {
    if first.instant < now { isTouched = true }
  }

  /// Looks at the end of an instant: no sample where nothing is to be recorded, two where the line
  /// that ends now has bent before.
  package mutating func look(_ core: PlayerCore, at now: Instant) -> [BufferSample] {
    let (time, end) = (core.currentTime(at: now), core.loadedEnd(at: now))
    var loaded: [Range<MediaTime>] { core.currentItem?.loadedTimeRanges(at: now) ?? [] }
    if let edge, let shown = edge.sitsAt, edge.timebase.instant(reaching: shown) == now {
      isTouched = true
    }
    let level = BufferLevel(now, max(.zero, end - time))
    var bend: BufferLevel?
    let isStream = edge?.item.settings.source.kind == .stream
    if isStream || isMoved {
      let before = before(now) { isStream ? $0.loadedEnd : fileEnd($0, at: now) }
      if before != level { bend = before }
      if isStream, let dry = dryness(before: now) { bend = dry }
    } else if let next, time < next, next < end {
      bend = before(now) { _ in next }
    }
    if !isStream, bend == nil { bend = jump(to: level) }
    if !isStream, bend == nil, !isOnLine(level) || last.media == .zero && level.media > .zero {
      let isStep = comesInPackets || isRevealed && last.media == .zero
      let step = isStep ? before(now) { $0.loadedEnd } : last
      bend = isOnLine(step) ? step : last
    }
    if bend == nil, last.media > .zero, level.media == .zero { isTouched = true }
    // Beside a standing playhead segments come without a change of the forward buffer.
    if isStream, !isTouched, bend == nil, level.media == .zero, loaded != ranges { bend = level }
    var samples: [BufferSample] = []
    if !isStream, let edge, let bend, bend.instant == now, !isOnLine(bend) {
      samples.append(
        BufferSample(
          time: playhead(edge, at: now), ahead: bend.media,
          ranges: edge.item.loadedTimeRanges(at: now), bend: last))
    }
    edge = core.currentItem.map { ($0, end, $0.timebase, $0.sitsAt, $0.arrival) }
    last = level
    if !isTouched, bend == nil {
      let (run, rise) = level.distance(from: first)
      slopes.narrow(between: rise - bound, and: rise + bound, after: run)
      return []
    }
    (isTouched, isMoved, isRevealed) = (false, false, false)
    first = level
    slopes = SlopeRange()
    ranges = loaded
    next = ranges.first { $0.lowerBound > end }?.lowerBound
    samples.append(BufferSample(time: time, ahead: level.media, ranges: ranges, bend: bend))
    return samples
  }

  /// The media ahead just before an instant, with the loaded end that the item had by then.
  private func before(_ now: Instant, _ loadedEnd: (Edge) -> MediaTime) -> BufferLevel {
    let ahead = edge.map { max(.zero, loadedEnd($0) - playhead($0, at: now)) }
    return BufferLevel(now, ahead ?? .zero)
  }

  /// The loaded end of a file just before an instant, at most where its line meets the next range.
  private func fileEnd(_ edge: Edge, at now: Instant) -> MediaTime {
    min(edge.item.loadedTimeRanges(at: now).end(from: edge.loadedEnd), next ?? .distantFuture)
  }

  private func playhead(_ edge: Edge, at now: Instant) -> MediaTime {
    max(edge.timebase.time(at: now), edge.sitsAt ?? .zero)
  }

  /// The instant at which a stream's media ran out under a moving playhead; nil where it did not.
  private func dryness(before now: Instant) -> BufferLevel? {
    guard let edge, last.media > .zero, !edge.timebase.rate.isZero else { return nil }
    let dry = edge.timebase.instant(reaching: edge.loadedEnd)
    return last.instant < dry && dry < now ? BufferLevel(dry, .zero) : nil
  }

  /// The media ahead just before bytes of a file arrive at once; nil without such a burst.
  private func jump(to level: BufferLevel) -> BufferLevel? {
    if isMoved || isRevealed { return nil }
    func before(_ bytes: (Edge) -> Int64?) -> BufferLevel {
      self.before(level.instant) { edge in
        guard let bytes = bytes(edge), let map = edge.item.settings.source.file?.map else {
          return edge.loadedEnd
        }
        return map.time(ofFirst: map.bytes(before: edge.loadedEnd) + bytes)
      }
    }
    if comesInPackets {
      // Any line goes from the last sample to the first look after it; two packets are no burst.
      if last != first || level.media <= before({ _ in 3_000 }).media { return nil }
      let before = before { _ in nil }
      return (level.media - before.media).nanoseconds > 20 * bound ? before : nil
    }
    let steady = before { edge in
      edge.arrival.map { $0.bytes(at: level.instant) - $0.bytes(at: last.instant) }
    }
    return (level.media - steady.media).nanoseconds > bound ? steady : nil
  }

  private func isOnLine(_ level: BufferLevel) -> Bool {
    let (run, rise) = level.distance(from: first)
    return slopes.passes(between: rise - bound, and: rise + bound, after: run)
  }
}
