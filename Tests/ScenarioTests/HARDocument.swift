import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The requests of a run as a HAR 1.2: the session of a viewer whose link and player are known.
struct HARDocument {
  private let scenario: Scenario
  private let outcome: RunOutcome
  private let bodies: PlaylistBodies
  private let arrivals: ArrivalPoints
  private let host: String
  /// As lines of the trace have them, by the number of the request.
  private var uris: [Int64: String] = [:]

  /// - Parameter outcome: Of a run that kept its trace and its curves.
  init(_ scenario: Scenario, _ outcome: RunOutcome) {
    (self.scenario, self.outcome) = (scenario, outcome)
    bodies = PlaylistBodies(scenario)
    arrivals = ArrivalPoints(scenario, outcome)
    let isSecure = outcome.curves?.requests.contains { $0.steps?.security != nil } == true
    host = (isSecure ? "https" : "http") + "://media.example/"
    for line in outcome.trace.split(separator: 0x0A) {
      guard let value = try? JSONValue(parsing: line), let uri = value["uri"]?.string,
        let request = value["request"]?.units(places: 0)
      else { continue }
      uris[request] = uri
    }
  }

  private func uri(_ request: StartupStage) -> String { uris[Int64(request.id.rawValue)] ?? "" }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("log")
    writer.beginObject()
    writer.members([
      "version": "1.2",
      "creator": ["name": "goldilocks", "version": .string(Tool.version)],
      "pages": [page],
    ])
    writer.key("entries")
    writer.beginArray()
    for request in outcome.curves?.requests ?? [] { writer.tree(entry(request)) }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.endLine()
  }

  /// The page, with what a HAR has no member for: when playback was asked for, began and stalled.
  private var page: JSONTree {
    let stalls = outcome.player.books.stalls
    return [
      "startedDateTime": date(.zero), "id": "page_1", "title": .string(scenario.name),
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

  // MARK: Entries

  private func entry(_ request: StartupStage) -> JSONTree {
    let ended = request.ended ?? outcome.ended
    let chunks = arrivals.points(request)
    let received = request.received ?? chunks.reduce(0) { $0 + $1.bytes }
    let name = request.resource == nil ? "media.mp4" : uri(request)
    var version: JSONTree = "HTTP/1.1"
    if let http = scenario.requests?.http, case .http2 = http.version { version = "h2" }
    let body = bodies.text(of: request, uri(request))
    var response: JSONTree = [
      "status": .whole(status(request)), "statusText": "", "httpVersion": version, "cookies": [],
      "headers": .list(headers(request)) { ["name": .string($0.0), "value": .string($0.1)] },
      "content": [
        "size": .whole(body.map { Int64($0.utf8.count) } ?? received),
        "compression": body.map { .whole(Int64($0.utf8.count) - received) },
        "mimeType": .string(mimeType(request)), "text": body.map { .string($0) },
      ],
      "redirectURL": "", "headersSize": .whole(-1), "bodySize": .whole(received),
    ]
    if request.outcome == .failed { response = response + ["_error": "failed"] }
    let first =
      request.resource == nil ? request.firstByte : bodies.firstByte(of: request, uri(request))
    let range: JSONTree? = first.map { ["name": "Range", "value": .string("bytes=\($0)-")] }
    return [
      "pageref": "page_1", "startedDateTime": date(request.requested),
      "time": milliseconds(ended - request.requested),
      "request": [
        "method": "GET", "url": .string(resolvedURI(name, against: host)), "httpVersion": version,
        "cookies": [], "headers": .array([range].compactMap { $0 }), "queryString": [],
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

  private func status(_ request: StartupStage) -> Int {
    if request.responded == nil { return 0 }
    return request.resource == nil ? 206 : 200
  }

  private func headers(_ request: StartupStage) -> [(String, String)] {
    if request.responded == nil { return [] }
    if let bytes = request.bytes { return [("Content-Length", "\(bytes)")] }
    guard let file = scenario.item.source.file else { return [] }
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
    let steps = request.steps
    func part(_ span: TimeSpan?) -> JSONTree { span.map { milliseconds($0) } ?? .whole(-1) }
    let receive = request.responded.map { ended - $0 } ?? .zero
    var rest = ended - request.requested - receive - (steps?.waiting ?? .zero)
    rest = rest - (steps?.lookup ?? .zero)
    // A connection may have begun to open before the request.
    let opening = steps?.connect.map {
      min($0 + (steps?.security ?? .zero), max(.zero, rest - (steps?.response ?? .zero)))
    }
    return [
      "blocked": part(steps?.waiting), "dns": part(steps?.lookup), "connect": part(opening),
      "ssl": part(opening.flatMap { opening in steps?.security.map { min($0, opening) } }),
      "send": .whole(0), "wait": milliseconds(max(.zero, rest - (opening ?? .zero))),
      "receive": milliseconds(receive),
    ]
  }

  /// The run begins at the start of 1970, and lasts less than a month.
  private func date(_ instant: Instant) -> JSONTree {
    let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = "\(1_000_000_000 + rest)".utf8.dropFirst()
    return .string(
      "1970-01-\(two(seconds / 86_400 + 1))T\(two(seconds / 3_600 % 24)):"
        + "\(two(seconds / 60 % 60)):\(two(seconds % 60))."
        + String(decoding: Array(fraction), as: UTF8.self) + "Z")
  }

  private func milliseconds(_ span: TimeSpan) -> JSONTree { .decimal(span.nanoseconds, places: 6) }
}

/// Texts of the playlists that a scenario's player fetches.
private struct PlaylistBodies {
  private let presentation: Presentation?
  private let files: [ScenarioFile]

  init(_ scenario: Scenario) {
    files = scenario.files
    // A live playlist has another text at each reload.
    guard case .stream(let settings) = scenario.item.source, settings.live == nil else {
      presentation = nil
      return
    }
    presentation = settings.presentation
  }

  func text(of request: StartupStage, _ uri: String) -> String? {
    guard let presentation, request.responded != nil,
      request.resource == .multivariantPlaylist || request.resource == .mediaPlaylist
    else { return nil }
    let path = URIReference(uri).filePath
    if let file = files.first(where: { isSameText($0.path, path ?? "") }) { return file.text }
    if request.resource == .multivariantPlaylist { return presentation.multivariantText() }
    guard let list = presentation.lists.first(where: { isSameText($0.uri, uri) }) else {
      return nil
    }
    var sink = TextSink()
    list.write(list.whole, of: list.type, withParts: false, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

extension PlaylistBodies {
  /// The first byte of a segment that is one of several in a file; nil of any other.
  func firstByte(of request: StartupStage, _ uri: String) -> Int64? {
    guard let start = request.media?.lowerBound else { return nil }
    for list in presentation?.lists ?? [] {
      guard case .listed(let names) = list.naming, let index = list.index(at: start),
        isSameText(list.uri(of: index), uri)
      else { continue }
      let before = names[..<index].reversed().prefix { isSameText($0, names[index]) }.count
      let map = list.maps.first { isSameText($0.uri, names[index]) }?.byteRange
      let head = map.map { $0.offset + $0.length }
      if before == 0, head == nil { return nil }
      return list.segments[index - before..<index].reduce(head ?? 0) { $0 + $1.bytes }
    }
    return nil
  }
}

private struct TextSink: PlaylistSink {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: String) { bytes += text.utf8 }
  mutating func write(_ number: Int64) { bytes += "\(number)".utf8 }
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

  /// Nothing where the bytes arrived evenly.
  func points(_ request: StartupStage) -> [(instant: Instant, bytes: Int64)] {
    guard let start = request.responded, start < request.ended ?? end, !marks.isEmpty else {
      return []
    }
    let first = marks.partitionPoint { $0 >= start }
    let last = marks.partitionPoint { $0 >= request.ended ?? end }
    let whole = shares[last] - shares[first]
    if whole <= 0 { return [] }
    let bytes = request.received.map { Int128($0) } ?? whole / 8_000_000_000
    var (points, sent): ([(instant: Instant, bytes: Int64)], Int128) = ([], 0)
    for place in first + 1...last where place == last || marks[place] != marks[place + 1] {
      let arrived = bytes * (shares[place] - shares[first]) / whole
      points.append((marks[place], Int64(clamping: arrived - sent)))
      sent = arrived
    }
    return points.count > 1 || request.received == nil ? points : []
  }
}
