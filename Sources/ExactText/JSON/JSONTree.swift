/// A JSON document that is made rather than read: the examples and the parts of a schema.
package indirect enum JSONTree: Sendable {
  case null
  case boolean(Bool)
  /// The number as it is written.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  /// A list of strings.
  package static func strings(_ texts: [String]) -> JSONTree { .array(texts.map { .string($0) }) }
}
