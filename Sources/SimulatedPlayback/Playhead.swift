package import PlayerPolicies
import VirtualTime

/// The position of playback and its read-ahead limits: all that a loader knows of the player.
struct Playhead {
  /// The item whose it is.
  var subject: Subject
  var timebase: Timebase
  /// Under an external timeline: the time that is shown until the timebase gets there.
  var sitsAt: MediaTime?
  var end: MediaTime
  var isPastEnd: Bool
  /// Whether it moves with nothing under it, as an external timeline may make it.
  var isStarved: Bool
  var limits: BufferLimits
  /// The time that is waited for, where it is not the playhead's own.
  var awaited: MediaTime?
  /// Whether somebody waits for the first byte under it.
  var needsFirstByte: Bool
  /// The media that must be loaded to show anything at all.
  var frame: MediaTime
  /// Whether everything that will be held is there.
  var isFull: Bool
  /// The rate that is asked for, or that play would ask for.
  var wanted: PlaybackRate

  /// The current time, as the app reads it.
  func time(at now: Instant) -> MediaTime {
    Playhead.time(of: timebase, sittingAt: sitsAt, end: end, isPastEnd: isPastEnd, at: now)
  }

  static func time(
    of timebase: Timebase, sittingAt sitsAt: MediaTime?, end: MediaTime, isPastEnd: Bool,
    at now: Instant
  ) -> MediaTime {
    let time = timebase.time(at: now)
    if let sitsAt { return max(sitsAt, time) }
    return isPastEnd ? time : min(time, max(end, timebase.anchorTime))
  }

  /// The position from which media is wanted.
  func place(at now: Instant) -> MediaTime {
    awaited ?? time(at: now)
  }

  /// Whether nothing that comes in will be under it.
  var isOutOfReach: Bool { isStarved || isPastEnd }

  var isMoving: Bool { !timebase.rate.isZero }

  /// The rate at which it moves, or will where it stands.
  var rateOfPlay: PlaybackRate { isMoving ? timebase.rate : wanted }
}

/// The position of a playhead, and the end of the contiguous media that begins there.
struct BufferPlace {
  let position: MediaTime
  let loadedEnd: MediaTime

  init(of item: PlayerItem, _ loader: MediaLoader, at now: Instant) {
    position = item.time(at: now)
    loadedEnd = loader.loadedEnd(
      from: position, isMoving: !item.timebase.rate.isZero, at: now)
  }
}

struct BufferLimits: Hashable {
  /// In media; zero leaves it to the player.
  var forward: MediaTime
  /// In bytes; nil for no cap.
  var bytes: Int64?

  /// A player's rule under these limits: as much media as the app asks for, else as the player has
  /// it, and no more bytes than either allows.
  func applied(to rule: FetchRule) -> FetchRule {
    var rule = rule
    if forward > .zero { rule.media = forward }
    if let bytes { rule.bytes = min(bytes, rule.bytes ?? bytes) }
    return rule
  }
}

extension ItemSettings {
  var bufferLimits: BufferLimits {
    BufferLimits(forward: preferredForwardBufferDuration, bytes: bufferByteCap)
  }

  package func readAhead(by fetch: FetchSeat) -> FetchRule {
    switch source {
    case .local, .progressive: bufferLimits.applied(to: fetch.ofFiles)
    case .stream(let settings): bufferLimits.applied(to: settings.fetchRule(fetch))
    }
  }
}

extension StreamSettings {
  /// The player's rule, with as much media as the stream's settings have in its place.
  func fetchRule(_ fetch: FetchSeat) -> FetchRule {
    var rule = fetch.ofStreams
    if let own = automaticForwardBuffer { rule.media = own }
    return rule
  }
}
