import PlayerPolicies
import StreamingMedia
import VirtualTime

extension VariantQuestion {
  // Perf: returned as one initialiser makes it, and inlined: else it was copied.
  @inline(__always)
  static func about(
    _ loader: StreamLoader, _ current: Int, _ position: MediaTime, _ ahead: MediaTime,
    _ item: PlayerItem, mediaLimit: MediaTime?, at now: Instant
  ) -> VariantQuestion {
    let tracks = loader.tracks
    var buffered: [RungAhead] = []
    if loader.policy.fetchesAgain, !tracks.isEmpty {
      buffered = tracks[0].buffer.segments.filter { $0.end > position }.map {
        RungAhead(rung: $0.variant, segment: $0.index, ahead: max(.zero, $0.start - position))
      }
    }
    return VariantQuestion(
      now: now,
      ladder: tracks.isEmpty ? loader.choice.rungs.ladder : loader.ladders[tracks[0].list],
      eligible: loader.choice.rungs.eligible, current: current,
      estimate: loader.policy.running.estimate(of: .segmented), ahead: ahead,
      rate: item.rateOfPlay, mediaLimit: mediaLimit,
      partLength: loader.asset.live?.stream.parts == nil
        ? nil : tracks.mainList.flatMap { loader.presentation.lists[$0].partDuration },
      liveOffset: loader.live == nil
        ? nil : LivePlace(loader)?.time(at: now).map { max(.zero, $0 - position) },
      nextSegment: tracks.list.first?.next ?? 0, switched: loader.choice.switched,
      latest: loader.intake.latestMain, end: item.end, playedFrom: item.playedFrom,
      buffered: buffered)
  }
}

extension AbandonQuestion {
  static func of(
    _ loader: StreamLoader, _ fetch: SegmentFetch, _ item: PlayerItem, lasts: TimeSpan?,
    at now: Instant, on stage: borrowing Stage
  ) -> AbandonQuestion {
    let (policy, intake) = (loader.policy, loader.intake)
    let inflow = loader.judgement.abandon.countsBytes ? fetch.inflow(at: now, on: stage) : nil
    let arrived =
      inflow.map { fetch.arrived(at: now, along: $0) } ?? fetch.arrived(at: now, on: stage)
    var (received, missingBeside) = (intake.requests.bytesTransferred + arrived, Int64(0))
    for track in loader.tracks.list.dropFirst() {
      guard let other = track.fetch, !other.isComplete else { continue }
      let bytes = other.arrived(at: now, on: stage)
      intake.hear(.received(RequestNumber(other.id), bytes: bytes), at: now)
      received += bytes
      if other.hasResponded { missingBeside += other.bytes - bytes }
    }
    let estimate =
      loader.judgement.abandon.readsEstimate(at: now)
      ? policy.running.estimate(abandoning: RequestNumber(fetch.id), bytes: arrived, at: now)
      : policy.running.estimate(of: .segmented)
    return AbandonQuestion(
      now: now, ladder: loader.ladders[fetch.list],
      eligible: loader.choice.rungs.eligible, estimate: estimate,
      request: RequestFacts(fetch, arrived),
      received: fetch.hasResponded ? received - fetch.receivedBefore : 0,
      missingBeside: missingBeside, rate: item.rateOfPlay, lasts: lasts,
      isMoving: item.isMoving, inflow: inflow)
  }
}
