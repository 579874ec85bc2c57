import ExactText
import Recording
package import ScenarioFormat
import StreamingMedia
import VirtualTime

extension FieldLog {
  /// Reads a HAR 1.2 of Chrome, Safari, Firefox, Charles, Proxyman, mitmproxy or WebPageTest.
  package init(har text: [UInt8]) throws(Diagnostic) {
    var reader = HARReader()
    let frame = try rethrowing(
      try JSONValue(parsing: text, emptying: ["log", "entries"]) { reader.read($0) }
    ) { (error: JSONError) in
      Diagnostic(error.message, at: error.position, expected: error.expected)
    }
    self = try reader.log(frame["log"])
  }
}

/// Reads entry after entry; dates are nanoseconds since 1970 until the start is known.
private struct HARReader {
  /// `opening` is the time from the date until the request was sent.
  private var entries: [(date: Int64, request: FieldRequest, opening: TimeSpan)] = []
  private var duration: MediaTime?
  private var (count, cached, twice) = (0, 0, 0)
  /// Numbers of the entries without a date or a URL.
  private var undated: [Int] = []
  private var seen: Set<String> = []
  private var leftOut: [FieldRequest] = []
  /// URIs that were asked for, by those to which they were redirected.
  private var redirects: [String: String] = [:]
  /// Place of the first entry that is no object.
  private var odd: TextPosition?

  mutating func read(_ entry: JSONValue) {
    count += 1
    if entry.members == nil { odd = odd ?? entry.position }
    if count > FieldLimits.mostEntries { return }
    guard let asked = entry["request"], let uri = asked["url"]?.string else {
      return undated.append(count)
    }
    var request = FieldRequest(uri: uri)
    let range = headers(asked).first { isSameText($0.name, "range") }
    request.firstByte = range.flatMap { numbers(in: $0.value).first }
    guard let date = entry["startedDateTime"]?.date, let response = entry["response"] else {
      leftOut.append(request)
      return undated.append(count)
    }
    let source = entry["_fetchType"]?.string ?? "Network Load"
    let status = response["status"]?.byteCount ?? 0
    if entry["_fromCache"] != nil || status == 304 || !isSameText(source, "Network Load") {
      leftOut.append(request)
      return cached += 1
    }
    let opening = readTimes(entry["timings"], total: entry["time"]?.milliseconds, &request)
    if status == 0 { request.responded = nil }
    readSizes(response, &request)
    for (name, value) in headers(response) { readHeader(name, value, &request) }
    // No size is mostly one that was not measured.
    let isMeasured = ["_transferSize", "_error"].contains { response[$0] != nil }
    let method = asked["method"]?.string ?? "GET"
    let isEmpty = request.bytes ?? 0 == 0 && !isSameText(method, "HEAD")
    if let size = request.size, isEmpty, !isMeasured { request.bytes = size }
    let isMedia = 200...203 ~= status || status == 206 || status == 0 || status >= 400
    request.canCarryMedia = isMedia && isSameText(method, "GET")
    let location = headers(response).first { status / 100 == 3 && isSameText($0.name, "location") }
    let targets = [response["redirectURL"]?.string, location?.value].compactMap { $0 }
    if let target = targets.first(where: { !$0.isEmpty }) {
      redirects[resolvedURI(target, against: uri)] = redirects[uri] ?? uri
    }
    request.playlist = playlist(response["content"], request)
    readChunks(entry["_chunks"], &request)
    let version = lowercased(response["httpVersion"]?.string ?? "")
    request.isHTTP2 = ["h2", "h3", "http/2", "http/2.0", "http/3"].contains(version)
    if let whole = request.size, let bytes = request.bytes, bytes < whole {
      request.outcome = .cancelled
    }
    if status == 0 || status >= 400 { request.fail(status, response["_error"]?.string) }
    request.isStored = entry["cache"]?["afterRequest"] != nil
    let facts = [date, request.end.nanoseconds, request.firstByte ?? 0, request.bytes ?? 0, status]
    if !seen.insert("\(facts) \(method) \(uri)").inserted { return twice += 1 }
    entries.append((date, request, opening))
  }

  private func readTimes(
    _ timings: JSONValue?, total: TimeSpan?, _ request: inout FieldRequest
  ) -> TimeSpan {
    func taken(_ name: String) -> TimeSpan? {
      (timings?[name]?.milliseconds).flatMap { $0 > .zero ? $0 : nil }
    }
    request.steps.lookup = taken("dns")
    request.steps.waiting = taken("blocked")
    request.steps.security = taken("ssl")
    request.steps.connect = taken("connect")
    var before = ["blocked", "dns", "connect"].reduce(.zero) { $0 + (taken($1) ?? .zero) }
    guard let wait = timings?["wait"]?.milliseconds, let receive = timings?["receive"]?.milliseconds
    else {
      request.ended = total.map { .zero + $0 }
      return before
    }
    let answer = (timings?["send"]?.milliseconds ?? .zero) + wait
    request.steps.response = answer
    let sum = before + answer + receive
    if let security = taken("ssl") {
      // HAR 1.2 has it within `connect`, Firefox and mitmproxy beside it: their totals say so.
      if let total, (total - sum).nanoseconds > security.nanoseconds / 2 {
        before = before + security
      } else if let connect = taken("connect"), security < connect {
        request.steps.connect = connect - security
      }
    }
    // Browsers round the parts, and the total less.
    let length = total.flatMap { $0 >= receive ? $0 : nil } ?? sum
    request.ended = .zero + length
    request.responded = .zero + (length - receive)
    return before
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

  private func readSizes(_ response: JSONValue, _ request: inout FieldRequest) {
    let content = response["content"]
    request.mimeType = content?["mimeType"]?.string ?? ""
    let head = response["headersSize"]?.byteCount ?? 0
    let sizes = [
      response["bodySize"]?.byteCount,
      response["_transferSize"]?.byteCount.map { max(0, $0 - head) },
      content?["size"]?.byteCount.map { max(0, $0 - (content?["compression"]?.byteCount ?? 0)) },
    ].compactMap { $0 }
    request.bytes = sizes.first { $0 > 0 } ?? sizes.first
  }

  private func headers(_ message: JSONValue) -> [(name: String, value: String)] {
    message["headers"]?.elements?.compactMap { header in
      guard let name = header["name"]?.string else { return nil }
      return header["value"]?.string.map { (lowercased(name), $0) }
    } ?? []
  }

  private mutating func readHeader(_ name: String, _ value: String, _ request: inout FieldRequest) {
    let fields = numbers(in: value)
    switch name {
    case "content-length": request.size = fields.first
    case "content-range" where fields.count == 3:
      (request.firstByte, request.resourceBytes) = (fields[0], fields[2])
    case "content-type" where request.mimeType.isEmpty: request.mimeType = value
    case "x-content-duration":
      duration = (try? JSONValue(parsing: Array(value.utf8)))?.mediaSeconds ?? duration
    case _: break
    }
  }

  private func playlist(_ content: JSONValue?, _ request: FieldRequest) -> [UInt8]? {
    guard let text = content?["text"]?.stringBytes, text.count <= FieldLimits.longestPlaylist,
      contains("mpegurl", in: lowercased(request.mimeType))
        || contains(".m3u8", in: lowercased(URIReference(request.uri).path))
    else { return nil }
    return content?["encoding"]?.string == "base64" ? decodedBase64(text) : Array(text)
  }

  func log(_ frame: JSONValue?) throws(Diagnostic) -> FieldLog {
    let members = "“startedDateTime”, “request” and “response”"
    if let odd {
      throw Diagnostic("this entry is no object", at: odd, expected: "one with " + members)
    }
    // mitmproxy's dates are those of the client's request, before which it may have connected.
    let creator = frame?["creator"]?["name"]?.string ?? ""
    let isByMitmproxy = creator.utf8.starts(with: "mitmproxy".utf8)
    // Firefox writes `afterRequest` for answers from its cache, others for all that can be kept.
    let isByFirefox = isSameText(creator, "Firefox")
    let stored = isByFirefox ? entries.count { $0.request.isStored } : 0
    guard let first = firstDate(entries.map { $0.date }) else {
      throw Diagnostic(
        "the HAR has no entry that can be used", expected: "“log” with “entries” of " + members)
    }
    let page = frame?["pages"]?.elements?.first { $0["_playback"] != nil }
    let start = page?["startedDateTime"]?.date ?? first
    var log = FieldLog("HAR")
    log.leftOut = leftOut
    for var entry in entries.sorted(by: { $0.date < $1.date }) {
      guard let offset = span(from: start, to: entry.date),
        !isByFirefox || !entry.request.isStored
      else {
        log.leftOut.append(entry.request)
        continue
      }
      if isByMitmproxy {
        entry.request.move(by: .zero - entry.opening)
        entry.request.started = .zero
      }
      entry.request.move(by: offset)
      entry.request.asked = redirects[entry.request.uri]
      log.requests.append(entry.request)
    }
    log.duration = duration
    if let playback = page?["_playback"] { readPlayback(playback, &log) }
    let left = [
      (undated.count, "have no date or no URL (the first is entry \(undated.first ?? 0))"),
      (cached + stored, "came from a cache"),
      (twice, "are there twice"),
      (entries.count - stored - log.requests.count, "lie before the start or 30 days after it"),
      (count - FieldLimits.mostEntries, "are above \(FieldLimits.mostEntries)"),
    ]
    for (count, why) in left { log.notes.add("entries are left out that \(why)", count) }
    return log
  }

  /// The player's own facts, as an app may write them: milliseconds of the page.
  private func readPlayback(_ playback: JSONValue, _ log: inout FieldLog) {
    log.play = playback["play"]?.milliseconds.map { .zero + $0 }
    log.began = playback["firstMotion"]?.milliseconds.map { .zero + $0 }
    if let play = log.play, let began = log.began, began < play {
      log.began = play
      log.notes.append("the first motion lies before play: it is taken to be at the call")
    }
    guard let listed = playback["stalls"]?.elements else { return }
    let began = log.began ?? .zero
    var early = 0
    let stalls = listed.compactMap { stall -> Range<Instant>? in
      guard let start = stall["start"]?.milliseconds, let length = stall["duration"]?.milliseconds
      else { return nil }
      let first = max(began, .zero + start)
      if first > .zero + start { early += 1 }
      return first..<first + length
    }.sorted { $0.lowerBound < $1.lowerBound }
    let odd = listed.count - stalls.count
    (log.stalls, log.stallCount) = odd == 0 ? (stalls, nil) : (nil, Int64(listed.count))
    log.notes.add(
      "of \(counted(Int64(listed.count), "stall")) only the number is kept, as some lack a start "
        + "or a duration", odd)
    log.notes.add("stalls before the first motion are taken to begin with it", early)
  }
}

/// The whole numbers in a text, as far as they are sizes.
private func numbers(in text: String) -> [Int64] {
  let digits = text.utf8.split { decimalDigit($0) == nil }
  return digits.compactMap { Int64(String(decoding: Array($0), as: UTF8.self)) }
    .filter { $0 / 10 <= ScenarioLimits.mostBytes }
}

/// RFC 4648 §4; nil for a text that is none.
private func decodedBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
  for byte in text where byte > 0x20 && byte != UInt8(ascii: "=") {
    guard let value = alphabet.firstIndex(of: byte) else { return nil }
    (bits, count) = (bits << 6 | UInt32(value), count + 6)
    if count < 8 { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
  }
  return bytes
}
