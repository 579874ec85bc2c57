import VirtualTime

/// How much a buffer may hold ahead of the playhead.
struct BufferLimits: Hashable {
  /// In media; zero leaves it to the player.
  var forward: MediaTime
  /// In bytes; nil for no cap.
  var bytes: Int64?

  /// How much of its limit a buffer must have lost before reading goes on: a quarter.
  ///
  /// Our assumption: without a gap between the two marks reading would stop and go on for ever.
  static let refillShare: Int64 = 4

  /// How often fullness is looked at while the playhead moves: an assumption that bounds the work.
  static let fullnessStep = TimeSpan.milliseconds(1)
}
