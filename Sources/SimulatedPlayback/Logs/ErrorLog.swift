import LinkConditioner
public import VirtualTime

/// The errors of an item's network access, including those that it recovered from.
public struct ErrorLog: Hashable, Sendable {
  /// Never empty: an item with which nothing went wrong has no log.
  public var events: [ErrorLogEvent]

  package init(events: [ErrorLogEvent]) {
    self.events = events
  }
}

/// One error, in the words of AVPlayerItemErrorLogEvent.
///
/// The comments are those that Apple shows (WWDC18 502). The status codes are not documented; these
/// are the ones that apps report.
public struct ErrorLogEvent: Hashable, Sendable {
  /// The instant of the run.
  public var date: Instant
  public var uri: String
  public var statusCode: Int64
  public var domain: String
  public var comment: String

  package init(date: Instant, uri: String, statusCode: Int64, domain: String, comment: String) {
    self.date = date
    self.uri = uri
    self.statusCode = statusCode
    self.domain = domain
    self.comment = comment
  }
}

extension ErrorLogEvent {
  private static let mediaDomain = "CoreMediaErrorDomain"
  private static let networkDomain = "NSURLErrorDomain"

  /// A media file of which nothing came for so long.
  static func mediaFileNotReceived(
    _ uri: String, within span: TimeSpan, at now: Instant
  ) -> ErrorLogEvent {
    ErrorLogEvent(
      date: now, uri: uri, statusCode: -12889, domain: mediaDomain,
      comment: "media file not received in \(secondsText(span)) seconds")
  }

  /// A live playlist that was read twice and had not changed.
  static func playlistUnchanged(_ uri: String, at now: Instant) -> ErrorLogEvent {
    ErrorLogEvent(
      date: now, uri: uri, statusCode: -12888, domain: mediaDomain,
      comment: "playlist file unchanged for two consecutive reads")
  }

  /// A segment that needs more than its variant declares: a risk of stalls and no more.
  static func segmentExceedsBandwidth(_ uri: String, at now: Instant) -> ErrorLogEvent {
    ErrorLogEvent(
      date: now, uri: uri, statusCode: -12318, domain: mediaDomain,
      comment: "segment exceeds specified bandwidth for variant")
  }

  /// A request that broke.
  init(_ uri: String, _ failure: TransferFailure, at now: Instant) {
    let (code, domain, comment): (Int64, String, String) =
      switch failure {
      case .httpStatus(let status): Self.http(status)
      case .connectionReset:
        (-1005, Self.networkDomain, "the network connection was lost")
      case .timedOut: (-1001, Self.networkDomain, "the request timed out")
      case .impossibleSize: (-1011, Self.networkDomain, "bad server response")
      case .tooManyTransfers: (-1004, Self.networkDomain, "could not connect to the server")
      }
    self.init(date: now, uri: uri, statusCode: code, domain: domain, comment: comment)
  }

  private static func http(_ status: Int32) -> (Int64, String, String) {
    switch status {
    case 401: (-12937, mediaDomain, "HTTP 401: authentication error")
    case 403: (-12660, mediaDomain, "HTTP 403: forbidden")
    case 404: (-12938, mediaDomain, "HTTP 404: file not found")
    default: (-12666, mediaDomain, "unrecognized http response \(status)")
    }
  }
}

/// A span in seconds, with as many decimals as it has.
private func secondsText(_ span: TimeSpan) -> String {
  let (whole, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
  if rest == 0 { return "\(whole)" }
  var digits = "\(rest + 1_000_000_000)".utf8.dropFirst()
  while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  return "\(whole)." + String(decoding: digits, as: UTF8.self)
}
