import ExactText
package import ScenarioFormat
import SimulatedPlayback
import VirtualTime

/// Rows of a log: a JSON array of objects, objects on a line each, or the W3C's extended log format
/// (WD-logfile-960323), whose fields become members.
func logRows(
  _ bytes: [UInt8], atMost most: Int = FieldLimits.mostEntries
) throws(Diagnostic) -> [JSONValue] {
  let text = bytes.withoutByteOrderMark
  guard let first = text.first(where: { $0 > 0x20 }), [0x5B, 0x7B].contains(first) else {
    return try limited(try extendedRows(text), most)
  }
  let lines = text.split(separator: 0x0A).filter { line in line.contains { $0 > 0x20 } }
  let rows = lines.compactMap { try? JSONValue(parsing: $0) }
  if lines.count > 1, rows.count == lines.count,
    rows.allSatisfy({ $0["events"] == nil && $0.elements == nil })
  {
    return try limited(rows, most)
  }
  let value = try rethrowing(try JSONValue(parsing: text)) { (error: JSONError) in
    Diagnostic(error.message, at: error.position, expected: error.expected)
  }
  let elements = value.elements ?? value["events"]?.elements
  return try limited(elements.map { Array($0) } ?? [value], most)
}

private func limited(_ rows: [JSONValue], _ most: Int) throws(Diagnostic) -> [JSONValue] {
  if rows.count <= most { return rows }
  throw Diagnostic("the log has \(rows.count) rows", expected: "at most \(most)")
}

private func extendedRows(_ text: [UInt8]) throws(Diagnostic) -> [JSONValue] {
  var (names, rows): ([String], [JSONValue]) = ([], [])
  let mark = Array("#Fields:".utf8)
  for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
    if line.first == UInt8(ascii: "#") {
      if line.starts(with: mark) { names = fields(of: line.dropFirst(mark.count)) }
      continue
    }
    let cells = zip(names, fields(of: line)).filter { !isSameText($1, "-") }
    var writer = JSONWriter()
    writer.tree(.members(cells.map { ($0, .string($1)) }))
    // A column that is there twice makes no row.
    if !cells.isEmpty, let row = try? JSONValue(parsing: writer.bytes) { rows.append(row) }
  }
  if names.isEmpty {
    throw Diagnostic(
      "this is no log", expected: "JSON, or a line of “#Fields:” above lines of as many fields")
  }
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
    var (told, counted): ([(date: Int64?, offset: MediaTime?)], Int) = ([], 0)
    for row in try logRows(text, atMost: FieldLimits.mostAccesses) {
      var entry = AccessLogEvent(uri: "", playbackType: .videoOnDemand)
      for field in AccessLogEvent.fields {
        let cell = field.column.flatMap { row[$0] } ?? row[field.name]
        if let value = cell?.value(of: field.kind) { field.put(value, into: &entry) }
      }
      let transfer = entry.transferDuration.nanoseconds
      if entry.observedBitrate == nil, transfer > 0 {
        entry.observedBitrate = scaled(
          entry.numberOfBytesTransferred, by: 8_000_000_000, over: transfer, rounding: .down)
      }
      if entry.numberOfBytesTransferred == 0, entry.durationWatched == .zero { continue }
      if let stalls = row["c-stalls"] ?? row["numberOfStalls"], stalls.byteCount != nil {
        stallCount = (stallCount ?? 0) + entry.numberOfStalls
        counted += 1
      }
      let offset = row["c-start-time"] ?? row["playbackStartOffset"]
      told.append((row.dayAndTime ?? row["playbackStartDate"]?.date, offset?.mediaSeconds))
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
    setDates(told)
    if 1..<entries.count ~= counted {
      notes.append("entries without a number of stalls count as none: \(entries.count - counted)")
    }
  }

  /// Entries begin when they were dated, or where the one before was watched to its end.
  private mutating func setDates(_ told: [(date: Int64?, offset: MediaTime?)]) {
    let unplaced = told.dropFirst().count { $0.offset == nil }
    if unplaced > 0 {
      notes.append(
        "entries without a start offset go on where the one before ended: \(unplaced)")
    }
    var (start, place) = (began ?? .zero, entries[0].playbackStartOffset)
    for index in entries.indices {
      if told[index].offset == nil { entries[index].playbackStartOffset = place }
      let entry = entries[index]
      if (entry.playbackStartOffset - place).nanoseconds.magnitude > 1_000_000_000 {
        seeks.append((start, entry.playbackStartOffset))
      }
      if let date = told[index].date, let first = told[0].date,
        let offset = span(from: first, to: date)
      {
        start = max(start, (began ?? .zero) + offset)
      }
      entries[index].playbackStartDate = start
      start = entries[index].end
      place = entry.playbackStartOffset + entry.durationWatched
    }
  }
}

extension JSONValue {
  /// A value of a kind as apps and logs have it: numbers may be texts and have a fraction, and
  /// negative ones stand for what is not known.
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
