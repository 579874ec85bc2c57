import ExactText
import TestSupport
import Testing

/// Changes of a document by paths, against the same changes of a tree.
@Suite struct JSONEditTests {
  // MARK: Paths

  @Test(
    arguments: [
      ("a", [.key("a")]), ("a.b", [.key("a"), .key("b")]),
      ("a[0]", [.key("a"), .index(0)]), ("[12]", [.index(12)]),
      ("script[2].when", [.key("script"), .index(2), .key("when")]),
      (#"link["a key"].x"#, [.key("link"), .key("a key"), .key("x")]),
      (#"["a"]"#, [.key("a")]), (#"["""]"#, [.key("\"")]),
      ("a[999999999]", [.key("a"), .index(999_999_999)]), ("a[007]", [.key("a"), .index(7)]),
      ("a.0", [.key("a"), .key("0")]), ("a[1][2]", [.key("a"), .index(1), .index(2)]),
    ] as [(String, [DocumentPath.Step])])
  func `a path has keys and places`(text: String, steps: [DocumentPath.Step]) {
    #expect(DocumentPath(text)?.steps == steps)
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[1", "a[1]b", #"a[""]"#, #"a["b]"#,
    #"a[b"]"#, "a[1234567890]", "a[-1]", "a[1 ]",
  ])
  func `what is no path is none`(text: String) {
    #expect(DocumentPath(text) == nil || text == "a.")
  }

  @Test(arguments: [0, 1, 39, 40, 41, 60, 61])
  func `a key stands without quotation marks up to forty letters`(count: Int) {
    let key = String(repeating: "k", count: count)
    let quoted = count > 60 ? String(repeating: "k", count: 60) + "…" : key
    #expect(
      DocumentPath.root.appending(key: key).text
        == ((1...40).contains(count) ? key : "[\"\(quoted)\"]"))
  }

  @Test func `a key of letters, digits and a few signs is plain`() {
    for value in 0..<128 as Range<UInt8> {
      let key = "k" + String(UnicodeScalar(value))
      let scalar = Character(UnicodeScalar(value))
      let isPlain = scalar.isLetter || scalar.isNumber || "$-_".contains(scalar)
      let text = DocumentPath.root.appending(key: "a").appending(key: key).text
      #expect(text == (isPlain ? "a.\(key)" : "a[\"\(harmless(key))\"]"), "\(value)")
    }
    #expect(DocumentPath.root.text == "")
    #expect(DocumentPath("a[3][\"b c\"].d")?.text == "a[3][\"b c\"].d")
  }

  // MARK: Lists of values

  @Test(
    arguments: [
      ("1,2", ["1", "2"]), ("a , b", ["a", "b"]), ("[1,2],3", ["[1,2]", "3"]),
      (#"{"a": [1,2]},"x,y",z"#, [#"{"a": [1,2]}"#, #""x,y""#, "z"]), ("", [""]),
      (#""[",1"#, [#""[""#, "1"]), (#""]",1"#, [#""]""#, "1"]), ("[[1],2],3", ["[[1],2]", "3"]),
      (",", ["", ""]),
    ] as [(String, [String])])
  func `values are parted at commas outside brackets and quotation marks`(
    list: String, parts: [String]
  ) {
    #expect(JSONEdit.split(list) == parts)
  }

  // MARK: Documents

  private func tree(_ draw: inout Draw, depth: Int) -> JSONTree {
    let kind = depth == 0 ? draw.below(4) : draw.below(8)
    switch kind {
    case 0: return .null
    case 1: return .boolean(draw.chance(50))
    case 2: return .number("\(draw.within(-99...99))")
    case 3: return .string(draw.one(of: ["", "x", "a \"b\", [c]", "ä,\n", "{"]))
    case 4, 5: return .array((0..<draw.below(4)).map { _ in tree(&draw, depth: depth - 1) })
    default:
      let keys = ["a", "b", "c", "d e"].filter { _ in draw.chance(50) }
      return .object(keys.map { ($0, tree(&draw, depth: depth - 1)) })
    }
  }

  /// The text of a tree with white space of any kind between its parts.
  private func text(_ tree: JSONTree, _ draw: inout Draw) -> String {
    func space() -> String { draw.one(of: ["", "", " ", "\n  ", "\t"]) }
    switch tree {
    case .array(let elements):
      let parts = elements.map { space() + text($0, &draw) + space() }
      return "[" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "]"
    case .object(let members):
      let parts = members.map { key, value in
        space() + JSONTree.string(key).json + space() + ":" + space() + text(value, &draw) + space()
      }
      return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
    case .null, .boolean, .number, .string: return tree.json
    }
  }

  /// A path of which all is there but perhaps its last steps.
  private func steps(in tree: JSONTree, _ draw: inout Draw) -> [DocumentPath.Step] {
    switch tree {
    case .array(let elements):
      let index = draw.below(elements.count + 1)
      let rest = index < elements.count && draw.chance(60) ? steps(in: elements[index], &draw) : []
      return [.index(index)] + rest
    case .object(let members):
      let key = draw.one(of: ["a", "b", "c", "d e", "new"])
      guard let member = members.first(where: { $0.key == key }) else {
        return [.key(key)] + (draw.chance(30) ? [.key("x")] : draw.chance(30) ? [.index(0)] : [])
      }
      return [.key(key)] + (draw.chance(60) ? steps(in: member.value, &draw) : [])
    case .null: return draw.chance(50) ? [.key("made")] : []
    case .boolean, .number, .string: return []
    }
  }

  /// The tree with another value at a path, or without what stands there.
  private func edited(
    _ tree: JSONTree, _ steps: ArraySlice<DocumentPath.Step>, _ value: JSONTree?
  ) -> JSONTree? {
    guard let step = steps.first else { return value }
    let rest = steps.dropFirst()
    switch (tree, step) {
    case (.array(var elements), .index(let index)):
      if index < elements.count {
        let new = edited(elements[index], rest, value)
        elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
      } else if let value {
        elements.append(made(rest, value))
      }
      return .array(elements)
    case (.object(var members), .key(let key)):
      if let place = members.firstIndex(where: { $0.key == key }) {
        let new = edited(members[place].value, rest, value)
        members.replaceSubrange(place...place, with: new.map { [(key, $0)] } ?? [])
      } else if let value {
        members.insert((key, made(rest, value)), at: 0)
      }
      return .object(members)
    case (.null, .key): return value.map { made(steps, $0) } ?? tree
    default: return tree
    }
  }

  /// Whether a path leads to an element that a list of the tree lacks.
  private func lacksElement(_ tree: JSONTree, _ steps: ArraySlice<DocumentPath.Step>) -> Bool {
    switch (tree, steps.first) {
    case (.array(let elements), .index(let index)?):
      return index >= elements.count || lacksElement(elements[index], steps.dropFirst())
    case (.object(let members), .key(let key)?):
      let member = members.first { $0.key == key }
      return member.map { lacksElement($0.value, steps.dropFirst()) } ?? false
    default: return false
    }
  }

  private func made(_ steps: ArraySlice<DocumentPath.Step>, _ value: JSONTree) -> JSONTree {
    steps.reversed().reduce(value) { inner, step in
      if case .key(let key) = step { .object([(key, inner)]) } else { .array([inner]) }
    }
  }

  private func written(_ steps: [DocumentPath.Step]) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        text += key.contains(" ") ? "[\"\(key)\"]" : text.isEmpty ? key : ".\(key)"
      }
    }
    return text
  }

  @Test func `an edited text says what the edited tree says, and its other lines stay`() throws {
    var (changed, removed, refused) = (0, 0, 0)
    for seed in Seeds.first(800, inRelease: 4_000) {
      var draw = Draw(seed: seed, part: "edits")
      let tree = JSONTree.object([("a", tree(&draw, depth: 4)), ("b", tree(&draw, depth: 2))])
      let steps = steps(in: tree, &draw)
      let value = draw.chance(60) ? self.tree(&draw, depth: 2) : nil
      let text = text(tree, &draw)
      let edit = try JSONEdit("\(written(steps))=\(value.map { $0.json } ?? "")")
      #expect(edit.path.steps == steps)
      if value == nil, lacksElement(tree, steps[...]) {
        #expect(throws: JSONEdit.Failure.self) {
          try JSONValue(parsing: Array(text.utf8)).edited([edit])
        }
        refused += 1
        continue
      }
      let expected = edited(tree, steps[...], value)
      let new = try JSONValue(parsing: Array(text.utf8)).edited([edit])
      let parsed = try JSONTree(JSONValue(parsing: new))
      #expect(parsed.json == expected?.json, "\(seed) \(text) \(edit.text)")
      if parsed.json != tree.json {
        (changed, removed) = (changed + 1, removed + (value == nil ? 1 : 0))
      }
    }
    #expect(changed > 300 && removed > 50 && refused > 10)
  }

  @Test(arguments: [
    ("a.x=1", "a is a list: [0] is its first element"),
    ("a[7]=1", "a has 2 elements, and no [7]"), ("a.7=1", "a has 2 elements, and no [7]"),
    ("b[0]=1", "b is no list"), ("c.x=1", "c is no object"),
    ("d[3]=1", "d has 1 element, and no [3]"), ("e[1]=1", "e has 0 elements, and no [1]"),
    ("new[1]=1", "there is no list with an element [1]"), ("a[2]=", "a has 2 elements, and no [2]"),
    ("d[0][0]=", "d[0] has 0 elements, and no [0]"), ("a.2=", "a has 2 elements, and no [2]"),
    ("a", "a path, “=” and a value are expected"),
    (
      "a..b=1", "the path is none: names parted by dots are expected, such as player.rate"
    ),
  ])
  func `what a path does not lead to is said`(edit: String, message: String) throws {
    let text = #"{ "a": [1, 2], "b": {}, "c": "text", "d": [[]], "e": [] }"#
    let document = try JSONValue(parsing: Array(text.utf8))
    // The edit that fails is not the first, and the failure has its path.
    let path = (try? JSONEdit(edit))?.path ?? .root
    #expect(throws: JSONEdit.Failure(message, at: path)) {
      try document.edited([try JSONEdit("first=1"), try JSONEdit(edit)])
    }
  }

  @Test func `the number behind a dot is a place of a list`() throws {
    let document = try JSONValue(parsing: Array("{\"a\": [1, 2]}".utf8))
    let new = try document.edited([try JSONEdit("a.1=x"), try JSONEdit("a[0]=true")])
    #expect(String(decoding: new, as: UTF8.self) == "{\"a\": [true, \"x\"]}")
  }
}
