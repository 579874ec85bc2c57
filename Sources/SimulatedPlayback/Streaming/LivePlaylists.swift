import StreamingMedia
import VirtualTime

/// The playlists of a live stream, as they were last read and as they are being read.
///
/// An object, so that a stream that is all there does not carry the room for it about; it belongs
/// to the asset, so that two items of one stream read each playlist once.
final class LivePlaylists {
  struct Listing {
    /// The window of its last version read; nil before the first.
    var known: LiveWindow?
    /// The instant at which that read began, and the one at which that version was published.
    var began = Instant.zero
    var published = Instant.zero
    /// The number of reads in a row that brought nothing new.
    var unchangedReads: Int64 = 0
    var coming: Coming?
    /// Whether a delta update is of no use: something broke, or one left out what was not known.
    var wantsWhole = false
    /// Whether it has to be read again before anything that it lists is asked for.
    var isDoubtful = false
    /// Whether a segment was not found, since it may have slid out, and none has come after it.
    var hasLost = false
  }

  /// The answer that the request under way will bring, and the instant of that request.
  struct Coming {
    var window: LiveWindow
    /// The number of its segments that a delta update leaves out.
    var skipped: Int
    var directives: DeliveryDirectives
    var bytes: Int64
    /// The bytes that a delta update saves on the link.
    var saved: Int64
    var began: Instant
    var published: Instant
  }

  let stream: LiveStream
  /// By list of the presentation.
  @exclusivity(unchecked) var listings: [Listing]
  /// The sizes of the playlists; apart, since listings are looked at often.
  @exclusivity(unchecked) private var sizes: [LivePlaylistSize]
  /// Whether a playlist has said that nothing will be added.
  @exclusivity(unchecked) private(set) var isEnded = false
  /// The number of playlist reads, with and without changes.
  @exclusivity(unchecked) private(set) var readCount: Int64 = 0
  /// The URIs by which each playlist names the others; empty until the first use.
  @exclusivity(unchecked) var namesOfOthers: [[String]]

  init(_ stream: LiveStream, lists: Int) {
    self.stream = stream
    listings = Array(repeating: Listing(), count: lists)
    sizes = Array(repeating: LivePlaylistSize(), count: lists)
    namesOfOthers = Array(repeating: [], count: lists)
  }

  /// Settles what a request that is made now will bring, and from when on the server has it.
  ///
  /// The server answers with what is there when the request reaches it.
  func prepareRead(
    of list: Int, in presentation: Presentation, _ encoding: PlaylistEncoding, at now: Instant,
    reaching reached: Instant
  ) -> Instant? {
    let segments = presentation.lists[list]
    var directives = DeliveryDirectives(skips: asksForDelta(list, at: now))
    // _HLS_msn and _HLS_part, §6.2.5.2: the server holds the answer until it has that part.
    var held: Instant?
    if let awaited = awaitedPart(of: list, in: presentation) {
      directives.mediaSequence = segments.mediaSequence + Int64(awaited.segment)
      directives.part = Int64(awaited.part)
      held = stream.instant(producing: segments.part(awaited.part, of: awaited.segment).end)
    }
    let answered = max(reached, held ?? reached)
    let publication =
      held == nil ? stream.publication(of: list, in: presentation, at: answered) : answered
    let window = stream.listing(of: segments, at: publication)
    let skipped = directives.skips ? segments.skippable(in: window) : 0
    let reports = reportBytes(in: list, of: presentation, at: publication)
    let whole = size(of: window, skipping: 0, in: list, segments, reports)
    let bytes =
      skipped == 0 ? whole : size(of: window, skipping: skipped, in: list, segments, reports)
    listings[list].coming = Coming(
      window: window, skipped: skipped, directives: directives, bytes: bytes,
      saved: encoding.transferred(whole) - encoding.transferred(bytes), began: now,
      published: publication)
    return held
  }

  private func size(
    of window: LiveWindow, skipping skipped: Int, in list: Int, _ segments: SegmentList,
    _ reports: Int64
  ) -> Int64 {
    stream.playlistBytes ?? sizes[list].bytes(of: window, skipping: skipped, in: segments) + reports
  }

  /// The part that the server is asked to wait for: the next one, or the newest that another
  /// playlist reports. Nil where it holds no answers back, or nothing is to come.
  private func awaitedPart(
    of list: Int, in presentation: Presentation
  ) -> (segment: Int, part: Int)? {
    guard let known = listings[list].known else { return reportedPart(of: list, in: presentation) }
    guard let parts = known.parts, parts.blocksReload else { return nil }
    let (next, segments) = (known.segments.upperBound, presentation.lists[list])
    if next >= segments.segments.count { return nil }
    return (next, min(known.trailingParts, segments.partCount(of: next) - 1))
  }

  // §6.3.7: a client "SHOULD NOT request a Playlist Delta Update unless it already has a version of
  // the Playlist that is no older than one-half of the Skip Boundary". How old it is counts from
  // when reading it began.
  /// Whether a read of a list's playlist asks for what is new alone.
  private func asksForDelta(_ list: Int, at now: Instant) -> Bool {
    if listings[list].wantsWhole { return false }
    guard let known = listings[list].known, let boundary = known.canSkipUntil, !known.isEnded else {
      return false
    }
    return 2 * (now - listings[list].began).nanoseconds <= boundary.nanoseconds
  }

  // §6.3.7: a client that "does not already have all of the information that was skipped" "MUST
  // obtain a complete copy".
  /// Whether what a delta update leaves out is known.
  func knowsWhatIsSkipped(_ coming: Coming, of list: Int) -> Bool {
    if coming.skipped == 0 { return true }
    guard let known = listings[list].known else { return false }
    let first = coming.window.segments.lowerBound
    return known.segments.lowerBound <= first
      && first + coming.skipped <= known.segments.upperBound
  }

  /// Takes note of what a playlist says; returns it as it is told.
  func adopt(_ list: Int, _ coming: Coming, in segments: SegmentList) -> LiveReading {
    let isChanged = coming.window != listings[list].known
    listings[list] = Listing(
      known: coming.window, began: coming.began, published: coming.published,
      unchangedReads: isChanged ? 0 : listings[list].unchangedReads + 1,
      hasLost: listings[list].hasLost)
    isEnded = isEnded || coming.window.isEnded
    readCount += 1
    let window = coming.window
    return LiveReading(
      isChanged: isChanged,
      mediaSequence: segments.mediaSequence + Int64(window.segments.lowerBound),
      segments: Int64(window.segments.count), parts: Int64(window.trailingParts),
      edge: segments.end(of: window), isEnded: window.isEnded, directives: coming.directives,
      skipped: Int64(coming.skipped), saved: coming.saved)
  }

  /// The instant at which a list's playlist is to be reloaded, if it is in use.
  func reloadDue(_ list: Int, of presentation: Presentation) -> Instant {
    // Asked where it stands: a listing is too large to be copied for a look.
    guard let isOver = listings[list].known?.isEnded, !isOver else { return .distantFuture }
    let isUnchanged = listings[list].unchangedReads > 0
    return listings[list].began + pause(isUnchanged, in: presentation.lists[list])
  }

  // RFC 8216 §6.3.4: "the client MUST wait for at least the target duration before attempting to
  // reload the Playlist file again, measured from the last time the client began loading"; if it
  // has not changed, "a period of one-half the target duration". That the half is measured from
  // the same point is our reading.
  private func pause(_ isUnchanged: Bool, in list: SegmentList) -> TimeSpan {
    var pause = list.targetDuration
    if let parts = stream.parts, let partDuration = list.partDuration {
      // A server that holds the answer until there is news needs no waiting client.
      if parts.blocksReload { return .zero }
      // §6.3.4 of the successor: where there are parts, the part target takes its place.
      pause = partDuration
    }
    return TimeSpan(nanoseconds: isUnchanged ? pause.nanoseconds / 2 : pause.nanoseconds)
  }

  /// Whether so much time has passed since a list was read that nothing in it need be there still.
  func isOutdated(_ list: Int, at now: Instant) -> Bool {
    switch stream.window {
    case .growing: false
    case .sliding(let length): (now - listings[list].began).nanoseconds > length.nanoseconds
    }
  }

  /// Whether a segment may have left the playlist since that was read, and the server after it.
  ///
  /// Only once: where the next is not found either there is another reason.
  func mayHaveSlidOut(_ fetch: SegmentFetch, in segments: SegmentList, at now: Instant) -> Bool {
    guard case .sliding = stream.window, let known = listings[fetch.list].known, !known.isEnded,
      !listings[fetch.list].hasLost
    else { return false }
    let age = MediaTime(nanoseconds: (now - listings[fetch.list].began).nanoseconds)
    return segments.segments[fetch.index].start
      < segments.start(of: known) + age + segments.targetDuration
  }

  /// Notes that a segment was not found; a playlist that still lists it has to be read again.
  func lost(_ fetch: SegmentFetch) {
    listings[fetch.list].hasLost = true
    listings[fetch.list].isDoubtful =
      fetch.index >= listings[fetch.list].known?.segments.lowerBound ?? 0
  }
}

/// The piece of a stream that a track can ask for next.
enum StreamPiece {
  case segment
  case part(PartFetch)
  /// Nothing that is listed; over, where nothing will come any more either.
  case nothing(isOver: Bool)

  var part: PartFetch? { if case .part(let part) = self { part } else { nil } }
}

extension LivePlaylists {
  func nextPiece(of track: StreamTrack, in list: SegmentList) -> StreamPiece {
    guard let known = listings[track.list].known else { return .nothing(isOver: false) }
    if track.next < known.segments.lowerBound { return .nothing(isOver: false) }
    if track.next < known.segments.upperBound {
      return track.nextPart == 0 ? .segment : .part(part(track.nextPart, of: track.next, in: list))
    }
    if track.next >= list.segments.count { return .nothing(isOver: known.isEnded) }
    return trailingPiece(track.nextPart, of: track.next, in: list, known)
  }

  /// The part after the last whole segment, listed or hinted at.
  private func trailingPiece(
    _ number: Int, of segment: Int, in list: SegmentList, _ known: LiveWindow
  ) -> StreamPiece {
    guard let parts = known.parts, segment == known.segments.upperBound else {
      return .nothing(isOver: false)
    }
    if number < known.trailingParts { return .part(part(number, of: segment, in: list)) }
    // A gap has no part to hint at.
    let hints = parts.hints && !list.segments[segment].isGap
    guard hints, number == known.trailingParts else { return .nothing(isOver: false) }
    // §4.4.5.3: a client may request early what is hinted at; the server answers once it is there.
    var hinted = part(number, of: segment, in: list)
    hinted.availableAt = stream.instant(producing: hinted.part.end)
    return .part(hinted)
  }

  private func part(_ number: Int, of segment: Int, in list: SegmentList) -> PartFetch {
    PartFetch(
      number: number, part: list.part(number, of: segment),
      isLast: number + 1 == list.partCount(of: segment), availableAt: nil)
  }

  // Rendition reports: a low-latency playlist names the newest segment and part of each other
  // playlist, so that the first read of that one can wait for the part.

  // Appendix B.1: "one EXT-X-RENDITION-REPORT tag for each Media Playlist (Rendition) in the
  // Multivariant Playlist, except for the Media Playlist to which" it "is being added".
  func reportBytes(in list: Int, of presentation: Presentation, at published: Instant) -> Int64 {
    guard let parts = stream.parts, parts.reports else { return 0 }
    if namesOfOthers[list].isEmpty {
      namesOfOthers[list] = presentation.lists.map {
        relativeURI(to: $0.uri, from: presentation.lists[list].uri)
      }
    }
    var bytes: Int64 = 0
    for other in presentation.lists.indices where other != list {
      let segments = presentation.lists[other]
      let listing = stream.listing(of: segments, at: published)
      guard let last = segments.last(in: listing) else { continue }
      bytes +=
        RenditionReport(
          uri: namesOfOthers[list][other],
          lastMediaSequence: segments.mediaSequence + Int64(last.segment),
          lastPart: last.part.map(Int64.init)
        ).writtenBytes
    }
    return bytes
  }

  /// The newest part of a list whose playlist was never read, by what another one says of it.
  func reportedPart(of list: Int, in presentation: Presentation) -> (segment: Int, part: Int)? {
    guard let parts = stream.parts, parts.reports, parts.blocksReload else { return nil }
    var newest: Instant?
    for other in listings.indices where other != list && listings[other].known != nil {
      newest = max(newest ?? .zero, listings[other].published)
    }
    guard let newest else { return nil }
    let segments = presentation.lists[list]
    guard let last = segments.last(in: stream.listing(of: segments, at: newest)),
      let part = last.part
    else { return nil }
    return (last.segment, part)
  }
}
