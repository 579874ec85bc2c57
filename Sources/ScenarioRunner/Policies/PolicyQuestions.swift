import ExactText
import PlayerPolicies
import ScenarioFormat
import VirtualTime

// Facts and questions for an external policy: an object of JSON a line. Times are seconds, rates
// bits per second; unknown values are null. A row for each member writes it and describes it.

/// A member of a line.
struct PolicyField<Subject>: Sendable {
  let name: String
  let kind: PolicyValue
  let about: String
  /// Nil where a line is without it.
  let read: @Sendable (Subject) -> JSONTree?

  init(
    _ name: String, _ read: @escaping @Sendable (Subject) -> JSONTree?, _ kind: PolicyValue,
    _ about: String
  ) {
    (self.name, self.kind, self.about, self.read) = (name, kind, about, read)
  }
}

extension [PolicyField<Snapshot>] {
  /// With the estimate, for a question that rests on one.
  func with(_ more: [PolicyField<ReadinessQuestion>]) -> [PolicyField<ReadinessQuestion>] {
    map { field in PolicyField(field.name, { field.read($0.snapshot) }, field.kind, field.about) }
      + more
  }
}

/// The members of a line, or of an object in one.
func members<Subject>(_ fields: [PolicyField<Subject>], of subject: Subject) -> JSONTree {
  .members(fields.map { ($0.name, $0.read(subject)) })
}

/// The kind of a member's values.
indirect enum PolicyValue: Sendable {
  case text
  case flag
  case whole
  case seconds
  case number
  /// True, false, a variant or null.
  case choice
  case orNull(PolicyValue)
  case list(PolicyValue)
  case object(PolicyShape)
  /// A member that a line may be without.
  case optional(PolicyValue)

  static func object<Subject>(_ fields: [PolicyField<Subject>]) -> PolicyValue {
    .object(PolicyShape(fields))
  }
}

/// A greeting: who asks, and for which seats.
struct PolicyGreeting {
  var scenario: String
  var player: String?
  var seats: [PolicySeat]

  static let fields: [PolicyField<Self>] = [
    PolicyField("goldilocks", { _ in .string(Tool.version) }, .text, "The version of the tool."),
    PolicyField(
      "version", { _ in .whole(PolicyProtocol.version) }, .whole, "The version of these lines."),
    PolicyField("scenario", { .string($0.scenario) }, .text, "The scenario's name."),
    PolicyField(
      "player", { .text($0.player) }, .orNull(.text), "The player's name; null for the first one."),
    PolicyField(
      "seats", { .list($0.seats) { .string($0.word) } }, .list(.text),
      "The seats about which it will be asked."),
  ]
}

/// The rows of the lines and of what is in them.
enum PolicyFields {
  static let ladder: [PolicyField<Ladder>] = [
    PolicyField(
      "variants", { .list($0.rungs) { members(rung, of: $0) } }, .list(.object(rung)),
      "In playlist order, named by place from 0."),
    PolicyField(
      "boundaries", { .list($0.boundaries) { .seconds($0.nanoseconds) } }, .list(.seconds),
      "Starts of segments, and the end of the last."),
  ]

  static let rung: [PolicyField<Ladder.Rung>] = [
    PolicyField("bandwidth", { .whole($0.bandwidth) }, .whole, "BANDWIDTH, in bit/s."),
    PolicyField(
      "averageBandwidth", { .whole($0.averageBandwidth) }, .orNull(.whole),
      "AVERAGE-BANDWIDTH, in bit/s."),
    PolicyField("width", { .whole($0.width) }, .orNull(.whole), "Of RESOLUTION."),
    PolicyField("height", { .whole($0.height) }, .orNull(.whole), "Of RESOLUTION."),
  ]

  static let waiting: [PolicyField<Snapshot>] = [
    PolicyField("source", { .string($0.source.word) }, .text, "Whether a file or a stream plays."),
    PolicyField("wait", { .string($0.wait.word) }, .text, "The reason for waiting."),
    PolicyField(
      "waitBegan", { time($0.waitBegan) }, .orNull(.seconds), "The beginning of the wait."),
    PolicyField("rate", { .rate($0.rate) }, .number, "The rate that the app asked for."),
    PolicyField("playhead", { time($0.playhead) }, .seconds, "The current time of the item."),
    PolicyField(
      "ahead", { time($0.ahead) }, .seconds, "Media from the playhead to the loaded end."),
    PolicyField("end", { end($0.end) }, .orNull(.seconds), "The end of playback."),
    PolicyField(
      "loading", { .string($0.buffer.loading.word) }, .text, "Whether more is being loaded."),
    PolicyField(
      "bytesAhead", { .whole($0.buffer.bytesAhead) }, .orNull(.whole),
      "Bytes of the forward buffer."),
    PolicyField(
      "stream", { $0.stream.map { members(stream, of: $0) } }, .optional(.object(stream)),
      "Of a stream, its downloads."),
  ]

  static let readiness = waiting.with([
    PolicyField(
      "estimate", { members(estimate, of: $0.estimate) }, .object(estimate),
      "The estimate of the policy's own estimator.")
  ])

  static let stream: [PolicyField<StreamFacts>] = [
    PolicyField("variant", { .whole($0.variant) }, .orNull(.whole), "The variant that is fetched."),
    PolicyField(
      "nextSegment", { .whole($0.nextSegment) }, .whole, "The segment that is fetched next."),
    PolicyField(
      "received", { .whole($0.received) }, .whole, "Bytes of a segment that is not whole yet."),
    PolicyField(
      "wholeSegments", { .whole($0.wholeSegments) }, .whole, "Whole segments ahead in a row."),
    PolicyField("goesOn", { .boolean($0.goesOn) }, .flag, "Whether the playlist may grow."),
    PolicyField(
      "liveOffset", { time($0.liveOffset) }, .orNull(.seconds), "The distance to the live edge."),
    PolicyField(
      "liveTarget", { time($0.liveTarget) }, .orNull(.seconds),
      "The distance that is recommended."),
    PolicyField(
      "arriving", { time($0.arriving) }, .seconds, "Media of the segment under way that has come."),
    PolicyField(
      "switched", { time($0.switched) }, .orNull(.seconds), "The time of the last switch."),
    PolicyField(
      "request", { $0.request.map { members(request, of: $0) } ?? .null },
      .orNull(.object(request)), "The segment under way."),
  ]

  static let request: [PolicyField<RequestFacts>] = [
    PolicyField("began", { time($0.began) }, .orNull(.seconds), "The time of the request."),
    PolicyField(
      "responded", { time($0.responded) }, .orNull(.seconds), "The time of the first byte."),
    PolicyField("received", { .whole($0.received) }, .whole, "The bytes that have come."),
    PolicyField("bytes", { .whole($0.bytes) }, .orNull(.whole), "The bytes of the whole segment."),
    PolicyField("variant", { .whole($0.variant) }, .whole, "Its variant."),
    PolicyField("segment", { .whole($0.segment) }, .whole, "Its place among the segments."),
  ]

  static let estimate: [PolicyField<Estimate>] = [
    PolicyField("bitsPerSecond", { .whole($0.bitsPerSecond) }, .orNull(.whole), "The throughput."),
    PolicyField("latency", { time($0.latency) }, .orNull(.seconds), "The wait for the first byte."),
    PolicyField(
      "isReliable", { .boolean($0.isReliable) }, .flag, "Whether enough was seen to decide by it."),
  ]

  static let choosing: [PolicyField<VariantQuestion>] = [
    PolicyField("current", { .whole($0.current) }, .whole, "The variant of the last segment."),
    PolicyField(
      "eligible", { places($0.eligible) }, .list(.whole), "The variants that may be chosen."),
    PolicyField(
      "estimate", { members(estimate, of: $0.estimate) }, .object(estimate),
      "The estimate of the policy's own estimator."),
    PolicyField(
      "ahead", { time($0.ahead) }, .seconds, "Media from the playhead to the loaded end."),
    PolicyField(
      "mediaLimit", { time($0.mediaLimit) }, .orNull(.seconds), "The most media that may lie ahead."
    ),
    PolicyField(
      "liveOffset", { time($0.liveOffset) }, .orNull(.seconds), "The distance to the live edge."),
    PolicyField("end", { end($0.end) }, .orNull(.seconds), "The end of playback."),
    PolicyField("rate", { .rate($0.rate) }, .number, "The rate that the app asked for."),
    PolicyField(
      "nextSegment", { .whole($0.nextSegment) }, .whole, "The segment that the choice is for."),
    PolicyField(
      "switched", { time($0.switched) }, .orNull(.seconds), "The time of the last switch."),
    PolicyField(
      "latest", { $0.latest.map { members(download, of: $0) } ?? .null },
      .orNull(.object(download)), "The last segment of video that came."),
    PolicyField(
      "segments",
      { question in
        .list(question.segmentsAhead.prefix(PolicyProtocol.segmentsAhead)) {
          members(segment, of: (question.ladder, $0))
        }
      }, .list(.object(segment)), "The next 16 segments at most."),
  ]

  static let segment: [PolicyField<(ladder: Ladder, place: Int)>] = [
    PolicyField("duration", { time($0.ladder.duration(of: $0.place)) }, .seconds, "Its length."),
    PolicyField(
      "bytes",
      { segment in
        .list(segment.ladder.rungs.indices) {
          .whole(segment.ladder.expectedBytes(of: $0, from: segment.place, to: segment.place + 1))
        }
      }, .list(.whole),
      "Its size in each variant: the true one with “sizes”: “exact” in the policy's “choice”, else "
        + "the declared bit rate times the duration."),
  ]

  static let download: [PolicyField<SegmentArrival>] = [
    PolicyField("variant", { .whole($0.rung) }, .whole, "Its variant."),
    PolicyField("segment", { .whole($0.segment) }, .whole, "Its place among the segments."),
    PolicyField("bytes", { .whole($0.bytes) }, .whole, "Its size."),
    PolicyField("began", { time($0.began) }, .seconds, "The time of the request."),
    PolicyField("responded", { time($0.responded) }, .seconds, "The time of the first byte."),
    PolicyField("arrived", { time($0.arrived) }, .seconds, "The time of the last byte."),
  ]

  static let abandoning: [PolicyField<AbandonQuestion>] = [
    PolicyField(
      "request", { members(request, of: $0.request) }, .object(request), "The segment under way."),
    PolicyField(
      "eligible", { places($0.eligible) }, .list(.whole), "The variants that may be chosen."),
    PolicyField(
      "estimate", { members(estimate, of: $0.estimate) }, .object(estimate),
      "The estimate of the policy's own estimator."),
    PolicyField("rate", { .rate($0.rate) }, .number, "The rate that the app asked for."),
    PolicyField(
      "lasts", { time($0.lasts) }, .orNull(.seconds), "The time for which the buffer lasts."),
    PolicyField("isMoving", { .boolean($0.isMoving) }, .flag, "Whether the playhead moves."),
  ]

  private static func places(_ eligible: EligibleRungs) -> JSONTree {
    .list(eligible.ascending.sorted()) { .whole($0) }
  }

  private static func time(_ instant: Instant?) -> JSONTree {
    .seconds(instant == .distantFuture ? nil : instant?.nanoseconds)
  }

  private static func time(_ length: MediaTime?) -> JSONTree { .seconds(length?.nanoseconds) }
  private static func time(_ span: TimeSpan?) -> JSONTree { .seconds(span?.nanoseconds) }

  private static func end(_ time: MediaTime) -> JSONTree {
    .seconds(time == .distantFuture ? nil : time.nanoseconds)
  }
}
