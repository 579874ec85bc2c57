import ExactText

/// Everything that was measured, from files or folders, ready to be simulated.
struct MeasuredFiles {
  private(set) var work: [Measurement] = []
  /// Rows of unknown kinds, and of congestion controls that are not offered.
  private(set) var rowsLeftOut: Int64 = 0
  private var placeOfDownload: [String: Int] = [:]
  private var placeOfRow: [String: String] = [:]

  init(_ paths: [String]) throws(Failure) {
    try MeasuredRow.forEach(below: paths, called: "file of measurements") {
      (row) throws(Failure) in try add(row)
    }
    if work.isEmpty {
      throw Failure(.wrongInput, "There is no measurement that can be predicted.")
    }
  }

  /// A row says by its keys what it is.
  private mutating func add(_ row: MeasuredRow) throws(Failure) {
    // A duplicate row would count twice.
    if let first = placeOfRow.updateValue(row.place, forKey: JSONTree(row.value).json) {
      throw Failure(.wrongInput, "\(row.place): the row is the same as \(first).")
    }
    if row.has("requests") {
      guard let session = try Measurement(session: row) else { return rowsLeftOut += 1 }
      work.append(session)
    } else if !row.has("group"), !row.has("bytes") {
      rowsLeftOut += 1
    } else {
      guard let download = try Measurement(download: row) else { return rowsLeftOut += 1 }
      if let place = placeOfDownload[download.key] {
        return try work[place].join(download, from: row)
      }
      placeOfDownload[download.key] = work.count
      work.append(download)
    }
  }

  /// The names of the groups: those that are usual in their order, then any others.
  var groups: [String] {
    var found: [String] = []
    for group in work.flatMap({ $0.groups }) where !found.contains(group) { found.append(group) }
    return Self.usualOrder.filter { found.contains($0) }
      + found.filter { !Self.usualOrder.contains($0) }
  }

  private static let usualOrder = [
    "lossless cold", "lossless warm", "lossless idle5s", "lossy", "sequence", "changing rate",
    "idle gaps", "initial window", "queue length", "loss placement", "two flows",
    "object against a long flow",
  ]
}
