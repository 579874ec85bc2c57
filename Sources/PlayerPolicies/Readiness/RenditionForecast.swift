import VirtualTime

/// The predicted arrival of the missing segments of video and of a separate audio rendition.
///
/// If playback starts now: each track requests its segments one by one, while there is room in the
/// forward buffer, audio no further ahead of video than the player lets it. The two share the link
/// equally while both receive. Times are nanoseconds from the present.
struct RenditionForecast {
  /// One of the two tracks, with the segment that is under way or next.
  private struct Track {
    let boundaries: [MediaTime]
    /// The first segment that begins where playback ends, or later.
    let count: Int
    /// In bit/s, of a track whose sizes are not known.
    let rate: Int64
    var next: Int
    var loadedEnd: MediaTime
    /// Arrival of the first byte of the segment; `never` while it is not requested.
    var begins = never
    /// The time in which the whole link brings the rest of the segment.
    var work: Int64 = 0
    var lastLength = MediaTime.zero
    var lastWork: Int64 = 0

    var hasMore: Bool { next < count }
    var length: MediaTime { boundaries[next + 1] - boundaries[next] }

    func receives(at now: Int64) -> Bool { begins <= now }

    /// Arrival of its first or last byte, if that many tracks share the link.
    func next(after now: Int64, _ shares: Int64) -> Int64 {
      begins > now ? begins : now + shares * work
    }
  }

  private static let never = Int64.max
  /// No segment is forecast to take longer than a month.
  private static let mostWork: Int64 = 2_592_000_000_000_000
  /// No forecast goes further than 30 years, so that no sum overflows.
  private static let horizon: Int64 = 946_080_000_000_000_000

  private let basis: StreamForecast
  private let rule: FetchRule
  private let audioLengths: Ladder.Lengths?
  private let latency: Int64
  private var main: Track
  private var audio: Track
  /// The number of requests that the next video segment waits for.
  private var preparing: Int
  private var now: Int64 = 0

  init(_ basis: StreamForecast, beside facts: AudioFacts) {
    self.basis = basis
    var rule = facts.fetch
    rule.media = basis.mediaLimit
    (self.rule, audioLengths) = (rule, facts.segments.lengths)
    latency = basis.latency.nanoseconds
    let (boundaries, times) = (basis.ladder.boundaries, facts.segments.boundaries)
    main = Track(
      boundaries: boundaries, count: Self.count(of: boundaries, before: basis.end),
      rate: max(0, basis.ladder.rungs[basis.variant].sustained - facts.bitRate),
      next: basis.first, loadedEnd: basis.mainEnd)
    audio = Track(
      boundaries: times, count: Self.count(of: times, before: basis.end), rate: facts.bitRate,
      next: facts.nextSegment, loadedEnd: facts.loadedEnd)
    preparing = basis.preparations.count
    if preparing > 0 {
      prepare()
    } else {
      requestMain(at: basis.firstLatency.nanoseconds, received: basis.received)
    }
    if let request = facts.request {
      let waited = basis.now - request.began
      let left = request.responded == nil ? max(.zero, basis.latency - waited) : .zero
      requestAudio(at: left.nanoseconds, received: facts.received)
    } else {
      releaseAudio()
    }
  }

  /// Returns the number of segments that begin before a time.
  private static func count(of boundaries: [MediaTime], before end: MediaTime) -> Int {
    var (low, high) = (0, max(0, boundaries.count - 1))
    while low < high {
      let middle = low + (high - low) / 2
      if boundaries[middle] < end { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: What is requested

  /// Goes on with the next request that a video segment waits for.
  private mutating func prepare() {
    let request = basis.preparations[basis.preparations.count - preparing]
    main.begins = now + request.latencyLeft(of: basis.latency, at: basis.now).nanoseconds
    main.work = work(request.missing)
  }

  private mutating func requestMain(at begins: Int64, received: Int64 = 0) {
    main.begins = main.hasMore ? begins : Self.never
    if !main.hasMore { return }
    if basis.ladder.rungs[basis.variant].bytes.isEmpty {
      load(&main, received)
    } else {
      let bytes = basis.ladder.expectedBytes(
        of: basis.variant, from: main.next, to: main.next + 1)
      main.work = work(max(0, bytes - received))
    }
  }

  private mutating func requestAudio(at begins: Int64, received: Int64 = 0) {
    audio.begins = audio.hasMore ? begins : Self.never
    if audio.hasMore { load(&audio, received) }
  }

  /// Requests the next audio segment, unless audio is too far ahead of video.
  private mutating func releaseAudio() {
    guard audio.begins == Self.never, audio.hasMore else { return }
    if main.hasMore,
      rule.holdsBack(
        audio.length, behind: audio.loadedEnd, main: main.loadedEnd, from: basis.playhead)
    {
      return
    }
    requestAudio(at: room(for: audio) + latency)
  }

  /// Returns the time at which the forward buffer has room for the next segment of a track.
  private func room(for track: Track) -> Int64 {
    let place = rule.place(makingRoomFor: track.length, behind: track.loadedEnd)
    return place.map { max(now, basis.rate.span(toPlay: $0 - basis.playhead).nanoseconds) } ?? now
  }

  /// Notes how much of a segment of a declared rate is missing.
  private func load(_ track: inout Track, _ received: Int64) {
    if track.length != track.lastLength {
      track.lastLength = track.length
      track.lastWork = work(bytes(track.length, at: track.rate))
    }
    track.work =
      received == 0 ? track.lastWork : work(max(0, bytes(track.length, at: track.rate) - received))
  }

  private func bytes(_ media: MediaTime, at rate: Int64) -> Int64 {
    scaled(media.nanoseconds, by: rate, over: 8_000_000_000, rounding: .up)
  }

  private func work(_ bytes: Int64) -> Int64 {
    min(basis.span(toBring: bytes).nanoseconds, Self.mostWork)
  }

  // MARK: What arrives

  /// The least further wait before a start with no late segment of either track; not positive if
  /// it need not.
  mutating func longestWait() -> TimeSpan {
    let pace = pace
    var longest = Int64.min
    while now < Self.horizon, advance() {
      if main.work == 0, main.receives(at: now), preparing > 0 {
        preparing -= 1
        if preparing > 0 { prepare() } else { requestMain(at: now + latency) }
      } else if main.work == 0, main.receives(at: now) {
        longest = max(longest, now - due(main))
        arrived(&main)
        if main.hasMore { requestMain(at: room(for: main) + latency) }
        releaseAudio()
        if let pace, isSafe(pace) { break }
      }
      if audio.work == 0, audio.receives(at: now) {
        longest = max(longest, now - due(audio))
        arrived(&audio)
        releaseAudio()
      }
    }
    return TimeSpan(nanoseconds: longest)
  }

  private func arrived(_ track: inout Track) {
    track.next += 1
    track.loadedEnd = track.boundaries[track.next]
    track.begins = Self.never
  }

  /// Goes on to the next first or last byte; false where none is to come.
  private mutating func advance() -> Bool {
    let (bringsMain, bringsAudio) = (main.receives(at: now), audio.receives(at: now))
    let shares: Int64 = bringsMain && bringsAudio ? 2 : 1
    let next = min(main.next(after: now, shares), audio.next(after: now, shares))
    if next == Self.never { return false }
    let done = (next - now) / shares
    if bringsMain { main.work -= min(done, main.work) }
    if bringsAudio { audio.work -= min(done, audio.work) }
    now = next
    return true
  }

  /// From the start until what follows the loaded end of a track is due.
  private func due(_ track: Track) -> Int64 {
    basis.playing(track.loadedEnd - basis.playhead).nanoseconds
  }

  // MARK: Where nothing can be late any more

  /// Bounds of a link that neither track falls behind on.
  private struct Pace {
    /// The most time from one video segment to the next, with the audio of that time.
    let cycle: Int64
    /// The most time for an audio segment that shares the link with video.
    let audioCycle: Int64
    let longestMain: MediaTime
    let longestAudio: MediaTime
  }

  /// Nil where a segment may take longer to come than the one before it takes to be played.
  private var pace: Pace? {
    guard let main = basis.ladder.lengths, let audio = audioLengths else { return nil }
    // A declared rate includes the audio.
    let most = work(basis.ladder.mostBytes(of: basis.variant, main.longest))
    let isDeclared = basis.ladder.rungs[basis.variant].bytes.isEmpty
    let cycle = latency + most + (isDeclared ? 0 : audioWork(main.longest))
    let audioCycle = latency + 2 * audioWork(audio.longest)
    if cycle > basis.playing(main.shortest).nanoseconds { return nil }
    if audioCycle > basis.playing(audio.shortest).nanoseconds { return nil }
    return Pace(
      cycle: cycle, audioCycle: audioCycle, longestMain: main.longest,
      longestAudio: audio.longest)
  }

  private func audioWork(_ media: MediaTime) -> Int64 { work(bytes(media, at: audio.rate)) }

  /// Whether from here on every segment is in time.
  ///
  /// Video gains on the playhead with every cycle, but for the audio that is still to catch up.
  /// Audio waits for video, whose segment may end a segment's length before audio does.
  private func isSafe(_ pace: Pace) -> Bool {
    let behind = max(.zero, main.loadedEnd - audio.loadedEnd)
    let backlog = audioWork(behind + pace.longestAudio + pace.longestMain)
    let least = max(pace.cycle, basis.playing(pace.longestMain).nanoseconds + pace.audioCycle)
    return due(main) - now >= backlog + least && due(audio) - now >= pace.audioCycle
  }
}
