import LinkConditioner
import StreamingMedia
import VirtualTime

/// A stream as an asset: what of it is loaded once, whoever plays it.
///
/// A loader that finds a playlist, a key or an initialization section missing asks for it in the
/// name of its item; it is there for all of them then.
final class StreamAsset {
  let presentation: Presentation
  let segments: [[MediaSegment]]
  // Not checked at run time for overlapping accesses: nothing that is called while they change
  // knows an asset.
  @exclusivity(unchecked) var resources: ResourceTable
  /// For the multivariant playlist; what hangs from it has troubles of its own.
  @exclusivity(unchecked) var retry: RetryClock
  /// The instant at which its index is parsed; nil before the index is there.
  @exclusivity(unchecked) var parsedAt: Instant?
  /// The playlists of a live stream, as they were read; nil for a stream that is all there.
  let live: LivePlaylists?

  init(_ settings: StreamSettings, retry: RetryPolicy) {
    presentation = settings.presentation
    segments = presentation.lists.map { $0.segments }
    self.retry = RetryClock(retry)
    resources = ResourceTable(
      presentation, hasPlaylists: settings.hasPlaylists && settings.live == nil)
    live = settings.live.map { LivePlaylists($0, lists: settings.presentation.lists.count) }
  }
}

// MARK: - Kinds of resources

extension StreamAsset {
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

  /// The lists that cannot be played without a resource; none for the multivariant playlist,
  /// without which nothing can be.
  func lists(needing resource: StreamResource) -> [Int] {
    switch resource {
    case .master: []
    case .playlist(let list), .map(let list, _): [list]
    case .key(let key): resources.lists(needing: key)
    }
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

// MARK: - Requests

extension StreamAsset {
  /// Asks for a resource, be it for the first time or anew.
  ///
  /// - Parameter availableAt: Instant of the server's answer; nil for at once.
  func request(
    _ resource: StreamResource, for origin: RequestOrigin, _ settings: StreamSettings,
    availableAt: Instant? = nil, by requests: inout StreamRequests, at now: Instant,
    on stage: inout Stage
  ) {
    var origin = origin
    origin.retries = resources.takeBroken(resource)
    let id = requests.start(
      bytes(of: resource, settings), resource.kind, self.uri(of: resource), for: origin,
      thinkTime: resource.kind == .contentKey ? settings.keyExchange.thinkTime : .zero,
      availableAt: availableAt, at: now, on: &stage)
    resources.requested(resource, by: id, of: requests.subject.player, at: now)
  }

  /// Gives the link back everything that a player has under way; returns the bytes that came of it.
  func cancelAll(of subject: Subject, at now: Instant, on stage: inout Stage) -> Int64 {
    resources.giveUpAll(of: subject.player).reduce(0) { sum, id in
      let bytes = stage.arrived(of: id, at: now)
      stage.cancel(id, at: now)
      stage.log.note(.requestCancelled(id, bytes: bytes), of: subject, at: now)
      return sum + bytes
    }
  }

  /// Whether the server has a segment no more at an instant.
  func isGone(_ index: Int, of list: Int, at instant: Instant) -> Bool {
    live?.stream.isGone(index, of: presentation.lists[list], at: instant) ?? false
  }
}
