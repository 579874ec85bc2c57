import PlayerPolicies
import VirtualTime

// The choice of the next segment's variant and of the language, and giving up a segment.

extension StreamLoader {
  /// Chooses the variant for the segments that are still to be asked for.
  func adapt(
    _ item: PlayerItem, _ position: MediaTime, at now: Instant, on stage: inout Stage
  ) {
    releaseVariants(at: now, on: &stage)
    if choice.isProbing { return }
    choice.isDue = false
    let ahead = max(.zero, tracks.loadedEnd(from: position) - position)
    guard let current = choice.current else { return }
    let question = VariantQuestion.about(
      self, current, position, ahead, item, mediaLimit: rule.media, at: now)
    let verdict = policy.running.nextVariant(question, &judgement)
    stage.charged += policy.running.takeSearchCost()
    switch verdict.answer {
    case .stay:
      if let clause = question.reasonNotToRise(verdict.clause), clause != choice.kept {
        choice.kept = clause
        stage.log.note(
          .variantKept(Int32(current), clause, estimate: estimate), of: subject, at: now)
      }
    case .wait(let instant):
      choice.waitsUntil = instant
      choice.isDue = true
    case .take(let new): switchTo(new, .chosen(verdict.clause), at: now, on: &stage)
    case .replace(let new, let lead):
      switchTo(new, .chosen(verdict.clause), at: now, on: &stage)
      intake.discard(after: position + lead, at: now, on: &stage)
    case .again(let rung, let segment):
      if rung != current { switchTo(rung, .chosen(verdict.clause), at: now, on: &stage) }
      tracks[0].again = segment
    }
  }

  var estimate: Int64? { policy.running.estimate(of: .segmented).bitsPerSecond }

  func switchTo(_ new: Int, _ reason: SwitchReason, at now: Instant, on stage: inout Stage) {
    guard let old = choice.current else { return }
    stage.log.note(
      .variantSwitchStarted(from: Int32(old), to: Int32(new), reason, estimate: estimate),
      of: subject, at: now)
    choice.current = new
    if limitsVary { limit() }
    choice.switched = now
    choice.kept = nil
    intake.goOn(with: new, choice.lists)
  }

  /// Asks whether the main segment under way is given up, where it is time to; true where it was.
  ///
  /// Going down before the buffer is played out: a segment that was asked for while the link was
  /// fast would keep a slow one busy until nothing is left.
  func watchSegment(_ item: PlayerItem, at now: Instant, on stage: inout Stage) -> Bool {
    // With a single variant there is no lower one.
    if judgement.abandon.isIdle || choice.rungs.ladder.rungs.count < 2 { return false }
    // Perf: the segment is copied only where it is due for a look.
    guard let id = tracks.list.first?.fetchID, !tracks[0].latest.isComplete,
      tracks[0].latest.part == nil
    else {
      watch.stop()
      return false
    }
    let isMoving = item.isMoving
    if watch.isAtRest(id, isMoving: isMoving, at: now) { return false }
    let fetch = tracks[0].latest
    let position = item.time(at: now)
    let ahead = tracks.loadedEnd(from: position) - position
    // The time for which the loaded media lasts; nil where nothing is loaded.
    let lasts = ahead > .zero ? item.rateOfPlay.span(toPlay: ahead) : nil
    let isDue = judgement.looks(
      at: RequestFacts(fetch, 0), lasts: lasts, isMoving: isMoving, at: now)
    if !isDue {
      watch.asked(of: fetch.id, isMoving: isMoving, again: judgement.abandon.nextLook)
      return false
    }
    let question = AbandonQuestion.of(self, fetch, item, lasts: lasts, at: now, on: stage)
    let verdict = policy.running.abandon(question, &judgement)
    watch.asked(of: fetch.id, isMoving: isMoving, again: verdict.changesAt)
    if verdict.answer == .goOn { return false }
    var lower: Int?
    if case .giveUp(let rung) = verdict.answer { lower = rung } else { choice.isDue = true }
    let (arrived, clause) = (question.request.received, verdict.clause)
    stage.log.note(
      .segmentAbandoned(fetch.id, bytes: arrived, of: fetch.bytes, clause), of: subject, at: now)
    intake.drop(tracks[0], as: .abandoned, at: now, on: &stage)
    intake.arrivals.note(.segment(.main), by: fetch.id, at: now)
    if !fetch.isAgain { tracks[0].next = fetch.index }
    if let lower, lower != choice.current {
      switchTo(lower, .abandoned(clause), at: now, on: &stage)
    }
    return true
  }

  /// Plays another language from now on.
  ///
  /// A language change discards the audio buffer (WWDC18 502). While the playhead moves, the
  /// segment that it is in is played to its end; one that stands has nothing in its pipeline.
  func select(
    _ selection: MediaSelection, _ item: PlayerItem, at now: Instant, on stage: inout Stage
  ) {
    settings.select(selection)
    guard let variant = choice.current else { return }
    intake.play(selection, of: variant, choice.lists, item, at: now, on: &stage)
  }
}
