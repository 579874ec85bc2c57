import ExactText
import Recording
import ScenarioFormat
import ScenarioRunner
import Testing
import VirtualTime

/// Requests of a HAR that are for the media of its playlists, however a client or a server names
/// them, and those that carry no media.
@Suite struct FieldRequestTests {
  /// A request of 500 ms; sizes stand for bytes of the body.
  private func entry(
    _ uri: String, bytes: Int = 0, method: String = "GET", status: Int = 200, text: String? = nil,
    target: String = "", range: String? = nil, at milliseconds: Int
  ) -> String {
    let fraction = String("\(1_000 + milliseconds % 1_000)".dropFirst())
    let body = text.map { "\"text\": \"\($0)\", " } ?? ""
    let type = text == nil ? "video/mp4" : "application/x-mpegurl"
    let headers = range.map { "{ \"name\": \"Content-Range\", \"value\": \"bytes \($0)\" }" } ?? ""
    return """
      { "startedDateTime": "2024-02-29T10:00:\(10 + milliseconds / 1_000).\(fraction)Z",
        "time": 500, "request": { "method": "\(method)", "url": "\(uri)" },
        "response": { "status": \(status), "redirectURL": "\(target)", "_transferSize": \(bytes),
          "headers": [ \(headers) ], "content": { \(body)"mimeType": "\(type)" } },
        "timings": { "wait": 100, "receive": 400 } }
      """
  }

  private func session(_ entries: [String], _ frame: String = "") throws -> FieldSession {
    let list = entries.joined(separator: ", ")
    let log = try FieldLog(har: Array("{ \"log\": { \(frame) \"entries\": [ \(list) ] } }".utf8))
    return try FieldSession(log, name: "a", folder: "f/", duration: .seconds(100))
  }

  private func media(_ session: FieldSession) -> String { session.document["media"]?.json ?? "" }

  private static let site = "https://cdn.example/v/"
  private static let main = "#EXTM3U\\n#EXT-X-STREAM-INF:BANDWIDTH=900000\\nlow/l.m3u8\\n"
  private static let list =
    "#EXTM3U\\n#EXT-X-TARGETDURATION:4\\n#EXTINF:4,\\ns1.ts\\n#EXTINF:4,\\ns2.ts\\n"
    + "#EXT-X-ENDLIST\\n"

  /// The requests of one session as a client makes them.
  private func stream(_ requests: (_ uri: String, _ start: Int) -> [(String, String?)]) -> [String]
  {
    let all = [
      ("main.m3u8", 90, Self.main), ("low/l.m3u8", 80, Self.list), ("low/s1.ts", 400_000, nil),
      ("low/s2.ts", 500_000, nil),
    ]
    return all.enumerated().flatMap { index, part in
      requests(Self.site + part.0, index).enumerated().map { hop, request in
        entry(
          request.0, bytes: request.1 == nil ? part.1 : 0, status: request.1 == nil ? 200 : 302,
          text: request.1 == nil ? part.2 : nil, target: request.1 ?? "",
          at: index * 2_000 + hop * 500)
      }
    }
  }

  enum Naming: String, CaseIterable {
    case plain, cmcd, port, upperCase, otherScheme, redirected, twice, segmentsRedirected

    func requests(_ uri: String, _ index: Int) -> [(String, String?)] {
      let edge = uri.replacing("cdn.", with: "edge.")
      switch self {
      case .plain: return [(uri, nil)]
      case .cmcd: return [(uri + "?CMCD=bl%3D\(index)00", nil)]
      case .port: return [(uri.replacing("example/", with: "example:443/"), nil)]
      case .upperCase: return [(uri.replacing("cdn.example", with: "CDN.Example"), nil)]
      case .otherScheme: return [(uri.replacing("https", with: "http"), nil)]
      case .redirected: return [(uri, edge), (edge, nil)]
      case .twice:
        return [(uri, "/hop\(index)"), (FieldRequestTests.hop(index), edge), (edge, nil)]
      case .segmentsRedirected: return index < 2 ? [(uri, nil)] : [(uri, edge), (edge, nil)]
      }
    }
  }

  private static func hop(_ index: Int) -> String { "https://cdn.example/hop\(index)" }

  @Test(arguments: Naming.allCases)
  func `a request is for what a playlist names, through redirects and added queries`(
    naming: Naming
  ) throws {
    let session = try session(stream(naming.requests))
    #expect(
      media(session)
        == #"{"hls":{"playlists":"f/main.m3u8","segmentBytes":[{"playlist":"f/low/l.m3u8","#
        + #""bytes":["400000 B","500000 B"]}]}}"#, "\(naming)")
    #expect(!session.notes.contains { $0.contains("not fetched") || $0.contains("not seen") })
    // 900,000 B in 0.8 s.
    #expect(session.document["link"]?.json.contains("10000000 bit/s") == true)
  }

  /// Some tools leave the member of the target empty.
  @Test(arguments: ["Location", "location"])
  func `a redirect is followed by its header alone`(name: String) throws {
    let entries = stream(Naming.redirected.requests).map { text in
      let member = "\"redirectURL\": \""
      let target = text.split(separator: member)[1].prefix { $0 != "\"" }
      let header = "{ \"name\": \"\(name)\", \"value\": \"\(target)\" }"
      return text.replacing(member + target, with: member)
        .replacing("\"headers\": [ ", with: "\"headers\": [ \(header)")
    }
    #expect(media(try session(entries)).contains(#""bytes":["400000 B","500000 B"]"#))
  }

  @Test func `a playlist of which no segment is asked for is named`() throws {
    let words = "no request is for a segment of the playlists: their media are not seen"
    let other = try session(stream { uri, _ in [(uri.replacing("/s", with: "/other"), nil)] })
    #expect(other.notes.contains(words))
    #expect(try !session(stream { uri, _ in [(uri, nil)] }).notes.contains(words))
  }

  /// Two names that differ in their queries alone are known with these alone.
  @Test func `segments that differ in their queries keep theirs`() throws {
    let list = Self.list.replacing("s1.ts", with: "s.ts?n=1").replacing("s2.ts", with: "s.ts?n=2")
    let session = try session([
      entry(Self.site + "l.m3u8", bytes: 9, text: list, at: 0),
      entry(Self.site + "s.ts?n=2", bytes: 200, at: 1_000),
      entry(Self.site + "s.ts?n=1", bytes: 100, at: 2_000),
      entry(Self.site + "s.ts", bytes: 300, at: 3_000),
    ])
    #expect(media(session).contains(#""bytes":["100 B","200 B"]"#), "\(media(session))")
  }

  @Test(arguments: [
    ("GET", 200, 2), ("GET", 206, 2), ("GET", 204, 1), ("GET", 304, 1), ("GET", 302, 1),
    ("OPTIONS", 200, 1), ("OPTIONS", 204, 1), ("HEAD", 200, 1), ("POST", 200, 1), ("GET", 404, 2),
  ])
  func `a preflight, a redirect or an empty answer is no segment`(
    method: String, status: Int, parts: Int
  ) throws {
    let session = try session([
      entry(Self.site + "l.m3u8", bytes: 9, text: Self.list, at: 0),
      entry(Self.site + "s1.ts", method: method, status: status, at: 1_000),
    ])
    let about = session.document["about"]?.json ?? ""
    #expect(about.contains("with \(parts) request\(parts == 1 ? "" : "s"). Assumed"), "\(about)")
  }

  /// Ranges of a file of 1,000 bytes and 100 s, with their starts in ms, of a playback that began
  /// at 2 s: what the app sought.
  @Test(
    arguments: [
      ([(0, 300, 0), (300, 700, 5_000)], "", false),
      ([(0, 300, 0), (800, 200, 5_000)], "80", false),
      ([(0, 300, 0), (400, 600, 5_000)], "40", false),
      ([(0, 300, 0), (100, 200, 5_000)], "10", false),
      ([(0, 300, 0), (305, 695, 5_000)], "", false),
      ([(0, 300, 0), (310, 690, 5_000)], "31", false),
      ([(0, 300, 0), (800, 0, 5_000), (500, 500, 6_000)], "80, 50", false),
      ([(0, 300, 0), (900, 100, 500), (300, 600, 1_000)], "", false),
      ([(0, 300, 0), (400, 300, 500), (700, 300, 5_000)], "", true),
      ([(0, 300, 0), (600, 200, 5_000), (300, 300, 5_001), (800, 200, 6_000)], "", false),
      ([(0, 300, 0), (600, 200, 5_000), (300, 200, 5_001), (500, 100, 6_000)], "60, 30", false),
    ] as [([(Int, Int, Int)], String, Bool)])
  func `a range of a file that is asked for out of order is a seek once playback has begun`(
    ranges: [(Int, Int, Int)], places: String, isUnknown: Bool
  ) throws {
    let entries = ranges.map { first, bytes, start in
      entry(
        "https://a/film.mp4", bytes: bytes, status: 206,
        range: "\(first)-\(first + bytes - 1)/1000", at: start)
    }
    let frame = """
      "pages": [ { "startedDateTime": "2024-02-29T10:00:10Z",
        "_playback": { "play": 0, "firstMotion": 2000, "stalls": [] } } ],
      """
    let played = try session(entries, frame)
    let script = played.document["script"]?.json ?? ""
    let found = script.split(separator: "\"to\":\"").dropFirst().map { $0.prefix { $0 != " " } }
    #expect(found.joined(separator: ", ") == places, "\(script)")
    let words = "ranges out of order are no seeks where playback is not known to have begun"
    #expect(played.notes.contains { $0.hasPrefix(words) } == isUnknown)
    // Without the start of playback no seek can be told.
    let silent = try session(entries)
    #expect(silent.document["script"]?.json.contains("seek") == false)
    let isInOrder = 300..<310 ~= ranges[1].0 || ranges.count == 4 && places.isEmpty
    #expect(silent.notes.contains { $0.hasPrefix(words) } == !isInOrder)
  }

  /// Bytes of a segment of each of two streams, and the stream that is taken.
  @Test(
    arguments: [(300, 500, 1), (500, 300, 0), (400, 400, 0), (0, 0, 0), (0, 1, 1)], [true, false])
  func `of several streams that with the most segment bytes is taken`(
    loaded: (first: Int, second: Int, taken: Int), haveMasters: Bool
  ) throws {
    let sites = ["https://a/ad/", "https://b/film/"]
    let entries = sites.enumerated().flatMap { index, site -> [String] in
      let master = entry(site + "main.m3u8", bytes: 90, text: Self.main, at: index * 4_000)
      return (haveMasters ? [master] : []) + [
        entry(site + "low/l.m3u8", bytes: 80, text: Self.list, at: index * 4_000 + 500),
        entry(
          site + "low/s1.ts", bytes: index == 0 ? loaded.first : loaded.second,
          at: index * 4_000 + 1_000),
      ]
    }
    let session = try session(entries)
    let name = haveMasters ? "main.m3u8" : "low/l.m3u8"
    #expect(
      session.notes.contains(
        "of 2 streams that with the most segment bytes is taken: \(sites[loaded.taken])\(name)"))
    let bytes = loaded.taken == 0 ? loaded.first : loaded.second
    #expect(media(session).contains("\"bytes\":[\"\(bytes) B\",null]") == (bytes > 0))
  }

  @Test func `a stream that cannot be played is not taken`() throws {
    let odd = "#EXTM3U\\n#EXTINF:4,\\ns1.ts\\n"
    let entries = [
      entry("https://a/odd.m3u8", bytes: 20, text: odd, at: 0),
      entry("https://a/s1.ts", bytes: 900, at: 500),
      entry("https://b/l.m3u8", bytes: 20, text: Self.list, at: 1_000),
      entry("https://b/s1.ts", bytes: 800, at: 1_500),
    ]
    let session = try session(entries)
    #expect(session.notes.contains { $0.hasSuffix("is taken: https://b/l.m3u8") })
    #expect(throws: Diagnostic.self) { try self.session(Array(entries[..<2])) }
  }

  @Test func `an entry that is in a HAR twice counts once`() throws {
    let entries = stream { uri, _ in [(uri, nil)] }
    let (once, twice) = (try session(entries), try session(entries + entries.prefix(3)))
    #expect(twice.notes == ["entries are left out that are there twice: 3"] + once.notes)
    #expect(twice.document["link"]?.json == once.document["link"]?.json)
    // Requests of one kind at once are no duplicates, unless they took as long.
    let ranges = ["0-9/40", "10-19/40"].map {
      entry("https://a/film.mp4", bytes: 10, status: 206, range: $0, at: 0)
    }
    #expect(!(try session(ranges)).notes.contains { $0.contains("twice") })
  }

  /// Both variants name the same segments, and the playlist of one was not fetched.
  @Test(arguments: [0, 1], ["low/l.m3u8", "low/m.m3u8"])
  func `what stands for a playlist that was not fetched takes no sizes of another`(
    place: Int, fetched: String
  ) throws {
    var names = ["low/l.m3u8", "low/m.m3u8"]
    if place == 1 { names.reverse() }
    let main = zip(names, [900_000, 500_000]).map {
      "#EXT-X-STREAM-INF:BANDWIDTH=\($1)\\n\($0)\\n"
    }
    let requests = [
      entry(Self.site + "main.m3u8", text: "#EXTM3U\\n" + main.joined(), at: 0),
      entry(Self.site + fetched, text: Self.list, at: 1_000),
      entry(Self.site + "low/s1.ts", bytes: 400_000, at: 2_000),
      entry(Self.site + "low/s2.ts", bytes: 500_000, at: 4_000),
    ]
    let media = media(try session(requests))
    #expect(media.contains(#"["400000 B","500000 B"]"#), "\(media)")
  }
}
