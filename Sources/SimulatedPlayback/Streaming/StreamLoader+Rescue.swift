import LinkConditioner
import StreamingMedia
import VirtualTime

// Going down before the buffer is played out: a segment that was asked for while the link was fast
// would keep a slow one busy until nothing is left.

/// The segment under way that is being watched, and what it had brought at the last look.
struct RescueWatch {
  var id: TransferID?
  /// When it has taken longer than what was ahead, by more than the rule puts up with.
  var patienceEnds = Instant.distantFuture
  /// When it is looked at, while the playhead moves.
  var due = Instant.distantFuture
  var since = Instant.zero
  var bytes: Int64 = 0
}

extension StreamLoader {
  /// The shortest time between two looks: our assumption, so that a near end does not mean one
  /// look after the other.
  private static let leastPause = TimeSpan.milliseconds(250)

  /// Sees to it that the main segment under way is looked at in time, and given up when it has
  /// taken too long.
  func planRescue(_ playhead: Playhead, at now: Instant) {
    guard !tracks.isEmpty, let id = tracks[0].fetchID, tracks[0].isFetchingWhole else {
      if rescueWatch.id != nil { rescueWatch = RescueWatch() }
      return
    }
    // What is asked for while nothing plays takes the time it takes.
    guard playhead.isMoving else {
      if rescueWatch.id != id { rescueWatch = RescueWatch() }
      return
    }
    let isNew = rescueWatch.id != id
    if !isNew && rescueWatch.due > now { return }
    let lasts = bufferLasts(playhead, at: now)
    if isNew {
      rescueWatch = RescueWatch(id: id, since: tracks[0].fetchBegan ?? now)
      if let lasts { planPatience(lasts, at: now) }
    }
    planLook(lasts, at: now)
  }

  private func planPatience(_ lasts: TimeSpan, at now: Instant) {
    guard case .throughput(let rule) = settings.adaptation, let patience = rule.abandonAfter,
      !without.contains(.segmentAbandonment)
    else { return }
    rescueWatch.patienceEnds = now + lasts + patience
  }

  /// - Parameter lasts: How long what is loaded lasts; nil where nothing is.
  private func planLook(_ lasts: TimeSpan?, at now: Instant) {
    rescueWatch.due = .distantFuture
    guard case .throughput(let rule) = settings.adaptation, let percent = rule.rescuePercent,
      !without.contains(.rescue), let lasts
    else { return }
    let share = scaled(lasts.nanoseconds, by: percent, over: 100, rounding: .down)
    rescueWatch.due = now + max(Self.leastPause, TimeSpan(nanoseconds: share))
  }

  /// How long what is loaded lasts; nil where nothing is.
  private func bufferLasts(_ playhead: Playhead, at now: Instant) -> TimeSpan? {
    let position = playhead.time(at: now)
    let ahead = loadedEnd(from: position) - position
    return ahead > .zero ? playhead.timebase.rate.span(toPlay: ahead) : nil
  }

  /// Whether something has come of the segment under way.
  ///
  /// Of what does not come at all nothing is known: that is for the timeout to say.
  func isComingIn(at now: Instant, _ stage: Stage) -> Bool {
    tracks.first?.fetch.map { arrivedBytes($0, at: now, on: stage) > 0 } ?? false
  }

  /// Looks at the segment under way, and gives it up if it would leave too little ahead.
  func rescue(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    guard let fetch = tracks.first?.fetch, fetch.id == rescueWatch.id, !fetch.isComplete,
      let lasts = bufferLasts(playhead, at: now)
    else { return }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    let brought = arrived - rescueWatch.bytes
    let span = now - rescueWatch.since
    if brought > 0, let rate = rate(brought, over: span), !sustains(fetch, rate),
      isTooSlow(fetch, arrived, brought, over: span, lasts, playhead)
    {
      let known = withMargin(rate)
      if isWorthwhile(fetch, missing: fetch.bytes - arrived, known) {
        _ = abandon(known: known, at: now, on: &stage)
        return
      }
    }
    rescueWatch.since = now
    rescueWatch.bytes = arrived
    planLook(lasts, at: now)
  }

  /// Whether less than a segment's length would be left once the segment is in.
  private func isTooSlow(
    _ fetch: SegmentFetch, _ arrived: Int64, _ brought: Int64, over span: TimeSpan,
    _ lasts: TimeSpan, _ playhead: Playhead
  ) -> Bool {
    let left = Int128(fetch.bytes - arrived) * Int128(span.nanoseconds) / Int128(brought)
    let length = presentation.lists[fetch.list].segments[fetch.index].duration
    return left + Int128(playhead.timebase.rate.span(toPlay: length).nanoseconds)
      > Int128(lasts.nanoseconds)
  }

  /// What came in since the last look, in bit/s.
  private func rate(_ brought: Int64, over span: TimeSpan) -> Int64? {
    if span <= .zero { return nil }
    return scaled(brought, by: 8_000_000_000, over: span.nanoseconds, rounding: .down)
  }

  /// The same less the margin of the rule.
  private func withMargin(_ rate: Int64) -> BitRate {
    guard case .throughput(let rule) = settings.adaptation else { return .bitsPerSecond(rate) }
    return .bitsPerSecond(scaled(rate, by: rule.safetyPercent, over: 100, rounding: .down))
  }

  /// Whether the network keeps real time with the variant: then nothing needs to be given up.
  private func sustains(_ fetch: SegmentFetch, _ rate: Int64) -> Bool {
    rungs[fetch.variant].sustained <= .bitsPerSecond(rate)
  }

  /// Whether the segment of the variant that it would be given up for is smaller than what is
  /// missing of this one.
  private func isWorthwhile(_ fetch: SegmentFetch, missing: Int64, _ rate: BitRate) -> Bool {
    guard let lower = lowerVariant(than: fetch.variant, within: rate) else { return false }
    guard let lowerList = list(of: .main, for: lower) else { return false }
    let list = presentation.lists[lowerList]
    let start = presentation.lists[fetch.list].segments[fetch.index].start
    guard let index = list.index(at: start) else { return false }
    return list.segments[index].bytes < missing
  }
}
