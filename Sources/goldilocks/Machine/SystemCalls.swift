#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct SystemError: Error {
  var number: Int32

  static var last: SystemError { SystemError(number: errno) }

  /// A pipe, a socket or a device where a file belongs.
  static let special = SystemError(number: -1)
  /// More bytes than anybody reads.
  static let tooLarge = SystemError(number: -2)

  var words: String {
    switch number {
    case Self.special.number: "it is no regular file; - reads standard input"
    case Self.tooLarge.number: "it is larger than \(InputFile.mostBytes >> 20) MiB"
    default: String(cString: strerror(number))
    }
  }

  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  var isClosedPipe: Bool { number == EPIPE }
}

/// Files and streams by their numbers.
enum Descriptor {
  /// Reads to the end, which must come within so many bytes.
  static func read(_ descriptor: Int32, atMost limit: Int) throws(SystemError) -> [UInt8] {
    var status = stat()
    let known = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    if known > limit { throw .tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(known)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
      #else
        let count = Darwin.read(descriptor, piece.baseAddress, piece.count)
      #endif
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw .last }
      if count < 0 { continue }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      if bytes.count > limit { throw .tooLarge }
    }
  }

  /// Writes a whole file, from its beginning, to another one.
  static func copy(_ source: Int32, to target: Int32) throws(SystemError) {
    if lseek(source, 0, SEEK_SET) != 0 { throw .last }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(source, piece.baseAddress, piece.count)
      #else
        let count = Darwin.read(source, piece.baseAddress, piece.count)
      #endif
      if count == 0 { return }
      if count < 0, errno != EINTR { throw .last }
      if count < 0 { continue }
      let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: piece[..<count]))
      try write(bytes[...], to: target)
    }
  }

  /// Writes everything, however many calls it takes.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .last
      }
    }
  }
}

extension Descriptor {
  /// Fills the places of standard streams that are closed, so that no file gets one of them, and
  /// with it what is meant for a reader. Who uses such a stream is refused as before.
  static func holdStandardStreams() {
    let uses = [STDIN_FILENO: O_WRONLY, STDOUT_FILENO: O_RDONLY, STDERR_FILENO: O_RDONLY]
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      // The lowest free number is taken, which is this one.
      if fcntl(stream, F_GETFD) < 0, let use = uses[stream] { _ = open("/dev/null", use) }
    }
  }
}

/// A variable of the environment; nil where it is not set.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Nanoseconds of a clock that only ever goes on, to measure how long something took.
func nanosecondsNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
