import VirtualTime

/// The predicted arrival of the missing segments of a stream, held against when they are due.
///
/// If playback starts now: each track requests its segments one by one, each after the wait for its
/// first byte and only while there is room in the forward buffer. A separate audio rendition is
/// requested no further ahead of video than the player lets it, nor video where both wait; they
/// share the link equally while both receive. A segment is due when the playhead gets to its
/// beginning. Times are nanoseconds from the present.
struct StreamForecast {
  /// A track with the segment that is under way or next.
  private struct Track {
    var boundaries: [MediaTime] = []
    /// The first segment that begins where playback ends, or later.
    var count = 0
    /// In bit/s, of a track whose sizes are not known.
    var rate: Int64 = 0
    var next = 0
    var loadedEnd = MediaTime.zero
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

    /// Notes how much of a segment of a declared rate is missing.
    mutating func load(_ received: Int64, at throughput: Int64) {
      if length != lastLength {
        lastLength = length
        lastWork = StreamForecast.work(bytes(length), at: throughput)
      }
      work =
        received == 0
        ? lastWork : StreamForecast.work(max(0, bytes(length) - received), at: throughput)
    }

    /// The playhead from which on there is room for its next segment; nil without a limit.
    ///
    /// The segment that is played does not count for a limit of bytes.
    func place(under rule: borrowing FetchRule) -> MediaTime? {
      let place = rule.place(makingRoomFor: length, behind: loadedEnd)
      guard let limit = rule.bytes else { return place }
      var (played, ahead) = (max(0, next - 1), Int64(0))
      while played > 0 {
        ahead += bytes(boundaries[played + 1] - boundaries[played])
        if ahead >= limit { break }
        played -= 1
      }
      return max(place ?? .zero, boundaries[played])
    }

    /// The most media ahead at a request; `distantFuture` without a limit.
    func most(under rule: borrowing FetchRule, before longest: MediaTime) -> MediaTime {
      let most = rule.most(before: longest) ?? .distantFuture
      if rule.bytes == nil || !hasMore { return most }
      return min(most, loadedEnd - (place(under: rule) ?? .zero))
    }

    func bytes(_ media: MediaTime) -> Int64 {
      scaled(media.nanoseconds, by: rate, over: 8_000_000_000, rounding: .up)
    }

    mutating func arrived() {
      next += 1
      loadedEnd = boundaries[next]
      begins = never
    }
  }

  private static let never = Int64.max
  /// No segment is forecast to take longer than a month.
  private static let mostWork: Int64 = 2_592_000_000_000_000
  /// No forecast goes further than 30 years, so that no sum overflows.
  private static let horizon: Int64 = 946_080_000_000_000_000

  // The few parts of a snapshot, which is large, that it looks at.
  private let playhead: MediaTime
  private let rate: PlaybackRate
  private let first: Int
  private let received: Int64
  private let ladder: Ladder
  private let variant: Int
  private let throughput: Int64
  private let latency: Int64
  private let safety: SafetyFactor
  private let start: Instant
  /// The requests that the next segment waits for.
  private let preparations: [PreparationFacts]
  /// Whether audio is a track of its own, and the rule by which it waits for video.
  private let hasAudio: Bool
  private let rule: FetchRule
  private let audioLengths: Ladder.Lengths?
  private var main = Track()
  private var audio = Track()
  /// The number of requests that the next segment still waits for.
  private var preparing: Int
  /// The time in which the whole link brings all segments up to the one under way.
  private var spent: Int64 = 0
  private var now: Int64 = 0
  /// The rest of the wait of the segment under way for its first byte.
  private let firstLatency: Int64

  /// Nil where too little is known.
  init?(
    _ snapshot: borrowing Snapshot, _ ladder: Ladder, _ throughput: Int64,
    _ latency: TimeSpan?, _ safety: SafetyFactor
  ) {
    guard let variant = snapshot.stream?.variant, throughput > 0, ladder.segmentCount > 0
    else { return nil }
    let facts = snapshot.stream?.audio
    (playhead, rate, start) = (snapshot.playhead, snapshot.rate, snapshot.now)
    (self.ladder, self.variant) = (ladder, variant)
    (self.throughput, self.safety) = (throughput, safety)
    first = snapshot.stream?.nextSegment ?? 0
    preparations = snapshot.stream?.preparations ?? []
    preparing = preparations.count
    received = facts == nil || preparing == 0 ? snapshot.stream?.received ?? 0 : 0
    self.latency = (latency ?? .zero).nanoseconds
    firstLatency = Self.rest(of: self.latency, snapshot.stream?.request, at: start)
    hasAudio = facts != nil
    rule = snapshot.stream?.fetch ?? .unlimited
    audioLengths = facts?.segments.lengths
    let end = min(snapshot.end, snapshot.stream?.listedEnd ?? snapshot.end)
    main = Track(
      boundaries: ladder.boundaries, count: Self.count(of: ladder.boundaries, before: end),
      rate: max(0, ladder.rungs[variant].sustained - (facts?.bitRate ?? 0)), next: first,
      loadedEnd: facts == nil ? snapshot.loadedEnd : snapshot.stream?.mainEnd ?? .zero)
    if let facts {
      let times = facts.segments.boundaries
      audio = Track(
        boundaries: times, count: Self.count(of: times, before: end), rate: facts.bitRate,
        next: facts.nextSegment, loadedEnd: facts.loadedEnd)
    }
    if preparing > 0 {
      prepare()
    } else if main.hasMore, snapshot.stream?.request == nil {
      releaseMain()
    } else {
      requestMain(at: firstLatency)
    }
    guard let facts else { return }
    if facts.request == nil {
      releaseAudio()
    } else {
      let begins = Self.rest(of: self.latency, facts.request, at: start)
      requestAudio(at: begins, received: facts.received)
    }
  }

  /// Returns the rest of the wait for the first byte of a segment.
  private static func rest(of latency: Int64, _ request: RequestFacts?, at now: Instant) -> Int64 {
    guard let request else { return latency }
    return request.responded == nil ? max(0, latency - (now - request.began).nanoseconds) : 0
  }

  /// Returns the number of segments that begin before a time.
  private static func count(of boundaries: [MediaTime], before end: MediaTime) -> Int {
    if let last = boundaries.last, last <= end { return boundaries.count - 1 }
    return boundaries.dropLast().partitionPoint { $0 >= end }
  }

  /// The end of a wait, as far as arriving bytes decide it.
  ///
  /// Bytes that arrive faster than estimated end it sooner, and missing bytes later.
  func ends(_ wait: TimeSpan, _ snapshot: borrowing Snapshot) -> Instant {
    // The time until the first byte passes by itself, and after it bytes alone count.
    if firstLatency >= wait.nanoseconds, snapshot.stream?.request != nil {
      return snapshot.now + wait
    }
    let bytes = scaled(wait.nanoseconds, by: throughput, over: 8_000_000_000, rounding: .up)
    return snapshot.look(forBytes: max(1, bytes), after: wait)
  }

  /// Goes on with the next request that a segment waits for.
  private mutating func prepare() {
    let request = preparations[preparations.count - preparing]
    let left = request.latencyLeft(of: TimeSpan(nanoseconds: latency), at: start)
    main.begins = now + left.nanoseconds
    main.work = Self.work(request.missing, at: throughput)
  }

  private mutating func requestMain(at begins: Int64) {
    main.begins = main.hasMore ? begins : Self.never
    if !main.hasMore { return }
    if hasAudio, isDeclared {
      return main.load(main.next == first ? received : 0, at: throughput)
    }
    let before = spent
    spent = span(before: main.next + 1)
    main.work = min(spent - before, Self.mostWork)
  }

  private var isDeclared: Bool {
    mutating get { ladder.rungs[variant].bytes.isEmpty }
  }

  /// The time in which the whole link brings the missing segments before one.
  private mutating func span(before segment: Int) -> Int64 {
    let bytes = ladder.expectedBytes(of: variant, from: first, to: segment) - received
    return Estimate.span(of: max(0, bytes), at: throughput).nanoseconds
  }

  private mutating func requestAudio(at begins: Int64, received: Int64 = 0) {
    audio.begins = audio.hasMore ? begins : Self.never
    if audio.hasMore { audio.load(received, at: throughput) }
  }

  /// Requests the next video segment, unless video is too far ahead of audio that it waits for.
  private mutating func releaseMain() {
    main.begins = Self.never
    if !main.hasMore { return }
    if hasAudio, rule.order == .bothWait, audio.hasMore,
      rule.holdsBack(main.length, behind: main.loadedEnd, other: audio.loadedEnd, from: nil)
    {
      return
    }
    requestMain(at: room(at: main.place(under: rule)) + latency)
  }

  /// Requests the next audio segment, unless audio is too far ahead of video.
  private mutating func releaseAudio() {
    guard audio.begins == Self.never, audio.hasMore else { return }
    if main.hasMore,
      rule.holdsBack(audio.length, behind: audio.loadedEnd, other: main.loadedEnd, from: playhead)
    {
      return
    }
    requestAudio(at: room(at: audio.place(under: rule)) + latency)
  }

  /// Returns when the playhead is at the place that makes room for a segment.
  ///
  /// Perf: `mutating` avoids copying the forecast at each call.
  private mutating func room(at place: MediaTime?) -> Int64 {
    place.map { max(now, due($0)) } ?? now
  }

  /// The time in which the whole link brings so many bytes.
  private static func work(_ bytes: Int64, at throughput: Int64) -> Int64 {
    min(Estimate.span(of: bytes, at: throughput).nanoseconds, mostWork)
  }

  /// The least further wait before a start with no late segment; not positive if it need not.
  ///
  /// - Parameter stopsLate: Whether the first late segment is enough: some positive wait.
  mutating func longestWait(stopsLate: Bool) -> TimeSpan {
    let pace = pace()
    var longest = Int64.min
    while now < Self.horizon, advance() {
      if stopsLate, longest > 0 { break }
      if main.work == 0, main.receives(at: now), preparing > 0 {
        preparing -= 1
        if preparing > 0 { prepare() } else { requestMain(at: now + latency) }
      } else if main.work == 0, main.receives(at: now) {
        longest = max(longest, now - due(main.loadedEnd))
        // A segment that is loaded in part brings less than its length.
        let isNew = main.loadedEnd <= main.boundaries[main.next]
        main.arrived()
        if isNew, let pace, isSafe(pace) { break }
        if !hasAudio, pace == nil { skipEvenSegments() }
        releaseMain()
        releaseAudio()
      }
      if audio.work == 0, audio.receives(at: now) {
        longest = max(longest, now - due(audio.loadedEnd))
        audio.arrived()
        releaseAudio()
        if main.begins == Self.never { releaseMain() }
      }
    }
    return TimeSpan(nanoseconds: longest)
  }

  /// Of segments that fall back by the same each, the last is the latest, or the one before: where
  /// there is room for the first of them, there is for all.
  private mutating func skipEvenSegments() {
    let index = main.count - 2
    guard let lengths = ladder.lengths, lengths.longest == lengths.shortest, isDeclared,
      index > main.next, room(at: main.place(under: rule)) <= now
    else { return }
    let before = spent
    spent = span(before: index)
    now += latency * Int64(index - main.next) + spent - before
    main.next = index
    main.loadedEnd = main.boundaries[index]
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
  private mutating func due(_ loadedEnd: MediaTime) -> Int64 { playing(loadedEnd - playhead) }

  /// The playing time of media, of which a *k*-th is counted on.
  private mutating func playing(_ media: MediaTime) -> Int64 {
    let span = rate.span(toPlay: media).nanoseconds
    if safety == .none { return span }
    return scaled(span, by: safety.denominator, over: safety.numerator, rounding: .down)
  }

  /// Bounds of a link that no track falls behind on.
  private struct Pace {
    /// The most time from one segment to the next, with the separate audio of that time.
    let cycle: Int64
    /// The most time for an audio segment that shares the link with video.
    let audioCycle: Int64
    let longestMain: MediaTime
    let longestAudio: MediaTime
  }

  /// Nil where a segment may take longer to come than the one before it takes to be played.
  private mutating func pace() -> Pace? {
    guard let lengths = ladder.lengths else { return nil }
    let most = latency + Self.work(ladder.mostBytes(of: variant, lengths.longest), at: throughput)
    // A declared rate includes the audio.
    let cycle = most + (isDeclared ? 0 : audioWork(lengths.longest))
    if cycle > playing(lengths.shortest) { return nil }
    guard hasAudio else {
      return Pace(cycle: cycle, audioCycle: 0, longestMain: lengths.longest, longestAudio: .zero)
    }
    guard let audio = audioLengths else { return nil }
    let audioCycle = latency + 2 * audioWork(audio.longest)
    if audioCycle > playing(audio.shortest) { return nil }
    return Pace(
      cycle: cycle, audioCycle: audioCycle, longestMain: lengths.longest,
      longestAudio: audio.longest)
  }

  private mutating func audioWork(_ media: MediaTime) -> Int64 {
    Self.work(audio.bytes(media), at: throughput)
  }

  /// Whether from here on every segment is in time.
  ///
  /// Video gains on the playhead with every cycle, up to the limits of the buffer, but for the
  /// audio that is still to catch up, and its lead. Audio waits for video, whose segment may end a
  /// segment's length before audio does.
  private mutating func isSafe(_ pace: Pace) -> Bool {
    let full = playing(main.most(under: rule, before: pace.longestMain))
    if !hasAudio { return full >= pace.cycle }
    let fullAudio = playing(audio.most(under: rule, before: pace.longestAudio))
    guard let lead = rule.trackLead, lead <= 16, rule.order != .bothWait else { return false }
    let behind = max(.zero, main.loadedEnd - audio.loadedEnd)
    let beyond = MediaTime(nanoseconds: pace.longestAudio.nanoseconds * (1 + lead))
    let backlog = audioWork(behind + beyond + pace.longestMain)
    let least = max(pace.cycle, playing(pace.longestMain) + pace.audioCycle)
    return min(full, due(main.loadedEnd) - now) >= backlog + least
      && min(fullAudio, due(audio.loadedEnd) - now) >= pace.audioCycle
  }
}
