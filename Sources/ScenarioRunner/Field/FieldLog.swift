import ExactText
package import Recording
import ScenarioFormat
package import VirtualTime

/// A playback session as logs from outside tell it: nil and empty where they say nothing.
package struct FieldLog: Sendable {
  /// The format that it was read from, such as "har".
  package var source: String
  package var requests: [FieldRequest] = []
  /// The app's call to play, and the first motion.
  package var play: Instant?
  package var began: Instant?
  /// In order; nil where the log knows nothing of stalls.
  package var stalls: [Range<Instant>]?
  /// Duration of the media.
  package var duration: MediaTime?
  /// Facts about the reading that a reader of the result should know.
  package var notes: [String] = []

  package init(source: String) { self.source = source }

  /// The call to play; the start of the session where it is not known.
  var asked: Instant { play ?? .zero }

  /// The last instant at which something is known to have happened.
  var end: Instant {
    let ends = requests.map { $0.ended ?? $0.responded ?? $0.started } + [began ?? .zero]
    return (ends + (stalls ?? []).map { $0.upperBound }).max() ?? .zero
  }
}

/// A request of a field session.
package struct FieldRequest: Sendable {
  package var uri: String
  package var started: Instant
  package var responded: Instant?
  /// Nil where it is not known when it ended.
  package var ended: Instant?
  package var steps = RequestSteps()
  /// Bytes of the body that arrived, and the size of all that was asked for.
  package var bytes: Int64?
  package var size: Int64?
  /// First byte of a range, and the size of the resource that it is a part of.
  package var firstByte: Int64?
  package var resourceBytes: Int64?
  package var mimeType = ""
  package var outcome = StartupStage.Outcome.completed
  package var isHTTP2 = false
  /// Bytes that arrived by an instant, since the one before it or the first byte.
  package var arrivals: [(instant: Instant, bytes: Int64)] = []
  /// Text of a playlist, where the log holds it.
  package var playlist: [UInt8]?

  package init(uri: String, started: Instant) {
    (self.uri, self.started) = (uri, started)
  }

  mutating func move(by shift: TimeSpan) {
    started = started + shift
    responded = responded.map { $0 + shift }
    ended = ended.map { $0 + shift }
    arrivals = arrivals.map { ($0.instant + shift, $0.bytes) }
  }

  /// From the request on an open connection to the first byte.
  var answerTime: TimeSpan? { steps.response ?? responded.map { $0 - started } }
}

extension Diagnostic {
  /// A mistake in a log, whose reader names the file.
  init(_ message: String, at position: TextPosition? = nil, expected: String? = nil) {
    self.init(file: "", position: position, message: message, expected: expected)
  }
}

/// Limits of what is taken from a log: beyond them its writer is wrong.
enum FieldLimits {
  /// As much as a scenario's media may have.
  static let mostBytes: Int64 = 10_000_000_000_000
  /// 30 days.
  static let longest: Int64 = 2_592_000_000_000_000
  static let mostEntries = 100_000
  static let mostRequests = 20_000
  static let longestPlaylist = 4_000_000
}

extension JSONValue {
  /// The nearest whole number of units of 10⁻ᵖˡᵃᶜᵉˢ; nil for what is no number or no `Int64`.
  func nearest(places: Int) -> Int64? {
    guard let bytes = numberBytes, let decimal = try? ExactDecimal(json: bytes) else { return nil }
    var (value, power) = (decimal.significand, decimal.exponent + places)
    if power < -38 || value == 0 { return 0 }
    while power < 0 { (value, power) = ((value + (power == -1 ? 5 : 0)) / 10, power + 1) }
    while power > 0 {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      (value, power) = (product, power - 1)
    }
    return Int64(exactly: decimal.isNegative ? -value : value)
  }

  /// A number of bytes; nil for -1, which stands for unknown.
  var byteCount: Int64? {
    nearest(places: 0).flatMap { 0...FieldLimits.mostBytes ~= $0 ? $0 : nil }
  }

  /// Milliseconds as a span of time; nil for -1, which stands for unknown.
  var milliseconds: TimeSpan? {
    nearest(places: 6).flatMap {
      0...FieldLimits.longest ~= $0 ? TimeSpan(nanoseconds: $0) : nil
    }
  }
}

func lowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }, as: UTF8.self)
}

func contains(_ part: String, in text: String) -> Bool {
  occurs(Array(part.utf8), in: Array(text.utf8)[...])
}

/// A URI without its query and fragment.
func path(of uri: String) -> String {
  String(
    decoding: uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
}
