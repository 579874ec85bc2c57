import ExactText

extension Decode {
  /// An event, perhaps with members: "stall", "variantSwitch from=1 to=0",
  /// "requestError error='the request timed out'".
  static func eventPattern(_ node: DocumentNode) -> EventPattern? {
    guard let text = text(node) else { return nil }
    let (event, rest) = firstWord(of: text)
    guard let shape = EventShape.named(event) else {
      let names = EventShape.all.map { $0.name }
      return node.refuse(
        "unknown event \(quotation(of: event))", expected: "one of " + alternatives(names),
        suggestion: nearestWord(to: event, among: names))
    }
    var reader = EventMemberReader(rest: rest.utf8[...], shape: shape)
    do throws(QuantityProblem) {
      return EventPattern(event: event, members: try reader.members())
    } catch {
      return node.refuse(error)
    }
  }
}

/// Reads the members of an event pattern: names, each with “=” and a value, in quotation marks if
/// it holds spaces. A text may do without, and goes on to the next name and its “=”, or to the end.
private struct EventMemberReader {
  var rest: Substring.UTF8View
  let shape: EventShape

  mutating func members() throws(QuantityProblem) -> [EventPattern.Member] {
    var members: [EventPattern.Member] = []
    while true {
      skipSpaces()
      if rest.isEmpty { return members }
      let member = try self.member()
      if members.contains(where: { isSameText($0.name, member.name) }) {
        throw QuantityProblem(
          "\(quotation(of: member.name)) is named twice", expected: "each member once")
      }
      members.append(member)
    }
  }

  private mutating func member() throws(QuantityProblem) -> EventPattern.Member {
    let start = rest
    let name = word(until: UInt8(ascii: "="))
    skipSpaces()
    guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { throw noMember(start) }
    rest.removeFirst()
    guard let member = shape.member(name) else {
      let names = shape.members.map { $0.name }
      throw QuantityProblem(
        "unknown member \(quotation(of: name)) of “\(shape.name)”",
        expected: alternatives(names), suggestion: nearestWord(to: name, among: names))
    }
    skipSpaces()
    guard let first = rest.first else { throw noMember(start) }
    let value =
      first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
      ? try quotedValue() : plainValue(of: member)
    if let expected = member.sort.expected(of: value) {
      throw QuantityProblem(
        "\(quotation(of: value)) is no value of “\(name)”", expected: expected,
        suggestion: member.sort.words.flatMap { nearestWord(to: value, among: $0) })
    }
    return EventPattern.Member(name: name, value: value)
  }

  private mutating func quotedValue() throws(QuantityProblem) -> String {
    let start = rest
    let mark = rest.removeFirst()
    let value = rest.prefix { $0 != mark }
    rest = rest.dropFirst(value.count)
    guard rest.popFirst() != nil, rest.first ?? 0x20 == 0x20 else {
      throw QuantityProblem(
        "\(quotation(of: text(start))) has no end",
        expected: "a quotation mark as at its beginning, then a space or nothing")
    }
    return text(value)
  }

  private mutating func plainValue(of member: EventShape.Member) -> String {
    let start = rest
    _ = word()
    if case .text = member.sort {
      while isContinued { _ = word() }
    }
    return text(start[..<rest.startIndex])
  }

  /// Passes the spaces before a word that is no name of another member.
  private var isContinued: Bool {
    mutating get {
      let start = rest
      skipSpaces()
      let next = rest
      let word = word(until: UInt8(ascii: "="))
      skipSpaces()
      let isWord = !word.isEmpty && rest.first != UInt8(ascii: "=")
      rest = isWord ? next : start
      return isWord
    }
  }

  private func noMember(_ part: Substring.UTF8View) -> QuantityProblem {
    QuantityProblem(
      "\(quotation(of: text(part))) is no member with its value",
      expected: "members behind the event, such as “timeControlStatus status=playing”; a value "
        + "with spaces in quotation marks")
  }

  private mutating func word(until mark: UInt8 = 0x20) -> String {
    let word = rest.prefix { $0 != 0x20 && $0 != mark }
    rest = rest.dropFirst(word.count)
    return text(word)
  }

  private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 } }

  private func text(_ bytes: Substring.UTF8View) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension EventShape.Member.Sort {
  fileprivate var words: [String]? { if case .words(let words) = self { words() } else { nil } }

  /// The values expected in place of one that no line can have; nil for a possible value.
  fileprivate func expected(of value: String) -> String? {
    switch self {
    case .text: nil
    case .words(let words):
      isSameText(value, "null") || words().contains { isSameText($0, value) }
        ? nil : "one of " + alternatives(words())
    case .flag: ["true", "false", "null"].contains(value) ? nil : alternatives(["true", "false"])
    case .number:
      isSameText(value, "null") || value.isTraceNumber
        ? nil : "a number as a trace writes it, such as “40” or “0.4”"
    }
  }
}

extension String {
  /// Whether it is as a trace writes a number: no zero too many, and a rate as “1/3” if need be.
  fileprivate var isTraceNumber: Bool {
    if utf8.contains(0x20) { return false }
    if let (over, under) = parts(of: self, around: UInt8(ascii: "/")) {
      return over.isWholeNumber && under.isWholeNumber
    }
    let size =
      utf8.first == UInt8(ascii: "-") ? String(decoding: utf8.dropFirst(), as: UTF8.self) : self
    guard let (whole, decimals) = parts(of: size, around: UInt8(ascii: ".")) else {
      return size.isWholeNumber
    }
    let zero = UInt8(ascii: "0")
    return whole.isWholeNumber && decimals.hasDigitsOnly
      && decimals.utf8.last ?? zero != zero
  }

  private var isWholeNumber: Bool {
    guard let first = utf8.first else { return false }
    return hasDigitsOnly && (first != UInt8(ascii: "0") || utf8.count == 1)
  }

  private var hasDigitsOnly: Bool {
    utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
