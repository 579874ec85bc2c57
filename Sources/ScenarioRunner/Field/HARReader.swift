import ExactText
import Recording
package import ScenarioFormat
import VirtualTime

extension FieldLog {
  /// Reads a HAR 1.2 as Chrome, Safari, Firefox, Charles, Proxyman, mitmproxy and WebPageTest
  /// write it, and as `export har` does.
  package init(har text: [UInt8]) throws(Diagnostic) {
    self.init(source: "har")
    var reader = HARReader()
    do throws(JSONError) {
      let list = try JSONLongList(text, at: ["log", "entries"])
      let log = list.frame["log"]
      reader.creator = log?["creator"]?["name"]?.string ?? ""
      reader.pages = log?["pages"]?.elements.map { Array($0) } ?? []
      for index in 0..<min(list.count, FieldLimits.mostEntries) { reader.read(try list[index]) }
      if list.count > FieldLimits.mostEntries {
        notes.append("only the first \(FieldLimits.mostEntries) of \(list.count) entries are read")
      }
    } catch {
      throw Diagnostic(error.message, at: error.position, expected: error.expected)
    }
    try reader.finish(&self)
  }
}

/// Reads entry after entry; dates are nanoseconds since 1970 until the start is known.
private struct HARReader {
  var creator = ""
  var pages: [JSONValue] = []
  private var requests: [(date: Int64, request: FieldRequest)] = []
  private var connections: [String] = []
  private var duration: MediaTime?
  private var (undated, cached) = (0, 0)

  /// mitmproxy counts from the client's request on: it may have connected before, and its `ssl` is
  /// no part of `connect`.
  private var isByMitmproxy: Bool { creator.utf8.starts(with: "mitmproxy".utf8) }

  mutating func read(_ entry: JSONValue) {
    guard let date = (entry["startedDateTime"]?.stringBytes).flatMap(calendarInstant),
      let asked = entry["request"], let uri = asked["url"]?.string,
      let response = entry["response"]
    else { return undated += 1 }
    let source = entry["_fetchType"]?.string ?? "Network Load"
    let status = response["status"]?.nearest(places: 0) ?? 0
    if entry["_fromCache"] != nil || status == 304 || !isSameText(source, "Network Load") {
      return cached += 1
    }
    var request = FieldRequest(uri: uri, started: .zero)
    readTimes(entry["timings"], total: entry["time"]?.milliseconds, &request)
    if status == 0 { request.responded = nil }
    if let connection = entry["connection"]?.string { connect(connection, &request) }
    readSizes(response, &request)
    for header in response["headers"]?.elements.map({ Array($0) }) ?? [] {
      readHeader(header, &request)
    }
    for header in asked["headers"]?.elements.map({ Array($0) }) ?? []
    where request.firstByte == nil && header["name"]?.string.map(lowercased) == "range" {
      request.firstByte = numbers(in: header["value"]?.string ?? "").first
    }
    request.playlist = playlist(response["content"], request)
    readChunks(entry["_chunks"], &request)
    let version = lowercased(response["httpVersion"]?.string ?? "")
    request.isHTTP2 = ["h2", "h3", "http/2", "http/2.0", "http/3"].contains(version)
    if let whole = request.size, let bytes = request.bytes, bytes < whole {
      request.outcome = .cancelled
    }
    if status >= 400 || request.responded == nil { request.outcome = .failed }
    requests.append((date, request))
  }

  // MARK: Times

  private func readTimes(_ timings: JSONValue?, total: TimeSpan?, _ request: inout FieldRequest) {
    func part(_ name: String) -> TimeSpan? { timings?[name]?.milliseconds }
    func taken(_ name: String) -> TimeSpan? { part(name).flatMap { $0 > .zero ? $0 : nil } }
    request.steps.lookup = taken("dns")
    request.steps.waiting = taken("blocked")
    request.steps.security = taken("ssl")
    let (opening, security) = (taken("connect"), taken("ssl") ?? .zero)
    request.steps.connect = opening.map {
      isByMitmproxy || security >= $0 ? $0 : $0 - security
    }
    request.steps.reusesConnection = opening == nil
    guard let wait = part("wait"), let receive = part("receive") else {
      if let total { request.ended = .zero + total }
      return
    }
    let answer = (part("send") ?? .zero) + wait
    (request.steps.response, request.steps.transfer) = (answer, receive)
    var before = TimeSpan.zero
    if !isByMitmproxy {
      before = (taken("blocked") ?? .zero) + (taken("dns") ?? .zero) + (opening ?? .zero)
    }
    let sum = before + answer + receive
    // Browsers round the parts, and the total less.
    let length = isByMitmproxy ? sum : total.flatMap { $0 >= receive ? $0 : nil } ?? sum
    request.ended = .zero + length
    request.responded = .zero + (length - receive)
  }

  private mutating func connect(_ connection: String, _ request: inout FieldRequest) {
    let known = connections.lastIndex { isSameText($0, connection) }
    if known == nil, connections.count < 1_000 { connections.append(connection) }
    request.steps.connection = Int32(truncatingIfNeeded: (known ?? connections.count - 1) + 1)
  }

  /// WebPageTest's chunks: milliseconds of a clock of its own, which ends with the last of them.
  private func readChunks(_ chunks: JSONValue?, _ request: inout FieldRequest) {
    guard let ended = request.ended, let responded = request.responded,
      let elements = chunks?.elements
    else { return }
    let all = elements.compactMap { chunk in
      chunk["ts"]?.milliseconds.flatMap { time in chunk["bytes"]?.byteCount.map { (time, $0) } }
    }
    let bytes = all.reduce(Int128(0)) { $0 + Int128($1.1) }
    guard let (last, _) = all.last, bytes == Int128(request.bytes ?? 0),
      zip(all, all.dropFirst()).allSatisfy({ $0.0 <= $1.0 }),
      all.allSatisfy({ last - $0.0 <= ended - responded })
    else { return }
    request.arrivals = all.map { (ended - (last - $0.0), $0.1) }
  }

  // MARK: Sizes

  private func readSizes(_ response: JSONValue, _ request: inout FieldRequest) {
    let content = response["content"]
    request.mimeType = content?["mimeType"]?.string ?? ""
    let head = response["headersSize"]?.byteCount ?? 0
    let unpacked = content?["size"]?.byteCount.map {
      $0 - min($0, max(0, content?["compression"]?.nearest(places: 0) ?? 0))
    }
    let sizes = [
      response["bodySize"]?.byteCount,
      response["_transferSize"]?.byteCount.map { max(0, $0 - head) }, unpacked,
    ].compactMap { $0 }
    request.bytes = sizes.first { $0 > 0 } ?? sizes.first
  }

  private mutating func readHeader(_ header: JSONValue, _ request: inout FieldRequest) {
    guard let name = header["name"]?.string, let value = header["value"]?.string else { return }
    let fields = numbers(in: value)
    switch lowercased(name) {
    case "content-length": request.size = fields.first
    case "content-range" where fields.count == 3:
      (request.firstByte, request.resourceBytes) = (fields[0], fields[2])
    case "content-type" where request.mimeType.isEmpty: request.mimeType = value
    case "x-content-duration":
      let seconds = (try? JSONValue(parsing: Array(value.utf8)))?.nearest(places: 9) ?? 0
      if 1...FieldLimits.longest ~= seconds { duration = MediaTime(nanoseconds: seconds) }
    case _: break
    }
  }

  /// The text of a playlist; nil for any other body.
  private func playlist(_ content: JSONValue?, _ request: FieldRequest) -> [UInt8]? {
    guard let text = content?["text"]?.stringBytes, text.count <= FieldLimits.longestPlaylist,
      contains("mpegurl", in: lowercased(request.mimeType))
        || contains(".m3u8", in: lowercased(path(of: request.uri)))
    else { return nil }
    return content?["encoding"]?.string == "base64" ? decodedBase64(text) : Array(text)
  }

  // MARK: The session

  func finish(_ log: inout FieldLog) throws(Diagnostic) {
    guard let first = requests.map({ $0.date }).min() else {
      throw Diagnostic(
        "the HAR has no entry that can be used",
        expected: "“log” with “entries” of “startedDateTime”, “request” and “response”")
    }
    let page = pages.first { $0["_playback"] != nil }
    let start = (page?["startedDateTime"]?.stringBytes).flatMap(calendarInstant) ?? first
    for (date, request) in requests.sorted(by: { $0.date < $1.date }) {
      let (offset, overflows) = date.subtractingReportingOverflow(start)
      guard !overflows, 0...FieldLimits.longest ~= offset else { continue }
      log.requests.append(request)
      log.requests[log.requests.count - 1].move(by: TimeSpan(nanoseconds: offset))
    }
    log.duration = duration
    if let playback = page?["_playback"] { readPlayback(playback, &log) }
    let left = [
      (undated, "have no date or no URL"), (cached, "came from a cache"),
      (requests.count - log.requests.count, "lie before the start or 30 days after it"),
    ]
    for (count, why) in left where count > 0 {
      log.notes.append("\(count) entries are left out: they \(why)")
    }
  }

  /// The player's own facts, as `export har` writes them and an app may: milliseconds of the page.
  private func readPlayback(_ playback: JSONValue, _ log: inout FieldLog) {
    log.play = playback["play"]?.milliseconds.map { .zero + $0 }
    // Nothing moves before it was asked to.
    log.began = playback["firstMotion"]?.milliseconds.map { max(log.asked, .zero + $0) }
    log.stalls = playback["stalls"]?.elements?.compactMap { stall in
      stall["start"]?.milliseconds.flatMap { start in
        stall["duration"]?.milliseconds.map { .zero + start..<(.zero + start + $0) }
      }
    }.sorted { $0.lowerBound < $1.lowerBound }
  }
}

/// The whole numbers in a text, as far as they are sizes.
private func numbers(in text: String) -> [Int64] {
  text.utf8.split { decimalDigit($0) == nil }.compactMap { digits in
    digits.reduce(Int64?.some(0)) { value, digit in
      value.flatMap { $0 <= FieldLimits.mostBytes ? $0 * 10 + (decimalDigit(digit) ?? 0) : nil }
    }
  }
}

/// RFC 4648 §4; nil for a text that is none.
private func decodedBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var values = [UInt32?](repeating: nil, count: 256)
  for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt32(value) }
  var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
  for byte in text where byte > 0x20 && byte != UInt8(ascii: "=") {
    guard let value = values[Int(byte)] else { return nil }
    (bits, count) = (bits << 6 | value, count + 6)
    if count < 8 { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
  }
  return bytes
}
