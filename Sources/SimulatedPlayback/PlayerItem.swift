public import Autowait
import LinkConditioner
public import StreamingMedia
public import VirtualTime

/// What an item is made with.
public struct ItemSettings: Hashable, Sendable {
  public var kind: MediaKind
  public var file: MediaFile
  public var heuristic: KeepUpHeuristic
  /// Seconds of media to buffer ahead; zero leaves it to the player.
  public var preferredForwardBufferDuration: MediaTime
  /// The most bytes to hold ahead of the playhead; nil for no cap.
  public var bufferByteCap: Int64?
  /// Where playback ends; nil for the duration.
  public var forwardPlaybackEndTime: MediaTime?
  /// Where playback begins.
  public var startTime: MediaTime
  public var retry: RetryPolicy
  /// The server, and what its file is called: for the rules of faults.
  public var host: Int32
  public var label: String

  public init(
    kind: MediaKind, file: MediaFile, heuristic: KeepUpHeuristic = .standard,
    preferredForwardBufferDuration: MediaTime = .zero, bufferByteCap: Int64? = nil,
    forwardPlaybackEndTime: MediaTime? = nil, startTime: MediaTime = .zero,
    retry: RetryPolicy = .standard, host: Int32 = 0, label: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.heuristic = heuristic
    self.preferredForwardBufferDuration = preferredForwardBufferDuration
    self.bufferByteCap = bufferByteCap
    self.forwardPlaybackEndTime = forwardPlaybackEndTime
    self.startTime = startTime
    self.retry = retry
    self.host = host
    self.label = label
  }
}

/// Where an item stands in its life.
public enum ItemStatus: Hashable, Sendable {
  case unknown
  case readyToPlay
  case failed(PlaybackFailure)
}

/// The item that a player plays: its bytes, its playhead, and what is said of its buffer.
struct PlayerItem {
  var settings: ItemSettings
  var loader: FileLoader
  var timebase = Timebase()
  var status = ItemStatus.unknown
  var verdict = KeepUpVerdict(false, .nothingLoaded)
  var condition = BufferCondition.nothing
  var pendingSeek: MediaTime?
  /// Under an external timeline: the time that is shown until the timebase gets there.
  var sitsAt: MediaTime?
  /// Whether the timebase moves with nothing under it, as an external timeline may make it.
  var isStarved = false
  /// Whether time goes on past the end.
  var isPastEnd = false

  init(_ settings: ItemSettings, owner: Int32, at now: Instant) {
    self.settings = settings
    loader = FileLoader(settings, owner: owner)
    timebase = Timebase(at: now, time: min(settings.startTime, settings.file.duration))
  }

  var duration: MediaTime { settings.file.duration }

  var end: MediaTime {
    min(duration, settings.forwardPlaybackEndTime ?? duration)
  }

  /// The current time, as the app reads it.
  func time(at now: Instant) -> MediaTime {
    let time = timebase.time(at: now)
    if let sitsAt { return max(sitsAt, time) }
    return isPastEnd ? time : min(time, max(end, timebase.anchorTime))
  }

  func loadedEnd(at now: Instant) -> MediaTime {
    loader.loadedEnd(from: time(at: now), at: now)
  }

  func projection(at now: Instant) -> PlayheadProjection {
    let position = isStarved ? timebase.anchorTime : time(at: now)
    return PlayheadProjection(
      timebase: timebase, now: now, loadedEnd: loader.loadedEnd(from: position, at: now),
      end: end, arrival: loader.arrival, demand: loader.demand,
      lastByte: loader.lastByte)
  }
}
