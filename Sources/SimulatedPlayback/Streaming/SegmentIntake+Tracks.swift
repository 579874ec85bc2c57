import PlayerPolicies
import StreamingMedia
import VirtualTime

// In which track the sound comes.
//
// So that it comes once: beside the pictures, or with them in the main track, as that of a variant
// with the sound muxed in, and of one of sound alone, which is a rendition of its group.

extension SegmentIntake {
  /// The tracks in the order in which they ask.
  ///
  /// Behind the burst of a video segment a full queue would drop the other tracks' answers: they
  /// ask first, but for the first segments, and at a gap, behind which the tracks may be others.
  func turns(from position: MediaTime) -> StrideTo<Int> {
    if tracks.list.count > 1, tracks[0].end > position {
      let list = segments[tracks[0].list]
      if tracks[0].wanted >= list.count || !list[tracks[0].wanted].isGap {
        return stride(from: tracks.list.count - 1, to: -1, by: -1)
      }
    }
    return stride(from: 0, to: tracks.list.count, by: 1)
  }

  /// Lets the sound go on in one track where a new variant has it in another.
  ///
  /// - Parameter beside: The list of the sound that comes beside the new variant's pictures.
  func passSound(to beside: Int?) {
    let isBeside = tracks.first(of: .audio) != nil
    isJoiningSound = isBeside && beside == nil
    guard !isBeside, let beside else { return }
    // The main track has brought the sound so far, or is about to.
    let end = tracks[0].boundary
    let track = StreamTrack(
      .audio, list: beside, of: segments, next: presentation.lists[beside].next(after: end),
      at: end)
    track.buffer.reach(from: tracks[0].start)
    tracks.list.insert(track, at: 1)
  }

  /// Goes on with the main track alone once the sound beside it has come as far.
  func joinSound(isSoundAlone: Bool) {
    guard let audio = tracks.first(of: .audio) else {
      isJoiningSound = false
      return
    }
    if tracks[0].fetchID != nil || audio.fetchID != nil || !isFarEnough(audio) { return }
    // Video in the main track is needed from its loaded end on, and brings its audio again.
    if isSoundAlone {
      tracks[0].buffer.reach(to: audio.end)
      tracks[0].next = presentation.lists[tracks[0].list].next(after: audio.end)
    }
    logs.played.soundBeside = audio.buffer
    tracks.list.removeAll { $0 === audio }
    isJoiningSound = false
  }

  /// Whether a track asks for nothing until the sound has come as far as the picture.
  func holdsBack(_ track: StreamTrack) -> Bool {
    guard isJoiningSound, track.fetchID == nil else { return false }
    switch track.kind {
    case .main: return true
    case .audio: return isFarEnough(track)
    case .subtitles: return false
    }
  }

  private func isFarEnough(_ audio: StreamTrack) -> Bool {
    audio.end >= tracks[0].end && audio.nextPart == 0
  }

  /// Throws the probe segment away, and chooses the variant to begin with by what it showed.
  func endProbe(
    _ track: StreamTrack, _ fetch: SegmentFetch, _ choice: inout VariantChoice,
    _ rule: FirstVariantRule, _ estimate: Int64?, at now: Instant, _ log: inout PlaybackLog
  ) {
    let probe = ProbeResult(
      throughput: estimate ?? Estimate.rate(fetch.bytes, over: now - fetch.firstByte),
      took: now - fetch.began, length: fetch.end - fetch.start)
    // Bytes of the probe are asked for again.
    requests.bytesDiscarded += fetch.bytes
    track.fetch = nil
    track.goBack(to: fetch)
    guard let first = choice.begin(by: rule, after: probe) else { return }
    log.note(.variantChosen(first), of: requests.subject, at: now)
    goOn(with: first.variant, choice.lists)
  }

  func newTrack(_ kind: TrackKind, list: Int, under position: MediaTime) -> StreamTrack {
    let isOver = position >= presentation.lists[list].duration
    let index =
      presentation.lists[list].index(at: position) ?? (isOver ? segments[list].count : 0)
    return StreamTrack(
      kind, list: list, of: segments, next: index,
      at: index < segments[list].count ? segments[list][index].start : position)
  }

  // The effect that a change of the variant, or of the language, has on the tracks.

  /// Takes the segments that are still to be asked for from the lists of a variant.
  func goOn(with variant: Int, _ lists: VariantLists) {
    for index in tracks.indices {
      guard let list = lists.list(of: tracks[index].kind, for: variant),
        list != tracks[index].list
      else { continue }
      let track = tracks[index]
      track.list = list
      let (next, boundary) = (track.next, track.boundary)
      // A track in the middle of a segment in parts goes on with the part around its end: the same
      // where the lists share the segment.
      if track.nextPart > 0 {
        track.next = presentation.lists[list].index(at: boundary) ?? segments[list].count
        if !track.isThrough {
          track.nextPart = presentation.lists[list].partCount(of: track.next, endingBy: boundary)
        }
        continue
      }
      // Switches happen at segment boundaries, which most playlists share.
      let isShared =
        next < segments[list].count && segments[list][next].start == boundary
        && (next == 0 || segments[list][next - 1].start < boundary)
      track.next = isShared ? next : presentation.lists[list].next(after: boundary)
    }
    passSound(to: lists.list(of: .audio, for: variant))
  }

  /// Plays the language selected of a variant, or none.
  func play(
    _ selection: MediaSelection, of variant: Int, _ lists: VariantLists, _ item: PlayerItem,
    at now: Instant, on stage: inout Stage
  ) {
    var kind = selection.kind
    if kind == .audio, lists.isSoundAlone(variant) {
      leaveSoundBeside(at: now, on: &stage)
      kind = .main
    }
    let list = lists.list(of: kind, for: variant)
    let track = tracks.first(of: kind)
    // Only subtitles can be switched on and off.
    if track?.list == list || kind != .subtitles && (track == nil || list == nil) { return }
    if let track { drop(track, at: now, on: &stage) }
    var discarded = MediaTime.zero
    if let track, let list {
      discarded = restart(track, with: list, item, at: now)
    } else if let track {
      discarded = max(.zero, track.end - item.time(at: now))
      bookDiscarded(track, from: item.time(at: now))
      tracks.list.removeAll { $0 === track }
    } else if let list {
      tracks.list.append(newTrack(kind, list: list, under: item.time(at: now)))
    }
    stage.log.note(.mediaSelected(selection, discarded: discarded), of: requests.subject, at: now)
  }

  /// Gives up the sound that is still beside the main track: another is going to be played.
  private func leaveSoundBeside(at now: Instant, on stage: inout Stage) {
    isJoiningSound = false
    guard let audio = tracks.first(of: .audio) else { return }
    drop(audio, at: now, on: &stage)
    logs.bookPlayed(tracks, at: now)
    tracks.list.removeAll { $0 === audio }
  }

  // Log entries for the segments of a stream.

  /// Books a segment that is there, and what is wrong with it.
  func book(
    _ kind: TrackKind, _ fetch: SegmentFetch, declared bandwidth: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    if kind == .main, logs.variant != fetch.variant {
      logs.plays(
        source(of: fetch.variant), variant: fetch.variant, estimate: policy.observedBitRate,
        at: now)
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
    logs.gaveUp(bytes, hasBegun: fetch.hasResponded, at: now)
    requests.bytesAbandoned += bytes
    if kind == .main { logs.staysWithVariant() }
  }

  /// Puts an error into the log and into the trace.
  func report(_ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog) {
    logs.note(error)
    log.note(.errorLogged(error), of: requests.subject, at: now)
  }

  /// The access log's facts about a variant.
  private func source(of variant: Int) -> LogKeeper.Source {
    LogKeeper.Source(
      // "The URI of the current variant" (WWDC18 502).
      uri: presentation.lists[presentation.variants[variant].list].uri,
      indicated: presentation.variants[variant].attributes.bandwidth,
      indicatedAverage: presentation.variants[variant].attributes.averageBandwidth,
      type: type)
  }

  func uri(of fetch: SegmentFetch) -> String { presentation.lists[fetch.list].uri(of: fetch.index) }
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
