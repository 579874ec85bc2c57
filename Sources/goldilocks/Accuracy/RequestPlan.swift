struct PlannedRequest: Sendable {
  /// Send time of the request, in milliseconds.
  enum Time: Sendable {
    /// So long after the answer before it, or after the client's start.
    case pause(Double)
    /// At a time since the start of the session, or as soon as the answer before it was there.
    case at(Double)
  }

  var time: Time
  var bytes: Int64
  var opensConnection: Bool
}

/// Requests of one client, one answer after the other on one connection.
enum RequestPlan {
  static let longestPause = 4_000_000.0
  static let mostBytes: Int64 = 100_000_000_000

  /// Reads `C0:500000,0:500000,@6000:1350000`: `C` opens a connection first, `@` is a time since
  /// the start, anything else a pause; nil for other text, or where it begins without a connection.
  static func requests(_ text: String) -> [PlannedRequest]? {
    var requests: [PlannedRequest] = []
    for item in text.split(separator: ",") {
      let parts = item.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let bytes = Int64(parts[1]), (0...mostBytes).contains(bytes),
        let time = time(parts[0])
      else { return nil }
      let opens = parts[0].utf8.first == UInt8(ascii: "C")
      if requests.isEmpty && !opens { return nil }
      requests.append(PlannedRequest(time: time, bytes: bytes, opensConnection: opens))
    }
    return requests.isEmpty ? nil : requests
  }

  private static func time(_ text: Substring) -> PlannedRequest.Time? {
    let mark = text.utf8.first
    let isMarked = mark == UInt8(ascii: "C") || mark == UInt8(ascii: "@")
    guard let number = Double(isMarked ? text.dropFirst() : text),
      (0...longestPause).contains(number)
    else { return nil }
    return mark == UInt8(ascii: "@") ? .at(number) : .pause(number)
  }
}
