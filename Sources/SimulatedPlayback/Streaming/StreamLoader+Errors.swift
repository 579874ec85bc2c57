import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What does not come, and what is tried instead.
//
// "AVPlayer will try its best to continue playback by means of retries and switching to different
// available variants" (WWDC17 514).

extension StreamLoader {
  /// What broke.
  private struct Breakage {
    /// The lists that cannot be played without it; none for the multivariant playlist.
    var lists: [Int]
    var uri: String
    var bytes: Int64 = 0
  }

  /// What is done about it.
  private enum Remedy {
    case retry(at: Instant)
    case variant(Int)
    case withoutSubtitles
    /// "Nothing viable": whatever is in the buffer is played out.
    case nothing
  }

  func failed(
    _ id: TransferID, _ reason: TransferFailure, bytes: Int64, at now: Instant,
    on stage: inout Stage
  ) {
    let slidOut = slidOut(id, reason, at: now)
    let breakage = breakOff(id, bytes, at: now)
    let error = ErrorLogEvent(breakage.uri, reason, at: now)
    if let list = slidOut {
      tell(breakage, of: id, reason, retriedAt: nil, error, at: now, &stage.log)
      live?.listings[list].hasLost = true
      live?.listings[list].isDoubtful = true
    } else {
      remedy(breakage, of: id, reason, error, at: now, &stage)
    }
  }

  /// The live list of which a segment is not found since it may have left the playlist.
  ///
  /// That is read again before anything else is tried: our assumption.
  private func slidOut(
    _ id: TransferID, _ reason: TransferFailure, at now: Instant
  ) -> Int? {
    guard let live, reason == .httpStatus(404), !without.contains(.slidOutReload),
      let track = tracks.first(where: { $0.fetchID == id }), let fetch = track.fetch,
      live.mayHaveSlidOut(fetch.index, of: fetch.list, in: presentation.lists[fetch.list], at: now)
    else { return nil }
    return fetch.list
  }

  /// Gives up a media file of which nothing comes.
  private func timeOut(
    _ index: Int, _ fetch: SegmentFetch, _ span: TimeSpan, at now: Instant, on stage: inout Stage
  ) {
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    stage.link.cancel(fetch.id, at: now)
    let breakage = breakOff(fetch.id, arrived, at: now)
    remedy(
      breakage, of: fetch.id, .timedOut,
      .mediaFileNotReceived(breakage.uri, within: span, at: now), at: now, &stage)
  }

  private func remedy(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, _ error: ErrorLogEvent,
    at now: Instant, _ stage: inout Stage
  ) {
    let remedy = remedy(for: breakage.lists, reason, at: now)
    var retry: Instant?
    if case .retry(let instant) = remedy { retry = instant }
    tell(breakage, of: id, reason, retriedAt: retry, error, at: now, &stage.log)
    switch remedy {
    case .retry: break
    case .variant(let other):
      arrivals.note(.segment(.main), by: id, at: now)
      switchTo(other, at: now, on: &stage)
    case .withoutSubtitles: tracks.removeAll { $0.kind == .subtitles }
    case .nothing: failure = .mediaUnavailable(reason)
    }
  }

  private func tell(
    _ breakage: Breakage, of id: TransferID, _ reason: TransferFailure, retriedAt retry: Instant?,
    _ error: ErrorLogEvent, at now: Instant, _ log: inout PlaybackLog
  ) {
    log.note(.requestFailed(id, reason, bytes: breakage.bytes, retriedAt: retry), at: now)
    report(error, at: now, &log)
    settleMeter(at: now)
  }

  // MARK: What to do

  private func remedy(
    for lists: [Int], _ reason: TransferFailure, at now: Instant
  ) -> Remedy {
    if lists.isEmpty {
      return (reason.isTemporary ? asset.retry.broke(at: now) : nil).map { .retry(at: $0) }
        ?? .nothing
    }
    let strikes = troubles.strike(lists, of: presentation.lists.count)
    let mayRetry = reason.isTemporary && strikes <= retry.attempts
    let again = Remedy.retry(at: now + retry.wait(before: strikes))
    // A connection that is lost says nothing of the variant.
    if mayRetry, reason == .connectionReset { return wait(lists, again) }
    let isSubtitles = tracks.contains { $0.kind == .subtitles && lists.contains($0.list) }
    if isSubtitles { return mayRetry ? wait(lists, again) : .withoutSubtitles }
    if let other = alternative(to: lists, at: now) {
      // "AVPlayer will attempt switching and/or retry": switching first.
      bar(lists, at: now)
      return .variant(other)
    }
    // "If there is nothing to switch to AVPlayer will retry for a reasonable amount of time before
    // giving up."
    if mayRetry { return wait(lists, again) }
    bar(lists, at: now)
    return .nothing
  }

  private func wait(_ lists: [Int], _ remedy: Remedy) -> Remedy {
    if case .retry(let instant) = remedy { troubles.wait(lists, until: instant) }
    return remedy
  }

  private func bar(_ lists: [Int], at now: Instant) {
    if troubles.leftVariant == nil, settings.adaptation == .fixed { troubles.leftVariant = variant }
    troubles.bar(
      lists, for: settings.errors.recoversAfter, mostBars: retry.attempts, at: now)
    refreshBars(at: now)
  }

  /// The variant to go on with: "backup alternates will be tried first before switching down".
  private func alternative(to lists: [Int], at now: Instant) -> Int? {
    guard let current = variant, !without.contains(.variantFallback) else { return nil }
    let limit = rungs[current].bandwidth
    let others = presentation.variants.indices.filter {
      $0 != current && rungs[$0].isEligible && !uses($0, lists)
    }
    if let backup = others.first(where: { rungs[$0].bandwidth == limit }) { return backup }
    let lower = others.filter { rungs[$0].bandwidth < limit }
    let higher = others.filter { rungs[$0].bandwidth > limit }
    guard let lowest = lower.min(by: isLower) else { return higher.min(by: isLower) }
    guard let estimate = meter.bitsPerSecond else { return lower.max(by: isLower) }
    return lower.filter { rungs[$0].sustained <= .bitsPerSecond(estimate) }.max(by: isLower)
      ?? lowest
  }

  /// Goes on with another variant where the playlist says that a segment is missing.
  ///
  /// "On seeing this tag AVPlayer will know that this is a temporary failure and may decide to go
  /// to a backup alternate or switch down" (WWDC17 514). Without another one the gap is played.
  func avoidsGap(_ index: Int, at now: Instant, on stage: inout Stage) -> Bool {
    if tracks[index].kind != .main || without.contains(.gapAvoidance) { return false }
    return leave(tracks[index].list, at: now, on: &stage)
  }

  /// Goes on with another variant where a live playlist is not renewed; without another one it is
  /// read on.
  func leaveStale(_ list: Int, at now: Instant, on stage: inout Stage) {
    if without.contains(.staleFallback) || !tracks.contains(where: { $0.list == list }) { return }
    _ = leave(list, at: now, on: &stage)
  }

  /// Bars a list, of which nothing broke, and goes on with another variant; false where there is
  /// none.
  private func leave(_ list: Int, at now: Instant, on stage: inout Stage) -> Bool {
    guard let other = alternative(to: [list], at: now) else { return false }
    _ = troubles.strike([list], of: presentation.lists.count)
    bar([list], at: now)
    switchTo(other, at: now, on: &stage)
    return true
  }

  private func isLower(_ a: Int, _ b: Int) -> Bool { rungs[a].bandwidth < rungs[b].bandwidth }

  /// Whether a variant cannot be played without one of some lists.
  private func uses(_ variant: Int, _ lists: [Int]) -> Bool {
    [.main, .audio].contains { kind in
      list(of: kind, for: variant).map { lists.contains($0) } ?? false
    }
  }

  // MARK: What may be tried again

  /// Takes variants back that have been left alone for long enough.
  func releaseVariants(at now: Instant, on stage: inout Stage) {
    if troubles.nextRelease > now || troubles.isOver { return }
    troubles.findNextRelease(after: now)
    if without.contains(.variantRecovery) { return }
    refreshBars(at: now)
    failure = nil
    guard let current = variant else { return }
    if let left = troubles.leftVariant, rungs[left].isEligible {
      troubles.leftVariant = nil
      if left != current { switchTo(left, at: now, on: &stage) }
    } else if !rungs[current].isEligible, let lowest = rungs.lowest {
      switchTo(lowest, at: now, on: &stage)
    }
  }

  private func refreshBars(at now: Instant) {
    let barred = presentation.lists.indices.filter { troubles.isBarred($0, at: now) }
    troubles.barredVariants = presentation.variants.indices.filter { uses($0, barred) }
    refreshRungs()
  }

  // MARK: What is late

  /// Looks whether something has come of the media files under way, where it is time to.
  func watchMedia(at now: Instant, on stage: inout Stage) {
    if watchIsDue > now { return }
    watchIsDue = .distantFuture
    guard let patience = settings.errors.mediaTimeout, !without.contains(.mediaTimeout) else {
      return
    }
    for index in tracks.indices {
      guard let watchedUntil = tracks[index].watchedUntil, let fetch = tracks[index].fetch else {
        continue
      }
      if watchedUntil > now {
        watchIsDue = min(watchIsDue, watchedUntil)
        continue
      }
      let arrived = arrivedBytes(fetch, at: now, on: stage)
      if arrived == fetch.watched {
        watchIsDue = now
        return timeOut(index, fetch, patience, at: now, on: &stage)
      }
      tracks[index].fetch?.watched = arrived
      tracks[index].fetch?.watchedUntil = now + patience
      watchIsDue = min(watchIsDue, now + patience)
    }
  }

  /// When something that did not come is tried again.
  func nextErrorInstant(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    if troubles.isOver { return next }
    if troubles.nextTry > now { next = min(next, troubles.nextTry) }
    if failure != nil, troubles.nextRelease > now { next = min(next, troubles.nextRelease) }
    return next
  }

  /// The end of the first period in which something of a media file must come, which is looked at
  /// then.
  func watchEnd(from now: Instant) -> Instant {
    guard let patience = settings.errors.mediaTimeout, !without.contains(.mediaTimeout) else {
      return .distantFuture
    }
    watchIsDue = min(watchIsDue, now + patience)
    return now + patience
  }
}

// MARK: - What broke

extension StreamLoader {
  /// Makes what was under way missing again, and says what it was.
  private func breakOff(_ id: TransferID, _ bytes: Int64, at now: Instant) -> Breakage {
    for index in tracks.indices {
      guard let fetch = tracks[index].fetch, fetch.id == id else { continue }
      meter.count(bytes - fetch.sampled, at: now)
      bytesTransferred += bytes
      bookPart(tracks[index].kind, fetch, bytes, at: now)
      tracks[index].next = fetch.index
      tracks[index].nextPart = fetch.part ?? 0
      tracks[index].fetch = nil
      return Breakage(lists: [fetch.list], uri: uri(of: fetch), bytes: bytes)
    }
    switch asset.resources.broke(by: id) {
    case .playlist(let list):
      live?.listings[list].wantsWhole = true
      return Breakage(lists: [list], uri: presentation.lists[list].uri)
    case .key(let key):
      return Breakage(
        lists: asset.resources.lists(needing: key), uri: asset.resources.keys[key].uri)
    case .map(let list, let map):
      return Breakage(lists: [list], uri: presentation.lists[list].uri(ofMap: map))
    case .master, nil:
      return Breakage(lists: [], uri: presentation.uri)
    }
  }
}

extension TransferFailure {
  /// Whether it may be over the next time.
  ///
  /// "For permanent errors like 410 no retries will be attempted" (WWDC17 514); which ones are
  /// permanent follows RFC 7231 §6.5 and §6.6.
  var isTemporary: Bool {
    switch self {
    case .impossibleSize: false
    case .tooManyTransfers, .connectionReset, .timedOut: true
    case .httpStatus(let code):
      code == 404 || code == 408 || code == 429 || code >= 500 && code != 501 && code != 505
    }
  }
}
