/// A table of text whose columns are as wide as what they hold.
///
/// The first column names the rows, the others stand to the right. Excess columns go to a further
/// block below with the same names.
package struct TextTable: Sendable {
  package struct Group: Sendable {
    package var heading: String
    package var columns: [Column]

    package init(heading: String = "", columns: [Column]) {
      self.heading = heading
      self.columns = columns
    }

    var innerWidth: Int {
      columns.reduce(-TextTable.innerGap) { $0 + TextTable.innerGap + $1.width }
    }

    var width: Int { max(innerWidth, RunReports.columns(of: heading)) }
  }

  package struct Column: Sendable {
    package let heading: String
    package let cells: [String]
    let width: Int

    package init(heading: String, cells: [String]) {
      self.heading = heading
      self.cells = cells
      width = cells.reduce(RunReports.columns(of: heading)) {
        max($0, RunReports.columns(of: $1))
      }
    }
  }

  package var names: Column
  package var groups: [Group]
  /// The marks after the names of the rows, however short these are cut.
  private let marks: [String]

  package init(names: Column, groups: [Group], marks: [String] = []) {
    self.names = names
    self.groups = groups
    self.marks = marks
  }

  /// The table's lines, blocks parted by an empty one.
  ///
  /// - Parameters:
  ///   - width: Columns of text.
  ///   - namesWidth: Columns for the names of the rows. Longer ones are cut, in front where their
  ///     beginnings are the same, and not at all where their ends are the same too.
  package func lines(width: Int, namesWidth: Int = .max, style: TextStyle) -> [String] {
    var table = self
    let suffixes = names.cells.indices.map { $0 < marks.count ? marks[$0] : "" }
    let widths = suffixes.map { max(1, namesWidth - columns(of: $0)) }
    let cut = zip(names.cells, widths).map { shortened($0, to: $1) }
    // Names that differ in their ends only are cut in front: the ends are the values of a setting.
    let ends = zip(names.cells, widths).map { shortenedInFront($0, to: $1) }
    let told =
      Self.differ(cut) || !Self.differ(names.cells)
      ? cut : Self.differ(ends) ? ends : names.cells
    table.names = Column(
      heading: shortened(names.heading, to: namesWidth), cells: zip(told, suffixes).map { $0 + $1 })
    var lines: [String] = []
    for block in blocks(of: groups.map { Self.gap + $0.width }, in: width - table.names.width) {
      if !lines.isEmpty { lines.append("") }
      lines += table.lines(of: groups[block], style)
    }
    return lines
  }

  private static func differ(_ names: [String]) -> Bool {
    Set(names.map { Array($0.utf8) }).count == names.count
  }

  private func lines(of block: ArraySlice<Group>, _ style: TextStyle) -> [String] {
    var lines: [String] = []
    if block.contains(where: { !$0.heading.isEmpty }) {
      var line = blank(names.width)
      for group in block { line += blank(Self.gap) + padded(group.heading, to: group.width) }
      lines.append(style.paint(trimmed(line), .title))
    }
    lines.append(style.paint(line(of: block, names.heading) { $0.heading }, .faint))
    return lines
      + names.cells.indices.map { row in line(of: block, names.cells[row]) { $0.cells[row] } }
  }

  private func line(
    of block: ArraySlice<Group>, _ name: String, _ cell: (Column) -> String
  ) -> String {
    var line = padded(name, to: names.width)
    for group in block {
      line += blank(Self.gap)
      for (index, column) in group.columns.enumerated() {
        if index > 0 { line += blank(Self.innerGap) }
        // The last column takes what a wide heading of the group leaves over.
        let slack = index == group.columns.count - 1 ? group.width - group.innerWidth : 0
        line += padded(indented(cell(column), to: column.width), to: column.width + slack)
      }
    }
    return trimmed(line)
  }

  static let gap = 3
  static let innerGap = 2
}

/// As many columns of some widths as fit beside each other, at least one, then the next ones below.
func blocks(of widths: [Int], in room: Int) -> [Range<Int>] {
  var blocks: [Range<Int>] = []
  var used = 0
  for (index, width) in widths.enumerated() {
    if let block = blocks.last, used + width <= room {
      blocks[blocks.count - 1] = block.lowerBound..<index + 1
    } else {
      blocks.append(index..<index + 1)
      used = 0
    }
    used += width
  }
  return blocks
}
