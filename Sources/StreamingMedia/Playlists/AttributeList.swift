import VirtualTime

/// One `NAME=value` of a tag.
struct Attribute {
  var name: String
  var text: ArraySlice<UInt8>
  var isQuoted: Bool
  /// Whether the tag's definition asked for it; what nobody asked for is not known here.
  var isTaken = false

  var string: String { String(decoding: text, as: UTF8.self) }
}

/// The attributes of one tag, read one by one by the definition of the tag.
///
/// It collects what is wrong with them, so that a definition reads as a list of attributes.
struct AttributeList {
  let line: PlaylistLine
  private(set) var attributes: [Attribute] = []
  private(set) var faults: [PlaylistFault.Problem] = []
  private(set) var remarks: [PlaylistRemark.Problem] = []
  /// Whether a value that forward compatibility asks to skip makes the whole tag void.
  private(set) var isVoid = false
  private var isWhole = true

  init(_ line: PlaylistLine, state: inout PlaylistState) {
    self.line = line
    parse(line.text, state: &state)
    isWhole = faults.isEmpty
  }

  mutating func fault(_ problem: PlaylistFault.Problem) { faults.append(problem) }

  mutating func remark(_ problem: PlaylistRemark.Problem) { remarks.append(problem) }

  // §4.2: an attribute-list is a comma-separated list of attribute/value pairs with no whitespace.
  private mutating func parse(_ text: ArraySlice<UInt8>, state: inout PlaylistState) {
    var rest = text
    while !rest.isEmpty {
      if attributes.count == state.limits.attributes {
        return fault(.tooMany("attributes", limit: Int64(state.limits.attributes)))
      }
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
        if trimmed(rest).isEmpty { return remark(.whitespace) }
        return fault(.malformedAttributes("an attribute has no ="))
      }
      let name = trimmed(rest[..<equals])
      if name.startIndex != rest.startIndex || name.endIndex != equals { remark(.whitespace) }
      guard !name.isEmpty,
        name.allSatisfy({ 0x41...0x5A ~= $0 || $0 == 0x2D || decimalDigit($0) != nil })
      else {
        return fault(.malformedAttributes("the name of an attribute is A to Z, 0 to 9 and -"))
      }
      guard let (text, isQuoted) = value(in: &rest, after: equals) else { return }
      let attribute = Attribute(
        name: String(decoding: name, as: UTF8.self), text: text, isQuoted: isQuoted)
      add(attribute, state: &state)
    }
  }

  /// The value after `=`; moves past the comma that ends it.
  private mutating func value(
    in rest: inout ArraySlice<UInt8>, after equals: Int
  ) -> (text: ArraySlice<UInt8>, isQuoted: Bool)? {
    let text = trimmed(rest[equals...].dropFirst())
    guard text.first == UInt8(ascii: "\"") else {
      let comma = text.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
      rest = text[comma...].dropFirst()
      return (trimmed(text[..<comma]), false)
    }
    let inside = text.dropFirst()
    guard let close = inside.firstIndex(of: UInt8(ascii: "\"")) else {
      fault(.malformedAttributes("a quoted string is not closed"))
      return nil
    }
    let beyond = trimmed(inside[close...].dropFirst())
    guard beyond.isEmpty || beyond.first == UInt8(ascii: ",") else {
      fault(.malformedAttributes("a comma is missing after a quoted string"))
      return nil
    }
    rest = beyond.dropFirst()
    return (inside[..<close], true)
  }

  private mutating func add(_ attribute: Attribute, state: inout PlaylistState) {
    // §4.2: "A given AttributeName MUST NOT appear more than once in a given attribute-list.
    // Clients SHOULD refuse to parse such Playlists."
    if attributes.contains(where: { $0.name == attribute.name }) {
      return fault(.repeatedAttribute(attribute.name))
    }
    var attribute = attribute
    // §4.3: variables are replaced in quoted strings and hexadecimal sequences. No other value may
    // hold a brace, so that one rule serves for all.
    do {
      attribute.text = try state.substituted(attribute.text)
    } catch {
      fault(error)
    }
    attributes.append(attribute)
  }

  private mutating func take(_ name: String, _ need: Need) -> Attribute? {
    guard let index = attributes.firstIndex(where: { $0.name == name }) else {
      // A list that could not be read to its end may well have had it.
      if need == .required, isWhole { fault(.missingAttribute(name)) }
      return nil
    }
    attributes[index].isTaken = true
    return attributes[index]
  }

  private mutating func reject<Value>(_ name: String, expected: String, _ need: Need) -> Value? {
    switch need {
    case .required: fault(.malformedAttribute(name, expected: expected))
    case .optional: remark(.malformedAttribute(name, expected: expected))
    }
    return nil
  }

  mutating func quoted(_ name: String, _ need: Need = .optional) -> String? {
    guard let attribute = take(name, need) else { return nil }
    return attribute.isQuoted
      ? attribute.string : reject(name, expected: "a quoted string", need)
  }

  mutating func integer(_ name: String, _ need: Need = .optional) -> Int64? {
    number(name, need, expected: "a decimal integer", read: decimalInteger)
  }

  /// A decimal number as an integer of its smallest unit.
  mutating func decimal(
    _ name: String, places: Int, allowsSign: Bool = false, _ need: Need = .optional
  ) -> Int64? {
    let read = number(name, need, expected: "a decimal number") { text throws(DecimalFault) in
      try scaledDecimal(text, places: places, allowsSign: allowsSign)
    }
    if read?.isRounded == true, places == 9 { remark(.finerThanNanosecond) }
    return read?.value
  }

  private mutating func number<Value>(
    _ name: String, _ need: Need, isQuoted: Bool = false, expected: String,
    read: (ArraySlice<UInt8>) throws(DecimalFault) -> Value
  ) -> Value? {
    guard let attribute = take(name, need) else { return nil }
    do {
      if attribute.isQuoted == isQuoted { return try read(attribute.text) }
    } catch {
      if error == .outOfRange {
        fault(.attributeOutOfRange(name))
        return nil
      }
    }
    return reject(name, expected: expected, need)
  }

  /// An enumerated string; a value that is not known makes the tag void.
  mutating func enumerated<Value: RawRepresentable>(
    _ name: String, as type: Value.Type, _ need: Need = .optional
  ) -> Value? where Value.RawValue == String {
    guard let attribute = take(name, need) else { return nil }
    if attribute.isQuoted || attribute.text.isEmpty {
      return reject(name, expected: "an enumerated string", need)
    }
    if let value = Value(rawValue: attribute.string) { return value }
    // §6.3.1: clients MUST "ignore any tag containing an attribute/value pair of type
    // enumerated-string whose AttributeName is recognized but whose AttributeValue is not".
    remark(.unrecognisedValue(attribute: name, value: attribute.string))
    isVoid = true
    return nil
  }

  /// YES or NO; NO where it is absent.
  mutating func flag(_ name: String) -> Bool { enumerated(name, as: YesOrNo.self) == .yes }

  /// A quoted string, or the unquoted word NONE, which gives nil.
  mutating func quotedOrNone(_ name: String) -> String? {
    if attributes.contains(where: { $0.name == name && !$0.isQuoted && $0.string == "NONE" }) {
      _ = take(name, .optional)
      return nil
    }
    return quoted(name)
  }

  mutating func resolution(_ name: String) -> PixelSize? {
    guard let attribute = take(name, .optional) else { return nil }
    if !attribute.isQuoted, let size = PixelSize(attribute.text) { return size }
    return reject(name, expected: "a width and a height joined by x", .optional)
  }

  mutating func hexadecimal(_ name: String) -> String? {
    guard let attribute = take(name, .optional) else { return nil }
    let isPrefixed =
      attribute.text.starts(with: "0x".utf8) || attribute.text.starts(with: "0X".utf8)
    let digits = attribute.text.dropFirst(2)
    let isHexadecimal = digits.allSatisfy { hexadecimalDigit($0) != nil }
    if !attribute.isQuoted, isPrefixed, !digits.isEmpty, isHexadecimal {
      return attribute.string
    }
    return reject(name, expected: "a hexadecimal sequence", .optional)
  }

  mutating func byteRange(_ name: String, _ need: Need = .optional) -> ByteRangeText? {
    number(
      name, need, isQuoted: true, expected: "a quoted byte range n or n@o", read: ByteRangeText.init
    )
  }

  /// Attributes that §4.4.5.1 leaves to clients: those that start with X-, and those of SCTE-35.
  mutating func takeClientAttributes() {
    for index in attributes.indices {
      let name = attributes[index].name
      if name.utf8.starts(with: "X-".utf8) || name.utf8.starts(with: "SCTE35-".utf8) {
        attributes[index].isTaken = true
      }
    }
  }
}

/// Whether a tag means anything without the attribute.
enum Need {
  case required
  case optional
}

private enum YesOrNo: String {
  case yes = "YES"
  case no = "NO"
}
