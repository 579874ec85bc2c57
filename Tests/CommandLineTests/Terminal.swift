import Foundation

/// A terminal that nobody sits at: what the command writes to it can be read.
final class Terminal {
  let commandSide: FileHandle
  private let nearSide: FileHandle

  struct NotAvailable: Error {}

  init(columns: UInt16) throws {
    let (near, name) = try Terminal.open()
    nearSide = FileHandle(fileDescriptor: near, closeOnDealloc: true)
    let far = Foundation.open(name, O_RDWR | O_NOCTTY)
    guard far >= 0 else { throw NotAvailable() }
    commandSide = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    var size = winsize()
    size.ws_col = columns
    size.ws_row = 40
    _ = ioctl(near, UInt(TIOCSWINSZ), &size)
  }

  /// The near side, unlocked, and the name of the far one.
  private static func open() throws -> (near: Int32, far: String) {
    #if os(Linux)
      // As posix_openpt, unlockpt and ptsname do it, which Glibc's module does not show.
      let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      let near = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      guard near >= 0, ioctl(near, unlock, &isLocked) == 0, ioctl(near, getNumber, &number) == 0
      else { throw NotAvailable() }
      return (near, "/dev/pts/\(number)")
    #else
      let near = posix_openpt(O_RDWR | O_NOCTTY)
      guard near >= 0, grantpt(near) == 0, unlockpt(near) == 0, let name = ptsname(near) else {
        throw NotAvailable()
      }
      return (near, String(cString: name))
    #endif
  }

  /// Begins to read in the background: a terminal holds a few thousand bytes and no more.
  func read() -> Reading {
    let reading = Reading(descriptor: nearSide.fileDescriptor)
    reading.start()
    return reading
  }

  /// Everything that was written, once the command has ended.
  func output(of reading: Reading) -> Data {
    // With the last far end closed, reading runs into an error: there is no more to come.
    try? commandSide.close()
    return reading.wait()
  }

  final class Reading: @unchecked Sendable {
    private let descriptor: Int32
    private var data = Data()
    private let ended = DispatchSemaphore(value: 0)

    init(descriptor: Int32) {
      self.descriptor = descriptor
    }

    func start() {
      Thread.detachNewThread { [self] in
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = Foundation.read(descriptor, &chunk, chunk.count)
          if count <= 0 { break }
          data.append(contentsOf: chunk.prefix(count))
        }
        ended.signal()
      }
    }

    func wait() -> Data {
      ended.wait()
      return data
    }
  }
}
