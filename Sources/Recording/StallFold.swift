import SimulatedPlayback
package import VirtualTime

/// The fall of a buffer that ended in a stall, and the requests of that time.
package struct StallFall: Sendable {
  /// A change that puts the playhead elsewhere, or other media under it.
  package enum Break: Hashable, Sendable {
    case seek
    case jump
    case item(String?)
    case selection
  }

  /// The instant at which playback stalled, and the media that were missing.
  package let stalled: Instant
  package let dry: MediaTime
  /// The media ahead where they began to fall, and the playhead there; nil where nothing was ahead.
  package internal(set) var top: BufferLevel?
  package internal(set) var place = MediaTime.zero
  /// The first instant from there on at which something was being loaded.
  package internal(set) var loading: Instant
  /// The last break since the stall before.
  package internal(set) var cut: (kind: Break, instant: Instant)?
  /// Whether the playlist no longer listed the next segment.
  package internal(set) var isListGone = false
  /// Requests under way from then on, up to the end of the stall.
  package internal(set) var requests: [StartupStage] = []

  package init(stalled: Instant, dry: MediaTime) {
    (self.stalled, self.dry, loading) = (stalled, dry, stalled)
  }
}

/// Follows the buffer of a player, and keeps of each stall the fall that led to it.
package struct StallFold: Sendable {
  package private(set) var falls: [StallFall] = []
  private typealias Point = (level: BufferLevel, place: MediaTime)
  /// The last of each run of equal local maxima since the last break, with the greatest of them.
  private var tops: [(point: Point, greatest: MediaTime)] = []
  private var last: Point = (BufferLevel(.zero, .zero), .zero)
  private var isRising = true
  private var cut: (kind: StallFall.Break, instant: Instant)?
  /// The stall whose fall the next sample completes.
  private var unseen: StallFall?
  private var (isStalled, isSeeking, isMoving) = (false, false, false)
  /// The last instant at which a live playlist had lost the next segment.
  private var slid: Instant?
  /// Whether there was a break since the last sample.
  private var isCut = false
  private var requests = RequestFold(most: Self.most)
  /// Whether a file is read no further for now.
  private var isSuspended = false
  /// Stretches in which media were being loaded; the last one may go on.
  private var loads: [(start: Instant, end: Instant)] = []

  /// Media by which levels may differ and count as equal.
  private static let tolerance = MediaTime.milliseconds(20)
  private static let most = 1_024

  mutating func see(_ record: Record) {
    switch record.event {
    case .buffer(let sample): see(sample, at: record.instant)
    case .player(let observation): see(observation, record)
    case .linkRate, .panelAsked: break
    }
  }

  private mutating func see(_ sample: BufferSample, at now: Instant) {
    // The line before a break belongs to other media.
    if isCut, let bend = sample.bend, bend.instant < now { return }
    if let bend = sample.bend, !isCut {
      let (start, whole) = (last.level.instant, (now - last.level.instant).nanoseconds)
      let passed = Int128((bend.instant - start).nanoseconds)
      let played = Int128((sample.time - last.place).nanoseconds) * passed / Int128(max(1, whole))
      see((bend, last.place + MediaTime(nanoseconds: Int64(played))))
    }
    isCut = false
    see((BufferLevel(now, sample.ahead), sample.time))
    keepFall()
  }

  private mutating func see(_ point: Point) {
    if point.level.media < last.level.media {
      if isRising { keepTop() }
      isRising = false
    } else if point.level.media > last.level.media {
      isRising = true
    }
    last = point
  }

  private mutating func keepTop() {
    var greatest = last.level.media
    if let before = tops.last, greatest <= before.point.level.media + Self.tolerance,
      before.greatest <= greatest + Self.tolerance
    {
      greatest = max(greatest, before.greatest)
      tops.removeLast()
    }
    if tops.count == Self.most { tops.removeFirst(Self.most / 2) }
    tops.append((last, greatest))
  }

  private mutating func see(_ observation: PlaybackObservation, _ record: Record) {
    let now = record.instant
    if case .seek = observation {
      isSeeking = true
      begin(.seek, at: now)
    } else if case .timeJumped = observation {
      begin(isSeeking ? .seek : .jump, at: isSeeking ? cut?.instant ?? now : now)
      isSeeking = false
    } else if case .live(.moved(_, .windowSlid)) = observation {
      slid = now
    } else if case .currentItem(true) = observation {
      begin(.item(record.item), at: now)
    } else if case .mediaSelected(let selection, _) = observation, selection.kind != .subtitles {
      begin(.selection, at: now)
    } else if case .stalled(let place, _) = observation {
      (unseen, isStalled) = (StallFall(stalled: now, dry: place), true)
    } else if case .timebase(let rate, _, _) = observation {
      // Behind a pause the buffer falls anew.
      if !isMoving, !rate.isZero { endStall() }
      isMoving = !rate.isZero
    } else if case .readingSuspended(let isSuspended, _) = observation {
      self.isSuspended = isSuspended
      followLoads(at: now)
    } else {
      requests.makeRoom()
      requests.see(record)
      followLoads(at: now)
    }
  }

  /// Media that were ahead before have nothing to do with the stalls to come.
  private mutating func begin(_ kind: StallFall.Break, at now: Instant) {
    // A jump may be the way out of a stall.
    if kind == .jump { keepFall() } else { endStall() }
    (tops, isRising) = ([], true)
    (cut, isCut) = ((kind, now), true)
    last = (BufferLevel(now, .zero), last.place)
  }

  package mutating func endStall() {
    keepFall()
    if isStalled, let index = falls.indices.last {
      let loading = falls[index].loading
      falls[index].requests = requests.result.filter { $0.ended.map { $0 >= loading } ?? true }
    }
    if isStalled { cut = nil }
    (isStalled, tops, isRising) = (false, [], true)
  }

  /// The last maximum of at least half of the greatest one, or the one from which it came down.
  private mutating func keepFall() {
    guard var fall = unseen else { return }
    unseen = nil
    let now = fall.stalled
    if falls.count == PlayerBooks.mostStalls {
      // Its requests are not those of the last one that is kept.
      isStalled = false
      return
    }
    if isRising { keepTop() }
    (fall.loading, fall.cut, fall.isListGone) = (cut?.instant ?? now, cut, slid == now)
    let most = tops.reduce(MediaTime.zero) { max($0, $1.greatest) }
    let half = MediaTime(nanoseconds: most.nanoseconds / 2)
    if most > .zero, var place = tops.lastIndex(where: { $0.point.level.media >= half }) {
      while place > 0, tops[place - 1].greatest > tops[place].greatest { place -= 1 }
      let (level, start) = tops[place].point
      (fall.top, fall.place, fall.loading) = (level, start, level.instant)
    }
    let load = loads.first { $0.end > fall.loading }
    if let load, load.start < now { fall.loading = max(fall.loading, load.start) }
    falls.append(fall)
  }

  /// Whether media was being loaded at some time between two instants.
  package func isLoading(from start: Instant, to end: Instant) -> Bool {
    loads.contains { $0.start < end && $0.end > start }
  }

  private mutating func followLoads(at now: Instant) {
    let isLoading = !isSuspended && requests.isLoading
    if isLoading == (loads.last?.end == .distantFuture) { return }
    if isLoading {
      if loads.count == Self.most { loads.removeFirst(Self.most / 2) }
      loads.append((now, .distantFuture))
    } else {
      loads[loads.count - 1].end = now
    }
  }
}
