import ExactText

/// One line of a file of measurements: an object, and where it stands.
struct MeasuredRow {
  let value: JSONValue
  /// File and line of the row, for messages.
  let place: String

  static func rows(of bytes: [UInt8], file: String) throws(Failure) -> [MeasuredRow] {
    var rows: [MeasuredRow] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 32 }) {
      let place = "\(file):\(index + 1)"
      do throws(JSONError) {
        rows.append(MeasuredRow(value: try JSONValue(parsing: line), place: place))
      } catch {
        throw Failure(
          .wrongInput,
          "\(place):\(error.position.column): \(error.message); expected \(error.expected).")
      }
    }
    return rows
  }

  /// Hands over the rows of the files of measurements that paths name, each file once.
  static func forEach(
    below paths: [String], called what: String, _ body: (MeasuredRow) throws(Failure) -> Void
  ) throws(Failure) {
    var known: Set<String> = []
    for path in paths {
      for file in try InputFiles.files(at: path, endingIn: ".jsonl", called: what)
      where known.insert(file.identity).inserted {
        for row in try rows(of: try file.read(), file: file.title) { try body(row) }
      }
    }
  }

  func has(_ key: String) -> Bool { value[key].map { !$0.isNull } ?? false }

  /// Refuses ignored and repeated keys: a row is scored only if all it says of a link is read.
  ///
  /// - Parameter keys: Those that are read, and those that only describe the measurement.
  func knows(_ keys: [String], as wanted: String) throws(Failure) {
    guard let members = value.members else {
      throw Failure(.wrongInput, "\(place): \(wanted) is an object.")
    }
    var seen: [String] = []
    for member in members {
      if seen.contains(member.key) { throw wrong(member.key, "it once") }
      seen.append(member.key)
      if keys.contains(member.key) || member.value.isNull { continue }
      throw Failure(
        .wrongInput,
        "\(place): \(inQuotes(member.key)) means nothing in \(wanted), and a row is not scored "
          + "without what it says.\(question(nearestWord(to: member.key, among: keys)))")
    }
  }

  /// Refuses anything but a word that is known; what it says is then no guess.
  func text(_ key: String, oneOf words: [String]) throws(Failure) -> String {
    let word = try text(key)
    if words.contains(word) { return word }
    throw wrong(key, "one of " + words.map(inQuotes).joined(separator: ", "))
  }

  func text(_ key: String) throws(Failure) -> String {
    guard case .string(let text)? = value[key]?.content else { throw wrong(key, "a string") }
    return text
  }

  func boolean(_ key: String) throws(Failure) -> Bool {
    guard case .boolean(let value)? = value[key]?.content else { throw wrong(key, "a boolean") }
    return value
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(Failure) -> Double {
    guard let value = value[key] else { throw wrong(key, "a number") }
    return try number(value, key, in: range)
  }

  func whole(_ key: String, in range: ClosedRange<Int64>) throws(Failure) -> Int64 {
    let number = try number(key, in: Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int64(exactly: number) else { throw wrong(key, "a whole number") }
    return whole
  }

  func numbers(_ key: String, in range: ClosedRange<Double>) throws(Failure) -> [Double] {
    try elements(key).map { (element) throws(Failure) in try number(element, key, in: range) }
  }

  /// A list of pairs of numbers, or one such pair alone; none where the key says nothing.
  func pairs(_ key: String, in range: ClosedRange<Double>) throws(Failure) -> [(Double, Double)] {
    if !has(key) { return [] }
    let parts = try elements(key).map { $0 }
    let lists = parts.allSatisfy { $0.elements != nil } ? parts : value[key].map { [$0] } ?? []
    return try lists.map { (list) throws(Failure) in
      let numbers = list.elements.map { Array($0) } ?? []
      if numbers.count != 2 { throw wrong(key, "pairs of numbers") }
      return (try number(numbers[0], key, in: range), try number(numbers[1], key, in: range))
    }
  }

  func sizedFiles(_ key: String) throws(Failure) -> [(name: String, bytes: Int64)] {
    try elements(key).map { (element) throws(Failure) in
      let parts = element.elements.map { Array($0) } ?? []
      guard parts.count == 2, case .string(let name) = parts[0].content,
        case .number(let text) = parts[1].content, let bytes = Int64(text)
      else { throw wrong(key, "pairs of a name and a size") }
      return (name, bytes)
    }
  }

  func objects(_ key: String) throws(Failure) -> [MeasuredRow] {
    try elements(key).map { MeasuredRow(value: $0, place: place) }
  }

  func object(_ key: String) throws(Failure) -> MeasuredRow {
    guard let value = value[key], value.members != nil else { throw wrong(key, "an object") }
    return MeasuredRow(value: value, place: place)
  }

  private func elements(_ key: String) throws(Failure) -> JSONElements {
    guard let elements = value[key]?.elements else { throw wrong(key, "a list") }
    return elements
  }

  private func number(
    _ value: JSONValue, _ key: String, in range: ClosedRange<Double>
  ) throws(Failure) -> Double {
    guard case .number(let text) = value.content, let number = Double(text),
      range.contains(number)
    else {
      throw wrong(key, "a number from \(shown(range.lowerBound)) to \(shown(range.upperBound))")
    }
    return number
  }

  private func shown(_ bound: Double) -> String {
    Int64(exactly: bound).map { "\($0)" } ?? "\(bound)"
  }

  func wrong(_ key: String, _ expected: String) -> Failure {
    let problem = value[key] == nil ? "is missing" : "is wrong"
    return Failure(.wrongInput, "\(place): \(inQuotes(key)) \(problem); expected \(expected).")
  }
}
