package import LinkConditioner
package import StreamingMedia
package import VirtualTime

/// A stream as an asset: what of it is loaded once, whoever plays it.
///
/// A loader that finds a playlist, a key or an initialization section missing asks for it in the
/// name of its item; it is there for all of them then.
final class StreamAsset {
  let presentation: Presentation
  let plan: StreamPlan
  // Not checked at run time for overlapping accesses: nothing called meanwhile knows an asset.
  @exclusivity(unchecked) var resources: ResourceTable
  /// For the multivariant playlist; what hangs from it has troubles of its own.
  @exclusivity(unchecked) var retry: RetryClock
  /// The instant at which its index is parsed; nil before the index is there.
  @exclusivity(unchecked) var parsedAt: Instant?
  /// The playlists of a live stream, as they were read; nil for a stream that is all there.
  let live: LivePlaylists?

  init(_ settings: StreamSettings, retry: RetryPolicy) {
    presentation = settings.presentation
    self.retry = RetryClock(retry)
    plan = settings.plan
    resources = plan.resources
    live = settings.live.map { LivePlaylists($0, lists: settings.presentation.lists.count) }
  }

  /// The bytes of a resource on the link; of a live playlist, as the request under way brings it.
  func bytes(of resource: StreamResource, _ settings: StreamSettings) -> Int64 {
    switch resource {
    case .master: settings.playlistEncoding.transferred(presentation.playlistBytes)
    case .playlist(let list):
      settings.playlistEncoding.transferred(
        live?.listings[list].coming?.bytes ?? presentation.lists[list].playlistBytes)
    case .key: settings.keyExchange.bytes
    case .map(let list, let map): presentation.lists[list].maps[map].bytes
    }
  }

  func uri(of resource: StreamResource) -> String {
    switch resource {
    case .master: presentation.uri
    case .playlist(let list): presentation.lists[list].uri
    case .key(let key): resources.keys[key].uri
    case .map(let list, let map): presentation.lists[list].uri(ofMap: map)
    }
  }

  /// The lists that need a resource; none for the multivariant playlist, which all of them need.
  func lists(needing resource: StreamResource) -> [Int] {
    switch resource {
    case .master: []
    case .playlist(let list), .map(let list, _): [list]
    case .key(let key): resources.lists(needing: key)
    }
  }
}

extension EncryptionKey {
  /// The key that a playlist's tag asks for: segments with vectors of their own may share one.
  fileprivate func fetched(from playlist: String) -> EncryptionKey {
    EncryptionKey(method: method, uri: resolvedURI(uri, against: playlist), format: format)
  }
}

extension StreamResource {
  var kind: ResourceKind {
    switch self {
    case .master: .multivariantPlaylist
    case .playlist: .mediaPlaylist
    case .key: .contentKey
    case .map: .mapSegment
    }
  }
}

extension StreamAsset {
  func requestSessionKeys(
    _ settings: StreamSettings, by intake: SegmentIntake, at now: Instant, on stage: inout Stage
  ) {
    // "Master playlist must contain SESSION-KEY declarations" (WWDC16 503).
    for key in resources.announcedKeys where resources[.key(key)] == .missing {
      let after = intake.arrivals.latest(at: now) { $0 == .resource(.master) }
      request(
        .key(key), for: RequestOrigin(after: after), settings, by: intake, at: now, on: &stage)
    }
  }

  /// Whether a list's playlist says what to request; asks for it if not, or if a reload is due.
  ///
  /// - Parameter position: Position on a live stream; nil for a stream that is all there.
  func hasPlaylist(
    for track: StreamTrack, _ position: LiveTimeline?, _ settings: StreamSettings,
    by intake: SegmentIntake, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let (list, state) = (track.list, resources[.playlist(track.list)])
    if state == .there, position == nil { return true }
    let reload = state == .there ? position?.reloadDue(list, of: presentation) : nil
    if state == .missing || reload ?? .distantFuture <= now {
      let availableAt = live?.prepareRead(
        of: list, in: presentation, settings.playlistEncoding, at: now,
        reaching: stage.reachesServer(at: now))
      let origin = intake.origin(track, at: now) { $0 == .resource(.master) }
      request(
        .playlist(list), for: origin, settings, availableAt: availableAt, by: intake, at: now,
        on: &stage)
    }
    return position?.lists(list) == true
  }

  /// Whether a segment can be asked for: its key is, and its initialization section is there.
  func hasWhatIsNeeded(
    by segment: MediaSegment, of track: StreamTrack, _ settings: StreamSettings,
    by intake: SegmentIntake, at now: Instant, on stage: inout Stage
  ) -> Bool {
    let list = track.list
    if let key = segment.key {
      _ = has(resources.key(key, of: list), for: track, settings, by: intake, at: now, on: &stage)
    }
    guard let map = segment.map else { return true }
    return has(.map(list: list, map), for: track, settings, by: intake, at: now, on: &stage)
  }

  /// Asks again for the key of a segment that was asked for, if it broke.
  func askForKey(
    of track: StreamTrack, _ settings: StreamSettings, by intake: SegmentIntake, at now: Instant,
    on stage: inout Stage
  ) {
    guard let fetch = track.fetch, let key = plan.segments[fetch.list][fetch.index].key
    else { return }
    let resource = resources.key(key, of: fetch.list)
    if !fetch.isComplete, !resources.isBroken(resource) { return }
    _ = has(resource, for: nil, settings, by: intake, at: now, on: &stage)
  }

  /// Whether a resource is there; asks for it if not.
  ///
  /// - Parameter track: The track that needs it; nil for what all tracks share, and for what is
  ///   asked for again.
  func has(
    _ resource: StreamResource, for track: StreamTrack?, _ settings: StreamSettings,
    by intake: SegmentIntake, at now: Instant, on stage: inout Stage
  ) -> Bool {
    if resources[resource] == .missing {
      let origin = track.map { track in
        intake.origin(track, at: now) { $0 == .resource(.playlist(track.list)) }
      }
      request(resource, for: origin ?? RequestOrigin(), settings, by: intake, at: now, on: &stage)
    }
    return resources[resource] == .there
  }

  /// Asks for a resource, be it for the first time or anew.
  ///
  /// - Parameter availableAt: Instant of the server's answer; nil for at once.
  private func request(
    _ resource: StreamResource, for origin: RequestOrigin, _ settings: StreamSettings,
    availableAt: Instant? = nil, by intake: SegmentIntake, at now: Instant, on stage: inout Stage
  ) {
    var origin = origin
    origin.retries = resources.takeBroken(resource)
    let id = intake.requests.start(
      bytes(of: resource, settings), resource.kind, self.uri(of: resource), track: origin.track,
      for: origin,
      thinkTime: resource.kind == .contentKey ? settings.keyExchange.thinkTime : .zero,
      availableAt: availableAt, at: now, on: &stage)
    resources.requested(resource, by: id, of: intake.requests.subject.player, at: now)
  }

  /// Gives the link back everything that a player has under way; returns the bytes that came of it.
  func cancelAll(of subject: Subject, at now: Instant, on stage: inout Stage) -> Int64 {
    resources.giveUpAll(of: subject.player).reduce(0) { sum, id in
      let bytes = stage.link.arrivedBytes(of: id, at: now) ?? 0
      stage.link.cancel(id, at: now)
      stage.log.note(.requestCancelled(id, bytes: bytes), of: subject, at: now)
      return sum + bytes
    }
  }
}

/// Something that the segments of a stream need, and that is loaded once.
package enum StreamResource: Hashable {
  /// The multivariant playlist.
  case master
  /// By list of the presentation.
  case playlist(Int)
  /// Into the keys of the table.
  case key(Int)
  /// An initialization section, into the maps of a list.
  case map(list: Int, Int)
}

/// The fetch state of a playlist, a key or an initialization section.
package enum FetchState: Hashable, Sendable {
  case missing
  case underWay(TransferID)
  case there
}

/// The playlists, keys and initialization sections of a presentation, and how far each has come.
///
/// One array holds them all: the multivariant playlist, the playlists by list, the keys, and the
/// initialization sections by list. What is under way stands apart, because the link's answers are
/// looked up by their number, and there are few of them.
package struct ResourceTable: Sendable {
  /// The keys of all lists, each once, in the order in which the lists name them.
  package let keys: [EncryptionKey]
  /// Into `keys`, by list and by the list's own number of a key.
  private let keysOfLists: [[Int]]
  /// The lists that name each key, rising.
  private let listsOfKeys: [[Int]]
  /// Into `keys`: those that the multivariant playlist announces and a list names.
  package let announcedKeys: [Int]
  private let listCount: Int
  /// The place of each list's first initialization section; the last entry is the end.
  private let firstMaps: [Int]
  private var states: [FetchState]
  /// In the order in which they were asked for.
  private var underWay:
    [(id: TransferID, place: Int, player: Int32, began: Instant, firstByte: Instant?)] = []
  /// The number of changes: a resource has arrived, or is no longer under way.
  package private(set) var changeCount: Int64 = 0
  /// The requests that broke and are made again; empty as a rule.
  private var broken: [(id: TransferID, place: Int)] = []

  package init(_ presentation: Presentation, hasPlaylists: Bool = false) {
    var keys: [EncryptionKey] = []
    var places: [EncryptionKey: Int] = [:]
    keysOfLists = presentation.lists.map { list in
      list.keys.map { key in
        let key = key.fetched(from: list.uri)
        if let place = places[key] { return place }
        places[key] = keys.count
        keys.append(key)
        return keys.count - 1
      }
    }
    var listsOfKeys = keys.map { _ in [Int]() }
    for (list, named) in keysOfLists.enumerated() {
      for key in named where listsOfKeys[key].last != list { listsOfKeys[key].append(list) }
    }
    self.listsOfKeys = listsOfKeys
    announcedKeys = presentation.sessionKeys.compactMap {
      places[$0.fetched(from: presentation.uri)]
    }
    listCount = presentation.lists.count
    var firstMaps = [1 + listCount + keys.count]
    var count = firstMaps[0]
    for list in presentation.lists {
      count += list.maps.count
      firstMaps.append(count)
    }
    self.firstMaps = firstMaps
    self.keys = keys
    states = Array(repeating: .missing, count: count)
    // A media playlist that is played by itself is fetched once, as what it is.
    if presentation.lists.first?.uri == presentation.uri { states[0] = .there }
    if hasPlaylists { for place in 0...listCount { states[place] = .there } }
  }

  package subscript(resource: StreamResource) -> FetchState { states[place(of: resource)] }

  package func key(_ key: Int, of list: Int) -> StreamResource { .key(keysOfLists[list][key]) }

  package func lists(needing key: Int) -> [Int] { listsOfKeys[key] }

  /// The number of requests kept: those under way, and those that broke and are made again.
  package var requestCount: Int { underWay.count + broken.count }

  /// The resource that a request brings; nil for a request of something else.
  package func resource(by id: TransferID) -> StreamResource? {
    underWay.first { $0.id == id }.map { resource(at: $0.place) }
  }

  /// The request under way for a resource, and when it was made; nil where there is none.
  package func request(for resource: StreamResource) -> (id: TransferID, began: Instant)? {
    let place = place(of: resource)
    return underWay.first { $0.place == place }.map { ($0.id, $0.began) }
  }

  package func firstByte(by id: TransferID) -> Instant? {
    underWay.first { $0.id == id }?.firstByte
  }

  package mutating func requested(
    _ resource: StreamResource, by id: TransferID, of player: Int32 = 0, at now: Instant = .zero
  ) {
    let place = place(of: resource)
    states[place] = .underWay(id)
    underWay.append((id, place, player, now, nil))
  }

  /// The answer to a request begins; nothing where it is for something else.
  package mutating func responded(_ id: TransferID, at now: Instant) {
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return }
    underWay[index].firstByte = now
  }

  /// A request is over, and what it was for is there; nil where it was for something else.
  package mutating func came(by id: TransferID) -> StreamResource? { end(id, .there) }

  /// A request is over, and what it was for is missing again; nil where it was for something else.
  package mutating func broke(by id: TransferID) -> StreamResource? { end(id, .missing) }

  /// Whether a resource is asked for again after a request that broke.
  func isBroken(_ resource: StreamResource) -> Bool {
    !broken.isEmpty && broken.contains { $0.place == place(of: resource) }
  }

  /// A request that broke will be made again: the next one for the resource takes its place.
  package mutating func willRetry(_ resource: StreamResource, after id: TransferID) {
    broken.append((id, place(of: resource)))
  }

  /// The request in whose place one is made that is about to ask for a resource; told once.
  package mutating func takeBroken(_ resource: StreamResource) -> TransferID? {
    if broken.isEmpty { return nil }
    let place = place(of: resource)
    guard let index = broken.firstIndex(where: { $0.place == place }) else { return nil }
    return broken.remove(at: index).id
  }

  /// A playlist that is there is of no use.
  ///
  /// - Precondition: it is not under way.
  package mutating func discard(_ resource: StreamResource) {
    let place = place(of: resource)
    precondition(
      !underWay.contains { $0.place == place }, "a request under way is cancelled, not discarded")
    states[place] = .missing
  }

  /// Gives up everything that a player has under way; returns the requests in table order.
  package mutating func giveUpAll(of player: Int32 = 0) -> [TransferID] {
    if underWay.isEmpty { return [] }
    let given = underWay.filter { $0.player == player }.sorted { $0.place < $1.place }
    for request in given { states[request.place] = .missing }
    underWay.removeAll { $0.player == player }
    changeCount += 1
    return given.map { $0.id }
  }

  private mutating func end(_ id: TransferID, _ state: FetchState) -> StreamResource? {
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return nil }
    let place = underWay.remove(at: index).place
    states[place] = state
    changeCount += 1
    return resource(at: place)
  }

  private func place(of resource: StreamResource) -> Int {
    switch resource {
    case .master: 0
    case .playlist(let list): 1 + list
    case .key(let key): 1 + listCount + key
    case .map(let list, let map): firstMaps[list] + map
    }
  }

  private func resource(at place: Int) -> StreamResource {
    if place == 0 { return .master }
    if place <= listCount { return .playlist(place - 1) }
    if place < firstMaps[0] { return .key(place - 1 - listCount) }
    var list = 0
    while firstMaps[list + 1] <= place { list += 1 }
    return .map(list: list, place - firstMaps[list])
  }
}
