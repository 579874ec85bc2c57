import VirtualTime

/// Writes a trace: a header, a line per thing that happened, and the summary.
///
/// The digest is the hash of these bytes without the tool's version and without itself, so that
/// two versions of the tool that do the same agree.
struct TraceWriter {
  /// The version of the format.
  static let version: Int64 = 1

  private(set) var bytes: [UInt8] = []
  /// Where each line begins, and the instant it speaks of.
  private(set) var lines: [(start: Int, instant: Instant)] = []
  private var hash = SHA256()
  private var hashed = 0

  mutating func header(seed: UInt64, heuristic: String?, files: [ScenarioFile], scenario: JSONValue)
  {
    lines.append((bytes.count, .zero))
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("trace")
    writer.integer(TraceWriter.version)
    bytes += writer.bytes
    hashSoFar()
    // Not hashed: the version of the tool.
    bytes += Array(",\"tool\":\"\(Tool.version)\"".utf8)
    hashed = bytes.count
    var rest = JSONWriter()
    rest.beginObject()
    rest.key("seed")
    rest.natural(seed)
    if let heuristic {
      rest.key("heuristic")
      rest.string(heuristic)
    }
    if !files.isEmpty {
      rest.key("files")
      rest.beginObject()
      for file in files {
        rest.key(file.path)
        rest.string(file.text)
      }
      rest.endObject()
    }
    rest.key("scenario")
    rest.value(scenario)
    rest.endObject()
    bytes.append(UInt8(ascii: ","))
    bytes += rest.bytes.dropFirst()
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func write(_ event: TraceEvent, at instant: Instant) {
    lines.append((bytes.count, instant))
    var writer = JSONWriter()
    open(&writer, event.name, instant)
    for (key, value) in event.members {
      writer.key(key)
      value.write(to: &writer)
    }
    writer.endObject()
    bytes += writer.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the last line and returns the digest.
  mutating func finish(at instant: Instant, _ members: (inout JSONWriter) -> Void) -> String {
    lines.append((bytes.count, instant))
    var writer = JSONWriter()
    open(&writer, "playbackSummary", instant)
    members(&writer)
    bytes += writer.bytes
    hashSoFar()
    let digest = hash.finish()
    bytes += Array(",\"digest\":\"\(digest)\"}\n".utf8)
    return digest
  }

  private func open(_ writer: inout JSONWriter, _ event: String, _ instant: Instant) {
    writer.beginObject()
    writer.key("t")
    writer.seconds(instant.nanoseconds)
    writer.key("event")
    writer.string(event)
  }

  private mutating func hashSoFar() {
    hash.update(bytes[hashed...])
    hashed = bytes.count
  }

  /// The lines around an instant, without the header.
  func context(around instant: Instant, count: Int) -> [String] {
    if lines.count < 2 { return [] }
    var past = 1
    while past < lines.count, lines[past].instant <= instant { past += 1 }
    let first = max(1, past - count)
    let last = min(lines.count, past + count / 2)
    return (first..<last).map { index in
      let end = index + 1 < lines.count ? lines[index + 1].start : bytes.count
      return String(decoding: bytes[lines[index].start..<(end - 1)], as: UTF8.self)
    }
  }
}

/// What this tool calls itself.
package enum Tool {
  package static let version = "0.1.0"
}
