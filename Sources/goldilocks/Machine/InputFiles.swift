import ExactText
import ScenarioFormat
import SystemLibrary

enum InputFiles {
  static func isFolder(_ path: String) throws(Failure) -> Bool {
    try rethrowing(try fileStatus(path)) { failure(path, $0) }.isFolder
  }

  /// The sizes and times of all files below some paths: another value after any change.
  static func changes(below paths: [String]) -> [Int64] {
    var stamps: [Int64] = []
    for file in paths.flatMap({ (try? files(at: $0, endingIn: "", called: "file")) ?? [] }) {
      guard let status = try? fileStatus(file.path) else { continue }
      #if canImport(Glibc)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      stamps += [Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
    }
    return stamps
  }

  /// The scenarios or traces that a path names: itself, or all below a folder, sorted by their
  /// bytes; and the number of other JSON files there.
  ///
  /// - Throws: 66 where there is nothing, or none in a folder.
  static func files(
    at path: String, areTraces: Bool
  ) throws(Failure) -> (files: [InputFile], others: Int) {
    let (suffix, kind) = areTraces ? ("", "trace") : (".json", "scenario")
    let all = try files(at: path, endingIn: suffix, called: kind)
    guard (try? isFolder(path)) == true else { return (all, 0) }
    // Unreadable files stay in the list: their error is reported when it is their turn.
    let found = all.filter {
      (try? $0.read()).map { areTraces ? isTrace($0) : isScenario($0) } ?? true
    }
    if found.isEmpty {
      throw Failure(
        .missingInput,
        "\(inQuotes(path)) holds no \(kind): of the files in it"
          + (areTraces ? "" : " that end in .json") + ", none is one.")
    }
    return (found, areTraces ? 0 : all.count - found.count)
  }

  /// Whether a text means to be a scenario, be it right or wrong.
  private static func isScenario(_ bytes: [UInt8]) -> Bool {
    // An empty file was broken off.
    if bytes.allSatisfy({ $0 <= 0x20 }) { return true }
    // In another encoding no word can be found.
    do { _ = try JSONValue(parsing: bytes.prefix(2)) } catch {
      if error.problem == .otherEncoding { return true }
    }
    let isCalled = occurs(Array("\"scenario\"".utf8), in: bytes[...])
    if !isCalled, !occurs(Array("\"media\"".utf8), in: bytes[...]) { return false }
    guard let document = try? JSONValue(parsing: bytes[...]) else { return isCalled }
    if document["scenario"] != nil { return true }
    // The key that names it may be misspelt.
    return ["about", "link", "media", "script", "expect"].count { document[$0] != nil } >= 3
  }

  /// Whether a text is one document that is called as a scenario is.
  static func isWholeScenario(_ bytes: [UInt8]) -> Bool {
    let document = try? JSONValue(parsing: bytes[...])
    return document?["scenario"] != nil && document?["trace"] == nil
  }

  static func isTrace(_ bytes: [UInt8]) -> Bool {
    bytes.withoutByteOrderMark.starts(with: "{\"trace\":".utf8)
  }

  /// The files that a path names: itself, or all below a folder that end so, sorted by their bytes.
  static func files(
    at path: String, endingIn suffix: String, called what: String
  ) throws(Failure) -> [InputFile] {
    if path == "-" { return [InputFile(path: "-", relativePath: "stdin" + suffix)] }
    if try !isFolder(path) { return [InputFile(path: path, relativePath: lastPart(of: path))] }
    var found: [InputFile] = []
    var visited: Set<[UInt64]> = []
    try walk(path, prefix: "", &visited, &found)
    found = found.filter { $0.path.hasSuffix(suffix) }
      .sorted { $0.relativePath.utf8.lexicographicallyPrecedes($1.relativePath.utf8) }
    // Files of a folder that was named as a whole may refer to each other.
    for index in found.indices { found[index].furtherFolders = [path] }
    if !found.isEmpty { return found }
    throw Failure(
      .missingInput,
      "\(inQuotes(path)) holds no \(what): "
        + (suffix.isEmpty ? "there is no file in it." : "no file in it ends in \(suffix)."))
  }

  static func resolved(_ path: String, called title: String) throws(Failure) -> String {
    try rethrowing(try resolvedPath(path)) { failure(title, $0) }
  }

  static func failure(_ title: String, _ error: SystemError) -> Failure {
    if error.isMissing {
      return Failure(.missingInput, "There is no file or folder \(inQuotes(title)).")
    }
    return Failure(.inputOutput, "\(inQuotes(title)) cannot be read: \(error.words).")
  }

  private static func walk(
    _ folder: String, prefix: String, _ visited: inout Set<[UInt64]>, _ found: inout [InputFile]
  ) throws(Failure) {
    guard let status = try? fileStatus(folder) else { return }
    // By what it is, whatever leads to it: links can go round in circles.
    let identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    guard visited.insert(identity).inserted else { return }
    for name in try names(in: folder) where name.utf8.first != UInt8(ascii: ".") {
      let path = joinedPath(folder, name)
      // A link that leads nowhere is not a scenario.
      guard let isFolder = try? isFolder(path) else { continue }
      if isFolder {
        try walk(path, prefix: prefix + name + "/", &visited, &found)
      } else {
        found.append(InputFile(path: path, relativePath: prefix + name))
      }
    }
  }

  static func names(in folder: String) throws(Failure) -> [String] {
    guard let stream = folder.withSystemPath({ opendir($0) }) else { throw failure(folder, .last) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { SystemText.text($0) }
      }
      names.append(name)
    }
    return names
  }
}

/// A name in a folder; in the working folder it needs nothing before it, as CI wants it.
func joinedPath(_ folder: String, _ name: String) -> String {
  if folder == "." { return name }
  return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
}

/// The folder of a path, with its slash; empty for the working folder.
func folderPart(of path: String) -> String {
  path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
}
