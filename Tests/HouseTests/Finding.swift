import Testing

/// A place where the house's rules are broken.
struct Finding: Equatable, CustomStringConvertible {
  var path: String
  var line: Int?
  /// What stands there.
  var what: String
  /// What to write instead.
  var instead: String
  var because: String

  var description: String {
    let place = line.map { "\(path):\($0)" } ?? path
    return "\(place): \(what). \(instead), because \(because)."
  }
}

/// Makes every finding a failure of the test at hand, readable by itself.
func expectNone(_ findings: [Finding], at location: SourceLocation = #_sourceLocation) {
  for finding in findings {
    Issue.record(Testing.Comment(rawValue: finding.description), sourceLocation: location)
  }
}
