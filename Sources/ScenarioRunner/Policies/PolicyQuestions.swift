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

  static func whole(
    _ name: String,
    _ value: @escaping @Sendable (Subject) -> (some BinaryInteger & SendableMetatype)?,
    _ about: String
  ) -> Self {
    PolicyField(name, { .whole(value($0)) }, .whole, about)
  }

  static func seconds(
    _ name: String, _ nanoseconds: @escaping @Sendable (Subject) -> Int64?, _ about: String
  ) -> Self {
    PolicyField(name, { .seconds(nanoseconds($0)) }, .seconds, about)
  }

  /// The same where it may be unknown.
  var orNull: Self { PolicyField(name, read, .orNull(kind), about) }
}

extension [PolicyField<Snapshot>] {
  /// With the estimate, for a question that rests on one.
  func with(_ more: [PolicyField<ReadinessQuestion>]) -> [PolicyField<ReadinessQuestion>] {
    map { field in PolicyField(field.name, { field.read($0.snapshot) }, field.kind, field.about) }
      + more
  }
}

func members<Subject>(_ fields: [PolicyField<Subject>], of subject: Subject) -> JSONTree {
  .members(fields.map { ($0.name, $0.read(subject)) })
}

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
    .object(shape(of: fields))
  }
}

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
    .whole("bandwidth", { $0.bandwidth }, "BANDWIDTH, in bit/s."),
    .whole("averageBandwidth", { $0.averageBandwidth }, "AVERAGE-BANDWIDTH, in bit/s.").orNull,
    .whole("width", { $0.width }, "Of RESOLUTION.").orNull,
    .whole("height", { $0.height }, "Of RESOLUTION.").orNull,
  ]

  static let waiting: [PolicyField<Snapshot>] = [
    PolicyField("source", { .string($0.source.word) }, .text, "Whether a file or a stream plays."),
    PolicyField("wait", { .string($0.wait.word) }, .text, "The reason for waiting."),
    .seconds("waitBegan", { nanoseconds($0.waitBegan) }, "The beginning of the wait.").orNull,
    PolicyField("rate", { .rate($0.rate) }, .number, "The rate that the app asked for."),
    .seconds("playhead", { $0.playhead.nanoseconds }, "The current time of the item."),
    .seconds("ahead", { $0.ahead.nanoseconds }, "Media from the playhead to the loaded end."),
    .seconds("end", { nanoseconds($0.end) }, "The end of playback.").orNull,
    PolicyField(
      "loading", { .string($0.buffer.loading.word) }, .text, "Whether more is being loaded."),
    .whole("bytesAhead", { $0.buffer.bytesAhead }, "Bytes of the forward buffer.").orNull,
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
    .whole("variant", { $0.variant }, "The variant that is fetched.").orNull,
    .whole("nextSegment", { $0.nextSegment }, "The segment that is fetched next."),
    .whole("received", { $0.received }, "Bytes of a segment that is not whole yet."),
    .whole("wholeSegments", { $0.wholeSegments }, "Whole segments ahead in a row."),
    PolicyField("goesOn", { .boolean($0.goesOn) }, .flag, "Whether the playlist may grow."),
    .seconds("liveOffset", { $0.liveOffset?.nanoseconds }, "The distance to the live edge.").orNull,
    .seconds("liveTarget", { $0.liveTarget?.nanoseconds }, "The distance that is recommended.")
      .orNull,
    .seconds(
      "arriving", { $0.arriving.nanoseconds }, "Media of the segment under way that has come."),
    .seconds("switched", { nanoseconds($0.switched) }, "The time of the last switch.").orNull,
    PolicyField(
      "request", { $0.request.map { members(request, of: $0) } ?? .null },
      .orNull(.object(request)), "The segment under way."),
  ]

  static let request: [PolicyField<RequestFacts>] = [
    .seconds("began", { nanoseconds($0.began) }, "The time of the request.").orNull,
    .seconds("responded", { nanoseconds($0.responded) }, "The time of the first byte.").orNull,
    .whole("received", { $0.received }, "The bytes that have come."),
    .whole("bytes", { $0.bytes }, "The bytes of the whole segment.").orNull,
    .whole("variant", { $0.variant }, "Its variant."),
    .whole("segment", { $0.segment }, "Its place among the segments."),
  ]

  static let estimate: [PolicyField<Estimate>] = [
    .whole("bitsPerSecond", { $0.bitsPerSecond }, "The throughput.").orNull,
    .seconds("latency", { $0.latency?.nanoseconds }, "The wait for the first byte.").orNull,
    PolicyField(
      "isReliable", { .boolean($0.isReliable) }, .flag, "Whether enough was seen to decide by it."),
  ]

  static let choosing: [PolicyField<VariantQuestion>] = [
    .whole("current", { $0.current }, "The variant of the last segment."),
    PolicyField(
      "eligible", { places($0.eligible) }, .list(.whole), "The variants that may be chosen."),
    PolicyField(
      "estimate", { members(estimate, of: $0.estimate) }, .object(estimate),
      "The estimate of the policy's own estimator."),
    .seconds("ahead", { $0.ahead.nanoseconds }, "Media from the playhead to the loaded end."),
    .seconds("mediaLimit", { $0.mediaLimit?.nanoseconds }, "The most media that may lie ahead.")
      .orNull,
    .seconds("liveOffset", { $0.liveOffset?.nanoseconds }, "The distance to the live edge.").orNull,
    .seconds("end", { nanoseconds($0.end) }, "The end of playback.").orNull,
    PolicyField("rate", { .rate($0.rate) }, .number, "The rate that the app asked for."),
    .whole("nextSegment", { $0.nextSegment }, "The segment that the choice is for."),
    .seconds("switched", { nanoseconds($0.switched) }, "The time of the last switch.").orNull,
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
    .seconds("duration", { $0.ladder.duration(of: $0.place).nanoseconds }, "Its length."),
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
    .whole("variant", { $0.rung }, "Its variant."),
    .whole("segment", { $0.segment }, "Its place among the segments."),
    .whole("bytes", { $0.bytes }, "Its size."),
    .seconds("began", { nanoseconds($0.began) }, "The time of the request."),
    .seconds("responded", { nanoseconds($0.responded) }, "The time of the first byte."),
    .seconds("arrived", { nanoseconds($0.arrived) }, "The time of the last byte."),
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
    .seconds("lasts", { $0.lasts?.nanoseconds }, "The time for which the buffer lasts.").orNull,
    PolicyField("isMoving", { .boolean($0.isMoving) }, .flag, "Whether the playhead moves."),
  ]

  private static func places(_ eligible: EligibleRungs) -> JSONTree {
    .list(eligible.ascending.sorted()) { .whole($0) }
  }

  /// Nil for what is not known, or never.
  private static func nanoseconds(_ instant: Instant?) -> Int64? {
    instant == .distantFuture ? nil : instant?.nanoseconds
  }

  private static func nanoseconds(_ time: MediaTime) -> Int64? {
    time == .distantFuture ? nil : time.nanoseconds
  }
}
