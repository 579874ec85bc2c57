import ExactText
import VirtualTime

extension Matcher {
  /// Whether a value is as expected; values of different kinds never are.
  package func accepts(_ value: PropertyValue) -> Bool {
    switch self {
    case .equals(let expected): return value == expected
    case .between(let low, let high):
      return value.isOrdered(notBefore: low) && high.isOrdered(notBefore: value)
    case .atLeast(let low): return value.isOrdered(notBefore: low)
    case .atMost(let high): return high.isOrdered(notBefore: value)
    case .about(let center, let within):
      guard let excess = value.excess(over: center), let most = within.magnitude else {
        return false
      }
      return excess.magnitude <= most.magnitude
    case .not(let other): return !other.accepts(value)
    case .entries(let claims):
      guard case .entries(let entries) = value else { return false }
      return claims.count == entries.count
        && zip(claims, entries).allSatisfy { claims, entry in
          claims.allSatisfy { $0.matcher.accepts(entry.value(of: $0.name)) }
        }
    }
  }

  /// The side on which a value misses the expectation, without its amount.
  package func miss(of value: PropertyValue) -> String {
    guard let bound = bound(near: value), let a = value.magnitude, let b = bound.magnitude else {
      return "is " + (value.magnitude == nil ? value.words : "that")
    }
    return a < b ? "is too low" : "is too high"
  }

  /// The value that another is held against; nil where there is none.
  package func bound(near value: PropertyValue) -> PropertyValue? {
    switch self {
    case .equals(let bound), .atLeast(let bound), .atMost(let bound), .about(let bound, within: _):
      bound
    case .between(let low, let high): value.isOrdered(notBefore: low) ? high : low
    case .not, .entries: nil
    }
  }

  package var words: String { words { $0.words } }

  package func words(_ shown: (PropertyValue) -> String) -> String {
    switch self {
    case .equals(let value): shown(value)
    case .between(let low, let high): "between \(shown(low)) and \(shown(high))"
    case .atLeast(let value): "at least \(shown(value))"
    case .atMost(let value): "at most \(shown(value))"
    case .about(let value, let within): "\(shown(value)) within \(shown(within))"
    case .not(let other): "not \(other.words(shown))"
    case .entries(let claims): ScenarioFormat.words(claims)
    }
  }
}

extension PropertyValue {
  /// A number to compare by, in the kind's own unit.
  package var magnitude: Int128? {
    switch self {
    case .count(let count): Int128(count)
    case .time(let nanoseconds): Int128(nanoseconds)
    case .share(let millionths): Int128(millionths)
    case .rate(let rate):
      Int128(rate.numerator) * 1_000_000_000 / Int128(rate.denominator)
    case .null, .boolean, .text, .ranges, .entries: nil
    }
  }

  /// Whether it is not less than another of its kind.
  func isOrdered(notBefore other: PropertyValue) -> Bool {
    if case .rate(let a) = self, case .rate(let b) = other {
      return Int64(a.numerator) * Int64(b.denominator)
        >= Int64(b.numerator) * Int64(a.denominator)
    }
    return excess(over: other).map { $0 >= 0 } ?? false
  }

  /// The magnitude beyond that of another; nil for values of different kinds.
  fileprivate func excess(over other: PropertyValue) -> Int128? {
    switch (self, other) {
    case (.count, .count), (.time, .time), (.share, .share), (.rate, .rate):
      magnitude.flatMap { own in other.magnitude.map { own - $0 } }
    case (.null, _), (.boolean, _), (.text, _), (.count, _), (.time, _), (.rate, _), (.ranges, _),
      (.share, _), (.entries, _):
      nil
    }
  }

  package var words: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .text(let text): text.isEmpty ? "empty" : text
    case .count(let count): "\(count)"
    case .time(let nanoseconds): JSONTree.secondsText(nanoseconds)
    case .rate(let rate): JSONTree.rate(rate).json
    case .share(let millionths): JSONTree.decimal(millionths, places: 4).json + " %"
    case .entries(let entries): counted(entries.map { $0.words })
    case .ranges(let ranges):
      "["
        + joined(
          ranges.map {
            "[\(JSONTree.secondsText($0.lowerBound)), \(JSONTree.secondsText($0.upperBound))]"
          }, by: ", ") + "]"
    }
  }
}
