/// Text from a file as a message shows it: in quotation marks, shortened and harmless.
package func quotation(of text: String) -> String {
  "“" + harmless(text) + "”"
}

/// Text from a file in sixty characters at most, none of which moves a terminal's cursor.
func harmless(_ text: String) -> String {
  var shown = ""
  var count = 0
  for scalar in text.unicodeScalars {
    count += 1
    guard count <= 60 else {
      shown += "…"
      break
    }
    switch scalar.value {
    case 0x0A: shown += "\\n"
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: shown += "\u{FFFD}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}

/// Words as a sentence lists them: “a”, “b” or “c”.
package func alternatives(_ words: [String]) -> String {
  var text = ""
  for (index, word) in words.enumerated() {
    if index > 0 { text += index == words.count - 1 ? " or " : ", " }
    text += quotation(of: word)
  }
  return text
}
