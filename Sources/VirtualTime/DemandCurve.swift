/// The number of bytes that must have arrived before a media position can be played.
///
/// A polyline: between two knots bytes and media time rise together in proportion. Bytes are
/// counted as the arriving flow counts them, so a knot and a `ByteFlow` can be held side by side.
/// Built once for a request, read at every prediction.
package struct DemandCurve: Hashable, Sendable {
  /// A corner of the curve: media up to `time` needs `bytes`.
  package struct Knot: Hashable, Sendable {
    package var time: MediaTime
    package var bytes: Int64
    /// The number of requests, still to be made, that bring the last of them.
    package var requests: Int64

    package init(time: MediaTime, bytes: Int64, requests: Int64 = 0) {
      (self.time, self.bytes, self.requests) = (time, bytes, requests)
    }
  }

  /// The corners, rising in time and never falling in bytes.
  package private(set) var knots: [Knot]

  package init(knots: [Knot]) {
    assert(
      zip(knots, knots.dropFirst()).allSatisfy { $0.time < $1.time && $0.bytes <= $1.bytes },
      "knots rise in time and do not fall in bytes")
    self.knots = knots
  }

  package static var empty: DemandCurve { DemandCurve(knots: []) }

  package func firstIndex(after time: MediaTime) -> Int { knots.partitionPoint { $0.time > time } }

  /// The bytes that must be there so that everything before `time` can be played.
  package func bytes(before time: MediaTime) -> Int64 {
    let index = firstIndex(after: time)
    if index == 0 { return knots.first?.bytes ?? 0 }
    let start = knots[index - 1]
    if index == knots.count { return start.bytes }
    let end = knots[index]
    return start.bytes
      + scaled(
        (time - start.time).nanoseconds, by: end.bytes - start.bytes,
        over: (end.time - start.time).nanoseconds, rounding: .up)
  }
}
