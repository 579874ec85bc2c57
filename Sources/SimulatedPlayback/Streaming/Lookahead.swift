import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

/// Holds back a loaded segment until enough bytes of the next one have arrived.
struct Lookahead {
  /// The instant at which enough bytes of the next segment will have arrived, at the present rate.
  private(set) var due = Instant.distantFuture
  private var hasHeld = false
  /// Whether interleaved media has been opened, so that from its next segment on each byte counts.
  private var hasOpened = false

  /// Whether the segment that has just come does not count yet.
  mutating func holds(_ policy: PlayerPolicy) -> Bool {
    if policy.lookahead <= 0 || (hasHeld && policy.looksAheadOnce) { return false }
    hasHeld = true
    return true
  }

  /// The bytes of a segment that must come before what has come counts; nil where all of them.
  func countsFrom(_ rule: FetchRule, _ presentation: Presentation) -> Int64? {
    presentation.isInterleaved ? rule.interleavedFrom.map { hasOpened ? 0 : $0 } : nil
  }

  /// The length of media in which what has come of a segment counts: our assumption.
  private static let step: Int64 = 100_000_000

  /// What has come of a segment and does not count yet, in whole steps; nil where none has.
  ///
  /// - Parameter segment: The first that the request brings; others come beside it, and not before.
  mutating func piece(
    _ fetch: SegmentFetch, of segment: MediaSegment, at now: Instant, on stage: borrowing Stage
  ) -> BufferedSegment? {
    guard let from = fetch.countsFrom, fetch.hasResponded, !fetch.isComplete,
      let inflow = fetch.inflow(at: now, on: stage)
    else { return nil }
    let arrived = fetch.arrived(at: now, along: inflow)
    let length = (segment.end - segment.start).nanoseconds
    let step = max(1, scaled(fetch.bytes, by: Self.step, over: max(1, length), rounding: .up))
    let next = min(fetch.bytes, max(from, (arrived / step + 1) * step))
    due = min(due, inflow.holds, inflow.line.instant(reaching: next))
    let bytes = arrived / step * step
    if arrived < from || bytes <= (fetch.counted?.bytes ?? 0) { return nil }
    hasOpened = true
    let end = scaled(length, by: bytes, over: fetch.bytes, rounding: .down)
    return BufferedSegment(
      variant: fetch.variant, list: fetch.list, index: fetch.index,
      start: fetch.counted?.end ?? fetch.start, end: fetch.start + MediaTime(nanoseconds: end),
      bytes: bytes - (fetch.counted?.bytes ?? 0), arrived: now)
  }

  /// Lets segments count of whose successor so many bytes have come, or which have none under way.
  mutating func release(
    _ tracks: inout [StreamTrack], after bytes: Int64, at now: Instant, on stage: borrowing Stage
  ) {
    due = .distantFuture
    for index in tracks.indices where tracks[index].heldEnd != nil {
      guard let fetch = tracks[index].fetch else {
        tracks[index].heldEnd = nil
        continue
      }
      let wanted = min(bytes, fetch.bytes)
      if fetch.arrived(at: now, on: stage) >= wanted {
        tracks[index].heldEnd = nil
      } else if fetch.hasResponded, let (flow, holds) = stage.flow(of: fetch.id, at: now) {
        due = min(due, holds, flow.instant(reaching: wanted))
      }
    }
  }
}

extension SegmentIntake {
  /// Lets segments count of whose successor enough has come, and what has come of interleaved ones.
  func release(at now: Instant, on stage: borrowing Stage) {
    lookahead.release(&tracks, after: policy.lookahead, at: now, on: stage)
    for index in tracks.indices {
      guard let fetch = tracks[index].fetch,
        let piece = lookahead.piece(
          fetch, of: segments[fetch.list][fetch.index], at: now, on: stage),
        // What is there of an earlier request plays until this one has brought more.
        piece.end > tracks[index].end
      else { continue }
      insert(piece, index, at: now)
      tracks[index].fetch?.counted = ((fetch.counted?.bytes ?? 0) + piece.bytes, piece.end)
    }
  }
}
