import LinkConditioner
import PlayerPolicies
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The best that an adaptive run could have come to by an objective.
package struct OptimumReport: Sendable {
  package var objective: Objective
  /// In billionths of the objective's unit; nil where nothing can be said.
  package var finding: AdaptiveOptimum.Finding?
  /// Whether a player could have done just that; else it is a bound that nobody can beat.
  package var isExact: Bool
  /// What it cannot say, or what it leaves out.
  package var remarks: [String]

  /// - Parameter outcome: Of the run, which says when the app asked for what.
  package init(_ objective: Objective, of scenario: Scenario, _ outcome: RunOutcome) {
    self.init(objective, OptimumQuestion(scenario, outcome))
  }

  init(_ objective: Objective, _ question: OptimumQuestion) {
    self.objective = objective
    (isExact, remarks) = (false, question.refusals)
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
    remarks = question.omissions
    isExact = remarks.isEmpty && finding?.isExact == true
    if let most = optimum.most, finding?.isExact == false {
      remarks.append(
        "the search followed at most \(most) sequences for each variant, and took sequences that "
          + "differ little for one")
    }
  }

  /// Those that are shown of a run: of the objectives that were asked for, or where there are none
  /// the first that is such a sum.
  package static func all(
    of objectives: [Objective], _ scenario: Scenario, _ outcome: RunOutcome
  ) -> [OptimumReport] {
    let question = OptimumQuestion(scenario, outcome)
    if !question.isAdaptive { return [] }
    let asked =
      objectives.isEmpty
      ? Array(Objective.all.filter { $0.prices != nil }.prefix(1))
      : objectives.filter { $0.prices != nil }
    return asked.map { OptimumReport($0, question) }
  }
}

/// An adaptive run as the oracle sees it.
struct OptimumQuestion {
  let isAdaptive: Bool
  /// Why nothing can be said.
  private(set) var refusals: [String]
  /// What is left out, so that what is said is a bound.
  private(set) var omissions: [String]
  private let link: KnownLink
  private var ladder: KnownLadder?
  private let requested: Instant
  private let asked: Instant
  private let rate: PlaybackRate

  init(_ scenario: Scenario, _ outcome: RunOutcome) {
    var question = OracleQuestion(scenario, outcome)
    question.check()
    (isAdaptive, rate) = (question.isAdaptive, question.rate)
    (refusals, omissions) = (question.refusals, question.omissions)
    link = KnownLink(scenario.link)
    asked = outcome.startup.asked ?? .zero
    requested = outcome.startup.stages.first?.requested ?? asked
    if outcome.startup.asked == nil { refusals.append("the app never asked to play") }
    guard case .stream(let settings) = scenario.item.source else {
      refusals.append("a file has one quality")
      return
    }
    check(scenario)
    read(settings, question)
  }

  func optimum(by prices: LinearPrices) -> AdaptiveOptimum? {
    ladder.map {
      AdaptiveOptimum(
        $0, over: link, by: prices, requested: requested, asked: asked, rate: rate)
    }
  }

  private mutating func check(_ scenario: Scenario) {
    let policy = scenario.player.policy
    let fetch = scenario.item.readAhead(by: policy.fetch)
    if link.waitsForResponses {
      refusals.append("the schedule stands still while requests wait")
    }
    if policy.choice.again != .never { refusals.append("segments are fetched again") }
    if fetch.sideBySide > 1 { refusals.append("segments are fetched side by side") }
    if fetch.bytes != nil || fetch.countsNext || fetch.sleeps > .zero {
      omissions.append("how the player reads ahead but for the media is left out")
    }
    if fetch.lookahead > 0 || policy.sink.warmUp > .zero || policy.sink.setUp > .zero {
      omissions.append("what media takes to be seen once it has come is left out")
    }
    if rate != .normal { omissions.append("what a rate leaves of a nanosecond is left out") }
  }

  private mutating func read(_ settings: StreamSettings, _ question: OracleQuestion) {
    let presentation = settings.presentation
    let verdicts = presentation.verdicts(under: settings.constraints)
    let variants = verdicts.indices.filter { verdicts[$0].isEligible }
    let hasSoundApart = variants.contains {
      presentation.rendition(of: .audio, for: $0).map { presentation.renditions[$0].list != nil }
        == true
    }
    if hasSoundApart { omissions.append("the sound, which comes apart, is left out") }
    if presentation.lists.contains(where: { !$0.keys.isEmpty }) {
      omissions.append("keys are left out")
    }
    ladder = KnownLadder(
      presentation, variants: variants, playlists: settings.playlistEncoding,
      limit: question.limit(of: presentation), end: question.scenario.item.playedEnd)
    ladder?.hasPlaylists = settings.hasPlaylists
    if ladder == nil { refusals.append("segments of variants do not begin together") }
  }
}
