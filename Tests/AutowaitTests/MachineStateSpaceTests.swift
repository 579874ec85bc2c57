import Autowait
import Testing
import VirtualTime

/// Every state that the machine can be brought into, and everything that can happen in it.
///
/// All edges out of all reachable states are walked, so what holds on them holds along every
/// sequence of events, however long.
@Suite struct MachineStateSpaceTests {
  struct Edge {
    var before: AutowaitMachine
    var event: PlaybackEvent
    var rule: TransitionRule?
    var after: AutowaitMachine
  }

  static let space = explore()

  static let conditions: [BufferCondition] = (0..<16).map { bits in
    BufferCondition(
      isEmpty: bits & 1 != 0, isFull: bits & 2 != 0, isLikelyToKeepUp: bits & 4 != 0,
      isAtEnd: bits & 8 != 0)
  }

  static let events: [PlaybackEvent] = {
    let rates = [PlaybackRate.zero, PlaybackRate(1, over: 2), .normal, PlaybackRate(2)]
    var events: [PlaybackEvent] = [.itemRemoved, .itemFailed, .evaluationEnded]
    events += rates.map { .setRate($0) }
    events += rates.map { .playImmediately($0) }
    events += rates.map { .setRateAtHostTime($0) }
    events += [true, false].map { .setWaitsAutomatically($0) }
    events += ActionAtItemEnd.allCases.map { .reachedEnd($0) }
    events += Suspension.allCases.flatMap { [.suspensionBegan($0), .suspensionEnded($0)] }
    for condition in conditions {
      events += [.itemArrived(condition), .bufferChanged(condition)]
      events += DryCause.allCases.map { .ranDry($0, condition) }
    }
    return events
  }()

  /// Breadth first; the depth is how many events the farthest state needs.
  static func explore() -> (states: Set<AutowaitMachine>, edges: [Edge], depth: Int) {
    var frontier: [AutowaitMachine] = []
    for waits in [true, false] {
      for evaluates in [true, false] {
        frontier.append(AutowaitMachine(waitsAutomatically: waits, evaluatesFirst: evaluates))
      }
    }
    var states = Set(frontier)
    var edges: [Edge] = []
    var depth = -1
    while !frontier.isEmpty {
      depth += 1
      var next: [AutowaitMachine] = []
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
    #expect(states.count == 1464)
    #expect(depth == 5)
  }

  @Test func `the rate is zero exactly when paused`() {
    #expect(Self.space.states.allSatisfy { $0.rate.isZero == ($0.control == .paused) })
  }

  @Test func `the timebase runs at the rate while playing and never else`() {
    for state in Self.space.states {
      #expect(state.timebaseRate == (state.control == .playing ? state.rate : .zero))
      #expect(state.timebaseRate.isZero == (state.control != .playing))
    }
  }

  @Test func `without an item the player waits for one or is paused`() {
    for state in Self.space.states {
      #expect(state.buffer != nil || state.control != .playing)
      #expect(state.control != .waiting(.noItemToPlay) || state.buffer == nil)
      #expect(!state.itemHasFailed || state.control == .paused)
    }
  }

  @Test func `without automatic waiting the player waits for nothing but a suspension`() {
    for state in Self.space.states where !state.waitsAutomatically {
      if case .waiting(let reason) = state.control {
        #expect(reason == state.suspensions.reason)
      }
    }
  }

  @Test func `a suspended player with an item never plays, and says what it waits for`() {
    for state in Self.space.states {
      if let reason = state.suspensions.reason, state.buffer != nil {
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
      case .suspensionBegan: #expect(edge.before.rate == edge.after.rate)
      case .suspensionEnded:
        #expect(edge.before.rate == edge.after.rate || edge.rule == .emptyStaysPaused)
      case .setRate, .playImmediately, .setRateAtHostTime, .setWaitsAutomatically, .itemArrived,
        .itemRemoved, .itemFailed, .bufferChanged, .ranDry, .evaluationEnded, .reachedEnd:
        continue
      }
    }
  }

  @Test func `it is evaluated only where an evaluation is configured`() {
    for state in Self.space.states where state.control == .waiting(.evaluatingBufferingRate) {
      #expect(state.evaluatesFirst)
    }
  }

  @Test func `nothing starts to move while the buffer is empty, an external timeline aside`() {
    for edge in Self.space.edges
    where edge.before.control != .playing && edge.after.control == .playing {
      if edge.rule == .followsHostTime { continue }
      let buffer = edge.after.buffer
      #expect(buffer?.isEmpty == false || buffer?.isAtEnd == true, "\(edge)")
    }
  }

  @Test func `a patient start needs a buffer that is likely to keep up, or full`() {
    let patient: Set<TransitionRule> = [
      .startsLikelyOrFull, .waitedEnough, .evaluatedReady, .itemEndsWait, .suspensionEndsReady,
    ]
    for edge in Self.space.edges {
      guard let rule = edge.rule, patient.contains(rule), edge.after.waitsAutomatically
      else { continue }
      #expect(edge.after.buffer?.permitsPlaying == true, "\(edge)")
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
      case .setRate, .playImmediately, .setRateAtHostTime: continue
      case .setWaitsAutomatically, .itemArrived, .itemRemoved, .itemFailed, .bufferChanged, .ranDry,
        .evaluationEnded, .reachedEnd, .suspensionBegan, .suspensionEnded:
        #expect(edge.after.control == .paused, "\(edge)")
      }
    }
  }

  @Test func `what the app asks twice changes nothing the second time`() {
    for edge in Self.space.edges {
      switch edge.event {
      case .setRate, .setWaitsAutomatically, .playImmediately, .setRateAtHostTime:
        var again = edge.after
        _ = again.handle(edge.event)
        #expect(again == edge.after, "\(edge)")
      case .itemArrived, .itemRemoved, .itemFailed, .bufferChanged, .ranDry, .evaluationEnded,
        .reachedEnd, .suspensionBegan, .suspensionEnded:
        continue
      }
    }
  }

  @Test(arguments: TransitionRule.allCases)
  func `every rule of the table can fire`(_ rule: TransitionRule) {
    #expect(Self.space.edges.contains { $0.rule == rule })
  }
}
