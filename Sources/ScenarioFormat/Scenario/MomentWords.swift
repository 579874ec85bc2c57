import ExactText
package import VirtualTime

// Moments and patterns in words, for what a failed expectation says.

package func words(_ instant: Instant) -> String { PropertyValue.time(instant.nanoseconds).words }

extension Moment {
  package var words: String {
    switch self {
    case .at(let instant): "at \(ScenarioFormat.words(instant))"
    case .after(let step, let span): Moment.words(span, after: quotation(of: step))
    case .event(let pattern, let number, let span):
      Moment.words(span, after: Moment.ordinal(number, pattern.words))
    case .end: "at the end"
    }
  }

  package var isNamed: Bool {
    switch self {
    case .at, .end: true
    case .after, .event: false
    }
  }

  /// Whether it is that of a step, whose name its words have.
  package var isStep: Bool {
    if case .after(_, .zero) = self { true } else { false }
  }

  private static func words(_ span: TimeSpan, after what: String) -> String {
    span == .zero ? "at \(what)" : "\(PropertyValue.time(span.nanoseconds).words) after \(what)"
  }

  private static func ordinal(_ number: Int64, _ what: String) -> String {
    switch number {
    case 1: "the first \(what)"
    case 2: "the second \(what)"
    case 3: "the third \(what)"
    default: "\(what) number \(number)"
    }
  }
}

extension EventPattern {
  package var words: String {
    joined([event] + members.map { "\($0.name)=\($0.quotedValue)" }, by: " ")
  }
}

extension EventPattern.Member {
  /// The value as a pattern writes it: in quotation marks where it holds a space.
  fileprivate var quotedValue: String {
    guard value.isEmpty || value.utf8.contains(0x20) else { return value }
    return value.utf8.contains(UInt8(ascii: "'")) ? "\"\(value)\"" : "'\(value)'"
  }
}
