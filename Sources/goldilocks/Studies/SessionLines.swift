import ExactText
import HeuristicComparison

extension StudyHeader {
  /// The lines of some sessions, handed on in pieces.
  func writeLines(
    of rows: StudyRows, _ numbers: some Sequence<Int>,
    to write: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var writer = JSONWriter()
    for number in numbers {
      writer.session(number, rows.row(number), of: self)
      if writer.bytes.count > 65_536 {
        try write(writer.bytes)
        writer.bytes.removeAll(keepingCapacity: true)
      }
    }
    try write(writer.bytes)
  }
}

extension OutputFiles {
  /// Writes sessions as lines, behind a first line where there is one.
  static func writeSessions(
    of header: StudyHeader, _ rows: StudyRows, _ numbers: some Sequence<Int>,
    after first: [UInt8] = [],
    to path: String
  ) throws(Failure) {
    try write(to: path) { (descriptor: Int32) throws(SystemError) in
      try Descriptor.write(first[...], to: descriptor)
      try header.writeLines(of: rows, numbers) { (lines: [UInt8]) throws(SystemError) in
        try Descriptor.write(lines[...], to: descriptor)
      }
    }
  }
}
