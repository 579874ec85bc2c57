import Autowait
import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension RunPicture {
  /// Draws arrivals, playhead and states of a player; returns the scale of its media.
  func mediaLane(
    _ curves: RunCurves, _ name: String, height: Int64, bands: [StateBand]
  ) -> PictureScale {
    let isFirst = name.isEmpty
    title((isFirst ? "" : name + ": ") + "seconds of media: arrived, and the playhead")
    let scale = PictureScale(Self.range(of: curves), from: top + height, to: top)
    if isFirst { hatched.append((top, height)) }
    mediaAxis(scale)
    let arrivals = ArrivalPaths(
      curves, of: scenario.others.first { $0.name == name }?.scenario ?? scenario, time: time,
      media: scale, items: isFirst ? outcome.story.items : [], end: outcome.ended)
    for (rank, path) in arrivals.slabs.enumerated() { text.path("v\(rank)", path) }
    text.path("arrived", arrivals.area)
    text.path("wait", arrivals.waits)
    text.path("bytes", arrivals.bytes)
    text.path("live", arrivals.liveStart)
    text.path("live", arrivals.liveEdge)
    text.path(isFirst ? "edge" : "edge other-edge", arrivals.edge)
    if isFirst { momentLine(scale) }
    text.path(isFirst ? "playhead" : "playhead other-playhead", arrivals.playhead)
    let other = outcome.others.first { $0.name == name }
    let stalls = (isFirst ? outcome.player : other?.player)?.books.stalls ?? []
    text.path("still", stillness(stalls, scale))
    text.path("given", arrivals.crosses)
    if isFirst { itemNames(scale) }
    top += height
    if isFirst {
      momentLabel()
      marks()
    } else {
      top += 60
    }
    states(bands, stalls)
    return scale
  }

  /// Media from the least to the most that playhead, loaded edge or live edge reach.
  private static func range(of curves: RunCurves) -> ClosedRange<Int64> {
    let isLive = !curves.liveEdge.points.isEmpty
    var (low, high) = (isLive ? Int64.max : 0, Int64(1_000_000))
    for curve in [curves.playhead, curves.loadedEnd, curves.liveEdge] {
      for point in isLive ? placed(curve.points) : curve.points[...] {
        low = min(low, point.media.nanoseconds)
        high = max(high, point.media.nanoseconds)
      }
    }
    return min(low, high)...high
  }

  /// Without the time before a live item is placed, when its playhead stands at zero.
  private static func placed(_ points: [Curve.Point]) -> ArraySlice<Curve.Point> {
    let rest = points.drop { $0.media == .zero }
    guard let first = rest.first, rest.startIndex > 0 else { return rest }
    return points[rest.startIndex - 1].instant == first.instant ? rest : points[...]
  }

  private func mediaAxis(_ scale: PictureScale) {
    let ticks = scale.ticks(every: 500)
    let grid = PathText { path in
      for tick in ticks.values {
        path.line(Self.left, scale.place(tick), to: plotRight, scale.place(tick))
      }
    }
    text.path("grid", grid)
    for tick in ticks.values {
      text.label(
        "value", decimal(tick, of: 9, places: ticks.places), Self.left - 60, scale.place(tick) + 40)
    }
  }

  /// A flat red playhead for each stall.
  private func stillness(_ stalls: [PlayerBooks.Stall], _ scale: PictureScale) -> PathText {
    PathText { path in
      for stall in stalls {
        let y = scale.place(stall.place.nanoseconds)
        let x = time.place(stall.start.nanoseconds)
        path.line(x, y, to: max(x + 10, time.place((stall.end ?? outcome.ended).nanoseconds)), y)
      }
    }
  }

  private func momentLine(_ scale: PictureScale) {
    guard let moment, moment.instant >= .zero else { return }
    let (x, y) = (time.place(moment.instant.nanoseconds), scale.place(moment.first.nanoseconds))
    let touchX = time.place(moment.touch.instant.nanoseconds)
    let touchY = scale.place(moment.touch.media.nanoseconds)
    text.path("moment", PathText { $0.line(x, y, to: touchX, touchY) })
    text.write("<circle class=\"touch\" cx=\"\(touchX)\" cy=\"\(touchY)\" r=\"50\"/>\n")
  }

  private func momentLabel() {
    guard let moment, moment.instant >= .zero else { return top += 30 }
    let x = time.place(moment.instant.nanoseconds)
    text.path("touch", PathText { $0.box(x - 10, top - 50, 20, 100) })
    let words = "the Goldilocks moment, " + exactSeconds(moment.instant)
    let last = size.width - SVGText.width(of: words) * 11 / 10
    text.label("gold", words, max(0, min(x + 40, last)), top + 130)
    top += 150
  }

  /// Names of items, where each becomes current.
  private func itemNames(_ scale: PictureScale) {
    var free = Int64.min
    for item in outcome.story.items {
      let x = time.place(item.start.nanoseconds) + 30
      if x < free || x + SVGText.width(of: item.name) > size.width { continue }
      text.label("on", item.name, x, scale.end + 130)
      free = x + SVGText.width(of: item.name) + 60
    }
  }

  /// The steps of the app: a triangle each, and its name where there is room.
  func marks() {
    var triangles = PathText()
    var rows: [Int64] = [0]
    var labels: [(words: String, x: Int64, row: Int)] = []
    let done = outcome.stepsDone(of: scenario.script)
    if done.isEmpty { return top += 40 }
    let places = done.map { time.place($0.instant.nanoseconds) }
    for (x, (step, _)) in zip(places, done) {
      triangles.move(x - 40, top + 20)
      triangles.line(x + 40, top + 20)
      triangles.line(x, top + 90)
      triangles.close()
      let words = shortened(shown(step.name), to: 28)
      let start = min(x + 60, size.width - SVGText.width(of: words) - 20)
      let end = start + SVGText.width(of: words)
      // The triangles lie in the first row.
      let isCrossed = places.contains { $0 + 40 > start && $0 - 40 < end }
      let row = rows.indices.first { rows[$0] < start && !($0 == 0 && isCrossed) } ?? rows.count
      if row >= 3 { continue }
      if row == rows.count { rows.append(0) }
      rows[row] = end + 60
      labels.append((words, start, row))
    }
    text.path("tap", triangles)
    for label in labels {
      text.label("on", label.words, label.x, top + 100 + Int64(label.row) * 130)
    }
    top += 140 + Int64(max(0, rows.count - 1)) * 130
  }

  func states(_ bands: [StateBand], _ stalls: [PlayerBooks.Stall]) {
    var paths: [(kind: String, path: PathText)] = ["paused", "waiting", "playing", "stalled"].map {
      ($0, PathText())
    }
    func add(_ kind: Int, _ start: Instant, _ end: Instant) {
      let x = time.place(start.nanoseconds)
      paths[kind].path.box(x, top, max(time.place(end.nanoseconds) - x, kind == 2 ? 0 : 10), 170)
    }
    for band in bands {
      switch band.control {
      case .paused: add(0, band.start, band.end)
      case .waiting, .awaitingMedia: add(1, band.start, band.end)
      case .playing: add(2, band.start, band.end)
      }
    }
    for stall in stalls { add(3, stall.start, stall.end ?? outcome.ended) }
    for (kind, path) in paths { text.path(kind, path) }
    text.path("frame", framed(170))
    top += 250
  }

  private func framed(_ height: Int64) -> PathText {
    PathText { $0.box(Self.left, top, plotRight - Self.left, height) }
  }

  /// The variant under the playhead, with its bit rate where there is room.
  func variantLane() {
    let uses = outcome.shownVariants
    let ladders = uses.map { VariantShades($0.source ?? scenario.item.source) }
    guard ladders.contains(where: { $0.count > 1 }) else { return }
    title("variant under the playhead")
    var paths = Array(repeating: PathText(), count: 5)
    var labels: [(String, Int64)] = []
    for (index, use) in uses.enumerated() {
      let x = time.place(use.start.nanoseconds)
      let end = index + 1 < uses.count ? uses[index + 1].start : outcome.ended
      let width = time.place(end.nanoseconds) - x
      paths[ladders[index].shade(of: use.variant)].box(x, top, width, 90)
      let name = ladders[index].name(of: use.variant)
      if SVGText.width(of: name) < width { labels.append((name, x)) }
    }
    for (shade, path) in paths.enumerated() { text.path("v\(shade)", path) }
    text.path("frame", framed(90))
    for (name, x) in labels { text.label("on", name, x, top + 210) }
    top += labels.isEmpty ? 130 : 260
  }

  func bufferLane() {
    let levels = curves.buffer
    let most = levels.points.reduce(0) { max($0, $1.media.nanoseconds) }
    title("forward buffer, at most " + exactSeconds(most))
    let scale = PictureScale(0...most, from: top + size.lineHeight, to: top)
    var path = PathText()
    path.move(Self.left, top + size.lineHeight)
    for level in levels.simplified(within: scale.grain / 2).points {
      path.line(time.place(level.instant.nanoseconds), scale.place(level.media.nanoseconds))
    }
    path.line(time.place(outcome.ended.nanoseconds), top + size.lineHeight)
    path.close()
    text.path("buffer", path)
    top += size.lineHeight + 70
  }

  /// A step for each moment, as long as the distance of moments; none where there is no value.
  func momentLane(
    _ words: String, _ values: [(moment: Instant, value: Int64?)], _ shown: (Int64) -> String
  ) {
    if values.isEmpty { return }
    guard let most = values.compactMap({ $0.value }).max() else {
      title(words + ": none does")
      return top += 40
    }
    title("\(words), at most \(shown(most))")
    let scale = PictureScale(0...max(1, most), from: top + size.lineHeight, to: top)
    let gaps = zip(values, values.dropFirst()).map { $1.moment - $0.moment }
    let distance = gaps.min() ?? .seconds(1)
    let path = PathText { path in
      for case (let moment, let value?) in values {
        let (x, y) = (time.place(moment.nanoseconds), scale.place(value))
        path.line(x, y, to: max(x + 8, time.place((moment + distance).nanoseconds)), y)
      }
    }
    text.path("achieved", path)
    text.path("frame", framed(size.lineHeight))
    top += size.lineHeight + 70
  }

  func linkLane() {
    let spans = outcome.capacity
    let rates = Self.throughput(of: curves.requests)
    var most = (spans ?? []).reduce(0) { max($0, $1.rate ?? 0) }
    let isUnlimited = spans?.contains { $0.rate == nil } == true
    let limit = "at most \(shownRate(.bitsPerSecond(most)))"
    let words = isUnlimited ? "unlimited" + (most > 0 ? ", or " + limit : "") : limit
    if most == 0 { most = rates.reduce(1) { max($0, $1.rate) } }
    let name = spans == nil ? "its rate over time is not known" : words
    let marks = size == .wide || curves.estimates.isEmpty ? "; bars: each request" : ""
    title("link: \(name)\(marks)\(curves.estimates.isEmpty ? "" : "; dashed: as estimated")")
    hatched.append((top, size.lineHeight))
    let scale = PictureScale(0...most, from: top + size.lineHeight, to: top)
    if let spans { text.path("capacity", capacityPath(coarsened(spans), scale)) }
    var bars = PathText()
    for bar in rates {
      let (x, y) = (time.place(bar.start), scale.place(min(bar.rate, most)))
      bars.line(x, y, to: max(x + 8, time.place(bar.end)), y)
    }
    text.path("achieved", bars)
    var belief = PathText()
    for (place, estimate) in curves.estimates.enumerated() {
      let y = scale.place(min(estimate.rate, most))
      let x = time.place(estimate.instant.nanoseconds)
      if place == 0 { belief.move(x, y) } else { belief.line(x, y) }
      let isLast = place + 1 == curves.estimates.count
      let next = isLast ? outcome.ended : curves.estimates[place + 1].instant
      belief.line(time.place(next.nanoseconds), y)
    }
    text.path("estimated", belief)
    text.path("frame", framed(size.lineHeight))
    top += size.lineHeight + 70
  }

  /// Means of equal stretches, where the link has more rates than the picture has columns.
  private func coarsened(_ spans: [CapacitySpan]) -> [CapacitySpan] {
    let count = size.width / 5
    if spans.count <= Int(count) { return spans }
    let edges = (0...count).map {
      Instant(nanoseconds: scaled(outcome.ended.nanoseconds, by: $0, over: count, rounding: .down))
    }
    return zip(edges, edges.dropFirst()).map { start, end in
      CapacitySpan(start: start, end: end, rate: spans.mean(from: start, to: end))
    }
  }

  private func capacityPath(_ spans: [CapacitySpan], _ scale: PictureScale) -> PathText {
    PathText { path in
      path.move(Self.left, scale.start)
      for span in spans {
        let y = span.rate.map { scale.place($0) } ?? scale.end
        path.line(time.place(span.start.nanoseconds), y)
        path.line(time.place(span.end.nanoseconds), y)
      }
      path.line(plotRight, scale.start)
      path.close()
    }
  }

  /// Bits per second of each request that brought bytes, from its first byte to its end.
  private static func throughput(
    of requests: [StartupStage]
  ) -> [(start: Int64, end: Int64, rate: Int64)] {
    requests.compactMap { request in
      guard let start = request.responded?.nanoseconds, let end = request.ended?.nanoseconds,
        let bytes = request.received, bytes > 0, end > start
      else { return nil }
      return (start, end, Int64(clamping: Int128(bytes) * 8_000_000_000 / Int128(end - start)))
    }
  }

  /// A bar for each request, in as few rows as keep them apart.
  func requestLane() {
    let others = outcome.others.prefix(Self.mostOthers).flatMap { $0.curves?.requests ?? [] }
    let all = curves.requests.map { ($0, $0.lane) } + others.map { ($0, 2) }
    if all.isEmpty { return }
    let requests = all.enumerated().sorted {
      ($0.element.0.requested, $0.offset) < ($1.element.0.requested, $1.offset)
    }
    var words = "requests: thin until the first byte"
    if size == .wide {
      if all.contains(where: { $0.1 == 1 }) { words += "; green: audio and subtitles" }
      if all.contains(where: { $0.1 == 2 }) { words += "; grey: playlists, keys, other players" }
    }
    title(words)
    var (waits, crosses) = (PathText(), PathText())
    var bars = ["request", "audio", "other"].map { (kind: $0, path: PathText()) }
    var rows: [Int64] = []
    for (_, (request, lane)) in requests {
      let end = request.ended ?? outcome.ended
      let (x, next) = (time.place(request.requested.nanoseconds), time.place(end.nanoseconds))
      var row = rows.firstIndex { $0 <= x } ?? rows.count
      if row == Self.mostRows { row = rows.indices.min { rows[$0] < rows[$1] } ?? 0 }
      if row == rows.count { rows.append(0) }
      rows[row] = max(rows[row], next + 20)
      let y = top + Int64(row) * 70
      let first = request.responded.map { time.place($0.nanoseconds) } ?? next
      waits.line(x, y + 25, to: max(first, x + 5), y + 25)
      bars[lane].path.box(first, y, max(next - first, request.responded == nil ? 0 : 8), 50)
      if request.outcome == .cancelled || request.outcome == .failed {
        crosses.cross(next, y + 25, 30)
      }
    }
    text.path("bytes", waits)
    for (kind, path) in bars { text.path(kind, path) }
    text.path("given", crosses)
    top += Int64(rows.count) * 70 + 60
  }

  private static let mostRows = 12
}

extension StartupStage {
  /// Video and files, audio, or everything else.
  fileprivate var lane: Int {
    guard resource == nil || resource == .mediaSegment else { return 2 }
    switch track {
    case .audio?, .subtitles?: return 1
    case .main?, nil: return 0
    }
  }
}

/// The variants of a stream by bit rate, from the lightest shade to the darkest.
struct VariantShades {
  private let rates: [Int64]

  init(_ source: MediaSource) {
    rates = source.stream?.presentation.variants.map { $0.attributes.bandwidth } ?? []
  }

  var count: Int { rates.count }

  func shade(of variant: Int64) -> Int {
    let place = Int(variant)
    guard rates.indices.contains(place), count > 1 else { return 3 }
    let rank = rates.indices.count { (rates[$0], $0) < (rates[place], place) }
    return rank * 4 / (count - 1)
  }

  /// The words "up " or "down " for a switch; empty where a bit rate is not known.
  func direction(from old: Int64, to new: Int64) -> String {
    guard rates.indices.contains(Int(old)), rates.indices.contains(Int(new)) else { return "" }
    return (rates[Int(old)], old) < (rates[Int(new)], new) ? "up " : "down "
  }

  /// The place of a variant in the playlist, and its bit rate.
  func place(of variant: Int64) -> String {
    "variant \(variant)" + (rates.indices.contains(Int(variant)) ? " of \(name(of: variant))" : "")
  }

  func name(of variant: Int64) -> String {
    guard rates.indices.contains(Int(variant)) else { return "variant \(variant)" }
    return shownRate(.bitsPerSecond(rates[Int(variant)]))
  }
}
