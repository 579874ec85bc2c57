import ExactText
import HeuristicComparison

/// The file of a study among what the command line names, and the paths that are left for it.
struct StudyFile {
  private(set) var description = StudyDescription()
  private(set) var words: StudyWords
  /// Paths of the scenarios: those that were named, then the study's own.
  private(set) var paths: [String]
  private(set) var inputs: [InputFile] = []
  /// Folders that may hold the files it names; nil without a study file.
  private(set) var references: References?
  private var own: [String] = []

  init(_ invocation: Invocation) throws(Failure) {
    paths = invocation.positionals
    words = StudyWords(verb: invocation.verb)
    for path in invocation.positionals {
      var file = InputFile(path: path, relativePath: path)
      guard file.isStandardInput || (try? InputFiles.isFolder(path)) == false,
        let text = try? file.read(),
        let document = try? JSONValue(parsing: text), Self.isStudy(document)
      else { continue }
      description = try words.read(text, of: file)
      file.furtherFolders = invocation.values(of: .allowPath)
      references = References(of: file)
      inputs.append(file)
      paths.removeAll { $0 == path }
    }
    if inputs.count > 1 { throw Failure(.usage, "Only one study can be run at a time.") }
    for name in description.scenarios {
      let path = name.utf8.first == UInt8(ascii: "/") ? name : folder + name
      try words.check(name, at: path, under: "scenarios", references)
      if (try? InputFiles.isFolder(path)) == nil,
        let failure = words.refuse(
          name, under: "scenarios", "there is no file and no folder \(inQuotes(path))")
      {
        throw failure
      }
      own.append(path)
    }
    paths += own
  }

  static func isStudy(_ document: JSONValue) -> Bool {
    document["study"] != nil || document["scenarios"] != nil && document["scenario"] == nil
  }

  /// The folder that its paths are relative to.
  var folder: String { inputs.first?.folder ?? "" }

  /// Refuses what lies elsewhere: a link in a folder may lead out of it.
  func check(_ files: [InputFile]) throws(Failure) {
    let named = Set(own)
    for file in files
    where named.contains(file.path) || own.contains(where: { file.path.hasPrefix($0) }) {
      try references?.check(file.path, at: file.path)
    }
  }
}
