import ExactText
import HeuristicComparison
import LinkConditioner
import ScenarioFormat
import VirtualTime

struct StudyLinks: Sendable {
  private(set) var links: [StudyLink] = []
  /// The name of each link as its author wrote it, and the entry of the list that it stands in.
  private(set) var written: [(name: String, entry: String)] = []
  /// Folders beside those that are named in which recordings may lie.
  let allowed: [String]
  /// The content of recordings by the path that scenarios get to know.
  private(set) var files: [String: [UInt8]] = [:]

  /// The named recordings and folders of them: their places as parts of a path, and their links.
  private var sources: [(parts: [Substring], links: Range<Int>)] = []

  private(set) var inputs: [InputFile] = []
  /// The recordings that hold their last value, and after which time.
  private(set) var held: [(name: String, length: TimeSpan)] = []
  /// Whether recordings begin again at their end, whatever their format says.
  let repeats: Bool
  private(set) var recordings: SharedRecordings

  init(repeats: Bool = false, allowing folders: [String] = []) {
    (self.repeats, allowed) = (repeats, folders)
    recordings = SharedRecordings(ImportOptions(ending: repeats ? .loops : nil))
  }

  /// - Parameters:
  ///   - folder: The folder that paths are relative to.
  ///   - references: The folders that a file may name links in; nil for the command line, which
  ///     may name links anywhere.
  mutating func add(
    _ link: StudyDescription.Link, folder: String, within references: References?,
    _ words: StudyWords
  ) throws(Failure) {
    switch link {
    case .described(let name, let value):
      links.append(StudyLink(name, group: name, edits: [JSONEdit(plain: "link", value)]))
      written.append((name, name))
    case .named(let name):
      if let profile = Profile.named(name) {
        let value: JSONTree = ["profile": .string(profile.name)]
        return try add(
          .described(name: profile.name, value), folder: folder, within: references, words)
      }
      try addFiles(name, folder, references, words)
    }
  }

  private mutating func addFiles(
    _ name: String, _ folder: String, _ references: References?, _ words: StudyWords
  ) throws(Failure) {
    let path = name.utf8.first == UInt8(ascii: "/") ? name : folder + name
    try words.check(name, at: path, under: "links", references)
    guard let isFolder = try? InputFiles.isFolder(path) else {
      let meant = nearestWord(to: name, among: Profile.names)
      let message =
        "There is no profile, no file and no folder \(inQuotes(name)).\(question(meant))"
      throw words.refuse(name, under: "links", message) ?? Failure(.missingInput, message)
    }
    let found = try InputFiles.files(at: path, endingIn: "", called: "recording")
    // A link in a folder may lead out of it, whoever named the folder.
    var holder = InputFile(path: path + "/", relativePath: name)
    holder.furtherFolders = allowed
    let references = references ?? (isFolder ? References(of: holder) : nil)
    let first = links.count
    for file in found {
      // Files that document the data beside them hold none.
      let own = lastPart(of: file.relativePath)
      if own.hasSuffix(".md") || own.hasPrefix("README") || own.hasPrefix("LICENSE") { continue }
      // Wherever the folder lies, results are called the same.
      try references?.check(file.path, at: file.path)
      let group = lastPart(of: name)
      try add(file, title: isFolder ? joinedPath(group, file.relativePath) : group, group: group)
      let whole = isFolder ? joinedPath(name, file.relativePath) : name
      written += links[written.count...].map { _ in (whole, name) }
    }
    sources.append((path.split(separator: "/"), first..<links.count))
  }

  /// Names recordings that would be called the same with as much of their paths as parts them.
  mutating func tellApart() {
    var counts = sources.map { _ in 1 }
    func names() -> [String] {
      zip(sources, counts).map { $0.parts.suffix($1).joined(separator: "/") }
    }
    let areSources = Set(sources.flatMap { $0.links })
    let others = links.indices.filter { !areSources.contains($0) }.map { links[$0].group }
    while true {
      let known = names()
      let alike = sources.indices.filter { place in
        counts[place] < sources[place].parts.count
          && (others + known[..<place] + known[(place + 1)...]).contains(known[place])
      }
      if alike.isEmpty { break }
      for place in alike { counts[place] += 1 }
    }
    for (source, name) in zip(sources, names()) {
      for place in source.links where links[place].group != name {
        let (whole, group) = (links[place].name, links[place].group)
        // A file in the working folder has no folder in its name.
        links[place].name =
          whole.hasPrefix(group) ? name + whole.dropFirst(group.count) : name + "/" + whole
        links[place].group = name
      }
    }
  }

  private mutating func add(_ file: InputFile, title: String, group: String) throws(Failure) {
    let bytes = try file.read()
    inputs.append(file)
    let imported = try Imported(bytes, of: file, recordings.options)
    let path = try InputFiles.resolved(file.path, called: file.title)
    if files[path] == nil {
      files[path] = bytes
      recordings.keep(imported, at: path)
    }
    var trace: [(key: String, value: JSONTree)] = [("file", .string(path))]
    switch imported {
    case .trace(let recording):
      let hasLatency = recording.schedule.steps.contains { $0.latency > .zero }
      if repeats { trace.append(("then", .string("repeat"))) }
      if !repeats, recording.schedule.ending == .holds, recording.schedule.steps.count > 1 {
        held.append((title, recording.schedule.length))
      }
      links.append(link(title, group, trace, keepsDelay: !hasLatency))
    case .profiles(let profiles):
      for profile in profiles {
        trace = [("file", .string(path)), ("profile", .string(profile.name))]
        links.append(link(title + " " + profile.name, group, trace, keepsDelay: false))
      }
    }
  }

  private func link(
    _ name: String, _ group: String, _ trace: [(key: String, value: JSONTree)], keepsDelay: Bool
  ) -> StudyLink {
    let value = JSONTree.object([("trace", .object(trace))])
    return StudyLink(
      name, group: group, edits: [JSONEdit(plain: "link", value)], keepsDelay: keepsDelay)
  }

  /// Notes on assumptions about recordings that are incomplete.
  func notes(delays: [[JSONEdit]]) -> [String] {
    var notes: [String] = []
    if repeats, files.isEmpty {
      notes.append("without a recording in '--links' '--repeat' has no effect")
    }
    if let first = held.first {
      let others = counted(Int64(held.count - 1), "other")
      let ends = others + (held.count == 2 ? " at its end" : " at their ends")
      notes.append(
        "after \(exactText(first.length)) \(shown(first.name)) holds its last value"
          + (held.count == 1 ? "" : ", and \(ends)") + "; --repeat starts again")
    }
    if !links.contains(where: { $0.keepsDelay }) { return notes }
    let texts = delays.map { $0.map { $0.text }.joined(separator: ", ") }
    let known = distinct(texts.filter { !$0.isEmpty })
    if known.isEmpty { return notes }
    return notes + ["recordings keep the delay of each scenario: \(joined(known, by: "; "))"]
  }
}

extension Imported {
  init(_ bytes: [UInt8], of file: InputFile, _ options: ImportOptions) throws(Failure) {
    do throws(ImportError) {
      try self.init(bytes, options: options)
    } catch {
      let position = TextPosition(line: error.line, column: error.column(in: bytes))
      let mistake = Diagnostic(
        file: file.title, position: position, message: error.problem.description)
      throw Failure(wrongInput: [mistake], in: file.title, bytes)
    }
  }
}

extension Scenario {
  /// The edits that set a link to this scenario's delays; empty where it has none.
  var delayEdits: [JSONEdit] {
    let (down, up) = (link.conditions.downlink.delay, link.conditions.uplink.delay)
    func edit(_ path: String, _ delay: TimeSpan) -> JSONEdit? {
      delay > .zero ? JSONEdit(plain: path, .string(exactText(delay))) : nil
    }
    if down == up { return [edit("link.delay", down)].compactMap { $0 } }
    return [edit("link.downlink.delay", down), edit("link.uplink.delay", up)].compactMap { $0 }
  }
}
