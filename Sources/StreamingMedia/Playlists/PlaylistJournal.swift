/// Faults and remarks found so far while reading a playlist.
struct PlaylistJournal {
  private(set) var faults: [PlaylistFault] = []
  private(set) var remarks: [PlaylistRemark] = []
  private let limits: PlaylistLimits

  init(limits: PlaylistLimits) {
    self.limits = limits
  }

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

  var refusal: PlaylistRefusal { PlaylistRefusal(faults: faults, remarks: remarks) }
}

/// Bounds that keep any input from taking all memory or all time.
package struct PlaylistLimits: Hashable, Sendable {
  package var bytes: Int
  package var lineBytes: Int
  /// Segments, parts, variants and the like: every list of a playlist.
  package var items: Int
  package var attributes: Int
  package var faults: Int
  package var remarks: Int

  package init(
    bytes: Int = 64 << 20, lineBytes: Int = 1 << 20, items: Int = 1_000_000,
    attributes: Int = 256, faults: Int = 100, remarks: Int = 1_000
  ) {
    self.bytes = bytes
    self.lineBytes = lineBytes
    self.items = items
    self.attributes = attributes
    self.faults = faults
    self.remarks = remarks
  }

  package static let standard = PlaylistLimits()
}
