/// The names of a trace's events.
package enum TraceEventName: String, CaseIterable {
  case app
  case link
  case traffic
  case currentItem
  case itemStatus
  case rateChange
  case timeControlStatus
  case timebase
  case likelyToKeepUp
  case playbackBufferEmpty
  case playbackBufferFull
  case automaticallyWaits
  case stall
  case timeJumped
  case didPlayToEndTime
  case failedToPlayToEndTime
  case seek
  case seekDidComplete
  case requestStart
  case responseStart
  case mediaResourceRequest
  case requestCancel
  case requestError
  case requestFault
  case requestRetry
  case reading
  case variantChoice
  case variantSwitchStart
  case variantSwitch
  case segmentAbandon
  case mediaSelection
  case playlist
  case livePosition
  case newErrorLogEntry
  case pipeline
  case itemTransition
  case emptyTrack
  case pictureColour
  case refused
}

extension Decode {
  /// An event, perhaps with a member: "stall", "timeControlStatus status=playing".
  static func eventPattern(_ node: DocumentNode) -> EventPattern? {
    guard let text = text(node) else { return nil }
    let (event, rest) = firstWord(of: text)
    let names = TraceEventName.allCases.map { $0.rawValue }
    guard names.contains(where: { isSameText($0, event) }) else {
      node.refuse(
        "unknown event \(quotation(of: event))", expected: "one of " + alternatives(names),
        suggestion: nearestWord(to: event, among: names))
      return nil
    }
    if rest.isEmpty { return EventPattern(event: event) }
    guard let (member, value) = parts(of: rest, around: UInt8(ascii: "=")), !member.isEmpty,
      !value.isEmpty, !member.utf8.contains(0x20)
    else {
      node.refuse(
        "\(quotation(of: rest)) is no member with its value",
        expected: "an event and a member, such as “timeControlStatus status=playing”")
      return nil
    }
    return EventPattern(event: event, member: member, value: value)
  }
}
