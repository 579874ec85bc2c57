import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// What is shown and heard of the current item, and what it costs to change it.

extension Programme {
  /// Whether something takes the pictures, so that a pipeline without them would not do.
  private var takesPictures: Bool { layer != nil || item?.settings.pictures.output != nil }

  mutating func setLayer(_ pixels: PixelSize?, at now: Instant, on stage: inout Stage) {
    let tookPictures = takesPictures
    layer = pixels
    if takesPictures != tookPictures { picturesChanged(at: now, on: &stage) }
  }

  /// Tells an item what holds for all of them: what the path costs, and how large the layer is.
  func tellSurroundings(_ item: PlayerItem, on stage: borrowing Stage) {
    let (isExpensive, pixels) = (stage.isNetworkExpensive, layer)
    item.opened?.constrain {
      $0.isNetworkExpensive = isExpensive
      $0.layerPixels = pixels
    }
  }

  private mutating func picturesChanged(at now: Instant, on stage: inout Stage) {
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
  mutating func tracksChanged(at now: Instant, on stage: inout Stage) {
    guard let item, item.hasMoved, playback.machine.control == .playing else { return }
    if settings.contract.changesTracksSmoothly { return }
    snapToKeyFrame(at: now, on: &stage)
    rebuildPipeline(for: settings.pipeline.reconfiguration, at: now, on: &stage)
  }

  /// Takes the pipeline apart and sets it up anew, where there is an item.
  mutating func rebuildPipeline(for span: TimeSpan, at now: Instant, on stage: inout Stage) {
    guard let item else { return }
    playback.work(.rebuild, of: item, lasting: span, at: now, on: &stage)
    playback.followMachine(at: now, on: &stage)
    settle(at: now, on: &stage)
  }

  /// "In some cases, this even causes video to snap back to a key frame" (WWDC16 503).
  private mutating func snapToKeyFrame(at now: Instant, on stage: inout Stage) {
    let interval = settings.pipeline.keyFrameInterval.nanoseconds
    guard let item, interval > 0 else { return }
    let position = item.time(at: now)
    let frame = MediaTime(nanoseconds: position.nanoseconds / interval * interval)
    if frame == position || item.loader.loadedEnd(from: frame, at: now) <= frame { return }
    playback.setTimebase(time: frame, rate: item.timebase.rate, at: now)
    stage.log.note(.timeJumped(frame), of: playback.subject, at: now)
  }
}
