#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a system call failed.
struct SystemError: Error {
  var number: Int32

  /// What the last call of this thread left behind.
  static var last: SystemError { SystemError(number: errno) }

  var words: String { String(cString: strerror(number)) }

  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  var isClosedPipe: Bool { number == EPIPE }
}

/// Files and streams by their numbers.
enum Descriptor {
  /// Reads to the end.
  static func read(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    let known = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    var chunk = max(65_536, min(known + 1, 1 << 26))
    while true {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: chunk))
      let count = bytes.withUnsafeMutableBytes { buffer in
        let free = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        #if canImport(Glibc)
          return Glibc.read(descriptor, free.baseAddress, free.count)
        #else
          return Darwin.read(descriptor, free.baseAddress, free.count)
        #endif
      }
      let error = SystemError.last
      bytes.removeLast(chunk - max(0, count))
      if count == 0 { return bytes }
      if count < 0, error.number != EINTR { throw error }
      chunk = 65_536
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

/// Nanoseconds that the processor has spent on this process: what a measurement takes, so that
/// whatever else the machine does stays out of it.
func processorNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
