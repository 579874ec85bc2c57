import ExactText

/// An object of a list, of which the members that are numbers count: traces are written so.
struct JSONRow {
  struct Field {
    var key: String
    var value: ExactDecimal
    var text: ArraySlice<UInt8>
    var line: Int
  }

  let line: Int
  private var fields: [Field] = []
  /// The members that are neither numbers nor null.
  private var others: [(key: String, value: JSONValue)] = []

  init(_ value: JSONValue) throws(ImportError) {
    guard let members = value.members else {
      throw ImportError(wrong: value, expected: "an object")
    }
    line = value.position.line
    for member in members {
      if member.value.elements != nil || member.value.members != nil {
        throw ImportError(wrong: member.value, expected: "a number")
      }
      let line = member.value.position.line
      if has(member.key) { throw ImportError(line: line, .duplicateKey(member.key)) }
      guard let text = member.value.numberBytes else {
        if !member.value.isNull { others.append((member.key, member.value)) }
        continue
      }
      fields.append(
        Field(key: member.key, value: try exactDecimal(text, line: line), text: text, line: line))
    }
  }

  func has(_ key: String) -> Bool {
    fields.contains { isSameText($0.key, key) } || others.contains { isSameText($0.key, key) }
  }

  func field(_ key: String) throws(ImportError) -> Field? {
    if let other = others.first(where: { isSameText($0.key, key) }) {
      throw ImportError(wrong: other.value, expected: "a number for '\(key)'")
    }
    return fields.first { isSameText($0.key, key) }
  }

  func required(_ key: String) throws(ImportError) -> Field {
    guard let field = try field(key) else { throw ImportError(line: line, .missingKey(key)) }
    return field
  }

  func isAboveZero(_ names: [String]) throws(ImportError) -> Bool {
    for name in names where try field(name)?.value.significand ?? 0 > 0 { return true }
    return false
  }
}

extension SourceText {
  /// The elements of a list, to be read a row at a time: a recording may have millions.
  func listElements() throws(ImportError) -> JSONElements {
    let document = try rethrowing(try JSONValue(parsing: bytes)) { (error: JSONError) in
      ImportError(line: error.position.line, .unexpected(error))
    }
    guard let elements = document.elements else {
      throw ImportError(wrong: document, expected: "a list of objects")
    }
    return elements
  }
}

extension ImportError {
  fileprivate init(wrong value: JSONValue, expected: String) {
    self.init(line: value.position.line, .unexpected(found: value.kind, expected: expected))
  }
}

extension ImportError.Problem {
  fileprivate static func unexpected(_ error: JSONError) -> Self {
    if case .unexpected(let found, let expected) = error.problem {
      return .unexpected(found: found, expected: expected)
    }
    return .unexpected(found: error.message, expected: error.expected)
  }
}
