import ExactText
import PlayerPolicies
import ScenarioFormat

// The lines between a run and a policy outside, for whoever writes one.

extension PolicyProtocol {
  /// A JSON Schema that each line fits, in both directions.
  package static func schema() -> [UInt8] {
    var writer = JSONWriter(.lines)
    writer.tree(
      .object([
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("https://goldilocks.example/policy.schema.json")),
        ("title", .string("Lines between Goldilocks and a policy outside")),
        ("oneOf", .array(lines.map { .object([("$ref", .string("#/$defs/\($0.name)"))]) })),
        ("$defs", .object(lines.map { ($0.name, $0.schema) })),
      ]))
    writer.endLine()
    return writer.bytes
  }

  /// The same as a page in Markdown.
  package static func page() -> String {
    "# Lines between Goldilocks and a policy outside\n"
      + lines.map { line in
        "\n## \(line.name)\n\n\(line.about)\n\n| member | value | meaning |\n|---|---|---|\n"
          + joined(
            line.members.map { "| `\($0.name)` | \($0.value.words) | \($0.about) |\n" }, by: "")
      }.reduce("", +)
  }
}

/// A line, or an object in one.
private struct PolicyLine: Sendable {
  var name: String
  var about: String
  var members: [Member]

  struct Member: Sendable {
    var name: String
    var value: Value
    var about: String
    var isRequired = true
  }

  indirect enum Value: Sendable {
    case text
    case flag
    case whole
    case seconds
    case number
    case constant(String)
    case choice
    case orNull(Value)
    case list(Value)
    case object([Member])
  }

  var schema: JSONTree { Self.schema(of: members, about: about) }

  static func schema(of members: [Member], about: String? = nil) -> JSONTree {
    .object(
      (about.map { [("description", .string($0))] } ?? []) + [
        ("type", .string("object")),
        ("required", .strings(members.filter { $0.isRequired }.map { $0.name })),
        ("additionalProperties", .boolean(false)),
        (
          "properties",
          .object(
            members.map { member in
              (
                member.name,
                .object([("description", .string(member.about))] + member.value.schema)
              )
            })
        ),
      ])
  }
}

extension PolicyLine.Value {
  var schema: [(key: String, value: JSONTree)] {
    switch self {
    case .text: [("type", .string("string"))]
    case .flag: [("type", .string("boolean"))]
    case .whole: [("type", .string("integer"))]
    case .seconds, .number: [("type", .string("number"))]
    case .constant(let word): [("const", .string(word))]
    case .choice: [("type", .strings(["boolean", "integer", "null"]))]
    case .orNull(let value): [("anyOf", .array([.object(value.schema), Self.null]))]
    case .list(let element): [("type", .string("array")), ("items", .object(element.schema))]
    case .object(let members): [("allOf", .array([PolicyLine.schema(of: members)]))]
    }
  }

  private static let null = JSONTree.object([("type", .string("null"))])

  var words: String {
    switch self {
    case .text: "text"
    case .flag: "true or false"
    case .whole: "whole number"
    case .seconds: "seconds"
    case .number: "number"
    case .constant(let word): "`\"\(word)\"`"
    case .choice: "true, false, a variant or null"
    case .orNull(let value): "\(value.words), or null"
    case .list(let element): "list: \(element.words)"
    case .object(let members): "object of \(joined(members.map { "`\($0.name)`" }, by: ", "))"
    }
  }
}

extension PolicyProtocol {
  private typealias Member = PolicyLine.Member

  private static var lines: [PolicyLine] {
    [
      PolicyLine(
        name: "greeting", about: "The first line to a policy, which answers its version.",
        members: [
          Member(name: "goldilocks", value: .text, about: "The version of the tool."),
          Member(name: "version", value: .whole, about: "The version of these lines."),
          Member(name: "scenario", value: .text, about: "The scenario's name."),
          Member(
            name: "player", value: .orNull(.text),
            about: "The name of the player; null for the first one."),
          Member(
            name: "seats", value: .list(.text), about: "The seats about which it will be asked."),
        ]),
      PolicyLine(
        name: "version", about: "The answer to the greeting.",
        members: [
          Member(name: "version", value: .whole, about: "The version that the policy speaks.")
        ]),
      PolicyLine(
        name: "ladder",
        about: "The variants of a stream, before the first question about them; it has no answer.",
        members: [
          Member(
            name: "ladder", value: .object(ladder), about: "The variants in playlist order.")
        ]),
      question(.start, "Whether playback may begin.", waiting + [estimate]),
      question(
        .resume, "Whether playback may go on after a stall or a seek.", waiting + [estimate]),
      question(.stall, "Whether playback stalls.", waiting),
      question(.nextVariant, "The variant of the next segment.", choosing),
      question(.abandon, "Whether the segment under way is given up.", abandoning),
      PolicyLine(
        name: "answer", about: "The answer to a question.",
        members: [
          Member(name: "answer", value: .whole, about: "The number of the question."),
          Member(
            name: "value", value: .choice,
            about: "For start, resume and stall true or false; for nextVariant a variant, or null "
              + "to fetch nothing before “until”; for abandon a lower variant, or null to go on."),
          Member(
            name: "beyond", value: .orNull(.seconds),
            about: "Beside a next variant: what lies so far ahead of the playhead, or farther, is "
              + "fetched again.", isRequired: false),
          Member(
            name: "until", value: .orNull(.seconds),
            about: "The time of the run at which to ask again although nothing has happened.",
            isRequired: false),
          Member(
            name: "reason", value: .orNull(.text), about: "A remark for the reader of the trace.",
            isRequired: false),
        ]),
    ]
  }

  private static func question(
    _ seat: PolicySeat, _ about: String, _ members: [Member]
  ) -> PolicyLine {
    PolicyLine(
      name: seat.word, about: about,
      members: [
        Member(name: "ask", value: .whole, about: "The number of the question, from 1."),
        Member(name: "seat", value: .constant(seat.word), about: "The seat that it is about."),
        Member(name: "now", value: .seconds, about: "The time of the run."),
      ] + members)
  }

  private static let ladder = [
    Member(
      name: "variants",
      value: .list(
        .object([
          Member(name: "bandwidth", value: .whole, about: "BANDWIDTH, in bit/s."),
          Member(
            name: "averageBandwidth", value: .orNull(.whole), about: "AVERAGE-BANDWIDTH, in bit/s."),
          Member(name: "width", value: .orNull(.whole), about: "Of RESOLUTION."),
          Member(name: "height", value: .orNull(.whole), about: "Of RESOLUTION."),
        ])), about: "Variants are named by their place here, from 0."),
    Member(
      name: "boundaries", value: .list(.seconds),
      about: "The start of each segment, and the end of the last one."),
  ]

  private static let estimate = Member(
    name: "estimate",
    value: .object([
      Member(name: "bitsPerSecond", value: .orNull(.whole), about: "The throughput."),
      Member(
        name: "latency", value: .orNull(.seconds), about: "The wait for the first byte."),
      Member(
        name: "isReliable", value: .flag, about: "Whether enough was seen to decide by it."),
    ]), about: "The estimate of the policy's own estimator.")

  private static let waiting = [
    Member(name: "source", value: .text, about: "Whether a file or a stream plays."),
    Member(name: "wait", value: .text, about: "The reason for waiting."),
    Member(name: "waitBegan", value: .orNull(.seconds), about: "The beginning of the wait."),
    Member(name: "rate", value: .number, about: "The rate that the app asked for."),
    Member(name: "playhead", value: .seconds, about: "The current time of the item."),
    Member(name: "ahead", value: .seconds, about: "Media from the playhead to the loaded end."),
    Member(
      name: "end", value: .orNull(.seconds), about: "The end of playback; null while unknown."),
    Member(name: "loading", value: .text, about: "Whether more is being loaded."),
    Member(
      name: "bytesAhead", value: .orNull(.whole), about: "The bytes of what is ahead."),
    Member(
      name: "stream", value: .object(stream), about: "Of a stream, its downloads.",
      isRequired: false),
  ]

  private static let stream = [
    Member(name: "variant", value: .orNull(.whole), about: "The variant that is fetched."),
    Member(name: "nextSegment", value: .whole, about: "The segment that is fetched next."),
    Member(name: "received", value: .whole, about: "Bytes of a segment that is not whole yet."),
    Member(name: "wholeSegments", value: .whole, about: "Whole segments ahead in a row."),
    Member(name: "goesOn", value: .flag, about: "Whether the playlist may grow."),
    Member(
      name: "liveOffset", value: .orNull(.seconds), about: "The distance to the live edge."),
    Member(
      name: "liveTarget", value: .orNull(.seconds), about: "The distance that is recommended."),
    Member(
      name: "arriving", value: .seconds,
      about: "Media of the segment under way that has come."),
    Member(name: "switched", value: .orNull(.seconds), about: "The time of the last switch."),
    Member(
      name: "request", value: .orNull(.object(request)), about: "The segment under way."),
  ]

  private static let request = [
    Member(name: "began", value: .orNull(.seconds), about: "The time of the request."),
    Member(
      name: "responded", value: .orNull(.seconds), about: "The time of the first byte."),
    Member(name: "received", value: .whole, about: "The bytes that have come."),
    Member(name: "bytes", value: .orNull(.whole), about: "The bytes of the whole segment."),
    Member(name: "variant", value: .whole, about: "Its variant."),
    Member(name: "segment", value: .whole, about: "Its place among the segments."),
  ]

  private static let eligible = Member(
    name: "eligible", value: .list(.whole), about: "The variants that may be chosen.")

  private static let choosing = [
    Member(name: "current", value: .whole, about: "The variant of the last segment."),
    eligible, estimate,
    Member(name: "ahead", value: .seconds, about: "Media from the playhead to the loaded end."),
    Member(
      name: "mediaLimit", value: .orNull(.seconds), about: "The most media that may lie ahead."),
    Member(
      name: "liveOffset", value: .orNull(.seconds), about: "The distance to the live edge."),
    Member(
      name: "end", value: .orNull(.seconds), about: "The end of playback; null while unknown."),
    Member(name: "rate", value: .number, about: "The rate that the app asked for."),
    Member(name: "nextSegment", value: .whole, about: "The segment that the choice is for."),
    Member(name: "switched", value: .orNull(.seconds), about: "The time of the last switch."),
    Member(
      name: "latest", value: .orNull(.object(download)),
      about: "The last segment of the main rendition that came."),
    Member(
      name: "segments",
      value: .list(
        .object([
          Member(name: "duration", value: .seconds, about: "Its length."),
          Member(
            name: "bytes", value: .list(.whole),
            about: "Its size in each variant: with `\"sizes\": \"exact\"` in the policy's "
              + "`choice` the true one, else the declared bit rate times the duration."),
        ])), about: "The segments from the next one on, \(segmentsAhead) at most."),
  ]

  private static let download = [
    Member(name: "variant", value: .whole, about: "Its variant."),
    Member(name: "segment", value: .whole, about: "Its place among the segments."),
    Member(name: "bytes", value: .whole, about: "Its size."),
    Member(name: "began", value: .seconds, about: "The time of the request."),
    Member(name: "responded", value: .seconds, about: "The time of the first byte."),
    Member(name: "arrived", value: .seconds, about: "The time of the last byte."),
  ]

  private static let abandoning = [
    Member(name: "request", value: .object(request), about: "The segment under way."),
    eligible, estimate,
    Member(name: "rate", value: .number, about: "The rate that the app asked for."),
    Member(
      name: "lasts", value: .orNull(.seconds), about: "The time for which the buffer lasts."),
    Member(name: "isMoving", value: .flag, about: "Whether the playhead moves."),
  ]
}
