import LinkConditioner
import StreamingMedia
import VirtualTime

// Which variant the next segment is taken from, which language is played, and when a segment is
// given up.

extension StreamLoader {
  /// Chooses the variant for the segments that are still to be asked for.
  func adapt(_ position: MediaTime, at now: Instant, on stage: inout Stage) {
    releaseVariants(at: now, on: &stage)
    choice.isDue = false
    let ahead = max(.zero, tracks.loadedEnd(from: position) - position)
    if let better = choice.next(by: settings.adaptation, meter.bitsPerSecond, ahead: ahead) {
      switchTo(better, at: now, on: &stage)
    }
  }

  /// Whether what is asked for next may be of another variant: not in the middle of a segment.
  var isAtBoundary: Bool { tracks.isEmpty || tracks[0].nextPart == 0 }

  func switchTo(_ new: Int, at now: Instant, on stage: inout Stage) {
    guard let old = choice.current else { return }
    stage.log.note(.variantSwitchStarted(from: Int32(old), to: Int32(new)), of: subject, at: now)
    choice.current = new
    for index in tracks.indices {
      guard let list = choice.lists.list(of: tracks[index].kind, for: new),
        list != tracks[index].list
      else { continue }
      tracks[index].list = list
      // Whoever is in the middle of a segment in parts goes on with the same part.
      if tracks[index].nextPart > 0 { continue }
      // Switching happens at a segment boundary.
      tracks[index].next = presentation.lists[list].next(after: tracks[index].boundary)
    }
    tracks.passSound(to: choice.lists.list(of: .audio, for: new), of: presentation.lists)
  }

  /// Gives up the main segment under way for one of a lower variant, where there is one.
  ///
  /// - Parameter known: What the link brings, where that is known better than by the estimate.
  private func abandon(known: BitRate? = nil, at now: Instant, on stage: inout Stage) {
    guard let current = choice.current, !tracks.isEmpty, let fetch = tracks[0].fetch,
      !fetch.isComplete, choice.lower(than: current, within: .zero) != nil
    else { return }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    stage.log.note(
      .segmentAbandoned(fetch.id, bytes: arrived, of: fetch.bytes), of: subject, at: now)
    drop(0, at: now, on: &stage)
    meter.closeSample()
    tracks[0].next = fetch.index
    let budget = known ?? meter.bitsPerSecond.map { BitRate.bitsPerSecond($0) }
    if let best = choice.lower(than: current, within: budget ?? .zero) {
      switchTo(best, at: now, on: &stage)
    }
  }
}

// MARK: - Going down before the buffer is played out

extension StreamLoader {
  /// Sees to it that the main segment under way is looked at in time, and given up when it has
  /// taken too long.
  func planRescue(_ playhead: Playhead, at now: Instant) {
    guard !tracks.isEmpty, let id = tracks[0].fetchID, tracks[0].isFetchingWhole else {
      rescueWatch.stop()
      return
    }
    let isNew = rescueWatch.id != id
    // While nothing plays, a slow segment cannot stall, so it is not watched.
    guard playhead.isMoving else {
      if isNew { rescueWatch.stop() }
      return
    }
    if !isNew && rescueWatch.due > now { return }
    let lasts = bufferLasts(playhead, at: now)
    let rule = RescueRule(settings, without: without)
    if isNew {
      rescueWatch.watch(id, since: tracks[0].fetchBegan ?? now, lasts: lasts, rule, at: now)
    } else {
      rescueWatch.planLook(lasts, rule, at: now)
    }
  }

  /// Looks at the segment that is watched, where it is time to.
  func attendRescue(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    if rescueWatch.patienceEnds <= now {
      rescueWatch.patienceHasEnded()
      // Of what does not come at all nothing is known: that is for the timeout to say.
      if !tracks.isEmpty, let fetch = tracks[0].fetch, arrivedBytes(fetch, at: now, on: stage) > 0 {
        abandon(at: now, on: &stage)
      }
    } else if playhead.isMoving, rescueWatch.due <= now {
      rescue(playhead, at: now, on: &stage)
    }
  }

  /// How long what is loaded lasts; nil where nothing is.
  private func bufferLasts(_ playhead: Playhead, at now: Instant) -> TimeSpan? {
    let position = playhead.time(at: now)
    let ahead = tracks.loadedEnd(from: position) - position
    return ahead > .zero ? playhead.timebase.rate.span(toPlay: ahead) : nil
  }

  /// Looks at the segment under way, and gives it up if it would leave too little ahead.
  private func rescue(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    guard !tracks.isEmpty, let fetch = tracks[0].fetch, fetch.id == rescueWatch.id,
      !fetch.isComplete, let lasts = bufferLasts(playhead, at: now)
    else { return }
    let look = rescueWatch.look(arrivedBytes(fetch, at: now, on: stage), at: now)
    if let rate = look.rate, !sustains(fetch, rate), isTooSlow(fetch, look, lasts, playhead) {
      let known = withMargin(rate)
      if isWorthwhile(fetch, missing: fetch.bytes - look.arrived, known) {
        abandon(known: known, at: now, on: &stage)
        return
      }
    }
    rescueWatch.keep(look, at: now)
    rescueWatch.planLook(lasts, RescueRule(settings, without: without), at: now)
  }

  /// Whether less than a segment's length would be left once the segment is in.
  private func isTooSlow(
    _ fetch: SegmentFetch, _ look: RescueWatch.Look, _ lasts: TimeSpan, _ playhead: Playhead
  ) -> Bool {
    let length = presentation.lists[fetch.list].segments[fetch.index].duration
    return look.rest(of: fetch.bytes)
      + Int128(playhead.timebase.rate.span(toPlay: length).nanoseconds)
      > Int128(lasts.nanoseconds)
  }

  /// A rate less the margin of the rule.
  private func withMargin(_ rate: Int64) -> BitRate {
    guard case .throughput(let rule) = settings.adaptation else { return .bitsPerSecond(rate) }
    return .bitsPerSecond(scaled(rate, by: rule.safetyPercent, over: 100, rounding: .down))
  }

  /// Whether the network keeps real time with the variant: then nothing needs to be given up.
  private func sustains(_ fetch: SegmentFetch, _ rate: Int64) -> Bool {
    choice.rungs[fetch.variant].sustained <= .bitsPerSecond(rate)
  }

  /// Whether the segment of the variant that it would be given up for is smaller than what is
  /// missing of this one.
  private func isWorthwhile(_ fetch: SegmentFetch, missing: Int64, _ rate: BitRate) -> Bool {
    guard let lower = choice.lower(than: fetch.variant, within: rate),
      let list = choice.lists.list(of: .main, for: lower)
    else { return false }
    let start = presentation.lists[fetch.list].segments[fetch.index].start
    guard let index = presentation.lists[list].index(at: start) else { return false }
    return presentation.lists[list].segments[index].bytes < missing
  }
}

// MARK: - Languages

extension StreamLoader {
  /// Plays another language from now on.
  ///
  /// A language change discards the audio buffer (WWDC18 502). While the playhead moves, the
  /// segment that it is in is played to its end; one that stands has nothing in its pipeline.
  func select(
    _ selection: MediaSelection, _ playhead: Playhead, at now: Instant, on stage: inout Stage
  ) {
    settings.select(selection)
    guard let variant = choice.current else { return }
    var kind = selection.kind
    if kind == .audio, choice.lists.isSoundAlone(variant) {
      leaveSoundBeside(at: now, on: &stage)
      kind = .main
    }
    let list = choice.lists.list(of: kind, for: variant)
    guard let index = tracks.index(of: kind) else {
      if let list, kind == .subtitles {
        tracks.add(track(kind, list: list, playhead.time(at: now)))
      }
      return
    }
    if tracks[index].list == list { return }
    drop(index, at: now, on: &stage)
    guard let list else {
      // Nobody listens to nothing: only subtitles can be switched off.
      if kind == .subtitles { tracks.remove(at: index) }
      return
    }
    let discarded = restart(index, with: list, playhead, at: now)
    stage.log.note(.mediaSelected(selection, discarded: discarded), of: subject, at: now)
  }

  /// Gives up the sound that is still beside the main track: another is going to be played.
  private func leaveSoundBeside(at now: Instant, on stage: inout Stage) {
    tracks.isJoiningSound = false
    guard let audio = tracks.index(of: .audio) else { return }
    drop(audio, at: now, on: &stage)
    tracks.remove(at: audio)
  }

  /// Lets a track go on with another list, and says how much of the old one is thrown away.
  private func restart(
    _ index: Int, with list: Int, _ playhead: Playhead, at now: Instant
  ) -> MediaTime {
    let position = playhead.time(at: now)
    let end = tracks[index].end
    let kept =
      without.contains(.languageChangeDiscards) ? end : boundary(of: index, playhead, now)
    let segments = presentation.lists[list]
    let next = segments.index(at: kept ?? position) ?? segments.segments.count
    tracks[index].list = list
    tracks[index].next = next
    if let kept {
      tracks[index].buffer.cut(at: kept)
    } else {
      tracks[index].buffer.restart(
        at: next < segments.segments.count ? segments.segments[next].start : position)
    }
    return max(.zero, end - max(position, kept ?? .zero))
  }

  /// The end of the segment that is being played; nil where none is.
  private func boundary(
    of index: Int, _ playhead: Playhead, _ now: Instant
  ) -> MediaTime? {
    let position = playhead.time(at: now)
    let segments = presentation.lists[tracks[index].list]
    guard playhead.isMoving, tracks[index].buffer.contains(position),
      let played = segments.index(at: position)
    else { return nil }
    return min(tracks[index].end, segments.segments[played].end)
  }
}
