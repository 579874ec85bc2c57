import ExactText
import ScenarioRunner
import SystemLibrary

/// A file to read: a path, or `-` for standard input.
struct InputFile: Sendable {
  var path: String
  /// Path below the folder that was named; for a file its name.
  var relativePath: String
  /// Folders beside its own and the working folder in which the files that it names may lie.
  var furtherFolders: [String] = []
  /// Seconds that the commands it names may take for an answer; nil where it may name no commands.
  var commandPatience: Int64?
  var beat: RunBeat?
  var edits: [JSONEdit] = []
  /// The cell of a matrix that the edits make of it, such as "3G, seed 2"; nil for the file itself.
  var cell: String?

  /// The file that standard output goes to; nil for a terminal or a pipe.
  static var ofStandardOutput: String? {
    let isFile = (try? fileStatus(STDOUT_FILENO))?.isRegularFile == true
    return isFile ? try? resolvedPath("/dev/fd/1") : nil
  }

  /// More than anybody's scenario, playlist or trace; what is larger was named by mistake.
  static let mostBytes = 1 << 28

  var isStandardInput: Bool { path == "-" }

  var title: String { isStandardInput ? "<stdin>" : shown(path) }

  func inCell(_ name: String) -> String { cell.map { "\(name) [\($0)]" } ?? name }

  static func outOfCell(_ name: String) -> String {
    guard name.hasSuffix("]"), let cell = name.lastIndex(of: "[") else { return name }
    return String(name[..<cell].dropLast())
  }

  /// The name of its trace: `outage.json` gives `outage.trace.jsonl`.
  var traceName: String {
    let isJSON = relativePath.hasSuffix(".json")
    return inCell(isJSON ? String(relativePath.dropLast(5)) : relativePath) + ".trace.jsonl"
  }

  /// - Throws: 66 where there is nothing, 74 where it cannot be read.
  func read() throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      if isStandardInput { return try readStandardInput() }
      // Without waiting: a pipe that nobody writes to would be waited for at once.
      let descriptor = try openFile(path, O_RDONLY | O_NONBLOCK)
      defer { close(descriptor) }
      let status = try fileStatus(descriptor)
      if status.isFolder { throw SystemError(number: EISDIR) }
      if !status.isRegularFile { throw SystemError.special }
      return try Descriptor.read(descriptor)
    } catch {
      throw InputFiles.failure(title, error)
    }
  }

  var folder: String { folderPart(of: path) }

  /// The file and the folder of its references: the same for every name of it in that folder.
  var identity: String {
    let references = try? resolvedPath(folder.isEmpty ? "." : folder)
    return (references ?? folder) + "\n" + ((try? resolvedPath(path)) ?? path)
  }

  /// The path from the working folder of a file that it names.
  func path(of name: String) -> String {
    name.utf8.first == UInt8(ascii: "/") || isStandardInput ? name : folder + name
  }
}

/// Standard input, which can be read once, for everybody who reads it; nil before that.
private let standardInput = Locked<Result<[UInt8], SystemError>?>(nil)

private func readStandardInput() throws(SystemError) -> [UInt8] {
  try standardInput.use { known in
    let text = known ?? Result { () throws(SystemError) in try Descriptor.read(STDIN_FILENO) }
    known = text
    return text
  }.get()
}

/// Reads the files that an input names, as far as they lie where it may look.
///
/// A scenario from elsewhere must not bring in unrelated files: its references stay below its own
/// folder, the working folder, or a folder allowed by name, and links count as their targets.
final class References {
  private let file: InputFile
  private let folders: [String]
  /// The paths that lead out.
  private(set) var refused: [String] = []

  init(of file: InputFile) {
    self.file = file
    let named = [file.isStandardInput ? "." : file.folder, "."] + file.furtherFolders
    folders = named.compactMap { try? resolvedPath($0.isEmpty ? "." : $0) }
  }

  /// The content of a file by its path from where the input lies; nil where it cannot be read.
  func read(_ path: String) -> [UInt8]? {
    let whole = file.path(of: path)
    guard permits(whole) else {
      if !refused.contains(path) { refused.append(path) }
      return nil
    }
    guard let resolved = try? resolvedPath(whole) else { return nil }
    return try? InputFile(path: resolved, relativePath: path).read()
  }

  /// Refuses a path that leads out, by its name in the input and from the working folder.
  func check(_ path: String, at whole: String) throws(Failure) {
    if permits(whole) { return }
    throw Failure(
      .wrongInput,
      "\(inQuotes(shown(path))) lies outside the folder of \(inQuotes(file.title)) and the working "
        + "folder; --allow-path <folder> permits more.")
  }

  private func permits(_ whole: String) -> Bool {
    // Whether there is anything outside is not for the input to find out.
    guard let resolved = try? resolvedPath(whole) else { return !leadsOut(whole) }
    return folders.contains { isBelow(resolved, $0) }
  }

  /// Notes about refused paths, which lead out of the permitted folders.
  var remarks: [String] {
    refused.map {
      "note: \(inQuotes($0)) lies outside the scenario's folder and the working folder; "
        + "--allow-path <folder> permits more"
    }
  }

  /// Whether a path to nothing would lie outside, going by its words alone.
  private func leadsOut(_ path: String) -> Bool {
    let start = path.utf8.first == UInt8(ascii: "/") ? "" : ((try? resolvedPath(".")) ?? "") + "/"
    var parts: [Substring] = []
    for part in (start + path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return !folders.contains { isBelow("/" + parts.joined(separator: "/"), $0) }
  }

  private func isBelow(_ path: String, _ folder: String) -> Bool {
    folder == "/" || path == folder || path.utf8.starts(with: (folder + "/").utf8)
  }
}
