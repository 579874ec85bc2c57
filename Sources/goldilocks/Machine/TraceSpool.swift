import SystemLibrary

/// A trace on its way to its file: a small one waits in memory, a large one in a file that has no
/// name, so that whatever ends the command leaves nothing behind.
///
/// One thread fills it, and another one places it when that has come to its end.
final class TraceSpool: @unchecked Sendable {
  private let path: String
  private var bytes: [UInt8] = []
  private var descriptor: Int32 = -1
  private var error: SystemError?

  /// A trace of a few minutes; a run of days goes on in a file.
  private static let mostInMemory = 1 << 20

  init(for path: String) { self.path = path }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func take(_ piece: [UInt8]) {
    if error != nil { return }
    bytes += piece
    if bytes.count <= Self.mostInMemory { return }
    do throws(SystemError) {
      if descriptor < 0 { try open() }
      try Descriptor.write(bytes[...], to: descriptor)
      bytes.removeAll(keepingCapacity: true)
    } catch {
      self.error = error
      bytes = []
    }
  }

  func place() throws(Failure) {
    if let error { throw OutputFiles.failure(path, error) }
    let (descriptor, rest) = (descriptor, bytes)
    try OutputFiles.write(to: path) { (target: Int32) throws(SystemError) in
      if descriptor >= 0 { try Descriptor.copy(descriptor, to: target) }
      try Descriptor.write(rest[...], to: target)
    }
  }

  /// Opens a file beside the one that is to be, and takes its name away at once.
  private func open() throws(SystemError) {
    // Output for a pipe or a device waits in the working folder.
    var folder = OutputFiles.isSpecial(path) ? "" : folderPart(of: path)
    while !folder.isEmpty, (try? fileStatus(folder)) == nil {
      folder = folderPart(of: String(folder.dropLast()))
    }
    let number = UInt(bitPattern: ObjectIdentifier(self))
    let name = folder + ".goldilocks.\(getpid()).\(number).partial"
    let mask = SignalMask()
    defer { mask.restore() }
    descriptor = try openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    _ = name.withSystemPath { unlink($0) }
  }
}
