import GoldilocksTesting
import Testing

/// A rule of the team's own: it starts with two seconds ahead, and asks for twice as much after
/// each stall.
@Suite struct OwnPolicyTests {
  static let patience = CustomPolicy(
    name: "patience",
    start: { question, _ in .decided(question.snapshot.ahead >= .seconds(2)) },
    resume: { question, memory in
      // What it remembers is part of the run: when this wait began, and its mark in seconds.
      let began = question.snapshot.waitBegan.nanoseconds
      if memory.numbers.first != began { memory.numbers = [began, 2 * (memory.numbers.last ?? 2)] }
      return .decided(question.snapshot.ahead >= .seconds(memory.numbers[1]))
    })

  @Test func `a player asks for twice as much after a stall`() throws {
    let world = try World(conditions: LinkConditions(link: #"{ "bandwidth": "1.6 Mbit/s" }"#))
    let player = world.makePlayer(following: Self.patience)
    let clip = try ItemSettings(
      media: #"{ "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } }"#)
    player.replaceCurrentItem(with: world.makeItem(clip))
    player.play()
    #expect(world.run() == .finished)
    // Over a link of 0.8 of the rate, two seconds take 2.5 s and last 10 s; four seconds take 5 s.
    #expect(player.books.startup >= .milliseconds(2_500))
    #expect(player.books.startup < .milliseconds(2_501))
    #expect(player.books.stallCount == 1)
    #expect(player.books.stalled >= .seconds(5) && player.books.stalled < .milliseconds(5_001))
  }

  @Test func `scenario files tell it from their own policies`() throws {
    let all = try compare([Self.patience], over: scenarioFiles(in: ScenarioFileTests.shipped))
    #expect(all[0].map(\.digest) != all[1].map(\.digest), "\(all)")
  }
}
