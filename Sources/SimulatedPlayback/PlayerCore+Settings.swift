import Autowait
import LinkConditioner
import StreamingMedia
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
    let old = item.settings
    // Of an item that no player has yet everything is still to come.
    guard item.owner == index else {
      item.settings = new
      return
    }
    let isCurrent = item === self.item
    // What has been played past an end that is set behind the playhead stays played.
    let changesEnd = new.forwardPlaybackEndTime != old.forwardPlaybackEndTime
    if isCurrent, changesEnd { playback.closeTimebase(at: now) }
    item.settings = new
    if settings.without.contains(.forwardPlaybackEndTime) {
      item.settings.forwardPlaybackEndTime = nil
    }
    if isCurrent, changesEnd, item.timebase.time(at: now) < item.end {
      item.isPastEnd = false
      playback.transition = nil
    }
    constrain(item, since: old, on: stage)
    select(item, since: old, at: now, on: &stage)
    if isCurrent {
      let tracks = (new.disabledTracks, new.selectedAudio, new.selectedSubtitles)
      if tracks != (old.disabledTracks, old.selectedAudio, old.selectedSubtitles) {
        tracksChanged(at: now, on: &stage)
      }
    } else if item.isEnqueued {
      queue.reconsider()
    }
  }

  /// Lets the player choose a variant anew where what it goes by has changed.
  private func constrain(
    _ item: PlayerItem, since old: ItemSettings, on stage: borrowing Stage
  ) {
    guard case .stream(let before) = old.source, case .stream(let now) = item.settings.source,
      before.constraints != now.constraints
    else { return }
    item.opened?.constrain { $0 = now.constraints }
    tellSurroundings(item, on: stage)
  }

  /// Plays the languages that are selected now.
  private func select(
    _ item: PlayerItem, since old: ItemSettings, at now: Instant, on stage: inout Stage
  ) {
    guard case .stream(let before) = old.source, case .stream(let selected) = item.settings.source,
      case .stream(let loader)? = item.opened
    else { return }
    var isChanged = false
    for (kind, was, language) in [
      (TrackKind.audio, before.audioLanguage, selected.audioLanguage),
      (.subtitles, before.subtitleLanguage, selected.subtitleLanguage),
    ] where was != language {
      isChanged = true
      loader.select(
        MediaSelection(kind, language: language), item.playhead(hostStart(of: item)), at: now,
        on: &stage)
    }
    if isChanged, item === self.item { tracksChanged(at: now, on: &stage) }
  }

  private func hostStart(of item: PlayerItem) -> HostStart? {
    item === self.item ? playback.hostStart : nil
  }
}
