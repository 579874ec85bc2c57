import ScenarioFormat
import SystemLibrary

/// Writes files so that there is the whole new one or what was there before, never a half. Folders
/// that are missing are made, and go again where the file does not come.
enum OutputFiles {
  typealias Filling = (Int32) throws(SystemError) -> Void

  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    try write(to: path) { (descriptor: Int32) throws(SystemError) in
      try Descriptor.write(bytes[...], to: descriptor)
    }
  }

  static func write(to path: String, _ fill: Filling) throws(Failure) {
    let made = try makeFolder(of: path)
    do throws(SystemError) {
      // A pipe or a device takes what it is given and cannot be replaced. Whoever waits for its
      // other end may be interrupted.
      if isSpecial(path) {
        let descriptor = try openFile(path, O_WRONLY)
        defer { close(descriptor) }
        return try fill(descriptor)
      }
      // Ctrl-C waits until the file is in its place, and nothing is left beside it.
      let mask = SignalMask()
      defer { mask.restore() }
      try replace(path, fill)
    } catch {
      remove(made)
      throw failure(path, error)
    }
  }

  /// Refuses to put a result where something lies that is read.
  static func keep(_ inputs: [InputFile], from path: String?, of option: Option) throws(Failure) {
    guard let path else { return }
    for input in inputs where isSameFile(path, input.path) {
      throw Failure(
        .usage, "--\(option.name) would take the place of \(inQuotes(input.title)), which is read.")
    }
  }

  /// Refuses shared files: standard output, which holds the results, and a path two options name.
  static func keepApart(_ options: [Option], of invocation: Invocation) throws(Failure) {
    var known: [Option] = []
    for option in options {
      guard let path = invocation.value(of: option) else { continue }
      if path == "-" {
        throw Failure(
          .usage, "--\(option.name) needs a file of its own: standard output holds the results.")
      }
      for other in known where isSamePlace(path, invocation.value(of: other) ?? "") {
        throw Failure(.usage, "--\(other.name) and --\(option.name) would write the same file.")
      }
      known.append(option)
    }
  }

  private static func isSamePlace(_ a: String, _ b: String) -> Bool {
    if isSpecial(a) { return false }
    func place(_ path: String) -> String {
      let folder = folderPart(of: path) + "."
      return joinedPath((try? resolvedPath(folder)) ?? folder, lastPart(of: path))
    }
    return isSameFile(a, b) || place(a) == place(b)
  }

  static func whileLocked<Value>(
    _ folder: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let descriptor = try? openFile(folder, O_RDONLY)
    defer { if let descriptor { close(descriptor) } }
    // A file system without locks does as it did.
    if let descriptor { flock(descriptor, LOCK_EX) }
    return try body()
  }

  static func failure(_ path: String, _ error: SystemError) -> Failure {
    Failure(.inputOutput, "\(inQuotes(path)) cannot be written: \(error.words).")
  }

  /// Refuses to take the place of anything but a device or a pipe.
  static func keepWhatIsThere(_ path: String?) throws(Failure) {
    guard let path, let isFolder = try? InputFiles.isFolder(path), isFolder || !isSpecial(path)
    else { return }
    throw Failure(.inputOutput, "\(inQuotes(path)) is there already; nothing was written.")
  }

  static func isSpecial(_ path: String) -> Bool {
    (try? fileStatus(path))?.isRegularFile == false
  }

  private static func replace(_ path: String, _ fill: Filling) throws(SystemError) {
    let status = try? fileStatus(path)
    let target = status == nil ? path : try resolvedPath(path)
    // Only the folder must be writable for a rename.
    if status != nil, target.withSystemPath({ access($0, W_OK) }) != 0 { throw .last }
    let aside = target + ".\(getpid()).partial"
    let mode = status.map { $0.st_mode & 0o7777 } ?? 0o666
    let descriptor = try openFile(aside, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    do throws(SystemError) {
      try finish(descriptor, fill)
      let isInPlace = aside.withSystemPath { from in
        target.withSystemPath { rename(from, $0) == 0 }
      }
      if !isInPlace { throw SystemError.last }
    } catch {
      _ = aside.withSystemPath { unlink($0) }
      throw error
    }
  }

  /// Fills a file and closes it; a disk may say only then that it is full.
  private static func finish(_ descriptor: Int32, _ fill: Filling) throws(SystemError) {
    do throws(SystemError) {
      try fill(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    if close(descriptor) != 0 { throw .last }
  }

  /// Makes the folders of a path, all or none, and says which of them were not there.
  @discardableResult
  static func makeFolder(of path: String) throws(Failure) -> [String] {
    let whole = folderPart(of: path).dropLast()
    if whole.isEmpty || (try? InputFiles.isFolder(String(whole))) == true { return [] }
    let parts = whole.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var folder = ""
    var made: [String] = []
    for (index, part) in parts.enumerated() {
      folder += (index == 0 ? "" : "/") + String(Substring(part))
      if folder.isEmpty { continue }
      if folder.withSystemPath({ mkdir($0, 0o777) }) == 0 {
        made.append(folder)
        continue
      }
      if errno == EEXIST { continue }
      let error = SystemError.last
      remove(made)
      throw Failure(.inputOutput, "\(inQuotes(folder)) cannot be made: \(error.words).")
    }
    return made
  }

  /// Writes files into one folder. Where one cannot be written, nothing new remains.
  static func write(_ files: [(path: String, bytes: [UInt8])]) throws(Failure) {
    let made = try makeFolder(of: files[0].path)
    var written: [String] = []
    for file in files {
      let isNew = (try? InputFiles.isFolder(file.path)) == nil
      do throws(Failure) {
        try write(file.bytes, to: file.path)
      } catch {
        for path in written { _ = path.withSystemPath { unlink($0) } }
        remove(made)
        throw error
      }
      if isNew { written.append(file.path) }
    }
  }

  static func remove(_ folders: [String]) {
    for folder in folders.reversed() { _ = folder.withSystemPath { rmdir($0) } }
  }
}

extension Invocation {
  func keep(_ inputs: [InputFile], fromFilesOf options: [Option]) throws(Failure) {
    try OutputFiles.keepApart(options, of: self)
    for option in options {
      guard let path = value(of: option) else { continue }
      try OutputFiles.keep(inputs, from: path, of: option)
      // Refused before the result is there.
      let made = try OutputFiles.makeFolder(of: path)
      defer { OutputFiles.remove(made) }
      if (try? fileStatus(folderPart(of: path) + ".")) == nil {
        throw OutputFiles.failure(path, .last)
      }
    }
  }
}

/// The path without links and dots, from the root.
func resolvedPath(_ path: String) throws(SystemError) -> String {
  guard let real = path.withSystemPath({ realpath($0, nil) }) else { throw .last }
  defer { free(real) }
  return SystemText.text(real)
}

/// Keeps the signals with which a person ends a process away from this thread for a while.
struct SignalMask {
  private var before = sigset_t()

  init() {
    var held = sigset_t()
    sigemptyset(&held)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&held, signal) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
  }

  func restore() {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

func isSameFile(_ a: String, _ b: String) -> Bool {
  guard let first = try? fileStatus(a), let second = try? fileStatus(b) else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

nonisolated(unsafe) private var wasInterrupted: sig_atomic_t = 0

/// Makes Ctrl-C a request for the best result so far; pressed again, it ends the process.
///
/// - Returns: Asks whether it was pressed.
func listenForInterruption() -> () -> Bool {
  signal(SIGINT) { number in
    wasInterrupted = 1
    signal(number, SIG_DFL)
  }
  return { wasInterrupted != 0 }
}
