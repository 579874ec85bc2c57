package import ExactText

/// A row of a key table: a key, how its value is written, and where the value goes.
package struct Key<Part>: Sendable {
  var shape: KeyShape
  /// Reads the value into the part; false where a mistake was reported.
  let read: @Sendable (DocumentNode, inout Part) -> Bool
}

extension Key {
  private init<Value>(
    _ presence: KeyPresence, _ name: String, _ form: Form<Value>, _ absent: JSONTree?,
    _ scope: Scope?, _ rival: String?, _ about: String,
    _ set: @escaping @Sendable (inout Part, Value) -> Void
  ) {
    let decode = form.read
    shape = KeyShape(
      name: name, shape: form.shape, presence: presence, absent: absent, about: about,
      rivals: rival.map { [$0] } ?? [], scope: scope)
    read = { node, part in
      guard let value = decode(node) else { return false }
      set(&part, value)
      return true
    }
  }

  /// A key that may be left out; then the part stays as it is, which is what `absent` says.
  package static func optional<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void, _ form: Form<Value>,
    absent: JSONTree? = nil, only scope: Scope? = nil, notBeside rival: String? = nil,
    _ about: String
  ) -> Key {
    Key(.optional, name, form, absent, scope, rival, about, set)
  }

  package static func required<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void, _ form: Form<Value>,
    _ about: String
  ) -> Key {
    Key(.required, name, form, nil, nil, nil, about, set)
  }

  /// One of several keys of which exactly one has to be there.
  package static func oneOf<Value>(
    _ name: String, _ set: @escaping @Sendable (inout Part, Value) -> Void, _ form: Form<Value>,
    only scope: Scope? = nil, notBeside rival: String? = nil, _ about: String
  ) -> Key {
    Key(.oneOf, name, form, nil, scope, rival, about, set)
  }

  /// A key that is read by what the part knows already; `takes` puts the value into the part.
  static func read(
    _ name: String, _ presence: KeyPresence = .optional, as shape: Shape,
    _ about: String, read: @escaping @Sendable (DocumentNode, inout Part) -> Bool
  ) -> Key {
    Key(shape: KeyShape(name: name, shape: shape, presence: presence, about: about), read: read)
  }

  /// The same key, which only stands beside another; what to say where that is missing.
  package func beside(_ companion: String, _ message: String? = nil, expected hint: String) -> Key {
    let message = message ?? "stands beside \(quotation(of: companion)) only"
    return changed(needing(companion)) { $0.shape.alone = (message, hint) }
  }

  /// The same key, which makes another one necessary.
  package func needing(_ companion: String) -> Key {
    changed(self) { $0.shape.companion = companion }
  }

  package func notBeside(_ rival: String) -> Key { changed(self) { $0.shape.rivals.append(rival) } }

  func only(_ scope: Scope) -> Key { changed(self) { $0.shape.scope = scope } }

  /// The same key for what holds such a part.
  func within<Whole>(
    _ reach: @escaping @Sendable (inout Whole, (inout Part) -> Bool) -> Bool
  ) -> Key<Whole> {
    let read = read
    return Key<Whole>(shape: shape) { node, whole in reach(&whole) { read(node, &$0) } }
  }
}

func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

// Perf: in a single block of all rows each row would be an array of its own, in an array of arrays;
// the metadata of both take 12,000 instructions for each table, with which every process begins.
@resultBuilder
package enum KeyRows<Part> {
  package static func buildExpression(_ key: Key<Part>) -> Key<Part> { key }
  package static func buildExpression(_ keys: [Key<Part>]) -> [Key<Part>] { keys }
  package static func buildPartialBlock(first: Key<Part>) -> [Key<Part>] {
    buildPartialBlock(accumulated: [], next: first)
  }
  package static func buildPartialBlock(first: [Key<Part>]) -> [Key<Part>] { first }
  @inline(__always)
  package static func buildPartialBlock(
    accumulated: consuming [Key<Part>], next: Key<Part>
  ) -> [Key<Part>] {
    accumulated.append(next)
    return accumulated
  }
  @inline(__always)
  package static func buildPartialBlock(
    accumulated: consuming [Key<Part>], next: [Key<Part>]
  ) -> [Key<Part>] {
    accumulated += next
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

extension Array {
  func within<Part, Whole>(
    _ reach: @escaping @Sendable (inout Whole, (inout Part) -> Bool) -> Bool
  ) -> [Key<Whole>] where Element == Key<Part> {
    map { $0.within(reach) }
  }
}
