import ExactText
import PlayerPolicies
import ScenarioFormat
import SimulatedPlayback
import VirtualTime

// The books and the logs of a player at the end of a run, as the last line of its trace has them
// beside the figures: `report` reads them back by the same description.

/// The books of a player beside its figures.
struct ClosedBooks {
  var summary: PlayerSummary
  var itemLogs: [ItemLogs] = []
  /// The place of the current item's logs among them.
  var currentLogs: Int64?

  /// As the summary line has them.
  var document: JSONTree { FieldPass.written(self, Self.members) }

  /// Members of the summary line that are no figures.
  static func members(_ pass: inout FieldPass, _ books: inout ClosedBooks) {
    pass.member("askedSeconds", &books.summary.books.firstRequest)
    pass.list("startupSpans", &books.summary.books.startupSpans, .zero..<Instant.zero) {
      pass, span in
      var (start, end) = (span.lowerBound, span.upperBound)
      pass.member("start", &start)
      pass.member("end", &end)
      span = start..<max(start, end)
    }
    pass.member("startupSeconds", &books.summary.books.startup)
    let stall = PlayerBooks.Stall(start: .zero, place: .zero, clause: .dry)
    pass.list("stalls", &books.summary.books.stalls, stall) { $1.members(&$0) }
    pass.member("pausedToStartSeconds", &books.summary.books.pausedFor.startup)
    pass.member("pausedStalledSeconds", &books.summary.books.pausedFor.stalled)
    pass.member("pausedSeekingSeconds", &books.summary.books.pausedFor.seeking)
    pass.member("bytesWasted", &books.summary.bytesWasted)
    pass.member("currentItem", &books.currentLogs)
    pass.list("items", &books.itemLogs, ItemLogs()) { $1.members(&$0) }
  }
}

extension PlayerBooks.Stall {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("startSeconds", &start)
    pass.member("endSeconds", &end)
    pass.member("stalledSeconds", &length)
    pass.member("mediaSeconds", &place)
    pass.member("clause", &clause)
  }
}

extension ItemLogs {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("item", &item)
    pass.member("startupDelaySeconds", &startup)
    pass.member("media", &playedMedia)
    pass.part("accessLog", &logs.accessLog, AccessLog(events: [])) { pass, log in
      pass.list("events", &log.events, AccessLogEvent(uri: "", playbackType: .file)) {
        $0.fields(AccessLogEvent.fields, &$1)
      }
    }
    pass.part("errorLog", &logs.errorLog, ErrorLog(events: [])) { pass, log in
      let blank = ErrorLogEvent(date: .zero, uri: "", statusCode: 0, domain: "", comment: "")
      pass.list("events", &log.events, blank) { $0.fields(ErrorLogEvent.fields, &$1) }
    }
    logs.indicators.members(&pass)
    if pass.source != nil { logs.indicators.sumUp(logs.accessLog) }
  }
}

extension PlaybackIndicators {
  fileprivate mutating func members(_ pass: inout FieldPass) {
    pass.member("stallDuration", &stallDuration)
    pass.member("hasFailed", &hasFailed)
    pass.member("averageBitrate", &averageBitrate)
    pass.list("playedVariants", &playedVariants, .none) { pass, variant in
      pass.member("bitrate", &variant.bitRate)
      pass.member("nominal", &variant.nominal)
      pass.member("media", &variant.media)
    }
    pass.list("shownVariants", &shownVariants, .none) { pass, variant in
      pass.member("start", &variant.start)
      pass.member("variant", &variant.variant)
    }
  }
}

/// Goes over the members of an object, and writes or reads them: one description serves both.
///
/// A number of zero, false, an empty text and an empty list are left out.
struct FieldPass {
  /// The members of a pass that writes; empty in one that reads.
  private var written: [(key: String, value: JSONTree)] = []
  /// The members of a pass that reads; nil in one that writes.
  let source: JSONValue?

  static func read<Value>(
    _ source: JSONValue?, into value: Value, _ members: (inout FieldPass, inout Value) -> Void
  ) -> Value {
    guard let source else { return value }
    var (pass, value) = (FieldPass(source: source), value)
    members(&pass, &value)
    return value
  }

  static func written<Value>(
    _ value: Value, _ members: (inout FieldPass, inout Value) -> Void
  ) -> JSONTree {
    var (pass, value) = (FieldPass(source: nil), value)
    members(&pass, &value)
    return .object(pass.written)
  }

  /// A member; a value that the object lacks stays what it is.
  mutating func member<Value: StoredValue>(_ name: String, _ value: inout Value) {
    if let source {
      let read = source[name].flatMap { PropertyValue($0, of: Value.kind) }.flatMap { Value($0) }
      return value = read ?? value
    }
    write(name, value.asProperty, Value.kind)
  }

  // Its own code: as a generic value, an optional that two threads meet at once may lack its size.
  mutating func member<Value: StoredValue>(_ name: String, _ value: inout Value?) {
    let kind = PropertyKind.nullable(Value.kind)
    guard let source else { return write(name, value?.asProperty ?? .null, kind) }
    guard let read = source[name].flatMap({ PropertyValue($0, of: kind) }) else { return }
    value = Value(read)
  }

  private mutating func write(_ name: String, _ value: PropertyValue, _ kind: PropertyKind) {
    if value.isBlank(as: kind) { return }
    written.append((name, value.tree))
  }

  mutating func fields<Entry>(_ rows: [LogField<Entry>], _ entry: inout Entry) {
    for row in rows {
      if let source {
        if let member = source[row.name] { row.read(member, into: &entry) }
      } else {
        write(row.name, row.value(of: entry), row.kind)
      }
    }
  }

  mutating func list<Element>(
    _ name: String, _ values: inout [Element], _ blank: Element,
    _ members: (inout FieldPass, inout Element) -> Void
  ) {
    if let source {
      return values = source[name]?.elements?.map { Self.read($0, into: blank, members) } ?? []
    }
    if values.isEmpty { return }
    written.append((name, .array(values.map { FieldPass.written($0, members) })))
  }

  /// An object of its own; nil where there is none.
  mutating func part<Part>(
    _ name: String, _ value: inout Part?, _ blank: Part,
    _ members: (inout FieldPass, inout Part) -> Void
  ) {
    if let source {
      return value = source[name].map { Self.read($0, into: blank, members) }
    }
    if let part = value { written.append((name, FieldPass.written(part, members))) }
  }
}
