package import ExactText

/// A trace in the Trace Event Format of Chrome, which Perfetto and other viewers draw.
///
/// Each player is a process. The state of playback is one of its threads, the remaining records
/// are instants of another; requests are asynchronous events, and the rate of the link, the buffer,
/// the estimate and the forecast are counters.
package struct TraceEventDocument {
  private let trace: TraceText
  package private(set) var line = 0
  package var lineCount: Int { trace.lines.count }
  /// The text so far, which the caller takes away.
  package var writer = JSONWriter(.lines)
  /// The players so far, of which the first has no name, with the start and line of their state.
  private var players: [(name: String, state: (start: Int64, line: JSONValue)?)] = [("", nil)]
  /// The names of requests that have begun.
  private var requests: [String: String] = [:]
  private var now: Int64 = 0

  package init(_ trace: [UInt8]) throws(TraceError) {
    self.trace = TraceText(trace)
    let header = try self.trace.header(TraceText.readable)
    writer.beginObject()
    writer.key("traceEvents")
    writer.beginArray()
    nameProcess(0, header["scenario"]?["scenario"]?.string ?? "scenario")
  }

  /// The digest that the last line tells.
  package func digest() throws(TraceError) -> String? { try trace.summary()["digest"]?.string }

  /// Writes the events of the next line; false behind the last one, where it ends the document.
  package mutating func readLine() throws(TraceError) -> Bool {
    line += 1
    if line < lineCount {
      try see(trace.record(line, from: now))
      return true
    }
    for process in players.indices { endState(of: process) }
    writer.endArray()
    writer.endObject()
    writer.endLine()
    return false
  }

  private mutating func see(_ record: (value: JSONValue, event: String, time: Int64)) {
    let (line, name) = (record.value, record.event)
    now = record.time
    let process = process(line["player"]?.string ?? "")
    count("estimate, bit/s", line["estimate"], process)
    switch name {
    case "linkRate": count("link, bit/s", line["rate"], process)
    case "loadedTimeRanges": count("buffer, s", line["ahead"], process)
    case "forecast": count("worst byte late by, s", line["late"], process)
    case "timeControlStatus":
      endState(of: process)
      players[process].state = (now, line)
    case "requestStart": tellRequest("b", line, process)
    case "responseStart": tellRequest("n", line, process)
    case "mediaResourceRequest", "requestCancel", "requestError": tellRequest("e", line, process)
    default: tell("i", name, process, thread: 2, ["s": "t", "args": arguments(line)])
    }
  }

  private mutating func tell(
    _ phase: String, _ name: String, _ process: Int, thread: Int, at instant: Int64? = nil,
    _ members: JSONTree
  ) {
    let start: JSONTree = [
      "name": .string(name), "ph": .string(phase), "ts": .decimal(instant ?? now, places: 3),
      "pid": .whole(process + 1), "tid": .whole(thread),
    ]
    writer.tree(start + members)
  }

  private mutating func count(_ name: String, _ value: JSONValue?, _ process: Int) {
    guard let value, value.numberBytes != nil else { return }
    tell("C", name, process, thread: 0, ["args": ["value": JSONTree(value)]])
  }

  private mutating func endState(of process: Int) {
    guard let (start, line) = players[process].state else { return }
    let words = [line["status"]?.string, line["reason"]?.string].compactMap { $0 }
    tell(
      "X", words.joined(separator: ", "), process, thread: 1, at: start,
      ["dur": .decimal(now - start, places: 3), "args": arguments(line)])
  }

  private mutating func tellRequest(_ phase: String, _ line: JSONValue, _ process: Int) {
    guard let request = line["request"]?.units(places: 0) else { return }
    let id = "\(request)"
    if phase == "b" {
      requests[id] = line["uri"]?.string ?? line["resource"]?.string ?? "request \(id)"
    }
    tell(
      phase, requests[id] ?? "request \(id)", process, thread: 0,
      ["cat": "request", "id": .string(id), "args": arguments(line)])
    if phase == "e" { requests[id] = nil }
  }

  private func arguments(_ line: JSONValue) -> JSONTree { JSONTree(line).without("t") }

  private mutating func process(_ player: String) -> Int {
    if let place = players.firstIndex(where: { isSameText($0.name, player) }) { return place }
    players.append((player, nil))
    nameProcess(players.count - 1, player)
    return players.count - 1
  }

  private mutating func nameProcess(_ process: Int, _ name: String) {
    tell("M", "process_name", process, thread: 0, ["args": ["name": .string(name)]])
    for (thread, name) in ["requests", "playback", "records"].enumerated() {
      tell("M", "thread_name", process, thread: thread, ["args": ["name": .string(name)]])
    }
  }
}
