/// The rows of a study's sessions, one behind the other.
package struct StudyRows: Sendable {
  package let width: Int
  private var values: [Int64]
  private var isThere: [Bool]

  /// - Parameter count: Number of sessions to come.
  package init(width: Int, count: Int) {
    self.width = width
    values = Array(repeating: 0, count: width * count)
    isThere = Array(repeating: false, count: count)
  }

  package mutating func record(_ row: SessionRow, of session: Int) {
    precondition(row.values.count == width, "a row has the values of its study")
    let first = width * session
    for (place, value) in row.values.enumerated() { values[first + place] = value }
    isThere[session] = true
  }

  package func has(_ session: Int) -> Bool { isThere[session] }

  package func row(_ session: Int) -> SessionRow {
    SessionRow(values: Array(values[width * session..<width * (session + 1)]))
  }
}
