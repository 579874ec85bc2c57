import ExactText
import HeuristicComparison

extension StudyHeader {
  /// Writes the one file of a study in pieces: its first line, and a line for each session.
  func write<Problem: Error>(
    _ rows: StudyRows, _ numbers: some Sequence<Int>,
    to receive: ([UInt8]) throws(Problem) -> Void
  ) throws(Problem) {
    var writer = JSONWriter()
    writer.part(self)
    for number in numbers {
      writer.session(number, rows.row(number), of: self)
      if writer.bytes.count > 65_536 {
        try receive(writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
      }
    }
    try receive(writer.bytes)
  }
}

extension OutputFiles {
  /// Writes a study with its sessions into a file.
  static func writeSessions(
    of header: StudyHeader, _ rows: StudyRows, _ numbers: some Sequence<Int>, to path: String
  ) throws(Failure) {
    try write(to: path) { (descriptor: Int32) throws(SystemError) in
      try header.write(rows, numbers) { (lines: [UInt8]) throws(SystemError) in
        try Descriptor.write(lines[...], to: descriptor)
      }
    }
  }
}
