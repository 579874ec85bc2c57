#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes files so that there is the whole new one or what was there before, never a half.
enum OutputFiles {
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do throws(SystemError) {
      // Ctrl-C waits until the file is in its place, and nothing is left beside it.
      let mask = SignalMask()
      defer { mask.restore() }
      try replace(path, with: bytes)
    } catch {
      throw Failure(.inputOutput, "\(inQuotes(path)) cannot be written: \(error.words).")
    }
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    // A pipe or a device takes what it is given and cannot be replaced.
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .last }
      defer { close(descriptor) }
      return try Descriptor.write(bytes[...], to: descriptor)
    }
    let target = isThere ? resolved(path) : path
    let aside = target + ".\(getpid()).partial"
    let mode = isThere ? status.st_mode & 0o7777 : 0o666
    let descriptor = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if descriptor < 0 { throw .last }
    do throws(SystemError) {
      defer { close(descriptor) }
      try Descriptor.write(bytes[...], to: descriptor)
      if rename(aside, target) != 0 { throw SystemError.last }
    } catch {
      unlink(aside)
      throw error
    }
  }

  /// Where a link leads, so that the file behind it is replaced and not the link.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Makes a folder and those it lies in.
  static func makeFolder(_ path: String) throws(Failure) {
    if path.isEmpty || (try? InputFiles.kind(of: path)) == .folder { return }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var folder = ""
    for (index, part) in parts.enumerated() {
      folder += (index == 0 ? "" : "/") + String(Substring(part))
      if folder.isEmpty || mkdir(folder, 0o777) == 0 || errno == EEXIST { continue }
      let error = SystemError.last
      throw Failure(.inputOutput, "\(inQuotes(folder)) cannot be made: \(error.words).")
    }
  }
}

/// The path without links and dots, from the root.
func resolvedPath(_ path: String) throws(SystemError) -> String {
  guard let real = realpath(path, nil) else { throw .last }
  defer { free(real) }
  return String(cString: real)
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
