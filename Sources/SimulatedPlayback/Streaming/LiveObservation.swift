public import LinkConditioner
public import VirtualTime

/// Something that became different because a stream is live.
public enum LiveObservation: Hashable, Sendable {
  case playlistRead(TransferID, LiveReading)
  /// A delta update came that leaves out more than is known.
  case deltaUnusable(TransferID, skipped: Int64)
  /// The playhead was put somewhere.
  case moved(MediaTime, LiveMoveReason)
}

/// The result of reading a live playlist.
public struct LiveReading: Hashable, Sendable {
  /// Whether it says anything that it did not say before.
  package var isChanged: Bool
  /// The number of its first segment.
  package var mediaSequence: Int64
  /// The number of whole segments that it lists, and of the parts after them.
  package var segments: Int64
  package var parts: Int64
  /// The end of the media that it lists.
  package var edge: MediaTime
  package var isEnded: Bool
  package var directives: DeliveryDirectives
  /// The number of segments that a delta update left out, and the bytes that this saved.
  package var skipped: Int64
  package var saved: Int64
}

// §6.2.5
/// The delivery directives of a playlist request, in the query of its URI.
package struct DeliveryDirectives: Hashable, Sendable {
  /// `_HLS_msn` and `_HLS_part`: to hold the answer until this part is there.
  package var mediaSequence: Int64?
  package var part: Int64?
  /// `_HLS_skip`: to leave out what is known.
  package var skips = false

  package var isEmpty: Bool { self == DeliveryDirectives() }

  /// As they are written in a query: in the order of their names (§6.3.2).
  package var text: String {
    var parts: [String] = []
    if let mediaSequence { parts.append("_HLS_msn=\(mediaSequence)") }
    if let part { parts.append("_HLS_part=\(part)") }
    if skips { parts.append("_HLS_skip=YES") }
    return parts.joined(separator: "&")
  }
}
