import ExactText

/// Each of some texts once, in their order.
package func distinct(_ texts: [String]) -> [String] {
  var known: [String] = []
  for text in texts where !known.contains(where: { isSameText($0, text) }) { known.append(text) }
  return known
}

/// Texts with something between them: the standard library's own needs Foundation in places.
package func joined(_ texts: [String], by separator: String) -> String {
  // Perf: appending to a text costs half as much again.
  var whole: [UInt8] = []
  var separator = separator
  for (index, text) in texts.enumerated() {
    var text = text
    if index > 0 { separator.withUTF8 { whole.append(contentsOf: $0) } }
    text.withUTF8 { whole.append(contentsOf: $0) }
  }
  return String(decoding: whole, as: UTF8.self)
}

/// The last name in a path; empty for the root.
package func lastPart(of path: String) -> String {
  path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
}
