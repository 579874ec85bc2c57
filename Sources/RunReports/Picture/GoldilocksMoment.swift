import Autowait
import Recording
package import ScenarioRunner
package import VirtualTime

/// The earliest start from which the media, arriving as it did, would have lasted without a stall.
package struct GoldilocksMoment {
  package let instant: Instant
  /// The place at which the playhead of such a start touches the loaded edge.
  let touch: Curve.Point
  /// The media at which playback starts, and that up to which it was played.
  let (first, last): (MediaTime, MediaTime)
  let rate: PlaybackRate

  /// Nil where playback never began, or went on at another rate: then no single line is its start.
  package init?(_ outcome: RunOutcome) {
    guard let curves = outcome.curves, let began = outcome.startup.began,
      let moving = outcome.panels.first(where: { $0.instant >= began && !$0.timebaseRate.isZero })
    else { return nil }
    let end = Self.firstJump(of: curves.playhead, after: began) ?? outcome.ended
    let rates = outcome.panels.filter { $0.instant >= began && $0.instant < end }
    if rates.contains(where: { !$0.timebaseRate.isZero && $0.timebaseRate != moving.timebaseRate })
    {
      return nil
    }
    let rate = moving.timebaseRate
    let first = curves.playhead.value(at: began)
    let last =
      curves.playhead.points.filter { $0.instant >= began && $0.instant <= end }
      .map { $0.media }.prefix(while: { $0 >= first }).max() ?? first
    if last <= first { return nil }
    var latest: (start: Instant, touch: Curve.Point)?
    func consider(_ point: Curve.Point) {
      let start = point.instant - rate.span(toPlay: point.media - first)
      if latest.map({ start > $0.start }) ?? true { latest = (start, point) }
    }
    let edge = curves.loadedEnd.points
    for (from, to) in zip(edge, edge.dropFirst()) where to.media > from.media && to.instant <= end {
      if to.media <= first || from.media >= last { continue }
      for media in [max(from.media, first), min(to.media, last)] {
        consider(Curve.Point(Self.instant(of: media, from, to), media))
      }
    }
    guard let latest else { return nil }
    (self.rate, self.first, self.last) = (rate, first, last)
    (instant, touch) = (latest.start, latest.touch)
  }

  /// The first instant at which the playhead is moved by something other than time.
  private static func firstJump(of playhead: Curve, after began: Instant) -> Instant? {
    let points = playhead.points
    return zip(points, points.dropFirst()).first { from, to in
      from.instant > began && from.instant == to.instant
    }?.0.instant
  }

  private static func instant(
    of media: MediaTime, _ from: Curve.Point, _ to: Curve.Point
  ) -> Instant {
    let part = scaled(
      (media - from.media).nanoseconds, by: (to.instant - from.instant).nanoseconds,
      over: (to.media - from.media).nanoseconds, rounding: .up)
    return from.instant + TimeSpan(nanoseconds: part)
  }
}
