import ExactText
import Foundation
import ScenarioFormat
import ScenarioRunner
import Testing

/// What is made of a table of keys beside a reader: a schema and a page.
@Suite struct KeyTableTests {
  @Test func `a schema says what the rows say, and defines each part once`() throws {
    let schema = try JSONValue(
      parsing: KeyedFile("sample", "samples", SampleDocument.keys).schema())
    let expected = #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://goldilocks.example/sample.schema.json", "title": "Goldilocks sample",
        "description": "A small document.",
        "type": "object",
        "properties": {
          "name": {
            "description": "What it is called.",
            "type": "string", "pattern": "[^ ]", "examples": ["clip"]
          },
          "delay": {
            "description": "How long it takes.", "$ref": "#/$defs/time", "default": "0 s"
          },
          "file": { "description": "A file.", "$ref": "#/$defs/time" },
          "live": { "description": "A stream.", "$ref": "#/$defs/timeAboveZero" },
          "steps": {
            "description": "What is done.",
            "type": "array", "items": { "enum": ["play", "pause"] }, "minItems": 1
          },
          "seed": {
            "description": "The seed.", "type": "integer", "minimum": 0, "default": 503
          },
          "reason": {
            "description": "Why | why not.",
            "anyOf": [
              { "type": "string", "pattern": "[^ ]", "examples": ["why"] }, { "type": "null" }
            ]
          },
          "rate": {
            "description": "How fast.", "type": "integer", "minimum": 1, "maximum": 9
          },
          "hint": {
            "description": "A hint.", "type": "string", "pattern": "[^ ]", "examples": ["a"]
          }
        },
        "required": ["name", "steps"],
        "oneOf": [{ "required": ["file"] }, { "required": ["live"] }],
        "dependentRequired": { "rate": ["reason"], "hint": ["live"] },
        "dependentSchemas": { "hint": { "not": { "required": ["seed"] } } },
        "additionalProperties": false
      }
      """#
    let wanted = try JSONValue(parsing: [UInt8](expected.utf8))
    #expect(schema.hasSameContent(as: wanted, apartFrom: "$defs"))
    #expect(schema["$defs"]?.memberList.map { $0.key } == ["time", "timeAboveZero"])
  }

  @Test func `a page has a row for each key and a section for each part`() {
    #expect(
      KeyedFile("sample", "samples", SampleDocument.keys).page() == """
        # The keys of samples

        ## sample

        A small document.

        | key | value | without it | |
        |---|---|---|---|
        | `name` | a text, such as `"clip"` | required | What it is called. |
        | `delay` | [time](#time) | `"0 s"` | How long it takes. |
        | `file` | [time](#time) | exactly one of these is required | A file. |
        | `live` | [timeAboveZero](#timeabovezero) | exactly one of these is required | A stream. |
        | `steps` | a list of 1 or more × `"play"` or `"pause"` | required | What is done. |
        | `seed` | a whole number from 0 up | `503` | The seed. |
        | `reason` | a text, such as `"why"` or `null` |  | Why \\| why not. |
        | `rate` | a whole number from 1 to 9 |  | How fast. Goes with `reason`. |
        | `hint` | a text, such as `"a"` |  | A hint. Goes with `live`. Not beside `seed`. |

        ## time

        A time from zero up, with its unit. Written as a time, such as `"1 s"`.

        ## timeAboveZero

        A time above zero, with its unit. Written as a time, such as `"1 s"`.

        """)
  }

  @Test func `the page of scenarios has every section that it refers to`() {
    let page = KeyedFile.scenario.page()
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map {
      String($0.dropFirst(3)).lowercased()
    }
    #expect(headings.count > 40)
    #expect(Set(headings).count == headings.count)
    for reference in page.matches(of: /\]\(#([a-z]+)\)/) {
      #expect(headings.contains(String(reference.1)), "\(reference.1)")
    }
  }

  /// Of the verbs some have keys of their own, and these a table of them.
  @Test func `the page has a table for a verb with keys of its own, and for no other`() {
    let page = KeyedFile.scenario.page()
    let verbs = page.components(separatedBy: "\n### do: ").dropFirst().map {
      $0.components(separatedBy: "\n## ")[0]
    }
    #expect(verbs.count > 40)
    let rows = verbs.map { verb in
      (
        verb: String(verb.prefix { $0 != "\n" }),
        keys: verb.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
          String($0.dropFirst(3).prefix { $0 != "`" })
        }, isTable: verb.contains("|---|")
      )
    }
    for (verb, keys, isTable) in rows { #expect(isTable == !keys.isEmpty, "\(verb)") }
    let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.verb, $0.keys) })
    for verb in ["play", "tap", "pause", "removeAllItems", "seekToLive", "preroll"] {
      #expect(known[verb] == [], "\(verb)")
    }
    #expect(known["setRate"] == ["rate"])
    #expect(known["seek"] == ["to", "toleranceBefore", "toleranceAfter"])
  }
}
