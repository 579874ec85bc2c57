package import ExactText

/// A row of a key table: a key, how its value is written, and where the value goes.
package struct Key<Part>: Sendable {
  let row: KeyRow
}

/// A row as a table keeps it, whose parts are behind pointers that `Key` alone makes and takes.
///
/// Perf: with a type of its own for each part, arrays of rows would have as many types, and the
/// metadata of one takes 9,000 instructions, with which every process begins.
final class KeyRow: Sendable {
  let shape: KeyShape
  /// Reads the value into the part; false where a mistake was reported.
  let read: @Sendable (DocumentNode, UnsafeMutableRawPointer) -> Bool

  init(
    _ shape: KeyShape, _ read: @escaping @Sendable (DocumentNode, UnsafeMutableRawPointer) -> Bool
  ) {
    (self.shape, self.read) = (shape, read)
  }
}

extension Key {
  /// The form is made when a document first has the key, or when somebody asks how it is written:
  /// every process makes the tables of a scenario, and no scenario has all keys.
  private init<Value>(
    _ presence: KeyPresence, _ name: String, _ form: @escaping @Sendable () -> Form<Value>,
    _ absent: JSONTree?, _ scope: Scope?, _ rival: String?, _ about: String,
    _ set: @escaping @Sendable (inout Part, Value) -> Void
  ) {
    let shape = KeyShape(
      name: name, makeShape: { form().shape }, presence: presence, absent: absent, about: about,
      rivals: rival.map { [$0] } ?? [], scope: scope)
    self = Key.read(shape) { node, part in
      guard let value = form().read(node) else { return false }
      set(&part, value)
      return true
    }
  }

  /// A key that may be left out; then the part stays as it is, which is what `absent` says.
  package static func optional<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void,
    _ form: @escaping @Sendable @autoclosure () -> Form<Value>,
    absent: JSONTree? = nil, only scope: Scope? = nil, notBeside rival: String? = nil,
    _ about: String
  ) -> Key {
    Key(.optional, name, form, absent, scope, rival, about, set)
  }

  package static func required<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void,
    _ form: @escaping @Sendable @autoclosure () -> Form<Value>, _ about: String
  ) -> Key {
    Key(.required, name, form, nil, nil, nil, about, set)
  }

  /// One of several keys of which exactly one has to be there.
  package static func oneOf<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void,
    _ form: @escaping @Sendable @autoclosure () -> Form<Value>,
    only scope: Scope? = nil, notBeside rival: String? = nil, _ about: String
  ) -> Key {
    Key(.oneOf, name, form, nil, scope, rival, about, set)
  }

  /// A key that is read by what the part knows already; `takes` puts the value into the part.
  static func read(
    _ name: String, _ presence: KeyPresence = .optional,
    as shape: @escaping @Sendable @autoclosure () -> Shape, _ about: String,
    read: @escaping @Sendable (DocumentNode, inout Part) -> Bool
  ) -> Key {
    Self.read(KeyShape(name: name, makeShape: shape, presence: presence, about: about), read)
  }

  static func read(
    _ shape: consuming KeyShape, _ read: @escaping @Sendable (DocumentNode, inout Part) -> Bool
  ) -> Key {
    Key(row: KeyRow(shape) { read($0, &$1.assumingMemoryBound(to: Part.self).pointee) })
  }

  /// The same key, which only stands beside another; what to say where that is missing.
  package func beside(_ companion: String, _ message: String? = nil, expected hint: String) -> Key {
    let message = message ?? "stands beside \(quotation(of: companion)) only"
    return with { $0.stand(beside: companion, message, expected: hint) }
  }

  /// The same key, which makes another one necessary.
  package func needing(_ companion: String) -> Key { with { $0.companion = companion } }

  package func notBeside(_ rival: String) -> Key { with { $0.rivals.append(rival) } }

  func only(_ scope: Scope) -> Key { with { $0.scope = scope } }

  private func with(_ change: (inout KeyShape) -> Void) -> Key {
    Key(row: KeyRow(changed(row.shape, change), row.read))
  }

  /// The same key for what holds such a part.
  func within<Whole>(
    _ reach: @escaping @Sendable (inout Whole, (inout Part) -> Bool) -> Bool
  ) -> Key<Whole> {
    let read = row.read
    return Key<Whole>.read(row.shape) { node, whole in
      reach(&whole) { part in withUnsafeMutablePointer(to: &part) { read(node, $0) } }
    }
  }
}

func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

/// Rows of a table, in their order.
@resultBuilder
package struct KeyRows<Part> {
  var rows: [KeyRow] = []

  func within<Whole>(
    _ reach: @escaping @Sendable (inout Whole, (inout Part) -> Bool) -> Bool
  ) -> KeyRows<Whole> {
    KeyRows<Whole>(rows: rows.map { Key<Part>(row: $0).within(reach).row })
  }
}

// Perf: in a single block of all rows each row would be an array of its own.
extension KeyRows {
  package static func buildExpression(_ key: Key<Part>) -> Key<Part> { key }
  package static func buildExpression(_ keys: KeyRows) -> KeyRows { keys }
  package static func buildExpression(_ keys: [Key<Part>]) -> KeyRows {
    KeyRows(rows: keys.map { $0.row })
  }
  package static func buildPartialBlock(first: Key<Part>) -> KeyRows {
    KeyRows(rows: [first.row])
  }
  package static func buildPartialBlock(first: KeyRows) -> KeyRows { first }
  package static func buildPartialBlock(
    accumulated: consuming KeyRows, next: Key<Part>
  ) -> KeyRows {
    accumulated.rows.append(next.row)
    return accumulated
  }
  package static func buildPartialBlock(
    accumulated: consuming KeyRows, next: KeyRows
  ) -> KeyRows {
    accumulated.rows += next.rows
    return accumulated
  }
}

extension Optional {
  /// Stores what was read; false where that is nothing, because a mistake was reported.
  mutating func takes(_ value: Wrapped?) -> Bool {
    self = value
    return value != nil
  }
}
