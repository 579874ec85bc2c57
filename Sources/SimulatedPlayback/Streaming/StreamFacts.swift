import LinkConditioner
import PlayerPolicies
import StreamingMedia
import VirtualTime

// The facts of a stream that a policy is told.

extension Snapshot {
  /// Notes what is known of a stream; returns the variants to go with that.
  mutating func note(
    _ loader: StreamLoader, of item: PlayerItem, at now: Instant, on stage: borrowing Stage
  ) -> Ladder {
    source = .segmented
    var stream = StreamFacts(variant: loader.choice.current)
    stream.wholeSegments = loader.intake.segmentsInARow
    (stream.goesOn, stream.flows) = (!loader.isEndKnown, loader.intake.telling.flows)
    if loader.policy.facts.live, let place = LivePlace(loader) {
      stream.liveOffset = place.time(at: now).map { max(.zero, $0 - playhead) }
      stream.liveTarget = place.recommendedOffset
    }
    let tracks = loader.tracks
    if tracks.isEmpty {
      self.stream = stream
      return .empty
    }
    let (main, ladder) = (tracks[0], loader.ladders[tracks[0].list])
    let isFetching = main.fetchID != nil
    stream.nextSegment = isFetching ? main.latest.index : main.next
    // The parts of a segment are in the buffer before the segment is whole.
    if main.nextPart > 0 || isFetching && main.latest.part != nil,
      let variant = loader.choice.current, stream.nextSegment < ladder.segmentCount
    {
      let there = main.buffer.end - ladder.boundaries[stream.nextSegment]
      stream.received = ladder.declaredBytes(of: variant, max(.zero, there))
    }
    if isFetching {
      let inflow = main.latest.inflow(at: now, on: stage)
      let arrived = main.latest.arrived(at: now, along: inflow)
      stream.received += arrived
      if stream.flows, wait != .nothing { stream.inflow = inflow }
      stream.request = RequestFacts(main.latest, arrived)
      if loader.policy.facts.arriving { stream.arriving = main.latest.media(arrived, for: loader) }
    }
    stream.switched = loader.choice.switched
    if stream.goesOn, let place = LivePlace(loader) {
      stream.hasSlid = place.isAllThereIs(from: playhead)
      // Parts are due one by one, and a wait that the playhead makes up for gains nothing.
      let isExempt = loader.live?.stream.parts != nil || item.settings.live.preservesOffset
      if !isExempt { stream.listedEnd = place.listedEnd }
    }
    (stream.mainEnd, stream.fetch) = (main.end, loader.rule)
    if !isFetching { stream.prepare(loader, main, at: now, on: stage) }
    if tracks.list.count > 1 { stream.audio = AudioFacts(loader, tracks, at: now, on: stage) }
    stream.subtitleRate = tracks.first(of: .subtitles)?.rateToCome ?? 0
    self.stream = stream
    return ladder
  }
}

extension StreamFacts {
  /// Notes what must be loaded before the next segment of the main track can be requested.
  fileprivate mutating func prepare(
    _ loader: StreamLoader, _ main: StreamTrack, at now: Instant, on stage: borrowing Stage
  ) {
    let segments = loader.presentation.lists[main.list].segments
    add(.playlist(main.list), loader, at: now, on: stage)
    if main.next < segments.count, let map = segments[main.next].map {
      add(.map(list: main.list, map), loader, at: now, on: stage)
    }
  }

  private mutating func add(
    _ resource: StreamResource, _ loader: StreamLoader, at now: Instant, on stage: borrowing Stage
  ) {
    if loader.asset.resources[resource] == .there { return }
    var request = PreparationFacts(missing: loader.asset.bytes(of: resource, loader.settings))
    if let (id, began) = loader.asset.resources.request(for: resource) {
      request.began = began
      if let arrived = stage.link.arrivedBytes(of: id, at: now) {
        request.hasResponded = true
        request.missing = max(0, request.missing - arrived)
      }
    }
    preparations.append(request)
  }
}

extension AudioFacts {
  /// Nil where no separate audio rendition plays, or nothing of it is loaded yet.
  fileprivate init?(
    _ loader: StreamLoader, _ tracks: StreamTracks, at now: Instant,
    on stage: borrowing Stage
  ) {
    guard let track = tracks.first(of: .audio), let rate = track.loadedRate else { return nil }
    self.init(
      segments: SegmentTimes(loader.ladders[track.list]),
      nextSegment: track.fetch?.index ?? track.next, loadedEnd: track.end, bitRate: rate)
    if let fetch = track.fetch {
      received = fetch.arrived(at: now, on: stage)
      request = RequestFacts(fetch, received)
    }
  }
}

extension SegmentFetch {
  /// The received part of the segment after the loaded media, as media time; of segments fetched in
  /// parallel, each has received the same share.
  fileprivate func media(_ arrived: Int64, for loader: StreamLoader) -> MediaTime {
    if isAgain || part != nil || countsFrom != nil || bytes <= 0 { return .zero }
    let segment = loader.presentation.lists[list].segments[index]
    var share = scaled(segment.bytes, by: arrived, over: bytes, rounding: .down)
    let block = loader.policy.fetch.ofStreams.blocks
    if block > 0 {
      // Blocks end where they do in the stream, whatever segment that is in.
      let before = loader.intake.taken
      share = max(0, (before + share) / block * block - before)
    }
    let length = segment.end - segment.start
    return MediaTime(
      nanoseconds: scaled(
        length.nanoseconds, by: share, over: max(1, segment.bytes), rounding: .down))
  }
}

extension RequestFacts {
  /// The facts of a segment under way, of which so many bytes have arrived.
  init(_ fetch: SegmentFetch, _ arrived: Int64) {
    self.init(
      began: fetch.began, responded: fetch.hasResponded ? fetch.firstByte : nil,
      received: arrived, bytes: fetch.hasResponded ? fetch.bytes : nil, variant: fetch.variant,
      segment: fetch.index)
  }
}
