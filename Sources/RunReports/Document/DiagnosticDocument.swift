import ExactText
package import ScenarioFormat
import ScenarioRunner

extension JSONWriter {
  /// Writes what is wrong with a file, as a list.
  package mutating func diagnostics(_ diagnostics: [Diagnostic]) {
    beginArray()
    for diagnostic in diagnostics {
      beginObject()
      key("line")
      place(diagnostic.position?.line)
      key("column")
      place(diagnostic.position?.column)
      key("path")
      string(diagnostic.path.text)
      key("message")
      string(diagnostic.message)
      key("expected")
      if let expected = diagnostic.expected { string(expected) } else { null() }
      key("suggestion")
      if let suggestion = diagnostic.suggestion { string(suggestion) } else { null() }
      endObject()
    }
    endArray()
  }

  private mutating func place(_ number: Int?) {
    if let number { integer(Int64(number)) } else { null() }
  }
}
