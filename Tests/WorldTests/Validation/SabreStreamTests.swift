import SimulatedWorld
import TestSupport
import Testing

/// Sabre's runs at a fixed quality through the whole player: playlists, segments, buffer, stalls.
@Suite struct SabreStreamTests {
  /// Sabre has no playlists: ours are there when its clock begins.
  private static let lead = TimeSpan.seconds(2)

  @Test(.enabled(if: SabreRuns.areThere, "the logs of Sabre do not lie beside the checkout"))
  func `each segment is there when Sabre has it, to a microsecond`() throws {
    let runs = try SabreRuns.all()
    #expect(runs.count >= (Seeds.areMany ? 40 : 6))
    for run in Seeds.cases(of: runs) {
      let (arrivals, stalled) = try play(run)
      #expect(arrivals.count == run.bytes.count, "\(run.name)")
      var worst: Int64 = 0
      for (index, arrival) in arrivals.enumerated() {
        worst = max(
          worst, abs((arrival - .zero - Self.lead).nanoseconds - milliseconds(run.times[index])))
        worst = max(worst, abs(stalled[index].nanoseconds - milliseconds(run.rebuffering[index])))
      }
      #expect(worst <= 1_000, "\(run.name): \(worst) ns")
    }
  }

  private func milliseconds(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }

  /// When each segment was there, counted from the start, and how long playback had stalled by
  /// then.
  private func play(_ run: SabreRun) throws -> (arrivals: [Instant], stalled: [TimeSpan]) {
    // Each playlist takes a second; half a second before the first segment the link becomes
    // Sabre's, at a place of its trace from where the beginning is reached in time.
    let world = try World(
      conditions: LinkConditions(downlink: .init(delay: .seconds(1))),
      limits: RunLimits(horizon: .zero + .seconds(40_000)))
    let player = world.makePlayer()
    var (arrivals, stalled): ([Instant], [TimeSpan]) = ([], [])
    var segments: [TransferID] = []
    player.observe { record in
      switch record.observation {
      case .resourceRequested(let id, .mediaSegment, _, _): segments.append(id)
      case .requestCompleted(let id, _) where segments.contains(id):
        arrivals.append(record.instant)
        stalled.append(player.books.stalled)
      default: break
      }
    }
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .stream(try settings(run)), heuristic: .immediate,
        preferredForwardBufferDuration: .seconds(25) - run.segment + MediaTime(nanoseconds: 1)))
    player.play()
    let given = run.trace.schedule
    let schedule = try RateSchedule(
      steps: given.steps, ending: given.ending, clock: given.clock,
      offset: given.length - .milliseconds(500))
    world.advance(to: .zero + .milliseconds(1_500))
    try world.setConditions(run.trace.conditions)
    try world.setSchedule(schedule)
    #expect(world.run() == .finished)
    #expect(world.finish() == [])
    return (arrivals, stalled)
  }

  private func settings(_ run: SabreRun) throws -> StreamSettings {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000, segmentBytes: run.bytes)],
      segmentDuration: run.segment,
      duration: MediaTime(nanoseconds: run.segment.nanoseconds * Int64(run.bytes.count)))
    var presentation = try Presentation(ladder)
    presentation.playlistBytes = 0
    presentation.lists[0].playlistBytes = 0
    var settings = StreamSettings(
      presentation: presentation, initialRule: .firstEligible, adaptation: .fixed)
    settings.errors.mediaTimeout = nil
    return settings
  }
}
