public import Foundation
public import SimulatedWorld

// AVPlayer's and AVPlayerItem's names with their types. `World.makePlayer` and `World.makeItem`
// stand for the initialisers, since both need a link. Calls that AVPlayer answers with an exception
// end the process.

// As AVPlayer is Sendable; a world and its players belong to one thread at a time.
extension World: @unchecked Sendable {}
extension SimulatedPlayer: @unchecked Sendable {}
extension PlayerItem: @unchecked Sendable {}

extension PlayerItem: Hashable {
  public static func == (a: PlayerItem, b: PlayerItem) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension World {
  /// Puts a player with an item on the link: `AVPlayer(playerItem:)`.
  public func makePlayer(playerItem item: SimulatedPlayerItem?) -> SimulatedPlayer {
    let player = makePlayer()
    if item != nil { player.replaceCurrentItem(with: item) }
    return player
  }

  /// Puts a player with a queue of items on the link: `AVQueuePlayer(items:)`.
  public func makeQueuePlayer(items: [SimulatedPlayerItem]) -> SimulatedQueuePlayer {
    let player = makeQueuePlayer()
    for item in items { player.insert(item, after: nil) }
    return player
  }
}

extension SimulatedPlayer: Seeking {
  /// `AVPlayer.TimeControlStatus`.
  public typealias TimeControlStatus = SimulatedWorld.TimeControlStatus
  /// `AVPlayer.WaitingReason`.
  public typealias WaitingReason = Autowait.WaitingReason

  /// Whether the player has tried an item; one that fails is the item's failure, not the player's.
  ///
  /// "Don't use the AVPlayer status changing to ready to play. That doesn't tell you that playback
  /// is going to start" (WWDC16 503).
  public var status: PlayerItem.Status { core.itemCount > 0 ? .readyToPlay : .unknown }

  /// The reason for a failed status, which a simulated player never has.
  public var error: (any Error)? { nil }

  /// The rate that the app asks for; a negative one pauses, since nothing is played backwards.
  public var rate: Float {
    get { Float(core.rate) }
    set { world.direct { core.setRate(PlaybackRate(newValue), at: world.now, on: &$0) } }
  }

  /// The rate that `play()` asks for.
  public var defaultRate: Float {
    get { Float(core.defaultRate) }
    set { world.direct { core.setDefaultRate(PlaybackRate(newValue), at: world.now, on: &$0) } }
  }

  /// Plays what there is, without waiting for more.
  public func playImmediately(atRate rate: Float) {
    playImmediately(atRate: PlaybackRate(rate))
  }

  /// Makes another item current, or the next of a queue; an item belongs to one player for good.
  public func replaceCurrentItem(with item: SimulatedPlayerItem?) {
    guard let item else { return replaceCurrentItem(with: nil as ItemSettings?) }
    do throws(PlayerError) {
      try makeCurrent(item)
    } catch {
      preconditionFailure("replaceCurrentItem(with:): \(error)")
    }
  }

  /// Moves the playhead near a time. A time of infinity stands for the edge of a live stream.
  ///
  /// The handler is called with false where another seek took its place or the seek was cancelled;
  /// a pending seek is told first.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime,
    completionHandler: @escaping (Bool) -> Void
  ) {
    precondition(time.isValid && min(toleranceBefore, toleranceAfter) >= .zero, "invalid seek")
    let isToLive = time.isIndefinite && currentItem?.mediaDuration.isNumeric == false
    if isToLive, currentItem?.seekableTimeRanges.isEmpty != false {
      return completionHandler(false)
    }
    once(after: core.isSeeking ? 1 : 0, completionHandler) {
      if case .seekCompleted(_, let finished, _) = $0 { finished } else { nil }
    }
    if isToLive { return seekToLive() }
    let tolerance = SeekTolerance(before: toleranceBefore, after: toleranceAfter)
    // A time before zero, the only one that is refused, has become zero.
    try? seek(to: max(.zero, time), within: tolerance)
  }

  /// Moves the playhead of the current item to a date; false where its playlist has none.
  @discardableResult
  public func seek(to date: Date, completionHandler: ((Bool) -> Void)? = nil) -> Bool {
    currentItem?.seek(to: date, completionHandler: completionHandler) ?? false
  }

  /// Fills the pipeline before playback is asked for; AVPlayer raises an exception where it is.
  ///
  /// - Parameters:
  ///   - rate: Of no effect: a pipeline is filled with the same media at any rate.
  ///   - completionHandler: Called with false where the preroll was cut short.
  public func preroll(atRate rate: Float, completionHandler: @escaping (Bool) -> Void = { _ in }) {
    precondition(self.rate == Float.zero, "preroll(atRate:) requires a rate of 0")
    once(after: 0, completionHandler) {
      if case .prerolled(let finished) = $0 { finished } else { nil }
    }
    try? perform(.preroll)
  }

  /// Fills the pipeline; AVPlayer declares its handler as optional.
  public func preroll(atRate rate: Float, completionHandler: ((Bool) -> Void)?) {
    preroll(atRate: rate) { completionHandler?($0) }
  }

  /// Ends a pending preroll, which is told that it was not finished.
  public func cancelPendingPrerolls() { try? perform(.cancelPendingPrerolls) }

  /// Fills the pipeline, and returns whether that was finished.
  @discardableResult
  public func preroll(atRate rate: Float) async -> Bool {
    await withCheckedContinuation { continuation in
      preroll(atRate: rate) { continuation.resume(returning: $0) }
    }
  }

  private func once(
    after skipped: Int, _ handler: @escaping (Bool) -> Void,
    _ answer: @escaping (PlaybackObservation) -> Bool?
  ) {
    var (skipped, token): (Int, ObservationToken?) = (skipped, nil)
    token = observe { [unowned world] record in
      guard let finished = answer(record.observation) else { return }
      if skipped > 0 {
        skipped -= 1
        return
      }
      if let token { world.stopObserving(token) }
      handler(finished)
    }
  }
}

/// A player or an item, with every form of `seek(to:)` that AVFoundation declares: a method with
/// default arguments would not satisfy the requirement of an app's own protocol.
public protocol Seeking: AnyObject {
  /// Moves the playhead near a time.
  func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime,
    completionHandler: @escaping (Bool) -> Void)
}

extension Seeking {
  /// Moves the playhead near a time; forms without tolerances have infinite ones, as AVPlayer's.
  public func seek(to time: MediaTime) { seek(to: time) { _ in } }

  /// Moves the playhead near a time, and tells whether that was finished.
  public func seek(to time: MediaTime, completionHandler: @escaping (Bool) -> Void) {
    seek(
      to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
      completionHandler: completionHandler)
  }

  /// Moves the playhead near a time; AVPlayerItem declares its handler as optional.
  public func seek(to time: MediaTime, completionHandler: ((Bool) -> Void)?) {
    seek(to: time) { completionHandler?($0) }
  }

  /// Moves the playhead within tolerances.
  public func seek(to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime) {
    seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) { _ in }
  }

  /// Moves the playhead within tolerances; AVPlayerItem declares its handler as optional.
  public func seek(
    to time: MediaTime, toleranceBefore before: MediaTime, toleranceAfter after: MediaTime,
    completionHandler: ((Bool) -> Void)?
  ) {
    seek(to: time, toleranceBefore: before, toleranceAfter: after) { completionHandler?($0) }
  }

  /// Moves the playhead near a time, and returns whether that was finished.
  @discardableResult
  public func seek(to time: MediaTime) async -> Bool {
    await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
  }

  /// Moves the playhead within tolerances, and returns whether that was finished.
  @discardableResult
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }
}

extension SimulatedQueuePlayer {
  /// Puts an item behind another, or with nil at the end; `canInsert(_:after:)` is asked before.
  public func insert(_ item: SimulatedPlayerItem, after other: SimulatedPlayerItem?) {
    do throws(PlayerError) {
      try insert([item], after: other)
    } catch {
      preconditionFailure("insert(_:after:): \(error)")
    }
  }
}

extension SimulatedPlayerLooper {
  /// Starts looping the media of an item, which itself is never played.
  public convenience init(
    player: SimulatedQueuePlayer, templateItem: SimulatedPlayerItem,
    timeRange: Range<MediaTime>? = nil,
    existingItemsOrdering ordering: ItemOrdering = .loopingItemsPrecedeExistingItems
  ) {
    do throws(LooperError) {
      try self.init(
        player: player, templateItem: templateItem.settings, timeRange: timeRange,
        existingItemsOrdering: ordering)
    } catch {
      preconditionFailure("SimulatedPlayerLooper: \(error)")
    }
  }
}

extension PlayerItem: Seeking {
  /// The states of an item.
  public enum Status: Int, Sendable {
    case unknown, readyToPlay, failed
  }

  var world: World? {
    home?.object.map { Unmanaged<World>.fromOpaque($0).takeUnretainedValue() }
  }

  private var core: PlayerCore? { owner.flatMap { world?.cores[Int($0)] } }

  /// Whether it can be played.
  public var status: Status {
    switch detailedStatus {
    case .unknown: .unknown
    case .readyToPlay: .readyToPlay
    case .failed: .failed
    }
  }

  /// The reason for a failed status.
  public var error: (any Error)? {
    if case .failed(let failure) = detailedStatus { failure } else { nil }
  }

  /// The duration; indefinite until it is loaded, and for a live stream.
  public var duration: MediaTime {
    if status == .readyToPlay || accessLog() != nil { return mediaDuration }
    return asset.statusOfValue(forKey: "duration") == .loaded ? asset.duration : .indefinite
  }

  /// The position of the playhead.
  public func currentTime() -> MediaTime { time(at: world?.now ?? .zero) }

  private var dates: [ProgramDate] {
    guard case .stream(let stream) = settings.source else { return [] }
    return stream.presentation.lists.first?.dates ?? []
  }

  /// The date of the playhead by EXT-X-PROGRAM-DATE-TIME; nil where the playlist has none.
  public func currentDate() -> Date? {
    dates.date(at: currentTime()).map { Date(timeIntervalSince1970: Double($0) / 1e9) }
  }

  /// Moves the playhead to a date.
  ///
  /// - Returns: False where the playlist has no date, and the handler is not called.
  @discardableResult
  public func seek(to date: Date, completionHandler: ((Bool) -> Void)? = nil) -> Bool {
    let wanted = MediaTime(seconds: date.timeIntervalSince1970).nanoseconds
    guard let time = dates.time(of: wanted) else { return false }
    seek(to: time, completionHandler: completionHandler)
    return true
  }

  /// Moves the playhead: of a current item as its player does, of another one at once.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime,
    completionHandler: @escaping (Bool) -> Void
  ) {
    if let player = owner.flatMap({ world?.player($0) }), player.currentItem === self {
      return player.seek(
        to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter,
        completionHandler: completionHandler)
    }
    precondition(time.isValid && min(toleranceBefore, toleranceAfter) >= .zero, "invalid seek")
    if let world, let core {
      try? world.direct { stage throws(PlayerError) in
        try core.seek(self, to: max(.zero, time), at: world.now, on: &stage)
      }
    } else {
      place(at: time, world?.now ?? .zero)
    }
    completionHandler(currentTime() == max(.zero, time))
  }

  /// Ends the pending seek of a current item, which is told that it was not finished.
  public func cancelPendingSeeks() {
    guard let world, let core, core.currentItem === self else { return }
    try? world.direct { stage throws(PlayerError) in
      try core.perform(.cancelPendingSeeks, at: world.now, on: &stage)
    }
  }

  /// The media that is there, and need not be in one piece.
  public var loadedTimeRanges: [Range<MediaTime>] {
    world.map { loadedTimeRanges(at: $0.now) } ?? []
  }

  /// Seconds to buffer ahead; zero leaves it to the player.
  public var preferredForwardBufferDuration: TimeInterval {
    get { .minimum(settings.preferredForwardBufferDuration.seconds, .infinity) }
    set { change { $0.preferredForwardBufferDuration = MediaTime(seconds: max(0, newValue)) } }
  }

  private var constraints: VariantConstraints {
    get {
      guard case .stream(let stream) = settings.source else { return VariantConstraints() }
      return stream.constraints
    }
    set { change { $0.source.constrain { $0 = newValue } } }
  }

  /// The highest bit rate to choose, in bit/s; zero sets no limit.
  public var preferredPeakBitRate: Double {
    get { Double(constraints.preferredPeakBitRate) }
    set { constraints.preferredPeakBitRate = Int64(limit: newValue) }
  }

  /// The same where the network is expensive; the lower of both holds.
  public var preferredPeakBitRateForExpensiveNetworks: Double {
    get { Double(constraints.preferredPeakBitRateForExpensiveNetworks) }
    set { constraints.preferredPeakBitRateForExpensiveNetworks = Int64(limit: newValue) }
  }

  /// The largest picture to choose, in pixels; zero sets no limit.
  public var preferredMaximumResolution: CGSize {
    get { CGSize(constraints.preferredMaximumResolution) }
    set { constraints.preferredMaximumResolution = PixelSize(newValue) }
  }

  /// The same where the network is expensive; the smaller of both holds.
  public var preferredMaximumResolutionForExpensiveNetworks: CGSize {
    get { CGSize(constraints.preferredMaximumResolutionForExpensiveNetworks) }
    set { constraints.preferredMaximumResolutionForExpensiveNetworks = PixelSize(newValue) }
  }

  /// The size of the pictures that are shown, in pixels; zero where none are, or where the playlist
  /// names no resolution.
  public var presentationSize: CGSize {
    guard case .stream(let stream) = settings.source, let world,
      let variant = playingVariant(at: world.now)
    else { return .zero }
    return CGSize(stream.presentation.variants[variant].attributes.resolution)
  }

  /// The end of playback; invalid for the media's own end.
  public var forwardPlaybackEndTime: MediaTime {
    get { settings.forwardPlaybackEndTime ?? .invalid }
    set { change { $0.forwardPlaybackEndTime = newValue.isNumeric ? newValue : nil } }
  }

  /// Whether the distance from the live edge is restored after buffering.
  public var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { settings.live.preservesOffset }
    set { change { $0.live.preservesOffset = newValue } }
  }

  /// The distance from the live edge at which playback begins; invalid for the server's.
  public var configuredTimeOffsetFromLive: MediaTime {
    get { settings.live.configuredOffset ?? .invalid }
    set { change { $0.live.configuredOffset = newValue.isNumeric ? newValue : nil } }
  }

  /// The distance that the server recommends, and the longest stall; invalid where nothing is live.
  public var recommendedTimeOffsetFromLive: MediaTime { recommendedOffset ?? .invalid }

  /// Whether a live stream is kept up with while it is paused.
  public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
    get {
      settings.live.usesNetworkWhilePaused ?? core?.settings.contract.usesNetworkWhilePaused
        ?? false
    }
    set { change { $0.live.usesNetworkWhilePaused = newValue } }
  }

  private func change(_ change: (inout ItemSettings) -> Void) {
    guard let core, let world else { return change(&settings) }
    world.direct { core.change(self, at: world.now, on: &$0, change) }
  }

  /// The network activity; nil before it is ready to play.
  public func accessLog() -> SimulatedPlayerItemAccessLog? {
    world.flatMap { core?.accessLog(of: self, at: $0.now) }.map { log in
      SimulatedPlayerItemAccessLog(events: log.events.map { SimulatedPlayerItemAccessLogEvent($0) })
    }
  }

  /// The network errors; nil while there are none.
  public func errorLog() -> ErrorLog? { core?.errorLog(of: self) }
}

extension Int64 {
  /// Zero for a rate that sets no limit.
  fileprivate init(limit: Double) { self = Int64(exactly: Swift.max(0, limit).rounded()) ?? 0 }
}

extension CGSize {
  fileprivate init(_ pixels: PixelSize?) {
    self.init(width: Double(pixels?.width ?? 0), height: Double(pixels?.height ?? 0))
  }
}

extension PixelSize {
  /// Nil for a size that sets no limit.
  fileprivate init?(_ size: CGSize) {
    guard size.width > 0, size.height > 0 else { return nil }
    let most = Double(Int32.max)
    self.init(
      width: Int32(min(size.width.rounded(.up), most)),
      height: Int32(min(size.height.rounded(.up), most)))
  }
}

/// The names of `AVPlayerItemErrorLogEvent`.
extension ErrorLogEvent {
  /// The HTTP status, or the code of another error.
  public var errorStatusCode: Int { Int(statusCode) }

  /// The domain of the code.
  public var errorDomain: String { domain }

  /// The error in words.
  public var errorComment: String? { comment }
}

/// AVPlayerItemAccessLog.
public struct SimulatedPlayerItemAccessLog: Hashable, Sendable {
  /// The events, of which all but the last are final.
  public let events: [SimulatedPlayerItemAccessLogEvent]
}

/// AVPlayerItemAccessLogEvent: `AccessLogEvent` in Apple's units. Unknown numbers are negative.
public struct SimulatedPlayerItemAccessLogEvent: Hashable, Sendable {
  /// The playlist of the variant or the name of the file, and `LIVE`, `VOD` or `FILE`.
  public let uri, playbackType: String?
  /// The date at which media first moved, in a run that begins with 1970; nil while it has not.
  public let playbackStartDate: Date?
  /// Numbers of requests for media, of stalls, and of segments that were slower than real time.
  public let numberOfMediaRequests, numberOfStalls, downloadOverdue: Int
  /// Bytes of media that arrived.
  public let numberOfBytesTransferred: Int64
  /// Seconds of media.
  public let playbackStartOffset, segmentsDownloadedDuration, durationWatched: TimeInterval
  /// Seconds of time.
  public let transferDuration, startupTime: TimeInterval
  /// Throughput in bit/s: mean, extremes of single segments, and the estimate at the switch.
  public let observedBitrate, observedMaxBitrate, observedMinBitrate, switchBitrate: Double
  /// The spread of the throughput, and bit rates of the media that arrived, in bit/s.
  public let observedBitrateStandardDeviation, averageVideoBitrate, averageAudioBitrate: Double
  /// Bit rates that the playlist declares, in bit/s.
  public let indicatedBitrate, indicatedAverageBitrate: Double

  init(_ log: AccessLogEvent) {
    func rate(_ value: Int64?) -> Double { value.map { Double($0) } ?? -1 }
    (uri, playbackType) = (log.uri, log.playbackType.rawValue)
    playbackStartDate = log.playbackStartDate.map { Date(timeIntervalSince1970: $0.seconds) }
    numberOfMediaRequests = Int(log.numberOfMediaRequests)
    (numberOfStalls, downloadOverdue) = (Int(log.numberOfStalls), Int(log.downloadOverdue ?? -1))
    numberOfBytesTransferred = log.numberOfBytesTransferred
    playbackStartOffset = log.playbackStartOffset.seconds
    segmentsDownloadedDuration = log.segmentsDownloadedDuration?.seconds ?? -1
    durationWatched = log.durationWatched.seconds
    (startupTime, transferDuration) = (log.startupTime?.seconds ?? -1, log.transferDuration.seconds)
    (observedBitrate, indicatedBitrate) = (rate(log.observedBitrate), rate(log.indicatedBitrate))
    (switchBitrate, observedMaxBitrate) = (rate(log.switchBitrate), rate(log.observedMaxBitrate))
    observedMinBitrate = rate(log.observedMinBitrate)
    observedBitrateStandardDeviation = rate(log.observedBitrateStandardDeviation)
    indicatedAverageBitrate = rate(log.indicatedAverageBitrate)
    averageVideoBitrate = rate(log.averageVideoBitrate)
    averageAudioBitrate = rate(log.averageAudioBitrate)
  }
}
