import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Whether a track may ask for its next segment, by the rule of how far ahead is read.
///
/// Perf: the rule goes along with each question; a copy of it cost more than the question.
struct TrackRoom {
  let track: Int
  /// The duration of that segment; nil where there is none.
  let length: MediaTime?

  init(_ intake: SegmentIntake, _ track: Int) {
    self.track = track
    let (list, next) = (intake.tracks[track].list, intake.tracks[track].next)
    length =
      next < intake.segments[list].count ? intake.segments[list][next].duration : nil
  }

  /// Whether there is room for it with the playhead at a position.
  func isThere(
    in tracks: inout [StreamTrack], _ rule: FetchRule, from position: MediaTime, at now: Instant
  ) -> Bool {
    if isAhead(in: tracks, rule, position) { return false }
    let isFull = isFull(tracks, rule, position)
    if rule.sleeps <= .zero { return !isFull }
    if isFull && tracks[track].fullSince == nil { tracks[track].fullSince = now }
    guard let since = tracks[track].fullSince else { return true }
    return !isFull && rule.look(from: now, since: since) <= now
  }

  /// The instant at which the playhead makes room for it in a track that is full.
  func comes(
    in tracks: [StreamTrack], _ rule: FetchRule, _ playhead: Playhead, at now: Instant
  ) -> Instant {
    guard let length else { return .distantFuture }
    var room = Instant.zero
    if let place = rule.place(makingRoomFor: length, behind: tracks[track].end) {
      room = playhead.timebase.instant(reaching: place)
    }
    let position = playhead.time(at: now)
    if track > 0, rule.trackFloor > 0, isAhead(in: tracks, rule, position) {
      let mark = tracks[track].end - MediaTime(nanoseconds: length.nanoseconds * rule.trackFloor)
      room = max(room, playhead.timebase.instant(reaching: mark))
    }
    if let bytes = rule.bytes, bytesAhead(in: tracks, position) >= bytes,
      let played = tracks[track].buffer.segment(at: position)
    {
      // With the next segment there is less ahead.
      room = max(room, playhead.timebase.instant(reaching: played.end))
    }
    return rule.look(from: room, since: tracks[track].fullSince ?? now)
  }

  // The tracks go along whole: to hand on one of them would copy it.
  private func isFull(
    _ tracks: [StreamTrack], _ rule: FetchRule, _ position: MediaTime
  ) -> Bool {
    let place = rule.place(makingRoomFor: length ?? .zero, behind: tracks[track].end)
    if let place, position < place { return true }
    guard let bytes = rule.bytes else { return false }
    return bytesAhead(in: tracks, position) >= bytes
  }

  /// The bytes of the segments after the playing one; one that begins at the playhead plays.
  private func bytesAhead(in tracks: [StreamTrack], _ position: MediaTime) -> Int64 {
    tracks[track].buffer.bytes(startingAtOrAfter: position + MediaTime(nanoseconds: 1))
  }

  /// Whether it waits until the main track has come further.
  private func isAhead(
    in tracks: [StreamTrack], _ rule: FetchRule, _ position: MediaTime
  ) -> Bool {
    track > 0
      && rule.holdsBack(
        length ?? .zero, behind: tracks[track].end, main: tracks[0].end, from: position)
  }
}
