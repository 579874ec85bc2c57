package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Error, Hashable {
    case empty
    case unknownFormat
    case binaryPropertyList
    case notANumber(String)
    case notATime(String)
    /// One column is read as mahimahi.
    case noMillisecond(String)
    /// The columns of a table say too little, or too much.
    case table(String)
    case tooManyDigits(String)
    case negative(String)
    case outOfRange(String)
    case columns(found: Int, expected: String)
    case timeGoesBack
    case noDuration
    case missingKey(String)
    case duplicateKey(String)
    case unexpected(found: String, expected: String)
    case nestedTooDeeply
    case noProfile
    case link(LinkError)
  }

  /// From 1.
  package var line: Int
  package var problem: Problem

  init(line: Int, _ problem: Problem) {
    self.line = line
    self.problem = problem
  }

  package var description: String { "line \(line): \(problem.description)" }
}

extension ImportError.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "nothing but blank lines and comments; expected a trace"
    case .unknownFormat:
      "not a format that is known here: "
        + TraceFormat.allCases.map { $0.rawValue }.joined(separator: ", ")
        + "; a table begins with a header such as 'time_s,kbit/s'"
    case .binaryPropertyList:
      "a binary property list; `plutil -convert xml1 FILE` makes it readable"
    case .notANumber(let text): "'\(text)' where a number is expected"
    case .notATime(let text):
      "'\(text)' where a time is expected: a number, or a date such as 2026-01-31T12:00:00Z"
    case .noMillisecond(let text):
      "'\(text)' where a whole millisecond is expected: one column is read as mahimahi; "
        + "rates need a header with their unit, such as 'kbit/s'"
    case .table(let words): words
    case .tooManyDigits(let text): "'\(text)' has more than 18 significant digits"
    case .negative(let text): "\(text) is below zero"
    case .outOfRange(let text): "\(text) is more than can be held"
    case .columns(let found, let expected): "\(found) columns; expected \(expected)"
    case .timeGoesBack: "the time is before that of the line above"
    case .noDuration: "the trace lasts no time"
    case .missingKey(let key): "'\(key)' is missing"
    case .duplicateKey(let key): "'\(key)' occurs twice"
    case .unexpected(let found, let expected): "found \(found); expected \(expected)"
    case .nestedTooDeeply: "nested more than 32 deep"
    case .noProfile: "no dictionary with DownlinkBandwidth in it"
    case .link(let error): error.description
    }
  }
}
