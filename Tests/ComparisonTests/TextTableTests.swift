import RunReports
import Testing

@Suite struct TextTableTests {
  private func group(_ heading: String, _ cells: [String]) -> TextTable.Group {
    TextTable.Group(
      heading: heading,
      columns: [
        TextTable.Column(heading: "n", cells: cells),
        TextTable.Column(heading: "word", cells: ["x", "yy"]),
      ])
  }

  private let names = TextTable.Column(heading: "name", cells: ["first", "second one"])

  @Test func `columns are as wide as what they hold, all but the names to the right`() {
    let table = TextTable(names: names, groups: [group("A", ["1", "200"])])
    #expect(
      table.lines(width: 80, style: .plain) == [
        "             A",
        "name           n  word",
        "first          1     x",
        "second one   200    yy",
      ])
  }

  @Test(
    arguments: [
      ("paused 0.000 s, done", 15, ["paused 0.000 s,", "done"]),
      ("paused 0.000 s, done", 14, ["paused", "0.000 s, done"]),
      ("waits for 12 ms and", 12, ["waits for", "12 ms and"]),
      ("of 1,250 kbit/s on", 8, ["of", "1,250", "kbit/s", "on"]),
      ("3 variants of it", 8, ["3", "variants", "of it"]),
      ("9.2 % of it", 5, ["9.2 %", "of it"]), ("in 5 s", 4, ["in", "5 s"]),
    ]) func `a line does not end between a number and its unit`(
      text: String, width: Int, lines: [String]
    )
  {
    #expect(wrapped(text, width: width) == lines)
  }

  @Test func `groups that do not fit stand in a further block`() {
    let table = TextTable(
      names: names, groups: [group("A", ["1", "2"]), group("B is long", ["3", "4"])])
    #expect(
      table.lines(width: 30, style: .plain) == [
        "             A",
        "name         n  word",
        "first        1     x",
        "second one   2    yy",
        "",
        "             B is long",
        "name         n  word",
        "first        3     x",
        "second one   4    yy",
      ])
    #expect(table.lines(width: 40, style: .plain).count == 4)
  }

  @Test func `long names are cut where that is wanted`() {
    let table = TextTable(names: names, groups: [group("", ["1", "2"])])
    #expect(
      table.lines(width: 80, namesWidth: 6, style: .plain) == [
        "name     n  word",
        "first    1     x",
        "secon…   2    yy",
      ])
  }

  @Test func `names whose beginnings and ends are the same are not cut`() {
    let names = TextTable.Column(heading: "n", cells: ["one, 2 s, end", "one, 3 s, end"])
    let table = TextTable(names: names, groups: [group("", ["1", "2"])])
    #expect(
      table.lines(width: 80, namesWidth: 6, style: .plain).dropFirst() == [
        "one, 2 s, end   1     x", "one, 3 s, end   2    yy",
      ])
  }

  @Test func `a mark stays however short its name is cut`() {
    let table = TextTable(names: names, groups: [group("", ["1", "2"])], marks: ["", " *"])
    #expect(
      table.lines(width: 80, namesWidth: 7, style: .plain) == [
        "name      n  word",
        "first     1     x",
        "seco… *   2    yy",
      ])
  }
}
