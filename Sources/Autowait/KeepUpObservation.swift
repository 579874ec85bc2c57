package import VirtualTime

/// What a heuristic is asked for.
package enum KeepUpPurpose: Hashable, Sendable, CaseIterable {
  /// Playback has not moved since the item, or since a seek out of the buffer.
  case start
  /// Playback ran dry.
  case resume
  /// Playback is moving.
  case keepPlaying
}

/// Everything that a heuristic may look at, as one value.
public struct KeepUpObservation: Hashable, Sendable {
  package var now: Instant
  package var purpose: KeepUpPurpose
  /// The rate asked for, or the one that play would ask for; never zero.
  package var rate: PlaybackRate
  package var playhead: MediaTime
  /// The end of the contiguous media that begins at the playhead.
  package var loadedEnd: MediaTime
  /// Where playback will end.
  package var end: MediaTime
  /// What has arrived of the demand, going on as the estimator predicts; nil before anything is
  /// known of the throughput.
  package var arrival: ByteFlow?
  /// The bytes of the current request, and of those to follow it, by media time.
  package var demand: DemandCurve
  /// What is known of a stream; nil for a file.
  package var stream: SegmentObservation?

  package init(
    now: Instant, purpose: KeepUpPurpose, rate: PlaybackRate, playhead: MediaTime,
    loadedEnd: MediaTime, end: MediaTime, arrival: ByteFlow?, demand: DemandCurve,
    stream: SegmentObservation? = nil
  ) {
    self.now = now
    self.purpose = purpose
    self.rate = rate
    self.playhead = playhead
    self.loadedEnd = loadedEnd
    self.end = end
    self.arrival = arrival
    self.demand = demand
    self.stream = stream
  }

  /// Media between the playhead and the loaded edge.
  package var ahead: MediaTime { max(.zero, loadedEnd - playhead) }

  package var isEverythingLoaded: Bool { loadedEnd >= end }

  /// When the media before `time` will be there, if bytes keep coming as predicted.
  func arrival(ofMediaBefore time: MediaTime) -> Instant {
    if time <= loadedEnd { return now }
    guard let arrival else { return .distantFuture }
    return max(now, arrival.instant(reaching: max(nextByte(arrival), demand.bytes(before: time))))
  }

  /// When there is something under the playhead: to start, the first byte must be there.
  var firstByte: Instant {
    guard let arrival else { return .distantFuture }
    return max(now, arrival.instant(reaching: nextByte(arrival)))
  }

  /// The byte without which the loaded edge stays where it is, even if what comes next is media of
  /// no bytes.
  private func nextByte(_ arrival: ByteFlow) -> Int64 {
    let next = max(demand.knots.first?.bytes ?? 0, arrival.bytes(at: now)) + 1
    return max(next, demand.bytes(before: playhead))
  }
}

/// What is known of media that comes in segments.
package struct SegmentObservation: Hashable, Sendable {
  /// How many whole segments came in since the buffer was last empty.
  package var wholeSegments: Int64
  /// What the chosen variant needs in the long run, its audio included.
  package var neededBitRate: BitRate?
  /// The estimate; nil before the first segment is complete.
  package var throughput: BitRate?
  /// Whether nobody knows where it ends: a live stream.
  package var goesOn: Bool

  package init(
    wholeSegments: Int64, neededBitRate: BitRate?, throughput: BitRate?, goesOn: Bool = false
  ) {
    self.wholeSegments = wholeSegments
    self.neededBitRate = neededBitRate
    self.throughput = throughput
    self.goesOn = goesOn
  }
}

/// What a heuristic says.
public struct KeepUpVerdict: Hashable, Sendable {
  package var isLikely: Bool
  /// Why.
  package var clause: KeepUpClause
  /// The earliest instant at which the verdict could change without a new observation.
  package var changesAt: Instant

  package init(_ isLikely: Bool, _ clause: KeepUpClause, changesAt: Instant = .distantFuture) {
    self.isLikely = isLikely
    self.clause = clause
    self.changesAt = changesAt
  }
}

/// The clause of a heuristic that fired.
public enum KeepUpClause: String, Hashable, Sendable, CaseIterable {
  /// There is nothing under the playhead.
  case nothingLoaded
  /// Everything from the playhead to the end is there.
  case everythingLoaded
  /// Nothing is known of the throughput yet.
  case noThroughput
  /// Every remaining byte is predicted to come before it is due.
  case everyByteInTime
  /// Some byte is predicted to come after it is due.
  case someByteLate
  /// As much is loaded as the threshold asks for.
  case thresholdReached
  /// Less is loaded than the threshold asks for.
  case belowThreshold
  /// Playing, and not dry.
  case stillPlaying
  /// Something is loaded, and no more is asked.
  case anythingLoaded
  /// Not everything is loaded, and no less is accepted.
  case notEverythingLoaded
  /// No whole segment is there.
  case noWholeSegment
  /// A whole segment of every rendition is there, and the throughput sustains the variant.
  case throughputSustains
  /// The throughput does not sustain a stream without an end to be reached.
  case throughputFallsShort
}
