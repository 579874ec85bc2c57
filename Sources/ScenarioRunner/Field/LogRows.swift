import ExactText
package import ScenarioFormat
import SimulatedPlayback
import VirtualTime

/// Rows of a log: a JSON array of objects, objects on a line each, or the W3C's extended log format
/// (WD-logfile-960323), whose fields become members. A note tells of those that are left out.
func logRows(
  _ bytes: [UInt8], atMost most: Int = FieldLimits.mostEntries, _ notes: inout [String]
) throws(Diagnostic) -> [JSONValue] {
  let text = bytes.withoutByteOrderMark
  let isJSON = text.first { $0 > 0x20 }.map { [0x5B, 0x7B].contains($0) } ?? false
  let rows = isJSON ? try rows(ofJSON: text) : try extendedRows(text, &notes)
  var seen: Set<ArraySlice<UInt8>> = []
  let own = rows.filter { row in
    let isDated = ["date", "requestStart", "playbackStartDate"].contains { row[$0] != nil }
    return !isDated || seen.insert(row.text).inserted
  }
  notes.add("rows are left out that are there twice", rows.count - own.count)
  if own.count <= most { return own }
  throw Diagnostic("the log has \(own.count) rows", expected: "at most \(most)")
}

private func rows(ofJSON text: [UInt8]) throws(Diagnostic) -> [JSONValue] {
  let lines = text.split(separator: 0x0A).filter { line in line.contains { $0 > 0x20 } }
  let rows = lines.map { try? JSONValue(parsing: $0) }
  var text = text
  if lines.count > 1, rows.allSatisfy({ $0?["events"] == nil && $0?.elements == nil }) {
    guard let odd = rows.firstIndex(where: { $0 == nil }) else { return rows.compactMap { $0 } }
    // A mistake behind an object has the place that it has in its line.
    let above = text[..<lines[odd].startIndex].count { $0 == 0x0A }
    if odd > 0 { text = Array(repeating: 0x0A, count: above) + lines[odd] }
  }
  let value = try rethrowing(try JSONValue(parsing: text)) { (error: JSONError) in
    Diagnostic(error.message, at: error.position, expected: error.expected)
  }
  return (value.elements ?? value["events"]?.elements).map { Array($0) } ?? [value]
}

private func extendedRows(
  _ text: [UInt8], _ notes: inout [String]
) throws(Diagnostic) -> [JSONValue] {
  var (names, rows, odd): ([String], [JSONValue], Int) = ([], [], 0)
  let mark = Array("#Fields:".utf8)
  for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
    if line.first == UInt8(ascii: "#") {
      if line.starts(with: mark) { names = fields(of: line.dropFirst(mark.count)) }
      continue
    }
    let cells = fields(of: line)
    if cells.isEmpty { continue }
    let known = zip(names, cells).filter { !isSameText($1, "-") }
    let object = JSONTree.members(known.map { ($0, .string($1)) })
    if cells.count == names.count, let row = try? JSONValue(parsing: object.text) {
      rows.append(row)
    } else {
      odd += 1
    }
  }
  if names.isEmpty || rows.isEmpty && odd > 0 {
    throw Diagnostic(
      "this is no log", expected: "JSON, or a line of “#Fields:” above lines of as many fields")
  }
  notes.add("rows are left out whose cells do not fit “#Fields”", odd)
  return rows
}

/// Fields between spaces or tabs; in quotes a space belongs to the field, and a quote is doubled.
private func fields(of line: ArraySlice<UInt8>) -> [String] {
  var (fields, field): ([String], [UInt8]) = ([], [])
  var (isQuoted, isOpen) = (false, false)
  for byte in line {
    if byte == UInt8(ascii: "\"") {
      if isOpen, !isQuoted { field.append(byte) }
      isQuoted.toggle()
      isOpen = true
    } else if !isQuoted, byte <= 0x20 {
      if isOpen { fields.append(String(decoding: field, as: UTF8.self)) }
      (field, isOpen) = ([], false)
    } else {
      field.append(byte)
      isOpen = true
    }
  }
  return isOpen ? fields + [String(decoding: field, as: UTF8.self)] : fields
}

extension FieldLog {
  /// Reads the access log of a player item: its extended log data, or its events as JSON under the
  /// names of AVPlayerItemAccessLogEvent.
  package init(accessLog text: [UInt8]) throws(Diagnostic) {
    self.init("access log")
    var told: [(date: Int64?, offset: MediaTime?)] = []
    var (odd, uncounted, empty) = (0, 0, [AccessLogEvent]())
    var rows = try logRows(text, atMost: FieldLimits.mostAccesses, &notes).map { row in
      (date: row.dayAndTime ?? row["playbackStartDate"]?.date, row: row)
    }
    if rows.allSatisfy({ $0.date != nil }) { rows.sort { ($0.date ?? 0) < ($1.date ?? 0) } }
    for (date, row) in rows {
      let entry = AccessLogEvent(row, &odd)
      if date == nil, (row["date"] ?? row["playbackStartDate"])?.isNull == false { odd += 1 }
      let isCounted = (row["c-stalls"] ?? row["numberOfStalls"])?.byteCount != nil
      if isCounted { stallCount = (stallCount ?? 0) + entry.numberOfStalls }
      if entry.numberOfBytesTransferred == 0, entry.durationWatched == .zero {
        empty.append(entry)
        continue
      }
      if !isCounted { uncounted += 1 }
      let offset = row["c-start-time"] ?? row["playbackStartOffset"]
      told.append((date, offset?.mediaSeconds))
      entries.append(entry)
    }
    guard let first = entries.first else {
      throw Diagnostic(
        "the access log has no entry that can be used",
        expected:
          "entries with “bytes” and “c-duration-watched”, or “numberOfBytesTransferred” and "
          + "“durationWatched”")
    }
    if entries.contains(where: { $0.playbackType == .live }) {
      notes.append("the live stream is played as video on demand")
    }
    play = .zero
    began = first.startupTime.map { .zero + $0 }
    if began == nil { notes.append("the log does not tell how long the start took") }
    setDates(told, &odd)
    let unknown = stallCount == nil ? 0 : uncounted
    notes.add("entries without a number of stalls count as none", unknown)
    let stalls = empty.reduce(0) { $0 + $1.numberOfStalls }
    notes.add(
      "entries without bytes and without time watched are left out, with "
        + "\(counted(stalls, "stall")) counted", empty.count)
    notes.add("values that cannot be used count as unknown", odd)
    let lines = text.withoutByteOrderMark.split { $0 == 0x0A || $0 == 0x0D }
    let heads = lines.count { $0.starts(with: "#Version".utf8) }
    if heads > 1 { notes.append("the \(heads) logs in the file are taken as one session") }
  }

  /// Entries begin when they were dated, or where the one before was watched to its end.
  private mutating func setDates(_ told: [(date: Int64?, offset: MediaTime?)], _ odd: inout Int) {
    let unplaced = told.dropFirst().count { $0.offset == nil }
    notes.add("entries without a start offset go on where the one before ended", unplaced)
    let isLive = entries[0].playbackType == .live
    var (start, place) = (began ?? .zero, isLive ? entries[0].playbackStartOffset : .zero)
    for index in entries.indices {
      if told[index].offset == nil { entries[index].playbackStartOffset = place }
      let entry = entries[index]
      if (entry.playbackStartOffset - place).nanoseconds.magnitude > 1_000_000_000 {
        seeks.append((index == 0 ? .zero : start, entry.playbackStartOffset))
      }
      if let date = told[index].date, let first = told[0].date {
        let offset = span(from: first, to: date)
        if offset == nil { odd += 1 }
        start = max(start, (began ?? .zero) + (offset ?? .zero))
      }
      entries[index].playbackStartDate = start
      start = entries[index].end
      place = entry.playbackStartOffset + entry.durationWatched
    }
  }
}

extension AccessLogEvent {
  /// Reads a row, and counts its values that cannot be used; negative ones stand for unknown.
  fileprivate init(_ row: JSONValue, _ odd: inout Int) {
    self.init(uri: "", playbackType: .videoOnDemand)
    // The date, which has no column of its own, is no time of a run.
    for field in Self.fields {
      guard let column = field.column, let cell = row[column] ?? row[field.name], !cell.isNull
      else { continue }
      if let value = cell.value(of: field.kind) {
        field.put(value, into: &self)
      } else if (cell.numberBytes ?? cell.stringBytes)?.first != UInt8(ascii: "-") {
        odd += 1
      }
    }
    let transfer = transferDuration.nanoseconds
    if observedBitrate == nil, transfer > 0 {
      observedBitrate = scaled(
        numberOfBytesTransferred, by: 8_000_000_000, over: transfer, rounding: .down)
    }
  }
}

extension JSONValue {
  /// A value of a kind in apps and logs: numbers may be texts or fractions; negative means unknown.
  fileprivate func value(of kind: PropertyKind) -> PropertyValue? {
    switch kind.withoutNull {
    case .word(let words): string.flatMap { words.contains($0) ? .text($0) : nil }
    case .text: string.map { .text($0) }
    case .count, .whole, .bytes, .bitRate:
      amount(places: 0, atMost: ScenarioLimits.mostBytes).map { .count($0) }
    case .time, .difference: mediaSeconds.map { .time($0.nanoseconds) }
    case .boolean, .rate, .share, .ranges, .entries, .nullable: nil
    }
  }
}
