public import Autowait
import LinkConditioner
import StreamingMedia
public import VirtualTime

/// What an item is made with.
public struct ItemSettings: Hashable, Sendable {
  public var source: MediaSource
  public var heuristic: KeepUpHeuristic
  /// Seconds of media to buffer ahead; zero leaves it to the player.
  public var preferredForwardBufferDuration: MediaTime
  /// The most bytes to hold ahead of the playhead; nil for no cap.
  public var bufferByteCap: Int64?
  /// Where playback ends; nil for the duration.
  public var forwardPlaybackEndTime: MediaTime?
  /// Where playback begins; nil for the beginning, or for where a live stream wants it.
  public var startTime: MediaTime?
  public var live: LivePreferences
  public var retry: RetryPolicy
  /// The server, and what its file is called: for the rules of faults.
  public var host: Int32
  public var label: String
  /// Into the tracks of the file.
  public var disabledTracks: [Int] = []
  public var pictures = PictureUse()

  public init(
    source: MediaSource, heuristic: KeepUpHeuristic = .standard,
    preferredForwardBufferDuration: MediaTime = .zero, bufferByteCap: Int64? = nil,
    forwardPlaybackEndTime: MediaTime? = nil, startTime: MediaTime? = nil,
    live: LivePreferences = LivePreferences(), retry: RetryPolicy = .standard, host: Int32 = 0,
    label: String = ""
  ) {
    self.source = source
    self.heuristic = heuristic
    self.preferredForwardBufferDuration = preferredForwardBufferDuration
    self.bufferByteCap = bufferByteCap
    self.forwardPlaybackEndTime = forwardPlaybackEndTime
    self.startTime = startTime
    self.live = live
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
final class PlayerItem {
  // Not checked at run time for overlapping accesses, as those of the player are not.
  @exclusivity(unchecked) var settings: ItemSettings
  /// The duration of what is all there.
  private let wholeDuration: MediaTime
  @exclusivity(unchecked) var loader: MediaLoader
  let logs: LogKeeper
  @exclusivity(unchecked) var timebase = Timebase() {
    didSet { logs.moves(along: timebase) }
  }
  @exclusivity(unchecked) var status = ItemStatus.unknown
  @exclusivity(unchecked) var verdict = KeepUpVerdict(false, .nothingLoaded)
  @exclusivity(unchecked) var condition = BufferCondition.nothing
  @exclusivity(unchecked) var pendingSeek: MediaTime?
  /// Under an external timeline: the time that is shown until the timebase gets there.
  @exclusivity(unchecked) var sitsAt: MediaTime?
  /// Whether the timebase moves with nothing under it, as an external timeline may make it.
  @exclusivity(unchecked) var isStarved = false
  /// Whether time goes on past the end.
  @exclusivity(unchecked) var isPastEnd = false
  /// Whether its timebase has ever moved.
  @exclusivity(unchecked) var hasMoved = false
  /// The colour of its pictures as it was last told; nil before it was.
  @exclusivity(unchecked) var notedColour: ColourTriple??
  /// When the pipeline is, or will be, full of media from here; nil while nobody fills it.
  @exclusivity(unchecked) var filledAt: Instant?

  init(_ settings: ItemSettings, loader: MediaLoader, at now: Instant) {
    self.settings = settings
    self.loader = loader
    wholeDuration = settings.source.duration
    logs = loader.logs
    timebase = Timebase(at: now, time: min(settings.startTime ?? .zero, wholeDuration))
    logs.moves(along: timebase)
  }

  /// `distantFuture` while nobody has said where a live stream ends.
  var duration: MediaTime { loader.isEndKnown ? wholeDuration : .distantFuture }

  var end: MediaTime {
    min(duration, settings.forwardPlaybackEndTime ?? duration)
  }

  /// The current time, as the app reads it.
  func time(at now: Instant) -> MediaTime {
    Playhead.time(of: timebase, sittingAt: sitsAt, end: end, isPastEnd: isPastEnd, at: now)
  }

  func loadedEnd(at now: Instant) -> MediaTime {
    loader.loadedEnd(from: time(at: now), at: now)
  }

  /// What a loader has to know of the playhead.
  ///
  /// - Parameter start: A start on an external timeline that waits for the first byte of its time.
  func playhead(_ start: PlayerCore.HostStart?) -> Playhead {
    Playhead(
      timebase: timebase, sitsAt: sitsAt, end: end, isPastEnd: isPastEnd, isStarved: isStarved,
      limits: BufferLimits(
        forward: settings.preferredForwardBufferDuration, bytes: settings.bufferByteCap),
      awaited: start?.time,
      needsFirstByte: start != nil || condition.isEmpty && !isStarved && !isPastEnd,
      isFull: condition.isFull)
  }

  /// The first instant at which the playhead has nothing under it.
  func runsDry(after now: Instant) -> Instant {
    switch loader {
    case .file: return projection(at: now).runsDry()
    // Segments come in whole: until the next one does, the edge stands still.
    case .stream(let loader):
      let loadedEnd = loader.loadedEnd(from: isStarved ? timebase.anchorTime : time(at: now))
      return loadedEnd >= end ? .distantFuture : timebase.instant(reaching: loadedEnd)
    }
  }

  /// The first instant at which a playhead that ran ahead of its media has something under it.
  func isCaughtUp(after now: Instant) -> Instant {
    switch loader {
    case .file: projection(at: now).isCaughtUp()
    case .stream: .distantFuture
    }
  }

  private func projection(at now: Instant) -> PlayheadProjection {
    let position = isStarved ? timebase.anchorTime : time(at: now)
    return PlayheadProjection(
      timebase: timebase, now: now, loadedEnd: loader.loadedEnd(from: position, at: now),
      end: end, arrival: loader.arrival, demand: loader.demand,
      lastByte: loader.lastByte)
  }
}
