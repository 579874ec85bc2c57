import ExactText

/// The written form of a value, as data: the schema and the page of keys are made from it.
indirect enum Shape: Sendable {
  case boolean
  case null
  /// A string that says something.
  case text(String)
  /// A string that a regular expression describes; what it is called in a sentence.
  case pattern(String, noun: String, examples: [String])
  case words([String])
  case whole(from: Int64, through: Int64?)
  /// A number that need not be whole.
  case number(from: Int64, through: Int64)
  case list(of: Shape, atLeast: Int = 0, atMost: Int? = nil)
  case anything
  /// An object whose keys are for its author to choose.
  case map(of: Shape)
  case anyOf([Shape])
  /// An object with its name, under which the schema defines it once.
  case object(String, @Sendable () -> ObjectShape)
  /// An object that is described where it is used.
  case inline(@Sendable () -> ObjectShape)
  /// One thing where an object has a key, another where it has not.
  case either(ifThereIs: String, Shape, else: Shape)
  /// Something else the schema defines once, by name; lazy, since it may lead back to itself.
  case named(String, String, @Sendable () -> Shape)
  /// The same with values of its own for an editor to offer.
  case examples(Shape, [JSONTree])

  static func nullable(_ shape: Shape) -> Shape { .anyOf([shape, .null]) }

  /// The same with strings for an editor to offer.
  func examples(_ texts: String...) -> Shape { .examples(self, texts.map { .string($0) }) }

  func examples(_ list: [String]) -> Shape { .examples(self, [.strings(list)]) }
}

struct ObjectShape: Sendable {
  var name: String
  var about: String
  var keys: [KeyShape]
  var least = 0
  /// The key whose word decides which further keys there are, and those that each word brings.
  var branches: (key: String, words: [ObjectShape])?

  /// Its own keys, and those that any word brings.
  var allKeys: [KeyShape] { keys + (branches?.words.flatMap { $0.keys } ?? []) }
}

/// A key as readers of the schema and of the page see it.
struct KeyShape: Sendable {
  let name: String
  let makeShape: @Sendable () -> Shape
  let presence: KeyPresence
  /// The value that applies when the key is absent, as it would be written.
  var absent: JSONTree?
  let about: String
  var companion: String?
  /// The message for this key without its companion; where nil, the companion is reported missing.
  var alone: (message: String, expected: String)?
  var rivals: [String] = []
  /// The kind of media or link that it applies to; nil for every kind.
  var scope: Scope?

  var shape: Shape { makeShape() }

  mutating func stand(beside companion: String, _ message: String, expected hint: String) {
    (self.companion, alone) = (companion, (message, hint))
  }
}

enum KeyPresence: Sendable {
  case optional
  case required
  /// It is one of several of which exactly one has to be there.
  case oneOf
}
