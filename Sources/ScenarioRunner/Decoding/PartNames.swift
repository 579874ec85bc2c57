import ExactText

/// The names of the things of a kind that there are: items, or assets.
///
/// They are read from the document, so that a mistake in one of them does not make a mistake of
/// every mention of it.
struct PartNames {
  /// What one of them is called, and where they stand.
  private let kind: String
  private let list: String
  private let names: [String]

  init(_ kind: String, in node: DocumentNode?, called list: String) {
    self.kind = kind
    self.list = list
    names = (node?.elements ?? []).map { $0.member("name")?.plainText ?? "" }
  }

  /// The name of one that there is.
  func name(_ node: DocumentNode) -> String? {
    place(node).map { names[$0] }
  }

  func name(at place: Int) -> String { names[place] }

  /// Its place in the list.
  func place(_ node: DocumentNode) -> Int? {
    guard let name = Decode.text(node) else { return nil }
    if let index = names.firstIndex(where: { isSameText($0, name) }) { return index }
    let names = names.filter { !$0.isEmpty }
    node.refuse(
      "no \(kind) is called \(quotation(of: name))",
      expected: names.isEmpty
        ? "a name that stands in \(quotation(of: list))" : alternatives(names),
      suggestion: nearestWord(to: name, among: names))
    return nil
  }
}
