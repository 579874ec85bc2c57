import SimulatedWorld
import TestSupport
import Testing

/// What a wait is for is one fact: the machine has it, the policy is asked by it, and the time is
/// booked under it, whatever the app does in between.
@Suite struct WaitPurposeTests {
  /// What a policy was told that the player waits for, one entry for each change.
  final class Heard: @unchecked Sendable {
    var waits: [Wait] = []
    /// The purpose as of the last question.
    var last = Wait.nothing

    func hear(_ wait: Wait) {
      last = wait
      if wait != .nothing, waits.last != wait { waits.append(wait) }
    }
  }

  /// What happens between the first play and the end.
  enum History: CaseIterable {
    case nothing
    case pausedInAStall
    case pausedTwiceInAStall
    case rateChangedInAStall
    case heldUpInAStall
    case soughtWhilePlaying
    case soughtInAStall
    case soughtTwiceInAStall
    case soughtBeforeTheStart
    case pausedInASeek
    case replacedInAStall
    case replacedInASeek

    var waits: [Wait] {
      switch self {
      case .nothing, .pausedInAStall, .pausedTwiceInAStall, .rateChangedInAStall, .heldUpInAStall:
        [.start, .stall]
      case .soughtWhilePlaying, .pausedInASeek: [.start, .seek]
      case .soughtInAStall, .soughtTwiceInAStall: [.start, .stall, .seek]
      case .soughtBeforeTheStart: [.start]
      case .replacedInAStall: [.start, .stall, .start]
      case .replacedInASeek: [.start, .seek, .start]
      }
    }
  }

  private let heard = Heard()

  private func player(speed: Int64, _ fidelity: Fidelity) throws -> (World, SimulatedPlayer) {
    let world = try World(conditions: Bench.conditions(speed), fidelity: fidelity)
    let policy = CustomPolicy(
      name: "marks",
      start: { [heard] question, _ in
        heard.hear(question.snapshot.wait)
        return .decided(question.snapshot.ahead >= .seconds(1))
      },
      resume: { [heard] question, _ in
        heard.hear(question.snapshot.wait)
        return .decided(question.snapshot.ahead >= .seconds(3))
      })
    let player = world.makePlayer(following: policy)
    player.replaceCurrentItem(with: Bench.item(duration: .seconds(300)))
    return (world, player)
  }

  private func pass(_ world: World, until isDone: () -> Bool) {
    for _ in 0..<6_000 where !isDone() { world.advance(by: .milliseconds(10)) }
    #expect(isDone())
  }

  private func act(
    _ history: History, _ world: World, _ player: SimulatedPlayer
  ) throws {
    func pause(_ milliseconds: Int64) {
      player.pause()
      world.advance(by: .milliseconds(milliseconds))
      player.play()
    }
    switch history {
    case .nothing: break
    case .pausedInAStall: pause(700)
    case .pausedTwiceInAStall:
      pause(300)
      world.advance(by: .milliseconds(200))
      pause(100)
    case .rateChangedInAStall: player.rate = PlaybackRate(1, over: 2)
    case .heldUpInAStall:
      try player.setSuspended(true, by: .interstitialEvent)
      world.advance(by: .milliseconds(400))
      try player.setSuspended(false, by: .interstitialEvent)
    case .soughtWhilePlaying, .soughtInAStall, .soughtBeforeTheStart:
      try player.seek(to: .seconds(200))
    case .soughtTwiceInAStall:
      try player.seek(to: .seconds(200))
      world.advance(by: .milliseconds(100))
      try player.seek(to: .seconds(100))
    case .pausedInASeek:
      try player.seek(to: .seconds(200))
      pause(250)
    case .replacedInAStall: player.replaceCurrentItem(with: Bench.item(duration: .seconds(200)))
    case .replacedInASeek:
      try player.seek(to: .seconds(200))
      world.advance(by: .milliseconds(100))
      player.replaceCurrentItem(with: Bench.item(duration: .seconds(200)))
    }
  }

  /// Each history over one link after the other in a debug build, and over all of them in a release
  /// build.
  private static let cases = History.allCases.enumerated().flatMap { number, history in
    let links: [(speed: Int64, fidelity: Fidelity)] = [
      (500, .fluid), (900, .tcp), (800, .fluid), (300, .fluid), (650, .tcp),
    ]
    return (Seeds.areMany ? links : [links[number % links.count]]).map { (history, $0) }
  }

  @Test(arguments: cases)
  func `the policy is asked, and the time is booked, for what the machine waits`(
    history: History, link: (speed: Int64, fidelity: Fidelity)
  ) throws {
    let (world, player) = try player(speed: link.speed, link.fidelity)
    player.play()
    switch history {
    case .soughtBeforeTheStart: world.advance(by: .milliseconds(300))
    case .soughtWhilePlaying, .pausedInASeek, .replacedInASeek:
      pass(world) { player.timebaseRate == .normal }
    case .nothing, .pausedInAStall, .pausedTwiceInAStall, .rateChangedInAStall, .heldUpInAStall,
      .soughtInAStall, .soughtTwiceInAStall, .replacedInAStall:
      pass(world) { player.books.stallCount == 1 }
    }
    let before = player.books
    try act(history, world, player)
    pass(world) { player.timebaseRate != .zero }
    let (after, last) = (player.books, try #require(history.waits.last))
    #expect(heard.waits == history.waits)
    // The mark of the last wait ended it, and the time since is booked under it alone.
    let mark: MediaTime = last == .stall ? .seconds(3) : .seconds(1)
    let place = player.currentTime()
    let loaded = player.loadedTimeRanges.first { $0.contains(place) }
    let ahead = (loaded?.upperBound ?? place) - place
    // It is looked at every 10 ms, and packets may come many at a time.
    #expect(ahead > mark - .milliseconds(20) && ahead < mark + .milliseconds(1_900), "\(ahead)")
    let booked = [
      (Wait.start, after.startup + after.laterStartups - before.startup - before.laterStartups),
      (.stall, after.stalled - before.stalled), (.seek, after.seekWaiting - before.seekWaiting),
    ]
    for (wait, span) in booked {
      let isWaitedFor = wait == last || wait == .seek && history == .replacedInASeek
      #expect((span > .zero) == isWaitedFor, "\(wait): \(span)")
    }
    #expect(world.finish() == [])
  }
}
