package import StreamingMedia
package import VirtualTime

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
