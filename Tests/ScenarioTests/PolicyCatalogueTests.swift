import ExactText
import Foundation
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// What there is to choose from is what a scenario can name, and it is told in a scenario's words.
@Suite struct PolicyCatalogueTests {
  let catalogue = PolicyCatalogue.standard

  /// The seats that a scenario can fill so far.
  private var named: [PolicyCatalogue.Seat] {
    catalogue.seats.filter { !$0.blocks.isEmpty || !$0.parameters.isEmpty }
  }

  @Test func `every block has a sentence, a source and a confidence, and every source a block`() {
    var blocks: Set<String> = []
    for seat in named {
      #expect(!seat.about.isEmpty, "\(seat.name)")
      for block in seat.blocks {
        #expect(!block.about.isEmpty && block.source != nil, "\(seat.name): \(block.name)")
        blocks.insert(block.name)
      }
    }
    #expect(blocks == Set(BlockSource.all.map(\.name)))
    #expect(named.contains { $0.name == "start" && $0.blocks.count > 10 })
    let playThrough = catalogue.blocks(named: "playThrough")
    #expect(playThrough?.seats.map(\.name) == ["start", "resume"])
    #expect(playThrough?.block.parameters.first { $0.name == "margin" }?.absent == "\"2 s\"")
    #expect(catalogue.blocks(named: "playthrough") == nil)
  }

  @Test(arguments: PolicyPreset.all)
  func `a policy that is written out is read as the same policy`(preset: PolicyPreset) throws {
    let found = try read(preset.description, like: preset.name)
    #expect(found == heeded(of: preset.description))
    #expect(found.written.json == preset.description.written.json)
    for seat in PolicySeat.allCases {
      #expect(preset.evidence.contains { $0.seat == seat }, "\(preset.name): \(seat)")
    }
  }

  @Test(arguments: PolicyPreset.all)
  func `a fetch rule that is written has no key without effect`(preset: PolicyPreset) throws {
    for (seat, media) in [
      ("fileFetch", #""progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" }"#),
      ("streamFetch", #""hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "24 s" }"#),
    ] {
      let choice = try #require(preset.description.choices.first { $0.seat == seat }).choice
      let text = """
        {
          "scenario": "A", "about": "A.", "link": { "bandwidth": "2 Mbit/s" },
          "media": { \(media) }, "player": { "policy": { "\(seat)": \(choice) } },
          "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ]
        }
        """
      let scenario = try readScenario(Array(text.utf8), file: "a.json")
      #expect(scenario.warnings.map { $0.message } == [], "\(preset.name)")
    }
  }

  /// The policy without what its rules of files and of streams say for the other kind of media: one
  /// rule may stand for both, and a scenario that says the rest has keys without effect.
  private func heeded(of policy: PolicyDescription) -> PolicyDescription {
    var policy = policy
    let (usual, files) = (FetchRule.unlimited, policy.fetch.ofFiles)
    policy.fetch.ofFiles = usual
    (policy.fetch.ofFiles.media, policy.fetch.ofFiles.bytes) = (files.media, files.bytes)
    policy.fetch.ofFiles.refillPercent = files.refillPercent
    policy.fetch.ofFiles.atLimit = files.atLimit
    policy.fetch.ofFiles.reopensOnce = files.reopensOnce
    policy.fetch.ofFiles.discards = files.discards
    policy.fetch.ofFiles.discardsIfIndexLast = files.discardsIfIndexLast
    policy.fetch.ofStreams.refillPercent = usual.refillPercent
    policy.fetch.ofStreams.atLimit = usual.atLimit
    policy.fetch.ofStreams.reopensOnce = usual.reopensOnce
    policy.fetch.ofStreams.discards = usual.discards
    policy.fetch.ofStreams.discardsIfIndexLast = usual.discardsIfIndexLast
    return policy
  }

  private static let margin = {
    var margin = PlayThrough.Margin.none
    (margin.span, margin.percentOfWait) = (.milliseconds(250), 7)
    return margin
  }()

  static let rules: [ReadinessRule] = [
    .level(.anything), .level(.media(.milliseconds(1_500))), .level(.playingTime(.seconds(3))),
    .level(.bytes(262_144)), .level(.segments(3)), .level(.shareOfMediaLimit(10)),
    .level(.shareOfByteLimit(99)), .level(.sound(.seconds(1))), .level(.pictures(.seconds(2))),
    .level(.mediaWithArriving(.milliseconds(1_150))), .level(.shareOfLiveTarget(50)),
    .escalating(
      EscalatingLevel(
        [.media(.milliseconds(100)), .bytes(7), .anything], raise: .ranDry, seekResets: true)),
    .playThrough(
      PlayThrough(
        safety: SafetyFactor(5, over: 4), whenEndUnknown: true, margin: margin, everyByte: false)),
    .everythingLoaded, .after(.seconds(15)), .after(.seconds(15), timesRate: true),
    .at(.zero + .milliseconds(1)),
    .any([.after(.seconds(4)), .level(.media(.seconds(9)))]),
    .all([.everythingLoaded, .any([.at(.zero + .seconds(1))])]),
    .every(.milliseconds(500), from: .run, .level(.media(.seconds(2)))),
  ]

  @Test(arguments: rules)
  func `a rule that is written is read as the same rule`(rule: ReadinessRule) throws {
    var description = PolicyPreset.avfoundation.description
    (description.start, description.resume) = (rule, .level(.bytes(1)))
    #expect(try read(description, like: "avfoundation") == description)
  }

  static let estimators: [EstimatorDescription] = [
    EstimatorDescription(.line(otherwise: .sinceBeginning)),
    EstimatorDescription(.history(.afterThirdOfWait)),
    EstimatorDescription(
      .history(
        .leastSince(
          .init(window: .seconds(4), leastBytes: 9, leastEntries: 2, newest: 1, oldest: 8))),
      prior: 500_000, gate: .init(bytes: 1_024)),
    EstimatorDescription(
      .samples(SampleStatistics(.last, .mean(of: 4), over: Sampling(.requestEnds))),
      gate: .init(bytes: 7, span: .seconds(2))),
    EstimatorDescription(
      .samples(
        SampleStatistics(
          .halfLife(.seconds(3), weight: 500), .percentile(50, weightLimit: 300),
          .runningMean(limit: .seconds(8)), .harmonicMean(of: 5),
          over: Sampling(
            .progress(every: .milliseconds(100), bytes: 16_000), clock: .request, leastBytes: 5,
            leastSpan: .milliseconds(1), countsCancelled: true)))),
  ]

  @Test(arguments: estimators)
  func `an estimator that is written is read as the same`(estimator: EstimatorDescription) throws {
    var description = PolicyPreset.avfoundation.description
    description.estimator.ofFiles = estimator
    #expect(try read(description, like: "avfoundation") == description)
  }

  static let published: [PublishedRule] = [
    .throughput(SabreThroughputRule(percent: 75, hasBufferRule: false), .windows([3, 5])),
    .bola(
      BolaRule(
        gamma: 4_250, buffer: .milliseconds(12_500), isBasic: true, avoidsOscillation: true),
      .halfLives([1_500])),
    .enhancedBola(
      EnhancedBolaRule(
        gamma: 6_000, buffer: .seconds(40), avoidsOscillation: true, hasBufferRule: false),
      .windows([1])),
    .dynamic(
      DynamicRule(
        bola: BolaRule(buffer: .seconds(30), avoidsOscillation: true),
        throughput: SabreThroughputRule(percent: 80), lowMark: .milliseconds(9_500)),
      .halfLives([3_000, 8_000])),
    .predictive(
      {
        var seat = PredictiveSeat.usual
        (seat.rule.horizon, seat.rule.quality) = (3, 2)
        (seat.rule.stalling, seat.rule.change) = (8.125, 0.5)
        (seat.window, seat.isRobust) = (7, false)
        (seat.clock, seat.sizes) = (.response, .following)
        return seat
      }()),
  ]

  @Test(arguments: published)
  func `a published rule that is written is read as the same`(rule: PublishedRule) throws {
    var description = PolicyPreset.avfoundation.description
    description.nextVariant = .published(rule)
    description.firstVariant = .place(3)
    (description.choice.moment, description.choice.sizes) = (.request, .exact)
    description.choice.again = .latest
    #expect(try read(description, like: "avfoundation") == description)
  }

  /// Reads what is written of the seats that a scenario can fill.
  private func read(_ description: PolicyDescription, like name: String) throws -> PolicyDescription
  {
    let choices = description.choices.filter { choice in named.contains { $0.name == choice.seat } }
    let keys = choices.map { "\"\($0.seat)\": \($0.choice)" }.joined(separator: ", ")
    let text = """
      {
        "scenario": "A", "about": "A.", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "player": { "policy": { "like": "\(name)", \(keys) } },
        "script": [ { "at": "0 s", "do": "play" } ]
      }
      """
    return try readScenario(Array(text.utf8), file: "a.json").player.policy
  }
}
