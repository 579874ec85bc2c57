/// The violation of RFC 8216 §4.1 by the bytes of a line; nil without one.
///
/// Playlists must be UTF-8 and must not hold control characters. The tab is let through: the draft
/// separates the identifiers in RECENTLY-REMOVED-DATERANGES with it (§4.4.5.2).
func problem(inBytes line: ArraySlice<UInt8>) -> PlaylistFault.Problem? {
  var (bytes, decoder) = (line.makeIterator(), UTF8())
  while true {
    switch decoder.decode(&bytes) {
    case .emptyInput: return nil
    case .error: return .notUTF8
    case .scalarValue(let scalar):
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      if isControl, scalar != "\t" { return .controlCharacter(scalar.value) }
    }
  }
}
