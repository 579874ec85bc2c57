import Autowait
import ExactText
import Recording
import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
package import VirtualTime

/// Paths of what has arrived for a player, and of its playhead.
struct ArrivalPaths {
  private(set) var edge = PathText()
  private(set) var playhead = PathText()
  /// Between the two, where nothing arrives by segments.
  private(set) var area = PathText()
  private(set) var slabs = Array(repeating: PathText(), count: 5)
  private(set) var waits = PathText()
  private(set) var bytes = PathText()
  private(set) var crosses = PathText()
  private(set) var (liveEdge, liveStart) = (PathText(), PathText())
  private let time: PictureScale
  private let media: PictureScale
  /// The items in the order in which they became current; empty where they have no names.
  private let items: [(start: Instant, name: String)]
  private let ended: Instant

  init(
    _ curves: RunCurves, of scenario: Scenario, time: PictureScale, media: PictureScale,
    items: [(start: Instant, name: String)], end: Instant
  ) {
    (self.time, self.media, self.items, ended) = (time, media, items, end)
    let head = curves.playhead.simplified(within: media.grain)
    let loaded = curves.loadedEnd.simplified(within: media.grain)
    playhead = path(of: head.points, linksJumps: false)
    edge = path(of: loaded.points, linksJumps: true)
    liveEdge = path(of: curves.liveEdge.points, linksJumps: true)
    liveStart = path(of: curves.liveStart.points, linksJumps: true)
    let segments = curves.requests.filter {
      $0.media != nil && $0.track != .audio && $0.track != .subtitles
    }
    for segment in segments { add(segment, curves.playhead, scenario) }
    if segments.isEmpty {
      area = path(of: loaded.points + head.points.reversed(), linksJumps: true)
      area.close()
    }
  }

  private func path(of points: [Curve.Point], linksJumps: Bool) -> PathText {
    var last: Instant?
    return PathText { path in
      for point in points {
        let (x, y) = (time.place(point.instant.nanoseconds), media.place(point.media.nanoseconds))
        if last == nil || !linksJumps && last == point.instant {
          path.move(x, y)
        } else {
          path.line(x, y)
        }
        last = point.instant
      }
    }
  }

  /// The time in which the item of a request is the current one; nil if it never is.
  private func stay(of segment: StartupStage) -> Range<Instant>? {
    guard let item = segment.item, !items.isEmpty else { return .zero..<ended }
    for (place, other) in items.enumerated() where isSameText(other.name, item) {
      let end = place + 1 < items.count ? items[place + 1].start : ended
      if end >= segment.requested { return other.start..<max(other.start, end) }
    }
    return nil
  }

  /// A segment: dotted until its first byte, a line while it arrives, a slab until it is played.
  private mutating func add(_ segment: StartupStage, _ played: Curve, _ scenario: Scenario) {
    guard let span = segment.media, let stay = stay(of: segment) else { return }
    let end = stay.upperBound
    let (low, high) = (
      media.place(span.lowerBound.nanoseconds), media.place(span.upperBound.nanoseconds)
    )
    // A segment loaded before its item becomes current is drawn from the start of that item.
    let over = max(segment.ended ?? end, stay.lowerBound)
    let begin = time.place(max(segment.requested, stay.lowerBound).nanoseconds)
    let arrival = time.place(over.nanoseconds)
    let first = segment.responded.map { max(begin, time.place($0.nanoseconds)) } ?? arrival
    let y = (low + high) / 2
    waits.line(begin, y, to: first, y)
    if first < arrival { bytes.line(first, y, to: arrival, y) }
    guard segment.outcome == .completed, segment.ended != nil else {
      if segment.outcome != .underWay { crosses.cross(arrival, y, 30) }
      return
    }
    let ladder = VariantShades(scenario.source(of: segment.item))
    let rank = ladder.shade(of: Int64(segment.variant ?? 0))
    let start = min(end, played.instant(of: span.lowerBound, after: over) ?? end)
    let finish = min(end, played.instant(of: span.upperBound, after: over) ?? end)
    slabs[rank].move(arrival, low)
    slabs[rank].line(time.place(start.nanoseconds), low)
    // The run may end while the segment plays.
    if finish == end {
      let left = media.place(played.value(at: end - .nanoseconds(1)).nanoseconds)
      slabs[rank].line(time.place(end.nanoseconds), min(low, max(high, left)))
    }
    slabs[rank].line(time.place(finish.nanoseconds), high)
    slabs[rank].line(arrival, high)
    slabs[rank].close()
  }
}

extension Curve {
  /// The first instant, not before another, at which a playhead is at or past a media time.
  fileprivate func instant(of media: MediaTime, after begin: Instant) -> Instant? {
    let low = points.partitionPoint { $0.instant > begin }
    for index in max(1, low)..<max(1, points.count) where points.count > 1 {
      let (from, to) = (points[index - 1], points[index])
      if to.media < media { continue }
      if from.media >= media { return max(begin, from.instant) }
      return max(begin, from.instant(of: media, towards: to, rounding: .down))
    }
    return nil
  }
}

/// The earliest start from which the media, arriving as it did, would have lasted without a stall.
package struct GoldilocksMoment {
  package let instant: Instant
  /// The earliest start that also leaves time to fill the pipeline.
  package let start: Instant
  /// The place at which the playhead of such a start touches the loaded edge.
  let touch: Curve.Point
  /// The media at which playback starts, and that up to which it was played.
  let (first, last): (MediaTime, MediaTime)
  let rate: PlaybackRate

  /// Nil where playback never began, no single line is its start (another rate, a pause, a
  /// suspension, a live edge), or none would have lasted: it stalls for good, or after a jump.
  package init?(_ outcome: RunOutcome) {
    guard let curves = outcome.curves, curves.liveEdge.points.isEmpty,
      !outcome.gaps.contains(.buffer), let began = outcome.startup.began,
      let moving = outcome.panels.first(where: { $0.instant >= began && !$0.timebaseRate.isZero })
    else { return nil }
    // The playhead jumps where something other than time moves it.
    let playhead = curves.playhead.points
    let moved =
      zip(playhead, playhead.dropFirst()).first { from, to in
        from.instant > began && from.instant == to.instant
      }?.0.instant ?? outcome.ended
    let later = outcome.bands.filter { $0.start >= began && $0.start < moved }
    let end = later.first { $0.control == .paused }?.start ?? moved
    if later.contains(where: { $0.start > end && $0.control == .playing }) { return nil }
    let stalls = outcome.player.books.stalls
    if stalls.contains(where: { $0.end ?? .distantFuture >= end }) { return nil }
    let rate = moving.timebaseRate
    let panels = outcome.panels.filter { $0.instant < end }
    guard let granted = Self.granted(panels, before: began, rate) else { return nil }
    let first = curves.playhead.value(at: began)
    // Until the horizon such a start would have played to the loaded edge.
    let isCut = outcome.end == .horizon && end == outcome.ended
    let reached = isCut ? curves.loadedEnd.points : playhead
    let last =
      reached.filter { $0.instant >= began && $0.instant <= end }
      .map { $0.media }.prefix(while: { $0 >= first }).max() ?? first
    if last <= first { return nil }
    var latest: (start: Instant, touch: Curve.Point)?
    if isCut, curves.requests.contains(where: { $0.ended == nil }) {
      latest = (end - rate.span(toPlay: last - first), Curve.Point(end, last))
    }
    let edge = curves.loadedEnd.points
    for (from, to) in zip(edge, edge.dropFirst()) where to.media > from.media {
      if to.media <= first || from.media >= last || from.instant >= end { continue }
      for media in [max(from.media, first), min(to.media, last)] {
        let point = Curve.Point(from.instant(of: media, towards: to, rounding: .up), media)
        let start = point.instant - rate.span(toPlay: point.media - first)
        if latest.map({ start > $0.start }) ?? true { latest = (start, point) }
      }
    }
    guard let latest else { return nil }
    (self.rate, self.first, self.last) = (rate, first, last)
    (instant, touch) = (latest.start, latest.touch)
    let filled = panels.last { $0.instant < began && $0.isPlaybackBufferEmpty }?.instant ?? .zero
    let arrived = panels.first { $0.instant > filled }?.instant ?? instant
    start = max(instant, arrived + (began - granted))
  }

  /// Instant from which only the pipeline delays the start; nil if suspended or at another rate.
  private static func granted(
    _ panels: [Panel], before began: Instant, _ rate: PlaybackRate
  ) -> Instant? {
    var granted = began
    for panel in panels {
      if Suspension.allCases.contains(where: { $0.reason == panel.control.reason }) { return nil }
      if panel.instant < began {
        granted = panel.control == .playing ? min(granted, panel.instant) : began
      } else if !panel.timebaseRate.isZero, panel.timebaseRate != rate {
        return nil
      }
    }
    return granted
  }
}

extension Curve.Point {
  /// The instant at which a line to a later point reaches a media time.
  fileprivate func instant(
    of media: MediaTime, towards end: Curve.Point, rounding: Rounding
  ) -> Instant {
    let part = scaled(
      (media - self.media).nanoseconds, by: (end.instant - instant).nanoseconds,
      over: (end.media - self.media).nanoseconds, rounding: rounding)
    return instant + TimeSpan(nanoseconds: part)
  }
}
