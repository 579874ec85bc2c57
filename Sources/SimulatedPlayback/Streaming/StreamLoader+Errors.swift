import Autowait
import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// What does not come, and what is tried instead.
//
// "AVPlayer will try its best to continue playback by means of retries and switching to different
// available variants" (WWDC17 514).

/// What broke.
private struct Breakage {
  /// The lists that cannot be played without it; none for the multivariant playlist.
  var lists: [Int]
  var uri: String
  var bytes: Int64
  var thing: Thing

  /// What is asked for again, should it be.
  enum Thing {
    case resource(StreamResource)
    case segment(BrokenFetch, track: Int)
  }
}

extension StreamLoader {
  func failed(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let slidOut = slidOut(id, reason, at: now)
    let breakage = breakOff(id, bytes, at: now)
    let error = ErrorLogEvent(breakage.uri, reason, at: now)
    if let list = slidOut {
      tell(breakage, of: id, reason, retriedAt: nil, error, at: now, &stage.log)
      live?.playlists.listings[list].hasLost = true
      live?.playlists.listings[list].isDoubtful = true
    } else {
      mend(breakage, of: id, reason, error, at: now, &stage)
    }
  }

  /// The live list of which a segment is not found since it may have left the playlist.
  ///
  /// That is read again before anything else is tried: our assumption.
  private func slidOut(
    _ id: TransferID, _ reason: TransferFailure, at now: Instant
  ) -> Int? {
    guard let live, reason == .httpStatus(404),
      let index = intake.tracks.index(fetching: id), let fetch = intake.tracks[index].fetch,
      live.playlists.mayHaveSlidOut(
        fetch.index, of: fetch.list, in: presentation.lists[fetch.list], at: now)
    else { return nil }
    return fetch.list
  }

  /// Gives up a media file of which nothing comes.
  private func timeOut(
    _ fetch: SegmentFetch, _ span: TimeSpan, at now: Instant, on stage: inout Stage
  ) {
    let arrived = fetch.arrived(at: now, on: stage)
    stage.cancel(fetch.id, at: now)
    let breakage = breakOff(fetch.id, arrived, at: now)
    mend(
      breakage, of: fetch.id, .timedOut,
      .mediaFileNotReceived(breakage.uri, within: span, at: now), at: now, &stage)
  }

  private func mend(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, _ error: ErrorLogEvent,
    at now: Instant, _ stage: inout Stage
  ) {
    let remedy = remedy(for: breakage.lists, reason, at: now)
    var retry: Instant?
    if case .retry(let instant) = remedy { retry = instant }
    tell(breakage, of: id, reason, retriedAt: retry, error, at: now, &stage.log)
    switch remedy {
    case .retry: willRetry(breakage.thing, after: id)
    case .variant(let other):
      bar(breakage.lists, at: now)
      intake.arrivals.note(.segment(.main), by: id, at: now)
      switchTo(other, .trouble(.requestFailed), at: now, on: &stage)
    case .withoutSubtitles: intake.tracks.removeSubtitles()
    case .nothing:
      if !breakage.lists.isEmpty { bar(breakage.lists, at: now) }
      failure = .mediaUnavailable(reason)
    }
  }

  private func remedy(
    for lists: [Int], _ reason: TransferFailure, at now: Instant
  ) -> StreamRemedy {
    if lists.isEmpty {
      return (reason.isTemporary ? asset.retry.broke(at: now) : nil).map { .retry(at: $0) }
        ?? .nothing
    }
    let areSubtitles =
      intake.tracks.index(of: .subtitles).map { lists.contains(intake.tracks[$0].list) } ?? false
    return troubles.remedy(
      for: lists, reason, by: retry, of: presentation.lists.count, areSubtitles: areSubtitles,
      at: now
    ) { alternative(to: lists, at: now) }
  }

  private func willRetry(_ thing: Breakage.Thing, after id: TransferID) {
    switch thing {
    case .resource(let resource): asset.resources.willRetry(resource, after: id)
    case .segment(let fetch, let track): intake.tracks[track].broken = fetch
    }
  }

  private func tell(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, retriedAt retry: Instant?,
    _ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog
  ) {
    log.note(
      .requestFailed(id, reason, bytes: breakage.bytes, retriedAt: retry), of: subject, at: now)
    intake.report(error, at: now, &log)
  }

  /// Makes what was under way missing again, and says what it was.
  private func breakOff(_ id: TransferID, _ bytes: Int64, at now: Instant) -> Breakage {
    if let (track, fetch) = intake.breakOff(id, bytes, at: now) {
      return Breakage(
        lists: [fetch.list], uri: intake.uri(of: fetch), bytes: bytes,
        thing: .segment(BrokenFetch(fetch), track: track))
    }
    intake.requests.bytesTransferred += bytes
    let resource = asset.resources.broke(by: id) ?? .master
    if case .playlist(let list) = resource { live?.playlists.listings[list].wantsWhole = true }
    return Breakage(
      lists: asset.lists(needing: resource), uri: asset.uri(of: resource), bytes: bytes,
      thing: .resource(resource))
  }
}

// MARK: - Variants that are left alone

extension StreamLoader {
  private func bar(_ lists: [Int], at now: Instant) {
    if troubles.leftVariant == nil, judgement.next == .fixed {
      troubles.leftVariant = choice.current
    }
    troubles.bar(lists, for: settings.errors.recoversAfter, mostBars: retry.attempts, at: now)
    choice.bar(troubles.barred(at: now), settings)
  }

  private func alternative(to lists: [Int], at now: Instant) -> Int? {
    choice.alternative(to: lists, policy.observedBitRate)
  }

  /// Goes on with another variant where the playlist says that a segment is missing.
  ///
  /// "On seeing this tag AVPlayer will know that this is a temporary failure and may decide to go
  /// to a backup alternate or switch down" (WWDC17 514). Without another one the gap is played.
  func avoidsGap(_ index: Int, at now: Instant, on stage: inout Stage) -> Bool {
    if intake.tracks[index].kind != .main { return false }
    return leave(intake.tracks[index].list, .gap, at: now, on: &stage)
  }

  /// Goes on with another variant where a live playlist is not renewed; without another one it is
  /// read on.
  func leaveStale(_ list: Int, at now: Instant, on stage: inout Stage) {
    if !intake.tracks.plays(list) { return }
    _ = leave(list, .stalePlaylist, at: now, on: &stage)
  }

  /// Bars a list, of which nothing broke, and goes on with another variant; false where there is
  /// none.
  private func leave(
    _ list: Int, _ trouble: VariantTrouble, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let other = alternative(to: [list], at: now) else { return false }
    _ = troubles.strike([list], of: presentation.lists.count)
    bar([list], at: now)
    switchTo(other, .trouble(trouble), at: now, on: &stage)
    return true
  }

  /// Takes variants back that have been left alone for long enough.
  func releaseVariants(at now: Instant, on stage: inout Stage) {
    if troubles.nextRelease > now || troubles.isOver { return }
    troubles.findNextRelease(after: now)
    choice.bar(troubles.barred(at: now), settings)
    failure = nil
    guard let current = choice.current else { return }
    if let left = troubles.leftVariant, choice.rungs.isEligible(left) {
      troubles.leftVariant = nil
      if left != current { switchTo(left, .trouble(.recovered), at: now, on: &stage) }
    } else if !choice.rungs.isEligible(current), let lowest = choice.rungs.eligible.lowest {
      switchTo(lowest, .chosen(.notEligible), at: now, on: &stage)
    }
  }

  /// Looks whether something has come of the media files under way, where it is time to.
  func watchMedia(at now: Instant, on stage: inout Stage) {
    guard let fetch = intake.overdue(after: patience, at: now, on: stage), let patience else {
      return
    }
    timeOut(fetch, patience, at: now, on: &stage)
  }
}
