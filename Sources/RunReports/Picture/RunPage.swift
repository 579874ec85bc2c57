import Autowait
import ExactText
import LinkConditioner
import PlayerPolicies
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// The texts of a page that are not written in Swift.
package struct PageTexts: Sendable {
  package var style: [UInt8]
  package var script: [UInt8]
  /// The WebAssembly module that answers in the page, and the worker that runs it.
  package var engine: (worker: [UInt8], module: [UInt8])?

  package init(style: [UInt8], script: [UInt8], engine: (worker: [UInt8], module: [UInt8])? = nil) {
    (self.style, self.script, self.engine) = (style, script, engine)
  }

  /// A page around a body, which loads nothing and runs no script but its own.
  func page(titled title: String, _ body: [UInt8]) -> [UInt8] {
    var page = SVGText()
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(Self.hash(of: script))'"
      + (engine == nil ? "" : " blob: 'wasm-unsafe-eval'; worker-src blob:")
    page.write(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n")
    page.element("title", title)
    page.write("<style>\n\(RunPicture.style)")
    page.write(style)
    page.write("</style>\n</head>\n<body>\n<main>\n")
    page.write(body)
    page.write("</main>\n")
    if let engine {
      page.script("type=\"text/plain\" id=\"worker\"", base64(engine.worker))
      page.script("type=\"application/wasm\" id=\"engine\"", base85(engine.module))
    }
    page.write("<script>")
    page.write(script)
    page.write("</script>\n</body>\n</html>\n")
    return page.bytes
  }

  /// The hash by which a policy names an inline script.
  private static func hash(of script: [UInt8]) -> String {
    var sum = SHA256()
    sum.update(script[...])
    let digits = Array(sum.finish().utf8).map { $0 > 0x39 ? $0 - 0x57 : $0 - 0x30 }
    let raw = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return String(decoding: base64(raw), as: UTF8.self)
  }
}

/// Runs as one HTML file that asks for nothing outside itself and can be read without JavaScript.
package struct RunPage: Sendable {
  private typealias Section = (
    number: Int, isFailed: Bool, name: String, bytes: [UInt8], question: [UInt8]
  )

  private var sections: [Section] = []

  package init() {}

  package var isEmpty: Bool { sections.isEmpty }

  /// - Parameters:
  ///   - name: Its heading, where the scenario's name is not enough.
  ///   - problems: Expectations and limits that failed, in words.
  ///   - remark: Facts that the run lacks, where it was read from a trace.
  ///   - isRunnable: Whether the engine in a page can run it as it was run.
  ///   - resilience: What makes it stall or fail at moments of the run.
  package mutating func add(
    _ scenario: Scenario, _ outcome: RunOutcome, name: String? = nil, policy: String,
    problems: [String] = [], remark: String = "", isRunnable: Bool = true,
    resilience: [Resilience] = []
  ) {
    let number = sections.count + 1
    let section = RunSection(
      scenario: scenario, outcome: outcome, name: name, policy: policy, problems: problems,
      remark: remark, resilience: resilience, number: number)
    let document = isRunnable ? section.question : []
    sections.append((number, !problems.isEmpty, name ?? scenario.name, section.bytes, document))
  }

  /// The whole file, failed runs first.
  package func bytes(_ files: PageTexts) -> [UInt8] {
    let ordered = sections.filter { $0.isFailed } + sections.filter { !$0.isFailed }
    var title = ordered.first?.name ?? "Goldilocks"
    if ordered.count > 1 { title += " and \(ordered.count - 1) more" }
    var body = SVGText()
    if ordered.count > 1 {
      let failed = ordered.count { $0.isFailed }
      body.write("<nav aria-label=\"Runs\"><h1>\(counted(Int64(ordered.count), "run"))")
      if failed > 0 { body.write(", \(failed) failed") }
      body.write("</h1><ol>\n")
      for run in ordered {
        body.write("<li>")
        body.element("a href=\"#run-\(run.number)\"", run.name, end: "")
        body.write("\(run.isFailed ? " <strong class=\"failed\">failed</strong>" : "")</li>\n")
      }
      body.write("</ol></nav>\n")
    } else {
      body.write("<h1>A run of Goldilocks</h1>\n")
    }
    for section in ordered {
      body.write(section.bytes)
      if files.engine != nil, !section.question.isEmpty {
        body.script("type=\"application/json\" class=\"question\"", section.question)
      }
    }
    return files.page(titled: title, body.bytes)
  }
}

func base64(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for place in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[place..<min(place + 3, bytes.count)]
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for index in 0..<4 {
      let digit = digits[Int(bits >> UInt32(18 - 6 * index)) & 63]
      text.append(index <= group.count ? digit : UInt8(ascii: "="))
    }
  }
  return text
}

/// Base 85: five letters for four bytes, "#" to "y" without "<" and "\\", to fit script elements.
func base85(_ bytes: [UInt8]) -> [UInt8] {
  let letters = (UInt8(ascii: "#")...UInt8(ascii: "y")).filter { $0 != 0x3C && $0 != 0x5C }
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 3) / 4 * 5)
  for place in stride(from: 0, to: bytes.count, by: 4) {
    let group = bytes[place..<min(place + 4, bytes.count)]
    var rest = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (4 - group.count))
    var part: [UInt8] = []
    for _ in 0..<5 {
      part.append(letters[Int(rest % 85)])
      rest /= 85
    }
    text += part.reversed().prefix(group.count + 1)
  }
  return text
}

/// A run of a page: verdict, figures, picture, panel, decisions, and the data for a cursor.
struct RunSection {
  let scenario: Scenario
  let outcome: RunOutcome
  var name: String?
  let policy: String
  let problems: [String]
  var remark = ""
  var resilience: [Resilience] = []
  let number: Int
  var sizes = [RunPicture.Size.wide, .narrow]

  var bytes: [UInt8] {
    let moment = GoldilocksMoment(outcome)
    let words = RunWords(scenario: scenario, outcome: outcome, moment: moment)
    var text = SVGText()
    text.write("<section class=\"run\" id=\"run-\(number)\">\n")
    text.element("h2", name ?? scenario.name)
    if !scenario.about.isEmpty { text.element("p class=\"about\"", scenario.about) }
    if !remark.isEmpty { text.element("p class=\"about\"", remark) }
    for problem in problems { text.element("p class=\"problem\"", "Failed: " + problem) }
    text.write("<div class=\"head\">\n")
    text.element("p class=\"verdict\"", words.verdict)
    text.write("<dl class=\"figures\">\n")
    for figure in words.figures {
      text.write(
        "<div><dt>\(figure.name)</dt><dd class=\"of-\(figure.name.prefix { $0 != " " })\">")
      text.write("\(figure.value)</dd></div>\n")
    }
    text.write("</dl>\n</div>\n<div class=\"stage\">\n<figure class=\"picture\">\n")
    for size in sizes {
      let prefix = "\(size == .wide ? "w" : "n")\(number)"
      let picture = RunPicture(scenario, outcome, size: size, resilience: resilience)
      text.write(picture.element(prefix: prefix))
    }
    text.write("<figcaption class=\"hint\" hidden></figcaption>\n</figure>\n<aside>\n")
    panel(&text)
    text.write("</aside>\n</div>\n")
    decisions(words, &text)
    facts(&text)
    text.script("type=\"application/json\" class=\"data\"", inert(words.data))
    text.write("</section>\n")
    return text.bytes
  }

  /// The scenario with its files, as the engine in a page is asked to run it.
  var question: [UInt8] {
    var rate: JSONTree?
    if case .limited(let bits) = scenario.link.conditions.downlink.bandwidth {
      rate = .whole(bits.roundedDown)
    }
    return inert([
      "number": .whole(number), "bandwidth": rate,
      "delay": .whole(scenario.link.conditions.downlink.delay.nanoseconds),
      "policies": .list(PolicyPreset.all) { .string($0.name) },
      "files": .members(scenario.files.map { ($0.path, .string($0.text)) }),
      "scenario": JSONTree(scenario.document).without("$schema"),
    ])
  }

  /// The nine properties when playback begins, or at the end where it never does.
  private func panel(_ text: inout SVGText) {
    let began = outcome.startup.began
    let panel = outcome.panels.last { $0.instant <= began ?? .distantFuture }
    guard let panel, !outcome.gaps.contains(.start) else { return }
    let at = began == nil ? "At the end" : "When playback begins, \(exactSeconds(panel.instant))"
    text.write(
      "<div class=\"now\"><h3 class=\"at\">\(at)</h3>\n<p class=\"why\"></p>\n"
        + "<p class=\"whatif-words\"></p>\n<table class=\"panel\"><tbody>\n")
    for field in panel.fields(lacking: outcome.gaps) {
      text.write("<tr><th scope=\"row\">\(field.name)</th>")
      text.element("td", field.value, end: "</tr>\n")
    }
    text.write("</tbody></table></div>\n")
  }

  private static let mostDecisions = 200

  private func decisions(_ words: RunWords, _ text: inout SVGText) {
    let all = words.decisions
    if all.isEmpty { return }
    text.write(
      "<h3>Decisions</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\""
        + " aria-label=\"Decisions\"><table class=\"decisions\">\n<thead><tr>"
        + "<th scope=\"col\">at</th><th scope=\"col\">what and why</th>"
        + "<th scope=\"col\">rule · clause</th></tr></thead>\n<tbody>\n"
    )
    for decision in all.prefix(Self.mostDecisions) {
      text.write("<tr><td data-at=\"\(decision.instant.nanoseconds)\">")
      text.write("\(exactSeconds(decision.instant))</td>")
      text.element("td", decision.sentence, end: "<td>")
      text.element("code", decision.source, end: "</td></tr>\n")
    }
    text.write("</tbody></table></div>\n")
    if all.count > Self.mostDecisions {
      text.write("<p>and \(counted(Int64(all.count - Self.mostDecisions), "more decision"))</p>\n")
    }
  }

  /// The parts of the scenario, and all that its screen says of the outcome.
  private func facts(_ text: inout SVGText) {
    text.write("<details><summary>All figures</summary><dl class=\"facts\">\n")
    let facts =
      ScenarioWords(scenario: scenario, heuristic: policy, gaps: outcome.gaps).facts
      + OutcomeWords(scenario: scenario, outcome: outcome).facts
    for fact in facts {
      text.element("dt", fact.name, end: "")
      text.element("dd\(fact.tint == .bad ? " class=\"bad\"" : "")", fact.words)
    }
    text.write("</dl></details>\n")
  }
}

/// JSON that can stand in a script element: nothing in it ends the element or turns its text.
func inert(_ tree: JSONTree) -> [UInt8] {
  let text = tree.json
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    if scalar == "<" || scalar.value > 0x7E && scalar.value < 0x10000 && isUnprintable(scalar) {
      let digits = String(scalar.value, radix: 16)
      bytes += "\\u".utf8 + "0000".utf8.dropLast(digits.utf8.count) + digits.utf8
    } else if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      bytes += Array(String(scalar).utf8)
    }
  }
  return bytes
}

extension RunWords {
  /// The numbers and sentences that a cursor shows; times are nanoseconds.
  fileprivate var data: JSONTree {
    let run: JSONTree = [
      "ended": .whole(outcome.ended.nanoseconds), "digest": outcome.digest.map { .string($0) },
      "asked": outcome.startup.asked.map { .whole($0.nanoseconds) },
      "began": outcome.startup.began.map { .whole($0.nanoseconds) },
    ]
    let touch = moment.map { moment -> JSONTree in
      [
        "moment": .whole(moment.instant.nanoseconds), "first": .whole(moment.first.nanoseconds),
        "last": .whole(moment.last.nanoseconds),
        "rate": [.whole(moment.rate.numerator), .whole(moment.rate.denominator)],
      ]
    }
    let known = outcome.gaps.contains(.start) ? [] : outcome.panels
    let (panels, texts) = Self.panels(known, lacking: outcome.gaps)
    return
      run + (touch ?? [:]) + [
        "playhead": Self.curve(outcome.curves?.playhead),
        "loadedEnd": Self.curve(outcome.curves?.loadedEnd),
        "panels": panels, "texts": texts, "ranges": Self.ranges(outcome.curves),
        "decisions": .list(decisions) {
          [.whole($0.instant.nanoseconds), .string($0.sentence)]
        },
        "forecasts": Self.forecasts(outcome),
        "stalls": .list(outcome.player.books.stalls) { .whole($0.start.nanoseconds) },
        "words": [
          "at": "At {at}",
          "late":
            "Starting here would be {late} too soon: the media due at {due} will not have arrived.",
          "forecast": "The player forecasts the worst byte {late} late.",
        ],
      ]
  }

  /// Each forecast of a wait: its beginning and end, and how late the worst byte would be.
  private static func forecasts(_ outcome: RunOutcome) -> JSONTree {
    let all = outcome.curves?.forecasts ?? []
    return .list(all.indices) { place in
      let start = all[place].instant
      let played = outcome.bands.first { $0.control == .playing && $0.start > start }?.start
      let next = place + 1 < all.count ? all[place + 1].instant : outcome.ended
      let end = min(next, played ?? next)
      return [
        .whole(start.nanoseconds), .whole(end.nanoseconds), .whole(all[place].late.nanoseconds),
      ]
    }
  }

  /// Instants and media in turn.
  private static func curve(_ curve: Curve?) -> JSONTree {
    let points = curve?.points ?? []
    return .list(points.flatMap { [$0.instant.nanoseconds, $0.media.nanoseconds] }) { .whole($0) }
  }

  /// Each panel as its instant and the place of its texts in the list of different ones.
  private static func panels(
    _ panels: [Panel], lacking gaps: [FieldGap]
  ) -> (panels: JSONTree, texts: JSONTree) {
    var texts: [[String]] = []
    let rows = JSONTree.list(panels) { panel in
      let fields = panel.fields(lacking: gaps).map { $0.value }
      // A cursor works out time and ranges, where they are known.
      let said = gaps.contains(.buffer) ? fields : Array(fields[..<4]) + Array(fields[6...])
      let place =
        texts.firstIndex { zip($0, said).allSatisfy { isSameText($0, $1) } } ?? texts.count
      if place == texts.count { texts.append(said) }
      return [.whole(panel.instant.nanoseconds), .whole(place)]
    }
    return (rows, .list(texts) { .list($0) { .string($0) } })
  }

  /// The loaded ranges from each change on: its instant, the start of the range whose end is the
  /// loaded end, and the ranges before and after it.
  private static func ranges(_ curves: RunCurves?) -> JSONTree {
    .list(curves?.ranges ?? []) { instant, start, others in
      let before = others.filter { $0.lowerBound <= start ?? $0.lowerBound }
      let sides = others.isEmpty ? [] : [before, Array(others.dropFirst(before.count))]
      return .array(
        [.whole(instant.nanoseconds), .whole(start?.nanoseconds ?? -1)]
          + sides.map { .string(shown($0)) })
    }
  }
}
