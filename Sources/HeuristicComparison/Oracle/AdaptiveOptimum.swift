import PlayerPolicies
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// The best possible by an objective over a link known in advance, each segment of any variant.
///
/// Segments are asked for in order and one at a time, each as soon as there is room for it, and are
/// played at once: a player that waits longer has everything later. So choices alone tell players
/// apart, and what follows depends on when the last segment arrived, on the total wait, and on what
/// need not be fetched any more. Of two players with the same last choice the one behind in none of
/// these, with no less gained, does no worse whatever comes: the other is left out without loss.
///
/// Beyond the limit, similar players merge into one with the best of each: an upper bound results.
package struct AdaptiveOptimum: Sendable {
  package let ladder: KnownLadder
  let played: [KnownStream.Segment]
  package let link: KnownLink
  package let prices: LinearPrices
  /// The instants of the request for the stream, and of the app's call to play.
  package let requested: Instant
  package let asked: Instant
  package let rate: PlaybackRate
  /// The most players followed from segment to segment for each variant; nil for all.
  package let most: Int?

  /// - Parameter most: As many as there are for eight segments of four variants or less, unless
  ///   said otherwise; else at most 48, and fewer where they would fetch too many segments.
  package init(
    _ ladder: KnownLadder, over link: KnownLink, by prices: LinearPrices,
    requested: Instant = .zero, asked: Instant = .zero, rate: PlaybackRate = .normal,
    most: Int? = nil
  ) {
    (self.ladder, self.link, self.prices) = (ladder, link, prices)
    (self.requested, self.asked, self.rate) = (requested, asked, rate)
    played = ladder.played
    let isSmall = played.count <= 8 && ladder.rungs.count <= 4
    let steps = Int64(played.count) * Int64(ladder.rungs.count * ladder.rungs.count)
    self.most = most ?? (isSmall ? nil : Int(max(1, min(48, Self.mostSegments / max(1, steps)))))
  }

  /// The most segments that the players followed fetch in all, unless even one for each pair of
  /// variants fetches more.
  private static let mostSegments: Int64 = 600_000

  /// The most changes of the link and fetched segments, over all players, before it gives up.
  private static let mostSteps: Int64 = 6_000_000

  /// The result, in billionths of the objective's unit.
  package struct Finding: Hashable, Sendable {
    /// Nobody does better.
    package var bound: Int64
    /// Somebody does that, but for effects that are left out.
    package var attained: Int64
    /// The longest time without bytes while a segment downloads, in nanoseconds.
    var silence: Int64

    package var isExact: Bool { bound == attained }
  }

  package enum Failure: Error {
    case endIsNeverReached
    /// The work that it may do was done after so many of the segments.
    case tooMuchWork(segments: Int)
  }

  package func find() throws(Failure) -> Finding {
    let bound = try best(taken)
    if !bound.isTaken {
      return Finding(bound: bound.value, attained: bound.value, silence: bound.silence)
    }
    let attained = try best { group in group.max { worth($0) < worth($1) } ?? group[0] }
    return Finding(bound: bound.value, attained: attained.value, silence: attained.silence)
  }

  /// - Parameter one: Of players that differ little, beyond the most that are followed.
  private func best(
    _ one: ([Player]) -> Player
  ) throws(Failure) -> (value: Int64, isTaken: Bool, silence: Int64) {
    guard let first = beginning else { throw .endIsNeverReached }
    var players = [first]
    var isTaken = false
    var steps: Int64 = 0
    for segment in played.indices {
      var next: [Player] = []
      for rung in ladder.rungs.indices {
        var came: [Player] = []
        for player in players {
          guard let reached = after(player, segment, rung) else { continue }
          steps += Int64(reached.link.changes - player.link.changes)
          came.append(reached)
        }
        if steps > Self.mostSteps { throw .tooMuchWork(segments: segment) }
        var reached = leading(came)
        if let most, reached.count > most {
          reached = thinned(reached, to: most).map(one)
          isTaken = true
        }
        next += reached
      }
      players = next
    }
    guard let best = players.max(by: { worth($0) < worth($1) }) else { throw .endIsNeverReached }
    return (worth(best), isTaken, best.silence)
  }

  private struct Player {
    var link: LinkReckoning
    /// A bit for each resource that is there.
    var there: UInt64
    /// From when the app asked: at the start and in stalls together, in nanoseconds.
    var waited: Int64 = 0
    /// The value of its segments, less the price of the changes between them.
    var gain: Int128 = 0
    var rung: Int?
    /// The longest time without bytes while a segment downloaded, in nanoseconds.
    var silence: Int64 = 0

    /// Whether it is behind another in nothing that the future hangs on.
    func leads(_ other: Player) -> Bool {
      link.now <= other.link.now && waited <= other.waited && gain >= other.gain
        && there & other.there == other.there
    }
  }

  /// Before the first choice.
  private var beginning: Player? {
    var player = Player(link: LinkReckoning(link), there: 0)
    if ladder.hasPlaylists {
      player.there = ladder.rungs.reduce(1) { $0 | 1 << UInt64($1.playlist) }
    }
    player.link.wait(until: requested.nanoseconds)
    return has(0, &player) ? player : nil
  }

  /// A player that takes the next segment from a rung; nil where it never comes.
  private func after(_ player: Player, _ number: Int, _ rung: Int) -> Player? {
    var next = player
    let segment = ladder.rungs[rung].segments[number]
    guard has(ladder.rungs[rung].playlist, &next) else { return nil }
    next.link.wait(until: room(for: number, player))
    if let map = segment.map, !has(map, &next) { return nil }
    guard bring(KnownStream.Resource(bytes: segment.bytes), &next) else { return nil }
    let due = asked.nanoseconds + rate.span(toPlay: segment.start - .zero).nanoseconds
    // Played time between two stalls is rounded to whole nanoseconds.
    let rounding = rate == .normal ? 0 : Int64(number) + 1
    next.waited = max(next.waited, next.link.now.wholeNanoseconds - due - rounding)
    let before = player.rung.map { ladder.rungs[$0].bitsPerSecond }
    next.gain += prices.gain(ladder.rungs[rung].bitsPerSecond, after: before)
    next.rung = rung
    return next
  }

  /// The first instant with buffer room for a segment: the playhead is as far as it can be.
  private func room(for number: Int, _ player: Player) -> Int64 {
    if number == 0 { return 0 }
    let mark = played[number - 1].end - ladder.limit + MediaTime(nanoseconds: 1)
    if mark <= .zero { return 0 }
    return asked.nanoseconds + player.waited + rate.span(toPlay: mark).nanoseconds
  }

  private func has(_ resource: Int, _ player: inout Player) -> Bool {
    if player.there & 1 << UInt64(resource) != 0 { return true }
    player.there |= 1 << UInt64(resource)
    let silence = player.silence
    defer { player.silence = silence }
    return bring(ladder.resources[resource], &player)
  }

  private func bring(_ resource: KnownStream.Resource, _ player: inout Player) -> Bool {
    let nanosecond = player.link.now.wholeNanoseconds
    let request = player.link.request(
      bytes: resource.bytes, served: resource.served.nanoseconds, at: nanosecond)
    let limit = nanosecond + LinkReckoning.longestWait
    while player.link.now < .nanoseconds(limit), !player.link.hasFailed {
      if player.link.advance(to: .nanoseconds(limit)).contains(.completed(request)) { return true }
      player.silence = max(player.silence, player.link.silence(of: request))
    }
    return false
  }

  /// Those that nobody leads, the earliest first.
  private func leading(_ players: [Player]) -> [Player] {
    let sorted = players.sorted {
      ($0.link.now, $0.waited, -$0.gain) < ($1.link.now, $1.waited, -$1.gain)
    }
    return sorted.reduce(into: []) { leading, player in
      if !leading.contains(where: { $0.leads(player) }) { leading.append(player) }
    }
  }

  /// At most so many groups, whose last segments came, and who waited, within a grain of time.
  private func thinned(_ players: [Player], to most: Int) -> [[Player]] {
    var grain: Int64 = 1_000_000
    while true {
      // They stand in the order of their instants, which alone part so many groups at least.
      var (parts, last) = (0, Int64.min)
      for player in players {
        let part = player.link.now.wholeNanoseconds / grain
        if part != last { (parts, last) = (parts + 1, part) }
      }
      let groups = parts > most ? [] : grouped(players, within: grain)
      if parts <= most, groups.count <= most { return groups }
      grain *= 2
    }
  }

  private func worth(_ player: Player) -> Int64 { prices.value(player.gain, waited: player.waited) }

  private func grouped(_ players: [Player], within grain: Int64) -> [[Player]] {
    func key(_ player: Player) -> (Int64, Int64, UInt64) {
      // A grain as long as the longest wait leaves none of them apart.
      let there = grain < 1 << 50 ? player.there : 0
      return (player.link.now.wholeNanoseconds / grain, player.waited / grain, there)
    }
    var groups: [[Player]] = []
    for player in players.sorted(by: { key($0) < key($1) }) {
      if let last = groups.last?.first, key(last) == key(player) {
        groups[groups.count - 1].append(player)
      } else {
        groups.append([player])
      }
    }
    return groups
  }

  /// One that has the best of each.
  private func taken(_ group: [Player]) -> Player {
    var one = group[0]
    for player in group.dropFirst() {
      if player.link.now < one.link.now { one.link = player.link }
      one.waited = min(one.waited, player.waited)
      one.gain = max(one.gain, player.gain)
      one.there |= player.there
    }
    return one
  }
}

/// The best that an adaptive run could have come to by an objective.
package struct OptimumReport: Sendable {
  package var objective: Objective
  /// In billionths of the objective's unit; nil where nothing can be said.
  package var finding: AdaptiveOptimum.Finding?
  /// A score that a player can reach; nil where effects are left out.
  package var attained: Int64?
  /// Whether a player could have done just that; else it is a bound that nobody can beat.
  package var isExact: Bool
  /// Reasons why there is no result, or the effects that it leaves out.
  package var remarks: [String]

  package init(_ objective: Objective, of scenario: Scenario, _ outcome: RunOutcome) {
    self.init(objective, OptimumQuestion(scenario, outcome))
  }

  init(_ objective: Objective, _ question: OptimumQuestion) {
    self.objective = objective
    (isExact, remarks) = (false, question.base.refusals)
    guard let prices = objective.prices else {
      remarks = ["\(objective.name) is not a sum over segments and waiting"]
      return
    }
    guard remarks.isEmpty, let optimum = question.optimum(by: prices) else { return }
    do throws(AdaptiveOptimum.Failure) {
      finding = try optimum.find()
    } catch {
      switch error {
      case .endIsNeverReached: remarks = ["the end is never reached"]
      case .tooMuchWork(let segments):
        remarks = [
          "the search was cut after \(segments) of \(optimum.played.count) segments: too many "
            + "variants, or changes of the link"
        ]
      }
      return
    }
    remarks = question.base.omissions(after: finding?.silence ?? 0)
    if remarks.isEmpty { attained = finding?.attained }
    isExact = remarks.isEmpty && finding?.isExact == true
    if let most = optimum.most, finding?.isExact == false {
      remarks.append(
        "the search followed at most \(most) sequences for each variant, and took sequences that "
          + "differ little for one")
    }
  }

  /// Those shown of a run: of the objectives asked for, or if none the first that is such a sum.
  package static func all(
    of objectives: [Objective], _ scenario: Scenario, _ outcome: RunOutcome
  ) -> [OptimumReport] {
    let question = OptimumQuestion(scenario, outcome)
    if !question.base.isAdaptive { return [] }
    let priced = (objectives.isEmpty ? Objective.all : objectives).filter { $0.prices != nil }
    return priced.prefix(objectives.isEmpty ? 1 : .max).map { OptimumReport($0, question) }
  }
}

/// An adaptive run as the oracle sees it.
struct OptimumQuestion {
  /// The question about one variant, with the reasons and omissions of this one too.
  private(set) var base: OracleQuestion
  private let link: KnownLink
  private var ladder: KnownLadder?

  init(_ scenario: Scenario, _ outcome: RunOutcome) {
    base = OracleQuestion(scenario, outcome)
    link = KnownLink(scenario.link)
    if outcome.startup.asked == nil { base.refusals.append("the app never asked to play") }
    guard let settings = scenario.item.source.stream else {
      base.refusals.append("a file has one quality")
      return
    }
    if link.waitsForResponses {
      base.refusals.append("the schedule stands still while requests wait")
    }
    if scenario.player.policy.choice.again != .never {
      base.refusals.append("segments are fetched again")
    }
    let fetch = base.readAhead
    if fetch.bytes != nil || fetch.countsNext || fetch.sleeps > .zero {
      base.omissions.append("read-ahead limits other than of media are left out")
    }
    if base.rate != .normal { base.omissions.append("fractions of a nanosecond are left out") }
    let presentation = settings.presentation
    if base.hasSoundApart { base.omissions.append("the sound, which comes apart, is left out") }
    if presentation.lists.contains(where: { !$0.keys.isEmpty }) {
      base.omissions.append("keys are left out")
    }
    ladder = KnownLadder(
      presentation, variants: base.eligibleVariants, playlists: settings.playlistEncoding,
      limit: base.limit(of: presentation), end: base.scenario.item.playedEnd)
    ladder?.hasPlaylists = settings.hasPlaylists
    if ladder == nil { base.refusals.append("segments of variants do not begin together") }
  }

  func optimum(by prices: LinearPrices) -> AdaptiveOptimum? {
    ladder.map {
      AdaptiveOptimum(
        $0, over: link, by: prices, requested: base.requested, asked: base.asked,
        rate: base.rate)
    }
  }
}
