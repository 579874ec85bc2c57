import SimulatedWorld
import TestSupport
import Testing

/// The access log against sums that the tests make of what they observe.
@Suite struct AccessLogTests {
  private func stream(
    duration: Int64 = 200, rule: InitialVariantRule = .firstEligible,
    adaptation: AdaptationRule = .throughput, audio: [LadderAudio] = []
  ) throws -> StreamSettings {
    var ladder = NamedLadder.talk.description(duration: .seconds(duration))
    ladder.audio = audio
    return StreamSettings(
      presentation: try Presentation(ladder), initialRule: rule, adaptation: adaptation)
  }

  private func world(_ steps: [(seconds: Int64, kilobits: Int64)]) throws -> World {
    let steps = steps.map {
      RateSchedule.Step(
        duration: .seconds($0.seconds), bandwidth: .limited(.kilobitsPerSecond($0.kilobits)))
    }
    return try World(
      conditions: LinkConditions(downlink: .init(delay: .milliseconds(30))),
      schedule: try RateSchedule(steps: steps, ending: .holds))
  }

  @Test func `its events add up to what was observed`() throws {
    let audio = LadderAudio(name: "stereo", bitRate: 64_000)
    let world = try world([(40, 9_000), (30, 500), (60, 3_000)])
    let player = world.makePlayer()
    var (segments, switches, stalls) = (0, 0, 0)
    var media: [TransferID] = []
    var bytes: Int64 = 0
    player.observe { record in
      switch record.observation {
      case .resourceRequested(let id, .mediaSegment, _, _): media.append(id)
      case .requestCompleted(let id, let count) where media.contains(id):
        segments += 1
        bytes += count
      case .requestCancelled(let id, let count) where media.contains(id): bytes += count
      case .variantSwitched: switches += 1
      case .stalled: stalls += 1
      default: break
      }
    }
    player.replaceCurrentItem(with: ItemSettings(source: .stream(try stream(audio: [audio]))))
    player.play()
    #expect(player.accessLog == nil)
    world.advance(by: .seconds(60))
    let half = try #require(player.accessLog).events
    try player.seek(to: .seconds(120))
    #expect(world.run() == .finished)
    let events = try #require(player.accessLog).events
    #expect(switches > 1)
    #expect(events.count == 1 + switches + 1)
    // What was final stays as it was.
    #expect(events.starts(with: half.dropLast()))
    #expect(events.reduce(0) { $0 + $1.numberOfMediaRequests } == Int64(segments))
    #expect(events.reduce(0) { $0 + $1.numberOfBytesTransferred } == bytes)
    #expect(events.reduce(0) { $0 + $1.numberOfStalls } == Int64(stalls))
    let watched = events.reduce(0) { $0 + $1.durationWatched.nanoseconds }
    #expect(watched == player.books.mediaAdvanced.nanoseconds)
    for event in events {
      let observed = try #require(event.observedBitrate)
      let most = try #require(event.observedMaxBitrate)
      #expect(observed <= most * 2, "\(event)")
      #expect(event.playbackStartDate != nil)
    }
    let sought = try #require(events.first { $0.playbackStartOffset == .seconds(120) })
    #expect(try #require(sought.playbackStartDate) > .zero + .seconds(60))
    #expect(events.contains { $0.averageAudioBitrate == 64_000 })
    #expect(events.filter { $0.startupTime != nil }.count == 1)
    #expect(events.first?.switchBitrate == nil)
  }

  @Test func `the spread of the throughput is that of its segments`() throws {
    let world = try world([(7, 1_000), (11, 4_000), (13, 700), (1, 2_000)])
    let player = world.makePlayer()
    var (firstBytes, rates): ([TransferID: Instant], [Double]) = ([:], [])
    player.observe { record in
      switch record.observation {
      case .requestResponded(let id): firstBytes[id] = record.instant
      case .requestCompleted(let id, let bytes):
        guard let start = firstBytes[id], record.instant > start else { return }
        rates.append(Double(bytes) * 8e9 / Double((record.instant - start).nanoseconds))
      default: break
      }
    }
    var settings = try stream(adaptation: .fixed)
    settings.presentation.playlistBytes = 0
    for index in settings.presentation.lists.indices {
      settings.presentation.lists[index].playlistBytes = 0
    }
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.play()
    #expect(world.run() == .finished)
    let event = try #require(player.accessLog?.events.first)
    #expect(rates.count == 20 && event.numberOfMediaRequests == 20)
    try expectSpread(of: rates, in: event)
    #expect(event.segmentsDownloadedDuration == .seconds(200))
    #expect(event.averageVideoBitrate == 110_000 && event.indicatedBitrate == 110_000)
  }

  /// The segment with which a variant begins was asked for before its event began.
  @Test func `each event of a variant has the spread of its own segments`() throws {
    let world = try world([(25, 9_000), (30, 500), (25, 3_000), (40, 700), (1, 6_000)])
    let player = world.makePlayer()
    var requested: [TransferID: ResourceKind] = [:]
    var (firstBytes, rates): ([TransferID: Instant], [Double]) = ([:], [])
    player.observe { record in
      switch record.observation {
      case .resourceRequested(let id, let kind, _, _): requested[id] = kind
      case .requestResponded(let id): firstBytes[id] = record.instant
      case .requestCompleted(let id, let bytes) where requested[id] == .mediaSegment:
        guard let start = firstBytes[id] else { return }
        rates.append(Double(bytes) * 8e9 / Double((record.instant - start).nanoseconds))
      default: break
      }
    }
    player.replaceCurrentItem(with: ItemSettings(source: .stream(try stream())))
    player.play()
    #expect(world.run() == .finished)
    let events = try #require(player.accessLog?.events)
    #expect(events.count > 3 && rates.count == 20)
    #expect(events.reduce(0) { $0 + $1.numberOfMediaRequests } == 20)
    for event in events where event.numberOfMediaRequests > 0 {
      let own = rates.prefix(Int(event.numberOfMediaRequests))
      rates.removeFirst(own.count)
      try expectSpread(of: Array(own), in: event)
    }
  }

  @Test func `a progressive file has one too, of its requests`() throws {
    let world = try world([(3, 2_000), (4, 100), (1, 2_000)])
    let player = world.makePlayer()
    let file = MediaFile(duration: .seconds(20), bitRate: .kilobitsPerSecond(1_000))
    player.replaceCurrentItem(
      with: ItemSettings(
        source: .progressive(file), heuristic: .thresholds(start: .seconds(1), resume: .seconds(1)),
        label: "film.mp4"))
    player.play()
    world.advance(by: .seconds(2))
    try player.seek(to: .seconds(15))
    #expect(world.run() == .finished)
    let events = try #require(player.accessLog).events
    #expect(events.count == 2)
    #expect(events.allSatisfy { $0.playbackType == .file && $0.uri == "film.mp4" })
    #expect(events.allSatisfy { $0.indicatedBitrate == nil && $0.observedMaxBitrate == nil })
    #expect(events.reduce(0) { $0 + $1.numberOfMediaRequests } == player.core.counts.requests)
    #expect(
      events.reduce(0) { $0 + $1.numberOfBytesTransferred }
        == player.core.bytesTransferred(at: world.now))
    #expect(
      events.reduce(0) { $0 + $1.durationWatched.nanoseconds }
        == player.books.mediaAdvanced.nanoseconds)
    #expect(events[1].playbackStartOffset == .seconds(15))
  }

  @Test func `a local file has none`() throws {
    let world = try World()
    let player = world.makePlayer()
    let file = MediaFile(duration: .seconds(2), bitRate: .kilobitsPerSecond(1_000))
    player.replaceCurrentItem(with: ItemSettings(source: .local(file)))
    player.play()
    #expect(world.run() == .finished)
    #expect(player.accessLog == nil && player.errorLog == nil)
    #expect(player.indicators.startupTime == nil && !player.indicators.hasFailed)
  }

  @Test func `the key figures are those of the talk`() throws {
    let world = try world([(40, 9_000), (120, 50), (1, 900)])
    let player = world.makePlayer()
    player.replaceCurrentItem(with: ItemSettings(source: .stream(try stream(duration: 150))))
    player.play()
    #expect(world.run() == .finished)
    let (events, figures) = (try #require(player.accessLog).events, player.indicators)
    let hours = events.reduce(0.0) { $0 + Double($1.durationWatched.nanoseconds) } / 3.6e12
    let stalls = events.reduce(0.0) { $0 + Double($1.numberOfStalls) }
    #expect(stalls > 0 && figures.stallDuration == player.books.stalled)
    #expect(
      abs(Double(try #require(figures.thousandStallsPerHour)) / 1_000 - stalls / hours) < 0.001)
    #expect(figures.startupTime == events[0].startupTime)
  }

  /// Of more than a thousand events the oldest are summed up: what comes of them is worked out from
  /// the same events as they stood before.
  @Test func `what is summed up is what its events said`() throws {
    // In the first event it stalls, as its third segment takes longer than it plays.
    let world = try world([(30, 200), (20, 20), (1, 40_000)])
    let player = world.makePlayer()
    let audio = LadderAudio(name: "stereo", bitRate: 64_000)
    let settings = try stream(duration: 400, audio: [audio])
    player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
    player.changeCurrent { $0.source.constrain { $0.preferredPeakBitRate = 150_000 } }
    player.play()
    world.advance(by: .seconds(60))
    /// A seek begins an event; after each some media is watched.
    func seek(_ count: Int) throws {
      for index in 0..<count {
        world.advance(by: .milliseconds(300 + Int64(index % 7) * 110))
        try player.seek(to: .milliseconds(Int64(index * 5_237 % 380_000)))
      }
    }
    try seek(60)
    player.changeCurrent { $0.source.constrain { $0.preferredPeakBitRate = 0 } }
    try seek(900)
    let before = try #require(player.accessLog).events.dropLast()
    #expect(before.count < 1_000)
    try seek(200)
    let after = try #require(player.accessLog).events
    #expect(after.count == 1_002)
    let kept = Array(after.dropFirst())
    let first = try #require(before.firstIndex { $0 == kept[0] })
    let summed = before[..<first]
    #expect(summed.count > 100 && Set(summed.map(\.indicatedBitrate)).count > 1)
    let sum = after[0]
    #expect(Array(before[first...]) == Array(kept.prefix(before.count - first)))
    try expectCounts(of: sum, after: Array(summed))
    let bytes = summed.reduce(0) { $0 + $1.numberOfBytesTransferred }
    #expect(sum.numberOfBytesTransferred == bytes)
    let seconds = summed.reduce(0.0) { $0 + Double($1.transferDuration.nanoseconds) } / 1e9
    #expect(abs(Double(sum.observedBitrate ?? 0) - Double(bytes) * 8 / seconds) < 2)
    let watched = summed.map { Double($0.durationWatched.nanoseconds) }
    #expect(Double(sum.durationWatched.nanoseconds) == watched.reduce(0, +))
    #expect(sum.observedMaxBitrate == summed.compactMap(\.observedMaxBitrate).max())
    #expect(sum.observedMinBitrate == summed.compactMap(\.observedMinBitrate).min())
    let weighted = zip(summed, watched).reduce(0.0) {
      $0 + Double($1.0.indicatedBitrate ?? 0) * $1.1
    }
    let mean = weighted / watched.reduce(0, +)
    // Each event that is added rounds down to a bit a second.
    #expect(abs(Double(sum.indicatedBitrate ?? 0) - mean) < Double(summed.count))
    let pictures = summed.compactMap(\.averageVideoBitrate)
    let picture = try #require(sum.averageVideoBitrate)
    #expect(picture > pictures.min() ?? 0 && picture < pictures.max() ?? 0)
  }

  private func expectCounts(of sum: AccessLogEvent, after summed: [AccessLogEvent]) throws {
    #expect(sum.numberOfMediaRequests == summed.reduce(0) { $0 + $1.numberOfMediaRequests })
    #expect(sum.numberOfStalls == summed.reduce(0) { $0 + $1.numberOfStalls })
    let overdue = summed.reduce(0) { $0 + ($1.downloadOverdue ?? 0) }
    #expect(sum.numberOfStalls > 0 && sum.downloadOverdue == overdue && overdue > 0)
    let media = summed.reduce(0) { $0 + ($1.segmentsDownloadedDuration?.nanoseconds ?? 0) }
    #expect(sum.segmentsDownloadedDuration == MediaTime(nanoseconds: media) && media > 0)
    #expect(sum.playbackStartDate == summed[0].playbackStartDate && sum.playbackStartDate != nil)
    #expect(sum.startupTime == summed[0].startupTime && sum.startupTime != nil)
    #expect(sum.observedBitrateStandardDeviation == nil && sum.averageAudioBitrate == 64_000)
    let averages = summed.compactMap(\.indicatedAverageBitrate)
    let average = try #require(sum.indicatedAverageBitrate)
    #expect(average > averages.min() ?? 0 && average < averages.max() ?? 0)
  }

  /// 5 MB of video and 5 MB of audio share 3 Mbit/s, and nothing else is loaded.
  @Test func `the time in which two tracks come in at once counts once`() throws {
    let bandwidth = Bandwidth.limited(.megabitsPerSecond(3))
    let world = try World(
      conditions: LinkConditions(downlink: .init(bandwidth: bandwidth)), requests: .plain)
    let player = world.makePlayer()
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)],
      audio: [LadderAudio(name: "stereo", bitRate: 1_000_000)], segmentDuration: .seconds(4),
      duration: .seconds(40))
    let presentation = StreamTests.weightless(try Presentation(ladder))
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
    player.play()
    #expect(world.run() == .finished)
    let event = try #require(player.accessLog?.events.first)
    #expect(event.numberOfBytesTransferred == 10_000_000)
    #expect(abs(event.transferDuration.nanoseconds - 26_666_666_667) < 1_000)
    // Each segment has the whole link, or its share.
    #expect(try #require(event.observedMaxBitrate) <= 3_000_000)
  }

  /// Of a stream that nothing else is loaded of than media: ten segments and their section.
  @Test func `an initialization section is media as well`() throws {
    for bytes in [0, 40_000] as [Int64] {
      let bandwidth = Bandwidth.limited(.megabitsPerSecond(8))
      let world = try World(
        conditions: LinkConditions(downlink: .init(bandwidth: bandwidth)), requests: .plain)
      let player = world.makePlayer()
      let ladder = LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(4),
        duration: .seconds(40))
      var presentation = StreamTests.weightless(try Presentation(ladder))
      presentation.lists[0].maps = [SizedMap(uri: "init.mp4", bytes: bytes)]
      presentation.lists[0].segments = presentation.lists[0].segments.map {
        MediaSegment(start: $0.start, duration: $0.duration, bytes: $0.bytes, map: 0)
      }
      player.replaceCurrentItem(
        with: ItemSettings(source: .stream(StreamSettings(presentation: presentation))))
      player.play()
      #expect(world.run() == .finished)
      let event = try #require(player.accessLog?.events.first)
      #expect(event.numberOfMediaRequests == 10)
      #expect(event.numberOfBytesTransferred == 5_000_000 + bytes)
      // A megabyte a second.
      #expect(event.transferDuration == .seconds(5) + .microseconds(bytes))
      #expect(player.core.bytesTransferred(at: world.now) == 5_000_000 + bytes)
    }
  }

  @Test func `it does not grow with the segments`() throws {
    let world = try world([(1, 8_000)])
    let player = world.makePlayer()
    let segments = Int64(Seeds.count(1_000, inRelease: 3_000))
    player.replaceCurrentItem(
      with: ItemSettings(source: .stream(try stream(duration: 10 * segments, adaptation: .fixed))))
    player.play()
    #expect(world.run() == .finished)
    let events = try #require(player.accessLog).events
    #expect(events.count == 1 && events[0].numberOfMediaRequests == segments)
  }
}

/// Expects of an event of the access log the spread of the throughput that its segments had.
func expectSpread(
  of rates: [Double], in event: AccessLogEvent, at place: SourceLocation = #_sourceLocation
) throws {
  let mean = rates.reduce(0, +) / Double(rates.count)
  let variance = rates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rates.count)
  let deviation = Double(
    try #require(event.observedBitrateStandardDeviation, sourceLocation: place))
  #expect(abs(deviation - variance.squareRoot()) < 2, "\(event)", sourceLocation: place)
  let least = Double(try #require(event.observedMinBitrate, sourceLocation: place))
  #expect(abs(least - (try #require(rates.min()))) < 1, "\(event)", sourceLocation: place)
  let most = Double(try #require(event.observedMaxBitrate, sourceLocation: place))
  #expect(abs(most - (try #require(rates.max()))) < 1, "\(event)", sourceLocation: place)
}
