/// Something in a playlist that a client tolerates or ignores, but that its author should know.
package typealias PlaylistRemark = PlaylistFinding<PlaylistRemarkProblem>

package enum PlaylistRemarkProblem: PlaylistProblem {
  /// The tag is not of the RFC; it is kept as text.
  case unrecognisedTag(String)
  case unrecognisedAttribute(String)
  /// An enumerated value is not of the RFC; the whole tag is ignored.
  case unrecognisedValue(attribute: String, value: String)
  case malformedAttribute(String, expected: String)
  case tagIgnored(String)
  case whitespace
  case missingComma
  case finerThanNanosecond
  case longerThanTarget
  case lateTag
  case repeatedSegmentTag
  case segmentTagsWithoutURI
  case unmatchedGroup(attribute: String, group: String)
  case rule(String)
  /// Something that real players heed and a simulation does not.
  case notSimulated(String)

  package var sentence: String {
    switch self {
    case .unrecognisedTag(let name): "the tag \(name) is not of the RFC and is ignored"
    case .unrecognisedAttribute(let name): "the attribute \(name) is not known and is ignored"
    case .unrecognisedValue(let name, let value):
      "\(name) has the unknown value \(value), so the tag is ignored"
    case .malformedAttribute(let name, let expected):
      "\(name) must be \(expected) and is ignored"
    case .tagIgnored(let reason): "the tag is ignored: \(reason)"
    case .whitespace: "white space where there must be none is skipped"
    case .missingComma: "the comma after the duration is missing"
    case .finerThanNanosecond: "digits finer than a nanosecond are rounded"
    case .longerThanTarget:
      "the rounded duration is longer than the target duration, which can cause stalls"
    case .lateTag: "the tag must stand before the first segment"
    case .repeatedSegmentTag: "the tag stands twice before one segment; the last one counts"
    case .segmentTagsWithoutURI: "no segment follows the tags at the end"
    case .unmatchedGroup(let attribute, let group):
      "no EXT-X-MEDIA has the group \(group) that \(attribute) names"
    case .rule(let text): text
    case .notSimulated(let feature): "not simulated: \(feature)"
    }
  }
}
