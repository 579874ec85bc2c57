package import ExactText
import LinkConditioner
package import Recording
import ScenarioFormat
package import SimulatedPlayback
package import VirtualTime

/// A playback session as a log tells it: nil and empty where the log says nothing.
package struct FieldLog: Sendable {
  package var source: String
  package var requests: [FieldRequest] = []
  /// Requests that are left out: their media were not passed over.
  var leftOut: [FieldRequest] = []
  /// Entries of an access log, which tells of no request.
  package var entries: [AccessLogEvent] = []
  /// The app's call to play, the first motion, and the end of the media where playback reached it.
  package var play: Instant?
  package var began: Instant?
  package var ended: Instant?
  /// Nil where the log knows nothing of stalls.
  package var stalls: [Range<Instant>]?
  /// The same of a log that does not tell when they were.
  package var stallCount: Int64?
  /// One that never ended lasts to the distant future.
  package var pauses: [Range<Instant>] = []
  package var seeks: [(instant: Instant, target: MediaTime)] = []
  /// Changes of the rate, which is 1 at first; nil where the log knows nothing of rates.
  package var rates: [(instant: Instant, rate: PlaybackRate)]?
  package var duration: MediaTime?
  package var segmentDuration: MediaTime?
  package var notes: [String] = []

  init(_ source: String) { self.source = source }

  var end: Instant {
    let spans = ((stalls ?? []) + pauses).flatMap { [$0.lowerBound, $0.upperBound] }
    let ends = requests.map { $0.end } + entries.map { $0.end } + seeks.map { $0.instant }
    return (ends + (rates ?? []).map { $0.instant } + spans.filter { $0 < .distantFuture })
      .reduce(max(play ?? .zero, began ?? .zero, ended ?? .zero)) { max($0, $1) }
  }
}

/// Something that a log does not tell of, in the words of its recording.
package enum FieldGap: String, Hashable, Sendable, CaseIterable {
  case decisions = "decisions and estimates of the player"
  case idleRate = "the link's rate while nothing arrived"
  case start = "the start of playback"
  case requests = "requests"
  case buffer = "the buffer"
  case stalls = "stalls"
  case stallPlaces = "places of stalls"

  var figures: [String] {
    switch self {
    case .decisions, .idleRate, .buffer: []
    case .requests: ["waitingSeconds", "pausedSeconds"]
    case .start: ["outcome", "playedSeconds", "waitingSeconds", "pausedSeconds"]
    case .stalls: ["stallCount", "stalledSeconds", "rebufferRatio"]
    case .stallPlaces: ["stalledSeconds", "rebufferRatio"]
    }
  }
}

extension [FieldGap] {
  package var hideStallTimes: Bool { contains(.stalls) || contains(.stallPlaces) }
}

extension FieldLog {
  var gaps: [FieldGap] {
    let hasRequests = entries.isEmpty
    let gaps: [FieldGap?] = [
      .decisions, .idleRate, began == nil ? .start : nil, hasRequests ? nil : .requests,
      hasRequests && began != nil ? nil : .buffer,
      stalls != nil || stallCount == 0 ? nil : stallCount == nil ? .stalls : .stallPlaces,
    ]
    return gaps.compactMap { $0 }
  }
}

extension PlayerSummary {
  package func document(lacking gaps: [FieldGap]) -> JSONTree {
    var unknown = gaps.flatMap { $0.figures }
    // An access log tells for how long was watched.
    if gaps.contains(.requests) { unknown.removeAll { isSameText($0, "playedSeconds") } }
    guard !unknown.isEmpty, case .object(let figures) = document else { return document }
    return .object(
      figures.map { figure in
        unknown.contains { isSameText($0, figure.key) } ? (figure.key, .null) : figure
      })
  }
}

enum FieldMark {
  case play
  case pause
  case motion
  case rate(PlaybackRate)
  case stall
  case seek(MediaTime)
}

extension AccessLogEvent {
  var end: Instant {
    (playbackStartDate ?? .zero) + TimeSpan(nanoseconds: durationWatched.nanoseconds)
  }
}

package struct FieldRequest: Sendable {
  package var uri: String
  /// The URI that was redirected to it.
  var asked: String?
  /// Whether it is a GET, and its status that of an answer with a body or of an error.
  var canCarryMedia = true
  package var started = Instant.zero
  package var responded: Instant?
  /// Nil where the end is not known.
  package var ended: Instant?
  package var steps = RequestSteps()
  /// Bytes of the body that arrived, and the size of all that was asked for.
  package var bytes: Int64?
  package var size: Int64?
  /// First byte of a range, and the size of the resource that it is a part of.
  package var firstByte: Int64?
  package var resourceBytes: Int64?
  package var mimeType = ""
  package var duration: MediaTime?
  package var outcome = StartupStage.Outcome.completed
  var failure = TransferFailure.connectionReset
  package var isHTTP2 = false
  /// Whether the log tells of a cache that has the answer.
  var isStored = false
  /// Bytes that arrived by an instant, since the one before it or the first byte.
  package var arrivals: [(instant: Instant, bytes: Int64)] = []
  package var playlist: [UInt8]?

  /// Ends it with the status of its answer, or for a reason in words that are ours or a client's.
  mutating func fail(_ status: Int64, _ words: String?) {
    outcome = .failed
    let told = TransferFailure(words: words ?? "")
    if contains("timed", in: lowercased(words ?? "")) { failure = .timedOut }
    if isSameText(told.words, words ?? "") { failure = told }
    if status >= 400 { failure = .httpStatus(Int32(clamping: status)) }
  }

  var isRefused: Bool { if outcome == .failed, case .httpStatus = failure { true } else { false } }

  mutating func move(by shift: TimeSpan) {
    started = started + shift
    responded = responded.map { $0 + shift }
    ended = ended.map { $0 + shift }
    arrivals = arrivals.map { ($0.instant + shift, $0.bytes) }
  }

  /// The last instant at which it is known to have been under way.
  var end: Instant { ended ?? responded ?? started }
  /// The end of the bytes that came, in their resource.
  var endByte: Int64 { (firstByte ?? 0) + (bytes ?? 0) }

  /// Stretches between instants at which it is known how many bytes had arrived.
  var pieces: [(start: Instant, end: Instant, bytes: Int64)] {
    guard let responded, let ended, var rest = bytes else { return [] }
    var (from, pieces) = (responded, [(start: Instant, end: Instant, bytes: Int64)]())
    for arrival in arrivals + [(ended, .max)] where arrival.instant > from {
      let part = min(rest, arrival.bytes)
      pieces.append((from, arrival.instant, part))
      (from, rest) = (arrival.instant, rest - part)
    }
    return pieces
  }
}

/// Limits of a log: beyond them its writer is wrong.
enum FieldLimits {
  static let mostEntries = 100_000
  static let mostRequests = 20_000
  /// Of an access log: an entry is a variant that was played for a while.
  static let mostAccesses = 1_000
  static let longestPlaylist = 4_000_000
}

extension [String] {
  mutating func add(_ words: String, _ count: Int) { if count > 0 { append("\(words): \(count)") } }
}

extension Diagnostic {
  /// A mistake in a log, whose reader names the file.
  init(_ message: String, at position: TextPosition? = nil, expected: String? = nil) {
    self.init(file: "", position: position, message: message, expected: expected)
  }
}

extension JSONValue {
  /// The nearest whole number of units of 10⁻ᵖˡᵃᶜᵉˢ; nil below zero: -1 stands for unknown.
  func amount(places: Int, atMost most: Int64) -> Int64? {
    guard let bytes = numberBytes ?? stringBytes, let decimal = try? ExactDecimal(json: bytes),
      !decimal.isNegative, let amount = decimal.rounded(timesTenTo: places), amount <= most
    else { return nil }
    return amount
  }

  private var longest: Int64 { ScenarioLimits.longestMedia.nanoseconds }

  var byteCount: Int64? { amount(places: 0, atMost: ScenarioLimits.mostBytes) }

  /// Of a session that is no longer than media may be.
  var milliseconds: TimeSpan? {
    amount(places: 6, atMost: longest).map { TimeSpan(nanoseconds: $0) }
  }

  /// Nanoseconds since 1970.
  var date: Int64? { stringBytes.flatMap(calendarInstant) }

  /// The same of a row with a column each for the day and its time.
  var dayAndTime: Int64? {
    guard let day = self["date"]?.stringBytes, let time = self["time"]?.stringBytes else {
      return nil
    }
    // AVPlayer writes 2022/01/31 12:14:44.044: the fraction is the seconds once more.
    let dashed = day.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
    let (whole, fraction) = (time.dropLast(4), time.suffix(4))
    let isTwice = dashed != Array(day) && fraction.elementsEqual(".0".utf8 + whole.suffix(2))
    return calendarInstant(
      dashed + [UInt8(ascii: "T")] + (isTwice ? whole : time) + [UInt8(ascii: "Z")])
  }

  var span: TimeSpan? { amount(places: 9, atMost: longest).map { TimeSpan(nanoseconds: $0) } }

  var mediaSeconds: MediaTime? { span.map { MediaTime(nanoseconds: $0.nanoseconds) } }
}

/// Time between dates in nanoseconds since 1970; nil if negative, or longer than media may last.
func span(from start: Int64, to date: Int64) -> TimeSpan? {
  let (length, overflows) = date.subtractingReportingOverflow(start)
  let isIn = !overflows && 0...ScenarioLimits.longestMedia.nanoseconds ~= length
  return isIn ? TimeSpan(nanoseconds: length) : nil
}

func contains(_ part: String, in text: String) -> Bool { occurs(Array(part.utf8), in: text.bytes) }
