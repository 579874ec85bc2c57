package import ExactText
package import ScenarioFormat
import ScenarioRunner

extension JSONTree {
  /// The mistakes of a file, as a list.
  package static func diagnostics(_ diagnostics: [Diagnostic]) -> JSONTree {
    .list(diagnostics) { diagnostic in
      [
        "line": .whole(diagnostic.position?.line),
        "column": .whole(diagnostic.position?.column),
        "path": .string(diagnostic.path.text),
        "message": .string(diagnostic.message),
        "expected": .text(diagnostic.expected),
        "suggestion": .text(diagnostic.suggestion),
      ]
    }
  }
}
