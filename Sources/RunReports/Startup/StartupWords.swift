import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

extension StartupStage {
  var title: String {
    guard let resource else {
      if isHeadAtom { return "head atom" }
      return firstByte == 0 ? "file" : "file from byte \(grouped(firstByte))"
    }
    let noun =
      switch track {
      case .audio?: "audio "
      case .subtitles?: "subtitle "
      case .main?, nil: ""
      }
    return switch resource {
    case .multivariantPlaylist: "multivariant playlist"
    case .mediaPlaylist: (noun.isEmpty ? "variant " : noun) + "playlist"
    case .contentKey: "content key"
    case .mapSegment: noun + "initialization"
    case .mediaSegment: noun + "segment"
    }
  }

  /// The steps; a connection that another request opened counts from this request on.
  var ownSteps: RequestSteps? {
    guard var own = steps, let end = responded ?? ended else { return steps }
    let others = (own.lookup ?? .zero) + (own.waiting ?? .zero) + (own.response ?? .zero)
    let opening = max(.zero, end - requested - others)
    own.security = own.security.map { min($0, opening) }
    own.connect = own.connect.map { min($0, opening - (own.security ?? .zero)) }
    return own
  }

  /// The steps up to its first byte that took a millisecond or more of a wait.
  fileprivate func namedSteps(in piece: StartupPiece) -> [(name: String, span: TimeSpan)] {
    let own = ownSteps
    let first = responded.flatMap { own == nil ? $0 - requested : own?.response }
    let all: [(String, TimeSpan?)] = [
      ("name", own?.lookup), ("queue", own?.waiting), ("connection", own?.connect),
      ("security", own?.security), ("first byte", first),
    ]
    var start = requested
    return all.compactMap { name, span in
      let from = max(start, piece.start)
      start = start + (span ?? .zero)
      let taken = min(start, piece.end) - from
      return taken >= .milliseconds(1) ? (name: name, span: taken) : nil
    }
  }

  fileprivate func document(asked: Instant?) -> JSONTree {
    let start: JSONTree = [
      "request": .whole(id.rawValue),
      "resource": .string(resource?.word ?? "file"),
      "track": track.map { .string($0.word) },
      "startSeconds": .seconds(requested.nanoseconds),
      "responseStartSeconds": .seconds(responded?.nanoseconds),
      "endSeconds": .seconds(ended?.nanoseconds),
    ]
    return start + (ownSteps?.document ?? [:]) + [
      "bytes": bytes.map { .whole($0) },
      "outcome": .string(outcome.rawValue),
      "after": .whole((retries ?? after)?.rawValue),
      "isBeforePlay": .boolean(asked.map { requested < $0 } ?? true),
      "isOnCriticalPath": .boolean(isOnPath),
    ]
  }
}

extension StartupReport {
  /// Nil where playback never began or nobody asked for it.
  fileprivate var fact: Fact? {
    guard asked != nil, began != nil else { return nil }
    if path.isEmpty { return Fact("waited for", "nothing: all was there", .good) }
    let parts = path.map { words(for: $0) }
    let waited = path.filter { $0.cause != .pause }
    let length = waited.reduce(0) { $0 + $1.span.nanoseconds }
    let together =
      "; together \(exactSeconds(length))"
      + (waited.count < path.count ? " without the time paused" : "")
    return Fact("waited for", joined(parts, by: ", then ") + (parts.count > 1 ? together : ""))
  }

  private func words(for piece: StartupPiece) -> String {
    let span = exactSeconds(piece.span)
    guard case .request(let id) = piece.cause, let stage = stages.last(where: { $0.id == id })
    else { return "\(piece.cause.words.phrase) \(span)" }
    let parts = stage.namedSteps(in: piece).map { $0.name + " " + exactSeconds($0.span) }
    return "\(stage.title) \(span)" + (parts.isEmpty ? "" : " (" + joined(parts, by: ", ") + ")")
  }

  var document: JSONTree {
    [
      "startup": .list(stages) { $0.document(asked: asked) },
      "criticalPath": .list(path) { $0.document },
    ]
  }
}

extension RequestSteps {
  fileprivate var document: JSONTree {
    func span(_ span: TimeSpan?) -> JSONTree? { span.map { .seconds($0.nanoseconds) } }
    return [
      "domainLookupSeconds": span(lookup), "waitingSeconds": span(waiting),
      "connectSeconds": span(connect), "secureConnectionSeconds": span(security),
      "timeToFirstByteSeconds": span(response),
    ]
  }
}

extension StartupPiece {
  fileprivate var document: JSONTree {
    var request: JSONTree?
    if case .request(let id) = cause { request = .whole(id.rawValue) }
    return [
      "waitedFor": .string(cause.words.word), "request": request,
      "startSeconds": .seconds(start.nanoseconds), "endSeconds": .seconds(end.nanoseconds),
    ]
  }
}

extension StartupPiece.Cause {
  fileprivate var words: (word: String, phrase: String) {
    switch self {
    case .request: ("request", "a request")
    case .retry: ("retry", "another try")
    case .evaluation: ("evaluation", "evaluating the rate")
    case .pause: ("pause", "the user, who had paused,")
    case .pipeline: ("pipeline", "setting up the pipeline")
    case .app: ("app", "the app")
    }
  }
}

/// The startup from left to right: a row for each request, the tap, and the first motion.
struct Waterfall {
  private let report: StartupReport
  private let columnCount: Int
  private let start: Instant
  private let end: Instant

  private static let labelWidth = 24
  private static let figureWidth = 20
  private static let mostRows = 14

  /// Nothing where nothing was requested, or too little time passed to draw.
  init?(_ outcome: RunOutcome, width: Int) {
    report = outcome.startup
    columnCount = width - Self.labelWidth - Self.figureWidth
    guard let first = report.stages.first, columnCount >= 10 else { return nil }
    start = min(first.requested, report.asked ?? first.requested)
    end = report.began ?? outcome.ended
    if end <= start { return nil }
  }

  func lines(style: TextStyle) -> [String] {
    let shown = rows
    var lines = [style.paint("startup", .title), label("") + marks(style)]
    lines += shown.map { row($0, style) }
    let hidden = relevant.count - shown.count
    if hidden > 0 {
      lines.append(style.paint(label("  and \(counted(Int64(hidden), "more request"))"), .faint))
    }
    lines.append("")
    let legend = "› waited for; ░ until the first byte, █ bytes; times of the run, and lengths"
    let width = Self.labelWidth + columnCount + Self.figureWidth
    lines += wrapped(legend, width: width).map { style.paint($0, .faint) }
    if let fact = report.fact {
      lines += RunReports.lines(of: [fact], style: style)
    }
    return lines.map { style.isColoured ? $0 : trimmed($0) }
  }

  private var relevant: [StartupStage] {
    report.stages.filter { $0.requested < end || $0.isOnPath }
  }

  /// As many of them as there is room for: first what was waited for, then the earliest.
  private var rows: [StartupStage] {
    let all = relevant
    if all.count <= Self.mostRows { return all }
    var room = Self.mostRows - all.count { $0.isOnPath }
    return all.filter { stage in
      if stage.isOnPath { return true }
      room -= 1
      return room >= 0
    }
  }

  private func label(_ text: String) -> String {
    padded(shortened(text, to: Self.labelWidth - 1), to: Self.labelWidth)
  }

  private func row(_ stage: StartupStage, _ style: TextStyle) -> String {
    let name = label((stage.isOnPath ? "› " : "  ") + stage.title)
    let last = min(stage.ended ?? end, end)
    let took = stage.ended == nil ? "" : exactSeconds(last - stage.requested)
    let word =
      switch stage.outcome {
      case .underWay: "goes on"
      case .completed: took
      case .cancelled: "cancelled"
      case .failed: "failed"
      }
    let figures =
      indented(exactSeconds(stage.requested), to: 9) + indented(word, to: Self.figureWidth - 9)
    return style.paint(name, stage.isOnPath ? .title : .faint) + bar(stage, until: last, style)
      + style.paint(figures, stage.outcome == .failed ? .bad : .faint)
  }

  private func bar(_ stage: StartupStage, until last: Instant, _ style: TextStyle) -> String {
    let from = column(stage.requested)
    let to = max(from + 1, column(last))
    let first = stage.responded.map { min(max(column($0), from), to) } ?? to
    // Bytes that took time are seen, however little of it.
    let bytes = stage.responded.map { $0 < last } ?? false
    let split = bytes && first == to ? to - 1 : first
    return blank(from)
      + style.paint(String(repeating: "░", count: split - from), .waiting)
      + style.paint(String(repeating: "█", count: to - split), stage.isOnPath ? .playing : .faint)
      + blank(columnCount - to)
  }

  private func column(_ instant: Instant) -> Int {
    let passed = Int128((min(max(instant, start), end) - start).nanoseconds)
    let whole = Int128((end - start).nanoseconds)
    return min(Int(passed * Int128(columnCount) / whole), columnCount - 1)
  }

  private func marks(_ style: TextStyle) -> String {
    var text = ""
    if let asked = report.asked, asked < end {
      let word = "▾play at " + exactSeconds(asked)
      text = blank(min(column(asked), max(0, columnCount - columns(of: word)))) + word
    }
    if let began = report.began {
      let word = "▾playing at " + exactSeconds(began)
      let place = columnCount - 1
      let isWide = place + columns(of: word) <= columnCount + Self.figureWidth
      if columns(of: text) < place, isWide { text = padded(text, to: place) + word }
    }
    return style.paint(text, .faint)
  }
}
