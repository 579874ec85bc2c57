/// A function, initializer, subscript or computed property, by its braces.
struct Function: Equatable {
  var name: String
  var line: Int
  var length: Int
}

enum Functions {
  static func all(in file: SourceFile) -> [Function] {
    var functions: [Function] = []
    for index in file.tokens.indices where heads.contains(file.tokens[index].text) {
      guard let name = declaredName(file, index), let brace = body(file, index) else { continue }
      let first = file.tokens[index].line
      functions.append(
        Function(name: name, line: first, length: lastLine(file, brace) - first + 1))
    }
    return functions
  }

  /// The words with which a function may begin.
  private static let heads: Set<String> = ["func", "var", "init", "deinit", "subscript"]

  private static func declaredName(_ file: SourceFile, _ index: Int) -> String? {
    func isMember() -> Bool { file.word(index - 1) == "." }
    switch file.word(index) {
    case "func": return file.word(index + 1)
    case "var" where !["if", "guard", "while", "case", ","].contains(file.word(index - 1)):
      return file.word(index + 1)
    case "init" where !isMember() && ["(", "<", "?", "!"].contains(file.word(index + 1)):
      return "init"
    case "deinit", "subscript": return isMember() ? nil : file.word(index)
    default: return nil
    }
  }

  /// The words that begin the next declaration: what stood before had no body.
  private static let declarations: Set<String> = [
    "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "enum", "class",
    "extension", "protocol", "associatedtype", "typealias", "import", "}",
  ]

  private static func body(_ file: SourceFile, _ start: Int) -> Int? {
    let isVariable = file.word(start) == "var"
    var enclosed = 0
    for index in (start + 1)..<max(start + 1, file.tokens.count) {
      let token = file.tokens[index]
      switch token.text {
      case "(", "[": enclosed += 1
      case ")", "]": enclosed -= 1
      case "{" where enclosed == 0: return index
      case "=" where isVariable && enclosed == 0: return nil
      default:
        if enclosed == 0 && declarations.contains(token.text) { return nil }
        if isVariable && token.line > file.tokens[start].line { return nil }
      }
    }
    return nil
  }

  private static func lastLine(_ file: SourceFile, _ brace: Int) -> Int {
    var depth = 0
    for index in brace..<file.tokens.count {
      switch file.word(index) {
      case "{": depth += 1
      case "}": depth -= 1
      default: continue
      }
      if depth == 0 { return file.tokens[index].line }
    }
    return file.tokens.last?.line ?? 0
  }
}
