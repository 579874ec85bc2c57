import ExactText
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner

/// The words of a study: those of its file are refused where they stand, those of the command line
/// with its usage.
struct StudyWords: Sendable {
  let verb: Verb
  private var file: (title: String, text: [UInt8])?

  init(_ verb: Verb) {
    self.verb = verb
  }

  /// Reads what a file says.
  mutating func read(_ text: [UInt8], of input: InputFile) throws(Failure) -> StudyDescription {
    file = (input.title, text)
    do throws(DocumentError) {
      return try readStudy(text, file: input.title)
    } catch {
      throw Failure(wrongInput: error.diagnostics, in: input.title, text)
    }
  }

  /// A word that means nothing.
  ///
  /// - Parameters:
  ///   - key: The key that it stands under, where it stands in the file.
  ///   - option: The option that it belongs to, where it does not.
  func refuse(
    _ word: String, under key: String, _ option: Option, _ message: String
  ) -> Failure {
    if let failure = refuse(word, under: key, message) { return failure }
    return Failure(usage: .verb(verb), message)
  }

  /// The same of a word in the file; nil where it does not stand there.
  func refuse(_ word: String, under key: String, _ message: String) -> Failure? {
    guard let file, let value = (try? JSONValue(parsing: file.text))?[key],
      let position = Self.position(of: word, in: value)
    else { return nil }
    let mistake = Diagnostic(file: file.title, position: position, message: message)
    return Failure(wrongInput: [mistake], in: file.title, file.text)
  }

  /// A heuristic as text.
  func heuristic(_ text: String) throws(Failure) -> KeepUpHeuristic {
    switch readHeuristic(text) {
    case .success(let heuristic): return heuristic
    case .failure(let error):
      throw refuse(
        text, under: "heuristics", .heuristics,
        "The value \(inQuotes(text)) is invalid for \(inQuotes(Option.heuristics.usage)): "
          + error.message)
    }
  }

  /// Where a word stands for the last time: by itself, in a list, or as a name.
  private static func position(of word: String, in value: JSONValue) -> TextPosition? {
    if value.stringBytes?.elementsEqual(word.utf8) == true { return value.position }
    if let name = value["name"] { return position(of: word, in: name) }
    guard let elements = value.elements else { return nil }
    var last: TextPosition?
    for element in elements { last = position(of: word, in: element) ?? last }
    return last
  }
}
