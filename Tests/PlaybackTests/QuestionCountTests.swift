import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// How often a policy is asked whether playback may begin or go on: a counter that is the same on
/// every machine.
@Suite struct QuestionCountTests {
  /// What was asked, in order; the run that fills it has a thread for itself.
  private final class Questions: @unchecked Sendable {
    var snapshots: [Snapshot] = []

    var rule: CustomPolicy.Readiness {
      { question, _ in
        self.snapshots.append(question.snapshot)
        return .decided(question.snapshot.ahead >= .seconds(4))
      }
    }

    /// How often the same was asked as just before.
    var repetitions: Int { zip(snapshots, snapshots.dropFirst()).count { $0 == $1 } }
  }

  /// Plays a source, and holds the questions against what happened: an event of the loop, a call or
  /// a playhead that runs dry brings one at most.
  private func expectFewQuestions(
    of source: MediaSource, kilobits: Int64, delay: Int64, _ fidelity: Fidelity
  ) throws {
    let direction = DirectionConditions(
      bandwidth: .limited(.kilobitsPerSecond(kilobits)), delay: .milliseconds(delay))
    let world = try World(
      conditions: LinkConditions(downlink: direction, uplink: direction), fidelity: fidelity)
    let questions = Questions()
    let player = world.makePlayer(
      following: CustomPolicy(name: "counts", start: questions.rule, resume: questions.rule))
    player.replaceCurrentItem(with: ItemSettings(source: source))
    player.play()
    #expect(world.run() == .finished)
    #expect(!questions.snapshots.isEmpty)
    #expect(questions.repetitions == 0)
    let calls: Int64 = 2
    let most = world.eventCount + calls + player.books.stallCount
    #expect(Int64(questions.snapshots.count) <= most)
  }

  /// Of a file, in seconds; a stream is twice as long.
  private let length = Int64(Seeds.count(10, inRelease: 30))

  private static let links: [(kilobits: Int64, delay: Int64)] = [
    (600, 0), (800, 40), (1_000, 5), (1_300, 200), (2_500, 20),
  ]

  @Test(arguments: Seeds.pairs(of: links, and: [Fidelity.fluid, .tcp]))
  func `what happens to a file is asked about once`(
    link: (kilobits: Int64, delay: Int64), fidelity: Fidelity
  ) throws {
    let file = MediaFile(duration: .seconds(length), bitRate: .megabitsPerSecond(1))
    try expectFewQuestions(
      of: .progressive(file), kilobits: link.kilobits, delay: link.delay, fidelity)
  }

  @Test(arguments: Seeds.pairs(of: links, and: [Fidelity.fluid, .tcp]))
  func `what happens to a stream is asked about once`(
    link: (kilobits: Int64, delay: Int64), fidelity: Fidelity
  ) throws {
    for seconds: Int64 in Seeds.areMany ? [1, 2, 5] : [2] {
      let presentation = try Presentation(
        LadderDescription(
          rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)],
          segmentDuration: .seconds(seconds), duration: .seconds(2 * length)))
      try expectFewQuestions(
        of: .stream(StreamSettings(presentation: presentation)), kilobits: link.kilobits,
        delay: link.delay, fidelity)
    }
  }

  /// Thousandths of the file's rate, from which the link leaves 2.7 s ahead 1.3 s of decline after
  /// the start at 4 s.
  @Test(arguments: [500, 900, 990, 999, 1_000, 1_001, 1_500] as [Int64])
  func `a reserve that the link keeps up is not looked at for each byte`(
    thousandths: Int64
  ) throws {
    var settings = PlayerSettings()
    settings.policy.start = .level(.media(.seconds(4)))
    settings.policy.stall = .below(.milliseconds(2_700))
    let link = DirectionConditions(bandwidth: .limited(.kilobitsPerSecond(thousandths)))
    let world = try World(
      conditions: LinkConditions(downlink: link), limits: RunLimits(eventBudget: 1_000))
    let player = world.makePlayer(settings)
    let file = MediaFile(duration: .seconds(60), bitRate: .megabitsPerSecond(1))
    player.replaceCurrentItem(with: ItemSettings(source: .progressive(file)))
    player.play()
    #expect(world.run() == .finished)
    let share = Double(thousandths) / 1_000
    let stall = 4 / share + 1.3 / (1 - share)
    let isExpected = share < 1 && stall < 60 / share
    #expect((player.books.stallCount > 0) == isExpected)
    if let first = player.books.stalls.first, isExpected {
      #expect(abs(Double(first.start.nanoseconds) / 1e9 - stall) < 0.000_02 / (1 - share))
    }
  }
}
