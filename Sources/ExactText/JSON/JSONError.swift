package struct JSONError: Error, Hashable, Sendable {
  package var position: TextPosition
  package var problem: Problem

  package enum Problem: Hashable, Sendable {
    /// Something else was due here.
    case unexpected(found: String, expected: String)
    /// A comma stands before the end of a list or an object, which its bracket says.
    case trailingComma(String)
    /// A string holds a character that must be escaped.
    case controlCharacter(UInt8)
    case invalidEscape
    /// `\u` is followed by half of a surrogate pair without its other half.
    case loneSurrogate
    case invalidUTF8
    /// The text starts as UTF-16 or UTF-32 does.
    case otherEncoding
    case tooDeep(limit: Int)
    case tooLong
  }

  package init(_ problem: Problem, at position: TextPosition) {
    self.problem = problem
    self.position = position
  }

  package var message: String {
    switch problem {
    case .unexpected(let found, _): "this is not JSON: found \(found)"
    case .trailingComma(let bracket): "this is not JSON: a comma stands before “\(bracket)”"
    case .controlCharacter(0x09): "a string may not hold a tab as it is"
    case .controlCharacter(0x0A): "a string may not hold a line break as it is"
    case .controlCharacter: "a string may not hold a control character as it is"
    case .invalidEscape: "this is no escape sequence"
    case .loneSurrogate: "half of a surrogate pair stands alone"
    case .invalidUTF8: "the bytes here are not UTF-8"
    case .otherEncoding: "the text is not in UTF-8"
    case .tooDeep: "lists and objects are nested too deeply"
    case .tooLong: "the text is too long"
    }
  }

  /// A description of valid text at the position.
  package var expected: String {
    switch problem {
    case .unexpected(_, let expected): expected
    case .trailingComma: "no comma after the last element"
    case .controlCharacter(0x09): "\\t"
    case .controlCharacter(0x0A): "\\n, or a closing quotation mark before the line ends"
    case .controlCharacter: "an escape such as \\u0000"
    case .invalidEscape:
      "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits"
    case .loneSurrogate: "\\uD800 to \\uDBFF followed by \\uDC00 to \\uDFFF"
    case .invalidUTF8, .otherEncoding: "a file saved as UTF-8"
    case .tooDeep(let limit): "at most \(limit) levels"
    case .tooLong: "at most 512 MB"
    }
  }
}
