/// Everything that was measured, from files or folders, ready to be simulated.
struct MeasuredFiles {
  private(set) var work: [MeasuredWork] = []
  /// Rows of unknown kinds, and of congestion controls that are not offered.
  private(set) var rowsLeftOut: Int64 = 0
  private var placeOfDownload: [String: Int] = [:]

  init(_ paths: [String]) throws(Failure) {
    for path in paths {
      for file in try InputFiles.files(at: path, endingIn: ".jsonl", called: "file of measurements")
      {
        for row in try MeasuredRow.rows(of: try file.read(), file: file.title) { try add(row) }
      }
    }
    if work.isEmpty {
      throw Failure(.wrongInput, "There is no measurement that can be predicted.")
    }
  }

  /// A row says by its keys what it is.
  private mutating func add(_ row: MeasuredRow) throws(Failure) {
    if row.has("requests") {
      guard let session = try MeasuredSession(row) else { return rowsLeftOut += 1 }
      work.append(.session(session))
    } else if !row.has("group"), !row.has("bytes") {
      rowsLeftOut += 1
    } else {
      guard let download = try MeasuredDownload(row) else { return rowsLeftOut += 1 }
      try add(download, from: row)
    }
  }

  private mutating func add(_ download: MeasuredDownload, from row: MeasuredRow) throws(Failure) {
    guard let place = placeOfDownload[download.key], case .download(var first) = work[place] else {
      placeOfDownload[download.key] = work.count
      return work.append(.download(download))
    }
    try first.join(download, from: row)
    work[place] = .download(first)
  }

  /// The names of the groups, in the order of the list, then any others.
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

  /// Keeps one group, or those that begin with a word.
  mutating func keep(groups wanted: [String]) {
    work.removeAll { $0.groups.allSatisfy { !wanted.contains($0) } }
  }
}
