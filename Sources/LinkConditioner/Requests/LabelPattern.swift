/// A pattern for the labels of requests: `*` stands for any characters, also for none.
public struct LabelPattern: Hashable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  /// Whether the whole label is as the pattern says, byte by byte.
  package func matches(_ label: String) -> Bool {
    let (pattern, label) = (text.utf8, label.utf8)
    let star = UInt8(ascii: "*")
    var (p, l) = (pattern.startIndex, label.startIndex)
    // The place to resume at if the text after the last star does not fit: one byte further on.
    var retry: (pattern: String.Index, label: String.Index)?
    while l < label.endIndex {
      if p < pattern.endIndex, pattern[p] == star {
        p = pattern.index(after: p)
        retry = (p, l)
      } else if p < pattern.endIndex, pattern[p] == label[l] {
        p = pattern.index(after: p)
        l = label.index(after: l)
      } else if let (after, from) = retry {
        l = label.index(after: from)
        retry = (after, l)
        p = after
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == star }
  }
}
