import TestSupport

/// A log of a session that was not run, as a seed makes it up: sizes, waits and dates are often
/// round numbers, so that much of it falls together.
struct MadeUpLog {
  enum Form: CaseIterable { case stream, segments, file, events, lines, entries, entryEvents }

  let form: Form
  private(set) var text = ""
  private var draw: Draw
  /// Milliseconds since ten o'clock.
  private var clock = 0
  private var count = 0

  init(_ seed: Int) {
    form = Form.allCases[seed % Form.allCases.count]
    draw = Draw(seed: UInt64(seed), part: "log")
    count = draw.within(1...14)
    text =
      switch form {
      case .stream: archive(streamEntries())
      case .segments: archive(segmentEntries())
      case .file: archive(fileEntries())
      case .events: events()
      case .lines: lines()
      case .entries: entryColumns()
      case .entryEvents: entryEvents()
      }
  }

  // MARK: Numbers

  /// A number with zeros before it, up to so many digits.
  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func time(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1_000
    let parts = [10 + seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return parts.joined(separator: ":") + "." + padded(milliseconds % 1_000, 3)
  }

  private static func date(_ milliseconds: Int) -> String {
    "2024-02-29T\(time(milliseconds))Z"
  }

  private mutating func goOn() {
    clock += draw.one(of: [0, 0, 1, 2, 100, 500, 500, 1_000, 1_500, 4_000, draw.below(6_000)])
  }

  private mutating func seconds(_ most: Int) -> String {
    draw.chance(70)
      ? "\(draw.within(0...most))"
      : "\(draw.within(0...most)).\(Self.padded(draw.below(1_000), 3))"
  }

  private mutating func size() -> Int {
    draw.one(of: [
      0, 1_000, 16_383, 16_384, 100_000, 100_000, 250_000, 500_000, 1_000_000,
      draw.below(2_000_000),
    ])
  }

  // MARK: HAR

  private mutating func archive(_ entries: [String]) -> String {
    var pages = ""
    if draw.chance(60) {
      let start = draw.chance(80) ? 0 : draw.below(clock + 1)
      let stalls = (0..<draw.below(4)).map { _ in
        "{ \"start\": \(draw.below(clock + 2_000)), \"duration\": \(draw.below(4) * 700) }"
      }
      var facts: [String] = []
      if draw.chance(70) { facts.append("\"play\": \(draw.below(1_500))") }
      if draw.chance(80) { facts.append("\"firstMotion\": \(draw.below(4_000))") }
      if draw.chance(70) { facts.append("\"stalls\": [ \(stalls.joined(separator: ", ")) ]") }
      pages =
        "\"pages\": [ { \"startedDateTime\": \"\(Self.date(start))\", "
        + "\"_playback\": { \(facts.joined(separator: ", ")) } } ], "
    }
    let creator = draw.chance(15) ? "mitmproxy 10" : "a"
    return "{ \"log\": { \"creator\": { \"name\": \"\(creator)\" }, \(pages)\"entries\": [\n"
      + entries.joined(separator: ",\n") + "\n] } }"
  }

  private mutating func timings() -> (text: String, total: Int, receive: Int) {
    var (parts, total): ([String], Int) = ([], 0)
    for (name, percent, most) in [("blocked", 20, 30), ("dns", 12, 60), ("connect", 20, 120)]
    where draw.chance(percent) {
      var taken = draw.below(most) + 1
      if name == "connect", draw.chance(15) { taken += draw.within(900...2_400) }
      parts.append("\"\(name)\": \(taken)")
      total += taken
      if name == "connect", draw.chance(50) {
        parts.append("\"ssl\": \(draw.within(1...taken))")
        if draw.chance(30) { total += taken / 2 }
      }
    }
    let wait = draw.one(of: [0, 20, 99, 100, 100, 100, 101, 150, 400, 1_100, 1_101, 3_000])
    let receive = draw.one(of: [0, 1, 2, 100, 400, 400, 1_000, 2_000, draw.below(5_000)])
    if draw.chance(30) { parts.append("\"send\": 1") }
    parts += ["\"wait\": \(wait)"] + (draw.chance(95) ? ["\"receive\": \(receive)"] : [])
    return (parts.joined(separator: ", "), total + wait + receive, receive)
  }

  private mutating func entry(
    _ url: String, _ bytes: Int, type: String = "video/mp2t", content: String = "",
    headers: [(String, String)] = [], asked: [(String, String)] = []
  ) -> String {
    let (timings, total, receive) = timings()
    var headers = headers
    if draw.chance(40) {
      headers.append(("Content-Length", "\(draw.chance(85) ? bytes : bytes + 5_000)"))
    }
    func list(_ headers: [(String, String)]) -> String {
      headers.map { "{ \"name\": \"\($0)\", \"value\": \"\($1)\" }" }.joined(separator: ", ")
    }
    let status = draw.one(of: [200, 200, 200, 200, 200, 200, 206, 206, 404, 500, 0, 304])
    var chunks = ""
    if draw.chance(25), bytes > 3 {
      let (first, base) = (draw.below(bytes), draw.below(3_000))
      chunks =
        ", \"_chunks\": [ { \"ts\": \(base), \"bytes\": \(first) }, "
        + "{ \"ts\": \(base + draw.below(receive + 2)), \"bytes\": \(bytes - first) } ]"
    }
    let version = draw.one(of: ["http/1.1", "http/1.1", "h2", "HTTP/2"])
    let text = """
      { "startedDateTime": "\(Self.date(clock))", "time": \(total),
        "request": { "url": "\(url)", "headers": [ \(list(asked)) ] },
        "response": { "status": \(status), "httpVersion": "\(version)", "bodySize": \(bytes),
          "content": { "mimeType": "\(type)"\(content) }, "headers": [ \(list(headers)) ] },
        "timings": { \(timings) }\(chunks) }
      """
    if draw.chance(60) { clock += total + draw.one(of: [0, 0, 1, 2, 3]) }
    goOn()
    return text
  }

  private mutating func segmentEntries() -> [String] {
    var (number, variant) = (draw.within(0...12), 0)
    let ending = draw.one(of: ["ts", "m4s", "mp4"])
    return (0..<count).map { _ in
      number = max(0, number + draw.one(of: [1, 1, 1, 1, 1, 0, 2, -1, 5]))
      if draw.chance(20) { variant = draw.below(3) }
      let isAudio = draw.chance(20)
      let query = draw.chance(20) ? "?t=\(number)" : ""
      let name = isAudio ? "audio/part\(number).m4a" : "v\(variant)/part-\(number).\(ending)"
      if draw.chance(6) { return entry("https://a/list.json", size(), type: "text/plain") }
      return entry(
        "https://a/\(name)\(query)", size(), type: isAudio ? "audio/mp4" : "video/mp2t")
    }
  }

  private mutating func fileEntries() -> [String] {
    let whole = draw.one(of: [100_000, 1_000_000, 3_000_001])
    var first = 0
    return (0..<count).map { place in
      var bytes = min(whole - first, draw.within(1...whole / 3 + 1))
      if place < 3, draw.chance(30) {
        bytes = draw.one(of: [whole / 4, whole / 2, whole / 2 + 1])
        first = whole - bytes
      }
      var headers: [(String, String)] = []
      var asked: [(String, String)] = []
      if draw.chance(80) {
        headers.append(("Content-Range", "bytes \(first)-\(first + bytes - 1)/\(whole)"))
      } else {
        asked.append(("Range", "bytes=\(first)-"))
      }
      if draw.chance(20) { headers.append(("X-Content-Duration", "\(draw.within(4...60))")) }
      let url = draw.chance(90) ? "https://a/film.mp4" : "https://a/other.mp4"
      let text = entry(url, max(0, bytes), type: "video/mp4", headers: headers, asked: asked)
      first = draw.chance(85) ? min(first + bytes, whole - 1) : draw.below(whole)
      return text
    }
  }

  // MARK: A stream with its playlists

  private struct List {
    var name: String
    var text: String
    var segments: [(uri: String, first: Int?)]
  }

  private mutating func list(_ name: String, _ file: String) -> List {
    let isOneFile = draw.chance(25)
    let length = draw.one(of: ["2", "4", "4", "6", "3.5"])
    var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n"
    var (segments, offset): ([(uri: String, first: Int?)], Int) = ([], 0)
    if isOneFile || draw.chance(40) {
      let own = isOneFile ? "\(file).mp4" : "\(file)-init.mp4"
      text += "#EXT-X-MAP:URI=\"\(own)\"" + (isOneFile ? ",BYTERANGE=\"700@0\"\n" : "\n")
      segments.append((own, isOneFile ? 0 : nil))
      if isOneFile { offset = 700 }
    }
    for number in 0..<draw.within(2...9) {
      text += "#EXTINF:\(length),\n"
      if isOneFile {
        let bytes = draw.within(1...9) * 50_000
        text += "#EXT-X-BYTERANGE:\(bytes)" + (draw.chance(50) ? "@\(offset)\n" : "\n")
        segments.append(("\(file).mp4", offset))
        offset += bytes
      } else {
        segments.append(("\(file)-\(number).ts", nil))
      }
      text += segments[segments.count - 1].uri + "\n"
    }
    return List(name: name, text: text + "#EXT-X-ENDLIST\n", segments: segments)
  }

  private mutating func playlistEntry(_ name: String, _ text: String) -> String {
    let quoted = text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    let share = draw.chance(70) ? 100 : draw.one(of: [1, 30, 99])
    return entry(
      "https://a/s/\(name)", text.utf8.count * share / 100, type: "application/x-mpegURL",
      content: ", \"text\": \"\(quoted)\"")
  }

  private mutating func streamEntries() -> [String] {
    var (lists, entries): ([List], [String]) = ([], [])
    let hasAudio = draw.chance(40)
    var master = "#EXTM3U\n"
    if hasAudio {
      let name = draw.one(of: ["sound.m3u8", "sound.m3u8?x=1", "../sound.m3u8"])
      master += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"A\",DEFAULT=YES,URI=\"\(name)\"\n"
      lists.append(list(name, "sound"))
    }
    for variant in 0..<draw.within(1...3) {
      let name = draw.one(of: ["v\(variant).m3u8", "v\(variant).m3u8", "v.m3u8?v=\(variant)"])
      master +=
        "#EXT-X-STREAM-INF:BANDWIDTH=\((variant + 1) * 400_000)"
        + (hasAudio ? ",AUDIO=\"a\"\n" : "\n") + name + "\n"
      lists.append(list(name, "v\(variant)"))
    }
    if draw.chance(85) { entries.append(playlistEntry("main.m3u8", master)) }
    for list in lists where draw.chance(75) {
      entries.append(playlistEntry(list.name, list.text))
    }
    var (current, place) = (draw.below(lists.count), 0)
    for _ in 0..<count {
      if draw.chance(20) { current = draw.below(lists.count) }
      let segments = lists[current].segments
      let segment = segments[min(place, segments.count - 1)]
      let asked = segment.first.map { [("Range", "bytes=\($0)-\($0 + 99)")] } ?? []
      entries.append(entry("https://a/s/\(segment.uri)", size(), asked: asked))
      place = draw.chance(85) ? place + 1 : draw.below(segments.count)
    }
    return entries
  }

  // MARK: Events of AVMetrics

  private mutating func events() -> String {
    var (rows, number): ([String], Int) = ([], 1)
    func event(_ name: String, _ more: String = "") -> String {
      "{ \"event\": \"\(name)\", \"date\": \"\(Self.date(clock))\"\(more) }"
    }
    if draw.chance(80) { rows.append(event("play")) }
    for _ in 0..<count * 2 {
      goOn()
      switch draw.below(11) {
      case 0: rows.append(event("stall"))
      case 1, 2: rows.append(event("rateChange", ", \"rate\": \(draw.one(of: ["1", "0", "1.5"]))"))
      case 3 where draw.chance(50):
        rows.append(event("seek", ", \"to\": \(draw.below(30))"))
      case 4 where draw.chance(40):
        rows.append(event("playbackSummary", ", \"timeSpentInInitialStartup\": \(seconds(3))"))
      case 5 where draw.chance(30): rows.append(event("variantSwitch"))
      case 6 where draw.chance(30): rows.append("{ \"event\": \"play\" }")
      default: rows.append(requestEvent(&number))
      }
    }
    if draw.chance(50) { return "[ \(rows.joined(separator: ",\n")) ]" }
    return rows.joined(separator: "\n")
  }

  private mutating func requestEvent(_ number: inout Int) -> String {
    let wait = draw.one(of: [0, 100, 100, 100, 300, 1_200])
    let ended = wait + draw.one(of: [0, 1, 400, 1_000, 1_000, 3_000])
    var text =
      "{ \"event\": \"r\", \"url\": \"https://a/v\(draw.below(8) / 6)/s\(number).ts\", "
      + "\"requestStart\": \"\(Self.date(clock))\""
    if draw.chance(95) { text += ", \"responseStart\": \"\(Self.date(clock + wait))\"" }
    if draw.chance(95) { text += ", \"responseEnd\": \"\(Self.date(clock + ended))\"" }
    text += ", \"bytes\": \(size())"
    if draw.chance(60) { text += ", \"segmentDuration\": \(draw.one(of: ["4", "4", "6", "0"]))" }
    if draw.chance(15) { text += ", \"mediaType\": \"\(draw.one(of: ["audio", "video"]))\"" }
    if draw.chance(8) { text += ", \"wasReadFromCache\": \(draw.one(of: ["true", "false"]))" }
    if draw.chance(8) { text += ", \"error\": \"gone\"" }
    if draw.chance(50) { clock += ended }
    number += draw.one(of: [1, 1, 1, 1, 2, 0])
    return text + " }"
  }

  // MARK: Lines of a CDN

  private mutating func lines() -> String {
    var rows = [
      "#Version: 1.0",
      "#Fields: date time time-taken time-to-first-byte sc-bytes sc-status x-host-header "
        + "cs-uri-stem cs-uri-query",
    ]
    for number in 1...count * 2 {
      goOn()
      let taken = draw.one(of: ["0", "0.001", "0.5", "0.5", "1", "2", seconds(4)])
      let wait = draw.one(of: ["-", "0.1", "0.1", "0.5", "1", seconds(2)])
      var keys = [draw.one(of: ["ot=v", "ot=v", "ot=a", "ot=m"])]
      if draw.chance(70) { keys.append("d=\(draw.one(of: [4_000, 4_000, 6_000, 0]))") }
      if draw.chance(15) { keys.append("bs") }
      if draw.chance(90) { keys.append("sid=%22\(draw.one(of: ["a", "a", "a", "b"]))%22") }
      let query = draw.chance(94) ? "CMCD=" + keys.joined(separator: "%2C") : "x=1"
      rows.append(
        "2024-02-29 \(Self.time(clock)) \(taken) \(wait) \(size()) "
          + "\(draw.one(of: ["200", "200", "200", "200", "404", "-"])) "
          + "\(draw.one(of: ["cdn", "cdn", "-"])) /v\(draw.below(8) / 6)/\(number).ts \(query)")
    }
    return rows.joined(separator: draw.chance(80) ? "\n" : "\r\n")
  }

  // MARK: Access logs

  private mutating func entryColumns() -> String {
    var rows = [
      "#Fields: date time uri sc-count c-duration-downloaded c-start-time c-duration-watched bytes "
        + "c-transfer-duration c-observed-bitrate sc-indicated-bitrate sc-indicated-avg-bitrate "
        + "c-stalls c-startup-time s-playback-type"
    ]
    var place = 0
    let type = draw.one(of: ["VOD", "VOD", "VOD", "FILE", "LIVE"])
    for _ in 0..<(count + 1) / 2 {
      let watched = draw.one(of: [0, 1, 5, 20, draw.below(90)])
      let (date, hour) = draw.chance(85) ? ("2024-02-29", Self.time(clock)) : ("-", "-")
      let rates = [draw.below(4) * 1_000_000, draw.below(4) * 500_000, draw.below(3) * 300_000]
        .map { $0 == 0 ? "-" : "\($0)" }
      rows.append(
        "\(date) \(hour) a \(draw.below(20)) \(seconds(60)) \(place) \(watched) \(size() * 4) "
          + "\(seconds(9)) \(rates.joined(separator: " ")) \(draw.below(3)) "
          + "\(draw.chance(70) ? seconds(4) : "-") \(type)")
      place += watched + draw.one(of: [0, 0, 0, 1, 2, -3])
      place = max(0, place)
      clock += watched * 1_000
      goOn()
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private mutating func entryEvents() -> String {
    var (rows, place): ([String], Int) = ([], 0)
    for _ in 0..<(count + 1) / 2 {
      let watched = draw.one(of: [0, 1, 5, 20, draw.below(90)])
      var text = "{ \"URI\": \"a\", \"durationWatched\": \(watched)"
      if draw.chance(70) { text += ", \"playbackStartDate\": \"\(Self.date(clock))\"" }
      text += ", \"playbackStartOffset\": \(place), \"numberOfBytesTransferred\": \(size() * 3)"
      for (name, percent, most) in [
        ("segmentsDownloadedDuration", 60, 40), ("numberOfMediaRequests", 60, 12),
        ("transferDuration", 60, 9), ("numberOfStalls", 40, 3), ("startupTime", 50, 3),
      ] where draw.chance(percent) { text += ", \"\(name)\": \(draw.within(0...most))" }
      for name in ["observedBitrate", "indicatedBitrate", "indicatedAverageBitrate"]
      where draw.chance(50) { text += ", \"\(name)\": \(draw.within(-1...4) * 400_000)" }
      if draw.chance(10) { text += ", \"playbackType\": \"FILE\"" }
      rows.append(text + " }")
      place = max(0, place + watched + draw.one(of: [0, 0, 1, 2, -2]))
      clock += watched * 1_000
      goOn()
    }
    if draw.chance(60) { return "[ \(rows.joined(separator: ", ")) ]" }
    return rows.joined(separator: "\n")
  }
}
