import ExactText
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// A run as one drawing: media over time with the playhead below what has arrived, and under it
/// the states, the buffer, the link and the requests over the same time.
///
/// The drawing is SVG text. Marks of one kind are one path, so that an hour of segments has as many
/// elements as a minute. An object: every closure of its lanes would copy a value.
package final class RunPicture {
  package enum Size: Sendable {
    case wide
    case narrow

    var width: Int64 { self == .wide ? 9_600 : 3_600 }
    var mediaHeight: Int64 { self == .wide ? 3_000 : 2_400 }
    var lineHeight: Int64 { 520 }
  }

  let scenario: Scenario
  let outcome: RunOutcome
  let curves: RunCurves
  let size: Size
  let time: PictureScale
  let moment: GoldilocksMoment?
  /// The lanes that are drawn so far, and where the next one begins.
  var text = SVGText()
  var top: Int64 = 0
  /// Lines of the time axis, which lie behind everything.
  private var grid = PathText()
  /// The lanes that an outage lies behind.
  var hatched: [(top: Int64, height: Int64)] = []
  /// Scale of the first player's media, which a cursor needs.
  private(set) var media: PictureScale

  static let left: Int64 = 460
  static let right: Int64 = 120

  /// - Precondition: the outcome has curves.
  package init(
    _ scenario: Scenario, _ outcome: RunOutcome, size: Size = .wide, resilience: [Resilience] = []
  ) {
    self.scenario = scenario
    self.outcome = outcome
    curves = outcome.curves ?? RunCurves(of: scenario)
    self.size = size
    time = PictureScale(
      0...max(1, outcome.ended.nanoseconds), from: Self.left, to: size.width - Self.right)
    moment = GoldilocksMoment(outcome)
    media = PictureScale(0...1, from: 0, to: 0)
    top = 20
    if outcome.gaps.contains(.buffer) {
      title("the player, as far as the log tells of it")
      marks()
      if !outcome.gaps.contains(.start) { states(outcome.bands, outcome.player.books.stalls) }
    } else {
      media = mediaLane(curves, "", height: size.mediaHeight, bands: outcome.bands)
    }
    for other in outcome.others.prefix(Self.mostOthers) {
      guard let curves = other.curves else { continue }
      top += 80
      _ = mediaLane(curves, other.name, height: size.mediaHeight / 3, bands: other.bands)
    }
    if outcome.others.count > Self.mostOthers {
      title("and \(counted(Int64(outcome.others.count - Self.mostOthers), "more player"))")
    }
    variantLane()
    if !outcome.gaps.contains(.buffer) { bufferLane() }
    linkLane()
    momentLane(
      "the shortest outage that makes it stall or fail",
      resilience.map { ($0.moment, $0.outage?.nanoseconds) }
    ) { exactSeconds(TimeSpan(nanoseconds: $0)) }
    momentLane(
      "the highest rate of a dip that makes it stall or fail",
      resilience.map { ($0.moment, $0.dip?.roundedDown) }
    ) { shownRate(.bitsPerSecond($0)) }
    requestLane()
    timeAxis()
    legend()
  }

  static let mostOthers = 4

  var plotRight: Int64 { size.width - Self.right }

  package var document: [UInt8] {
    var whole = SVGText()
    whole.write("<svg xmlns=\"http://www.w3.org/2000/svg\"\(frame)")
    whole.write(" role=\"img\" aria-labelledby=\"t d\">\n")
    whole.element("title id=\"t\"", scenario.name)
    let words = RunWords(scenario: scenario, outcome: outcome, moment: moment)
    whole.element("desc id=\"d\"", words.verdict)
    whole.write("<style>\(Self.style)</style>\n")
    whole.write("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n")
    content("p", &whole)
    return whole.bytes
  }

  /// The drawing as a part of a page, which has its style and gives patterns a prefix.
  package func element(prefix: String) -> [UInt8] {
    var whole = SVGText()
    whole.write("<svg class=\"run \(prefix)\"\(frame) aria-hidden=\"true\" focusable=\"false\">\n")
    content(prefix, &whole)
    return whole.bytes
  }

  /// Its size, and where its scales begin and end: in tenths of a pixel, and in nanoseconds.
  private var frame: String {
    " width=\"\(size.width / 10)\" height=\"\(top / 10 + 1)\""
      + " viewBox=\"0 0 \(size.width) \(top + 10)\" data-plot=\"\(time.start) \(time.end)"
      + " \(time.high) \(media.start) \(media.end) \(media.low) \(media.high)\""
  }

  private func content(_ prefix: String, _ whole: inout SVGText) {
    whole.write("<defs>")
    for (name, turn) in [("waiting", 45), ("stalled", -45), ("outage", 45)] {
      whole.write(
        "<pattern id=\"\(prefix)-\(name)\" class=\"of-\(name)\" width=\"60\" height=\"60\""
          + " patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(\(turn))\">"
          + "<rect width=\"60\" height=\"60\"/><path d=\"M0 0V60\"/></pattern>")
    }
    whole.write("</defs>\n<style>")
    for name in ["waiting", "stalled", "outage"] {
      whole.write(".\(prefix) .\(name){fill:url(#\(prefix)-\(name))}")
    }
    whole.write("</style>\n<g class=\"\(prefix)\">\n")
    whole.path("grid", grid)
    whole.path("outage", outages)
    whole.write(text.bytes)
    whole.write("</g>\n</svg>\n")
  }

  private var outages: PathText {
    PathText { path in
      for (start, end) in outageSpans {
        let (x, next) = (time.place(start.nanoseconds), time.place(end.nanoseconds))
        for lane in hatched { path.box(x, lane.top, max(next - x, 5), lane.height) }
      }
    }
  }

  /// Stretches in which nothing gets through, by the schedule, an outage or the script.
  private var outageSpans: [(Instant, Instant)] {
    if let spans = outcome.capacity {
      return spans.filter { $0.rate == 0 }.map { ($0.start, $0.end) }
    }
    return scenario.link.outages.map { ($0.start, min($0.start + $0.duration, outcome.ended)) }
  }

  /// A title, in lines where it is wider than the drawing; bold words are a tenth wider.
  func title(_ words: String) {
    for line in wrapped(words, width: Int((size.width - Self.left) / 68)) {
      text.label("title", line, Self.left, top + 120)
      top += 130
    }
    top += 60
  }

  private func timeAxis() {
    let ticks = time.ticks(every: 700)
    for tick in ticks.values { grid.line(time.place(tick), 20, to: time.place(tick), top) }
    text.write("<g class=\"axis\">\n")
    for tick in ticks.values {
      let words = decimal(tick, of: 9, places: ticks.places) + " s"
      let isLast = time.place(tick) + SVGText.width(of: words) / 2 > size.width
      text.label(
        isLast ? "value" : "tick", words, isLast ? size.width : time.place(tick), top + 140)
    }
    text.write("</g>\n")
    top += 220
  }

  private func legend() {
    var entries = ["paused", "waiting", "playing", "stalled"].map { ($0, $0) }
    if outcome.gaps.contains(.buffer) {
      entries = outcome.gaps.contains(.start) ? [] : entries
    } else if isStream, scenario.sources.allSatisfy({ VariantShades($0).count < 2 }) {
      entries.append(("v3", "arrived"))
    } else if isStream {
      entries += [("v0", "arrived, lowest variant"), ("v4", "highest variant")]
    } else {
      entries.append(("arrived", "arrived"))
    }
    if !outcome.gaps.contains(.buffer) { entries.append(("playhead", "playhead")) }
    if moment != nil { entries.append(("moment", "start that just touches")) }
    if !curves.liveEdge.points.isEmpty { entries.append(("live", "live window")) }
    if !outageSpans.isEmpty { entries.append(("outage", "outage")) }
    text.write("<g class=\"legend\">\n")
    var x = Self.left
    for (kind, words) in entries {
      let width = 260 + SVGText.width(of: words)
      if x > Self.left, x + width > size.width {
        x = Self.left
        top += 190
      }
      if ["playhead", "moment", "live"].contains(kind) {
        text.path(kind, PathText { $0.line(x, top + 90, to: x + 160, top + 90) })
      } else {
        text.box(kind, x, top + 30, 160, 110)
      }
      text.label("key", words, x + 200, top + 125)
      x += width + 80
    }
    text.write("</g>\n")
    top += 200
  }

  var isStream: Bool {
    if case .stream = scenario.item.source { return true }
    return outcome.curves?.requests.contains { $0.variant != nil } ?? false
  }

  /// Colours by role, light and dark; text and marks keep their contrast in both.
  static let style = """
    svg{color-scheme:light dark;--paper:#fff;--ink:#1a1d21;--faint:#59616b;--grid:#e3e6ea;\
    --blue:#1f69a6;--pale:#cfe2f4;--green:#0b6b4b;--play:#178a5e;--gold:#8f6200;--dot:#e3ad17;\
    --red:#b3321a;--rose:#f6cabb;--amber:#8a5a00;--sand:#f5dfae;--grey:#c9ced5;--line:#7d8590;\
    --v0:#d6e6f5;--v1:#a9cbe9;--v2:#78abd9;--v3:#4688c4;--v4:#1f629f}
    @media (prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e9ebee;--faint:#a7afb9;\
    --grid:#2b3138;--blue:#74b5ef;--pale:#1c3b57;--green:#56d39b;--play:#2fa877;--gold:#e9b730;\
    --dot:#ffd45e;--red:#ff8468;--rose:#6b2718;--amber:#e0a83a;--sand:#4d3a10;--grey:#434a53;\
    --line:#8b94a0;--v0:#22405c;--v1:#2d5b85;--v2:#3c79b0;--v3:#5b9ad6;--v4:#8cc1f2}}
    @media print{svg{--paper:#fff;--ink:#000;--faint:#444;--grid:#ddd;--blue:#1f69a6;\
    --pale:#cfe2f4;--green:#0b6b4b;--play:#178a5e;--gold:#8f6200;--dot:#e3ad17;\
    --red:#b3321a;--rose:#f6cabb;\
    --amber:#8a5a00;--sand:#f5dfae;--grey:#c9ced5;--line:#666;\
    --v0:#d6e6f5;--v1:#a9cbe9;--v2:#78abd9;--v3:#4688c4;--v4:#1f629f}}
    svg text{font:110px system-ui,sans-serif;font-variant-numeric:tabular-nums;fill:var(--faint)}
    .legend rect{stroke:var(--line);stroke-width:6}
    svg text.title{font-weight:600;fill:var(--ink)}
    svg text.tick{text-anchor:middle}svg text.value{text-anchor:end}
    svg text.on,svg text.title,svg text.gold{paint-order:stroke;stroke:var(--paper);stroke-width:30}
    svg text.gold{font-weight:600;fill:var(--gold)}svg text.on{fill:var(--ink)}
    svg path{fill:none;stroke-linejoin:round}
    .paper{fill:var(--paper)}.grid{stroke:var(--grid);stroke-width:8}
    .arrived{fill:var(--pale)!important}
    .edge{stroke:var(--blue);stroke-width:14}.playhead{stroke:var(--green);stroke-width:24}
    .still{stroke:var(--red);stroke-width:44}.given{stroke:var(--red);stroke-width:16}
    .moment{stroke:var(--gold);stroke-width:16;stroke-dasharray:60 40}
    .touch{fill:var(--dot);stroke:var(--gold);stroke-width:16}
    .wait{stroke:var(--line);stroke-width:10;stroke-dasharray:12 20}
    .bytes{stroke:var(--blue);stroke-width:14}.live{stroke:var(--faint);stroke-width:12;\
    stroke-dasharray:30 30}
    .paused{fill:var(--grey)!important}.playing{fill:var(--play)!important}
    .frame{stroke:var(--line);stroke-width:8}
    .v0{fill:var(--v0)!important}.v1{fill:var(--v1)!important}.v2{fill:var(--v2)!important}
    .v3{fill:var(--v3)!important}.v4{fill:var(--v4)!important}
    path.v0,path.v1,path.v2,path.v3,path.v4{stroke:var(--paper);stroke-width:6}
    .buffer{fill:var(--pale)!important;stroke:var(--blue);stroke-width:12}
    .capacity{fill:var(--grid)!important;stroke:var(--line);stroke-width:8}
    .achieved{stroke:var(--blue);stroke-width:30}
    .estimated{stroke:var(--ink);stroke-width:12;stroke-dasharray:40 30}
    .tap{fill:var(--ink)!important}
    .request{fill:var(--blue)!important}.other{fill:var(--faint)!important}
    .audio{fill:var(--play)!important}.cursor{stroke:var(--ink);stroke-width:12}
    .whatif{stroke:var(--ink);stroke-width:14;stroke-dasharray:50 40}
    .missing{fill:var(--rose)!important;fill-opacity:.8}
    .of-waiting rect{fill:var(--sand)}.of-waiting path{stroke:var(--amber);stroke-width:36}
    .of-stalled rect{fill:var(--rose)}.of-stalled path{stroke:var(--red);stroke-width:44}
    .of-outage rect{fill:none}.of-outage path{stroke:var(--line);stroke-width:14}

    """
}
