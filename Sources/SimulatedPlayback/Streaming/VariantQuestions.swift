import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

extension VariantQuestion {
  /// Not an initializer: one that goes on from another copies what it has made.
  static func about(
    _ loader: StreamLoader, _ current: Int, _ ahead: MediaTime, _ playhead: Playhead,
    mediaLimit: MediaTime?, at now: Instant
  ) -> VariantQuestion {
    var question = VariantQuestion(
      now: now,
      ladder: loader.intake.tracks.mainList.map { StreamLadder.known(to: loader, list: $0) }
        ?? loader.choice.rungs.ladder,
      eligible: loader.choice.rungs.eligible, current: current,
      estimate: loader.policy.running.estimate(of: .segmented), ahead: ahead)
    (question.rate, question.mediaLimit) = (playhead.rateOfPlay, mediaLimit)
    if loader.asset.live?.stream.parts != nil, let list = loader.intake.tracks.mainList {
      question.partLength = loader.presentation.lists[list].partDuration
    }
    let (position, edge) = (playhead.time(at: now), LivePlace(loader).flatMap { $0.time(at: now) })
    question.liveOffset = edge.map { max(.zero, $0 - position) }
    question.nextSegment = loader.intake.tracks.mainNext
    (question.switched, question.latest) = (loader.choice.switched, loader.intake.latestMain)
    question.end = playhead.end
    if loader.policy.running.description.choice.again != .never {
      question.buffered = loader.intake.tracks.first?.rungsAhead(of: position) ?? []
    }
    return question
  }
}

extension AbandonQuestion {
  init(
    of loader: StreamLoader, _ fetch: SegmentFetch, _ arrived: Int64, _ playhead: Playhead,
    lasts: TimeSpan?, at now: Instant, on stage: borrowing Stage
  ) {
    let (policy, intake) = (loader.policy, loader.intake)
    intake.tellOthers(than: 0, at: now, on: stage)
    var missingBeside: Int64 = 0
    for index in intake.tracks.indices.dropFirst() {
      guard let other = intake.tracks[index].fetch, other.hasResponded else { continue }
      missingBeside += other.bytes - other.arrived(at: now, on: stage)
    }
    let estimate =
      loader.judgement.abandon.nextLook <= now
      ? policy.running.estimate(
        abandoning: RequestNumber(fetch.id), bytes: arrived, at: now)
      : policy.running.estimate(of: .segmented)
    self.init(
      now: now, ladder: StreamLadder.known(to: loader, list: fetch.list),
      eligible: loader.choice.rungs.eligible, estimate: estimate,
      request: RequestFacts(fetch, arrived),
      received: fetch.hasResponded
        ? intake.requests.bytesReceived(intake.tracks, at: now, on: stage) - fetch.receivedBefore
        : 0,
      missingBeside: missingBeside, rate: playhead.rateOfPlay, lasts: lasts,
      isMoving: playhead.isMoving,
      inflow: loader.judgement.abandon.countsBytes ? fetch.inflow(at: now, on: stage) : nil)
  }
}

extension StreamTrack {
  /// The segments from the one under a position on.
  fileprivate func rungsAhead(of position: MediaTime) -> [RungAhead] {
    buffer.segments.filter { $0.end > position }.map {
      RungAhead(rung: $0.variant, segment: $0.index, ahead: max(.zero, $0.start - position))
    }
  }
}
