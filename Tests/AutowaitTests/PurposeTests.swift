import Autowait
import Testing
import VirtualTime

/// The purpose of a wait, and whether anybody waits, in a sentence for each event.
///
/// The rules are held against every edge of the state space; a few sessions beside them say in
/// words a person knows what follows from them.
@Suite struct PurposeTests {
  private typealias Edge = MachineStateSpaceTests.Edge

  /// The app's wish after an event: it is made by a request for motion, and ended by a pause,
  /// a halt of the system or an end at which the player pauses.
  private func wish(after edge: Edge) -> Bool {
    let before = edge.before.machine
    guard case .event(let event) = edge.event else { return before.isWanted }
    switch event {
    case .setRate(let rate), .playImmediately(let rate): return !rate.isZero
    // Whoever waits automatically is refused an external timeline.
    case .setRateAtHostTime(let rate):
      return before.waitsAutomatically ? before.isWanted : !rate.isZero
    case .awaitsHostTime, .moved: return true
    case .systemHalted: return false
    case .reachedEnd(.pause): return before.control != .playing && before.isWanted
    case .reachedEnd, .setWaitsAutomatically, .itemBegins, .itemArrived, .itemLeft, .itemRemoved,
      .itemFailed, .bufferChanged, .ranDry, .reachedLiveEdge, .evaluationEnded, .suspensionBegan,
      .suspensionEnded:
      return before.isWanted
    }
  }

  /// The purpose of a wait after an event: a start until media moves, what the last running dry was
  /// for until it is over, and after an end, a failure or a leave nothing special.
  private func purpose(after edge: Edge) -> WaitPurpose {
    let before = edge.before.machine.purpose
    let given = before == .start ? WaitPurpose.start : .goOn
    switch edge.event {
    case .begins, .event(.itemBegins): return .start
    case .event(.moved): return .goOn
    case .ranDry(let cause, _):
      if edge.before.item == nil || before == .start { return before }
      return cause == .consumed ? .resume : .seek
    case .removed, .event(.itemLeft): return given
    case .failed: return edge.before.item == nil ? before : given
    case .event(.reachedEnd(.pause)): return edge.before.control == .playing ? given : before
    case .event, .arrived, .changed, .young, .decided: return before
    }
  }

  @Test func `a wish is made by a request for motion and ended by a pause, a halt or an end`() {
    let wrong = MachineStateSpaceTests.space.edges.first {
      $0.after.machine.isWanted != wish(after: $0)
    }
    #expect(wrong == nil)
  }

  @Test func `what is waited out follows the last thing that befell the playhead`() {
    let wrong = MachineStateSpaceTests.space.edges.first {
      $0.after.machine.purpose != purpose(after: $0)
    }
    #expect(wrong == nil)
  }

  /// The purposes after each of some events.
  private func course(_ events: [DrivenMachine.Happening]) -> [WaitPurpose?] {
    var machine = DrivenMachine()
    return events.map { event in
      _ = machine.handle(event)
      return machine.machine.waitsOut
    }
  }

  private let enough = BufferCondition(isEmpty: false, isFull: false, isLikelyToKeepUp: true)

  @Test func `a start, a stall and a seek are each waited out until media moves`() {
    let play = DrivenMachine.Happening.setRate(.normal)
    let filled = DrivenMachine.Happening.changed(enough)
    #expect(
      course([
        .arrived(.nothing), play, filled, .event(.moved), .ranDry(.consumed, .nothing), filled,
        .event(.moved), .ranDry(.soughtAway, .nothing), filled,
      ]) == [nil, .start, nil, nil, .resume, nil, nil, .seek, nil])
  }

  @Test func `whoever pauses in a stall waits for nothing, and for the same when playing on`() {
    let play = DrivenMachine.Happening.setRate(.normal)
    #expect(
      course([
        .arrived(enough), play, .event(.moved), .ranDry(.consumed, .nothing), .setRate(.zero), play,
      ]) == [nil, nil, nil, .resume, nil, .resume])
  }

  @Test func `an item that leaves takes its stall with it, and its seek`() {
    let play = DrivenMachine.Happening.setRate(.normal)
    for cause in DryCause.allCases {
      for leave in [DrivenMachine.Happening.event(.itemLeft), .removed] {
        let waited = course([
          .arrived(enough), play, .event(.moved), .ranDry(cause, .nothing), leave,
          .arrived(.nothing),
        ])
        #expect(waited.suffix(3) == [cause == .consumed ? .resume : .seek, .goOn, .goOn])
      }
    }
  }

  @Test func `after an end at which the player pauses nobody waits until the app asks again`() {
    let play = DrivenMachine.Happening.setRate(.normal)
    #expect(
      course([
        .arrived(enough), play, .event(.moved), .event(.reachedEnd(.pause)),
        .changed(.nothing), play,
      ]) == [nil, nil, nil, nil, nil, .goOn])
    #expect(
      course([
        .arrived(enough), play, .event(.moved), .event(.systemHalted(.appBackgrounded)),
        .changed(.nothing), play,
      ]) == [nil, nil, nil, nil, nil, .goOn])
  }

  @Test func `a machine waits, and evaluates nothing first, unless it is told to`() {
    let machine = AutowaitMachine()
    #expect(machine.waitsAutomatically && !machine.evaluatesFirst)
    #expect(machine.control == .paused && machine.purpose == .start && !machine.isWanted)
    let other = AutowaitMachine(waitsAutomatically: false, evaluatesFirst: true)
    #expect(!other.waitsAutomatically && other.evaluatesFirst)
  }
}
