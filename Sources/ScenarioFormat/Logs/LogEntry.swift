package import ExactText
package import SimulatedPlayback

/// An entry of a log as names with values, for expectations and for output.
package struct LogEntry: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: PropertyValue
  }

  package var fields: [Field]

  package init(_ event: AccessLogEvent) {
    fields = AccessLogEvent.fields.map { Field(name: $0.name, value: $0.value(of: event)) }
  }

  package init(_ event: ErrorLogEvent) {
    fields = ErrorLogEvent.fields.map { Field(name: $0.name, value: $0.value(of: event)) }
  }

  func value(of name: String) -> PropertyValue {
    fields.first { isSameText($0.name, name) }?.value ?? .null
  }

  var words: String {
    let known = fields.filter { $0.value != .null }
    return "{ " + joined(known.map { "\($0.name): \($0.value.words)" }, by: ", ") + " }"
  }
}

package struct LogClaim: Hashable, Sendable {
  package var name: String
  package var matcher: Matcher
}

package func words(_ claims: [[LogClaim]]) -> String {
  let entries = claims.map { claims in
    claims.isEmpty
      ? "{}" : "{ " + joined(claims.map { "\($0.name): \($0.matcher.words)" }, by: ", ") + " }"
  }
  return counted(entries)
}

func counted(_ entries: [String]) -> String {
  counted(Int64(entries.count), "entry", "entries") + ": [" + joined(entries, by: ", ") + "]"
}

extension PropertyValue {
  package var tree: JSONTree {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .text(let text): .string(text)
    case .count(let count): .whole(count)
    case .time(let nanoseconds): .seconds(nanoseconds)
    case .rate(let rate): .rate(rate)
    case .share(let millionths): .decimal(millionths, places: 6)
    case .ranges, .entries: .string(words)
    }
  }
}
