import SystemLibrary

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

// Calls under names of their own: in a type that has a member `read`, that one would be meant.

/// Opens a file that no child process inherits.
func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws(SystemError) -> Int32 {
  let descriptor = path.withSystemPath { open($0, flags | O_CLOEXEC, mode) }
  if descriptor < 0 { throw .last }
  return descriptor
}

func fileStatus(_ path: String) throws(SystemError) -> stat {
  var status = stat()
  if path.withSystemPath({ stat($0, &status) }) != 0 { throw .last }
  return status
}

func fileStatus(_ descriptor: Int32) throws(SystemError) -> stat {
  var status = stat()
  if fstat(descriptor, &status) != 0 { throw .last }
  return status
}

extension stat {
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }

  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}

/// Reads what there is, at most as much as there is room for; negative after an error.
func readBytes(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, room.baseAddress, room.count)
}

/// Writes as much as is taken at once; negative after an error.
func writeBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

enum Descriptor {
  /// Reads to the end, which must come within `InputFile.mostBytes`.
  static func read(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
    let known = (try? fileStatus(descriptor)).map { Int($0.st_size) } ?? 0
    if known > InputFile.mostBytes { throw .tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(known)
    try forEachPiece(of: descriptor) { (piece) throws(SystemError) in
      bytes.append(contentsOf: piece)
      if bytes.count > InputFile.mostBytes { throw .tooLarge }
    }
    return bytes
  }

  static func copy(_ source: Int32, to target: Int32) throws(SystemError) {
    if lseek(source, 0, SEEK_SET) != 0 { throw .last }
    try forEachPiece(of: source) { (piece) throws(SystemError) in
      try write(Array(piece)[...], to: target)
    }
  }

  private static func forEachPiece(
    of descriptor: Int32, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { room.deallocate() }
    while true {
      let count = readBytes(descriptor, into: room)
      if count == 0 { return }
      if count < 0, errno != EINTR { throw .last }
      if count > 0 { try body(UnsafeRawBufferPointer(rebasing: room[..<count])) }
    }
  }

  /// Writes everything, however many calls it takes.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = writeBytes(rest, to: descriptor)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Writes to standard error. That it is closed is no reason to stop.
  static func say(_ text: String) { try? write(Array(text.utf8)[...], to: STDERR_FILENO) }

  /// Fills the places of standard streams that are closed, so that no file gets one of them, and
  /// with it what is meant for a reader. Who uses such a stream is refused as before.
  static func holdStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is taken, which is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Nanoseconds of a clock that only ever goes on, to measure how long something took.
func nanosecondsNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
