/// Switches over enums that hide a case behind `default`.
///
/// A switch over numbers, bytes or text needs its `default`; one whose patterns are cases of an
/// enum does not, and the compiler can then point at it when a case is added.
enum SwitchDefaults {
  /// The files where it is right nevertheless, each with its reason.
  static let allowed: [String: String] = [:]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.module != nil, allowed[file.path] == nil else { return [] }
    return file.tokens.enumerated().compactMap { index, token in
      guard token.text == "switch", file.word(index - 1) != "." else { return nil }
      return defaultLine(of: file, switchAt: index).map { finding(file.path, $0) }
    }
  }

  private static func finding(_ path: String, _ line: Int) -> Finding {
    Finding(
      path: path, line: line, what: "`default` in a switch over an enum",
      instead: "Name the cases, or give the file a reason in SwitchDefaults.allowed",
      because: "a case added later must not fall through unseen")
  }

  /// The line of the `default` of a switch, if a pattern beside it is the case of an enum.
  private static func defaultLine(of file: SourceFile, switchAt start: Int) -> Int? {
    var (depth, enclosed) = (0, 0)
    var (namesCases, inPattern) = (false, false)
    var line: Int?
    for index in start..<file.tokens.count {
      switch file.word(index) {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0 { return namesCases ? line : nil }
      case "(", "[": enclosed += 1
      case ")", "]": enclosed -= 1
      case "case" where depth == 1: inPattern = true
      case ":" where enclosed == 0: inPattern = false
      case "default" where depth == 1 && enclosed == 0:
        line = file.tokens[index].line
      case "." where inPattern && depth == 1: namesCases = namesCases || isCase(file, index)
      default: break
      }
    }
    return nil
  }

  /// What a dot may begin that is no case of ours.
  private static let foreign = ["some", "none", "min", "max", "zero"]

  /// Whether a dot begins the name of a case: `.waiting`, and not `1...9` or `UInt8.max`.
  private static func isCase(_ file: SourceFile, _ index: Int) -> Bool {
    let next = file.word(index + 1)
    return ["case", "let", "var", "(", ","].contains(file.word(index - 1))
      && isIdentifier(next) && !foreign.contains(next)
  }
}
