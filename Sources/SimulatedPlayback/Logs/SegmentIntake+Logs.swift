import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// Log entries for the segments of a stream.

extension SegmentIntake {
  /// Books that the first byte of a segment is there.
  func beginsToCome(_ index: Int, at now: Instant) {
    if tracks[index].kind == .main, let fetch = tracks[index].fetch {
      logs.comes(variant: fetch.variant, at: now)
    }
  }

  /// Books a segment that is there, and what is wrong with it.
  ///
  /// - Parameter bandwidth: Bandwidth that its variant declares.
  func book(
    _ kind: TrackKind, _ fetch: SegmentFetch, declared bandwidth: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    if kind == .main, logs.variant != fetch.variant {
      logs.plays(
        LogKeeper.Source(presentation, variant: fetch.variant, isLive: asset.live != nil),
        variant: fetch.variant, estimate: policy.observedBitRate, at: now)
    }
    logs.segmentArrived(
      ArrivedSegment(
        kind: kind, bytes: fetch.bytes, duration: fetch.end - fetch.start,
        requested: fetch.began, firstByte: fetch.firstByte), at: now)
    if kind == .main, fetch.part == nil,
      fetch.exceeds(bandwidth, target: presentation.lists[fetch.list].targetDuration)
    {
      report(.segmentExceedsBandwidth(uri(of: fetch), at: now), at: now, &stage.log)
    }
  }

  /// Books what came of a segment that is given up or broke.
  func bookPart(_ kind: TrackKind, _ fetch: SegmentFetch, _ bytes: Int64, at now: Instant) {
    logs.transferred(bytes, over: fetch.hasResponded ? now - fetch.firstByte : .zero)
    requests.bytesAbandoned += bytes
    if kind == .main { logs.staysWithVariant() }
  }

  /// Puts an error into the log and into the trace.
  func report(_ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog) {
    logs.note(error)
    log.note(.errorLogged(error), of: requests.subject, at: now)
  }

  func uri(of fetch: SegmentFetch) -> String {
    presentation.lists[fetch.list].uri(of: fetch.index)
  }
}

extension LogKeeper.Source {
  init(_ presentation: Presentation, variant: Int, isLive: Bool) {
    let attributes = presentation.variants[variant].attributes
    self.init(
      // "The URI of the current variant" (WWDC18 502).
      uri: presentation.lists[presentation.variants[variant].list].uri,
      indicated: attributes.bandwidth, indicatedAverage: attributes.averageBandwidth,
      type: isLive || presentation.isLive ? .live : .videoOnDemand)
  }
}

extension SegmentFetch {
  // HLS authoring specification 1.27: the peak that is measured lies within 10 % of BANDWIDTH; that
  // the player allows as much is our assumption. §4.4.6.2: peaks are those of segments of at least
  // half the target duration.
  /// Whether the segment needs more than its variant declares.
  fileprivate func exceeds(_ bandwidth: Int64, target: MediaTime) -> Bool {
    let duration = (end - start).nanoseconds
    if duration * 2 < target.nanoseconds { return false }
    let allowed = saturatingProduct(Int128(bandwidth) &* Int128(duration), 11)
    return Int128(bytes) &* 80_000_000_000 > allowed
  }
}
