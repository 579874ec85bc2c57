import LinkConditioner
import PlayerPolicies
package import StreamingMedia
package import VirtualTime

// The tracks of a stream that are played together: pictures, sound, subtitles. The main track comes
// first. Playback waits for it and for the sound, and not for subtitles.

extension [StreamTrack] {
  /// The list of the main track; nil before there are any tracks.
  var mainList: Int? { isEmpty ? nil : self[0].list }

  func index(of kind: TrackKind) -> Int? {
    for index in indices where self[index].kind == kind { return index }
    return nil
  }

  /// The track that a request brings something for; nil where it is for none.
  func index(fetching id: TransferID) -> Int? {
    for index in indices where self[index].fetchID == id { return index }
    return nil
  }

  func plays(_ list: Int) -> Bool {
    for index in indices where self[index].list == list { return true }
    return false
  }

  mutating func removeSubtitles() { removeAll { $0.kind == .subtitles } }
}

// MARK: - Contents

extension [StreamTrack] {
  /// The end of the contiguous media that begins at a position, in every track that is needed.
  func loadedEnd(from position: MediaTime) -> MediaTime {
    if isEmpty { return position }
    var end = MediaTime.distantFuture
    for index in indices where self[index].kind != .subtitles {
      if !self[index].buffer.contains(position) { return position }
      end = Swift.min(end, self[index].countedEnd)
    }
    return Swift.max(position, end)
  }

  /// The end of what can be heard while the picture stands still for so long, and no longer than
  /// to a place.
  func audibleEnd(
    from position: MediaTime, freezing: MediaTime, to reach: MediaTime
  ) -> MediaTime {
    guard count > 1, let sound = index(of: .audio), sound != 0 else {
      return loadedEnd(from: position)
    }
    let shown = self[0].countedEnd
    let end = Swift.min(
      shown + freezing, Swift.max(shown, reach), self[sound].countedEnd)
    let hasBoth =
      self[0].start <= position && position < end && self[sound].buffer.contains(position)
    return hasBoth ? end : loadedEnd(from: position)
  }

  /// Whether bytes of a segment under way change how much counts: a segment waits for something of
  /// the next one, or what has come of it counts.
  var countsBytes: Bool {
    for index in indices where self[index].heldEnd != nil || self[index].fetch?.countsFrom != nil {
      return true
    }
    return false
  }

  /// The time for which the loaded media lasts; nil where nothing is loaded.
  func lasts(_ playhead: Playhead, at now: Instant) -> TimeSpan? {
    let position = playhead.time(at: now)
    let ahead = loadedEnd(from: position) - position
    return ahead > .zero ? playhead.rateOfPlay.span(toPlay: ahead) : nil
  }

  func loadedTimeRanges() -> [Range<MediaTime>] {
    if isEmpty { return [] }
    var (start, end) = (MediaTime.zero, MediaTime.distantFuture)
    for index in indices where self[index].kind != .subtitles {
      start = Swift.max(start, self[index].start)
      end = Swift.min(end, self[index].end)
    }
    return start < end ? [start..<end] : []
  }

  /// Whether what is under way in a track begins at a time, or later.
  func fetchesFrom(_ time: MediaTime, in index: Int) -> Bool {
    guard let start = self[index].fetch?.start else { return false }
    return start >= time
  }

  /// The segment of the main track that is asked for next.
  var mainNext: Int { isEmpty ? 0 : self[0].next }

  /// Whether something of every track that is needed is there.
  var isReady: Bool {
    if isEmpty { return false }
    for index in indices where self[index].kind != .subtitles && self[index].buffer.isEmpty {
      return false
    }
    return true
  }

  /// Whether something of a track is under way, or there without its key.
  var isFetching: Bool {
    for index in indices where self[index].fetchID != nil { return true }
    return false
  }

  /// Whether bytes of a segment are coming in.
  var isReceiving: Bool {
    for index in indices where self[index].isReceiving { return true }
    return false
  }
}

extension SegmentList {
  /// The largest distance between two playlists' roundings of the same boundary: our assumption,
  /// little more than a frame of a film.
  private static let boundaryTolerance = MediaTime.milliseconds(50)

  /// The segment that follows what is loaded up to a time: the one that begins there, else the one
  /// around it, whose beginning is loaded twice.
  package func next(after boundary: MediaTime) -> Int {
    if let next = firstIndex(startingAtOrAfter: boundary),
      segments[next].start - boundary <= SegmentList.boundaryTolerance
    {
      return next
    }
    return index(at: boundary) ?? segments.count
  }
}

// MARK: - Requests under way and forward buffer

extension [StreamTrack] {
  /// The instant at which the first media file under way has to be checked for progress.
  func nextWatch(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    for index in indices {
      guard let due = self[index].fetch?.watchedUntil, due > now, !self[index].awaitsKey else {
        continue
      }
      next = Swift.min(next, due)
    }
    return next
  }

  /// The bytes of the segments of which nothing has been played, of every track that is waited for.
  func bytesAhead(of position: MediaTime) -> Int64 {
    var bytes: Int64 = 0
    for index in indices where self[index].kind != .subtitles {
      bytes += self[index].buffer.bytes(startingAtOrAfter: position)
    }
    return bytes
  }

  /// The ends of the loaded video and audio; nil without a separate audio track.
  var endsApart: (picture: MediaTime, sound: MediaTime)? {
    guard let sound = index(of: .audio) else { return nil }
    return (self[0].end, self[sound].end)
  }
}
