import PlayerPolicies
import VirtualTime

/// The arrival of a stream's segments over a known link, one at a time in each track.
struct StreamReckoning {
  /// The motion of the playhead meanwhile.
  enum Playing: Hashable {
    /// It moves from a nanosecond on, whether anything is under it or not.
    case from(Int64)
    /// It moves from a nanosecond on whenever something is under it.
    case wheneverPossible(from: Int64)
  }

  private enum Progress {
    case missing
    case underWay(Int)
    case there
  }

  private struct Fetch {
    var request: Int
    var segment: Int
    /// Whether the bytes are there and a key is not.
    var isComplete = false
  }

  private struct TrackState {
    var next: Int
    /// The end of what is there without a hole.
    var end: MediaTime
    var fetch: Fetch?
    /// The instant at which each segment became playable, in nanoseconds; `Int64.max` for never.
    var came: [Int64]
  }

  private let stream: KnownStream
  private let rate: PlaybackRate
  private let playing: Playing
  private var link: LinkReckoning
  private var resources: [Progress]
  private var tracks: [TrackState]
  /// The playhead: it was there then, and moves if it plays.
  private var anchor: (instant: Int64, place: MediaTime)
  private var isMoving = false
  /// Whether a segment ever waited for room.
  private(set) var wasHeldBack = false
  /// The longest time without bytes while a segment downloads, in nanoseconds.
  private(set) var longestSilence: Int64 = 0

  init(
    _ stream: KnownStream, over link: KnownLink, from begins: Int64, at rate: PlaybackRate,
    playing: Playing
  ) {
    self.stream = stream
    self.rate = rate
    self.playing = playing
    self.link = LinkReckoning(link)
    resources = stream.resources.map { _ in .missing }
    tracks = stream.tracks.map { track in
      let first = track.segments.lastIndex { $0.start <= stream.start } ?? 0
      return TrackState(next: first, end: stream.start, came: track.segments.map { _ in Int64.max })
    }
    if stream.hasPlaylists {
      resources[0] = .there
      for track in stream.tracks { resources[track.playlist] = .there }
    }
    switch playing {
    case .from(let start), .wheneverPossible(let start): anchor = (start, stream.start)
    }
    if case .from = playing { isMoving = true }
    run(from: begins)
  }

  private mutating func run(from begins: Int64) {
    link.wait(until: begins)
    var now = begins
    ask(at: now)
    let limit = begins + LinkReckoning.longestWait
    while now < limit, !link.hasFailed, !isDone {
      let wake = min(limit, nextRoom(after: now))
      let events = link.advance(to: .nanoseconds(wake))
      now = link.now.wholeNanoseconds
      for index in tracks.indices {
        guard let fetch = tracks[index].fetch else { continue }
        longestSilence = max(longestSilence, link.silence(of: fetch.request))
      }
      for event in events {
        if case .completed(let id) = event { completed(id, at: now) }
      }
      if !events.isEmpty || now >= wake { ask(at: now) }
    }
  }

  private var isDone: Bool { sharedEdge == stream.end }

  private func place(at now: Int64) -> MediaTime {
    if !isMoving || now <= anchor.instant { return anchor.place }
    return anchor.place + rate.media(in: TimeSpan(nanoseconds: now - anchor.instant))
  }

  private var sharedEdge: MediaTime {
    var end = stream.end
    for index in tracks.indices where stream.tracks[index].isNeeded {
      end = min(end, tracks[index].end)
    }
    return end
  }

  /// The next instant at which the moving playhead makes buffer room for a waiting segment.
  private func nextRoom(after now: Int64) -> Int64 {
    if !isMoving { return .max }
    var next = Int64.max
    for index in tracks.indices where tracks[index].fetch == nil {
      if tracks[index].end >= stream.end || tracks[index].end <= stream.start { continue }
      guard let mark = place(makingRoomIn: index) else { continue }
      if case .wheneverPossible = playing, mark > sharedEdge { continue }
      let due = anchor.instant + rate.span(toPlay: mark - anchor.place).nanoseconds
      if due > now { next = min(next, due) }
    }
    return next
  }

  private mutating func completed(_ id: Int, at now: Int64) {
    for index in resources.indices {
      if case .underWay(id) = resources[index] { resources[index] = .there }
    }
    for index in tracks.indices where tracks[index].fetch?.request == id {
      tracks[index].fetch?.isComplete = true
    }
    // The playhead stops where it is before more is there.
    let edge = sharedEdge
    if case .wheneverPossible = playing, isMoving, place(at: now) >= edge {
      anchor = (now, edge)
      isMoving = false
    }
    for index in tracks.indices { bringIn(index, at: now) }
    if case .wheneverPossible(let start) = playing, !isMoving, sharedEdge > anchor.place {
      anchor.instant = max(now, start)
      isMoving = true
    }
  }

  private mutating func bringIn(_ index: Int, at now: Int64) {
    guard let fetch = tracks[index].fetch, fetch.isComplete else { return }
    let segment = stream.tracks[index].segments[fetch.segment]
    if let key = segment.key {
      guard case .there = resources[key] else { return }
    }
    tracks[index].fetch = nil
    tracks[index].came[fetch.segment] = now
    // A list may end before the longest: for the rest the others are enough.
    let isOver = fetch.segment + 1 == stream.tracks[index].segments.count
    tracks[index].end = isOver ? max(segment.end, stream.end) : segment.end
  }

  private mutating func ask(at now: Int64) {
    guard has(0, at: now) else { return }
    for key in stream.early { _ = has(key, at: now) }
    for index in tracks.indices { ask(for: index, at: now) }
  }

  private mutating func ask(for index: Int, at now: Int64) {
    let track = stream.tracks[index]
    if tracks[index].end >= stream.end { return }
    guard has(track.playlist, at: now), tracks[index].fetch == nil,
      tracks[index].next < track.segments.count
    else { return }
    let playhead = place(at: now)
    if let mark = place(makingRoomIn: index), playhead < mark {
      wasHeldBack = true
      return
    }
    let segment = track.segments[tracks[index].next]
    if waits(index, with: segment.end - segment.start, from: playhead) { return }
    if let key = segment.key { _ = has(key, at: now) }
    if let map = segment.map, !has(map, at: now) { return }
    let request = link.request(bytes: segment.bytes, at: now)
    tracks[index].fetch = Fetch(request: request, segment: tracks[index].next)
    tracks[index].next += 1
  }

  /// Whether a track waits until another one has come further.
  private func waits(_ index: Int, with next: MediaTime, from playhead: MediaTime) -> Bool {
    var other: Int? = 0
    if index == 0 {
      if stream.fetch.order != .bothWait { return false }
      other = stream.tracks.indices.first { $0 > 0 && stream.tracks[$0].isNeeded }
    } else if stream.fetch.order == .videoFirst, tracks[0].end == .zero {
      return tracks[index].end > .zero
    }
    guard let other else { return false }
    return stream.fetch.holdsBack(
      next, behind: tracks[index].end, other: tracks[other].end, from: playhead)
  }

  private func place(makingRoomIn index: Int) -> MediaTime? {
    // The oracle knows no player that counts the next segment.
    stream.fetch.place(makingRoomFor: .zero, behind: tracks[index].end)
  }

  private mutating func has(_ resource: Int, at now: Int64) -> Bool {
    switch resources[resource] {
    case .there: return true
    case .underWay: return false
    case .missing:
      let what = stream.resources[resource]
      resources[resource] = .underWay(
        link.request(bytes: what.bytes, served: what.served.nanoseconds, at: now))
      return false
    }
  }

  /// The first nanosecond from which nothing is late, as it came in; nil where something never did.
  var leastStart: Int64? {
    if !isDone { return nil }
    var latest = Int64.min
    for (track, state) in zip(stream.tracks, tracks) where track.isNeeded {
      for (segment, came) in zip(track.segments, state.came)
      where segment.start < stream.end && segment.end > stream.start {
        if came == .max { return nil }
        let ahead = max(segment.start, stream.start) - stream.start
        latest = max(latest, came - rate.span(toPlay: ahead).nanoseconds)
      }
    }
    return latest
  }

  /// The instant at which playback, as it moved, reaches the end; nil where it never does.
  var reachesEnd: Int64? {
    if !isDone || !isMoving { return nil }
    return anchor.instant + rate.span(toPlay: stream.end - anchor.place).nanoseconds
  }
}
