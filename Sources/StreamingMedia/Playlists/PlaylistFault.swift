package typealias PlaylistFault = PlaylistFinding<PlaylistFaultProblem>

package enum PlaylistFaultProblem: Error, PlaylistProblem {
  case fileTooLong(limit: Int64)
  case lineTooLong(limit: Int64)
  case tooMany(String, limit: Int64)
  case byteOrderMark
  case notUTF8
  case controlCharacter(UInt32)
  case missingHeader
  case bothKinds
  case neitherKind
  case repeatedTag
  case unsupportedVersion(Int64)
  case malformedValue(expected: String)
  case outOfRange
  case malformedAttributes(String)
  case repeatedAttribute(String)
  case missingAttribute(String)
  case malformedAttribute(String, expected: String)
  case attributeOutOfRange(String)
  case contradictoryAttributes(String)
  case missingTargetDuration
  case segmentWithoutDuration
  case mediaTooLong
  case byteRangeWithoutPredecessor
  case partWithoutPartInformation
  case uriWithoutVariant
  case variantWithoutURI
  case undefinedVariable(String)
  case repeatedVariable(String)
  case importWithoutDefinition(String)
  case queryParameterMissing(String)

  /// The error and the expected value, without the line.
  package var sentence: String {
    switch self {
    case .fileTooLong(let limit): "the playlist is longer than \(limit) bytes"
    case .lineTooLong(let limit): "the line is longer than \(limit) bytes"
    case .tooMany(let what, let limit): "more than \(limit) \(what)"
    case .byteOrderMark: "the playlist starts with a byte order mark"
    case .notUTF8: "the line is not UTF-8"
    case .controlCharacter(let code): "the line holds the control character \(code)"
    case .missingHeader: "the first line is not #EXTM3U"
    case .bothKinds: "the tag belongs to the other kind of playlist"
    case .neitherKind: "neither a media playlist nor a multivariant playlist"
    case .repeatedTag: "the tag stands more than once"
    case .unsupportedVersion(let version): "version \(version) is none of 1 to 13, the known ones"
    case .malformedValue(let expected): "expected \(expected)"
    case .outOfRange: "the number is too large"
    case .malformedAttributes(let what): what
    case .repeatedAttribute(let name): "the attribute \(name) stands more than once"
    case .missingAttribute(let name): "the attribute \(name) is missing"
    case .malformedAttribute(let name, let expected): "\(name) must be \(expected)"
    case .attributeOutOfRange(let name): "the number in \(name) is too large"
    case .contradictoryAttributes(let what): what
    case .missingTargetDuration: "a media playlist needs EXT-X-TARGETDURATION"
    case .segmentWithoutDuration: "the segment has no EXTINF"
    case .mediaTooLong: "the segments are longer than 292 years together"
    case .byteRangeWithoutPredecessor:
      "the byte range has no offset and does not follow a range of the same resource"
    case .partWithoutPartInformation: "a playlist with parts needs EXT-X-PART-INF"
    case .uriWithoutVariant: "the URI has no EXT-X-STREAM-INF before it"
    case .variantWithoutURI: "no URI follows the variant"
    case .undefinedVariable(let name): "the variable \(name) is not defined before its use"
    case .repeatedVariable(let name): "the variable \(name) is defined twice"
    case .importWithoutDefinition(let name):
      "the multivariant playlist does not define the variable \(name)"
    case .queryParameterMissing(let name):
      "the URI of the playlist has no value for the query parameter \(name)"
    }
  }
}

extension PlaylistFinding<PlaylistFaultProblem> {
  /// Column of the error in its line of a playlist, counted from 1: that of the wrong value, or the
  /// beginning of the line if all of it is wrong.
  package func column(in text: [UInt8]) -> Int {
    guard let number = place.line, let line = Self.line(Int(number), of: text) else { return 1 }
    let start = line.startIndex
    switch problem {
    case .malformedAttribute(let name, _), .attributeOutOfRange(let name),
      .repeatedAttribute(let name):
      let isLast = if case .repeatedAttribute = problem { true } else { false }
      return Self.place(of: name, in: line, isLast: isLast) ?? 1
    case .malformedValue, .outOfRange, .malformedAttributes, .missingAttribute,
      .contradictoryAttributes:
      guard place.tag != nil, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return 1 }
      return colon + 1 < line.endIndex ? colon + 2 - start : 1
    case .fileTooLong, .lineTooLong, .tooMany, .byteOrderMark, .notUTF8, .controlCharacter,
      .missingHeader, .bothKinds, .neitherKind, .repeatedTag, .unsupportedVersion,
      .missingTargetDuration, .segmentWithoutDuration, .mediaTooLong,
      .byteRangeWithoutPredecessor, .partWithoutPartInformation, .uriWithoutVariant,
      .variantWithoutURI, .undefinedVariable, .repeatedVariable, .importWithoutDefinition,
      .queryParameterMissing:
      return 1
    }
  }

  /// The column of the value of an attribute that is no part of another's quoted text.
  private static func place(of name: String, in line: ArraySlice<UInt8>, isLast: Bool) -> Int? {
    var (found, isQuoted): (Int?, Bool) = (nil, false)
    let wanted = Array(name.utf8) + [UInt8(ascii: "=")]
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      let isBoundary = line[index] == UInt8(ascii: ":") || line[index] == UInt8(ascii: ",")
      if isQuoted || !isBoundary { continue }
      let rest = line[(index + 1)...].drop { $0 == UInt8(ascii: " ") }
      if !rest.starts(with: wanted) { continue }
      let value = rest.startIndex + wanted.count
      let scalars = String(decoding: line[..<value], as: UTF8.self).unicodeScalars.count
      found = isLast ? scalars - wanted.count + 1 : scalars + 1
      if !isLast { return found }
    }
    return found
  }

  private static func line(_ number: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
    text.split(separator: 0x0A, maxSplits: number, omittingEmptySubsequences: false)
      .dropFirst(number - 1).first?.prefix { $0 != 0x0D }
  }

  /// The rule that is broken: a section of `draft-pantos-hls-rfc8216bis`, or a limit of ours.
  package var clause: String {
    switch problem {
    case .fileTooLong, .lineTooLong, .tooMany, .outOfRange, .attributeOutOfRange, .mediaTooLong:
      "limit of this reader"
    case .byteOrderMark, .notUTF8, .controlCharacter, .neitherKind: "§4.1"
    case .missingHeader: "§4.4.1.1"
    case .bothKinds: place.tag?.scope == .multivariantPlaylist ? "§4.4.6" : "§4.4.4"
    case .malformedAttributes, .repeatedAttribute: "§4.2"
    case .missingTargetDuration: "§4.4.3.1"
    case .segmentWithoutDuration: "§4.4.4.1"
    case .byteRangeWithoutPredecessor: "§4.4.4.2"
    case .partWithoutPartInformation: "§4.4.3.7"
    case .uriWithoutVariant, .variantWithoutURI: "§4.4.6.2"
    case .undefinedVariable: "§4.3"
    case .repeatedVariable, .importWithoutDefinition, .queryParameterMissing: "§4.4.2.3"
    case .unsupportedVersion: "§4.4.1.2"
    case .repeatedTag, .malformedValue, .missingAttribute, .malformedAttribute,
      .contradictoryAttributes:
      place.tag.map { "§4.4.\($0.section.part).\($0.section.number)" } ?? "§4"
    }
  }
}

/// The refusal of a playlist: every fault found, in order.
package struct PlaylistRefusal: Error, Hashable, Sendable {
  /// Never empty.
  package var faults: [PlaylistFault]

  /// Each fault on its own line: `file:line: what is wrong (rule)`; no `line` for the whole file.
  package func description(file: String) -> String {
    faults.map { "\($0.place.title(in: file)): \($0.message) (\($0.clause))" }
      .joined(separator: "\n")
  }
}
