import SimulatedWorld
import Testing

/// What a player that was asked to play does before it does.
@Suite struct WaitingTests {
  @Test(arguments: [
    (Contract.current, ".wwwwwww", PlaybackRate.normal),
    (Contract.legacy, ".>......", PlaybackRate.zero),
  ])
  func `before iOS 10 a progressive file does not wait, and a stall sets the rate to zero`(
    _ contract: Contract, _ strip: String, _ rate: PlaybackRate
  ) throws {
    let bench = try Bench(speed: 500, settings: PlayerSettings(contract: contract))
    bench.world.at(.seconds(1)) { bench.player.play() }
    #expect(bench.draw(seconds: 8) == strip)
    #expect(bench.player.rate == rate)
  }

  @Test func `under the legacy contract the mode is the file's while there is one`() throws {
    let bench = try Bench(settings: PlayerSettings(contract: .legacy, waitsAutomatically: true))
    let player = bench.player
    #expect(!player.core.machine.waitsAutomatically)
    player.replaceCurrentItem(with: nil)
    #expect(player.core.machine.waitsAutomatically)
    player.play()
    #expect(player.reasonForWaitingToPlay == .noItemToPlay)
    player.replaceCurrentItem(with: Bench.item())
    #expect(!player.core.machine.waitsAutomatically)
    #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
    #expect(player.reasonForWaitingToPlay == nil && player.rate == .normal)
  }

  @Test func `a brief evaluation comes before the wait, and under a good link before playing`()
    throws
  {
    for (speed, after) in [
      (Int64(800), [TimeControl.waiting(.toMinimizeStalls), .playing]), (1_200, [.playing]),
    ] {
      let bench = try Bench(
        speed: speed, settings: PlayerSettings(evaluationPeriod: .milliseconds(200)))
      bench.pass(1)
      bench.player.play()
      bench.pass(20)
      #expect(bench.notes.controls == [.waiting(.evaluatingBufferingRate)] + after)
    }
  }

  /// At twice the speed forty seconds would start after twelve; at normal speed they do at once.
  @Test func `playback begins at the rate that was asked for last while it waited`() throws {
    let bench = try Bench(speed: 1_250)
    bench.player.rate = PlaybackRate(2)
    bench.pass(5)
    bench.player.rate = .normal
    let told = bench.notes.observations
    let rates: [PlaybackRate] = told.compactMap {
      if case .timebase(let rate, _, _) = $0 { rate } else { nil }
    }
    #expect(rates == [.normal])
    #expect(bench.notes.rules == [.waitsForBuffer, .waitedEnough])
    let changes = try #require(told.lastIndex { if case .rate = $0 { true } else { false } })
    let plays = try #require(told.lastIndex { if case .timeControl = $0 { true } else { false } })
    #expect(changes < plays)
  }

  @Test func `play before the item waits for it`() throws {
    let bench = try Bench(speed: 800, hasItem: false)
    bench.player.play()
    #expect(bench.player.reasonForWaitingToPlay == .noItemToPlay)
    bench.pass(5)
    bench.player.replaceCurrentItem(with: Bench.item())
    #expect(bench.player.reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(bench.world.run() == .finished)
    #expect(try #require(bench.player.books.startupDelay).isAbout(5 + 10))
  }

  @Test func `switched off while waiting, it plays what there is`() throws {
    let bench = try Bench(speed: 500)
    bench.player.play()
    bench.world.at(.seconds(2)) { bench.player.automaticallyWaitsToMinimizeStalling = false }
    // One second is loaded after two; it lasts for two.
    #expect(bench.draw(seconds: 6) == "ww>>..")
    #expect(bench.notes.rules == [.waitsForBuffer, .switchedOffStarts, .stallPauses])
  }

  @Test func `pause while waiting stops the wait, and startup leaves that time out`() throws {
    let bench = try Bench(speed: 800)
    bench.player.play()
    bench.world.at(.seconds(3)) { bench.player.pause() }
    bench.world.at(.seconds(8)) { bench.player.play() }
    #expect(bench.draw(seconds: 12) == "www.....ww>>")
    #expect(try #require(bench.player.books.startupDelay).isAbout(3 + 2))
    #expect(bench.player.books.paused == .seconds(5))
  }

  @Test func `twice as fast needs twice the start`() throws {
    let bench = try Bench(speed: 1_000)
    bench.player.rate = PlaybackRate(2)
    #expect(bench.world.run() == .finished)
    // Forty seconds to load, twenty to play.
    #expect(try #require(bench.player.books.startupDelay).isAbout(20))
    #expect(bench.player.books.played.isAbout(20))
    #expect(bench.player.books.stallCount == 0)
  }

  @Test func `a rate changed while playing holds at once, and keeping up is judged anew`() throws {
    let bench = try Bench(speed: 1_500)
    bench.player.play()
    bench.pass(10)
    #expect(bench.player.core.isPlaybackLikelyToKeepUp)
    bench.player.rate = PlaybackRate(2)
    #expect(bench.player.timebaseRate == PlaybackRate(2))
    #expect(!bench.player.core.isPlaybackLikelyToKeepUp)
    // Five seconds ahead, eaten by half a second each second.
    #expect(bench.draw(seconds: 11) == ">>>>>>>>>>w")
  }

  @Test func `whoever projects with the rate asked for is wrong while the player waits`() throws {
    let bench = try Bench(speed: 800)
    bench.player.play()
    bench.pass(2)
    let later = bench.world.now + .seconds(5)
    let wrong = bench.player.projectedTimeByRequestedRate(at: later)
    let right = bench.player.projectedTime(at: later)
    bench.world.advance(to: later)
    #expect((right, wrong) == (bench.player.currentTime(), .seconds(5)))
    #expect(right == .zero)
  }

  @Test func `an impatient player resumes with a quarter of a second, not with a byte`() throws {
    let bench = try Bench(
      speed: 500, duration: .seconds(10), limits: RunLimits(eventBudget: 200)
    ) { $0.heuristic = .immediate }
    bench.player.play()
    #expect(bench.world.run() == .finished)
    let stalls = bench.player.books.stallCount
    // Each quarter of a second lasts for half a second of the twenty it takes to load.
    #expect((19...21).contains(stalls))
  }
}
