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
    _ name: String, _ kind: PolicyValue, _ about: String,
    _ read: @escaping @Sendable (Subject) -> JSONTree?
  ) {
    (self.name, self.kind, self.about, self.read) = (name, kind, about, read)
  }
}

extension [PolicyField<Snapshot>] {
  /// With the estimate, for a question that rests on one.
  func with(_ more: [PolicyField<ReadinessQuestion>]) -> [PolicyField<ReadinessQuestion>] {
    map { field in PolicyField(field.name, field.kind, field.about) { field.read($0.snapshot) } }
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
    PolicyField("goldilocks", .text, "The version of the tool.") { _ in .string(Tool.version) },
    PolicyField("version", .whole, "The version of these lines.") { _ in
      .whole(PolicyProtocol.version)
    },
    PolicyField("scenario", .text, "The scenario's name.") { .string($0.scenario) },
    PolicyField("player", .orNull(.text), "The player's name; null for the first one.") {
      .text($0.player)
    },
    PolicyField("seats", .list(.text), "The seats about which it will be asked.") {
      .list($0.seats) { .string($0.word) }
    },
  ]
}

/// The rows of the lines and of what is in them.
enum PolicyFields {
  static let ladder: [PolicyField<Ladder>] = [
    PolicyField("variants", .list(.object(rung)), "In playlist order, named by place from 0.") {
      .list($0.rungs) { members(rung, of: $0) }
    },
    PolicyField("boundaries", .list(.seconds), "Starts of segments, and the end of the last.") {
      .list($0.boundaries) { .seconds($0.nanoseconds) }
    },
  ]

  static let rung: [PolicyField<Ladder.Rung>] = [
    PolicyField("bandwidth", .whole, "BANDWIDTH, in bit/s.") { .whole($0.bandwidth) },
    PolicyField("averageBandwidth", .orNull(.whole), "AVERAGE-BANDWIDTH, in bit/s.") {
      .whole($0.averageBandwidth)
    },
    PolicyField("width", .orNull(.whole), "Of RESOLUTION.") { .whole($0.width) },
    PolicyField("height", .orNull(.whole), "Of RESOLUTION.") { .whole($0.height) },
  ]

  static let waiting: [PolicyField<Snapshot>] = [
    PolicyField("source", .text, "Whether a file or a stream plays.") { .string($0.source.word) },
    PolicyField("wait", .text, "The reason for waiting.") { .string($0.wait.word) },
    PolicyField("waitBegan", .orNull(.seconds), "The beginning of the wait.") {
      time($0.waitBegan)
    },
    PolicyField("rate", .number, "The rate that the app asked for.") { .rate($0.rate) },
    PolicyField("playhead", .seconds, "The current time of the item.") {
      .seconds($0.playhead.nanoseconds)
    },
    PolicyField("ahead", .seconds, "Media from the playhead to the loaded end.") {
      .seconds($0.ahead.nanoseconds)
    },
    PolicyField("end", .orNull(.seconds), "The end of playback.") { end($0.end) },
    PolicyField("loading", .text, "Whether more is being loaded.") {
      .string($0.buffer.loading.word)
    },
    PolicyField("bytesAhead", .orNull(.whole), "Bytes of the forward buffer.") {
      .whole($0.buffer.bytesAhead)
    },
    PolicyField("stream", .optional(.object(stream)), "Of a stream, its downloads.") {
      $0.stream.map { members(stream, of: $0) }
    },
  ]

  static let readiness = waiting.with([
    PolicyField("estimate", .object(estimate), "The estimate of the policy's own estimator.") {
      members(estimate, of: $0.estimate)
    }
  ])

  static let stream: [PolicyField<StreamFacts>] = [
    PolicyField("variant", .orNull(.whole), "The variant that is fetched.") { .whole($0.variant) },
    PolicyField("nextSegment", .whole, "The segment that is fetched next.") {
      .whole($0.nextSegment)
    },
    PolicyField("received", .whole, "Bytes of a segment that is not whole yet.") {
      .whole($0.received)
    },
    PolicyField("wholeSegments", .whole, "Whole segments ahead in a row.") {
      .whole($0.wholeSegments)
    },
    PolicyField("goesOn", .flag, "Whether the playlist may grow.") { .boolean($0.goesOn) },
    PolicyField("liveOffset", .orNull(.seconds), "The distance to the live edge.") {
      .seconds($0.liveOffset?.nanoseconds)
    },
    PolicyField("liveTarget", .orNull(.seconds), "The distance that is recommended.") {
      .seconds($0.liveTarget?.nanoseconds)
    },
    PolicyField("arriving", .seconds, "Media of the segment under way that has come.") {
      .seconds($0.arriving.nanoseconds)
    },
    PolicyField("switched", .orNull(.seconds), "The time of the last switch.") {
      time($0.switched)
    },
    PolicyField("request", .orNull(.object(request)), "The segment under way.") {
      $0.request.map { members(request, of: $0) } ?? .null
    },
  ]

  static let request: [PolicyField<RequestFacts>] = [
    PolicyField("began", .orNull(.seconds), "The time of the request.") { time($0.began) },
    PolicyField("responded", .orNull(.seconds), "The time of the first byte.") {
      time($0.responded)
    },
    PolicyField("received", .whole, "The bytes that have come.") { .whole($0.received) },
    PolicyField("bytes", .orNull(.whole), "The bytes of the whole segment.") { .whole($0.bytes) },
    PolicyField("variant", .whole, "Its variant.") { .whole($0.variant) },
    PolicyField("segment", .whole, "Its place among the segments.") { .whole($0.segment) },
  ]

  static let estimate: [PolicyField<Estimate>] = [
    PolicyField("bitsPerSecond", .orNull(.whole), "The throughput.") { .whole($0.bitsPerSecond) },
    PolicyField("latency", .orNull(.seconds), "The wait for the first byte.") {
      .seconds($0.latency?.nanoseconds)
    },
    PolicyField("isReliable", .flag, "Whether enough was seen to decide by it.") {
      .boolean($0.isReliable)
    },
  ]

  static let choosing: [PolicyField<VariantQuestion>] = [
    PolicyField("current", .whole, "The variant of the last segment.") { .whole($0.current) },
    PolicyField("eligible", .list(.whole), "The variants that may be chosen.") {
      places($0.eligible)
    },
    PolicyField("estimate", .object(estimate), "The estimate of the policy's own estimator.") {
      members(estimate, of: $0.estimate)
    },
    PolicyField("ahead", .seconds, "Media from the playhead to the loaded end.") {
      .seconds($0.ahead.nanoseconds)
    },
    PolicyField("mediaLimit", .orNull(.seconds), "The most media that may lie ahead.") {
      .seconds($0.mediaLimit?.nanoseconds)
    },
    PolicyField("liveOffset", .orNull(.seconds), "The distance to the live edge.") {
      .seconds($0.liveOffset?.nanoseconds)
    },
    PolicyField("end", .orNull(.seconds), "The end of playback.") { end($0.end) },
    PolicyField("rate", .number, "The rate that the app asked for.") { .rate($0.rate) },
    PolicyField("nextSegment", .whole, "The segment that the choice is for.") {
      .whole($0.nextSegment)
    },
    PolicyField("switched", .orNull(.seconds), "The time of the last switch.") {
      time($0.switched)
    },
    PolicyField("latest", .orNull(.object(download)), "The last segment of video that came.") {
      $0.latest.map { members(download, of: $0) } ?? .null
    },
    PolicyField("segments", .list(.object(segment)), "The next 16 segments at most.") { question in
      .list(question.segmentsAhead.prefix(PolicyProtocol.segmentsAhead)) {
        members(segment, of: (question.ladder, $0))
      }
    },
  ]

  static let segment: [PolicyField<(ladder: Ladder, place: Int)>] = [
    PolicyField("duration", .seconds, "Its length.") {
      .seconds($0.ladder.duration(of: $0.place).nanoseconds)
    },
    PolicyField(
      "bytes", .list(.whole),
      "Its size in each variant: the true one with “sizes”: “exact” in the policy's “choice”, else "
        + "the declared bit rate times the duration."
    ) { segment in
      .list(segment.ladder.rungs.indices) {
        .whole(
          segment.ladder.expectedBytes(of: $0, from: segment.place, to: segment.place + 1))
      }
    },
  ]

  static let download: [PolicyField<SegmentArrival>] = [
    PolicyField("variant", .whole, "Its variant.") { .whole($0.rung) },
    PolicyField("segment", .whole, "Its place among the segments.") { .whole($0.segment) },
    PolicyField("bytes", .whole, "Its size.") { .whole($0.bytes) },
    PolicyField("began", .seconds, "The time of the request.") { time($0.began) },
    PolicyField("responded", .seconds, "The time of the first byte.") { time($0.responded) },
    PolicyField("arrived", .seconds, "The time of the last byte.") { time($0.arrived) },
  ]

  static let abandoning: [PolicyField<AbandonQuestion>] = [
    PolicyField("request", .object(request), "The segment under way.") {
      members(request, of: $0.request)
    },
    PolicyField("eligible", .list(.whole), "The variants that may be chosen.") {
      places($0.eligible)
    },
    PolicyField("estimate", .object(estimate), "The estimate of the policy's own estimator.") {
      members(estimate, of: $0.estimate)
    },
    PolicyField("rate", .number, "The rate that the app asked for.") { .rate($0.rate) },
    PolicyField("lasts", .orNull(.seconds), "The time for which the buffer lasts.") {
      .seconds($0.lasts?.nanoseconds)
    },
    PolicyField("isMoving", .flag, "Whether the playhead moves.") { .boolean($0.isMoving) },
  ]

  private static func places(_ eligible: EligibleRungs) -> JSONTree {
    .list(eligible.ascending.sorted()) { .whole($0) }
  }

  private static func time(_ instant: Instant?) -> JSONTree {
    .seconds(instant == .distantFuture ? nil : instant?.nanoseconds)
  }

  private static func end(_ time: MediaTime) -> JSONTree {
    .seconds(time == .distantFuture ? nil : time.nanoseconds)
  }
}
