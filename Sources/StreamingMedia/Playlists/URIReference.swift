import VirtualTime

/// A URI or a relative reference in its five components (RFC 3986 §3 and §4).
package struct URIReference: Hashable, Sendable {
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  package var fragment: String?

  /// Takes a reference apart; every text is one (RFC 3986, appendix B).
  package init(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = Self.string(rest[hash...].dropFirst())
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = Self.string(rest[mark...].dropFirst())
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = Self.string(rest[..<colon])
      rest = rest[colon...].dropFirst()
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = Self.string(rest[..<slash])
      rest = rest[slash...]
    }
    path = Self.string(rest)
  }

  /// The components put together again (RFC 3986 §5.3).
  package var text: String {
    var text = ""
    if let scheme { text += "\(scheme):" }
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    if let fragment { text += "#\(fragment)" }
    return text
  }

  /// The path of the named file where files lie as on the server; nil where it names another place.
  ///
  /// A query is what a server makes of a file; it is no part of its name.
  package var filePath: String? {
    if scheme != nil || authority != nil || path.isEmpty { return nil }
    return percentDecoded(Array(path.utf8)[...])
  }

  // RFC 3986 §3.1: a letter, then letters, digits, "+", "-" and ".".
  private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { byte in
      isLetter(byte) || decimalDigit(byte) != nil || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The reference as seen from a base (RFC 3986 §5.2.2, strict).
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    target.scheme = scheme ?? base.scheme
    if scheme != nil || authority != nil {
      target.path = Self.withoutDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.withoutDotSegments(path)
    } else if base.scheme == nil, base.authority == nil, base.path.utf8.first != UInt8(ascii: "/") {
      target.path = Self.withoutInnerDotSegments(merged(with: base))
    } else {
      target.path = Self.withoutDotSegments(merged(with: base))
    }
    return target
  }

  /// Removes dot segments from a path with an unknown base; leading ".." segments remain.
  ///
  /// RFC 3986 knows no such base; a folder of playlists that refer to each other does.
  private static func withoutInnerDotSegments(_ path: String) -> String {
    let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
    let bytes = Array(path.utf8)
    // Perf: mostly no segment begins with a dot.
    if !bytes.indices.contains(where: { bytes[$0] == dot && ($0 == 0 || bytes[$0 - 1] == slash) }) {
      return path
    }
    let parent: ArraySlice<UInt8> = [dot, dot]
    var segments: [ArraySlice<UInt8>] = []
    let parts = bytes.split(separator: slash, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if part.elementsEqual(".".utf8) {
        if isLast { segments.append([]) }
      } else if part == parent, let last = segments.last, last != parent {
        segments.removeLast()
        if isLast { segments.append([]) }
      } else {
        segments.append(part)
      }
    }
    return string(Array(segments.joined(separator: [slash]))[...])
  }

  // RFC 3986 §5.2.3.
  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/\(path)" }
    let bytes = Array(base.path.utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return Self.string(bytes[...slash]) + path
  }

  // RFC 3986 §5.2.4: the letters are those of its steps.
  static func withoutDotSegments(_ path: String) -> String {
    var input = Array(path.utf8)[...]
    var output: [UInt8] = []
    while !input.isEmpty {
      if input.starts(with: "../".utf8) {  // A
        input = input.dropFirst(3)
      } else if input.starts(with: "./".utf8) || input.starts(with: "/./".utf8) {  // A, B
        input = input.dropFirst(2)
      } else if input.elementsEqual("/.".utf8) {  // B
        input = [UInt8(ascii: "/")]
      } else if input.starts(with: "/../".utf8) {  // C
        input = input.dropFirst(3)
        removeLastSegment(of: &output)
      } else if input.elementsEqual("/..".utf8) {  // C
        input = [UInt8(ascii: "/")]
        removeLastSegment(of: &output)
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {  // D
        input = []
      } else {  // E
        let start = input.startIndex
        let next = input[(start + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? input.endIndex
        output += input[start..<next]
        input = input[next...]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func removeLastSegment(of output: inout [UInt8]) {
    while let last = output.popLast(), last != UInt8(ascii: "/") {}
  }
}

/// The reference that leads from one URI to another.
///
/// The whole target is returned where no relative reference leads there.
package func relativeURI(to target: String, from base: String) -> String {
  let (from, to) = (URIReference(base), URIReference(target))
  let slash = UInt8(ascii: "/")
  let folders = from.path.utf8.split(separator: slash, omittingEmptySubsequences: false).dropLast()
  let steps = to.path.utf8.split(separator: slash, omittingEmptySubsequences: false)
  var common = 0
  while common < min(folders.count, steps.count - 1),
    folders[common].elementsEqual(steps[common])
  {
    common += 1
  }
  let isRooted = from.path.utf8.first == slash
  guard from.scheme == to.scheme, from.authority == to.authority,
    isRooted == (to.path.utf8.first == slash),
    !folders[common...].contains(where: { $0.elementsEqual("..".utf8) })
  else { return target }
  var parts = Array(repeating: "..", count: folders.count - common)
  parts += steps[common...].map { String(decoding: $0, as: UTF8.self) }
  // RFC 3986 §4.2: a colon in the first segment would make a scheme of it.
  if parts[0].isEmpty || parts[0].utf8.contains(UInt8(ascii: ":")) { parts.insert(".", at: 0) }
  var reference = URIReference(parts.joined(separator: "/"))
  reference.query = to.query
  reference.fragment = to.fragment
  return reference.text
}

/// The text of a URI relative to another.
package func resolvedURI(_ reference: String, against base: String) -> String {
  URIReference(reference).resolved(against: URIReference(base)).text
}

/// The text with every `%41` as the byte it means.
package func percentDecoded(_ text: ArraySlice<UInt8>) -> String {
  var result: [UInt8] = []
  var index = text.startIndex
  while index < text.endIndex {
    if text[index] == UInt8(ascii: "%"), text.endIndex - index > 2,
      let high = hexadecimalDigit(text[index + 1]), let low = hexadecimalDigit(text[index + 2])
    {
      result.append(high << 4 | low)
      index += 3
    } else {
      result.append(text[index])
      index += 1
    }
  }
  return String(decoding: result, as: UTF8.self)
}

func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
  default: false
  }
}

func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}
