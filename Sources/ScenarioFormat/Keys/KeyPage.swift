import ExactText

/// Writes a page of all keys in Markdown, from the tables that the reader goes by.
struct KeyPage {
  private(set) var text = ""
  /// Objects and values with a section of their own, in the order in which they were met.
  private var sections: [Section] = []

  private enum Section {
    case object(ObjectShape)
    case value(String, about: String, Shape)

    var name: String {
      switch self {
      case .object(let object): object.name
      case .value(let name, about: _, _): name
      }
    }
  }

  /// A page on an object and on everything that can stand in it.
  init(_ title: String, of object: ObjectShape) {
    text = "# \(title)\n"
    sections = [.object(object)]
    var next = 0
    while next < sections.count {
      write(sections[next])
      next += 1
    }
  }

  private mutating func write(_ section: Section) {
    text += "\n## \(section.name)\n\n"
    switch section {
    case .value(_, let about, let shape): text += "\(about) Written as \(phrase(shape)).\n"
    case .object(let object):
      text += "\(object.about)\n"
      write(object.keys)
      guard let branches = object.branches else { return }
      for branch in branches.words {
        text += "\n### \(branches.key): \(branch.name)\n\n\(branch.about)\n"
        if !branch.keys.isEmpty { write(branch.keys) }
      }
    }
  }

  private mutating func write(_ rows: [KeyShape]) {
    text += "\n| key | value | without it | |\n|---|---|---|---|\n"
    let choices = rows.filter { $0.presence == .oneOf }.map { $0.name }
    for key in rows {
      let absent =
        switch key.presence {
        case .required: "required"
        case .oneOf: choices.count == 1 ? "required" : "exactly one of these is required"
        case .optional: key.absent.map { "`\($0.json)`" } ?? ""
        }
      var about = key.about
      if let companion = key.companion { about += " Goes with `\(companion)`." }
      for rival in key.rivals { about += " Not beside `\(rival)`." }
      text += "| `\(key.name)` | \(cell(phrase(key.shape))) | \(absent) | \(cell(about)) |\n"
    }
  }

  /// The written form of a value, as a part of a sentence.
  private mutating func phrase(_ shape: Shape) -> String {
    switch shape {
    case .boolean: return "`true` or `false`"
    case .null: return "`null`"
    case .text(let example): return "a text, such as `\"\(example)\"`"
    case .pattern(_, let noun, let examples):
      return noun + (examples.first.map { ", such as `\"\($0)\"`" } ?? "")
    case .words(let words): return enumeration(words.map { "`\"\($0)\"`" }, by: "or")
    case .whole(let least, let most):
      return most.map { "a whole number from \(least) to \($0)" }
        ?? "a whole number from \(least) up"
    case .number(let least, let most): return "a number from \(least) to \(most)"
    case .list(let element, let least, let most):
      return "a list of \(count(least, most))" + phrase(element)
    case .anything: return "any value"
    case .map(let shape): return "an object, under each key " + phrase(shape)
    case .anyOf(let shapes): return enumeration(shapes.map { phrase($0) }, by: "or")
    case .object(let name, let make): return link(to: name, .object(make()))
    case .inline(let make):
      return "an object with " + enumeration(make().keys.map { "`\($0.name)`" }, by: "or")
    case .either(_, let shape, let other): return "\(phrase(shape)) or \(phrase(other))"
    case .named(let name, let about, let make):
      return link(to: name, .value(name, about: about, make()))
    case .examples(let shape, _): return phrase(shape)
    }
  }

  private mutating func link(to name: String, _ section: @autoclosure () -> Section) -> String {
    if !sections.contains(where: { isSameText($0.name, name) }) { sections.append(section()) }
    return "[\(name)](#\(anchor(name)))"
  }

  /// The name under which Markdown finds a heading.
  private func anchor(_ name: String) -> String {
    replacing(name) { scalar in
      if scalar == " " { return "-" }
      return ("A"..."Z").contains(scalar) ? String(Character(scalar)).lowercased() : nil
    }
  }

  private func count(_ least: Int, _ most: Int?) -> String {
    if let most, most == least { return "\(least) × " }
    if let most { return "at most \(most) × " }
    return least > 0 ? "\(least) or more × " : ""
  }

  /// Text in a cell of a table, where a bar would end it.
  private func cell(_ text: String) -> String { replacing(text) { $0 == "|" ? "\\|" : nil } }
}
