import GoldilocksTesting
import PlayerScreen
import Testing

/// When the spinner comes and goes, on three links, to the nanosecond.
@Suite struct SpinnerTests {
  @Test func `on a fast link nobody sees a spinner`() throws {
    let screening = try Screening(Screening.link(kilobits: 50_000, delay: .milliseconds(40)))
    screening.screen.buttonTapped()
    #expect(screening.screen.button == .pause)
    #expect(screening.world.run() == .finished)
    #expect(screening.screen.spinnerCount == 0)
    #expect(screening.screen.button == .play)
  }

  @Test func `on a slow link it comes after the patience and goes when playback starts`() throws {
    // Ten seconds at 2 Mbit/s over 1.6: two and a half seconds are needed ahead.
    let screening = try Screening(Screening.link(kilobits: 1_600))
    screening.screen.buttonTapped()
    screening.world.advance(by: .milliseconds(249))
    #expect(!screening.screen.isSpinnerVisible)
    screening.world.advance(by: .milliseconds(1))
    #expect(screening.screen.isSpinnerVisible)
    screening.world.advance(to: .zero + .milliseconds(2_500))
    #expect(!screening.screen.isSpinnerVisible)
    #expect(screening.player.timebaseRate == .normal)
    #expect(screening.world.run() == .finished)
    #expect(screening.screen.spinnerCount == 1)
  }

  @Test func `when the network drops out it comes back for as long as playback stalls`() throws {
    let screening = try Screening(Screening.link(kilobits: 2_200))
    screening.screen.buttonTapped()
    screening.world.advance(by: .seconds(4))
    try screening.world.setConditions(Screening.link(kilobits: 0))
    screening.world.advance(by: .seconds(5))
    #expect(screening.screen.isSpinnerVisible)
    try screening.world.setConditions(Screening.link(kilobits: 2_200))
    #expect(screening.world.run() == .finished)
    #expect(screening.player.books.stallCount == 1)
    #expect(screening.screen.spinnerCount == 1)
    #expect(!screening.screen.isSpinnerVisible)
  }

  @Test func `while the buffering rate is evaluated there is none`() throws {
    let screening = try Screening(
      Screening.link(kilobits: 4_000), evaluating: .milliseconds(800))
    screening.screen.buttonTapped()
    screening.world.advance(by: .milliseconds(700))
    #expect(screening.player.reasonForWaitingToPlay == .evaluatingBufferingRate)
    #expect(!screening.screen.isSpinnerVisible)
    #expect(screening.world.run() == .finished)
    #expect(screening.screen.spinnerCount == 0)
  }
}
