import ExactText
import HeuristicComparison
import SystemLibrary

/// The file of finished sessions from which a study's command goes on: a part that grows by lines.
final class Checkpoint {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  /// Time of the next write: at once with the first session, and then after pauses.
  private var due: Int64 = 0
  /// Sessions read from the checkpoint, in their order from the first on.
  private(set) var sessions: [Int] = []
  private(set) var rows: [SessionRow] = []

  private static let pause: Int64 = 500_000_000

  /// - Throws: 65 where the file is of another study, or is none.
  init(_ path: String, _ header: StudyHeader) throws(Failure) {
    self.path = path
    descriptor = try Self.open(path)
    // Two that write the same file would cut each other's lines.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      throw Failure(.wrongInput, "\(inQuotes(path)) is the checkpoint of a study that is running.")
    }
    let text = try rethrowing(try Descriptor.read(descriptor)) { OutputFiles.failure(path, $0) }
    let part = try Self.part(text, path, header)
    sessions = part?.sessions ?? []
    rows = part?.rows ?? []
    // A line that was broken off in the middle is written anew.
    let whole = off_t(part?.wholeBytes ?? 0)
    if ftruncate(descriptor, whole) != 0 || lseek(descriptor, whole, SEEK_SET) < 0 {
      throw OutputFiles.failure(path, .last)
    }
    if part == nil { pending = Self.firstLine(header) }
  }

  deinit { close(descriptor) }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    try OutputFiles.makeFolder(of: path)
    do throws(SystemError) {
      // Without waiting: nobody may write to a pipe that is read from here.
      let descriptor = try openFile(path, O_RDWR | O_CREAT | O_NONBLOCK)
      if (try? fileStatus(descriptor))?.isRegularFile == true { return descriptor }
      close(descriptor)
    } catch {
      throw OutputFiles.failure(path, error)
    }
    throw Failure(.inputOutput, "\(inQuotes(path)) cannot be a checkpoint: it is no regular file.")
  }

  private static func firstLine(_ header: StudyHeader) -> [UInt8] {
    var writer = JSONWriter()
    writer.part(header)
    return writer.bytes
  }

  /// Sessions of a checkpoint; nil where it is empty, or was broken off within its first line.
  private static func part(
    _ text: [UInt8], _ path: String, _ header: StudyHeader
  ) throws(Failure) -> StudyPart? {
    // A file that begins otherwise is no checkpoint of ours, and stays.
    if !text.contains(0x0A), firstLine(header).starts(with: text) { return nil }
    let part = try StudyPart(text, in: inQuotes(path))
    guard part.header.isOfSameStudy(as: header), part.header.shard == header.shard else {
      throw Failure(
        .wrongInput,
        "\(inQuotes(path)) is the checkpoint of another study: a scenario, a recording or the "
          + "command has changed since. Without the file the study begins anew.")
    }
    for (index, session) in part.sessions.enumerated()
    where session != header.shard.session(index) {
      throw Failure(
        .wrongInput, "\(inQuotes(path)), line \(index + 2): sessions are missing before this one.")
    }
    return part
  }

  /// Adds a session's line; it is on the disk within a moment.
  func add(_ line: [UInt8]) throws(Failure) {
    pending += line
    if pending.count > 65_536 || nanosecondsNow() >= due { try flush() }
  }

  func flush() throws(Failure) {
    due = nanosecondsNow() + Self.pause
    try rethrowing(try Descriptor.write(pending[...], to: descriptor)) {
      OutputFiles.failure(path, $0)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
