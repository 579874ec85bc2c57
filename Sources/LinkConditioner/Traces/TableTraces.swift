import ExactText
import VirtualTime

/// Text in columns, with or without a header.
struct TraceTable {
  let source: SourceText
  let separator: SourceText.Separator
  /// The columns by their header; nil without one.
  private(set) var columns: [TableColumn]?
  private(set) var headerLine = 1
  private(set) var rows: ArraySlice<SourceText.Line>

  /// Whether a text is such a table, and none of the formats in plain columns of numbers.
  static func begins(_ text: SourceText) -> Bool {
    let table = TraceTable(text, most: 1)
    switch table.separator {
    case .comma, .semicolon: return true
    case .tab, .blanks: return table.columns != nil
    }
  }

  /// - Parameter most: The number of lines that are read, the header included.
  init(_ source: SourceText, most: Int = .max) {
    self.source = source
    rows = source.dataLines(most: most)[...]
    guard let first = rows.first else {
      separator = .comma
      return
    }
    let candidates = [SourceText.Separator.tab, .semicolon, .comma]
    separator = candidates.first { source.fields(first, separatedBy: $0).count > 1 } ?? .blanks
    headerLine = first.number
    if let columns = header(first) {
      self.columns = columns
      rows.removeFirst()
    } else {
      readComment(above: first)
    }
  }

  func fields(_ line: SourceText.Line) -> [SourceText.Place] {
    source.fields(line, separatedBy: separator)
  }

  /// Whether every row begins with a field that has no name: pandas and R write an index.
  var hasIndex: Bool {
    guard let columns, !rows.isEmpty else { return false }
    return rows.allSatisfy { fields($0).count == columns.count + 1 }
  }

  /// Columns whose names are no numbers.
  private func header(_ line: SourceText.Line) -> [TableColumn]? {
    let names = fields(line).map { source.bytes[$0] }
    let isNumber = names.contains { (try? exactDecimal($0, line: 1)) != nil }
    let hasDate = names.contains { calendarTime($0) != nil }
    // A value with a suffix, such as "5M", is no name.
    if isNumber || hasDate || names.allSatisfy({ $0.isEmpty }) { return nil }
    let columns = names.map { TableColumn(shortText($0)) }
    switch separator {
    case .comma, .semicolon, .tab: return columns
    // A name may hold blanks, so that only what is understood counts as a header.
    case .blanks:
      if columns.contains(where: { $0.rate != nil || $0.isAmbiguous }) { return columns }
      let whole = TableColumn(source.text(line.place))
      return whole.rate != nil || whole.isAmbiguous ? [whole] : nil
    }
  }

  /// numpy writes its header as a comment.
  private mutating func readComment(above first: SourceText.Line) {
    var above: SourceText.Line?
    source.visitLines { line in
      if line.number < first.number, !source.bytes.trimmed(line.place).isEmpty { above = line }
      return line.number < first.number
    }
    guard let above else { return }
    let comment = source.bytes.trimmed(above.place)
    let words = source.bytes[comment].drop { $0 == UInt8(ascii: "#") }.indices
    if words == comment { return }
    let names = fields(SourceText.Line(number: above.number, place: source.bytes.trimmed(words)))
    guard names.count == fields(first).count else { return }
    let columns = names.map { TableColumn(source.text($0)) }
    if columns.contains(where: { $0.time != nil || $0.duration != nil }),
      columns.contains(where: { $0.rate != nil || $0.amount != nil || $0.isAmbiguous })
    {
      self.columns = columns
      headerLine = above.number
    }
  }
}

/// Nanoseconds since 1970 of a date and time, with `T` or a blank between them.
private func calendarTime(_ field: ArraySlice<UInt8>) -> Int64? {
  // A date and a time have 19 characters; most numbers are shorter.
  if field.count < 19 { return nil }
  return calendarInstant(ArraySlice(field.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "T") : $0 }))
}

private struct ReadColumn {
  var place: Int
  var unit: ColumnUnit
}

/// The columns of a table that say what the link carried.
private struct TableReading {
  var time: ReadColumn?
  var duration: ReadColumn?
  var rate: ReadColumn
  /// Whether the rate is an amount, and its duration stands beside it.
  var isAmount = false

  static let seconds = ColumnUnit(name: "s", factor: 1_000_000_000)
  static let bits = ColumnUnit(name: "bit/s", factor: 1)

  /// Without a header: seconds, and bits per second.
  static let plain = TableReading(
    time: ReadColumn(place: 0, unit: seconds), rate: ReadColumn(place: 1, unit: bits))
}

/// Tables that measurement campaigns publish, with many links in one file.
private struct KnownTable {
  var name: String
  var key: String
  var time: (name: String, unit: ColumnUnit)
  var rate: (name: String, unit: ColumnUnit)

  static let all = [
    KnownTable(
      name: "Puffer's video_sent", key: "session_id",
      time: ("time (ns GMT)", ColumnUnit(name: "ns", factor: 1)),
      rate: ("delivery_rate", ColumnUnit(name: "B/s", factor: 8))),
    KnownTable(
      name: "the FCC's raw measurements", key: "unit_id",
      time: ("dtime", TableReading.seconds), rate: ("bytes_sec", ColumnUnit(name: "B/s", factor: 8))
    ),
  ]
}

extension TraceDraft {
  mutating func readTable(_ source: SourceText) throws(ImportError) {
    let table = TraceTable(source)
    let reading = try tableReading(table)
    // Perf: what a row needs of the table is copied once, and no name of a column with it.
    var source = source
    let (separator, columnCount) = (table.separator, table.columns?.count)
    let timeColumn = reading.time.map { (place: $0.place, factor: $0.unit.factor) }
    let durationColumn = reading.duration.map { (place: $0.place, factor: $0.unit.factor) }
    let ratePlace = reading.rate.place
    // A comma that separates no columns may be a decimal comma.
    let hasDecimalCommas = separator != .comma && separator != .blanks
    var samples: [TimedSample] = []
    var start: Int64 = 0
    var fields: [SourceText.Place] = []
    let hasIndex = table.hasIndex
    if hasIndex { notes.append("the first column has no name: not read") }
    for line in table.rows {
      source.read(&fields, line, separatedBy: separator)
      if hasIndex { fields.removeFirst() }
      try checkCount(fields.count, line, of: columnCount)
      if hasDecimalCommas { for field in fields { source.readDecimalComma(in: field) } }
      let duration = try durationColumn.map { column throws(ImportError) in
        try source.time(fields[column.place], line, times: column.factor)
      }
      let rate = try rate(fields[ratePlace], of: source, reading, duration, line)
      guard let timeColumn else {
        lastLine = line.number
        append(nanoseconds: duration ?? 1_000_000_000, .limited(rate))
        continue
      }
      var time = try source.time(fields[timeColumn.place], line, times: timeColumn.factor)
      if samples.isEmpty, time > Self.leastDate { start = time }
      time -= start
      if time < 0 { throw ImportError(line: line.number, .timeGoesBack) }
      samples.append((time, rate))
      try check(samples, line)
    }
    if samples.isEmpty { return }
    if start > 0 { notes.append("times count from the first sample's, which is a date") }
    appendTimed(samples)
  }

  /// Three years: a later time counts from 1970.
  private static let leastDate: Int64 = 100_000_000_000_000_000

  private func checkCount(
    _ count: Int, _ line: SourceText.Line, of columnCount: Int?
  ) throws(ImportError) {
    if count == columnCount ?? 2 { return }
    let expected =
      columnCount.map { "\($0), as the header has" }
      ?? "2, seconds and bits per second, or a header that names them and their units"
    throw ImportError(line: line.number, .columns(found: count, expected: expected))
  }

  private func rate(
    _ field: SourceText.Place, of source: borrowing SourceText, _ reading: borrowing TableReading,
    _ duration: Int64?, _ line: SourceText.Line
  ) throws(ImportError) -> BitRate {
    if !reading.isAmount, let bits = source.whole(field, times: reading.rate.unit.factor) {
      return try rate(bits, over: 1, line: line.number)
    }
    let (digits, power) = source.withoutSuffix(field)
    if power > 0, reading.rate.unit != TableReading.bits {
      throw ImportError(
        line: line.number,
        .table(
          "'\(source.text(field))' in a column of \(reading.rate.unit.name); expected a number"))
    }
    let value = try source.decimal(digits, line)
    guard reading.isAmount, let duration else {
      return try rate(
        value, times: reading.rate.unit.factor, power: power, line: line.number,
        text: source.bytes[field])
    }
    guard let (bits, denominator) = value.ratio(timesTenTo: 0), denominator == 1,
      bits < Int64.max / 8_000_000_000 / reading.rate.unit.factor || bits == 0
    else { throw ImportError(line: line.number, .outOfRange(source.text(field))) }
    guard duration > 0 else {
      if bits == 0 { return .zero }
      throw ImportError(
        line: line.number, .table("an amount of '\(source.text(field))' in no time"))
    }
    return try rate(
      bits * reading.rate.unit.factor * 1_000_000_000, over: duration, line: line.number)
  }

  private mutating func tableReading(_ table: TraceTable) throws(ImportError) -> TableReading {
    guard let columns = table.columns else {
      notes.append("without a header: the time in s, the rate in bit/s")
      return .plain
    }
    do throws(ImportError.Problem) {
      let found =
        if let known = try known(table, columns) { known } else { try columns.reading(table) }
      note(found, columns)
      if found.time == nil { reading.interval = .explicit }
      return found
    } catch {
      throw ImportError(line: table.headerLine, error)
    }
  }

  private mutating func note(_ found: TableReading, _ columns: [TableColumn]) {
    let read = [
      found.time.map { ($0, "the time") }, found.duration.map { ($0, "the duration") },
      (found.rate, found.isAmount ? "the amount" : "the rate"),
    ].compactMap { $0 }
    var words = read.map { column, meaning in
      "'\(columns[column.place].name)' is \(meaning) in \(column.unit.name)"
    }
    let places = read.map { $0.0.place }
    let others = columns.indices.filter { !places.contains($0) && !columns[$0].name.utf8.isEmpty }
    if !others.isEmpty {
      words.append(others.map { "'\(columns[$0].name)'" }.joined(separator: ", ") + " not read")
    }
    if found.time == nil, found.duration == nil { words.append("each sample lasts a second") }
    notes.append(words.joined(separator: ", "))
  }

  private func known(
    _ table: TraceTable, _ columns: [TableColumn]
  ) throws(ImportError.Problem) -> TableReading? {
    func place(_ name: String) -> Int? { columns.firstIndex { isSameText($0.name, name) } }
    for kind in KnownTable.all {
      guard let key = place(kind.key), let time = place(kind.time.name),
        let rate = place(kind.rate.name)
      else { continue }
      var first: ArraySlice<UInt8>?
      for line in table.rows {
        let fields = table.fields(line)
        guard fields.indices.contains(key) else { continue }
        let value = table.source.bytes[fields[key]]
        if let first, first != value {
          throw .table(
            "\(kind.name), of several links; keep the rows of one '\(kind.key)', in the order of "
              + "their times")
        }
        first = value
      }
      return TableReading(
        time: ReadColumn(place: time, unit: kind.time.unit),
        rate: ReadColumn(place: rate, unit: kind.rate.unit))
    }
    return nil
  }
}

extension [TableColumn] {
  fileprivate func reading(_ table: TraceTable) throws(ImportError.Problem) -> TableReading {
    let rate = try rateColumn(table)
    let times = indices.filter { self[$0].time != nil }
    let durations = indices.filter { self[$0].duration != nil }
    if times.count > 1 { throw several(times, "time") }
    if durations.count > 1 { throw several(durations, "duration") }
    var reading = TableReading(rate: rate)
    reading.isAmount = self[rate.place].rate == nil
    if let place = durations.first, let unit = self[place].duration {
      reading.duration = ReadColumn(place: place, unit: unit ?? TableReading.seconds)
    } else if let place = times.first, let unit = self[place].time {
      let column = ReadColumn(place: place, unit: unit ?? TableReading.seconds)
      if unit == nil { try checkTimes(column, table) }
      reading.time = column
    } else if count > 1 {
      throw .table("no column names the time; expected one such as 'time_s', 'time_ms' or 'date'")
    }
    if reading.isAmount, reading.duration == nil {
      throw .table(
        "'\(self[rate.place].name)' is an amount, and no rate; expected a rate such as 'B/s', or "
          + "a duration beside it such as 'duration_ms'")
    }
    return reading
  }

  private func rateColumn(_ table: TraceTable) throws(ImportError.Problem) -> ReadColumn {
    if let column = first(where: { $0.isAmbiguous }) {
      throw .table(
        "'\(column.name)' may mean bits or bytes; expected a unit such as 'Mbit/s' or 'MB/s'")
    }
    var rates = indices.filter { self[$0].rate != nil }
    if rates.count > 1 { rates.removeAll { self[$0].isUplink } }
    if rates.count > 1 { throw several(rates, "rate") }
    if let place = rates.first, let unit = self[place].rate {
      if let unit { return ReadColumn(place: place, unit: unit) }
      // Values such as "5M" say it themselves.
      let haveUnits = table.rows.allSatisfy { line in
        let fields = table.fields(line)
        guard fields.indices.contains(place) else { return false }
        let value = table.source.bytes[fields[place]]
        return value.elementsEqual("0".utf8) || table.source.withoutSuffix(fields[place]).power > 0
      }
      if haveUnits { return ReadColumn(place: place, unit: TableReading.bits) }
      throw .table(
        "'\(self[place].name)' names no unit; expected one, such as '\(self[place].name)_kbps' or "
          + "'\(self[place].name) (Mbit/s)'")
    }
    let amounts = indices.filter { self[$0].amount != nil }
    if amounts.count > 1 { throw several(amounts, "amount") }
    if let place = amounts.first, let unit = self[place].amount {
      return ReadColumn(place: place, unit: unit)
    }
    let names = map { "'\($0.name)'" }.joined(separator: ", ")
    throw .table("no rate among \(names); expected a unit in the header, such as 'kbit/s'")
  }

  private func several(_ places: [Int], _ meaning: String) -> ImportError.Problem {
    let names = places.map { "'\(self[$0].name)'" }.joined(separator: ", ")
    return .table("several columns may be the \(meaning): \(names); leave one of them")
  }

  /// Seconds since 1970 have ten digits; more of them are milliseconds or less.
  private func checkTimes(_ column: ReadColumn, _ table: TraceTable) throws(ImportError.Problem) {
    guard let line = table.rows.first else { return }
    let fields = table.fields(line)
    guard fields.indices.contains(column.place),
      let value = try? ExactDecimal(json: table.source.bytes[fields[column.place]], .lenient),
      let (time, _) = try? value.ratio(times: 1), time > 100_000_000_000
    else { return }
    let name = self[column.place].name
    throw .table("'\(name)' names no unit, and holds no seconds; expected '\(name)_ms' or its like")
  }
}

extension SourceText {
  /// A field without its letter for thousands, millions or billions, and the letter's power of ten.
  fileprivate func withoutSuffix(_ field: Place) -> (Place, power: Int) {
    if field.isEmpty { return (field, 0) }
    let power: Int
    switch bytes[field.upperBound - 1] {
    case UInt8(ascii: "k"), UInt8(ascii: "K"): power = 3
    case UInt8(ascii: "M"): power = 6
    case UInt8(ascii: "G"): power = 9
    default: return (field, 0)
    }
    return (bytes.trimmed(field.dropLast()), power)
  }

  /// Nanoseconds, from a number or a date.
  fileprivate func time(
    _ field: Place, _ line: Line, times factor: Int64
  ) throws(ImportError) -> Int64 {
    if let time = whole(field, times: factor), time < .max / 2 { return time }
    let bytes = bytes[field]
    if let date = calendarTime(bytes) {
      if date >= 0 { return date }
      throw ImportError(line: line.number, .negative(text(field)))
    }
    let value = try rethrowing(try ExactDecimal(json: bytes, .lenient)) {
      (error: ExactDecimal.Failure) in ImportError(line: line.number, .notATime(text(field)))
    }
    if value.isNegative, value.significand != 0 {
      throw ImportError(line: line.number, .negative(text(field)))
    }
    guard let (numerator, denominator) = try? value.ratio(times: factor),
      let time = Int64(
        exactly: quotient(numerator + denominator / 2, denominator, rounding: .down)),
      time < .max / 2
    else { throw ImportError(line: line.number, .outOfRange(text(field))) }
    return time
  }
}
