import ExactText

/// One way to write a value: what reads it, and how it looks.
///
/// Rows of key tables name it: `.span`, `.list(of: .size)`, `.nullable(.mediaPlace)`.
package struct Form<Value>: Sendable {
  let shape: Shape
  /// Nil where a mistake was reported.
  package let read: @Sendable (DocumentNode) -> Value?

  init(_ shape: Shape, _ read: @escaping @Sendable (DocumentNode) -> Value?) {
    self.shape = shape
    self.read = read
  }

  /// A form that is made when a document first has such a value, or when somebody asks how it is
  /// written: every process makes the forms of a scenario, and few scenarios have all parts.
  static func whenNeeded(_ form: @escaping @Sendable @autoclosure () -> Form) -> Form {
    Form(.whenNeeded { form().shape }) { form().read($0) }
  }

  /// The same, where a condition holds for the value.
  package func checked(expected: String, where holds: @escaping @Sendable (Value) -> Bool) -> Form {
    let read = read
    return Form(shape) { node in
      guard let value = read(node) else { return nil }
      if holds(value) { return value }
      node.refuseKind(expected: expected)
      return nil
    }
  }

  /// The same, read by a shorter way where that can be gone; it reports nothing.
  func reading(_ short: @escaping @Sendable (JSONValue) -> Value?) -> Form {
    let read = read
    return Form(shape) { short($0.value) ?? read($0) }
  }

  /// The value, or nothing where it is wrong, which was reported: what can be said of the rest is
  /// said all the same.
  var orNothing: Form<Value?> {
    let read = read
    return Form<Value?>(shape) { .some(read($0)) }
  }

  /// The value as something else.
  func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
    let read = read
    return Form<Other>(shape) { read($0).map(transform) }
  }

  /// What is made of the value and of where it stands; nil where that has reported a mistake.
  package func then<Other>(
    _ next: @escaping @Sendable (Value, DocumentNode) -> Other?
  ) -> Form<Other> {
    let read = read
    return Form<Other>(shape) { node in read(node).flatMap { next($0, node) } }
  }

  /// The same with strings of its own for an editor to offer.
  func examples(_ texts: String...) -> Form {
    Form(.examples(shape, texts.map { .string($0) }), read)
  }

  /// The same with a list of its own for an editor to offer.
  func examples(_ list: [String]) -> Form {
    Form(.examples(shape, [.strings(list)]), read)
  }
}

// MARK: - What is made of other forms

extension Form where Value: Sendable {
  /// One of several words, each with its meaning.
  package static func words(_ words: [(word: String, value: Value)]) -> Form {
    Form(.words(words.map { $0.word })) { Decode.word($0, among: words) }
  }
}

extension Form {
  /// A list of at least so many elements.
  package static func list<Element>(
    of element: Form<Element>, atLeast least: Int = 0
  ) -> Form where Value == [Element] {
    let read = element.read
    return Form(.list(of: element.shape, atLeast: least)) { $0.list(atLeast: least, of: read) }
  }

  /// A list of so many elements; `then` says so where it has not so many.
  static func list<Element>(
    of element: Form<Element>, count: Int
  ) -> Form where Value == [Element] {
    let read = element.read
    return Form(.list(of: element.shape, atLeast: count, atMost: count)) { $0.list(of: read) }
  }

  /// A list of at most so many elements.
  ///
  /// - Parameter kind: what one of them is called in a message.
  static func list<Element>(
    _ kind: String, atMost most: Int, of element: Form<Element>
  ) -> Form where Value == [Element] {
    let read = element.read
    return Form(.list(of: element.shape, atLeast: 0, atMost: most)) { node in
      // Elements of a list that is too long are not looked at: there may be millions of them.
      guard let count = node.value.elements?.count, count > most else { return node.list(of: read) }
      node.refuse("the list has \(count) \(kind)s", expected: "at most \(most)")
      return nil
    }
  }

  /// A list of elements each of which has a name of its own.
  ///
  /// - Parameter kind: what one of them is called in a message.
  static func named<Element>(
    _ kind: String, atMost most: Int? = nil, of element: Form<Element>
  ) -> Form where Value == [Element] {
    let form = most.map { .list(kind, atMost: $0, of: element) } ?? list(of: element)
    let read = form.read
    return Form(form.shape) { node in
      if let most, node.value.elements.map({ $0.count > most }) == true { return read(node) }
      node.checkNames(kind)
      return read(node)
    }
  }

  /// `null` as a value of its own.
  package static func nullable<Wrapped>(_ form: Form<Wrapped>) -> Form where Value == Wrapped? {
    let read = form.read
    return Form(.nullable(form.shape)) { $0.isNull ? .some(nil) : read($0).map { .some($0) } }
  }

  /// An object in the one form, anything else in the other.
  package static func object(_ object: Form, or other: Form) -> Form {
    let (readObject, readOther) = (object.read, other.read)
    return Form(.anyOf([other.shape, object.shape])) { node in
      if case .object = node.content { readObject(node) } else { readOther(node) }
    }
  }

  /// A list in the one form, anything else in the other.
  package static func list(_ list: Form, or other: Form) -> Form {
    let (readList, readOther) = (list.read, other.read)
    return Form(.anyOf([other.shape, list.shape])) { node in
      if case .array = node.content { readList(node) } else { readOther(node) }
    }
  }
}

extension Form where Value == DocumentNode {
  /// What is read later, when more is known of the document.
  static func later(_ shape: Shape) -> Form { Form(shape) { $0 } }
}
