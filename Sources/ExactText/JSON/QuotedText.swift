/// A text that is written again and again, with what it is in JSON, worked out once.
package struct QuotedText: Sendable {
  package let text: String
  let bytes: [UInt8]

  package init(_ text: String) {
    self.text = text
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(quoted: text)
    self.bytes = bytes
  }
}
