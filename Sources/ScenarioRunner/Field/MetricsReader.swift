import ExactText
import Recording
package import ScenarioFormat
import StreamingMedia
import VirtualTime

extension FieldLog {
  /// Reads an app's AVMetrics events in JSON, or a CDN's lines with CMCD (CTA-5004) in queries.
  package init(metrics text: [UInt8]) throws(Diagnostic) {
    var (reader, notes) = (MetricsReader(), [String]())
    for row in try logRows(text, &notes) {
      if let name = row["event"]?.string { reader.read(name, row) } else { reader.readLine(row) }
    }
    self = try reader.log()
    self.notes = notes + self.notes
  }
}

/// Dates are nanoseconds since 1970 until the start is known.
private struct MetricsReader {
  private struct Line {
    var date: Int64
    var request: FieldRequest
    /// Nil of an event.
    var session: String?
    var isStarved = false
    /// Whether it may be for audio or video, and is not for an init section, text or a key.
    var isMedia = true
  }

  private var lines: [Line] = []
  private var marks: [(date: Int64, mark: FieldMark)] = []
  private var startup: TimeSpan?
  private var (left, odd, cached, fast) = (0, 0, 0, 0)
  private var leftOut: [Line] = []

  mutating func read(_ name: String, _ event: JSONValue) {
    let date = event["date"]?.date
    switch name {
    case "play": add(.play, date)
    case "stall": add(.stall, date)
    case "rateChange":
      guard let rate = event["rate"]?.amount(places: 3, atMost: 1_000_000) else { return odd += 1 }
      let thousandths = min(Int32(rate), ScenarioLimits.fastestRate * 1_000)
      if rate > thousandths { fast += 1 }
      add(rate > 0 ? .rate(PlaybackRate(thousandths, over: 1_000)) : .pause, date)
    case "seek":
      if let target = event["to"]?.mediaSeconds { add(.seek(target), date) } else { odd += 1 }
    case "playbackSummary": startup = event["timeSpentInInitialStartup"]?.span
    case _ where event["url"] != nil: readRequest(event)
    case _: odd += 1
    }
  }

  private mutating func add(_ mark: FieldMark, _ date: Int64?) {
    if let date { marks.append((date, mark)) } else { left += 1 }
  }

  private mutating func readRequest(_ event: JSONValue) {
    guard let uri = event["url"]?.string else { return left += 1 }
    var request = FieldRequest(uri: uri)
    request.mimeType = (event["mediaType"]?.string ?? "video") + "/mp4"
    request.firstByte = event["byteRange"]?["location"]?.byteCount
    request.duration = event["segmentDuration"]?.mediaSeconds.flatMap { $0 > .zero ? $0 : nil }
    let isCached = event["wasReadFromCache"]?.flag == true
    guard !isCached, let start = event["requestStart"]?.date else {
      leftOut.append(Line(date: 0, request: request))
      return isCached ? (cached += 1) : (left += 1)
    }
    func instant(_ name: String) -> Instant? {
      event[name]?.date.flatMap { span(from: start, to: $0) }.map { .zero + $0 }
    }
    request.responded = instant("responseStart")
    request.ended = instant("responseEnd").map { max($0, request.responded ?? .zero) }
    request.steps.response = request.responded.map { $0 - .zero }
    request.bytes = event["bytes"]?.byteCount
    let error = event["error"]?.string
    if request.responded == nil || error != nil { request.fail(0, error) }
    lines.append(Line(date: start, request: request))
  }

  /// A line is written when the answer is whole: `time-taken` leads back to the request.
  mutating func readLine(_ row: JSONValue) {
    guard let path = row["cs-uri-stem"]?.string else { return left += 1 }
    let host = row["x-host-header"]?.string ?? row["cs(Host)"]?.string ?? "cdn.example"
    var line = Line(date: 0, request: FieldRequest(uri: "https://\(host)\(path)"))
    let told = row["cs-uri-query"]?.stringBytes.flatMap { cmcd(in: $0) }
    if let milliseconds = told?["d"].flatMap({ Int64($0) }), 1...3_600_000 ~= milliseconds {
      line.request.duration = .milliseconds(milliseconds)
    }
    // A key alone is true.
    line.isStarved = told?["bs"].map { ["", "true"].contains($0) } ?? false
    line.session = told.map { $0["sid"] ?? "" }
    line.isMedia = told?["ot"].map { !["i", "c", "tt", "k"].contains($0) } ?? true
    guard let keys = told, let end = row.dayAndTime, let taken = row["time-taken"]?.span else {
      leftOut.append(line)
      return left += 1
    }
    // One that wraps around is far from the others.
    line.date = end &- taken.nanoseconds
    line.request.ended = .zero + taken
    let wait = row["time-to-first-byte"]?.span ?? .zero
    line.request.responded = .zero + (wait < taken ? wait : .zero)
    line.request.steps.response = line.request.responded.map { $0 - .zero }
    line.request.bytes = row["sc-bytes"]?.byteCount
    line.request.mimeType = keys["ot"] == "a" ? "audio/mp4" : "video/mp4"
    let status = row["sc-status"]?.amount(places: 0, atMost: 999) ?? 200
    if status >= 400 { line.request.fail(status, nil) }
    lines.append(line)
  }

  private func cmcd(in query: ArraySlice<UInt8>) -> [String: String]? {
    let name = Array("CMCD=".utf8)
    let parts = query.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
    guard let part = parts.first(where: { $0.starts(with: name) }) else { return nil }
    var keys: [String: String] = [:]
    var text = percentDecoded(part.dropFirst(name.count))
    // CloudFront encodes the percent signs once more.
    if !text.utf8.contains(0x3D) { text = percentDecoded(Array(text.utf8)[...]) }
    // Values in quotes are identifiers, which have no comma.
    for pair in text.utf8.split(separator: 0x2C) {
      let sides = pair.split(separator: 0x3D, maxSplits: 1)
      guard let name = sides.first else { continue }
      let value = sides.count < 2 ? [] : sides[1].filter { $0 != UInt8(ascii: "\"") }
      keys[String(decoding: Array(name), as: UTF8.self)] = String(decoding: value, as: UTF8.self)
    }
    return keys
  }

  func log() throws(Diagnostic) -> FieldLog {
    let sessions = lines.compactMap { $0.session }
    var log = FieldLog(sessions.isEmpty ? "AVMetrics events" : "CMCD lines")
    // The session with the most lines; the first of them where several have as many.
    let counts = Dictionary(grouping: sessions) { $0 }.mapValues { $0.count }
    let session = sessions.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
    let all = lines.filter { $0.session == session }.sorted { $0.date < $1.date }
    let own = all.filter { $0.isMedia }
    log.notes.add("lines of other sessions are left out", lines.count - all.count)
    log.notes.add("lines of init sections, text and keys are left out", all.count - own.count)
    let gone = leftOut.filter { $0.session == nil || $0.session == session }
    log.leftOut = gone.filter { $0.isMedia }.map { $0.request }
    let marks = marks.sorted { $0.date < $1.date }
    guard let start = firstDate(own.map { $0.date }, marks.map { $0.date }) else {
      throw Diagnostic(
        "the log has no request that can be used",
        expected: "events with “url” and “requestStart”, or lines with “time-taken” and CMCD")
    }
    for var line in own {
      guard let offset = span(from: start, to: line.date) else {
        log.leftOut.append(line.request)
        continue
      }
      line.request.move(by: offset)
      log.requests.append(line.request)
    }
    let timed = marks.compactMap { mark in
      span(from: start, to: mark.date).map { (instant: Instant.zero + $0, mark: mark.mark) }
    }
    let far = own.count - log.requests.count + marks.count - timed.count
    log.notes.add("rows are left out that came from a cache", cached)
    log.notes.add("rows are left out for want of a date, a URL or CMCD", left)
    log.notes.add("rows are left out for an unknown event, or for want of “rate” or “to”", odd)
    log.notes.add("rows are left out whose date is over 30 days from the others", far)
    log.notes.add("rates above 32 are taken to be 32", fast)
    let durations = log.requests.compactMap { $0.duration }.sorted()
    log.segmentDuration = durations.dropFirst(durations.count / 2).first
    if session != nil {
      log.stallCount = Int64((all + gone).count { $0.isStarved })
      log.notes.append("a stall is a request with “bs”")
    } else if !marks.isEmpty {
      setPlayback(timed, &log)
    }
    return log
  }

  private func setPlayback(_ marks: [(instant: Instant, mark: FieldMark)], _ log: inout FieldLog) {
    var (stopped, early): ((instant: Instant, isStall: Bool)?, Int) = (nil, 0)
    var (place, latest) = (MediaTime.zero, Instant.zero)
    log.stalls = []
    /// Ends a stall or a pause, after which comes another or none.
    func stop(at instant: Instant, isStall: Bool?) {
      if let (start, wasStall) = stopped, wasStall || start < instant {
        let span = start..<instant
        if wasStall { log.stalls?.append(span) } else { log.pauses.append(span) }
      }
      stopped = isStall.map { (instant, $0) }
    }
    for (instant, mark) in marks {
      let rate = log.began == nil || stopped != nil ? .zero : log.rates?.last?.rate ?? .normal
      (place, latest) = (place + rate.media(in: instant - latest), instant)
      switch mark {
      case .play: log.play = log.play ?? instant
      case .seek(let target): log.seeks.append((instant, target))
      case .stall where log.began == nil: early += 1
      case .stall: if stopped?.isStall != true { stop(at: instant, isStall: true) }
      case .pause:
        // A stall is a change of the rate too, of the same date.
        let isNew = stopped.map { $0.isStall && $0.instant < instant } ?? true
        if log.began != nil, isNew { stop(at: instant, isStall: false) }
      case .motion: break
      case .rate(let rate):
        log.rates = log.rates ?? []
        if rate != log.rates?.last?.rate ?? .normal {
          log.rates?.append((log.began == nil ? log.play ?? instant : instant, rate))
        }
        log.began = log.began ?? instant
        if let last = stopped, !last.isStall || last.instant < instant {
          stop(at: instant, isStall: nil)
        }
      }
    }
    // A stall that never ended lasts to the end of the log.
    if let (start, isStall) = stopped {
      if !isStall, isEnd(place, of: log, at: start) { (log.ended, stopped) = (start, nil) }
      stop(at: isStall ? max(log.end, latest) : .distantFuture, isStall: nil)
    }
    if log.began == nil, early > 0 { (log.stalls, log.stallCount) = (nil, Int64(early)) }
    log.notes.add(
      log.began == nil
        ? "without a “rateChange” above 0 only the number of stalls is kept"
        : "stalls before the first motion are left out", early)
    if let began = log.began, let startup { log.play = log.play ?? max(.zero, began - startup) }
    if let play = log.play, log.began == nil { log.began = startup.map { play + $0 } }
  }

  /// Whether a place is the end of all video that was asked for, to a second: the rate becomes zero
  /// there without the app's doing.
  private func isEnd(_ place: MediaTime, of log: FieldLog, at instant: Instant) -> Bool {
    // A viewer who gives up in a stall stands at the end of what was asked for as well.
    if log.stalls?.last?.upperBound == instant { return false }
    var (names, end): (Set<String>, MediaTime) = ([], .zero)
    for request in log.requests + log.leftOut where contains("video", in: request.mimeType) {
      let name = "\(request.firstByte ?? 0) " + request.uri
      if let duration = request.duration, names.insert(name).inserted { end = end + duration }
    }
    return log.seeks.isEmpty && end > .zero && (end - place).nanoseconds.magnitude <= 1_000_000_000
  }
}

/// The date from which on thirty days have the most requests, and then the most rows: of several
/// the last, as a clock that was never set is behind.
func firstDate(_ asked: [Int64], _ marks: [Int64] = []) -> Int64? {
  let (asked, all) = (asked.sorted(), (asked + marks).sorted())
  func count(_ dates: [Int64], from start: Int64) -> Int {
    dates.partitionPoint { $0 > start && span(from: start, to: $0) == nil }
      - dates.partitionPoint { $0 >= start }
  }
  func counts(_ start: Int64) -> (Int, Int) { (count(asked, from: start), count(all, from: start)) }
  return asked.isEmpty ? nil : all.reversed().max { counts($0) < counts($1) }
}
