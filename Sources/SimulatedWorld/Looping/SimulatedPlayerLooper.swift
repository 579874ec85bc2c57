public import SimulatedPlayback
public import VirtualTime

/// Looping with the face of AVPlayerLooper: the treadmill, done by the playback system itself.
///
/// It "constructs a small number of copies of that AVPlayerItem, which it then cycles through the
/// play queue until you tell it to stop" (WWDC16 503). The template itself never plays, and later
/// changes of it have no effect. Until looping is disabled the queue, the playheads and the ends of
/// the copies are not the app's to change.
public final class SimulatedPlayerLooper {
  /// The states of a looper.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The duration of the media is not known yet.
    case unknown
    case ready
    case failed
    case cancelled
  }

  /// The place of the copies in a queue that is not empty.
  public enum ItemOrdering: Hashable, Sendable, CaseIterable {
    case loopingItemsPrecedeExistingItems
    case loopingItemsFollowExistingItems
  }

  /// "At least 3 AVPlayerItem replicas" (AVPlayerLooper); that there are no more is our assumption.
  public static let replicaCount = 3

  /// The player whose queue the copies go round in.
  public let player: SimulatedQueuePlayer
  /// Ready as soon as the duration of the media is known.
  public private(set) var status = Status.unknown
  /// The number of times the media has looped.
  public private(set) var loopCount: Int64 = 0
  /// The copies.
  public private(set) var loopingPlayerItems: [SimulatedPlayerItem] = []
  private let template: ItemSettings
  private let ordering: ItemOrdering
  private var rateBefore = PlaybackRate.zero
  private var actionBefore = ActionAtItemEnd.advance
  private var observation: ObservationToken?

  /// Starts looping a range of the media, or with nil all that the template plays, with at least
  /// three copies. The duration is known after the delay, which is zero where it was loaded before.
  public init(
    player: SimulatedQueuePlayer, templateItem: ItemSettings,
    timeRange: Range<MediaTime>? = nil,
    existingItemsOrdering: ItemOrdering = .loopingItemsPrecedeExistingItems,
    replicaCount count: Int = SimulatedPlayerLooper.replicaCount,
    durationLoadedAfter delay: TimeSpan = .zero
  ) throws(LooperError) {
    self.player = player
    ordering = existingItemsOrdering
    var template = templateItem
    if let timeRange {
      // "The loop range is done with seek and forwardPlaybackEndTime" (AVPlayerLooper).
      template.startTime = timeRange.lowerBound
      template.forwardPlaybackEndTime = timeRange.upperBound
    }
    if template.asset == nil { template.asset = player.world.makeAsset() }
    let duration = template.source.duration
    if duration <= .zero { throw .emptyMedia }
    if count < SimulatedPlayerLooper.replicaCount { throw .tooFewReplicas }
    if let timeRange, timeRange.lowerBound < .zero || timeRange.upperBound > duration {
      throw .rangeOutsideMedia
    }
    let end = min(duration, template.forwardPlaybackEndTime ?? duration)
    if template.startTime ?? .zero >= end { throw .emptyRange }
    self.template = template
    // The player is paused while the looper sets itself up, and its rate restored.
    rateBefore = player.rate
    if !rateBefore.isZero { player.rate = .zero }
    player.world.later(by: delay) { [self] in setUp(count) }
  }

  /// Lets the current copy play to its end and restores the queue.
  public func disableLooping() {
    if status == .cancelled || status == .failed { return }
    status = .cancelled
    // From the back: the pipeline would be filled for each copy that became the next.
    for copy in player.items().dropFirst().reversed() where isCopy(copy) { player.remove(copy) }
    if !isCopy(player.currentItem) { restore() }
  }

  private func setUp(_ count: Int) {
    if status == .cancelled { return }
    actionBefore = player.actionAtItemEnd
    loopingPlayerItems = (0..<count).map { _ in SimulatedPlayerItem(template) }
    for copy in loopingPlayerItems { copy.goesRound = true }
    do throws(PlayerError) {
      try player.setActionAtItemEnd(.advance)
      switch ordering {
      case .loopingItemsPrecedeExistingItems:
        let existing = player.items()
        if !existing.isEmpty { player.removeAllItems() }
        try player.insert(loopingPlayerItems + existing)
      case .loopingItemsFollowExistingItems:
        try player.insert(loopingPlayerItems)
      }
    } catch {
      status = .failed
      return
    }
    status = .ready
    startObserving()
    if !rateBefore.isZero { player.rate = rateBefore }
  }

  private func startObserving() {
    observation = player.observeCurrentItem(among: player.items) { [self] in changed(from: $0) }
  }

  private func changed(from old: SimulatedPlayerItem?) {
    guard let old, isCopy(old) else { return }
    if status != .ready {
      restore()
    } else if case .failed = old.status {
      status = .failed
      restore()
    } else {
      loopCount += 1
      putBack(old)
    }
  }

  /// Puts a copy behind the one that was last put back, before whatever else is in the queue.
  private func putBack(_ copy: SimulatedPlayerItem) {
    guard let place = loopingPlayerItems.firstIndex(where: { $0 === copy }) else { return }
    let count = loopingPlayerItems.count
    let last = loopingPlayerItems[(place + count - 1) % count]
    player.end(&observation)
    do throws(PlayerError) {
      try player.seek(copy, to: template.startTime ?? .zero)
      try player.insert([copy], after: last)
      startObserving()
    } catch {
      status = .failed
      restore()
    }
  }

  /// Gives the player back as it was, but for what has been played.
  private func restore() {
    player.end(&observation)
    // An action that the player had before is not refused.
    try? player.setActionAtItemEnd(actionBefore)
  }

  private func isCopy(_ item: SimulatedPlayerItem?) -> Bool {
    loopingPlayerItems.contains { $0 === item }
  }
}

/// The reason a looper cannot be made; AVPlayerLooper raises an exception instead.
public enum LooperError: Error, Hashable, Sendable {
  case emptyMedia
  case emptyRange
  case rangeOutsideMedia
  case tooFewReplicas
}
