struct PlaylistJournal {
  private(set) var faults: [PlaylistFault] = []
  private(set) var remarks: [PlaylistRemark] = []
  let limits: PlaylistLimits

  /// Whether so much is wrong that reading on would only repeat it.
  var isFull: Bool { faults.count >= limits.faults }

  /// Notes a fault in a line; one of the whole file stands in its first.
  mutating func fault(_ problem: PlaylistFault.Problem, line: Int32, tag: PlaylistTag? = nil) {
    if !isFull { faults.append(PlaylistFault(problem, at: PlaylistPlace(line: line, tag: tag))) }
  }

  mutating func remark(_ problem: PlaylistRemark.Problem, line: Int32?, tag: PlaylistTag? = nil) {
    if remarks.count < limits.remarks {
      remarks.append(PlaylistRemark(problem, at: PlaylistPlace(line: line, tag: tag)))
    }
  }
}

/// Bounds that keep any input from taking all memory or all time.
package struct PlaylistLimits: Hashable, Sendable {
  package var bytes = 64 << 20
  package var lineBytes = 1 << 20
  /// Segments, parts, variants and the like: every list of a playlist.
  package var items = 1_000_000
  package var attributes = 256
  package var faults = 100
  package var remarks = 1_000

  package static let standard = PlaylistLimits()
}
