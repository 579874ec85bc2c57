import VirtualTime

/// Context of a playlist that its own text cannot state.
package struct PlaylistContext: Hashable, Sendable {
  /// URI that it was loaded from, for EXT-X-DEFINE with QUERYPARAM.
  package var uri: String
  /// The variables of its multivariant playlist; nil where it was not reached through one.
  package var imports: [PlaylistVariable]?

  package init(uri: String = "", imports: [PlaylistVariable]? = nil) {
    self.uri = uri
    self.imports = imports
  }
}

/// Reader state that both kinds of playlist share.
struct PlaylistState {
  let context: PlaylistContext
  var journal: PlaylistJournal
  var limits: PlaylistLimits { journal.limits }
  private(set) var start: StartPoint?
  private(set) var variables: [PlaylistVariable] = []

  private var values: [String: String] = [:]
  private var substitutedBytes = 0
  private var seen: [PlaylistTag] = []

  init(context: PlaylistContext, journal: PlaylistJournal) {
    self.context = context
    self.journal = journal
  }

  /// Takes up what is wrong with the attributes of a tag; false where the tag is not to be used.
  mutating func accept(_ list: AttributeList) -> Bool {
    for problem in list.remarks { remark(problem, list.line) }
    for attribute in list.attributes where !attribute.isTaken {
      remark(.unrecognisedAttribute(attribute.name), list.line)
    }
    // A tag that is skipped for a value of the future may well lack what is known today.
    if list.isVoid { return false }
    for problem in list.faults { fault(problem, list.line) }
    return list.faults.isEmpty
  }

  /// The same for a tag that adds to a list of the playlist, where that has room for one more.
  mutating func accept(_ list: AttributeList, after count: Int, of what: String) -> Bool {
    accept(list) && hasRoom(count, for: what, line: list.line)
  }

  /// Notes a fault in a line, under the name of its tag.
  mutating func fault(_ problem: PlaylistFault.Problem, _ line: PlaylistLine) {
    journal.fault(problem, line: line.number, tag: line.tag)
  }

  mutating func remark(_ problem: PlaylistRemark.Problem, _ line: PlaylistLine) {
    journal.remark(problem, line: line.number, tag: line.tag)
  }

  /// Whether a line is read; reports a tag of the other kind, which no reader knows, and a second
  /// tag of a kind that stands once.
  ///
  /// - Parameter other: the scope of the tags that belong to the other kind.
  mutating func accept(_ tag: PlaylistTag, _ line: PlaylistLine, not other: TagScope) -> Bool {
    if tag.scope == other {
      fault(.bothKinds, line)
    } else if tag.section.standsOnce {
      if seen.contains(tag) {
        fault(.repeatedTag, line)
        return false
      }
      seen.append(tag)
    }
    return true
  }

  mutating func hasRoom(_ count: Int, for what: String, line: PlaylistLine) -> Bool {
    if count < limits.items { return true }
    journal.fault(.tooMany(what, limit: Int64(limits.items)), line: line.number)
    return false
  }

  /// An integer that is the whole value of a tag.
  mutating func integer(_ line: PlaylistLine) -> Int64? {
    do {
      return try decimalInteger(line.text)
    } catch {
      reject(error, expected: "a decimal integer", line)
      return nil
    }
  }

  mutating func reject(_ problem: DecimalFault, expected: String, _ line: PlaylistLine) {
    switch problem {
    case .malformed: fault(.malformedValue(expected: expected), line)
    case .outOfRange: fault(.outOfRange, line)
    }
  }

  // §4.4.1.2: a client must not play a version that it does not know; 13 is the latest draft's.
  mutating func readVersion(_ line: PlaylistLine) {
    guard let number = integer(line), !(1...13).contains(number) else { return }
    fault(.unsupportedVersion(number), line)
  }

  mutating func readStart(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &self)
    let offset = list.decimal("TIME-OFFSET", places: 9, allowsSign: true, .required)
    let isPrecise = list.flag("PRECISE")
    if accept(list), let offset {
      start = StartPoint(offset: .init(nanoseconds: offset), isPrecise: isPrecise)
    }
  }

  mutating func readDefine(_ line: PlaylistLine) {
    var list = AttributeList(line, state: &self)
    let name = list.quoted("NAME")
    let value = list.quoted("VALUE")
    let imported = list.quoted("IMPORT")
    let parameter = list.quoted("QUERYPARAM")
    // §4.4.2.3: "An EXT-X-DEFINE tag MUST contain either a NAME, an IMPORT, or a QUERYPARAM
    // attribute, but only one of the three."
    switch (name, imported, parameter) {
    case (let name?, nil, nil):
      if value == nil { list.fault(.missingAttribute("VALUE")) }
      define(name, value ?? "", &list)
    // §4.4.2.3: without a definition in the multivariant playlist "the parser MUST fail to parse".
    case (nil, let name?, nil):
      if let variable = context.imports?.first(where: { $0.name == name }) {
        define(name, variable.value, &list)
      } else {
        list.fault(.importWithoutDefinition(name))
      }
    // §4.4.2.3: "If there is no matching query parameter in the URI or the matching parameter has
    // no associated value, the parser MUST fail to parse the Playlist."
    case (nil, nil, let name?):
      if let found = queryParameters(of: context.uri).first(where: { $0.name == name }),
        !found.value.isEmpty
      {
        define(name, found.value, &list)
      } else {
        list.fault(.queryParameterMissing(name))
      }
    default: list.fault(.contradictoryAttributes("one of NAME, IMPORT and QUERYPARAM is needed"))
    }
    _ = accept(list)
  }

  private mutating func define(_ name: String, _ value: String, _ list: inout AttributeList) {
    if name.isEmpty || !name.utf8.allSatisfy(isVariableCharacter) {
      return list.fault(
        .malformedAttribute("the name of the variable", expected: "of a-z, A-Z, 0-9, - and _"))
    }
    // §4.4.2.3: "Parsers that encounter duplicate Variable Name declarations MUST fail to parse."
    if values[name] != nil { return list.fault(.repeatedVariable(name)) }
    if variables.count == limits.items {
      return list.fault(.tooMany("variables", limit: Int64(limits.items)))
    }
    values[name] = value
    variables.append(PlaylistVariable(name: name, value: value))
  }

  /// The URI of a line with its variables replaced; nil where that is a fault.
  mutating func uri(_ line: PlaylistLine) -> String? {
    do {
      return String(decoding: try substituted(line.text), as: UTF8.self)
    } catch {
      fault(error, line)
      return nil
    }
  }

  /// The text with every `{$name}` replaced (§4.3); a reference without a definition is a fault.
  mutating func substituted(
    _ text: ArraySlice<UInt8>
  ) throws(PlaylistFault.Problem) -> ArraySlice<UInt8> {
    guard text.contains(UInt8(ascii: "{")) else { return text }
    var result: [UInt8] = []
    var rest = text
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      result += rest[..<open]
      rest = rest[open...]
      guard let name = reference(at: rest) else {
        result.append(rest.removeFirst())
        continue
      }
      guard let value = values[name] else { throw .undefinedVariable(name) }
      result += value.utf8
      rest = rest.dropFirst(name.utf8.count + 3)
      if result.count > limits.lineBytes { throw .lineTooLong(limit: Int64(limits.lineBytes)) }
    }
    result += rest
    substitutedBytes += result.count
    if substitutedBytes > limits.bytes { throw .fileTooLong(limit: Int64(limits.bytes)) }
    return result[...]
  }

  /// The name in a text that starts with `{$name}`.
  private func reference(at text: ArraySlice<UInt8>) -> String? {
    guard text.starts(with: "{$".utf8) else { return nil }
    let name = text.dropFirst(2).prefix(while: isVariableCharacter)
    if name.isEmpty || text.dropFirst(2 + name.count).first != UInt8(ascii: "}") { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

private func isVariableCharacter(_ byte: UInt8) -> Bool {
  isLetter(byte) || decimalDigit(byte) != nil || byte == UInt8(ascii: "-")
    || byte == UInt8(ascii: "_")
}

package func queryParameters(of uri: String) -> [(name: String, value: String)] {
  Array((URIReference(uri).query ?? "").utf8).split(separator: UInt8(ascii: "&")).map { pair in
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
    return (percentDecoded(pair[..<equals]), percentDecoded(pair[equals...].dropFirst()))
  }
}
