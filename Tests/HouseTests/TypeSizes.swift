/// How long types may be: each counts with all its extensions in its floor, and with what is nested
/// in it, because all of that can share what it stores.
enum TypeSizes {
  static let limit = 700

  /// Types that are longer than they should be, as `floor type`, with the length they may not pass.
  ///
  /// It only tightens: an entry may be lowered or taken out, never raised or added to without a
  /// reason that stands beside it.
  static let longTypes: [String: Int] = [
    "LinkConditioner Sender": 750
  ]

  static func findings(in files: [SourceFile]) -> [Finding] {
    Ratchet(
      measured: measured(files), table: longTypes, noun: "type",
      instead: "Make a part of it a value with state of its own"
    ).findings
  }

  /// Every type of the sources, in the order of its names.
  static func measured(_ files: [SourceFile]) -> [Measurement] {
    var lengths: [String: Measurement] = [:]
    for file in files {
      guard let module = file.module else { continue }
      for part in parts(of: file) {
        let name = module + " " + part.name
        lengths[name, default: Measurement(name: name, path: file.path, length: 0, limit: limit)]
          .length += part.length
      }
    }
    return lengths.values.map(counted).sorted { $0.name < $1.name }
  }

  /// Above the limit counts in steps, so that not every line of a colleague moves a notch.
  private static func counted(_ type: Measurement) -> Measurement {
    var type = type
    if type.length > limit { type.length = (type.length + step - 1) / step * step }
    return type
  }

  private static let step = 50

  private static let introducers: Set<String> = ["struct", "class", "enum", "actor", "extension"]

  /// The declarations and extensions of types that stand in no other.
  private static func parts(of file: SourceFile) -> [(name: String, length: Int)] {
    var parts: [(name: String, length: Int)] = []
    var depth = 0
    var open: (name: String, line: Int)?
    for index in file.tokens.indices {
      switch file.word(index) {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0, let part = open {
          parts.append((part.name, file.tokens[index].line - part.line + 1))
          open = nil
        }
      case let word where depth == 0 && open == nil && introducers.contains(word):
        // `import struct Module.Type` has no body.
        if file.word(index - 1) == "import" { continue }
        open = (name(file, after: index), file.tokens[index].line)
      default: continue
      }
    }
    return parts
  }

  /// The name behind a token, with the types that it is nested in.
  private static func name(_ file: SourceFile, after index: Int) -> String {
    var name = file.word(index + 1)
    var next = index + 2
    while file.word(next) == "." {
      name += "." + file.word(next + 1)
      next += 2
    }
    return name
  }
}
