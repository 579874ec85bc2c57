import ExactText
import PlayerPolicies
import ScenarioFormat

// The lines between a run and a policy outside, for whoever writes one.

/// The members of a line as they are described.
typealias PolicyShape = [(name: String, value: PolicyValue, about: String)]

func shape<Subject>(of fields: [PolicyField<Subject>]) -> PolicyShape {
  fields.map { ($0.name, $0.kind, $0.about) }
}

private func objectSchema(of members: PolicyShape) -> JSONTree {
  [
    "type": "object",
    "required": .strings(
      members.compactMap { if case .optional = $0.value { nil } else { $0.name } }),
    "additionalProperties": false,
    "properties": .members(
      members.map { member in
        (member.name, .object([("description", .string(member.about))] + member.value.schema))
      }),
  ]
}

extension PolicyValue {
  fileprivate var schema: [(key: String, value: JSONTree)] {
    switch self {
    case .text: [("type", "string")]
    case .flag: [("type", "boolean")]
    case .whole: [("type", "integer")]
    case .seconds, .number: [("type", "number")]
    case .choice: [("type", .strings(["boolean", "integer", "null"]))]
    case .orNull(let value): [("anyOf", [.object(value.schema), ["type": "null"]])]
    case .list(let element): [("type", "array"), ("items", .object(element.schema))]
    case .object(let members): [("allOf", [objectSchema(of: members)])]
    case .optional(let value): value.schema
    }
  }

  fileprivate var words: String {
    switch self {
    case .text: "text"
    case .flag: "true or false"
    case .whole: "whole number"
    case .seconds: "seconds"
    case .number: "number"
    case .choice: "true, false, a variant or null"
    case .orNull(let value): "\(value.words), or null"
    case .list(let element): "list: \(element.words)"
    case .object(let members): "object of \(joined(members.map { "`\($0.name)`" }, by: ", "))"
    case .optional(let value): "\(value.words); may be absent"
    }
  }
}

extension PolicyProtocol {
  private typealias Line = (name: String, about: String, shape: PolicyShape)

  private static var lines: [Line] {
    [
      (
        "greeting", "The first line to a policy, which answers its version.",
        shape(of: PolicyGreeting.fields)
      ),
      (
        "version", "The answer to the greeting.",
        [("version", .whole, "The version that the policy speaks.")]
      ),
      (
        "ladder", "The variants of a stream, before the first question about them; no answer.",
        [("ladder", .object(PolicyFields.ladder), "Variants and segments.")]
      ),
      question(.start, "Whether playback may begin.", PolicyFields.readiness),
      question(.resume, "Whether playback may go on.", PolicyFields.readiness),
      question(.stall, "Whether playback stalls.", PolicyFields.waiting),
      question(.nextVariant, "The variant of the next segment.", PolicyFields.choosing),
      question(.abandon, "Whether the segment under way is given up.", PolicyFields.abandoning),
      (
        "answer", "The answer to a question.",
        [
          ("answer", .whole, "The number of the question."),
          (
            "value", .choice,
            "For start, resume and stall true or false; for nextVariant a variant, or null to "
              + "fetch nothing before “until”; for abandon a lower variant, or null to go on."
          ),
          (
            "beyond", .optional(.orNull(.seconds)),
            "Beside a next variant: what lies farther ahead of the playhead is fetched again."
          ),
          (
            "until", .optional(.orNull(.seconds)),
            "The time of the run at which to ask again although nothing has happened."
          ),
          ("reason", .optional(.orNull(.text)), "A remark for the reader of the trace."),
        ]
      ),
    ]
  }

  private static func question<Subject>(
    _ seat: PolicySeat, _ about: String, _ fields: [PolicyField<Subject>]
  ) -> Line {
    let start: PolicyShape = [
      ("ask", .whole, "The number of the question, from 1."),
      ("seat", .text, "“\(seat.word)”."), ("now", .seconds, "The time of the run."),
    ]
    return (seat.word, about, start + shape(of: fields))
  }

  /// A JSON Schema that each line fits, in both directions.
  package static func schema() -> [UInt8] {
    var writer = JSONWriter(.lines)
    writer.tree([
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "https://goldilocks.example/policy.schema.json",
      "title": "Lines between Goldilocks and a policy outside",
      "anyOf": .list(lines) { ["$ref": .string("#/$defs/\($0.name)")] },
      "$defs": .members(lines.map { ($0.name, objectSchema(of: $0.shape)) }),
    ])
    writer.endLine()
    return writer.bytes
  }

  package static func page() -> String {
    var text = "# Lines between Goldilocks and a policy outside\n"
    for line in lines {
      text += "\n## \(line.name)\n\n\(line.about)\n\n| member | value | meaning |\n|---|---|---|\n"
      for member in line.shape {
        text += "| `\(member.name)` | \(member.value.words) | \(member.about) |\n"
      }
    }
    return text
  }
}
