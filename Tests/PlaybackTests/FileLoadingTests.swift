import PlayerPolicies
import SimulatedWorld
import StreamingMedia
import Testing

/// Requests of a file that are made, given back and made again: worked out by hand.
@Suite struct FileLoadingTests {
  /// Milliseconds at which requests of a run were made, and given back.
  private func requests(_ bench: Bench) -> (made: [Int64], cancelled: [Int64]) {
    var (made, cancelled): ([Int64], [Int64]) = ([], [])
    for record in bench.notes.records {
      let time = (record.instant.nanoseconds + 500_000) / 1_000_000
      if case .requestStarted = record.observation { made.append(time) }
      if case .requestCancelled = record.observation { cancelled.append(time) }
    }
    return (made, cancelled)
  }

  /// Four megabits a second of one: three seconds are gained in each. Of a limit of 6 s it has had
  /// enough after 2 s, and goes on below 4.5 s, which is 1.5 s later, or when it may.
  @Test(
    arguments: [
      // Of 6 s there are 3 s left after three more: a second brings them again.
      (3_000, [0, 5_000, 9_000], [2_000, 6_000, 10_000]),
      (1_500, [0, 3_500, 5_500], [2_000, 4_000, 6_000]),
      (500, [0, 3_500, 5_500], [2_000, 4_000, 6_000]),
      (4_500, [0, 6_500, 12_500], [2_000, 8_000, 14_000]),
    ] as [(Int64, [Int64], [Int64])])
  func `a request that is given back at the limit is made again when it may be and there is room`(
    after: Int64, made: [Int64], cancelled: [Int64]
  ) throws {
    for isCapped in [false, true] {
      var settings = PlayerSettings()
      settings.policy.fetch.ofFiles.atLimit = .reopens(after: .milliseconds(after))
      let bench = try Bench(speed: 4_000, duration: .seconds(60), settings: settings) {
        $0.heuristic = .immediate
        if isCapped {
          $0.bufferByteCap = 750_000
        } else {
          $0.preferredForwardBufferDuration = .seconds(6)
        }
      }
      bench.player.play()
      bench.pass(15)
      let told = requests(bench)
      #expect(Array(told.made.prefix(3)) == made && Array(told.cancelled.prefix(3)) == cancelled)
      #expect(bench.player.core.isPlaybackBufferFull)
      #expect(bench.world.run() == .finished)
      #expect(bench.player.books.stallCount == 0 && bench.world.finish() == [])
    }
  }

  /// Half of the bit rate, and half a second to the first byte. The request under way ends at 20 s
  /// of 30: with another for the rest, all is there at 61 s.
  @Test func `a start waits for the first byte of the next range as well`() throws {
    let bench = try Bench(speed: 500, duration: .seconds(30), delay: .milliseconds(500)) {
      $0.forwardPlaybackEndTime = .seconds(20)
    }
    bench.player.play()
    bench.pass(1)
    bench.player.changeCurrent { $0.forwardPlaybackEndTime = nil }
    #expect(bench.world.run() == .finished)
    #expect(try #require(bench.player.books.startupDelay).isAbout(31))
    #expect(bench.player.books.stallCount == 0 && bench.world.finish() == [])
  }

  /// By 6 s the media up to 0.75 s is there, and that from 15 to 16.75 s: all before is there at
  /// 35 s, and all behind, half a second and 26.5 s later, at 62 s.
  @Test func `a start waits for the first byte of what lies behind a hole as well`() throws {
    let bench = try Bench(speed: 500, duration: .seconds(30), delay: .milliseconds(500))
    bench.pass(2)
    try bench.player.seek(to: .seconds(15))
    bench.pass(4)
    try bench.player.seek(to: .zero)
    bench.player.play()
    #expect(bench.world.run() == .finished)
    #expect(try #require(bench.player.books.startupDelay).isAbout(26))
    #expect(bench.player.books.stallCount == 0 && bench.world.finish() == [])
  }

  /// Ten seconds of a megabit, ten in which no byte is needed, and ten more.
  private func flat() -> MediaFile {
    MediaFile(
      map: ByteMap(
        duration: .seconds(30), stretch: .seconds(10), sizes: [1_250_000, 0, 1_250_000]))
  }

  @Test func `media of no bytes is there with the byte before it`() throws {
    for speed in [1_000, 2_000] as [Int64] {
      let bench = try Bench(speed: speed, hasItem: false)
      bench.player.replaceCurrentItem(
        with: ItemSettings(source: .progressive(flat()), heuristic: .immediate))
      bench.player.play()
      // By then all up to the flat stretch is there, and no byte more.
      bench.world.advance(by: .milliseconds(10_000_000 / speed))
      try bench.setSpeed(0)
      bench.world.advance(by: .seconds(25))
      #expect(bench.player.currentTime().isAbout(20))
      #expect(bench.player.books.stallCount == 1)
      #expect(bench.player.books.stalls.first?.place.isAbout(20) == true)
      #expect(bench.player.books.played.isAbout(20))
    }
  }

  /// A byte for ten seconds, or two, and ten in which none is needed.
  @Test(arguments: [1, 2] as [Int64])
  func `media of no bytes is there with the first byte of all`(bytes: Int64) throws {
    let bench = try Bench(speed: 1_000, hasItem: false)
    let file = MediaFile(
      map: ByteMap(
        duration: .seconds(30), stretch: .seconds(10), sizes: [bytes, 0, 1_250_000]))
    bench.player.replaceCurrentItem(
      with: ItemSettings(source: .progressive(file), heuristic: .immediate))
    bench.player.play()
    bench.world.advance(by: .microseconds(8 * bytes))
    try bench.setSpeed(0)
    try bench.player.seek(to: .seconds(15))
    bench.world.advance(by: .seconds(25))
    #expect(bench.player.currentTime() == .seconds(20))
  }

  /// A byte of a megabit is eight microseconds: after two seconds 250,000 of them are there.
  @Test(
    arguments: [(-200_000, 1), (0, 1), (1, 1), (64, 1), (65, 2), (100_000, 2)] as [(Int64, Int)])
  func `a seek to what is just about to come asks for nothing else`(
    ahead: Int64, count: Int
  ) throws {
    let bench = try Bench(speed: 1_000) { $0.heuristic = .everythingLoaded }
    bench.pass(2)
    try bench.player.seek(to: MediaTime(nanoseconds: (250_000 + ahead) * 8_000))
    bench.pass(1)
    #expect(requests(bench).made.count == count)
    #expect(requests(bench).cancelled == (count == 1 ? [] : [2_000]))
  }

  /// However little the app asks for, 16,384 bytes and a tenth of a second are read.
  @Test(
    arguments: [
      (1, 16_384), (16_383, 16_384), (16_384, 16_384), (16_385, 16_385), (40_000, 40_000),
    ] as [(Int64, Int64)])
  func `no cap is so low that each byte is a stall`(cap: Int64, bytes: Int64) throws {
    let bench = try Bench(speed: 1_000) { $0.bufferByteCap = cap }
    bench.pass(5)
    let end = try #require(bench.player.loadedTimeRanges.last).upperBound
    #expect(end.nanoseconds == bytes * 8_000)
  }

  /// Of an index and a range that share the link for a second, both count.
  @Test func `what came of a request that is given back was transferred`() throws {
    for (start, bytes) in [(5, 125_000), (0, 125_000)] as [(Int64, Int64)] {
      let map = ByteMap(duration: .seconds(40), bytes: 5_000_000)
      let file = MediaFile(map: map, headAtomBytes: 250_000, headAtomPosition: .front)
      let bench = try Bench(speed: 1_000, hasItem: false)
      bench.player.replaceCurrentItem(
        with: ItemSettings(source: .progressive(file), startTime: .seconds(start)))
      bench.player.play()
      bench.pass(1)
      bench.player.replaceCurrentItem(with: nil)
      let told = bench.player.core.bytesTransferred(at: bench.world.now)
      #expect(abs(told - bytes) <= 2, "\(start) \(told)")
      bench.pass(5)
      #expect(bench.player.core.bytesTransferred(at: bench.world.now) == told)
      #expect(bench.world.finish() == [])
    }
  }

  /// An index that the app has asked for, of a file of which nothing is to be played.
  @Test func `the next item waits for an index that is under way, though no media is`() throws {
    let world = try World(conditions: Bench.conditions(8_000, delay: .seconds(1)))
    let player = world.makeQueuePlayer()
    var asked: [Instant] = []
    player.observe { if case .requestStarted = $0.observation { asked.append($0.instant) } }
    let file = MediaFile(
      map: ByteMap(duration: .seconds(10), bytes: 1_000_000), headAtomBytes: 1_000_000,
      headAtomPosition: .end)
    let empty = ItemSettings(
      source: .progressive(file), forwardPlaybackEndTime: .seconds(4), startTime: .seconds(4))
    player.loadValues(of: empty)
    try player.insert([SimulatedPlayerItem(empty), SimulatedPlayerItem(Bench.item())])
    world.advance(by: .seconds(5))
    // A second of delay, and a megabyte at a megabyte a second.
    #expect(asked == [.zero, .seconds(2)])
  }

  /// A start that waits for its first byte gives way to whatever the app asks for next.
  @Test func `who is paused before the first byte does not start with it`() throws {
    let bench = try Bench(
      speed: 2_000, settings: PlayerSettings(waitsAutomatically: false),
      delay: .milliseconds(500))
    try bench.player.setRate(.normal, time: nil, atHostTime: nil)
    bench.world.advance(by: .milliseconds(100))
    bench.player.pause()
    bench.pass(3)
    #expect(bench.player.timebaseRate == .zero && bench.player.rate == .zero)
    #expect(!bench.player.books.hasStarted)
  }

  @Test func `settings of which nothing is said are plain`() throws {
    let presentation = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(4),
        duration: .seconds(8)))
    let stream = StreamSettings(presentation: presentation)
    #expect(!stream.preloadsKeys && !stream.hasPlaylists && stream.live == nil)
    #expect(stream.audioLanguage == nil && stream.subtitleLanguage == nil)
    #expect(stream.automaticForwardBuffer == nil && stream.encoderPadding == nil)
    #expect(stream.initialRule == nil && stream.adaptation == nil)
    #expect(stream.playlistEncoding == .plain && stream.errors == StreamErrorPolicy())
    #expect(stream.keyExchange.bytes == 0 && stream.keyExchange.thinkTime == .zero)
    let item = ItemSettings(source: .stream(stream))
    #expect(item.preferredForwardBufferDuration == .zero && item.bufferByteCap == nil)
    #expect(item.startTime == nil && item.forwardPlaybackEndTime == nil && item.host == 0)
    #expect(item.retry == .standard && item.label.isEmpty && item.disabledTracks.isEmpty)
    let live = LivePreferences()
    #expect(!live.preservesOffset && live.configuredOffset == nil)
    #expect(live.usesNetworkWhilePaused == nil)
    let (rule, rescue) = (ThroughputChoice.usual, RescueRule.usual)
    #expect(rule.safetyPercent == 80 && rescue.safetyPercent == 80 && rescue.lookPercent == 25)
    #expect(rule.upSwitchBuffer == .seconds(10) && rule.downSwitchBuffer == .seconds(25))
    #expect(rescue.patience == .seconds(2))
  }

  /// Four seconds of media come in each second, to the end of the file after ten.
  @Test func `media that is there is there now, and the rest when its last byte comes`() throws {
    let bench = try Bench(speed: 4_000)
    bench.world.advance(by: .seconds(2))
    func due(_ seconds: Int64) throws -> Instant {
      let item = try #require(bench.player.core.currentItem)
      return item.instant(loading: .seconds(seconds), after: bench.world.now)
    }
    for (place, at) in [(0, 2), (4, 2), (8, 2), (9, nil), (12, 3), (40, 10)] as [(Int64, Int64?)] {
      let expected = at.map { Instant.zero + .seconds($0) }
      let found = try due(place)
      #expect(found == expected ?? .zero + .milliseconds(2_250), "\(place)")
    }
    bench.world.advance(by: .seconds(10))
    // Nothing is under way any more.
    for place in [0, 39, 40] as [Int64] { #expect(try due(place) == bench.world.now) }
    #expect(try due(41) == .distantFuture)
  }
}
