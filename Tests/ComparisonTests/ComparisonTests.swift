import ExactText
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

@Suite struct ComparisonTests {
  @Test func `the usual contenders have names that can be read back`() throws {
    for contestant in Contestant.usual {
      #expect(try KeepUpHeuristic(text: contestant.name) == contestant.heuristic)
    }
  }

  /// A study of so many of each, whose sessions nobody runs.
  private func study(
    scenarios: Int = 1, links: Int = 1, contestants: Int = 2, seeds: Int = 0
  ) -> Study {
    Study(
      scenarios: (0..<scenarios).map {
        StudyScenario(file: "\($0).json", name: "S\($0)", seed: UInt64($0), fidelity: "fluid")
      },
      links: (0..<links).map { StudyLink("l\($0)", group: "g\($0 % 2)", edits: []) },
      contestants: (0..<contestants).map { Contestant("c\($0)") },
      seeds: (0..<seeds).map { UInt64($0 + 1) }, baseline: 0)
  }

  @Test(arguments: [(1, 1, 1, 0), (2, 3, 4, 5), (3, 1, 2, 1), (1, 7, 3, 2), (5, 2, 1, 3)])
  func `a session is a number, and a number a session`(
    scenarios: Int, links: Int, contestants: Int, seeds: Int
  ) {
    let study = study(scenarios: scenarios, links: links, contestants: contestants, seeds: seeds)
    #expect(study.sessionCount == scenarios * links * contestants * max(1, seeds))
    for number in 0..<study.sessionCount {
      let session = study.session(number)
      #expect(study.number(of: session) == number)
      let link = session.scenario * study.links.count + session.link
      let pair = link * max(1, seeds) + session.seed
      #expect(study.number(ofPair: pair, contestant: session.contestant) == number)
    }
    let keys = study.keys(ofPairs: Array(0..<study.pairCount), drawing: .seed)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `shards hold every session once`(count: Int) {
    var found: [Int] = []
    for number in 1...count {
      let shard = StudyShard(number: number, count: count)
      found += (0..<shard.size(of: 50)).map { shard.session($0) }
    }
    #expect(found.sorted() == Array(0..<50))
  }

  /// Startup and stalled time in seconds; nothing for what never started, or never went on.
  private typealias Times = (startup: Int64?, stalled: Int64?)

  private func summary(_ study: Study, _ times: [[Times]]) -> StudySummary {
    var rows = StudyRows(width: SessionRow.width(of: study), count: study.sessionCount)
    for (contestant, own) in times.enumerated() {
      for (pair, time) in own.enumerated() {
        var values = [Int64](repeating: 0, count: SessionRow.width(of: study))
        // First come startup, stalls and stalled time; last is how it ended.
        values[1] = time.stalled == 0 ? 0 : 1
        values[0] = time.startup.map { $0 * 1_000_000_000 } ?? SessionRow.nothing
        values[2] = (time.stalled ?? 0) * 1_000_000_000
        let isStuck = time.stalled == nil
        let ending = time.startup == nil ? "neverPlayed" : isStuck ? "stalled" : "played"
        values[values.count - 1] = SessionRow.code(ending: ending, end: "finished") ?? 0
        rows.record(
          SessionRow(values: values), of: study.number(ofPair: pair, contestant: contestant))
      }
    }
    return StudySummary(study, rows, pairs: Array(0..<study.pairCount))
  }

  @Test(arguments: [2, 5, 10, 58, 59, 100])
  func `a percentile stands where the sample can bear it`(count: Int) {
    let study = study(contestants: 1, seeds: count)
    let times = (1...count).map { Times(Int64($0), 0) }
    let startup = summary(study, [times]).contestants[0].statistics[0]
    #expect(startup.median?.value == Int64(count + 1) * 500_000_000)
    #expect(startup.mean?.value == Int64(count + 1) * 500_000_000)
    if count < 59 {
      #expect(startup.percentile95 == nil)
    } else {
      // numpy.percentile(range(1, count + 1), 95), in milliseconds.
      let milliseconds: Int64 = count == 59 ? 56_100 : 95_050
      #expect(startup.percentile95?.value == milliseconds * 1_000_000)
      #expect(startup.mean?.interval.map { $0.low < $0.high } == true)
    }
  }

  /// Of 40 draws the ends are the second and the last but one; others would have moved them.
  @Test(arguments: [40, 41, 42, 60, 79, 80, 1_000])
  func `the ends of an interval are uncertain with any number of draws`(draws: Int) {
    var study = study(contestants: 1, seeds: 100)
    study.resampling.draws = draws
    let times = (1...100).map { Times(Int64($0), 0) }
    let interval = summary(study, [times]).contestants[0].statistics[0].mean?.interval
    #expect(interval.map { $0.error > 0 } == true)
  }

  @Test func `sessions that are the same with every seed are no sample`() {
    let study = study(contestants: 3, seeds: 70)
    let same = Array(repeating: Times(5, 2), count: 70)
    let found = summary(study, [same, (1...70).map { Times(Int64($0), 2) }, same]).contestants
    let startup = found.map { $0.statistics[0] }
    #expect(startup.map { $0.mean?.value } == [5_000_000_000, 35_500_000_000, 5_000_000_000])
    #expect(startup.map { $0.mean?.interval == nil } == [true, false, true])
    #expect(startup.map { $0.percentile95 == nil } == [true, false, true])
    // What one varies in, its difference from what does not varies in as well.
    #expect(found[1].differences[0].mean?.interval != nil)
    #expect(found[2].differences[0].mean?.value == 0)
    #expect(found[2].differences[0].mean?.interval == nil)
    // Two links are evidence, though nothing differs by the seed.
    let links = self.study(links: 2, contestants: 1, seeds: 2)
    let two = summary(links, [[Times(1, 0), Times(1, 0), Times(3, 0), Times(3, 0)]])
    #expect(two.contestants[0].statistics[0].mean?.interval != nil)
  }

  /// Sessions over one link are no evidence of another, however many seeds there are.
  @Test(
    arguments: Seeds.cases(of: [
      (2, 1, 40), (7, 1, 30), (5, 3, 10), (60, 1, 2), (1, 4, 25), (1, 1, 60),
    ]))
  func `what is drawn is what differs first`(links: Int, scenarios: Int, seeds: Int) {
    let study = study(scenarios: scenarios, links: links, contestants: 1, seeds: seeds)
    // Each link, or else each scenario, has its own time, which seeds do not change; or else each
    // seed has its own.
    func time(_ session: Study.Session) -> Times {
      let place = links > 1 ? session.link : scenarios > 1 ? session.scenario : session.seed
      return Times(Int64(place) + 1, 0)
    }
    let times = (0..<study.pairCount).map { pair in
      time(study.session(study.number(ofPair: pair, contestant: 0)))
    }
    let found = summary(study, [times])
    let startup = found.contestants[0].statistics[0]
    let units = links > 1 ? links : scenarios > 1 ? scenarios : seeds
    #expect(found.drawn == (links > 1 ? .link : scenarios > 1 ? .scenario : .seed))
    #expect((startup.percentile95 != nil) == (units >= 59))
    // One session of each unit says as much, and gives the same interval where it is drawn alike.
    let single = self.study(
      scenarios: links > 1 ? 1 : scenarios, links: links, contestants: 1,
      seeds: links > 1 || scenarios > 1 ? 1 : seeds)
    let once = (0..<single.pairCount).map { pair in
      time(single.session(single.number(ofPair: pair, contestant: 0)))
    }
    let alone = summary(single, [once]).contestants[0].statistics[0]
    let known = study.resampling.draws(for: study.pairCount)
    if known == single.resampling.draws(for: single.pairCount) {
      #expect(alone.mean?.interval == startup.mean?.interval)
    }
    #expect(alone.mean?.value == startup.mean?.value)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func `rows with regret and objectives lose nothing, in any order`(
    objectives: Int
  ) {
    var study = study(seeds: 10)
    study.asksRegret = true
    study.objectives = Array(Objective.all.prefix(objectives))
    let width = SessionRow.width(of: study)
    var rows = StudyRows(width: width, count: 20)
    var kept: [SessionRow] = []
    for session in 0..<20 {
      // Small and large ones, and nothing.
      let values = (0..<width).map { place -> Int64 in
        if place == 12 { return Int64(session % 16) }
        if (place + session) % 7 == 0 { return SessionRow.nothing }
        if place > 12 { return (session % 2 == 0 ? -1 : 1) * Int64.max / Int64(place) }
        return Int64(1) << Int64((place * 5 + session * 3) % (session > 17 ? 63 : 27))
      }
      kept.append(SessionRow(values: values))
      rows.record(kept[session], of: session)
    }
    for session in (0..<20).reversed() { #expect(rows.row(session) == kept[session]) }
    rows.record(kept[3], of: 19)
    #expect(rows.row(19) == kept[3])
  }

  @Test func `the demo starts when the talk's arithmetic says, to the nanosecond`() throws {
    // 39 s of media come in 39 / 0.858 s; the tap was at 0.3 / 0.858 s.
    let scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    for (heuristic, startup) in [
      (KeepUpHeuristic.standard, Int64(6_104_895_105)), (.everythingLoaded, 45_104_895_105),
    ] {
      let outcome = try run(
        scenario, options: RunOptions(heuristic: heuristic, folds: .figures))
      #expect(outcome.player.startupDelay == .nanoseconds(startup))
    }
  }

  @Test(arguments: Seeds.cases(of: 1...9))
  func `what never starts or never goes on is never harmless`(broken: Int) {
    let study = study(contestants: 3, seeds: 10)
    let good = (0..<10).map { _ in Times(2, 1) }
    let silent = (0..<10).map { $0 < broken ? Times(nil, 0) : Times(1, 0) }
    let stuck = (0..<10).map { $0 < broken ? Times(1, nil) : Times(1, 0) }
    let found = summary(study, [good, silent, stuck])
    let (quiet, stalled) = (found.contestants[1], found.contestants[2])
    #expect(quiet.statistics[0].never == broken && quiet.statistics[1].never == broken)
    #expect(stalled.statistics[0].never == 0 && stalled.statistics[1].never == broken)
    #expect(quiet.statistics[0].mean?.value == 1_000_000_000)
    let isMostlyBroken = broken >= 5
    #expect(
      (quiet.statistics[0].median?.value == FigureStatistics.never) == isMostlyBroken)
    // Against the good one, those are worse and the others better.
    #expect(quiet.differences[0].worse == broken && quiet.differences[0].better == 10 - broken)
    #expect(quiet.differences[0].oneSided == broken)
    #expect(stalled.differences[1].worse == broken)
    #expect(found.front.contains(0))
  }

  /// Who never starts has no stall to be compared, and none that it did not recover from.
  @Test(arguments: Seeds.cases(of: 1...9))
  func `who never starts is not better than who stalls`(broken: Int) {
    let study = study(contestants: 3, seeds: 10)
    let stuck = (0..<10).map { $0 < broken ? Times(1, nil) : Times(1, 3) }
    let silent = (0..<10).map { $0 < broken ? Times(nil, 0) : Times(1, 3) }
    let found = summary(study, [stuck, silent, silent])
    let figures = found.figures.map { $0.name }
    for name in ["stallShare", "neverRecoveredShare", "stalledSeconds", "stallCount"] {
      let place = figures.firstIndex(of: name) ?? 0
      #expect(found.contestants[1].differences[place].better == 0, "\(name)")
    }
    let share = found.contestants[1].statistics[figures.firstIndex(of: "stallShare") ?? 0]
    #expect(share.never == broken && share.mean?.value == 1_000_000)
  }

  /// Of eight links so many bring anything.
  @Test(arguments: Seeds.cases(of: [1, 2, 3, 8]))
  func `an interval is made of the links that have a number`(alive: Int) {
    let study = study(links: 8, contestants: 2, seeds: 3)
    let times = (0..<24).map { $0 / 3 < alive ? Times(Int64($0 / 3) + 1, 0) : Times(nil, 0) }
    let found = summary(study, [times, times.map { Times($0.startup.map { 2 * $0 }, 0) }])
    let startup = found.contestants[1].statistics[0]
    #expect(startup.known == 3 * alive && startup.mean?.value == Int64(alive + 1) * 1_000_000_000)
    #expect((startup.mean?.interval == nil) == (alive < 2))
    let difference = found.contestants[1].differences[0]
    #expect(difference.mean?.value == Int64(alive + 1) * 500_000_000)
    #expect((difference.mean?.interval == nil) == (alive < 2))
    // In all eight playback starts, or counts as never.
    #expect(startup.median?.interval != nil)
  }

  @Test func `the front holds those that nobody beats in both`() {
    let study = study(contestants: 5, seeds: 4)
    let times: [Times] = [(1, 9), (2, 2), (3, 2), (9, 1), (9, 9)]
    let found = summary(study, times.map { time in (0..<4).map { _ in time } })
    #expect(found.front == [0, 1, 3])
  }

  @Test(arguments: 1...10)
  func `the sessions that decide a difference are the fewest that make half of it`(heavy: Int64) {
    let study = study(seeds: 10)
    let base = (0..<10).map { _ in Times(20, 0) }
    // One session saves `heavy` seconds, one loses one, eight save one.
    let other = (0..<10).map { Times($0 == 3 ? 20 - heavy : $0 == 0 ? 21 : 19, 0) }
    let difference = summary(study, [base, other]).contestants[1].differences[0]
    let total = heavy + 8
    #expect(difference.mean?.value == -(total - 1) * 100_000_000)
    var (passed, count): (Int64, Int) = (0, 0)
    while 2 * passed < total {
      passed += count == 0 ? heavy : 1
      count += 1
    }
    #expect(difference.deciders == count)
    let first = difference.firstDeciders.first
    #expect(first?.pair == (heavy == 1 ? 1 : 3))
    #expect(difference.better == 9 && difference.worse == 1)
  }
}
