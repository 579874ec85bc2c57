package import ExactText
import SimulatedPlayback

/// The type of a property's value, which decides how an expectation writes it.
package indirect enum PropertyKind: Sendable {
  case boolean
  case word([String])
  /// As the engineering screen shows it.
  case text
  case count
  case whole
  case bytes
  case bitRate
  case time
  case difference
  case rate
  case share
  case ranges
  case entries(LogKind)
  case nullable(PropertyKind)

  package var withoutNull: PropertyKind {
    if case .nullable(let kind) = self { kind.withoutNull } else { self }
  }

  var isOrdered: Bool {
    switch self {
    case .boolean, .word, .text, .ranges, .entries: false
    case .count, .whole, .bytes, .bitRate, .time, .difference, .rate, .share: true
    case .nullable(let kind): kind.isOrdered
    }
  }
}

/// One of the logs of an item, with what its entries hold.
package enum LogKind: Sendable {
  case access
  case error

  var fields: [(name: String, kind: PropertyKind, summary: String)] {
    switch self {
    case .access: AccessLogEvent.fields.map { ($0.name, $0.kind, $0.about) }
    case .error: ErrorLogEvent.fields.map { ($0.name, $0.kind, $0.about) }
    }
  }
}

extension PropertyValue {
  /// A value of a kind as results and traces have it; nil where it is none.
  package init?(_ member: JSONValue, of kind: PropertyKind) {
    func number(_ places: Int, _ make: (Int64) -> PropertyValue) -> PropertyValue? {
      member.units(places: places).map(make)
    }
    let value: PropertyValue? =
      switch kind {
      case .boolean: member.flag.map { .boolean($0) }
      case .word, .text: member.string.map { .text($0) }
      case .count, .whole, .bytes, .bitRate: number(0) { .count($0) }
      case .time, .difference: number(9) { .time($0) }
      case .share: number(6) { .share($0) }
      case .nullable(let kind): member.isNull ? .null : PropertyValue(member, of: kind)
      case .rate, .ranges, .entries: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// Whether a trace leaves it out: null, and a blank value of a kind that is never null.
  package func isBlank(as kind: PropertyKind) -> Bool {
    if case .nullable = kind { return self == .null }
    switch self {
    case .null, .boolean(false), .text(""), .time(0), .count(0): return true
    case .boolean, .text, .time, .count, .rate, .ranges, .share, .entries: return false
    }
  }
}
