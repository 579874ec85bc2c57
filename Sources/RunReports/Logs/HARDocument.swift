package import ExactText
import LinkConditioner
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The requests of a run as a HAR 1.2: the session of a viewer whose link and player are known.
package struct HARDocument {
  private let scenario: Scenario
  private let outcome: RunOutcome
  private let arrivals: ArrivalPoints
  private let host: String
  private let requests: [StartupStage]
  /// As lines of the trace have them, by the number of the request.
  private var uris: [Int64: String] = [:]
  private var items: [Int64: String] = [:]
  private var failures: [Int64: String] = [:]

  /// - Parameter outcome: Of a run that kept its trace and its curves.
  package init(_ scenario: Scenario, _ outcome: RunOutcome) {
    (self.scenario, self.outcome) = (scenario, outcome)
    arrivals = ArrivalPoints(scenario, outcome)
    requests = Self.requests(of: outcome)
    let isSecure = outcome.curves?.requests.contains { $0.steps?.security != nil } == true
    host = (isSecure ? "https" : "http") + "://media.example/"
    for line in outcome.trace.split(separator: 0x0A) {
      guard let value = try? JSONValue(parsing: line),
        let request = value["request"]?.units(places: 0)
      else { continue }
      if let uri = value["uri"]?.string { uris[request] = uri }
      if let item = value["item"]?.string { items[request] = item }
      if let failure = value["error"]?.string { failures[request] = failure }
    }
  }

  package var document: JSONTree {
    [
      "log": [
        "version": "1.2", "creator": ["name": "goldilocks", "version": .string(Tool.version)],
        "pages": [page], "entries": .list(requests) { entry($0) },
      ]
    ]
  }

  /// The requests; one that is still open has the bytes that the books leave to it alone.
  private static func requests(of outcome: RunOutcome) -> [StartupStage] {
    var requests = outcome.curves?.requests ?? []
    let flowing = requests.indices.filter {
      requests[$0].received == nil && requests[$0].responded != nil
    }
    let rest = requests.reduce(outcome.player.media.bytes) { $0 - ($1.received ?? 0) }
    if flowing.count == 1, rest >= 0, rest <= requests[flowing[0]].bytes ?? .max {
      requests[flowing[0]].received = rest
    }
    return requests
  }

  /// The page, with what a HAR has no member for: when playback was asked for, began and stalled.
  private var page: JSONTree {
    let stalls = outcome.player.books.stalls
    return [
      "startedDateTime": .string(calendarText(.zero)), "id": "page_1",
      "title": .string(scenario.name),
      "pageTimings": ["onContentLoad": .whole(-1), "onLoad": .whole(-1)],
      "_playback": [
        "play": outcome.player.books.firstRequest.map { milliseconds($0 - .zero) },
        "firstMotion": outcome.startup.began.map { milliseconds($0 - .zero) },
        "stalls": .list(stalls) { stall in
          [
            "start": milliseconds(stall.start - .zero),
            "duration": milliseconds((stall.end ?? outcome.ended) - stall.start),
          ]
        },
      ],
    ]
  }

  /// Files have no URI in a scenario: those of a queue are called by their items.
  private func uri(_ request: StartupStage) -> String {
    let id = Int64(request.id.rawValue)
    if request.resource != nil { return uris[id] ?? "" }
    return items[id].map { $0 + ".mp4" } ?? scenario.item.label
  }

  private func source(_ request: StartupStage) -> MediaSource {
    scenario.source(of: items[Int64(request.id.rawValue)])
  }

  private func entry(_ request: StartupStage) -> JSONTree {
    let ended = request.ended ?? outcome.ended
    let chunks = arrivals.points(request)
    let received = request.received ?? (request.responded == nil ? 0 : -1)  // HAR 1.2: unknown.
    var version: JSONTree = "HTTP/1.1"
    if let http = scenario.requests?.http, case .http2 = http.version { version = "h2" }
    let body = request.ended.flatMap { _ in text(of: request) }
    let response: JSONTree = [
      "status": .whole(status(request)), "statusText": "", "httpVersion": version, "cookies": [],
      "headers": .list(headers(request)) { ["name": .string($0.0), "value": .string($0.1)] },
      "content": [
        "size": .whole(body.map { Int64($0.utf8.count) } ?? received),
        "compression": body.map { .whole(Int64($0.utf8.count) - received) },
        "mimeType": .string(mimeType(request)), "text": body.map { .string($0) },
      ],
      "redirectURL": "", "headersSize": .whole(-1), "bodySize": .whole(received),
      "_transferSize": received == 0 ? .whole(0) : nil,
      "_error": failures[Int64(request.id.rawValue)].map { .string($0) },
    ]
    let range = range(of: request).map { "bytes=\($0.lowerBound)-\($0.upperBound - 1)" }
    let asked = request.resource == nil ? "bytes=\(request.firstByte)-" : range
    let uri = resolvedURI(uri(request), against: host)
    return [
      "pageref": "page_1", "startedDateTime": .string(calendarText(request.requested)),
      "time": milliseconds(ended - request.requested),
      "request": [
        "method": "GET", "url": .string(uri), "httpVersion": version, "cookies": [],
        "headers": .list([asked].compactMap { $0 }) { ["name": "Range", "value": .string($0)] },
        "queryString": .list(queryParameters(of: uri)) {
          ["name": .string($0.name), "value": .string($0.value)]
        },
        "headersSize": .whole(-1), "bodySize": .whole(0),
      ],
      "response": response, "cache": [:], "timings": timings(request, ended),
      "connection": request.steps.flatMap {
        $0.connection > 0 ? .string("\($0.connection)") : nil
      },
      "_chunks": chunks.isEmpty
        ? nil
        : .list(chunks) { ["ts": milliseconds($0.instant - .zero), "bytes": .whole($0.bytes)] },
    ]
  }

  private func status(_ request: StartupStage) -> Int64 {
    if let words = failures[Int64(request.id.rawValue)], words.hasPrefix("HTTP ") {
      return Int64(words.dropFirst(5)) ?? 0
    }
    if request.responded == nil { return 0 }
    return request.resource == nil || range(of: request) != nil ? 206 : 200
  }

  private func headers(_ request: StartupStage) -> [(String, String)] {
    if request.responded == nil { return [] }
    if let bytes = request.bytes {
      let range = range(of: request).map { "bytes \($0.lowerBound)-\($0.upperBound - 1)/*" }
      return [("Content-Length", "\(bytes)")] + (range.map { [("Content-Range", $0)] } ?? [])
    }
    guard let file = source(request).file else { return [] }
    let whole = file.map.bytes + file.headAtomBytes
    let rest = max(0, whole - request.firstByte)
    return [
      ("Content-Length", "\(request.isHeadAtom ? file.headAtomBytes : rest)"),
      ("Content-Range", "bytes \(request.firstByte)-\(whole - 1)/\(whole)"),
      ("X-Content-Duration", JSONTree.seconds(file.map.duration.nanoseconds).json),
    ]
  }

  private func mimeType(_ request: StartupStage) -> String {
    switch request.resource {
    case .multivariantPlaylist, .mediaPlaylist: "application/vnd.apple.mpegurl"
    case .contentKey: "application/octet-stream"
    case .mapSegment, .mediaSegment: request.track == .audio ? "audio/mp4" : "video/mp4"
    case nil: "video/mp4"
    }
  }

  /// HAR 1.2: -1 for what does not apply, and the handshake is a part of `connect`.
  private func timings(_ request: StartupStage, _ ended: Instant) -> JSONTree {
    let steps = request.ownSteps
    func part(_ span: TimeSpan?) -> JSONTree { span.map { milliseconds($0) } ?? .whole(-1) }
    let receive = request.responded.map { ended - $0 } ?? .zero
    var rest = ended - request.requested - receive - (steps?.waiting ?? .zero)
    rest = rest - (steps?.lookup ?? .zero)
    let opening = steps?.connect.map { $0 + (steps?.security ?? .zero) }
    return [
      "blocked": part(steps?.waiting), "dns": part(steps?.lookup), "connect": part(opening),
      "ssl": part(opening.flatMap { _ in steps?.security }),
      "send": .whole(0), "wait": milliseconds(max(.zero, rest - (opening ?? .zero))),
      "receive": milliseconds(receive),
    ]
  }

  private func milliseconds(_ span: TimeSpan) -> JSONTree { .decimal(span.nanoseconds, places: 6) }

  /// Nil of a live stream, whose playlist has another text at each reload.
  private func presentation(_ request: StartupStage) -> Presentation? {
    source(request).stream.flatMap { $0.live == nil ? $0.presentation : nil }
  }

  private func text(of request: StartupStage) -> String? {
    let uri = uri(request)
    guard let presentation = presentation(request), request.responded != nil,
      request.resource == .multivariantPlaylist || request.resource == .mediaPlaylist
    else { return nil }
    let path = URIReference(uri).filePath ?? ""
    if let file = scenario.files.first(where: { isSameText($0.path, path) }) { return file.text }
    if request.resource == .multivariantPlaylist { return presentation.multivariantText() }
    guard let list = presentation.lists.first(where: { isSameText($0.uri, uri) }) else {
      return nil
    }
    var text = ""
    list.write(list.whole, of: list.type, withParts: false, to: &text)
    return text
  }

  /// The part of a resource that is asked for; nil of a whole one.
  private func range(of request: StartupStage) -> Range<Int64>? {
    guard let bytes = request.bytes, bytes > 0 else { return nil }
    let uri = uri(request)
    for list in presentation(request)?.lists ?? [] {
      if request.resource == .mapSegment {
        let map = list.maps.indices.first { isSameText(list.uri(ofMap: $0), uri) }
        guard let map else { continue }
        return list.maps[map].byteRange.map { $0.offset..<$0.offset + $0.length }
      }
      guard let start = request.media?.lowerBound, case .listed(let names) = list.naming,
        let index = list.index(at: start), isSameText(list.uri(of: index), uri)
      else { continue }
      let before = names[..<index].reversed().prefix { isSameText($0, names[index]) }.count
      let map = list.maps.first { isSameText($0.uri, names[index]) }?.byteRange
      let isLast = names.dropFirst(index + 1).first.map { !isSameText($0, names[index]) } ?? true
      if before == 0, isLast, map == nil { return nil }
      let head = map.map { $0.offset + $0.length } ?? 0
      let first = list.segments[index - before..<index].reduce(head) { $0 + $1.bytes }
      return first..<first + bytes
    }
    return nil
  }
}

/// Bytes that had arrived when the link's rate or the number of transfers changed.
///
/// Transfers share a fluid link equally; over tcp, and beside other traffic, there are no points.
private struct ArrivalPoints {
  private let end: Instant
  private var marks: [Instant] = []
  /// Bits that each transfer could have got by a mark, times a billion.
  private var shares: [Int128] = [0]

  init(_ scenario: Scenario, _ outcome: RunOutcome) {
    end = outcome.ended
    guard scenario.fidelity == .fluid, scenario.traffic.isEmpty, outcome.others.isEmpty,
      let capacity = outcome.capacity, capacity.allSatisfy({ $0.rate != nil })
    else { return }
    var ends: [(instant: Instant, change: Int128)] = []
    for request in outcome.curves?.requests ?? [] {
      guard let responded = request.responded else { continue }
      ends += [(responded, 1), (request.ended ?? outcome.ended, -1)]
    }
    ends.sort { $0.instant < $1.instant }
    marks = (ends.map { $0.instant } + capacity.map { $0.start }).sorted()
    var (active, next) = (Int128(0), 0)
    for (mark, after) in zip(marks, marks.dropFirst()) {
      while next < ends.count, ends[next].instant <= mark {
        (active, next) = (active + ends[next].change, next + 1)
      }
      let rate = Int128(capacity.mean(from: mark, to: after) ?? 0)
      let share = rate * Int128((after - mark).nanoseconds) / max(1, active)
      shares.append(shares[shares.count - 1] + share)
    }
  }

  /// Nothing where the bytes arrived evenly, or where the player or a fault held them back: the
  /// link's rate does not say then when they came.
  func points(_ request: StartupStage) -> [(instant: Instant, bytes: Int64)] {
    guard let start = request.responded, let received = request.received, !marks.isEmpty,
      start < request.ended ?? end
    else { return [] }
    let first = marks.partitionPoint { $0 >= start }
    let last = marks.partitionPoint { $0 >= request.ended ?? end }
    let whole = shares[last] - shares[first]
    if whole <= 0 { return [] }
    let bytes = Int128(received)
    if abs(whole - bytes * 8_000_000_000) * 100 > bytes * 8_000_000_000 { return [] }
    var (points, sent): ([(instant: Instant, bytes: Int64)], Int128) = ([], 0)
    for place in first...last where place == last || marks[place] != marks[place + 1] {
      if marks[place] == start { continue }
      let arrived = bytes * (shares[place] - shares[first]) / whole
      points.append((marks[place], Int64(clamping: arrived - sent)))
      sent = arrived
    }
    return points.count > 1 || request.ended == nil ? points : []
  }
}
