package import VirtualTime

/// A session as its viewer had it: all that an objective is worked out of.
package struct ViewedSession: Hashable, Sendable {
  /// A stretch of media of one quality.
  package struct Segment: Hashable, Sendable {
    package var length: MediaTime
    /// The nominal rate of its variant, in bit/s: the largest segment does not count.
    package var bitsPerSecond: Int64

    package init(length: MediaTime, bitsPerSecond: Int64) {
      self.length = length
      self.bitsPerSecond = bitsPerSecond
    }
  }

  package struct Stall: Hashable, Sendable {
    /// Where the playhead stood.
    package var place: MediaTime
    package var length: TimeSpan

    package init(place: MediaTime, length: TimeSpan) {
      self.place = place
      self.length = length
    }
  }

  /// Nil where playback never began.
  package var startup: TimeSpan?
  /// The first stalls, of which a run of any length keeps no more than some thousands.
  package var stalls: [Stall]
  package var stallCount: Int64
  package var stalled: TimeSpan
  package var played: TimeSpan
  /// In the order in which they play.
  package var segments: [Segment]
  /// How much was played of each quality: less than the segments have where they were not played
  /// to the end.
  package var shown: [Segment]

  package init(
    startup: TimeSpan?, stalls: [Stall] = [], stallCount: Int64? = nil, stalled: TimeSpan? = nil,
    played: TimeSpan, segments: [Segment] = [], shown: [Segment]? = nil
  ) {
    self.startup = startup
    self.stalls = stalls
    self.stallCount = stallCount ?? Int64(stalls.count)
    self.stalled = stalled ?? stalls.reduce(.zero) { $0 + $1.length }
    self.played = played
    self.segments = segments
    self.shown = shown ?? segments
  }
}
