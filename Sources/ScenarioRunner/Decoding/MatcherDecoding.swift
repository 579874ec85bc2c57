import LinkConditioner
import VirtualTime

/// Decodes what a value is held against, given what sort of value it is.
struct MatcherDecoding {
  let kind: PropertyKind

  func matcher(_ node: DocumentNode) -> Matcher? {
    if let log = kind.log, !node.isNull { return entries(of: log, node) }
    guard case .object = node.value.content else {
      return value(node).map { .equals($0) }
    }
    return node.object { object in
      guard kind.isOrdered else {
        return object.exactlyOne(of: [("not", negation)])
      }
      let matcher = object.exactlyOne(of: [
        ("between", between),
        ("atLeast", { bound($0).map { Matcher.atLeast($0) } }),
        ("atMost", { bound($0).map { Matcher.atMost($0) } }),
        ("about", { bound($0).map { Matcher.about($0, within: $0) } }),
        ("not", negation),
      ])
      let distance = object.optional("within", as: MatcherDecoding(kind: kind.distance).bound)
      guard object.has("about") else {
        if object.has("within") {
          object.refuse(key: "within", "stands beside “about” only", expected: "“about” beside it")
        }
        return matcher
      }
      guard let distance = object.need("within", distance),
        case .about(let center, within: _)? = matcher
      else { return nil }
      return .about(center, within: distance)
    }
  }

  /// An object for each entry of a log, with the fields that matter.
  private func entries(of log: LogKind, _ node: DocumentNode) -> Matcher? {
    let entries = node.list { element -> [LogClaim]? in
      element.object { object in
        var claims: [LogClaim] = []
        for field in log.fields {
          let claim = object.optional(field.name, as: MatcherDecoding(kind: field.kind).matcher)
          if let claim { claims.append(LogClaim(name: field.name, matcher: claim)) }
        }
        return claims
      }
    }
    return entries.map { .entries($0) }
  }

  private func negation(_ node: DocumentNode) -> Matcher? {
    matcher(node).map { .not($0) }
  }

  private func between(_ node: DocumentNode) -> Matcher? {
    guard let bounds = node.list(of: bound) else { return nil }
    guard bounds.count == 2 else {
      node.refuse("the list has \(bounds.count) elements", expected: "the least and the most")
      return nil
    }
    guard bounds[0].isAtMost(bounds[1]) else {
      node.refuse("the first bound is above the second", expected: "the least and the most")
      return nil
    }
    return .between(bounds[0], bounds[1])
  }

  /// A value that another can be compared with, so never null.
  private func bound(_ node: DocumentNode) -> PropertyValue? {
    if case .nullable(let kind) = kind { return MatcherDecoding(kind: kind).bound(node) }
    return value(node)
  }

  private func value(_ node: DocumentNode) -> PropertyValue? {
    switch kind {
    case .boolean: return Decode.boolean(node).map { .boolean($0) }
    case .word(let words):
      return Decode.choice(words.map { (word: $0, value: $0) })(node).map { .text($0) }
    case .text: return Decode.nonEmptyText(node).map { .text($0) }
    case .count: return Decode.count(node).map { .count($0) }
    case .whole:
      return Decode.count(in: Int64.min...Int64.max)(node).map { .count($0) }
    case .entries: return nil
    case .bytes: return Decode.bytes(node).map { .count($0) }
    case .bitRate: return Decode.bitRateLimit(node).map { .count($0) }
    case .time: return Decode.timeSpan(node).map { .time($0.nanoseconds) }
    case .difference: return Decode.signedMediaTime(node).map { .time($0.nanoseconds) }
    case .rate: return Decode.scenarioRate(node).map { .rate($0) }
    case .share: return Decode.millionths(node).map { .share($0) }
    case .ranges: return Decode.mediaRanges(node).map { .ranges($0) }
    case .nullable(let kind):
      return node.isNull ? .null : MatcherDecoding(kind: kind).value(node)
    }
  }
}

extension PropertyKind {
  /// The log whose entries they are; nil for what is no log.
  fileprivate var log: LogKind? {
    switch self {
    case .entries(let log): log
    case .nullable(let kind): kind.log
    case .boolean, .word, .text, .count, .whole, .bytes, .bitRate, .time, .difference, .rate,
      .share, .ranges:
      nil
    }
  }

  /// What the distance between two such values is.
  fileprivate var distance: PropertyKind {
    switch self {
    case .difference: .time
    case .nullable(let kind): kind.distance
    case .boolean, .word, .text, .count, .whole, .entries, .bytes, .bitRate, .time, .rate, .share,
      .ranges:
      self
    }
  }
}

extension PropertyValue {
  /// Whether a value is not above another of its sort.
  fileprivate func isAtMost(_ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.count(let a), .count(let b)), (.time(let a), .time(let b)),
      (.share(let a), .share(let b)):
      a <= b
    case (.rate(let a), .rate(let b)):
      Int64(a.numerator) * Int64(b.denominator) <= Int64(b.numerator) * Int64(a.denominator)
    case (.null, _), (.boolean, _), (.text, _), (.count, _), (.time, _), (.rate, _),
      (.ranges, _), (.share, _), (.entries, _):
      false
    }
  }
}

extension Decode {
  /// A percentage in whole parts per million.
  fileprivate static func millionths(_ node: DocumentNode) -> Int64? {
    guard let ratio = lossRatio(node) else { return nil }
    let millionths = Int128(ratio.numerator) * 1_000_000
    guard millionths % Int128(ratio.denominator) == 0 else {
      node.refuseKind(expected: "at most four decimals")
      return nil
    }
    return Int64(millionths / Int128(ratio.denominator))
  }

  /// Ranges of media in rising order: [["0 s", "3.3 s"]].
  fileprivate static func mediaRanges(_ node: DocumentNode) -> [Range<Int64>]? {
    guard let ranges = node.list(of: mediaRange) else { return nil }
    for (a, b) in zip(ranges, ranges.dropFirst()) where a.upperBound >= b.lowerBound {
      node.refuse("the ranges touch or are out of order", expected: "separate ranges that rise")
      return nil
    }
    return ranges
  }

  private static func mediaRange(_ node: DocumentNode) -> Range<Int64>? {
    guard let ends = node.list(of: mediaPlace) else { return nil }
    guard ends.count == 2, ends[0] < ends[1] else {
      node.refuse(
        "found \(node.description) of \(ends.count) times that is no range",
        expected: "a beginning and a later end, such as [\"0 s\", \"3.3 s\"]")
      return nil
    }
    return ends[0].nanoseconds..<ends[1].nanoseconds
  }
}
