/// Text from a file as a message shows it: in quotation marks, shortened and harmless.
package func quotation(of text: String) -> String {
  "“" + harmless(text) + "”"
}

/// Text from a file in sixty characters at most, none of which moves a terminal's cursor.
package func harmless(_ text: String) -> String {
  let part = text.unicodeScalars.prefix(60)
  return shown(String(part)) + (part.endIndex < text.endIndex ? "…" : "")
}

/// Text from outside, on one line: what a terminal would obey, or a reader not see, is spelled out.
///
/// All that the command says of a name, a sentence, a path or a line of a file passes through here.
package func shown(_ text: String) -> String {
  if !text.unicodeScalars.contains(where: isUnprintable) { return text }
  return replacing(text) { isUnprintable($0) ? spelling(of: $0) : nil }
}

/// The text with others in place of some of its scalars; nil leaves a scalar as it is.
package func replacing(_ text: String, by other: (Unicode.Scalar) -> String?) -> String {
  text.unicodeScalars.reduce(into: "") { $0 += other($1) ?? String($1) }
}

/// Whether a scalar moves the cursor, changes the terminal, turns text direction or cannot be seen.
@inlinable package func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  // Most letters.
  case 0x20...0x7E: false
  // C0, DEL and C1.
  case 0x00...0x1F, 0x7F...0x9F: true
  // Marks, embeddings, overrides and isolates of the bidirectional algorithm; line and paragraph
  // separators; what has no width.
  case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
  // Annotations, tags, and the bytes of names that are no text.
  case 0xFFF9...0xFFFB, 0xE0000...0xE007F, 0x10FF80...0x10FFFF: true
  default: false
  }
}

/// An unprintable scalar as source code has it; a byte of a name that is no text as a byte.
package func spelling(of scalar: Unicode.Scalar) -> String {
  switch scalar.value {
  case 0x09: "\\t"
  case 0x0A: "\\n"
  case 0x0D: "\\r"
  case 0x10FF80...0x10FFFF: "\\x" + String(scalar.value & 0xFF, radix: 16, uppercase: true)
  default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  }
}

/// A count with its noun: `1 entry`, `2 entries`, `1,000 entries`.
package func counted(_ count: Int64, _ noun: String, _ nouns: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : nouns ?? noun + "s")"
}

/// A whole number with a comma between thousands.
package func grouped(_ count: Int64) -> String {
  let digits = Array("\(count.magnitude)".utf8)
  var text = count < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "," }
    text.unicodeScalars.append(Unicode.Scalar(digit))
  }
  return text
}

/// Words as a sentence lists them: “a”, “b” or “c”.
package func alternatives(_ words: [String]) -> String {
  enumeration(words.map { quotation(of: $0) }, by: "or")
}

/// Parts of a sentence: “a, b and c”.
package func enumeration(_ parts: [String], by conjunction: String = "and") -> String {
  guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
