import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// Which variant the next segment is taken from, which language is played, and when a segment is
// given up.

extension StreamLoader {
  /// Chooses the variant for the segments that are still to be asked for.
  func adapt(_ position: MediaTime, at now: Instant, on stage: inout Stage) {
    releaseVariants(at: now, on: &stage)
    choice.isDue = false
    let ahead = max(.zero, intake.tracks.loadedEnd(from: position) - position)
    if let better = choice.next(by: settings.adaptation, intake.meter.bitsPerSecond, ahead: ahead) {
      switchTo(better.variant, .chosen(better.clause), at: now, on: &stage)
    }
  }

  /// Whether what is asked for next may be of another variant: not in the middle of a segment.
  var isAtBoundary: Bool { intake.tracks.isEmpty || intake.tracks[0].nextPart == 0 }

  func switchTo(_ new: Int, _ reason: SwitchReason, at now: Instant, on stage: inout Stage) {
    guard let old = choice.current else { return }
    stage.log.note(
      .variantSwitchStarted(from: Int32(old), to: Int32(new), reason), of: subject, at: now)
    choice.current = new
    for index in intake.tracks.indices {
      guard let list = choice.lists.list(of: intake.tracks[index].kind, for: new),
        list != intake.tracks[index].list
      else { continue }
      intake.tracks[index].list = list
      // Whoever is in the middle of a segment in parts goes on with the same part.
      if intake.tracks[index].nextPart > 0 { continue }
      // Switching happens at a segment boundary.
      intake.tracks[index].next = presentation.lists[list].next(
        after: intake.tracks[index].boundary)
    }
    intake.tracks.passSound(to: choice.lists.list(of: .audio, for: new), of: presentation.lists)
  }

  /// Gives up the main segment under way for one of a lower variant, where there is one.
  ///
  /// - Parameter known: What the link brings, where that is known better than by the estimate.
  private func abandon(
    _ clause: AbandonClause, known: BitRate? = nil, at now: Instant, on stage: inout Stage
  ) {
    guard let current = choice.current, !intake.tracks.isEmpty, let fetch = intake.tracks[0].fetch,
      !fetch.isComplete, choice.lower(than: current, within: .zero) != nil
    else { return }
    let arrived = intake.arrivedBytes(fetch, at: now, on: stage)
    stage.log.note(
      .segmentAbandoned(fetch.id, bytes: arrived, of: fetch.bytes, clause), of: subject, at: now)
    intake.drop(0, at: now, on: &stage)
    intake.meter.closeSample()
    intake.tracks[0].next = fetch.index
    let budget = known ?? intake.meter.bitsPerSecond.map { BitRate.bitsPerSecond($0) }
    if let best = choice.lower(than: current, within: budget ?? .zero) {
      switchTo(best, .abandoned(clause), at: now, on: &stage)
    }
  }
}

// MARK: - Going down before the buffer is played out

extension StreamLoader {
  /// Sees to it that the main segment under way is looked at in time, and given up when it has
  /// taken too long.
  func planRescue(_ playhead: Playhead, at now: Instant) {
    guard !intake.tracks.isEmpty, let id = intake.tracks[0].fetchID,
      intake.tracks[0].isFetchingWhole
    else {
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
      rescueWatch.watch(id, since: intake.tracks[0].fetchBegan ?? now, lasts: lasts, rule, at: now)
    } else {
      rescueWatch.planLook(lasts, rule, at: now)
    }
  }

  /// Looks at the segment that is watched, where it is time to.
  func attendRescue(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    if rescueWatch.patienceEnds <= now {
      rescueWatch.patienceHasEnded()
      // Of what does not come at all nothing is known: that is for the timeout to say.
      if !intake.tracks.isEmpty, let fetch = intake.tracks[0].fetch,
        intake.arrivedBytes(fetch, at: now, on: stage) > 0
      {
        abandon(.patienceOver, at: now, on: &stage)
      }
    } else if playhead.isMoving, rescueWatch.due <= now {
      rescue(playhead, at: now, on: &stage)
    }
  }

  /// How long what is loaded lasts; nil where nothing is.
  private func bufferLasts(_ playhead: Playhead, at now: Instant) -> TimeSpan? {
    let position = playhead.time(at: now)
    let ahead = intake.tracks.loadedEnd(from: position) - position
    return ahead > .zero ? playhead.timebase.rate.span(toPlay: ahead) : nil
  }

  /// Looks at the segment under way, and gives it up if it would leave too little ahead.
  private func rescue(_ playhead: Playhead, at now: Instant, on stage: inout Stage) {
    guard !intake.tracks.isEmpty, let fetch = intake.tracks[0].fetch, fetch.id == rescueWatch.id,
      !fetch.isComplete, let lasts = bufferLasts(playhead, at: now)
    else { return }
    let look = rescueWatch.look(intake.arrivedBytes(fetch, at: now, on: stage), at: now)
    let view = RescueView(
      fetch: fetch, look: look, lists: presentation.lists, choice: choice,
      adaptation: settings.adaptation)
    if let budget = view.budget(lasts, at: playhead.timebase.rate) {
      abandon(.tooSlow, known: budget, at: now, on: &stage)
      return
    }
    rescueWatch.keep(look, at: now)
    rescueWatch.planLook(lasts, RescueRule(settings, without: without), at: now)
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
    guard let index = intake.tracks.index(of: kind) else {
      if let list, kind == .subtitles {
        intake.tracks.add(intake.track(kind, list: list, playhead.time(at: now)))
      }
      return
    }
    if intake.tracks[index].list == list { return }
    intake.drop(index, at: now, on: &stage)
    guard let list else {
      // Nobody listens to nothing: only subtitles can be switched off.
      if kind == .subtitles { intake.tracks.remove(at: index) }
      return
    }
    let discarded = intake.restart(
      index, with: list, playhead, keepsAll: without.contains(.languageChangeDiscards), at: now)
    stage.log.note(.mediaSelected(selection, discarded: discarded), of: subject, at: now)
  }

  /// Gives up the sound that is still beside the main track: another is going to be played.
  private func leaveSoundBeside(at now: Instant, on stage: inout Stage) {
    intake.tracks.isJoiningSound = false
    guard let audio = intake.tracks.index(of: .audio) else { return }
    intake.drop(audio, at: now, on: &stage)
    intake.tracks.remove(at: audio)
  }
}
