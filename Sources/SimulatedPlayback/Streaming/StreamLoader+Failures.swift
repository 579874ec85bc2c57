import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// Failed requests, and the alternatives that are tried.
//
// "AVPlayer will try its best to continue playback by means of retries and switching to different
// available variants" (WWDC17 514).

/// A failed request.
struct Breakage {
  /// The lists that cannot be played without it; none for the multivariant playlist.
  var lists: [Int]
  var uri: String
  var bytes: Int64
  var thing: Thing

  /// The resource or segment to ask for again, should it be retried.
  enum Thing {
    case resource(StreamResource)
    case segment(SegmentFetch, of: StreamTrack)
  }
}

extension StreamLoader {
  func failed(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let fetch = reason == .httpStatus(404) ? tracks.first(fetching: id)?.fetch : nil
    // A list that it may have left is read again before anything else is tried: our assumption.
    let slidOut = fetch.flatMap {
      live?.playlists.mayHaveSlidOut($0, in: presentation.lists[$0.list], at: now) == true
        ? $0 : nil
    }
    let breakage = intake.breakOff(id, bytes, at: now)
    let error = ErrorLogEvent(breakage.uri, reason, at: now)
    if let slidOut {
      tell(breakage, of: id, reason, retriedAt: nil, error, at: now, &stage.log)
      live?.playlists.lost(slidOut)
    } else {
      mend(breakage, of: id, reason, error, at: now, &stage)
    }
  }

  private func mend(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, _ error: ErrorLogEvent,
    at now: Instant, _ stage: inout Stage
  ) {
    let isNeed = if case .resource = breakage.thing { true } else { false }
    let remedy = remedy(for: breakage.lists, isNeed: isNeed, reason, at: now)
    var retry: Instant?
    if case .retry(let instant) = remedy { retry = instant }
    tell(breakage, of: id, reason, retriedAt: retry, error, at: now, &stage.log)
    switch remedy {
    case .retry:
      switch breakage.thing {
      case .resource(let resource): asset.resources.willRetry(resource, after: id)
      case .segment(let fetch, let track): track.broken = fetch
      }
    case .variant(let other):
      bar(breakage.lists, at: now)
      intake.arrivals.note(.segment(.main), by: id, at: now)
      switchTo(other, .trouble(.requestFailed), at: now, on: &stage)
    case .withoutSubtitles: tracks.list.removeAll { $0.kind == .subtitles }
    case .nothing:
      if !breakage.lists.isEmpty { bar(breakage.lists, at: now) }
      failure = .mediaUnavailable(reason)
    }
  }

  private func remedy(
    for lists: [Int], isNeed: Bool, _ reason: TransferFailure, at now: Instant
  ) -> StreamRemedy {
    if lists.isEmpty {
      return (reason.isTemporary ? asset.retry.broke(at: now) : nil).map { .retry(at: $0) }
        ?? .nothing
    }
    let areSubtitles = tracks.first(of: .subtitles).map { lists.contains($0.list) } ?? false
    return troubles.remedy(
      for: lists, reason, by: retry, of: presentation.lists.count, isNeed: isNeed,
      areSubtitles: areSubtitles, at: now
    ) { choice.alternative(to: lists, policy.observedBitRate) }
  }

  private func tell(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, retriedAt retry: Instant?,
    _ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog
  ) {
    log.note(
      .requestFailed(id, reason, bytes: breakage.bytes, retriedAt: retry), of: subject, at: now)
    intake.report(error, at: now, &log)
  }

  private func bar(_ lists: [Int], at now: Instant) {
    if troubles.leftVariant == nil, judgement.next == .fixed {
      troubles.leftVariant = choice.current
    }
    troubles.bar(lists, for: settings.errors.recoversAfter, mostBars: retry.attempts, at: now)
    choice.bar(troubles.barred(at: now), settings)
  }

  /// Bars a list of which nothing broke, and goes on with another variant; false if there is none.
  func leave(
    _ list: Int, _ trouble: VariantTrouble, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let other = choice.alternative(to: [list], policy.observedBitRate) else { return false }
    _ = troubles.strike([list], of: presentation.lists.count)
    bar([list], at: now)
    intake.arrivals.passOn(to: .segment(.main), at: now)
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

  /// Gives up a media file under way of which nothing comes, where it is time to look.
  func watchMedia(at now: Instant, on stage: inout Stage) {
    guard let patience = settings.errors.mediaTimeout,
      let fetch = intake.overdue(after: patience, at: now, on: stage)
    else { return }
    let arrived = fetch.arrived(at: now, on: stage)
    stage.link.cancel(fetch.id, at: now)
    let breakage = intake.breakOff(fetch.id, arrived, at: now)
    mend(
      breakage, of: fetch.id, .timedOut,
      .mediaFileNotReceived(breakage.uri, within: patience, at: now), at: now, &stage)
  }
}
