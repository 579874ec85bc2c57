import ExactText
import ScenarioFormat
import VirtualTime

/// Goes over the members of an object, and writes or reads them: one description serves both.
///
/// A number of zero, false, an empty text and an empty list are left out.
struct FieldPass {
  /// The members of a pass that writes; empty in one that reads.
  private var written: [(key: String, value: JSONTree)] = []
  /// The members of a pass that reads; nil in one that writes.
  private let source: JSONValue?

  private init(_ source: JSONValue?) {
    self.source = source
  }

  /// Reads the members of an object into a value.
  static func read<Value>(
    _ source: JSONValue?, into value: inout Value, _ members: (inout FieldPass, inout Value) -> Void
  ) {
    guard let source else { return }
    var pass = FieldPass(source)
    members(&pass, &value)
  }

  /// The object with the members of a value.
  static func written<Value>(
    _ value: Value, _ members: (inout FieldPass, inout Value) -> Void
  ) -> JSONTree {
    var (pass, value) = (FieldPass(nil), value)
    members(&pass, &value)
    return .object(pass.written)
  }

  var reads: Bool { source != nil }

  /// A member; a value that the object lacks stays what it is.
  mutating func member<Value: StoredValue>(_ name: String, _ value: inout Value) {
    if let source {
      let read = source[name].flatMap { PropertyValue($0, of: Value.kind) }.flatMap { Value($0) }
      return value = read ?? value
    }
    write(name, value.asProperty, Value.kind)
  }

  private mutating func write(_ name: String, _ value: PropertyValue, _ kind: PropertyKind) {
    if value.isBlank(as: kind) { return }
    written.append((name, value.tree))
  }

  /// The fields of a log's entry, each by its row.
  mutating func fields<Entry>(_ rows: [LogField<Entry>], _ entry: inout Entry) {
    for row in rows {
      if let source {
        if let member = source[row.name] { row.read(member, into: &entry) }
      } else {
        write(row.name, row.value(of: entry), row.kind)
      }
    }
  }

  /// - Parameter blank: Empty element, to be filled.
  mutating func list<Element>(
    _ name: String, _ values: inout [Element], _ blank: Element,
    _ members: (inout FieldPass, inout Element) -> Void
  ) {
    if let source {
      var read: [Element] = []
      if let elements = source[name]?.elements {
        for element in elements {
          var value = blank
          FieldPass.read(element, into: &value, members)
          read.append(value)
        }
      }
      return values = read
    }
    if values.isEmpty { return }
    written.append((name, .list(values) { FieldPass.written($0, members) }))
  }

  /// An object of its own; nil where there is none.
  mutating func part<Part>(
    _ name: String, _ value: inout Part?, _ blank: Part,
    _ members: (inout FieldPass, inout Part) -> Void
  ) {
    if let source {
      value = nil
      guard let part = source[name] else { return }
      var read = blank
      FieldPass.read(part, into: &read, members)
      return value = read
    }
    if let part = value { written.append((name, FieldPass.written(part, members))) }
  }
}
