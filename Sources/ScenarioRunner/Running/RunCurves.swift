package import Recording
package import ScenarioFormat
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

// The lines, requests and decisions of a run that a picture is drawn from.

/// Playhead, loaded edge, requests and decisions of one player over a run.
package struct RunCurves: Sendable {
  package fileprivate(set) var playhead = Curve()
  /// The end of the contiguous media that begins at the playhead.
  package fileprivate(set) var loadedEnd = Curve()
  /// The media between the two.
  package fileprivate(set) var buffer = Curve()
  /// The newest media that a live playlist has listed; empty for media that is not live.
  package fileprivate(set) var liveEdge = Curve()
  /// The oldest media that it has listed.
  package fileprivate(set) var liveStart = Curve()
  /// The start of the range that has the loaded end, and the other ranges, from each change on.
  package private(set) var ranges: [(Instant, start: MediaTime?, others: [Range<MediaTime>])] = []
  package var requests: [StartupStage] { fold.result }
  /// Records that say why the player does something else from now on.
  package fileprivate(set) var decisions: [Record] = []
  /// Lateness of the worst byte, as the policy forecast it while the player waited.
  package fileprivate(set) var forecasts: [(instant: Instant, late: TimeSpan)] = []
  /// The estimate of the throughput in bit/s, wherever a record names it.
  package fileprivate(set) var estimates: [(instant: Instant, rate: Int64)] = []
  private var fold = RequestFold(most: 65_536)

  private let scenario: Scenario
  /// The map of a file whose bytes are spread unevenly: at the last sample, and now.
  private(set) var (map, nextMap): (ByteMap?, ByteMap?)
  /// The segments of the current item, where that is a stream.
  private var segments: SegmentList?
  /// The timebase as the records have it, and the line of the playhead since it was moved: under an
  /// external timeline the playhead is held until its host time.
  private var timebase: (rate: PlaybackRate, at: Instant, hostTime: Instant)
  private var line: (start: Curve.Point, rate: PlaybackRate)

  package init(of scenario: borrowing Scenario) {
    self.scenario = copy scenario
    timebase = (.zero, .zero, .zero)
    line = (Curve.Point(.zero, .zero), .zero)
    setSource(scenario.item.source)
    map = nextMap
  }

  private static let mostDecisions = 8_192

  mutating func see(_ record: Record) {
    fold.see(record)
    if case .buffer(let sample) = record.event { return see(sample, at: record.instant) }
    guard case .player(let observation) = record.event else { return }
    if case .timebase(let rate, _, let hostTime) = observation {
      timebase = (rate, record.instant, hostTime ?? .zero)
    }
    if case .currentItem(true) = observation, let name = record.item {
      setSource(scenario.source(of: name))
    }
    // No buffer sample tells of the first place in a live stream: nothing is loaded yet.
    if case .live(.moved(let time, _)) = observation, loadedEnd.points.last?.media == .zero {
      see(BufferSample(time: time, ahead: .zero, ranges: [], bend: nil), at: record.instant)
    }
    if case .live(.playlistRead(_, let reading)) = observation, reading.isChanged {
      list(to: reading.edge, from: reading.mediaSequence, at: record.instant)
    }
    if forecasts.count < Self.mostDecisions, case .forecast(let late, _) = observation {
      forecasts.append((record.instant, late))
    }
    if let rate = observation.estimate, estimates.count < Self.mostDecisions {
      estimates.append((record.instant, rate))
    }
    if observation.isDecision, decisions.count < Self.mostDecisions { decisions.append(record) }
  }

  private mutating func setSource(_ source: MediaSource) {
    segments = if case .stream(let stream) = source { stream.presentation.lists.first } else { nil }
    nextMap = source.file.flatMap { $0.map.corners.count > 2 ? $0.map : nil }
  }

  /// Goes on to a sample: both lines straight from the one before, unless that names a bend.
  private mutating func see(_ sample: BufferSample, at now: Instant) {
    let before = head(at: now)
    let start = line.start
    if let last = playhead.points.last, last.instant < start.instant, start.instant < now {
      playhead.add(start.media, at: start.instant)
    }
    playhead.add(before, at: now)
    if let bend = sample.bend {
      arrive(head(at: bend.instant) + bend.media, by: bend.instant)
      if bend.instant < now, sample.time == before { arrive(before + sample.ahead, by: now) }
    } else {
      arrive(before + sample.ahead, by: now)
    }
    playhead.add(sample.time, at: now)
    map = nextMap
    let end = sample.time + sample.ahead
    loadedEnd.add(end, at: now)
    buffer.add(sample.ahead, at: now)
    let own = sample.ranges.last { $0.lowerBound <= sample.time && $0.upperBound == end }
    let others = sample.ranges.filter { $0 != own }
    if ranges.last?.start != own?.lowerBound || ranges.last?.others != others {
      ranges.append((now, own?.lowerBound, others))
    }
    if timebase.at == now || sample.time != before || before > start.media {
      line = (Curve.Point(max(now, timebase.hostTime), sample.time), timebase.rate)
    }
  }

  private func head(at instant: Instant) -> MediaTime {
    line.start.media + line.rate.media(in: max(instant, line.start.instant) - line.start.instant)
  }

  /// Draws the loaded end to a point; bytes that arrive evenly bend it at each corner of their map.
  private mutating func arrive(_ end: MediaTime, by instant: Instant) {
    if let map, let last = loadedEnd.points.last, last.instant < instant, last.media < end {
      let (first, bytes) = (map.bytes(before: last.media), map.bytes(before: end))
      var place = map.firstCorner(after: last.media)
      while place < map.corners.count, map.corners[place].time < end, bytes > first {
        let corner = map.corners[place]
        let passed = scaled(
          corner.bytes - first, by: (instant - last.instant).nanoseconds, over: bytes - first,
          rounding: .down)
        draw(corner.time, at: last.instant + TimeSpan(nanoseconds: passed))
        place += 1
      }
    }
    passEdge(before: end, by: instant)
    draw(end, at: instant)
  }

  /// With audio but no video, the loaded end holds until the playhead reaches it, then follows it.
  private mutating func passEdge(before end: MediaTime, by instant: Instant) {
    guard segments != nil, let last = loadedEnd.points.last, last.media < end,
      last.media > line.start.media, head(at: instant) >= end, !line.rate.isZero
    else { return }
    let passed = line.start.instant + line.rate.span(toPlay: last.media - line.start.media)
    if passed > last.instant, passed < instant { draw(last.media, at: passed) }
  }

  private mutating func draw(_ end: MediaTime, at instant: Instant) {
    loadedEnd.add(end, at: instant)
    buffer.add(end - head(at: instant), at: instant)
  }

  /// A playlist lists media up to a new edge, from a segment by its number.
  mutating func list(to edge: MediaTime, from number: Int64, at now: Instant) {
    finish(at: now)
    liveEdge.add(edge, at: now)
    guard let list = segments else { return }
    let first = Int(clamping: number - list.mediaSequence)
    if list.segments.indices.contains(first) { liveStart.add(list.segments[first].start, at: now) }
  }

  /// Holds the ends of the live window up to an instant.
  mutating func finish(at now: Instant) {
    if let last = liveEdge.points.last { liveEdge.add(last.media, at: now) }
    if let last = liveStart.points.last { liveStart.add(last.media, at: now) }
  }
}

extension PlaybackObservation {
  /// The estimate on which a decision stands, in bit/s; nil where there is none.
  fileprivate var estimate: Int64? {
    switch self {
    case .likelyToKeepUp(_, _, _, let rate), .variantSwitchStarted(_, _, _, let rate),
      .variantKept(_, _, let rate), .forecast(_, let rate):
      rate
    case .variantChosen(let choice): choice.bitRate
    case _: nil
    }
  }

  /// Whether it is a verdict with its rule or clause, or a call of the app that changes playback.
  fileprivate var isDecision: Bool {
    switch self {
    case .timeControl, .stalled, .variantChosen, .variantSwitchStarted, .variantKept,
      .segmentAbandoned, .seek,
      .itemFailed, .playedToEnd, .readingSuspended, .live(.moved), .likelyToKeepUp:
      true
    case _: false
    }
  }
}
