import SimulatedWorld
import Testing

/// Three variants of twelve segments of ten seconds, and what of them does not come.
@Suite struct StreamErrorTests {
  /// A run with what a test asks of it.
  private final class Session {
    let world: World
    let player: SimulatedPlayer
    var failures: [(instant: Instant, retriedAt: Instant?)] = []
    /// The requests that are made in the place of broken ones, with those.
    var retries: [(id: TransferID, broken: TransferID, kind: ResourceKind, track: TrackKind?)] = []
    var broken: [TransferID] = []
    var switches: [Int32] = []
    var errors: [ErrorLogEvent] = []
    var asked: [TransferID: Instant] = [:]

    init(
      _ rules: [FaultRule], audio: [LadderAudio] = [], retry: RetryPolicy = .standard,
      playing: PlayerSettings = PlayerSettings(), limits: RunLimits = RunLimits(),
      change: (inout StreamSettings) -> Void = { _ in }
    ) throws {
      world = try World(
        conditions: LinkConditions(
          downlink: .init(bandwidth: .limited(.megabitsPerSecond(20)), delay: .milliseconds(40))),
        limits: limits, requests: .plain, faults: FaultPlan(rules))
      let rates: [Int64] = [2_000_000, 1_000_000, 400_000]
      let ladder = LadderDescription(
        rungs: rates.map { LadderRung(resolution: nil, bitRate: $0) }, audio: audio,
        segmentDuration: .seconds(10), duration: .seconds(120))
      var settings = StreamSettings(
        presentation: try Presentation(ladder), initialRule: .firstEligible)
      change(&settings)
      player = world.makePlayer(playing)
      player.observe { [unowned self] record in
        switch record.observation {
        case .requestFailed(let id, _, _, let retry):
          failures.append((record.instant, retry))
          broken.append(id)
        case .resourceRequested(let id, let kind, _, let origin):
          asked[id] = record.instant
          if let old = origin.retries { retries.append((id, old, kind, origin.track)) }
        case .variantSwitchStarted(_, let to, _, _): switches.append(to)
        case .errorLogged(let error): errors.append(error)
        default: break
        }
      }
      player.replaceCurrentItem(with: ItemSettings(source: .stream(settings), retry: retry))
      player.play()
    }
  }

  @Test func `each of two retries names the request in whose place it is made`() throws {
    let session = try Session(
      [
        FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*video-*/segment0*")),
        FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*audio-*/segment0*")),
      ], audio: [LadderAudio(name: "stereo", bitRate: 128_000)]
    ) { settings in
      settings.presentation.variants.removeLast(2)
    }
    #expect(session.world.run() == .finished)
    #expect(session.broken.count == 2 && session.retries.count == 2)
    for retry in session.retries {
      #expect(retry.kind == .mediaSegment)
      #expect(session.broken.contains(retry.broken))
    }
    #expect(Set(session.retries.map(\.broken)).count == 2)
    #expect(Set(session.retries.map(\.track)) == [.main, .audio])
    #expect(session.world.finish() == [])
  }

  @Test(arguments: ["multivariantPlaylist", "mediaPlaylist", "contentKey", "mapSegment"])
  func `a playlist, a key or a map that is asked for again names the request that broke`(
    label: String
  ) throws {
    let session = try Session([
      FaultRule(.status(503), numbers: 1...2, label: LabelPattern(label))
    ]) { settings in
      settings.presentation.variants.removeLast(2)
      for list in settings.presentation.lists.indices {
        var segments = settings.presentation.lists[list]
        segments.keys = [EncryptionKey(method: .sampleAES, uri: "skd://key")]
        segments.maps = [SizedMap(uri: "init.mp4", bytes: 1_000)]
        segments.segments = segments.segments.map {
          MediaSegment(start: $0.start, duration: $0.duration, bytes: $0.bytes, map: 0, key: 0)
        }
        settings.presentation.lists[list] = segments
      }
    }
    #expect(session.world.run() == .finished)
    #expect(session.broken.count == 2)
    #expect(session.retries.map(\.broken) == session.broken)
    #expect(session.retries.allSatisfy { $0.kind.rawValue == label })
    #expect(session.world.finish() == [])
  }

  /// What takes the place of a broken segment is not of the same variant, so it is no retry.
  @Test func `a segment of another variant retries nothing`() throws {
    let session = try Session([
      FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*video-0/segment0*"))
    ])
    #expect(session.world.run() == .finished)
    #expect(session.broken.count == 1 && session.switches.first == 1)
    #expect(session.retries.isEmpty)
  }

  @Test func `a variant that is not found is left at once and tried again, later each time`() throws
  {
    let session = try Session([
      FaultRule(.status(404), label: LabelPattern("video-0/segment*"))
    ])
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0)
    #expect(session.player.books.played == .seconds(120))
    #expect(session.switches.first == 1)
    #expect(session.failures.allSatisfy { $0.retriedAt == nil })
    // Left alone for 30 s, then for 60 s.
    let spans = zip(session.failures, session.failures.dropFirst()).map { $1.instant - $0.instant }
    #expect(spans.first.map { $0 >= .seconds(30) } == true)
    #expect(spans.dropFirst().allSatisfy { $0 >= .seconds(60) })
    #expect(session.player.errorLog?.events == session.errors)
    #expect(session.errors.allSatisfy { $0.statusCode == -12938 })
    #expect(session.world.finish() == [])
  }

  @Test func `a permanent error is not retried`() throws {
    let session = try Session([
      FaultRule(.status(410), label: LabelPattern("*segment*"))
    ])
    #expect(session.world.run() == .finished)
    // Once for each variant, and the item has nothing to play out.
    #expect(session.failures.count == 3)
    #expect(session.player.core.status == .failed(.mediaUnavailable(.httpStatus(410))))
    #expect(session.player.books.played == .zero)
    #expect(session.world.finish() == [])
  }

  @Test func `a lost connection is tried again before another variant is`() throws {
    let session = try Session([
      FaultRule(.reset(afterBytes: 1_000), numbers: 1...2, label: LabelPattern("video-0/seg*"))
    ])
    #expect(session.world.run() == .finished)
    #expect(session.switches.isEmpty)
    #expect(session.failures.count == 2)
    let waits = session.failures.map { $0.retriedAt.map { $0 } ?? .zero }
    #expect(zip(session.failures, waits).map { $1 - $0.instant } == [.seconds(1), .seconds(2)])
    #expect(session.player.core.counts.bytesAbandoned == 2_000)
    #expect(session.errors.allSatisfy { $0.domain == "NSURLErrorDomain" && $0.statusCode == -1005 })
  }

  @Test func `a sound that does not come does not let the picture wait`() throws {
    let sound = LadderAudio(name: "stereo", bitRate: 64_000)
    let session = try Session(
      [FaultRule(.status(503), numbers: 2...3, label: LabelPattern("audio-0/segment*"))],
      audio: [sound])
    #expect(session.world.run() == .finished)
    // Every variant needs the sound: there is nothing to switch to.
    #expect(session.switches.isEmpty && session.failures.count == 2)
    #expect(session.player.books.played == .seconds(120))
    #expect(session.player.books.stallCount == 0)
  }

  @Test func `what is tried for a paused player has an end`() throws {
    let session = try Session(
      [FaultRule(.status(404), numbers: 4...100_000, label: LabelPattern("*segment*"))],
      limits: RunLimits(horizon: .zero + .seconds(100_000)))
    session.world.advance(by: .seconds(1))
    session.player.pause()
    #expect(session.world.run() == .finished)
    #expect(session.player.core.status == .readyToPlay)
    #expect(session.failures.count < 40)
    session.player.play()
    #expect(session.world.run() == .finished)
    #expect(session.player.core.status == .failed(.mediaUnavailable(.httpStatus(404))))
    #expect(session.player.books.played == .seconds(30))
    #expect(session.world.finish() == [])
  }

  @Test(arguments: [TimeSpan.seconds(3), .seconds(8)])
  func `a silent server is given up after so long, in the middle as well`(patience: TimeSpan) throws
  {
    // A look at the segment that is so slow would be earlier than the second look for a sign of it.
    let session = try Session(
      [FaultRule(.stall(afterBytes: 700_000), label: LabelPattern("video-0/segment4.m4s"))],
      playing: .withoutRescue
    ) { $0.errors.mediaTimeout = patience }
    #expect(session.world.run() == .finished)
    #expect(session.player.books.stallCount == 0)
    try #require(session.errors.count == 1 && session.errors[0].statusCode == -12889)
    #expect(session.errors[0].uri == "video-0/segment4.m4s")
    #expect(session.player.core.counts.bytesAbandoned == 700_000)
    // Looked at twice: something had come the first time.
    let log = try #require(session.player.accessLog)
    #expect(log.events.reduce(0) { $0 + $1.durationWatched.nanoseconds } == 120_000_000_000)
    #expect(session.world.finish() == [])
  }

  @Test func `subtitles that never come are done without`() throws {
    let session = try Session([FaultRule(.status(404), label: LabelPattern("subtitles*"))]) {
      settings in
      var ladder = LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 400_000)], segmentDuration: .seconds(10),
        duration: .seconds(60))
      ladder.subtitles = [LadderSubtitles(name: "English", language: "en")]
      settings = StreamSettings(
        presentation: (try? Presentation(ladder)) ?? settings.presentation)
      settings.subtitleLanguage = "en"
    }
    #expect(session.world.run() == .finished)
    #expect(session.failures.count == 4)
    #expect(session.player.books.played == .seconds(60))
    #expect(session.player.core.status == .readyToPlay)
  }

  @Test func `a segment above what its variant declares is noted and played`() throws {
    let session = try Session([]) { settings in
      settings.presentation.variants[0].attributes.bandwidth = 1_900_000
      settings.presentation.variants[1].attributes.bandwidth = 900_000
      settings.adaptation = .fixed
    }
    #expect(session.world.run() == .finished)
    // 2 Mbit/s are within a tenth of 1.9 Mbit/s, 1 Mbit/s is not within a tenth of 0.9 Mbit/s.
    #expect(session.errors.isEmpty)
    let strict = try Session([]) { settings in
      settings.presentation.variants[0].attributes.bandwidth = 1_800_000
      settings.adaptation = .fixed
    }
    #expect(strict.world.run() == .finished)
    #expect(strict.errors.count == 12)
    #expect(strict.errors.allSatisfy { $0.statusCode == -12318 })
    #expect(strict.player.books.stallCount == 0)
  }

  /// 2 Mbit/s are allowed of 1,818,182 bit/s and not of one less; at the end a segment shorter than
  /// half of the target is no peak.
  @Test(
    arguments: [(1_818_182, 120, 0), (1_818_181, 120, 12), (1_000, 124, 12), (1_000, 125, 13)]
      as [(Int64, Int64, Int)])
  func `a segment may need a tenth more than its variant declares`(
    declared: Int64, duration: Int64, errors: Int
  ) throws {
    let session = try Session([]) { settings in
      let ladder = LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 2_000_000)], segmentDuration: .seconds(10),
        duration: .seconds(duration))
      settings.presentation = (try? Presentation(ladder)) ?? settings.presentation
      settings.presentation.variants[0].attributes.bandwidth = declared
      settings.adaptation = .fixed
    }
    #expect(session.world.run() == .finished)
    #expect(session.errors.count == errors)
  }

  @Test(
    arguments: [
      (.status(401), -12_937, "HTTP 401: authentication error"),
      (.status(403), -12_660, "HTTP 403: forbidden"),
      (.status(404), -12_938, "HTTP 404: file not found"),
      (.status(410), -12_666, "unrecognized http response 410"),
      (.status(500), -12_666, "unrecognized http response 500"),
      (.reset(afterBytes: 9), -1_005, "the network connection was lost"),
    ] as [(Fault, Int64, String)])
  func `each failure has the code that apps report`(
    fault: Fault, code: Int64, comment: String
  ) throws {
    let session = try Session(
      [FaultRule(fault, label: LabelPattern("*video-*/segment3*"))], retry: .never
    ) { settings in
      settings.presentation.variants.removeLast(2)
    }
    #expect(session.world.run() == .finished)
    let error = try #require(session.errors.first)
    #expect(error.statusCode == code && error.comment == comment)
    #expect(error.domain == (code > -2_000 ? "NSURLErrorDomain" : "CoreMediaErrorDomain"))
    #expect(error.uri.contains("segment3"))
    #expect(session.errors.count == 1 && session.player.core.hasFailed)
  }

  @Test(
    arguments: [(15_000, "15"), (2_500, "2.5"), (3_040, "3.04"), (900, "0.9")] as [(Int64, String)],
    [0, 1, 1_000] as [Int64])
  func `a file of which nothing came for so long is given up with that span`(
    span: (milliseconds: Int64, text: String), afterBytes: Int64
  ) throws {
    let (milliseconds, seconds) = span
    let session = try Session(
      [FaultRule(.stall(afterBytes: afterBytes), label: LabelPattern("*video-*/segment3*"))],
      retry: .never
    ) { settings in
      settings.presentation.variants.removeLast(2)
      settings.errors.mediaTimeout = .milliseconds(milliseconds)
    }
    #expect(session.world.run() == .finished)
    let error = try #require(session.errors.first)
    #expect(error.statusCode == -12_889 && error.domain == "CoreMediaErrorDomain")
    #expect(error.comment == "media file not received in \(seconds) seconds")
    // The wait begins with the last byte, or with the request where there is none.
    let broken = try #require(session.broken.first)
    let began = try #require(session.asked[broken])
    let waited = error.date - began
    let latest = TimeSpan.milliseconds(afterBytes == 0 ? 0 : 41)
    #expect(waited >= .milliseconds(milliseconds) && waited <= .milliseconds(milliseconds) + latest)
  }

  /// One segment of a single variant is there; the second is asked for again after a second.
  @Test func `a buffer is not full while a request is waited for again`() throws {
    let session = try Session(
      [FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*video-*/segment1*"))]
    ) { settings in
      settings.presentation.variants.removeLast(2)
    }
    var isFull: [Bool] = []
    for _ in 0..<8 {
      session.world.advance(by: .milliseconds(400))
      isFull.append(session.player.core.isPlaybackBufferFull)
    }
    #expect(session.failures.count == 1)
    #expect(!isFull.contains(true))
  }

  /// The first variant is left for 30 s; before they are over the other one comes no more either.
  @Test func `a variant that was left is taken back where the present one has failed for good`()
    throws
  {
    var switches: [SwitchReason] = []
    let session = try Session(
      [
        FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*video-0/segment1*")),
        FaultRule(.status(410), label: LabelPattern("*video-1/segment3*")),
      ]
    ) { settings in
      settings.presentation.variants.removeLast()
      settings.adaptation = .throughput
      settings.automaticForwardBuffer = .seconds(20)
      settings.errors.recoversAfter = .seconds(20)
    }
    session.player.observe { record in
      if case .variantSwitchStarted(_, _, let reason, _) = record.observation {
        switches.append(reason)
      }
    }
    #expect(session.world.run() == .finished)
    #expect(session.switches == [1, 0] && session.failures.count == 2)
    #expect(switches == [.trouble(.requestFailed), .chosen(.notEligible)])
    #expect(session.player.books.stallCount == 0)
    #expect(session.player.books.played == .seconds(120) && session.world.finish() == [])
  }

  /// A rule that stays would not find back by itself; one that goes by the throughput does.
  @Test func `a variant that was left for trouble is come back to by who stays with it`() throws {
    let session = try Session(
      [FaultRule(.status(503), numbers: 1...1, label: LabelPattern("*video-*/segment2*"))]
    ) { settings in
      settings.adaptation = .fixed
      settings.automaticForwardBuffer = .seconds(20)
    }
    #expect(session.world.run() == .finished)
    #expect(session.switches == [1, 0] && session.failures.count == 1)
    #expect(session.player.books.stallCount == 0 && session.world.finish() == [])
  }

  @Test(arguments: [(1_000_001, 0), (1_000_000, 0), (999_999, 12)] as [(Int64, Int)])
  func `segments of 1.1 Mbit per second are a tenth above a megabit, and none may be more`(
    bandwidth: Int64, count: Int
  ) throws {
    let presentation = try Presentation(
      LadderDescription(
        rungs: [LadderRung(resolution: nil, bitRate: 1_100_000)], segmentDuration: .seconds(10),
        duration: .seconds(120)))
    let session = try Session([]) { settings in
      settings.presentation = presentation
      settings.presentation.variants[0].attributes.bandwidth = bandwidth
    }
    #expect(session.world.run() == .finished)
    #expect(session.errors.map(\.statusCode) == Array(repeating: -12_318, count: count))
    #expect(session.world.finish() == [])
  }
}
