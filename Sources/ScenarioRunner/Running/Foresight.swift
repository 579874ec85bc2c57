import ScenarioFormat
import SimulatedWorld
import VirtualTime

/// Foretells the playhead both ways, and looks later where it really is.
struct Foresight {
  let session: RunSession

  init(_ session: RunSession) {
    self.session = session
  }

  func look(_ span: TimeSpan) {
    let session = session
    let (world, player) = (session.world, session.player)
    let instant = world.now + span
    let index = session.projections.count
    session.projections.append(
      Projection(
        for: instant, byTimebase: player.projectedTime(at: instant),
        byRate: player.projectedTimeByRequestedRate(at: instant)))
    world.at(instant) {
      let actual = player.currentTime()
      session.projections[index].actual = actual
      let projection = session.projections[index]
      session.note(
        TraceEvent(
          .projection, .time(actual), .time(projection.byTimebase), .time(projection.byRate)))
    }
  }
}
