package import ExactText
package import SimulatedPlayback

// Figures in files beside a scenario: what they may be, and what they were.

package struct FigureLimit: Hashable, Sendable {
  /// Nil lifts a limit that stands before it.
  package var matcher: Matcher?
  package var position: TextPosition
}

package enum FigureTolerance: Hashable, Sendable {
  case distance(PropertyValue)
  /// A share of what it was, in parts per million.
  case share(Int64)

  package func accepts(_ value: PropertyValue, recorded: PropertyValue) -> Bool {
    guard let a = value.magnitude, let b = recorded.magnitude else { return value == recorded }
    switch self {
    case .distance(let most): return (a - b).magnitude <= most.magnitude?.magnitude ?? 0
    case .share(let millionths):
      return (a - b).magnitude * 1_000_000 <= b.magnitude * UInt128(millionths.magnitude)
    }
  }
}

package let contractForm: Form<Contract> = .contract

extension Figure {
  /// A value for the most that it may be, or an object with bounds; null lifts a limit.
  package var limit: Form<FigureLimit> {
    let kind = kind.withoutNull
    return Form(.nullable(kind.shape)) { node in
      let position = node.value.position
      if node.isNull { return FigureLimit(matcher: nil, position: position) }
      guard var matcher = ClaimDescription.matcher(node, for: kind) else { return nil }
      if kind.isOrdered, case .equals(let most) = matcher { matcher = .atMost(most) }
      return FigureLimit(matcher: matcher, position: position)
    }
  }

  package var recorded: Form<PropertyValue> {
    let kind = kind
    return Form(kind.valueShape) { kind.value($0) }
  }

  /// The tolerance around the recorded value: a distance or percentage of it; nil if not a number.
  package var tolerance: Form<FigureTolerance>? {
    let kind = kind.withoutNull.distance
    if !kind.isOrdered { return nil }
    if case .share = kind { return Form(kind.valueShape) { kind.value($0).map { .distance($0) } } }
    return Form(.anyOf([kind.valueShape, .percentage])) { node in
      if node.stringBytes?.last == UInt8(ascii: "%") {
        return Decode.millionths(node).map { .share($0) }
      }
      return kind.value(node).map { .distance($0) }
    }
  }

  /// A value of its sort as files have it.
  package func written(_ value: PropertyValue) -> JSONTree {
    if case .text(let word) = value { return .string(word) }
    guard let number = value.magnitude.map({ Int64(clamping: $0) }) else { return .null }
    switch kind.withoutNull {
    case .bytes: return .string("\(number) B")
    case .bitRate: return .string("\(number) bit/s")
    case .time, .difference, .share: return .string(value.words)
    case .boolean, .word, .text, .count, .whole, .rate, .ranges, .entries, .nullable:
      return .number(value.words)
    }
  }

  package func written(_ tolerance: FigureTolerance) -> JSONTree {
    switch tolerance {
    case .distance(let value): written(value)
    case .share(let millionths): .string(PropertyValue.share(millionths).words)
    }
  }

  /// The unit of its values; nil for counts, shares and words.
  package var unit: FigureUnit? {
    switch kind.withoutNull {
    case .bytes: .bytes
    case .bitRate: .bitRate
    case .time, .difference: .seconds
    case .boolean, .word, .text, .count, .whole, .rate, .share, .ranges, .entries, .nullable: nil
    }
  }
}

package enum FigureUnit: Hashable, Sendable {
  case bytes
  case bitRate
  case seconds
}
