import Autowait
import LinkConditioner
package import StreamingMedia
public import VirtualTime

extension PlayerCore {
  /// Moves the playhead.
  ///
  /// A pending seek is superseded: its completion is told at once, unfinished. Without an item the
  /// seek completes unfinished at once.
  package func seek(
    to target: MediaTime, within tolerance: SeekTolerance = .none, at now: Instant,
    on stage: inout Stage
  ) throws(PlayerError) {
    if target < .zero { throw .negativeTime }
    begin(at: now)
    programme.seek(to: target, within: tolerance, at: now, on: &stage)
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
    if playback.waitsProperty || playback.machine.waitsAutomatically { throw .waitsAutomatically }
    if rate.isZero {
      setRate(rate, at: now, on: &stage)
      return
    }
    begin(at: now)
    programme.tie(rate, time: time, atHostTime: hostTime, at: now, on: &stage)
  }

  // The app's calls that concern live streams.

  /// Seeks to where a live stream would begin now: what a seek to positive infinity does.
  package func seekToLive(at now: Instant, on stage: inout Stage) {
    guard let item, let time = item.liveTarget else { return }
    do throws(PlayerError) {
      try seek(to: time, at: now, on: &stage)
    } catch {
      preconditionFailure("a place in a live stream is not negative")
    }
  }
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
    guard let exact = placeToSeek(time) else { return nil }
    if tolerance == .none || loader.loadedEnd(from: exact, at: now) > exact { return exact }
    for range in loader.loadedTimeRanges(at: now)
    where range.lowerBound > exact && range.lowerBound <= exact + tolerance.after {
      return range.lowerBound
    }
    guard let start = loader.accessPoint(before: exact), exact - start <= tolerance.before else {
      return exact
    }
    return start
  }

  // AVPlayerItem.seek(to:): a target outside seekableTimeRanges is cancelled.
  /// The position that a seek to a time reaches; nil where that lies outside what can be sought.
  ///
  /// What lies ahead of the live edge is there soon: that such a seek goes to the edge is our
  /// assumption. A stream whose playlists are not there yet begins where it is told to.
  func placeToSeek(_ time: MediaTime) -> MediaTime? {
    guard let loader = loader.liveStream else { return time > duration ? nil : time }
    guard let range = LivePlace(loader)?.seekableRange else {
      settings.startTime = time
      return time
    }
    return time < range.lowerBound ? nil : min(time, range.upperBound)
  }

  /// The position at which a live stream would begin now.
  fileprivate var liveTarget: MediaTime? {
    loader.liveStream.flatMap { LivePlace($0)?.edge(settings.live) }
  }
}

extension MediaLoader {
  /// The access point for decoding at or before a time: the start of a segment; nil for a file, of
  /// whose frames nothing is known.
  fileprivate func accessPoint(before time: MediaTime) -> MediaTime? {
    guard let stream, let list = stream.intake.tracks.mainList else { return nil }
    let segments = stream.presentation.lists[list]
    return segments.index(at: time).map { segments.segments[$0].start }
  }
}

// The settings of items: each lives on its item, which may be current, to come, or nobody's yet.

extension PlayerCore {
  /// Changes how an item is played.
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
    if isCurrent, change.end { playback.closeTimebase(at: now) }
    item.settings = new
    if isCurrent, change.end, item.timebase.time(at: now) < item.end {
      item.isPastEnd = false
      playback.transition = nil
    }
    if let constraints = change.constraints {
      // The player chooses a variant anew where what it goes by has changed.
      item.opened?.constrain { $0 = constraints }
      programme.tellSurroundings(item, on: stage)
    }
    select(change.languages, of: item, at: now, on: &stage)
    if isCurrent {
      if change.tracks { programme.tracksChanged(at: now, on: &stage) }
    } else if item.isEnqueued {
      queue.reconsider()
    }
  }

  /// Plays the languages that are selected now.
  private func select(
    _ languages: [MediaSelection], of item: PlayerItem, at now: Instant, on stage: inout Stage
  ) {
    guard !languages.isEmpty, let loader = item.stream else { return }
    for language in languages { loader.select(language, item, at: now, on: &stage) }
    if item === self.item { programme.tracksChanged(at: now, on: &stage) }
  }
}

/// The differences between two settings of an item, as far as they have consequences.
package struct SettingsChange: Hashable {
  /// Whether it ends elsewhere.
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
  ///
  /// - Parameter pixels: nil for no layer.
  package func setLayer(_ pixels: PixelSize?, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    programme.setLayer(pixels, at: now, on: &stage)
    surroundingsChanged(at: now, on: &stage)
  }

  /// Tells every item what holds for all of them: what the path costs, and how large the layer is.
  package func surroundingsChanged(at now: Instant, on stage: inout Stage) {
    begin(at: now)
    for item in items { programme.tellSurroundings(item, on: stage) }
    settle(at: now, on: &stage)
  }

  /// Takes the pipeline apart and sets it up anew; until that is done the timebase stands, without
  /// a stall.
  package func rebuildPipeline(for span: TimeSpan, at now: Instant, on stage: inout Stage) {
    begin(at: now)
    programme.rebuildPipeline(for: span, at: now, on: &stage)
  }
}

extension ItemSettings {
  /// Enables or disables a track; false where it was so already.
  package mutating func setTrack(_ track: Int, enabled: Bool) -> Bool {
    let known = disabledTracks.firstIndex(of: track)
    switch (known, enabled) {
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
  package func indicators(of item: PlayerItem? = nil, at now: Instant) -> PlaybackIndicators {
    guard let item = item ?? self.item else {
      return PlaybackIndicators(nil, PlayedStream(), stallDuration: books.stalled, hasFailed: false)
    }
    let isCurrent = item === self.item
    return PlaybackIndicators(
      accessLog(of: item, at: now), item.opened?.played(at: now) ?? PlayedStream(),
      stallDuration: item.stalled + (isCurrent ? books.stalled - item.stalledSince : .zero),
      hasFailed: item.hasFailed)
  }
}

extension PlayerItem {
  /// The bytes received for it: other items of its asset may have been before it and after.
  func received(at now: Instant) -> Int64 {
    guard let media else { return 0 }
    return (receivedWhenLeft ?? media.loader.received(at: now)) - receivedBefore
  }
}
