import ExactText
import HeuristicComparison
import ScenarioFormat

/// The files that the sessions of a study read: those that its documents name, those that its
/// settings put in their place, and those that the commands of policies name.
///
/// Recordings that the study has as links are not among them.
struct SessionFiles {
  /// Each with the name that it has in its scenario.
  private(set) var files: [(name: String, input: InputFile, text: [UInt8])] = []
  private let scenarios: [InputFile]
  private let links: StudyLinks

  init(
    _ study: Study, _ runner: StudyRunner, _ scenarios: [InputFile], _ links: StudyLinks,
    loaded: [Scenario]
  ) {
    self.scenarios = scenarios
    self.links = links
    for (place, scenario) in loaded.enumerated() { add(scenario, of: place) }
    for place in study.scenarios.indices {
      for session in sessions(of: study, in: place) {
        // A scenario that cannot be read is reported when it is its turn.
        if let scenario = try? runner.scenario(for: session) { add(scenario, of: place) }
      }
    }
  }

  /// Of each link and contestant one session, where their settings name a file.
  private func sessions(of study: Study, in place: Int) -> [Study.Session] {
    let areNamedByAll = nameFile(study.edits, in: place)
    let contestants = study.contestants.map { areNamedByAll || nameFile($0.edits, in: place) }
    var sessions: [Study.Session] = []
    for (link, edits) in study.links.map({ $0.edits }).enumerated() {
      let areNamedByLink = nameFile(edits, in: place)
      for contestant in contestants.indices where areNamedByLink || contestants[contestant] {
        sessions.append(Study.Session(scenario: place, link: link, contestant: contestant, seed: 0))
      }
    }
    return sessions
  }

  private func nameFile(_ edits: [JSONEdit], in place: Int) -> Bool {
    edits.contains { edit in
      edit.value?.texts.contains { text in
        !links.hold(text) && (try? InputFiles.isFolder(scenarios[place].path(of: text))) == false
      } == true
    }
  }

  private mutating func add(_ scenario: Scenario, of place: Int) {
    for file in scenario.files where !links.hold(file.path) {
      add(file.path, at: scenarios[place].path(of: file.path)) { Array(file.text.utf8) }
    }
    // Files named in commands are read only where the scenario may run commands.
    if scenarios[place].commandPatience == nil { return }
    for word in scenario.policyCommands.joined() {
      let path = scenarios[place].path(of: word)
      add(word, at: path) { try? InputFile(path: path, relativePath: word).read() }
    }
  }

  private mutating func add(_ name: String, at path: String, _ read: () -> [UInt8]?) {
    if files.contains(where: { $0.input.path == path }) { return }
    guard let text = read() else { return }
    files.append((name, InputFile(path: path, relativePath: name), text))
  }
}

extension StudyLinks {
  /// Whether a path is that of a recording that the study has as a link.
  func hold(_ path: String) -> Bool { files[path] != nil }
}

extension JSONTree {
  fileprivate var texts: [String] {
    switch self {
    case .null, .boolean, .number: []
    case .string(let text): [text]
    case .array(let elements): elements.flatMap { $0.texts }
    case .object(let members): members.flatMap { $0.value.texts }
    }
  }

  fileprivate func replacing(_ change: (String) -> String) -> JSONTree {
    switch self {
    case .null, .boolean, .number: self
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.replacing(change) })
    case .object(let members): .object(members.map { ($0.key, $0.value.replacing(change)) })
    }
  }
}

extension Study {
  func digest(_ documents: [[UInt8]], _ links: StudyLinks, _ files: SessionFiles) -> String {
    var hash = SHA256()
    func add(_ bytes: [UInt8]) {
      hash.update(Array("\(bytes.count):".utf8)[...])
      hash.update(bytes[...])
    }
    add(document.text)
    for document in documents { add(document) }
    for file in files.files {
      add(Array(file.name.utf8))
      add(file.text)
    }
    for edit in edits + contestants.flatMap({ $0.edits }) { add(Array(edit.text.utf8)) }
    for link in self.links {
      for edit in link.edits {
        guard let value = edit.value else { continue }
        // A recording counts by what is in it, wherever it lies.
        for text in value.texts {
          if let recording = links.files[text] { add(recording) }
        }
        add(Array(value.replacing { links.hold($0) ? "" : $0 }.shown.utf8))
      }
    }
    return hash.finish()
  }
}
