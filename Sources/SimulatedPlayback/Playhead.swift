import VirtualTime

/// What a loader has to know of the playhead that it loads for.
struct Playhead {
  var position: MediaTime
  var timebase: Timebase
  var end: MediaTime
  var limits: BufferLimits
  /// Whether somebody waits for the first byte under it.
  var needsFirstByte: Bool
  /// Whether everything that will be held is there.
  var isFull: Bool
  /// Whether it moves without regard to what is loaded: past the end, or on a timeline outside.
  var runsAlone: Bool
}
