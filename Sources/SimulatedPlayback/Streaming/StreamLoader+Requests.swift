import LinkConditioner
import StreamingMedia
import VirtualTime

// How things are asked for, and how they are given up.

extension StreamLoader {
  /// Whether an initialization section is there; asks for it if not.
  func requestMap(
    _ index: Int, _ map: Int, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let list = tracks[index].list
    switch asset.resources[.map(list: list, map)] {
    case .there: return true
    case .underWay: return false
    case .missing:
      let id = request(
        presentation.lists[list].maps[map].bytes, .mapSegment,
        presentation.lists[list].uri(ofMap: map),
        for: origin(index, at: now) { $0 == .resource(.playlist(list)) }, at: now, on: &stage)
      asset.resources.requested(.map(list: list, map), by: id)
      return false
    }
  }

  func requestSessionKeys(at now: Instant, on stage: inout Stage) {
    // "Master playlist must contain SESSION-KEY declarations" (WWDC16 503).
    for key in asset.resources.announcedKeys {
      let origin = RequestOrigin(after: arrivals.latest(at: now) { $0 == .resource(.master) })
      requestKey(.key(key), for: origin, at: now, on: &stage)
    }
  }

  /// What a track's next request is for, and what let it begin: what it needs, or the segment
  /// before it.
  func origin(
    _ index: Int, at now: Instant, needing isNeeded: (PresentArrivals.Thing) -> Bool
  ) -> RequestOrigin {
    let kind = tracks[index].kind
    return RequestOrigin(
      track: kind,
      after: arrivals.latest(at: now) { $0 == .segment(kind) || isNeeded($0) })
  }

  func requestKey(
    _ resource: StreamResource, for origin: RequestOrigin, at now: Instant, on stage: inout Stage
  ) {
    guard case .key(let key) = resource, asset.resources[resource] == .missing else { return }
    let exchange = settings.keyExchange
    let id = request(
      exchange.bytes, .contentKey, asset.resources.keys[key].uri, for: origin,
      thinkTime: exchange.thinkTime, at: now, on: &stage)
    asset.resources.requested(resource, by: id)
  }

  func request(
    _ bytes: Int64, _ kind: ResourceKind, _ uri: @autoclosure () -> String,
    for origin: RequestOrigin = RequestOrigin(),
    thinkTime: TimeSpan = .zero, availableAt: Instant? = nil, at now: Instant,
    on stage: inout Stage
  ) -> TransferID {
    requestCount += 1
    let id = stage.link.start(
      Request(
        bytes: bytes, host: host, owner: owner, thinkTime: thinkTime, availableAt: availableAt,
        label: kind.label,
        // Where nobody asks what it is called, nobody puts it together.
        uri: stage.link.readsLabels ? uri() : "",
        // What has begun to come in is of no use before it is whole.
        followsLine: false),
      at: now)
    stage.log.note(.resourceRequested(id, kind, bytes: bytes, origin), at: now)
    return id
  }

  /// Gives the link back everything that is under way.
  func cancelAll(at now: Instant, on stage: inout Stage) {
    for index in tracks.indices where tracks[index].fetch != nil {
      drop(index, at: now, on: &stage)
      // What was given up is asked for again, should anybody want more.
      let list = presentation.lists[tracks[index].list]
      tracks[index].next =
        list.firstIndex(startingAtOrAfter: tracks[index].end) ?? list.segments.count
    }
    for id in asset.resources.giveUpAll() {
      stage.link.cancel(id, at: now)
      stage.log.note(.requestCancelled(id, bytes: 0), at: now)
    }
  }
}
