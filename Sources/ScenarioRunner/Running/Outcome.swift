package import ExactText
package import LinkConditioner
package import PlayerPolicies
package import Recording
package import ScenarioFormat
package import SimulatedPlayback
import SimulatedWorld
package import VirtualTime

package struct RunOutcome: Sendable {
  package var end: EndReason
  package var ended: Instant
  package var eventCount: Int64
  package var player: PlayerSummary
  /// The further players, in the order of the file.
  package var others: [NamedSummary]
  /// Of the item that is current in the end.
  package var logs: RunLogs
  /// Of every item that was played, those of the further players after those of the first.
  package var itemLogs: [ItemLogs]
  /// The hash of the trace, without the tool's version and itself; nil when no trace was kept.
  package var digest: String?
  package var trace: [UInt8]
  package var failures: [ExpectationFailure]
  /// Settings of the scenario without effect, and other warnings to its author.
  package var warnings: [RunWarning]
  /// Inconsistencies in the run's accounts; empty unless the simulator is wrong.
  package var faults: [String]
  /// The folds over the records of the first player.
  package var folds: PlayerFolds
  /// The instant of each step of the script; nil for one that was not done.
  package var stepInstants: [Instant?]
  /// The indices in the script of the steps that were done, in that order.
  var stepOrder: [Int]
  /// Resources loaded before playback began, and the causes of the startup delay.
  package var startup: StartupReport
  /// Lines, requests and decisions, where a picture is to be drawn.
  package var curves: RunCurves?
  /// Random draws of the link: a run with another seed and the same draws is the same.
  package var draws: LinkDraws
  /// Facts that are unknown, where it was read from the recording of a log.
  package var gaps: [FieldGap] = []
  var answers = RecordedAnswers()
}

extension RunOutcome {
  package var bands: [StateBand] { folds.states.bands }
  package var panels: [Panel] { folds.states.panels }
  package var panelsLeftOut: Int64 { folds.states.panelsLeftOut }
  package var chosenPanels: [Panel] { folds.states.chosenPanels }
  package var levels: [BufferLevel] { folds.states.levels }
  package var capacity: [CapacitySpan]? { folds.capacity.result }
  package var story: RunStory { folds.story }

  /// The steps of a script that were done, with their instants, in that order.
  package func stepsDone(of script: [ScriptStep]) -> [(step: ScriptStep, instant: Instant)] {
    stepOrder.compactMap { place in stepInstants[place].map { (step: script[place], instant: $0) } }
  }

  /// The outcome of a session that is over; closes its trace.
  init(of session: RunSession, end: EndReason, faults: [String]) {
    let world = session.world
    let sessions = [session] + session.guests
    let others = session.guests.map {
      NamedSummary(
        name: $0.name ?? "", player: PlayerSummary($0.player.core, at: world.now),
        folds: $0.folds, curves: $0.curves)
    }
    let logs = session.itemLogs
    var digest: String?
    if session.options.keepsTrace {
      digest = session.trace.finish(at: world.now) { writer in
        writer.summary(of: session, end: end, others)
      }
    }
    self.init(
      end: end, ended: world.now, eventCount: world.eventCount,
      player: PlayerSummary(session.player.core, at: world.now), others: others,
      logs: session.currentLogs.map { logs[$0].logs } ?? session.logs(of: nil),
      itemLogs: logs + session.guests.flatMap { $0.itemLogs },
      digest: digest, trace: session.trace.kept,
      failures: sessions.flatMap { ExpectationJudge(session: $0).failures(end: end) },
      warnings: session.options.warns ? RunRemarks(session: session).all(end: end) : [],
      faults: faults, folds: session.folds, stepInstants: session.stepsDone,
      stepOrder: session.stepOrder, startup: session.startup, curves: session.curves,
      draws: world.link.draws, answers: session.conversations.answers)
  }
}

package struct NamedSummary: Sendable {
  package var name: String
  package var player: PlayerSummary
  package var folds: PlayerFolds
  package var curves: RunCurves?

  package var bands: [StateBand] { folds.states.bands }
  package var levels: [BufferLevel] { folds.states.levels }
}

package struct RunLogs: Hashable, Sendable {
  package var accessLog: AccessLog?
  package var errorLog: ErrorLog?
  package var indicators = PlaybackIndicators()
}

package struct ItemLogs: Hashable, Sendable {
  /// Nil for the first player, who needs no name.
  package var player: String?
  /// Nil where it was its player's only one.
  package var item: String?
  package var logs = RunLogs()
  /// The time that its start took; nil where it never moved, or followed another.
  package var startup: TimeSpan?
  /// Its media; nil where nothing of it was played, and of other players in a trace that was read.
  package var playedSource: MediaSource?
  /// The name of that media; traces have it in place of the media.
  package var playedMedia: String?
}

package struct ExpectationFailure: Hashable, Sendable {
  package var position: TextPosition
  package var expected: String
  package var actual: String
  /// The way in which it failed, without times and amounts: “stallCount is too high”.
  package var manner: String
  package var instants: [Instant]
  /// The lines of the trace around these.
  package var context: [String]
}

/// Hears of a run under way: the instant that it has reached, and its horizon.
package typealias RunBeat = @Sendable (_ now: Instant, _ horizon: Instant) -> Void

package struct RunOptions: Sendable {
  /// The folds over the records of a run; records that nobody folds are not made.
  package enum Folds: Sendable {
    /// None: the figures are those of the books.
    case figures
    /// The requests of the startup, and what it waited for.
    case startup
    /// The same with bands, panels, levels and the story.
    case all
  }

  /// Takes the place of the scenario's own.
  package var heuristic: KeepUpHeuristic?
  package var trace: TraceKeeping
  package var folds: Folds
  /// Whether it is looked for what of the scenario had no effect.
  package var warns: Bool
  /// Whether lines, requests and decisions are kept for a picture; `folds` is then `all`.
  package var keepsCurves: Bool
  /// Instants in order at which a panel is kept for the screen, whether anything changes or not.
  package var moments: [Instant] = []
  package var policies: PolicySource
  /// A policy for seats of the main player, in place of the scenario's own.
  package var policy: CustomPolicy?
  /// Told of the progress of the run now and then, on the thread that runs it.
  package var beat: RunBeat?
  /// Outages and dips of the link besides the scenario's own.
  package var dips: [LinkDip] = []

  package init(
    heuristic: KeepUpHeuristic? = nil, keepsTrace: Bool = true, folds: Folds = .all,
    keepsCurves: Bool = false, warns: Bool = true, policies: PolicySource = .none
  ) {
    self.heuristic = heuristic
    trace = keepsTrace ? .whole : .nothing
    self.folds = folds
    (self.keepsCurves, self.warns, self.policies) = (keepsCurves, warns, policies)
  }

  /// Whether a trace is written; without one there is no digest either.
  package var keepsTrace: Bool { if case .nothing = trace { false } else { true } }
}

/// Runs a scenario for what comes of its expectations.
///
/// No trace is kept: where one of them failed, the run is made again, the same to the last byte,
/// for the lines around that moment. So a run of any length takes the same memory.
///
/// - Parameter wantsDigest: Whether the digest is needed, for which every line has to be written:
///   that is most of the work of a run.
package func runForExpectations(
  _ scenario: Scenario, wantsDigest: Bool = true,
  options: RunOptions = RunOptions(folds: .figures)
) throws(RunError) -> RunOutcome {
  var options = options
  options.trace = wantsDigest ? .digest : .nothing
  var outcome = try run(scenario, options: options)
  if outcome.failures.isEmpty { return outcome }
  if !outcome.answers.isEmpty { options.policies = .recorded(outcome.answers) }
  if !wantsDigest {
    // Without a trace the evidence of figures is not kept: a stall would not be found.
    options.trace = .digest
    outcome = try run(scenario, options: options)
  }
  options.trace = .around(outcome.failures.flatMap { $0.instants })
  return try run(scenario, options: options)
}

package enum RunError: Error, Sendable {
  /// Only what a link that was never checked would throw: a scenario that was read does not.
  case link(LinkError)
  /// A policy that runs outside does not answer.
  case policy(PolicyFailure, command: [String])

  package var description: String {
    switch self {
    case .link(let error): error.description
    case .policy(let failure, let command):
      "its policy, the command “\(joined(command, by: " "))”, \(failure.message)"
    }
  }
}

/// Runs a scenario from its text to its trace: what a page asks of the engine.
///
/// A scenario that names files comes as the header of a trace, which embeds them; a whole trace
/// will do. Never fails: mistakes come back as text, a line each, beginning with the file's name.
package func runScenario(_ text: [UInt8]) -> [UInt8] {
  do throws(ReplayError) {
    let recorded = TraceText(text)
    if (try? recorded.header()) != nil {
      return try rerun(recorded, file: "scenario.json").trace
    }
    let scenario = try rethrowing(
      try readScenario(text, file: "scenario.json"), as: ReplayError.scenario)
    return try rerun(scenario, RunOptions(folds: .figures)).trace
  } catch {
    let words =
      switch error {
      case .trace(let error): "scenario.json: " + error.text
      case .scenario(let error): error.text
      case .heuristic(let message): "scenario.json: " + message
      case .run(let error): "scenario.json: " + error.description
      }
    return Array((words + "\n").utf8)
  }
}
