import PlayerPolicies
package import StreamingMedia
package import VirtualTime

/// The best that was possible over a link that is known in advance.
///
/// The order of requests, what may lie ahead, and one request at a time in each track are the
/// player's and fixed; when to start and when to go on is free. It shares no code with the
/// transports and loaders whose runs it is held against.
package struct Oracle: Hashable, Sendable {
  /// What is played.
  package enum Media: Hashable, Sendable {
    /// A file that comes in one piece; without a limit to what lies ahead.
    case file(MediaFile, end: MediaTime)
    case stream(KnownStream)
  }

  package var link: KnownLink
  package var media: Media
  /// When the media is asked for, and when the app wants to play.
  package var requested: Instant
  package var asked: Instant
  package var rate: PlaybackRate

  package init(
    link: KnownLink, media: Media, requested: Instant = .zero, asked: Instant = .zero,
    rate: PlaybackRate = .normal
  ) {
    self.link = link
    self.media = media
    self.requested = requested
    self.asked = asked
    self.rate = rate
  }

  /// What it found.
  package struct Finding: Hashable, Sendable {
    /// The earliest start after which playback never runs dry; nil where there is none.
    package var start: Instant?
    /// From when the app asked until then.
    package var startup: TimeSpan?
    /// The least startup delay and stalled time together, where stalls are allowed; nil where the
    /// end is never reached.
    package var waiting: TimeSpan?
    /// Whether a player could do just that; else it is a bound that nobody beats.
    package var isExact = true
  }

  package func find() -> Finding {
    switch media {
    case .file(let file, let end):
      let reckoning = FileReckoning(file, until: end, over: link, from: requested.nanoseconds)
      // With room for everything, what is saved by starting early is lost by stalling.
      let start = reckoning.leastStart(at: rate).map { max($0, asked.nanoseconds) }
      return finding(start, total: start.map { $0 - asked.nanoseconds })
    case .stream(let stream):
      if stream.tracks.count > 1 { return find(inTracksOf: stream) }
      return finding(leastStart(of: stream), total: leastWait(of: stream))
    }
  }

  /// Where tracks share the link, one that is held back lets another come sooner, so that a later
  /// start may be better served: what is found without a limit counts if nothing is held back.
  /// Otherwise each track is looked at as if it had the link to itself.
  private func find(inTracksOf stream: KnownStream) -> Finding {
    var free = stream
    free.fetch.media = nil
    let start = leastStart(of: free)
    let played = StreamReckoning(
      stream, over: link, from: requested.nanoseconds, at: rate,
      playing: .from(start ?? asked.nanoseconds))
    if !played.wasHeldBack {
      return finding(start, total: start.map { $0 - asked.nanoseconds })
    }
    var latest = asked.nanoseconds
    for track in stream.tracks where track.isNeeded {
      var alone = free
      alone.tracks = [track]
      guard let start = leastStart(of: alone) else { return finding(nil, total: nil) }
      latest = max(latest, start)
    }
    var bound = finding(latest, total: latest - asked.nanoseconds)
    bound.isExact = false
    return bound
  }

  private func finding(_ start: Int64?, total: Int64?) -> Finding {
    Finding(
      start: start.map { Instant(nanoseconds: $0) },
      startup: start.map { Instant(nanoseconds: $0) - asked },
      waiting: total.map { TimeSpan(nanoseconds: $0) })
  }

  /// A later start never brings a segment sooner: what is late for one start is late for every
  /// start that comes before the last late segment would have been in time.
  private func leastStart(of stream: KnownStream) -> Int64? {
    var start = asked.nanoseconds
    for _ in 0..<Self.mostRounds {
      let reckoning = StreamReckoning(
        stream, over: link, from: requested.nanoseconds, at: rate, playing: .from(start))
      guard let next = reckoning.leastStart else { return nil }
      if next <= start { return start }
      start = next
    }
    return nil
  }

  private func leastWait(of stream: KnownStream) -> Int64? {
    let reckoning = StreamReckoning(
      stream, over: link, from: requested.nanoseconds, at: rate,
      playing: .wheneverPossible(from: asked.nanoseconds))
    guard let end = reckoning.reachesEnd else { return nil }
    return end - asked.nanoseconds - rate.span(toPlay: stream.end - stream.start).nanoseconds
  }

  /// Each round begins where the one before it ran late; a handful is the rule.
  private static let mostRounds = 1_000
}
