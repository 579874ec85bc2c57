import Autowait

/// What sort of value a property has, and with it how an expectation writes it.
indirect enum PropertyKind: Sendable {
  case boolean
  case word([String])
  /// As the engineering screen shows it.
  case text
  case count
  /// A number that may be below zero.
  case whole
  case bytes
  case bitRate
  case time
  /// A time that may lie before zero.
  case difference
  case rate
  case share
  case ranges
  /// The entries of a log.
  case entries(LogKind)
  /// That, or null.
  case nullable(PropertyKind)

  /// Whether one value can be more than another.
  var isOrdered: Bool {
    switch self {
    case .boolean, .word, .text, .ranges, .entries: false
    case .count, .whole, .bytes, .bitRate, .time, .difference, .rate, .share: true
    case .nullable(let kind): kind.isOrdered
    }
  }
}

/// One of the logs of an item, with what its entries hold.
enum LogKind {
  case access
  case error

  var fields: [(name: String, kind: PropertyKind, summary: String)] {
    switch self {
    case .access: AccessLogField.allCases.map { ($0.rawValue, $0.kind, $0.summary) }
    case .error: ErrorLogField.allCases.map { ($0.rawValue, $0.kind, $0.summary) }
    }
  }
}
