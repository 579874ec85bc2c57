public import VirtualTime

/// Map between media time and the bytes of a media file: a polyline of corners.
///
/// One map serves both directions, so a position and its byte never disagree.
public struct ByteMap: Hashable, Sendable {
  /// A corner: everything before `time` lies in the first `bytes`.
  package struct Corner: Hashable, Sendable {
    package var time: MediaTime
    package var bytes: Int64
  }

  /// The corners from (0, 0) to (duration, size), rising in both.
  package let corners: [Corner]

  /// A file whose bytes are spread evenly over its duration.
  ///
  /// - Precondition: both are positive.
  public init(duration: MediaTime, bytes: Int64) {
    precondition(duration > .zero && bytes > 0, "a file has a duration and a size")
    corners = [Corner(time: .zero, bytes: 0), Corner(time: duration, bytes: bytes)]
  }

  /// A file with given sizes for stretches of equal length; the last one ends with the file.
  ///
  /// - Precondition: as many sizes as stretches that begin before the end, at least one positive.
  public init(duration: MediaTime, stretch: MediaTime, sizes: [Int64]) {
    precondition(stretch > .zero && duration > .zero, "a stretch lasts")
    var corners = [Corner(time: .zero, bytes: 0)]
    corners.reserveCapacity(sizes.count + 1)
    var corner = corners[0]
    for size in sizes {
      precondition(size >= 0 && corner.time < duration, "sizes cover the duration, once")
      corner = Corner(time: min(duration, corner.time + stretch), bytes: corner.bytes + size)
      corners.append(corner)
    }
    precondition(corner.time == duration && corner.bytes > 0, "sizes cover the duration, once")
    self.corners = corners
  }

  package var duration: MediaTime { corners[corners.count - 1].time }

  package var bytes: Int64 { corners[corners.count - 1].bytes }

  /// The bytes that hold everything before a time, rounded up to whole ones.
  package func bytes(before time: MediaTime) -> Int64 { byte(at: time, rounding: .up) }

  /// The byte that a range request for a time begins at.
  package func byte(at time: MediaTime, rounding: Rounding = .down) -> Int64 {
    if time <= .zero { return 0 }
    if time >= duration { return bytes }
    let index = firstIndex { $0.time > time }
    let (start, end) = (corners[index - 1], corners[index])
    return start.bytes
      + scaled(
        (time - start.time).nanoseconds, by: end.bytes - start.bytes,
        over: (end.time - start.time).nanoseconds, rounding: rounding)
  }

  /// The media time that the first bytes hold, rounded down.
  package func time(ofFirst count: Int64) -> MediaTime {
    if count >= bytes { return duration }
    // A stretch of no bytes plays as soon as everything before it is there.
    let index = firstIndex { $0.bytes > count }
    let (start, end) = (corners[index - 1], corners[index])
    return start.time
      + MediaTime(
        nanoseconds: scaled(
          count - start.bytes, by: (end.time - start.time).nanoseconds,
          over: end.bytes - start.bytes, rounding: .down))
  }

  /// The index of the first corner after a time; the number of corners if there is none.
  package func firstCorner(after time: MediaTime) -> Int {
    if time < .zero { return 0 }
    return time >= duration ? corners.count : firstIndex { $0.time > time }
  }

  private func firstIndex(where isPast: (Corner) -> Bool) -> Int {
    corners[1..<(corners.count - 1)].partitionPoint(where: isPast)
  }
}
