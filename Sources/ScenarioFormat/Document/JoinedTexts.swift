import ExactText

/// Each of some texts once, in their order.
func distinct(_ texts: [String]) -> [String] {
  var known: [String] = []
  for text in texts where !known.contains(where: { isSameText($0, text) }) { known.append(text) }
  return known
}

/// Texts with something between them: the standard library's own needs Foundation in places.
package func joined(_ texts: [String], by separator: String) -> String {
  var whole = ""
  for (index, text) in texts.enumerated() {
    if index > 0 { whole += separator }
    whole += text
  }
  return whole
}

/// The last name in a path; empty for the root.
package func lastPart(of path: String) -> String {
  path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
}
