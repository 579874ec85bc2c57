/// Walks over a `Set` or a `Dictionary`, whose order differs from one process to the next.
///
/// The check is textual: it knows the names that a file declares with such a type, and looks for
/// loops and order-dependent calls on them.
enum HashWalks {
  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isBelowTheCommand else { return [] }
    let names = declaredNames(in: file)
    var findings: [Finding] = []
    for index in file.tokens.indices {
      let walked =
        file.tokens[index].text == "in"
        ? loop(over: names, in: file, at: index) : call(on: names, in: file, at: index)
      if let walked { findings.append(finding(walked, file, index)) }
    }
    return findings
  }

  private static let orderDependent: Set<String> = [
    "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "enumerated", "first", "prefix",
    "dropFirst", "joined", "makeIterator", "lazy", "randomElement", "popFirst",
  ]

  private static func finding(_ name: String, _ file: SourceFile, _ index: Int) -> Finding {
    Finding(
      path: file.path, line: file.tokens[index].line, what: "a walk over the unordered `\(name)`",
      instead: "Walk an array, or the sorted keys",
      because: "the order differs from one process to the next, and so would the trace")
  }

  /// The names declared as `name: [Key: Value]`, `name: Set<…>`, `name = [:]` and the like.
  static func declaredNames(in file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    for (index, token) in file.tokens.enumerated() where token.text == ":" || token.text == "=" {
      let name = file.word(index - 1)
      if isIdentifier(name) && isHashed(file, from: index + 1) { names.insert(name) }
    }
    return names
  }

  private static func isHashed(_ file: SourceFile, from index: Int) -> Bool {
    if file.word(index) != "[" {
      return ["Set", "Dictionary"].contains(file.word(index))
        && ["<", "("].contains(file.word(index + 1))
    }
    var depth = 0
    for position in index..<file.tokens.count {
      switch file.word(position) {
      case "[", "(", "{": depth += 1
      case "]", ")", "}": depth -= 1
      case ":" where depth == 1: return true
      case "?" where depth == 1: return false
      default: break
      }
      if depth == 0 { return false }
    }
    return false
  }

  /// The hashed name that `for … in` goes over, if the expression does not sort it first.
  private static func loop(
    over names: Set<String>, in file: SourceFile, at index: Int
  ) -> String? {
    guard isLoop(file, index) else { return nil }
    var expression: [String] = []
    for position in (index + 1)..<max(index + 1, min(file.tokens.count, index + 40)) {
      if ["{", "where"].contains(file.word(position)) { break }
      expression.append(file.word(position))
    }
    if expression.contains("sorted") { return nil }
    if let last = expression.last, names.contains(last) { return last }
    guard let view = expression.last, ["keys", "values"].contains(view) else { return nil }
    let owner = expression.dropLast(2).last ?? ""
    return view == "keys" || names.contains(owner) ? owner + "." + view : nil
  }

  private static func isLoop(_ file: SourceFile, _ index: Int) -> Bool {
    for back in 1...12 where file.word(index - back) == "for" {
      return true
    }
    return false
  }

  private static func call(
    on names: Set<String>, in file: SourceFile, at index: Int
  ) -> String? {
    guard !names.isEmpty, names.contains(file.word(index)) else { return nil }
    let view = file.word(index + 1) == "." && ["keys", "values"].contains(file.word(index + 2))
    let method = index + (view ? 4 : 2)
    guard file.word(method - 1) == ".", orderDependent.contains(file.word(method)) else {
      return nil
    }
    return file.word(index)
  }
}
