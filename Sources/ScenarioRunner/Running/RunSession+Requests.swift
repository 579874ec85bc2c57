import LinkConditioner
import Recording
import ScenarioFormat
import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// What the player tells, with what the link knows of its requests.

extension RunSession {
  /// Puts what became different in the player into the trace.
  func tell(_ record: PlaybackRecord) {
    let observation = record.observation
    var told = Record(.player(observation), at: record.instant)
    var event = TraceEvent.line(of: observation)
    if scenario.queue != nil || !scenario.singles.isEmpty {
      name(&told, event.shape, record)
      event = event.with(item: told.item, from: told.itemBefore)
    }
    if let id = observation.timedRequest {
      told.steps = world.timings(of: id).map { RequestSteps($0) }
      event = event.with(told.steps)
    }
    self.record(told)
    note(event)
    if case .timeControl(_, let rule, _) = observation { warnOfAssumption(behind: rule, event) }
    if let (id, origin) = observation.begunRequest { begun(id, origin) }
  }

  /// Says whether a request takes the place of one that broke, and what will go wrong with it.
  private func begun(_ id: TransferID, _ origin: RequestOrigin) {
    if let old = origin.retries { note(TraceEvent(.requestRetry, .id(id), .id(old))) }
    if let fault = world.timings(of: id)?.fault { note(TraceEvent(fault, of: id)) }
  }
}

extension PlaybackObservation {
  var begunRequest: (id: TransferID, origin: RequestOrigin)? {
    if case .requestStarted(let id, _, let origin) = self { return (id, origin) }
    if case .resourceRequested(let id, _, _, let origin) = self { return (id, origin) }
    return nil
  }
}
