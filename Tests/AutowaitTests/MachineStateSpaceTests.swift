import Autowait
import TestSupport
import Testing
import VirtualTime

/// Every state that the machine can be brought into, and everything that can happen in it.
///
/// All edges out of all reachable states are walked, so what holds on them holds along every
/// sequence of events, however long.
///
/// A debug build walks one in ten of them: it leaves full buffers, double rate and the machines
/// that begin without an evaluation to the release build.
@Suite struct MachineStateSpaceTests {
  struct Edge {
    var before: DrivenMachine
    var event: DrivenMachine.Happening
    var rule: TransitionRule?
    var after: DrivenMachine
  }

  static let space = explore()

  static let conditions: [BufferCondition] = (0..<(Seeds.areMany ? 16 : 8)).map { bits in
    BufferCondition(
      isEmpty: bits & 1 != 0, isFull: bits & 8 != 0, isLikelyToKeepUp: bits & 2 != 0,
      isAtEnd: bits & 4 != 0)
  }

  static let events: [DrivenMachine.Happening] = {
    var rates = [PlaybackRate.zero, PlaybackRate(1, over: 2), .normal]
    if Seeds.areMany { rates.append(PlaybackRate(2)) }
    var events: [DrivenMachine.Happening] = [.removed, .failed]
    events += [.young, .decided, .begins]
    events += [.evaluationEnded, .awaitsHostTime, .itemLeft, .moved].map { .event($0) }
    events += [.event(.reachedLiveEdge)] + SystemHalt.allCases.map { .event(.systemHalted($0)) }
    events += rates.map { .event(.setRate($0)) }
    events += rates.map { .event(.playImmediately($0)) }
    events += rates.map { .event(.setRateAtHostTime($0)) }
    events += [true, false].map { .event(.setWaitsAutomatically($0)) }
    events += ActionAtItemEnd.allCases.map { .event(.reachedEnd($0)) }
    events += Suspension.allCases.flatMap {
      [.event(.suspensionBegan($0)), .event(.suspensionEnded($0))]
    }
    for condition in conditions {
      events += [.arrived(condition), .changed(condition)]
      events += DryCause.allCases.map { .ranDry($0, condition) }
    }
    return events
  }()

  private static let evaluating = Seeds.areMany ? [true, false] : [true]

  /// Breadth first; the depth is how many events the farthest state needs.
  static func explore() -> (states: Set<DrivenMachine>, edges: [Edge], depth: Int) {
    var frontier: [DrivenMachine] = []
    for waits in [true, false] {
      for evaluates in evaluating {
        frontier.append(DrivenMachine(waitsAutomatically: waits, evaluatesFirst: evaluates))
      }
    }
    var states = Set(frontier)
    var edges: [Edge] = []
    var depth = -1
    while !frontier.isEmpty {
      depth += 1
      var next: [DrivenMachine] = []
      for state in frontier {
        for event in events {
          var after = state
          let rule = after.handle(event)
          edges.append(Edge(before: state, event: event, rule: rule, after: after))
          if states.insert(after).inserted { next.append(after) }
        }
      }
      frontier = next
    }
    return (states, edges, depth)
  }

  @Test func `all reachable states are found, and all sequences of events are covered`() {
    let (states, edges, depth) = Self.space
    print(
      "autowait machine: \(states.count) states, \(edges.count) edges (\(Self.events.count) events"
        + " in each state), the farthest state \(depth) events away; sequences of any length")
    #expect(edges.count == states.count * Self.events.count)
    #expect(states.count == (Seeds.areMany ? 31904 : 6848))
    #expect(depth == 8)
  }

  @Test func `the rate is zero exactly when paused`() {
    #expect(Self.space.states.allSatisfy { $0.rate.isZero == ($0.control == .paused) })
  }

  @Test func `status, rate, mode and suspensions agree in every state`() {
    for state in Self.space.states {
      let machine = state.machine
      let agrees =
        switch machine.control {
        case .paused: machine.rate.isZero
        case .playing: !machine.rate.isZero
        case .awaitingMedia: !machine.rate.isZero && !machine.waitsAutomatically
        case .waiting(.toMinimizeStalls), .waiting(.noItemToPlay):
          !machine.rate.isZero && machine.waitsAutomatically
        case .waiting(.evaluatingBufferingRate):
          !machine.rate.isZero && machine.waitsAutomatically && machine.evaluatesFirst
        case .waiting(.interstitialEvent):
          !machine.rate.isZero && machine.suspensions.hasInterstitial
        case .waiting(.waitingForCoordinatedPlayback):
          !machine.rate.isZero && machine.suspensions.awaitsParticipants
        }
      #expect(agrees, "\(machine)")
    }
  }

  @Test func `the timebase runs at the rate while playing and never else`() {
    for state in Self.space.states {
      #expect(state.machine.timebaseRate == (state.control == .playing ? state.rate : .zero))
      #expect(state.machine.timebaseRate.isZero == (state.control != .playing))
    }
  }

  @Test func `without an item the player waits for one or is paused`() {
    for state in Self.space.states {
      #expect(state.item != nil || state.control != .playing)
      #expect(state.control != .waiting(.noItemToPlay) || state.item == nil)
      #expect(state.item?.hasFailed != true || state.control == .paused)
    }
  }

  @Test func `without automatic waiting the player waits for nothing but a suspension`() {
    for state in Self.space.states where !state.machine.waitsAutomatically {
      if case .waiting(let reason) = state.control {
        #expect(reason == state.machine.suspensions.reason)
      }
    }
  }

  @Test func `a suspended player with an item never plays, and says what it waits for`() {
    for state in Self.space.states {
      if let reason = state.machine.suspensions.reason, state.item != nil {
        #expect(state.control == .paused || state.control == .waiting(reason))
      } else {
        #expect(state.control != .waiting(.interstitialEvent))
        #expect(state.control != .waiting(.waitingForCoordinatedPlayback))
      }
    }
  }

  @Test func `a suspension leaves the rate alone at both ends, an empty buffer aside`() {
    for edge in Self.space.edges {
      switch edge.event {
      case .event(.suspensionBegan): #expect(edge.before.rate == edge.after.rate)
      case .event(.suspensionEnded):
        #expect(edge.before.rate == edge.after.rate || edge.rule == .emptyStaysPaused)
      case .event, .arrived, .removed, .failed, .changed, .ranDry, .young, .decided, .begins:
        continue
      }
    }
  }

  @Test func `it is evaluated only where an evaluation is configured`() {
    for state in Self.space.states where state.control == .waiting(.evaluatingBufferingRate) {
      #expect(state.machine.evaluatesFirst)
    }
  }

  @Test func `nothing starts to move while the buffer is empty, an external timeline aside`() {
    for edge in Self.space.edges
    where edge.before.control != .playing && edge.after.control == .playing {
      if edge.rule == .followsHostTime { continue }
      let buffer = edge.after.item?.buffer
      #expect(buffer?.isEmpty == false || buffer?.isAtEnd == true, "\(edge)")
    }
  }

  @Test func `a patient start needs a buffer that is likely to keep up, or full`() {
    let patient: Set<TransitionRule> = [
      .startsLikelyOrFull, .waitedEnough, .evaluatedReady, .decidedEarly, .itemEndsWait,
      .suspensionEndsReady,
    ]
    for edge in Self.space.edges {
      guard let rule = edge.rule, patient.contains(rule), edge.after.machine.waitsAutomatically
      else { continue }
      #expect(edge.after.item?.buffer.permitsPlaying == true, "\(edge)")
    }
  }

  @Test func `whatever changes the state or the rate names its rule`() {
    for edge in Self.space.edges where edge.rule == nil {
      #expect(edge.before.control == edge.after.control && edge.before.rate == edge.after.rate)
    }
  }

  @Test func `a stall under automatic waiting leaves the rate alone`() {
    for edge in Self.space.edges where edge.rule == .stallWaits || edge.rule == .seekWaits {
      #expect(edge.before.rate == edge.after.rate)
    }
  }

  @Test func `only the app brings a paused player to anything else`() {
    for edge in Self.space.edges where edge.before.control == .paused {
      switch edge.event {
      case .event(.setRate), .event(.playImmediately), .event(.setRateAtHostTime): continue
      case .event, .arrived, .removed, .failed, .changed, .ranDry, .young, .decided, .begins:
        #expect(edge.after.control == .paused, "\(edge)")
      }
    }
  }

  @Test func `what the app asks twice changes nothing the second time`() {
    for edge in Self.space.edges {
      switch edge.event {
      case .event(.setRate), .event(.setWaitsAutomatically), .event(.playImmediately),
        .event(.setRateAtHostTime):
        var again = edge.after
        _ = again.handle(edge.event)
        #expect(again == edge.after, "\(edge)")
      case .event, .arrived, .removed, .failed, .changed, .ranDry, .young, .decided, .begins:
        continue
      }
    }
  }

  @Test(
    .enabled(if: Seeds.areMany, "some fire without an evaluation alone"),
    arguments: TransitionRule.allCases)
  func `every rule of the table can fire`(_ rule: TransitionRule) {
    #expect(Self.space.edges.contains { $0.rule == rule })
  }

  @Test func `time is spent on something only while somebody asks for motion and nothing moves`() {
    for state in Self.space.states {
      let machine = state.machine
      #expect((machine.waitsOut == nil) == (!machine.isWanted || machine.control == .playing))
    }
  }

  @Test func `a start stays a start until something has moved`() {
    for edge in Self.space.edges where edge.before.machine.purpose == .start {
      switch edge.event {
      case .event(.moved): #expect(edge.after.machine.purpose == .goOn)
      case .event, .arrived, .removed, .failed, .changed, .ranDry, .young, .decided, .begins:
        #expect(edge.after.machine.purpose == .start, "\(edge)")
      }
    }
  }

  @Test func `pausing and playing on does not change what is waited out`() {
    for edge in Self.space.edges {
      guard case .event(.setRate) = edge.event else { continue }
      #expect(edge.before.machine.purpose == edge.after.machine.purpose, "\(edge)")
    }
  }

  // MARK: Census

  /// The outcome of an edge, without the buffer.
  private struct Outcome: Hashable {
    let rule: TransitionRule?
    let control: TimeControl
    let purpose: WaitPurpose
    let isWanted: Bool

    var text: String {
      let wish = isWanted ? "wanted" : "unwanted"
      return "\(rule.map { $0.rawValue } ?? "none") \(control) \(purpose) \(wish)"
        .replacing("Autowait.WaitingReason.", with: "")
    }
  }

  private static let census = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/autowait", seeds: .max)

  @Test(.enabled(if: Seeds.areMany, "a debug build walks a part of the edges"))
  func `each rule leads to each state from as many edges as it did`() throws {
    var counts: [Outcome: Int] = [:]
    let edges = Self.space.edges
    for number in stride(from: 0, to: edges.count, by: 7) {
      let (edge, machine) = (edges[number], edges[number].after.machine)
      counts[
        Outcome(
          rule: edge.rule, control: machine.control, purpose: machine.purpose,
          isWanted: machine.isWanted), default: 0] += 1
    }
    let lines = counts.map { "\($0.key.text) \($0.value)" }.sorted()
    #expect(try Self.census.differences(from: lines) == [])
  }
}
