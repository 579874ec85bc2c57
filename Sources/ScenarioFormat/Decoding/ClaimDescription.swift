import ExactText
import LinkConditioner
import VirtualTime

/// A scenario's expectation of a value, decoded for the kind of that value.
struct ClaimDescription {
  let kind: PropertyKind
  private var matcher: Matcher?
  private var distance: PropertyValue?

  /// Reads a value, or an object that says how far another may be from it.
  static func matcher(_ node: DocumentNode, for kind: PropertyKind) -> Matcher? {
    if let table = kind.log?.table, !node.isNull {
      return node.list { table.read($0, []) { claims, _ in claims } }.map { .entries($0) }
    }
    if kind.isOrdered, let bound = node.plainText.flatMap(Hints.bound) {
      return node.refuse("\(node.description) is no value", expected: bound)
    }
    guard case .object = node.content else { return kind.value(node).map { .equals($0) } }
    return (kind.isOrdered ? bounds : negations).read(node, ClaimDescription(kind: kind)) {
      part, _ in
      guard case .about(let center, within: _)? = part.matcher else { return part.matcher }
      return part.distance.map { .about(center, within: $0) }
    }
  }

  private static let bounds = bounds(for: .null, distance: .null, claim: .null)
  private static let negations = KeyTable<Self>("claim", "Any other value.") { not(.null) }

  /// The keys of what an ordered value is held against.
  static func bounds(for value: Shape, distance: Shape, claim: Shape) -> KeyTable<Self> {
    KeyTable<Self>("claim", "Bounds for a value.") {
      Key.read(
        "between", .oneOf, as: .list(of: value, atLeast: 2, atMost: 2), "The least and the most."
      ) { $1.matcher.takes($1.between($0)) }
      Key.read("atLeast", .oneOf, as: value, "That or more.") {
        $1.matcher.takes($1.kind.bound($0).map { .atLeast($0) })
      }
      Key.read("atMost", .oneOf, as: value, "That or less.") {
        $1.matcher.takes($1.kind.bound($0).map { .atMost($0) })
      }
      Key.read("about", .oneOf, as: value, "That, give or take.") {
        $1.matcher.takes($1.kind.bound($0).map { .about($0, within: $0) })
      }.needing("within")
      not(claim)
      Key.read("within", as: distance, "Permitted distance from the value.") {
        $1.distance.takes($1.kind.distance.bound($0))
      }.beside("about", expected: "“about” beside it")
    }
  }

  static func not(_ claim: Shape) -> Key<Self> {
    Key.read("not", .oneOf, as: claim, "All but that.") {
      $1.matcher.takes(matcher($0, for: $1.kind).map { .not($0) })
    }
  }

  private func between(_ node: DocumentNode) -> Matcher? {
    guard let bounds = node.list(of: kind.bound) else { return nil }
    guard bounds.count == 2 else {
      return node.refuse(
        "the list has \(counted(Int64(bounds.count), "element"))",
        expected: "the least and the most")
    }
    guard bounds[1].isOrdered(notBefore: bounds[0]) else {
      return node.refuse("the first bound is above the second", expected: "the least and the most")
    }
    return .between(bounds[0], bounds[1])
  }
}

extension LogKind {
  fileprivate var table: KeyTable<[LogClaim]> {
    KeyTable("entry", "An entry of a log, with the fields that matter.") {
      fields.map { field in
        Key.read(field.name, as: field.kind.shape, field.summary) { node, claims in
          let matcher = ClaimDescription.matcher(node, for: field.kind)
          if let matcher { claims.append(LogClaim(name: field.name, matcher: matcher)) }
          return matcher != nil
        }
      }
    }
  }
}

extension PropertyKind {
  var shape: Shape {
    switch self {
    case .word(let words): .anyOf([.words(words), .negation(of: .words(words))])
    case .nullable(.word(let words)):
      .anyOf([.nullable(.words(words)), .negation(of: .nullable(.words(words)))])
    case .nullable(.entries(let log)): .nullable(PropertyKind.entries(log).shape)
    case .entries(let log):
      .named(log == .access ? "accessLogClaim" : "errorLogClaim", "The entries of a log.") {
        .list(of: .inline { log.table.roster.object })
      }
    case .nullable(let kind):
      .named("optional" + kind.row.name + "Claim", "\(kind.row.about) Or null.") {
        .anyOf([.null, kind.shape, .negation(of: self.shape)])
      }
    case .boolean, .text, .ranges:
      .named(row.name + "Claim", row.about) { .anyOf([valueShape, .negation(of: self.shape)]) }
    case .count, .whole, .bytes, .bitRate, .time, .difference, .rate, .share:
      .named(row.name + "Claim", row.about) {
        let bounds = ClaimDescription.bounds(
          for: valueShape, distance: distance.valueShape, claim: self.shape)
        return .anyOf([valueShape, .inline { bounds.roster.object }])
      }
    }
  }

  var valueShape: Shape { row.value }

  private var row: (name: String, about: String, value: Shape) {
    switch self {
    case .boolean: ("Boolean", "True or false.", .boolean)
    case .text: ("Text", "A text, as it is shown.", .text("0.0s"))
    case .count: ("Count", "A count, or bounds for it.", .whole(from: 0, through: nil))
    case .whole:
      ("Number", "A whole number, or bounds for it.", .whole(from: .min, through: .max))
    case .bytes: ("Size", "A size, or bounds for it.", .size)
    case .bitRate: ("BitRate", "A bit rate, or bounds for it.", .bitRate)
    case .time: ("Time", "A time, or bounds for it.", .time)
    case .difference: ("Difference", "A difference of times, or bounds for it.", .signedTime)
    case .rate: ("Rate", "A rate, or bounds for it.", .playbackRate)
    case .share: ("Share", "A share, or bounds for it.", .percentage)
    case .ranges:
      (
        "Ranges", "Ranges of media in rising order.",
        .list(of: .list(of: .time, atLeast: 2, atMost: 2))
      )
    case .word(let words): ("Word", "A word.", .words(words))
    case .entries: ("Entries", "The entries of a log.", .null)
    case .nullable(let kind): (kind.row.name, kind.row.about, .nullable(kind.row.value))
    }
  }
}

extension Shape {
  /// An object that stands for anything but a value.
  fileprivate static func negation(of claim: Shape) -> Shape {
    .inline {
      ObjectShape(
        name: "claim", about: "Any other value.",
        keys: [ClaimDescription.not(claim).row.shape])
    }
  }
}

extension PropertyKind {
  /// A value that another can be compared with, so never null.
  fileprivate func bound(_ node: DocumentNode) -> PropertyValue? { withoutNull.value(node) }

  func value(_ node: DocumentNode) -> PropertyValue? {
    switch self {
    case .boolean: return Decode.boolean(node).map { .boolean($0) }
    case .word(let words):
      return Decode.word(node, among: words.map { (word: $0, value: PropertyValue.text($0)) })
    case .text: return Decode.text(node).map { .text($0) }
    case .count: return Decode.count(node).map { .count($0) }
    case .whole: return Decode.whole(node, in: Int64.min...Int64.max).map { .count($0) }
    case .entries: return nil
    case .bytes: return Form.anyBytes().read(node).map { .count($0) }
    case .bitRate: return Form.bitRateLimit.read(node).map { .count($0) }
    case .time: return Form.anySpan().read(node).map { .time($0.nanoseconds) }
    case .difference: return Form.signedMediaTime.read(node).map { .time($0.nanoseconds) }
    case .rate: return Form.rate.read(node).map { .rate($0) }
    case .share: return Decode.millionths(node).map { .share($0) }
    case .ranges: return Decode.mediaRanges(node).map { .ranges($0) }
    case .nullable(let kind): return node.isNull ? .null : kind.value(node)
    }
  }

  fileprivate var log: LogKind? {
    if case .entries(let log) = withoutNull { log } else { nil }
  }

  var distance: PropertyKind {
    if case .difference = withoutNull { .time } else { withoutNull }
  }
}

extension Decode {
  static func millionths(_ node: DocumentNode) -> Int64? {
    guard let ratio = Form.chance.read(node) else { return nil }
    let millionths = Int128(ratio.numerator) * 1_000_000
    guard millionths % Int128(ratio.denominator) == 0 else {
      return node.refuseKind(expected: "at most four decimals")
    }
    return Int64(millionths / Int128(ratio.denominator))
  }

  /// Ranges of media in rising order: [["0 s", "3.3 s"]].
  fileprivate static func mediaRanges(_ node: DocumentNode) -> [Range<Int64>]? {
    guard let ranges = node.list(of: mediaRange) else { return nil }
    for (a, b) in zip(ranges, ranges.dropFirst()) where a.upperBound >= b.lowerBound {
      return node.refuse(
        "the ranges touch or are out of order", expected: "separate ranges that rise")
    }
    return ranges
  }

  private static func mediaRange(_ node: DocumentNode) -> Range<Int64>? {
    guard let ends = node.list(of: Form.mediaPlace.read) else { return nil }
    guard ends.count == 2, ends[0] < ends[1] else {
      return node.refuse(
        "found \(node.description) of \(counted(Int64(ends.count), "time")) that is no range",
        expected: "a beginning and a later end, such as [\"0 s\", \"3.3 s\"]")
    }
    return ends[0].nanoseconds..<ends[1].nanoseconds
  }
}
