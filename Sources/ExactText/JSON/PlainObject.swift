/// An element of a long list of alike objects, whose members are looked at where they stand in the
/// text: no value, no string and no count of references is made for any of them.
package struct PlainObject {
  fileprivate let text: UnsafeBufferPointer<UInt8>
  fileprivate let rows: UnsafeBufferPointer<JSONDocument.Row>
  fileprivate var place: Int
  package let count: Int

  package typealias Text = UnsafeBufferPointer<UInt8>

  /// The next member as key and string; nil where its value is no string, or holds an escape.
  package mutating func next() -> (key: Text, value: Text)? {
    let (key, value) = (rows[place], rows[place + 1])
    guard value.kind == .string, !key.isEscaped, !value.isEscaped else { return nil }
    place += 2
    return (part(key), part(value))
  }

  private func part(_ row: JSONDocument.Row) -> Text {
    Text(rebasing: text[Int(row.start)..<Int(row.end)])
  }
}

extension JSONValue {
  /// Reads a list of objects, each in one go.
  ///
  /// - Parameters:
  ///   - prepare: Is told how many there are.
  ///   - read: False for an object that is not plain.
  /// - Returns: False where this is no list, or an empty one, or one of its elements is not plain;
  ///   then it has to be read as anything else is, which also says what is wrong with it.
  package func readPlainObjects(
    _ prepare: (Int) -> Void, _ read: (inout PlainObject) -> Bool
  ) -> Bool {
    guard document.rows[place].kind == .array else { return false }
    let count = Int(document.rows[place].count)
    if count == 0 { return false }
    prepare(count)
    return document.text.withUnsafeBufferPointer { text in
      document.rows.withUnsafeBufferPointer { rows in
        var place = place + 1
        for _ in 0..<count {
          guard rows[place].kind == .object else { return false }
          var object = PlainObject(
            text: text, rows: rows, place: place + 1, count: Int(rows[place].count))
          if !read(&object) { return false }
          place = Int(rows[place].next)
        }
        return true
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inlinable @inline(__always)
  package func says(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    let start = word.utf8Start
    for index in 0..<word.utf8CodeUnitCount where self[index] != start[index] { return false }
    return true
  }
}
