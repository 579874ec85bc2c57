import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

/// Plays a further player while the first one waits, as AVPlayerInterstitialEventController does.
///
/// Documented is the reason the first player waits for. Assumed: a seek over the place leaves the
/// interstitial out; the app's pause holds both players; a failed item is left out; it plays once.
final class Interstitial {
  private enum Phase {
    case expected
    /// The first player is held up, and the app has not asked it to play.
    case held
    case playing(since: Instant)
    case over
  }

  let plan: InterstitialPlan
  private let primary: RunSession
  private let guest: RunSession
  private var phase = Phase.expected
  private var isWatching = false
  /// Whether its item is loaded, or will be when the playhead comes near.
  private var isComing = false
  /// Whether a seek has led past the place.
  private var isLeftOut = false
  /// The item that is played, and what was played of those before it.
  private var item: SimulatedPlayerItem?
  private var playedBefore = MediaTime.zero
  /// The item in which the first player is held up; nil once the app has sought in it meanwhile.
  private var heldItem: SimulatedPlayerItem?
  /// The sum of the resumption offsets of earlier interstitials at the same place.
  private var carried = MediaTime.zero

  init(_ plan: InterstitialPlan, of primary: RunSession, on guest: RunSession) {
    (self.plan, self.primary, self.guest) = (plan, primary, guest)
  }

  func begin() {
    primary.player.observe { [self] in hear($0) }
    guest.player.observe { [self] in hearGuest($0) }
    isLeftOut = primary.player.currentTime() > plan.time
    look()
  }

  private func hear(_ record: PlaybackRecord) {
    if record.observation.isItemThere != nil {
      if case .playing = phase { finish() }
      if case .held = phase { release() }
      isLeftOut = primary.player.currentTime() > plan.time
    } else if let target = record.observation.jump {
      if record.item != primary.player.currentItem?.number { return }
      if case .playing = phase, case .seek = record.observation { heldItem = nil }
      isLeftOut = target > plan.time
      if case .held = phase, target != plan.time { release() }
    } else if case .rate(let rate, let previous, _) = record.observation {
      if case .playing = phase {
        if rate.isZero { guest.player.pause() } else if previous.isZero { guest.player.play() }
      }
    } else {
      return
    }
    look()
  }

  /// Looks whether its place has come, or when it may.
  private func look() {
    switch phase {
    case .playing, .over: return
    case .held: if !primary.player.rate.isZero { play() }
    case .expected:
      if isLeftOut || !isItsItem { return }
      if !isComing, plan.preload > .zero {
        isComing = true
        let near = max(.zero, plan.time - plan.preload)
        primary.player.at(near) { [self] in
          isComing = isDue(at: near)
          if isComing { bringItem() }
        }
      }
      if isWatching { return }
      isWatching = true
      primary.player.at(plan.time) { [self] in
        isWatching = false
        if primary.interstitials.contains(where: { $0.isUnderWay }) { return }
        if isDue(at: plan.time) { hold() }
      }
    }
  }

  private var isUnderWay: Bool {
    switch phase {
    case .held, .playing: true
    case .expected, .over: false
    }
  }

  /// Whether it is still to come, and the first player has reached a place in its item.
  private func isDue(at place: MediaTime) -> Bool {
    guard case .expected = phase, !isLeftOut, isItsItem else { return false }
    return primary.player.currentTime() >= place
  }

  private var isItsItem: Bool {
    guard let number = primary.player.currentItem?.number else { return false }
    return plan.item.map { primary.name(of: number) == $0 } ?? true
  }

  /// Holds the first player up; the app may still have to ask it to play.
  private func hold() {
    do throws(PlayerError) {
      try primary.player.setSuspended(true, by: .interstitialEvent)
    } catch {
      phase = .over
      return primary.warn("no interstitial is played: \(error.words)", at: plan.position)
    }
    phase = .held
    heldItem = primary.player.currentItem
    look()
  }

  private func release() {
    phase = .expected
    primary.attempt(try primary.player.setSuspended(false, by: .interstitialEvent))
  }

  private func bringItem() {
    if guest.player.currentItem == nil { guest.bringItem() }
    guest.loopFromStart()
  }

  private func play() {
    phase = .playing(since: primary.world.now)
    bringItem()
    watchLimit()
    guest.player.play()
    if guest.player.core.hasFailed { leaveItemOut() }
  }

  private func hearGuest(_ record: PlaybackRecord) {
    guard case .playing = phase else { return }
    if case .playedToEnd(let time) = record.observation {
      playedBefore = playedBefore + (time - (item?.settings.beginning ?? .zero))
      if guest.queuePlayer == nil { finish() }
    } else if case .itemFailed = record.observation {
      if guest.player.core.hasFailed { leaveItemOut() }
    } else if let isPresent = record.observation.isItemThere {
      if isPresent { watchLimit() } else { finish() }
    }
  }

  /// Goes on to the next item, if there is one.
  private func leaveItemOut() {
    guard let queue = guest.queuePlayer, queue.items().count > 1 else { return finish() }
    queue.advanceToNextItem()
    queue.play()
  }

  private func watchLimit() {
    item = guest.player.currentItem
    guard let limit = plan.playoutLimit, let item else { return }
    guest.player.at(item.settings.beginning + (limit - playedBefore)) { [self] in
      if guest.player.currentItem === item { finish() }
    }
  }

  private func finish() {
    guard case .playing(let since) = phase else { return }
    phase = .over
    guest.player.pause()
    guest.queuePlayer?.removeAllItems()
    guest.player.replaceCurrentItem(with: nil)
    let offset =
      switch plan.resumption {
      case .offset(let offset): offset
      case .asLongAsItTook: MediaTime(nanoseconds: (primary.world.now - since).nanoseconds)
      }
    carried = carried + offset
    // Another item begins where it begins, and a seek leads where it leads.
    if heldItem == nil || heldItem !== primary.player.currentItem { carried = .zero }
    if let next = primary.interstitials.first(where: { $0.isDue(at: $0.plan.time) }) {
      next.carried = carried
      return next.hold()
    }
    if carried > .zero, let heldItem {
      // It was held up a nanosecond late where the place lies between two.
      let slip = primary.player.rate.media(in: TimeSpan(nanoseconds: 1))
      let now = primary.player.currentTime()
      let place = now - plan.time <= slip ? plan.time : now
      let end = heldItem.knownDuration ?? .distantFuture
      primary.attempt(try primary.player.seek(to: min(end, place + carried)))
    }
    primary.attempt(try primary.player.setSuspended(false, by: .interstitialEvent))
  }
}

extension PlaybackObservation {
  /// The position to which the playhead goes otherwise than by playing.
  fileprivate var jump: MediaTime? {
    if case .seek(let time) = self { return time }
    if case .timeJumped(let time) = self { return time }
    if case .live(.moved(let time, _)) = self { return time }
    return nil
  }
}
