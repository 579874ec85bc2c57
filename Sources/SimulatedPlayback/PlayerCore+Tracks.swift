import Autowait
import LinkConditioner
package import StreamingMedia
package import VirtualTime

// What is shown and heard of an item, and what it costs to change it.

extension PlayerCore {
  /// Whether something takes the pictures, so that a pipeline without them would not do.
  private var takesPictures: Bool { layer != nil || item?.settings.pictures.output != nil }

  /// Attaches the layer that shows the picture, resizes it, or takes it away.
  ///
  /// - Parameter pixels: nil for no layer.
  package func setLayer(_ pixels: PixelSize?, at now: Instant, on stage: inout Stage) {
    begin(at: now)
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

  func tellSurroundings(_ item: PlayerItem, on stage: borrowing Stage) {
    let isExpensive = stage.isNetworkExpensive
    item.opened?.constrain {
      $0.isNetworkExpensive = isExpensive
      $0.layerPixels = layer
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
    if takesPictures, !settings.without.contains(.lateLayerRebuild) {
      rebuildPipeline(for: settings.pipeline.build, at: now, on: &stage)
    }
  }

  /// Adjusts the pipeline to what is played now.
  ///
  /// Before iOS 10 the player will "pause playback, adjust the playback pipelines to match the list
  /// of tracks and then resume playback"; from then on it "no longer always causes a brief pause"
  /// (WWDC16 503).
  func tracksChanged(at now: Instant, on stage: inout Stage) {
    guard let item, item.hasMoved, playback.machine.control == .playing else { return }
    let isSmooth =
      settings.contract.changesTracksSmoothly && !settings.without.contains(.smoothTrackChanges)
    if isSmooth || settings.without.contains(.trackChangePause) { return }
    if !settings.without.contains(.keyFrameSnap) { snapToKeyFrame(at: now, on: &stage) }
    rebuildPipeline(for: settings.pipeline.reconfiguration, at: now, on: &stage)
  }

  /// "In some cases, this even causes video to snap back to a key frame" (WWDC16 503).
  private func snapToKeyFrame(at now: Instant, on stage: inout Stage) {
    let interval = settings.pipeline.keyFrameInterval.nanoseconds
    guard let item, interval > 0 else { return }
    let position = item.time(at: now)
    let frame = MediaTime(nanoseconds: position.nanoseconds / interval * interval)
    if frame == position || item.loader.loadedEnd(from: frame, at: now) <= frame { return }
    playback.setTimebase(time: frame, rate: item.timebase.rate, at: now)
    stage.log.note(.timeJumped(frame), of: playback.subject, at: now)
  }
}

extension ItemSettings {
  /// Enables or disables a track; false where it was so already.
  public mutating func setTrack(_ track: Int, enabled: Bool) -> Bool {
    let known = disabledTracks.firstIndex(of: track)
    switch (known, enabled) {
    case (let index?, true): disabledTracks.remove(at: index)
    case (nil, false): disabledTracks.append(track)
    case (nil, true), (_?, false): return false
    }
    return true
  }
}
