import LinkConditioner
import Recording
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// Paths of what has arrived for a player, and of its playhead.
struct ArrivalPaths {
  private(set) var edge = PathText()
  private(set) var playhead = PathText()
  /// Between the two, where nothing arrives by segments.
  private(set) var area = PathText()
  private(set) var slabs = Array(repeating: PathText(), count: 5)
  private(set) var hasSlabs = false
  private(set) var waits = PathText()
  private(set) var bytes = PathText()
  private(set) var crosses = PathText()
  private(set) var liveEdge = PathText()
  private let time: PictureScale
  private let media: PictureScale

  init(
    _ curves: RunCurves, time: PictureScale, media: PictureScale, ladder: VariantShades,
    end: Instant
  ) {
    (self.time, self.media) = (time, media)
    let head = curves.playhead.simplified(within: media.grain * 2)
    let loaded = curves.loadedEnd.simplified(within: media.grain * 2)
    playhead = path(of: head, linksJumps: false)
    edge = path(of: loaded, linksJumps: true)
    liveEdge = path(of: curves.liveEdge, linksJumps: true)
    let segments = curves.requests.filter {
      $0.media != nil && $0.track != .audio && $0.track != .subtitles
    }
    hasSlabs = !segments.isEmpty
    if hasSlabs {
      let played = PlayedMedia(curves.playhead)
      for segment in segments { add(segment, played, ladder, end: end) }
    } else {
      area = filled(loaded, head)
    }
  }

  private func path(of curve: Curve, linksJumps: Bool) -> PathText {
    var path = PathText()
    var last: Instant?
    for point in curve.points {
      let (x, y) = (time.place(point.instant.nanoseconds), media.place(point.media.nanoseconds))
      if last == nil || !linksJumps && last == point.instant {
        path.move(x, y)
      } else {
        path.line(x, y)
      }
      last = point.instant
    }
    return path
  }

  private func filled(_ upper: Curve, _ lower: Curve) -> PathText {
    var path = PathText()
    for (index, point) in (upper.points + lower.points.reversed()).enumerated() {
      let (x, y) = (time.place(point.instant.nanoseconds), media.place(point.media.nanoseconds))
      if index == 0 { path.move(x, y) } else { path.line(x, y) }
    }
    path.close()
    return path
  }

  /// A segment: dotted until its first byte, a line while it arrives, a slab until it is played.
  private mutating func add(
    _ segment: StartupStage, _ played: PlayedMedia, _ ladder: VariantShades, end: Instant
  ) {
    guard let span = segment.media else { return }
    let (low, high) = (
      media.place(span.lowerBound.nanoseconds), media.place(span.upperBound.nanoseconds)
    )
    let over = segment.ended ?? end
    let (begin, arrival) = (time.place(segment.requested.nanoseconds), time.place(over.nanoseconds))
    let first = segment.responded.map { time.place($0.nanoseconds) } ?? arrival
    let y = (low + high) / 2
    waits.move(begin, y)
    waits.line(first, y)
    if first < arrival {
      bytes.move(first, y)
      bytes.line(arrival, y)
    }
    guard segment.outcome == .completed, segment.ended != nil else {
      if segment.outcome != .underWay { crosses.cross(arrival, y, 30) }
      return
    }
    let rank = ladder.shade(of: Int64(segment.variant ?? 0))
    let start = played.instant(of: span.lowerBound, after: over) ?? end
    let finish = played.instant(of: span.upperBound, after: over) ?? end
    slabs[rank].move(arrival, low)
    slabs[rank].line(time.place(start.nanoseconds), low)
    slabs[rank].line(time.place(finish.nanoseconds), high)
    slabs[rank].line(arrival, high)
    slabs[rank].close()
  }
}

/// The instants at which media was played.
private struct PlayedMedia {
  private let points: [Curve.Point]

  init(_ playhead: Curve) {
    points = playhead.points
  }

  /// The first instant, not before another, at which the playhead is at or past a media time.
  func instant(of media: MediaTime, after begin: Instant) -> Instant? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].instant < begin { low = middle + 1 } else { high = middle }
    }
    for index in max(1, low)..<max(1, points.count) where points.count > 1 {
      let (from, to) = (points[index - 1], points[index])
      if to.media < media { continue }
      if from.media >= media { return max(begin, from.instant) }
      let part = scaled(
        (media - from.media).nanoseconds, by: (to.instant - from.instant).nanoseconds,
        over: (to.media - from.media).nanoseconds, rounding: .down)
      return max(begin, from.instant + TimeSpan(nanoseconds: part))
    }
    return nil
  }
}
