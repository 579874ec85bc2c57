import ExactText
import VirtualTime

/// Goes over the members of an object, and writes or reads them: one description serves both.
///
/// A number of zero, an empty text and an empty list are left out.
struct FieldPass {
  /// The text of a pass that writes; empty in one that reads.
  private(set) var writer = JSONWriter()
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
  ) -> JSONWriter {
    var (pass, value) = (FieldPass(nil), value)
    pass.writer.beginObject()
    members(&pass, &value)
    pass.writer.endObject()
    return pass.writer
  }

  var reads: Bool { source != nil }

  mutating func count(_ name: String, _ value: inout Int64) {
    var known: Int64? = value == 0 ? nil : value
    count(name, &known)
    value = known ?? 0
  }

  mutating func count(_ name: String, _ value: inout Int64?) {
    if let source { return value = source[name]?.units(places: 0) }
    guard let value else { return }
    writer.key(name)
    writer.integer(value)
  }

  private mutating func seconds(_ name: String, _ nanoseconds: Int64?) -> Int64? {
    if let source { return source[name]?.units(places: 9) }
    if let nanoseconds {
      writer.key(name)
      writer.seconds(nanoseconds)
    }
    return nanoseconds
  }

  mutating func time(_ name: String, _ value: inout TimeSpan) {
    let read = seconds(name, value == .zero ? nil : value.nanoseconds)
    value = TimeSpan(nanoseconds: read ?? 0)
  }

  mutating func time(_ name: String, _ value: inout TimeSpan?) {
    value = seconds(name, value?.nanoseconds).map { TimeSpan(nanoseconds: $0) }
  }

  mutating func time(_ name: String, _ value: inout MediaTime) {
    let read = seconds(name, value == .zero ? nil : value.nanoseconds)
    value = MediaTime(nanoseconds: read ?? 0)
  }

  mutating func time(_ name: String, _ value: inout MediaTime?) {
    value = seconds(name, value?.nanoseconds).map { MediaTime(nanoseconds: $0) }
  }

  mutating func time(_ name: String, _ value: inout Instant) {
    let read = seconds(name, value == .zero ? nil : value.nanoseconds)
    value = Instant(nanoseconds: read ?? 0)
  }

  mutating func time(_ name: String, _ value: inout Instant?) {
    value = seconds(name, value?.nanoseconds).map { Instant(nanoseconds: $0) }
  }

  mutating func text(_ name: String, _ value: inout String) {
    var known: String? = value.isEmpty ? nil : value
    text(name, &known)
    value = known ?? ""
  }

  mutating func text(_ name: String, _ value: inout String?) {
    if let source { return value = source[name].flatMap { $0.string } }
    guard let value else { return }
    writer.key(name)
    writer.string(value)
  }

  mutating func flag(_ name: String, _ value: inout Bool) {
    if let source { return value = source[name]?.flag ?? false }
    if !value { return }
    writer.key(name)
    writer.boolean(true)
  }

  /// A word of an enumeration; the value stays what it is where the word is unknown.
  mutating func word<Word: RawRepresentable<String>>(_ name: String, _ value: inout Word) {
    var word = value.rawValue
    text(name, &word)
    value = Word(rawValue: word) ?? value
  }

  /// - Parameter blank: What an element is read into.
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
    writer.key(name)
    writer.beginArray()
    for var value in values {
      writer.beginObject()
      members(&self, &value)
      writer.endObject()
    }
    writer.endArray()
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
    guard var part = value else { return }
    writer.key(name)
    writer.beginObject()
    members(&self, &part)
    writer.endObject()
  }
}

extension JSONValue {
  var string: String? { if case .string(let text) = content { text } else { nil } }

  var flag: Bool? { if case .boolean(let flag) = content { flag } else { nil } }

  /// A plain decimal in units of 10⁻ᵖˡᵃᶜᵉˢ; nil for anything else.
  func units(places: Int) -> Int64? {
    guard let bytes = numberBytes else { return nil }
    var (units, decimals): (Int64, Int?) = (0, nil)
    for byte in bytes.drop(while: { $0 == UInt8(ascii: "-") }) {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
      } else if UInt8(ascii: "0") <= byte, byte <= UInt8(ascii: "9"),
        decimals.map({ $0 < places }) ?? true
      {
        let (tens, overflows) = units.multipliedReportingOverflow(by: 10)
        if overflows { return nil }
        units = tens &+ Int64(byte - UInt8(ascii: "0"))
        decimals = decimals.map { $0 + 1 }
      } else {
        return nil
      }
    }
    for _ in (decimals ?? 0)..<places {
      let (tens, overflows) = units.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      units = tens
    }
    return bytes.first == UInt8(ascii: "-") ? -units : units
  }
}
