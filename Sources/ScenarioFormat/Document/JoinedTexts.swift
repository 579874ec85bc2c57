/// Texts with something between them: the standard library's own needs Foundation in places.
package func joined(_ texts: [String], by separator: String) -> String {
  var whole = ""
  for (index, text) in texts.enumerated() {
    if index > 0 { whole += separator }
    whole += text
  }
  return whole
}
