public import Autowait
import PlayerPolicies
package import StreamingMedia
public import VirtualTime

extension PlayerCore {
  /// A pending seek is superseded: its completion is told at once, unfinished. Without an item, or
  /// with one that has failed, the seek completes unfinished at once.
  package func seek(
    to target: MediaTime, within tolerance: SeekTolerance = .none, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if target < .zero { throw .negativeTime }
    begin(at: now)
    let old = item?.pendingSeek
    programme.playback.finishSeek(false, inBuffer: false, at: now, on: &stage)
    guard let item, !item.hasFailed,
      let time = item.placeToSeek(target, within: tolerance, at: now)
    else {
      // The playhead stays where the seek before has put it.
      if let old { stage.log.note(.timeJumped(old), of: programme.playback.subject, at: now) }
      stage.log.note(
        .seekCompleted(to: target, finished: false, inBuffer: false),
        of: programme.playback.subject, at: now)
      return
    }
    stage.log.note(.seek(to: time), of: programme.playback.subject, at: now)
    programme.playback.leaveHostTimeline(at: now, on: &stage)
    programme.playback.hostStart = nil
    // At the end, the media before it counts.
    let place = min(time, max(.zero, item.end - MediaTime(nanoseconds: 1)))
    let isLoaded = item.loader.loadedEnd(from: place, at: now) > place
    let requests = item.logs?.requests ?? 0
    item.isPastEnd = false
    item.isStarved = false
    item.judgement?.hear(.sought)
    item.pendingSeek = time
    item.playedFrom = time
    // "… if the preroll is interrupted by a time change or incompatible rate change" (AVPlayer.h).
    item.finishPreroll(false, at: now, on: &stage)
    programme.playback.drainPipeline()
    programme.playback.setTimebase(time: time, rate: item.timebase.rate, at: now)
    if isLoaded || time >= item.end {
      programme.playback.followMachine(at: now, on: &stage)
      programme.playback.finishSeek(true, inBuffer: isLoaded, at: now, on: &stage)
    } else {
      // "Discard the existing buffer and start download from a new location" (WWDC18 502).
      programme.steerLoading(item, at: now, on: &stage)
      programme.playback.send(.ranDry(.soughtAway), at: now, on: &stage)
    }
    item.logs?.sought(to: time, received: item.received(at: now), requests: requests, at: now)
    settle(at: now, on: &stage)
  }

  /// Ties the playhead to a timeline outside: at `hostTime` it is, or was, at `time`.
  ///
  /// Refused while `automaticallyWaitsToMinimizeStalling` is true: "you will meet a friendly
  /// exception" (WWDC16 503). A nil `time` stands for the current one. A nil `hostTime` leaves the
  /// choice to the player: at once where something is loaded, else with the first byte.
  package func setRate(
    _ rate: PlaybackRate, time: MediaTime?, atHostTime hostTime: Instant?, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if programme.playback.waitsProperty || programme.playback.machine.waitsAutomatically {
      throw .waitsAutomatically
    }
    if let time, time < .zero || time == .distantFuture { throw .negativeTime }
    if rate.isZero {
      setRate(rate, at: now, on: &stage)
      if let time { try seek(to: time, at: now, on: &stage) }
      return
    }
    if item == nil { throw .needsItem }
    begin(at: now)
    if refuses(rate, at: now, on: &stage) { return }
    programme.playback.books.appAsked(at: now)
    programme.playback.send(.awaitsHostTime, at: now, on: &stage)
    programme.playback.hostStart = nil
    if let time, programme.playback.machine.suspensions.reason != nil {
      // A suspension outlasts the host time: the item goes on from this time when it ends.
      programme.playback.follow(rate, time: nil, hostTime: now, at: now, on: &stage)
      return try seek(to: time, at: now, on: &stage)
    }
    if let hostTime {
      programme.playback.follow(rate, time: time, hostTime: hostTime, at: now, on: &stage)
      // The transfer under way comes too late for the playhead's new place.
      if let item, item.isStarved, let file = item.loader.file,
        file.fetch?.range.contains(file.media.map.byte(at: item.time(at: now))) == true
      {
        let start = HostStart(rate: rate, time: item.time(at: now))
        item.loader.steer(item, start, at: now, on: &stage)
      }
    } else {
      programme.playback.hostStart = HostStart(rate: rate, time: time)
    }
    settle(at: now, on: &stage)
  }

  /// Whether a request for motion comes to nothing: somebody else has the audio session.
  func refuses(_ rate: PlaybackRate, at now: Instant, on stage: inout Stage) -> Bool {
    if !isInterrupted || rate.isZero { return false }
    stage.log.note(
      .rate(.zero, previous: rate, .setRateFailed), of: programme.playback.subject, at: now)
    return true
  }

  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  package func seekToLive(at now: Instant, on stage: inout Stage) {
    guard let item, let place = item.loader.liveStream.flatMap({ LivePlace($0) }),
      let time = place.edge(item.settings.live)
    else { return }
    do throws(PlayerError) {
      try seek(to: place.estimatedTime(at: now) ?? time, at: now, on: &stage)
    } catch {
      preconditionFailure("a place in a live stream is not negative")
    }
    // The playlist says where playback would begin when it has been read.
    item.stream?.live?.memory.soughtTime = nil
  }
}

/// A call to a player besides rates, seeks and items.
public enum PlayerCall: Hashable, Sendable {
  /// Pending seeks are reported as not completed; the playhead stays where it is.
  case cancelPendingSeeks
  /// The pipeline is filled before the app asks to play.
  case preroll
  /// A pending preroll is reported as not finished.
  case cancelPendingPrerolls
  /// The system brings playback to rest.
  case halt(SystemHalt)
  /// The audio session is the app's again.
  case endInterruption
}

/// The distance from its target at which a seek may end, where that is faster.
public struct SeekTolerance: Hashable, Sendable {
  public var before: MediaTime
  public var after: MediaTime

  public init(before: MediaTime = .zero, after: MediaTime = .zero) {
    self.before = before
    self.after = after
  }

  /// To the sample, which is what a scenario means that names none.
  public static let none = SeekTolerance()
}

extension PlayerItem {
  // "May differ from the specified time for efficiency" (AVPlayer.seek(to:)). What is efficient is
  // our assumption: what is loaded, then the segment or the key frame before it.
  /// The target of a seek that need not be exact.
  func placeToSeek(
    _ time: MediaTime, within tolerance: SeekTolerance, at now: Instant
  ) -> MediaTime? {
    guard let exact = placeToSeek(time, at: now) else { return nil }
    if tolerance == .none || loader.loadedEnd(from: exact, at: now) > exact { return exact }
    for range in loader.loadedTimeRanges(at: now)
    where range.lowerBound > exact && range.lowerBound <= exact + tolerance.after {
      return range.lowerBound
    }
    // Decoding begins at the start of a segment; of a file's frames nothing is known.
    guard let stream = loader.stream, let list = stream.tracks.mainList,
      let index = stream.presentation.lists[list].index(at: exact)
    else { return exact }
    let start = stream.presentation.lists[list].segments[index].start
    let first = loader.liveStream.flatMap { LivePlace($0)?.seekableRange?.lowerBound } ?? .zero
    return start >= first && exact - start <= tolerance.before ? start : exact
  }

  // AVPlayerItem.seek(to:): a target outside seekableTimeRanges is cancelled.
  /// The position that a seek to a time reaches; nil where that lies outside what can be sought.
  ///
  /// What lies ahead of the live edge is there soon: that such a seek goes to the edge is our
  /// assumption. A stream whose playlists are not there yet begins where it is told to; beyond the
  /// edge of one that was read too long ago the position is corrected when it has been read again.
  func placeToSeek(_ time: MediaTime, at now: Instant) -> MediaTime? {
    if cancelsSeek(to: time) { return nil }
    guard let loader = loader.liveStream else { return time }
    guard let place = LivePlace(loader), let range = place.seekableRange else {
      settings.startTime = time
      return time
    }
    let edge = time > range.upperBound ? place.estimatedTime(at: now) : nil
    // Playback does not end where the clock has the edge beyond its end.
    let last = end - MediaTime(nanoseconds: 1)
    let target = min(time, edge.map { min($0, last) } ?? range.upperBound)
    let isAwaited = edge != nil && loader.tracks.loadedEnd(from: target) <= target
    // A playlist that the seek before has asked for says it as well.
    loader.live?.memory.soughtAt = isAwaited ? loader.live?.memory.soughtAt ?? now : nil
    loader.live?.memory.soughtTime = time
    return target
  }
}

// The settings of items: each lives on its item, which may be current, to come, or nobody's yet.

extension PlayerCore {
  package func change(
    _ item: PlayerItem, at now: Instant, on stage: inout Stage,
    _ change: (inout ItemSettings) -> Void
  ) {
    begin(at: now)
    var new = item.settings
    change(&new)
    new.preferredForwardBufferDuration = max(.zero, new.preferredForwardBufferDuration)
    adopt(new, for: item, at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Lets an item have its settings, and does what follows from what is different.
  private func adopt(
    _ new: ItemSettings, for item: PlayerItem, at now: Instant, on stage: inout Stage
  ) {
    // Of an item that no player has yet everything is still to come.
    guard item.owner == index else {
      item.settings = new
      return
    }
    let change = SettingsChange(from: item.settings, to: new)
    let isCurrent = item === self.item
    // Media already played beyond an end that is set behind the playhead stays played.
    if isCurrent, change.end {
      programme.playback.leaveHostTimeline(at: now, on: &stage)
      programme.playback.closeTimebase(at: now)
    }
    let hadEnded = item.timebase.time(at: now) >= item.end
    item.settings = new
    if isCurrent, hadEnded, item.timebase.time(at: now) < item.end {
      item.isPastEnd = false
      programme.playback.transition = nil
    }
    if let constraints = change.constraints {
      // The player chooses a variant anew where what it goes by has changed.
      item.opened?.constrain { $0 = constraints }
      tellSurroundings(item, on: stage)
    }
    for language in change.languages { item.stream?.select(language, item, at: now, on: &stage) }
    if isCurrent {
      if !change.languages.isEmpty { tracksChanged(at: now, on: &stage) }
      if change.tracks { tracksChanged(at: now, on: &stage) }
    } else if item.isEnqueued {
      programme.queue.reconsider()
    }
  }
}

/// The differences between two settings of an item, as far as they have consequences.
package struct SettingsChange: Hashable {
  package var end: Bool
  /// Whether other tracks of a file are played.
  package var tracks: Bool
  /// The new constraints on a stream's variants; nil where they are unchanged.
  package var constraints: VariantConstraints?
  /// The languages of a stream that are played from now on.
  package var languages: [MediaSelection] = []

  package init(from old: ItemSettings, to new: ItemSettings) {
    end = new.forwardPlaybackEndTime != old.forwardPlaybackEndTime
    tracks =
      (new.disabledTracks, new.selectedAudio, new.selectedSubtitles)
      != (old.disabledTracks, old.selectedAudio, old.selectedSubtitles)
    guard case .stream(let before) = old.source, case .stream(let now) = new.source else { return }
    if before.constraints != now.constraints { constraints = now.constraints }
    if before.audioLanguage != now.audioLanguage {
      languages.append(MediaSelection(.audio, language: now.audioLanguage))
    }
    if before.subtitleLanguage != now.subtitleLanguage {
      languages.append(MediaSelection(.subtitles, language: now.subtitleLanguage))
    }
  }
}

// The tracks of an item that are shown and heard, and the cost of changing them.

extension PlayerCore {
  /// Attaches the layer that shows the picture, resizes it, or takes it away.
  package func setLayer(_ pixels: PixelSize?, at now: Instant, on stage: inout Stage) {
    let tookPictures = takesPictures
    layer = pixels
    if takesPictures != tookPictures { picturesChanged(at: now, on: &stage) }
    surroundingsChanged(at: now, on: &stage)
  }

  /// Tells every item what holds for all of them: what the path costs, and how large the layer is.
  package func surroundingsChanged(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    for item in items { tellSurroundings(item, on: stage) }
    settle(at: now, on: &stage)
  }

  /// Takes the pipeline apart and sets it up anew; until then the timebase stands, without a stall.
  package func rebuildPipeline(for span: TimeSpan, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    guard let item else { return }
    programme.playback.work(.rebuild, of: item, lasting: span, at: now, on: &stage)
    programme.playback.followMachine(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// Whether something takes the pictures, so that a pipeline without them would not do.
  private var takesPictures: Bool { layer != nil || item?.settings.pictures.output != nil }

  func tellSurroundings(_ item: PlayerItem, on stage: borrowing Stage) {
    let (isExpensive, pixels) = (stage.isNetworkExpensive, layer)
    item.opened?.constrain {
      $0.isNetworkExpensive = isExpensive
      $0.layerPixels = pixels
    }
  }

  private func picturesChanged(at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    if item.hasMoved {
      tracksChanged(at: now, on: &stage)
      return
    }
    // "1. Set up audio-only playback, 2. set up audio+video playback": the player "doesn't know the
    // future" (WWDC16 503). A layer that goes leaves a pipeline that does more than is needed.
    if takesPictures { rebuildPipeline(for: settings.pipeline.build, at: now, on: &stage) }
  }

  /// Adjusts the pipeline to what is played now.
  ///
  /// Before iOS 10 the player will "pause playback, adjust the playback pipelines to match the list
  /// of tracks and then resume playback"; from then on it "no longer always causes a brief pause"
  /// (WWDC16 503).
  func tracksChanged(at now: Instant, on stage: inout Stage) {
    guard let item, item.hasMoved, programme.playback.machine.control == .playing else { return }
    if settings.contract.changesTracksSmoothly { return }
    snapToKeyFrame(at: now, on: &stage)
    rebuildPipeline(for: settings.pipeline.reconfiguration, at: now, on: &stage)
  }

  /// "In some cases, this even causes video to snap back to a key frame" (WWDC16 503).
  private func snapToKeyFrame(at now: Instant, on stage: inout Stage) {
    let interval = settings.pipeline.keyFrameInterval.nanoseconds
    guard let item, interval > 0 else { return }
    let position = item.time(at: now)
    let frame = MediaTime(nanoseconds: position.nanoseconds / interval * interval)
    if frame == position || item.loader.loadedEnd(from: frame, at: now) <= frame { return }
    programme.playback.setTimebase(time: frame, rate: item.timebase.rate, at: now)
    stage.log.note(.timeJumped(frame), of: programme.playback.subject, at: now)
  }
}

extension ItemSettings {
  /// Enables or disables a track; false where it was so already.
  package mutating func setTrack(_ track: Int, enabled: Bool) -> Bool {
    switch (disabledTracks.firstIndex(of: track), enabled) {
    case (let index?, true): disabledTracks.remove(at: index)
    case (nil, false): disabledTracks.append(track)
    case (nil, true), (_?, false): return false
    }
    return true
  }
}

extension PlayerCore {
  /// `AVPlayerItem.accessLog()`, of the current item unless another is named; nil before it is
  /// ready to play, and for a file that needs no network.
  package func accessLog(of item: PlayerItem? = nil, at now: Instant) -> AccessLog? {
    guard let item = item ?? self.item, item.settings.source.kind != .local else { return nil }
    return item.logs?.accessLog(received: item.received(at: now), at: now)
  }

  /// `AVPlayerItem.errorLog()` likewise; nil while nothing went wrong.
  package func errorLog(of item: PlayerItem? = nil) -> ErrorLog? {
    (item ?? self.item)?.logs?.errorLog
  }

  /// The key performance indicators likewise.
  ///
  /// - Parameter log: The access log of that item, where the caller has it.
  package func indicators(
    of item: PlayerItem? = nil, _ log: AccessLog? = nil, at now: Instant
  ) -> PlaybackIndicators {
    guard let item = item ?? self.item else {
      return PlaybackIndicators(stallDuration: books.stalled)
    }
    let isCurrent = item === self.item
    var indicators = PlaybackIndicators(
      stallDuration: item.stalled + (isCurrent ? books.stalled - item.stalledSince : .zero))
    indicators.hasFailed = item.hasFailed
    item.stream?.intake.notePlayed(in: &indicators, at: now)
    indicators.sumUp(log ?? accessLog(of: item, at: now))
    return indicators
  }
}

extension PlayerItem {
  /// The bytes received for it: other items of its asset may have been before it and after.
  func received(at now: Instant) -> Int64 {
    guard let opened else { return 0 }
    return (receivedWhenLeft ?? opened.received(at: now)) - receivedBefore
  }
}
