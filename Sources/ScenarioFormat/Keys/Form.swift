import ExactText
import LinkConditioner
package import VirtualTime

/// One way to write a value: what reads it, and how it looks.
///
/// Rows of key tables name it: `.span`, `.list(of: .size)`, `.nullable(.mediaPlace)`.
package struct Form<Value>: Sendable {
  let makeShape: @Sendable () -> Shape
  /// Nil where a mistake was reported.
  package let read: @Sendable (DocumentNode) -> Value?

  private init(
    as makeShape: @escaping @Sendable () -> Shape,
    _ read: @escaping @Sendable (DocumentNode) -> Value?
  ) {
    (self.makeShape, self.read) = (makeShape, read)
  }

  init(
    _ shape: @escaping @Sendable @autoclosure () -> Shape,
    _ read: @escaping @Sendable (DocumentNode) -> Value?
  ) {
    self.init(as: shape, read)
  }

  var shape: Shape { makeShape() }

  package func checked(expected: String, where holds: @escaping @Sendable (Value) -> Bool) -> Form {
    then { value, node in holds(value) ? value : node.refuseKind(expected: expected) }
  }

  /// The same, read by a shorter way where that can be gone; it reports nothing.
  func reading(_ short: @escaping @Sendable (JSONValue) -> Value?) -> Form {
    let read = read
    return Form(as: makeShape) { short($0.value) ?? read($0) }
  }

  /// The value, or nothing where it is wrong, which was reported: the rest is judged all the same.
  var orNothing: Form<Value?> {
    let read = read
    return Form<Value?>(as: makeShape) { .some(read($0)) }
  }

  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
    then { value, _ in transform(value) }
  }

  /// Transforms the value together with its node; nil where that has reported a mistake.
  package func then<Other>(
    _ next: @escaping @Sendable (Value, DocumentNode) -> Other?
  ) -> Form<Other> {
    let read = read
    return Form<Other>(as: makeShape) { node in read(node).flatMap { next($0, node) } }
  }

  /// The same with strings of its own for an editor to offer.
  func examples(_ texts: String...) -> Form {
    Form(.examples(shape, texts.map { .string($0) }), read)
  }

  func examples(_ list: [String]) -> Form { Form(.examples(shape, [.strings(list)]), read) }

  package static func list<Element>(
    of element: Form<Element>, atLeast least: Int = 0
  ) -> Form where Value == [Element] {
    let read = element.read
    return Form(.list(of: element.shape, atLeast: least)) { $0.list(atLeast: least, of: read) }
  }

  /// - Parameter kind: name of one of them in a message.
  static func list<Element>(
    _ kind: String, atMost most: Int, of element: Form<Element>
  ) -> Form where Value == [Element] {
    let read = element.read
    return Form(.list(of: element.shape, atLeast: 0, atMost: most)) { node in
      // Elements of a list that is too long are not looked at: there may be millions of them.
      guard let count = node.value.elements?.count, count > most else { return node.list(of: read) }
      return node.refuse("the list has \(count) \(kind)s", expected: "at most \(most)")
    }
  }

  /// A list of elements each of which has a name of its own; `kind` is what a message calls one.
  static func named<Element>(
    _ kind: String, atMost most: Int? = nil, of element: Form<Element>
  ) -> Form where Value == [Element] {
    let form = most.map { .list(kind, atMost: $0, of: element) } ?? list(of: element)
    let read = form.read
    return Form(as: form.makeShape) { node in
      if node.value.elements?.count ?? 0 <= most ?? .max { node.checkNames(kind) }
      return read(node)
    }
  }

  /// `null` as a value of its own.
  package static func nullable<Wrapped>(_ form: Form<Wrapped>) -> Form where Value == Wrapped? {
    let read = form.read
    return Form(.nullable(form.shape)) { $0.isNull ? .some(nil) : read($0).map { .some($0) } }
  }

  package static func object(_ object: Form, or other: Form) -> Form {
    let (readObject, readOther) = (object.read, other.read)
    return Form(.anyOf([other.shape, object.shape])) { node in
      if case .object = node.content { readObject(node) } else { readOther(node) }
    }
  }

  func or(_ words: [(word: String, value: Value)]) -> Form where Value: Sendable {
    .object(self, or: .words(words))
  }

  package static func list(_ list: Form, or other: Form) -> Form {
    let (readList, readOther) = (list.read, other.read)
    return Form(.anyOf([other.shape, list.shape])) { node in
      if case .array = node.content { readList(node) } else { readOther(node) }
    }
  }
}

extension Form where Value: Sendable {
  package static func words(_ words: [(word: String, value: Value)]) -> Form {
    Form(.words(words.map { $0.word })) { Decode.word($0, among: words) }
  }
}

extension Form where Value: CaseIterable & RawRepresentable<String> & Sendable {
  static var cases: Form { .words(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension Form where Value == DocumentNode {
  /// A node that is read later, when more of the document is known.
  static func later(_ shape: @escaping @Sendable @autoclosure () -> Shape) -> Form {
    Form(as: shape) { $0 }
  }
}

extension Form<Bool> {
  package static var boolean: Form { Form(.boolean, Decode.boolean) }
}

extension Form<String> {
  /// A string that says something, with one for an editor to offer.
  package static func text(_ example: String) -> Form { Form(.text(example), Decode.nonEmptyText) }
}

extension Form<UInt64> {
  package static var seed: Form { Form(.whole(from: 0, through: nil), Decode.seed) }
}

extension Form<Int64> {
  package static var count: Form { Form(.whole(from: 0, through: nil), Decode.count) }

  package static func whole(in bounds: ClosedRange<Int64>) -> Form {
    let most = bounds.upperBound == .max ? nil : bounds.upperBound
    return Form(.whole(from: bounds.lowerBound, through: most)) { Decode.whole($0, in: bounds) }
  }
}

extension Form where Value: FixedWidthInteger & Sendable {
  static func whole(in bounds: ClosedRange<Int64>) -> Form {
    Form<Int64>.whole(in: bounds).map { Value(clamping: $0) }
  }
}

extension Form {
  static func quantity(
    _ shape: Shape, of system: UnitSystem,
    _ read: @escaping @Sendable (ArraySlice<UInt8>) throws(QuantityProblem) -> Value
  ) -> Form {
    Form(shape) { node in
      if let text = node.stringBytes { return node.value(of: text, by: read) }
      return node.value.numberBytes == nil
        ? node.refuseKind(expected: "a \(system.quantity) such as “\(system.example)”")
        : node.refuse("\(node.description) has no unit", expected: "a string: " + system.form)
    }
  }
}

extension Form<TimeSpan> {
  package static var span: Form<TimeSpan> { span(.time) }

  package static var spanAboveZero: Form {
    span(.timeAboveZero).checked(expected: "a time above zero") { $0 > .zero }
  }

  static func anySpan(_ shape: Shape = .time) -> Form {
    .quantity(shape, of: .time) { (text) throws(QuantityProblem) in try Quantity.timeSpan(text) }
  }

  private static func span(_ shape: Shape) -> Form {
    anySpan(shape).checked(expected: "a time of at most 365 days") {
      $0 <= ScenarioLimits.longestSpan
    }
  }
}

extension Form<Instant> {
  static var instant: Form { Form<TimeSpan>.span.map { .zero + $0 } }
}

extension Form<MediaTime> {
  package static var mediaPlace: Form {
    Form<TimeSpan>.span.map { MediaTime(nanoseconds: $0.nanoseconds) }
  }

  /// A length of media that is not nothing.
  static var mediaDuration: Form {
    mediaTime(.timeAboveZero, signed: false)
      .checked(expected: "a duration above zero and of at most 30 days") {
        $0 > .zero && $0 <= ScenarioLimits.longestMedia
      }
  }

  /// A place in media that may lie before its start.
  static var signedMediaTime: Form { mediaTime(.signedTime, signed: true) }

  private static func mediaTime(_ shape: Shape, signed: Bool) -> Form {
    .quantity(shape, of: .time) { (text) throws(QuantityProblem) in
      try Quantity.mediaTime(text, signed: signed)
    }
  }
}

extension Form<Int64> {
  /// A size that a file or a part of it can have.
  static var bytes: Form { bytes(.size) }

  static var bytesAboveZero: Form {
    bytes(.sizeAboveZero).checked(expected: "a size above zero") { $0 > 0 }
  }

  static func anyBytes(_ shape: Shape = .size) -> Form {
    .quantity(shape, of: .size, Quantity.bytes)
  }

  private static func bytes(_ shape: Shape) -> Form {
    anyBytes(shape).checked(expected: "at most 10000 GB") { $0 <= ScenarioLimits.mostBytes }
  }

  /// A bit rate that a player goes by, in whole bits per second; a limit of zero is none.
  static var bitRateLimit: Form {
    wholeBitRate(.bitRate, in: 0...Int64.max, "a whole number of bits per second")
  }

  static func wholeBitRate(
    _ shape: Shape, in bounds: ClosedRange<Int64>, _ expected: String
  ) -> Form {
    Form<BitRate>.quantity(shape, of: .bitRate, Quantity.bitRate).checked(expected: expected) {
      $0.denominator == 1 && bounds.contains($0.numerator)
    }.map { $0.numerator }
  }
}

extension Form<BitRate> {
  static var bitRateAboveZero: Form {
    quantity(.bitRateAboveZero, of: .bitRate, Quantity.bitRate)
      .checked(expected: "a bit rate above zero") { !$0.isZero }
  }
}

extension Form<Bandwidth> {
  static var bandwidth: Form { .quantity(.bandwidth, of: .bitRate, Quantity.bandwidth) }
}

extension Form<LossRatio> {
  static var chance: Form { .quantity(.percentage, of: .percentage, Quantity.lossRatio) }
}

extension Form<PlaybackRate> {
  static var rate: Form {
    Form(.playbackRate, Decode.playbackRate)
      .checked(expected: "a rate from 0 to 32 with at most three decimals") {
        $0.denominator <= ScenarioLimits.finestRate
          && $0.numerator <= ScenarioLimits.fastestRate * $0.denominator
      }
  }
}

extension Shape {
  static let time = Shape.quantity(
    .time, "time", "A time from zero up, with its unit.", ["1 s", "100 ms"])
  static let timeAboveZero = Shape.quantity(
    .time, "timeAboveZero", "A time above zero, with its unit.", ["1 s"], prefix: aboveZero)
  static let signedTime = Shape.quantity(
    .time, "signedTime", "A time with its unit, which may be below zero.", ["-1 ms"], prefix: "-?")
  static let size = Shape.quantity(.size, "size", "A size with its unit.", ["64 KB"])
  static let sizeAboveZero = Shape.quantity(
    .size, "sizeAboveZero", "A size of one byte at least.", ["64 KB"], prefix: aboveZero)
  static let bitRate = Shape.quantity(
    .bitRate, "bitRate", "A bit rate with its unit.", ["2 Mbit/s"])
  static let bitRateAboveZero = Shape.quantity(
    .bitRate, "bitRateAboveZero", "A bit rate above zero, with its unit.", ["2 Mbit/s"],
    prefix: aboveZero)
  static let bandwidth = Shape.named(
    "bandwidth", "A bit rate with its unit, or unlimited; zero is an outage."
  ) {
    .anyOf([bitRate, .words(["unlimited"])])
  }
  static let percentage = Shape.named("percentage", "A percentage from 0 % to 100 %.") {
    .pattern(
      #"^0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?) *%$"#, noun: "a percentage", examples: ["10 %"])
  }
  /// A share that may be more than all.
  static let share = Shape.quantity(
    .percentage, "share", "A percentage, which may be above 100 %.", ["85.8 %"])
  static let playbackRate = Shape.named(
    "playbackRate", "Rate of media against the clock: 0 to 32, with at most three decimals."
  ) {
    .anyOf([
      .examples(.number(from: 0, through: 32), [.number("1"), .number("1.5")]),
      .pattern(#"^[0-9]+(\.[0-9]+)?$"#, noun: "a number as text", examples: ["0.5"]),
    ])
  }

  /// Looks ahead for a digit that is not zero; units have none.
  private static let aboveZero = "(?=.*[1-9])"

  private static func quantity(
    _ system: UnitSystem, _ name: String, _ about: String, _ examples: [String],
    prefix: String = ""
  ) -> Shape {
    .named(name, about) {
      .pattern("^\(prefix)\(system.pattern)$", noun: "a \(system.quantity)", examples: examples)
    }
  }
}

extension UnitSystem {
  /// Such a quantity from zero up, as a part of a regular expression.
  var pattern: String { "[0-9]+(\\.[0-9]+)? *(\(anyWord(units.map { $0.name })))" }
}

func anyWord(_ words: [String]) -> String { joined(words, by: "|") }
