import Autowait
import LinkConditioner
package import StreamingMedia
package import VirtualTime

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
    guard !languages.isEmpty, case .stream(let loader)? = item.opened else { return }
    let isCurrent = item === self.item
    let playhead = item.playhead(isCurrent ? playback.hostStart : nil)
    for language in languages { loader.select(language, playhead, at: now, on: &stage) }
    if isCurrent { programme.tracksChanged(at: now, on: &stage) }
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
