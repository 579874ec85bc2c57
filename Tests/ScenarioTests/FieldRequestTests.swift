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
}
