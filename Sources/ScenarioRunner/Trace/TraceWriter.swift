import ExactText
import ScenarioFormat
package import VirtualTime

/// Writes a trace: a header, a line per thing that happened, and the summary.
///
/// The digest hashes all but itself and the tool's version, so versions that do the same agree.
struct TraceWriter {
  /// The version of the format: from 2 on every decision of a player names its clause; from 3 on a
  /// trace is the whole recording, from which `report` makes screens, figures and logs.
  static let version: Int64 = 3

  private let keeping: TraceKeeping
  /// Lines that are written and not yet handed on.
  private var json = JSONWriter()
  /// The start and the instant of each line, for a trace that is kept.
  private var lines: [(start: Int, instant: Instant)] = []
  private var surroundings = TraceContext(around: [])
  private var hash = SHA256()
  private var hashed = 0

  /// Pieces of this size are handed on, or forgotten.
  private static let piece = 1 << 16

  init(keeping: TraceKeeping) {
    self.keeping = keeping
    if case .around(let instants) = keeping { surroundings = TraceContext(around: instants) }
  }

  var kept: [UInt8] {
    if case .whole = keeping { json.bytes } else { [] }
  }

  /// - Parameter field: Source of a session that was not run, and the facts that it lacks.
  mutating func header(
    seed: UInt64, heuristic: String?, files: [ScenarioFile], scenario: JSONValue,
    field: JSONTree? = nil
  ) {
    begin(at: .zero)
    json.beginObject()
    json.key("trace")
    json.integer(TraceWriter.version)
    hashSoFar()
    // Not hashed: the version of the tool.
    json.bytes += Array(",\"tool\":\"\(Tool.version)\"".utf8)
    hashed = json.bytes.count
    json.key("seed")
    json.natural(seed)
    json.members([
      "field": field,
      "heuristic": heuristic.map { .string($0) },
      "files": files.isEmpty ? nil : .members(files.map { ($0.path, .string($0.text)) }),
    ])
    json.key("scenario")
    // `$schema` says where an editor finds the schema, and nothing of the run.
    json.value(scenario, without: "$schema")
    json.endObject()
    json.endLine()
    letGo(atMost: TraceWriter.piece)
  }

  mutating func write(_ event: TraceEvent, at instant: Instant) {
    begin(at: instant)
    let start = json.bytes.count
    open(event.shape.word, instant)
    for (key, value) in event.members {
      json.key(key)
      value.write(to: &json)
    }
    json.endObject()
    if case .around = keeping { surroundings.see(json.bytes[start...], at: instant) }
    json.endLine()
    letGo(atMost: TraceWriter.piece)
  }

  /// Writes the last line and returns the digest.
  mutating func finish(at instant: Instant, _ members: (inout JSONWriter) -> Void) -> String {
    begin(at: instant)
    open(TraceWriter.summary, instant)
    members(&json)
    hashSoFar()
    let digest = hash.finish()
    json.bytes += Array(",\"digest\":\"\(digest)\"}\n".utf8)
    hashed = json.bytes.count
    letGo(atMost: 0)
    return digest
  }

  /// Length of the last line's end, which is not hashed.
  static let digestLength = Array(",\"digest\":\"\"}".utf8).count + 64

  private mutating func begin(at instant: Instant) {
    if case .whole = keeping { lines.append((json.bytes.count, instant)) }
  }

  /// Hands on what is written, or forgets it, once it is more than so much.
  private mutating func letGo(atMost most: Int) {
    switch keeping {
    case .nothing, .whole: return
    case .digest, .around, .handedOn: break
    }
    if json.bytes.count <= most { return }
    hashSoFar()
    if case .handedOn(let receive) = keeping { receive(json.bytes) }
    json.bytes.removeAll(keepingCapacity: true)
    hashed = 0
  }

  private static let time = QuotedText("t")
  private static let event = QuotedText("event")
  private static let summary = QuotedText("playbackSummary")

  private mutating func open(_ event: QuotedText, _ instant: Instant) {
    json.beginObject()
    json.key(TraceWriter.time)
    json.seconds(instant.nanoseconds)
    json.key(TraceWriter.event)
    json.string(event)
  }

  private mutating func hashSoFar() {
    if hashed == json.bytes.count { return }
    hash.update(json.bytes[hashed...])
    hashed = json.bytes.count
  }

  /// Lines around instants, each once, no header or summary; dots for gaps. Only after `finish`.
  func context(around instants: [Instant]) -> [String] {
    let surroundings = surroundings(instants)
    var shown: [[UInt8]] = []
    var texts: [String] = []
    for instant in instants {
      let lines = surroundings.lines(around: instant)
      if let first = lines.first, !shown.contains(first), !texts.isEmpty { texts.append("…") }
      for line in lines where !shown.contains(line) {
        shown.append(line)
        texts.append(String(decoding: line, as: UTF8.self))
      }
    }
    return texts
  }

  private func surroundings(_ instants: [Instant]) -> TraceContext {
    if case .around = keeping { return surroundings }
    var surroundings = TraceContext(around: instants)
    for (line, next) in zip(lines, lines.dropFirst()).dropFirst() {
      surroundings.see(json.bytes[line.start..<(next.start - 1)], at: line.instant)
    }
    return surroundings
  }
}

/// Whether a digest is that of a trace's lines: one that was altered has another.
package func isDigest(_ digest: String?, of trace: [UInt8]) -> Bool {
  let end = trace.count - TraceWriter.digestLength - (trace.last == 0x0A ? 1 : 0)
  guard let tool = trace.firstIndex(of: UInt8(ascii: ",")),
    let rest = trace[(tool + 1)...].firstIndex(of: UInt8(ascii: ",")), rest < end
  else { return false }
  var hash = SHA256()
  hash.update(trace[..<tool])
  hash.update(trace[rest..<end])
  return isSameText(hash.finish(), digest ?? "")
}

/// Words for a trace that has not the digest of its lines.
package let wordsOfAlteredTrace = "the trace was altered: its digest is not that of its lines"

package enum Tool {
  package static let version = "0.1.0"
}

/// The lines of a trace that are kept or handed on.
package enum TraceKeeping: Sendable {
  /// None is written, and there is no digest.
  case nothing
  /// Their digest alone is left.
  case digest
  /// All stay in memory.
  case whole
  /// The few around some instants stay, such as those of expectations that failed.
  case around([Instant])
  /// They are handed on as they come, in pieces of some size; the last piece ends the trace.
  case handedOn(@Sendable ([UInt8]) -> Void)
}

/// Keeps the lines of a trace around some instants, and forgets the others as they pass.
struct TraceContext {
  private struct Window {
    var instant: Instant
    var lines: [[UInt8]] = []
    /// The number of lines after the instant that are still wanted.
    var wanted: Int
  }

  private var windows: [Window] = []
  private var openWindows = 0
  /// The instants to come, the next last.
  private var instants: [Instant]
  /// The last lines, which may turn out to be those before an instant.
  private var recent: [[UInt8]] = []

  static let linesBefore = 4
  static let linesAfter = 2

  init(around instants: [Instant]) { self.instants = instants.sorted { $0 > $1 } }

  mutating func see(_ line: ArraySlice<UInt8>, at instant: Instant) {
    while let next = instants.last, next < instant { open() }
    if openWindows > 0 {
      for index in windows.indices where windows[index].wanted > 0 {
        windows[index].lines.append(Array(line))
        windows[index].wanted -= 1
        if windows[index].wanted == 0 { openWindows -= 1 }
      }
    }
    if instants.isEmpty { return }
    if recent.count == Self.linesBefore { recent.removeFirst() }
    recent.append(Array(line))
  }

  private mutating func open() {
    guard let instant = instants.popLast() else { return }
    windows.append(Window(instant: instant, lines: recent, wanted: Self.linesAfter))
    openWindows += 1
  }

  func lines(around instant: Instant) -> [[UInt8]] {
    windows.first { $0.instant == instant }?.lines ?? recent
  }
}
