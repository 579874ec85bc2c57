import Autowait
import LinkConditioner
import Recording
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// The requests up to the first motion and what they waited for, from records that were made up.
@Suite struct StartupFoldTests {
  private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private static func id(_ number: Int32) -> TransferID { TransferID(rawValue: number) }

  private static func after(
    _ number: Int32?, track: TrackKind? = .main, retries old: Int32? = nil
  ) -> RequestOrigin {
    RequestOrigin(track: track, after: number.map(id), retries: old.map(id))
  }

  private typealias Event = PlaybackObservation

  private static func ask(
    _ number: Int32, _ kind: ResourceKind, _ origin: RequestOrigin
  ) -> Event {
    .resourceRequested(id(number), kind, bytes: 10, origin)
  }

  private static func ask(_ number: Int32, _ origin: RequestOrigin) -> Event {
    ask(number, .mediaSegment, origin)
  }

  private static func part(_ number: Int32, after other: Int32? = nil) -> Event {
    .requestStarted(id(number), firstByte: 0, after(other, track: nil))
  }

  private static func done(_ number: Int32) -> Event { .requestCompleted(id(number), bytes: 10) }

  private static func broken(_ number: Int32) -> Event {
    .requestFailed(id(number), .timedOut, bytes: 3, retriedAt: nil)
  }

  private static func control(_ control: TimeControl) -> Event {
    .timeControl(control, .waitsForBuffer, nil)
  }

  private static let motion = Event.timebase(.normal, from: .zero)

  private static func fold(_ events: [(Int64, Event)]) -> StartupFold {
    var fold = StartupFold(headAtom: nil)
    for (instant, event) in events { fold.see(Record(.player(event), at: at(instant))) }
    return fold
  }

  /// The pieces of the path in words: the cause, from when, and until when.
  private static func path(
    _ events: [(Int64, Event)], asked: Int64 = 0, _ spans: [Range<Int64>] = [0..<9_000]
  ) -> String {
    let report = fold(events).result(
      asked: at(asked), spans.map { at($0.lowerBound)..<at($0.upperBound) })
    return report.path.map { piece in
      let cause =
        switch piece.cause {
        case .request(let id): "\(id.rawValue)"
        case .retry: "retry"
        case .evaluation: "evaluation"
        case .pause: "pause"
        case .pipeline: "pipeline"
        case .app: "app"
        }
      let ends = [piece.start, piece.end].map { $0.nanoseconds / 1_000_000 }
      return "\(cause) \(ends[0])-\(ends[1])"
    }.joined(separator: ", ")
  }

  /// A playlist, the variant's playlist and a segment, one after the other.
  private static let chain: [(Int64, Event)] = [
    (0, ask(1, .multivariantPlaylist, after(nil, track: nil))), (100, done(1)),
    (100, ask(2, .mediaPlaylist, after(1))), (250, done(2)), (250, ask(3, after(2))),
    (400, done(3)),
  ]

  // MARK: The path

  @Test func `each request waited for the one whose end let it begin`() {
    let path = Self.path(Self.chain + [(400, Self.control(.playing)), (400, Self.motion)])
    #expect(path == "1 0-100, 2 100-250, 3 250-400")
    let later = Self.path(Self.chain + [(420, Self.control(.playing)), (450, Self.motion)])
    #expect(later == "1 0-100, 2 100-250, 3 250-400, app 400-420, pipeline 420-450")
  }

  /// The player evaluates from 300 ms on, until another reason or its start is told.
  @Test(
    arguments: [
      ([], "app"), ([(300, .waiting(.evaluatingBufferingRate))], "evaluation"),
      (
        [(300, .waiting(.evaluatingBufferingRate)), (310, .waiting(.toMinimizeStalls))], "app"
      ), ([(300, .waiting(.toMinimizeStalls))], "app"),
      (
        [(300, .waiting(.toMinimizeStalls)), (310, .waiting(.evaluatingBufferingRate))],
        "evaluation"
      ),
    ] as [([(Int64, TimeControl)], String)])
  func `what follows the last request is the evaluation, where there was one`(
    controls: [(Int64, TimeControl)], cause: String
  ) {
    let told = controls.map { ($0.0, Self.control($0.1)) }
    let end: [(Int64, Event)] = [(450, Self.control(.playing)), (500, Self.motion)]
    var events = Self.chain
    events.insert(contentsOf: told, at: 5)
    let path = Self.path(events + end)
    #expect(path == "1 0-100, 2 100-250, 3 250-400, \(cause) 400-450, pipeline 450-500")
  }

  @Test func `a grant that was taken back is none`() {
    let taken: [(Int64, Event)] = [
      (400, Self.control(.playing)), (430, Self.control(.waiting(.toMinimizeStalls))),
      (500, Self.motion),
    ]
    let path = "1 0-100, 2 100-250, 3 250-400"
    #expect(Self.path(Self.chain + taken) == path + ", app 400-500")
    let again =
      Self.chain + Array(taken.prefix(2)) + [(480, Self.control(.playing)), (500, Self.motion)]
    #expect(Self.path(again) == path + ", app 400-480, pipeline 480-500")
  }

  @Test func `a broken request was waited for, the delay behind it, and the next try`() {
    let events: [(Int64, Event)] = [
      (0, Self.ask(1, Self.after(nil))), (100, Self.broken(1)),
      (300, Self.ask(2, Self.after(nil, retries: 1))), (350, Self.broken(2)),
      (650, Self.ask(3, Self.after(2, retries: 2))), (700, Self.done(3)),
      (700, Self.control(.playing)), (700, Self.motion),
    ]
    #expect(Self.path(events) == "1 0-100, retry 100-300, 2 300-350, retry 350-650, 3 650-700")
    // A request in whose place nothing ended is no reason to wait, and an unknown one neither.
    let open: [(Int64, Event)] = [
      (0, Self.ask(1, Self.after(nil))), (300, Self.ask(2, Self.after(nil, retries: 1))),
      (350, Self.done(2)), (350, Self.control(.playing)), (350, Self.motion),
    ]
    #expect(Self.path(open) == "1 0-300, 2 300-350")
    let unknown: [(Int64, Event)] = [
      (0, Self.ask(1, Self.after(nil))), (50, Self.done(1)),
      (80, Self.ask(2, Self.after(1, retries: 9))), (350, Self.done(2)),
      (350, Self.control(.playing)), (350, Self.motion),
    ]
    #expect(Self.path(unknown) == "1 0-80, 2 80-350")
  }

  @Test(arguments: [
    (ResourceKind.mediaSegment, TrackKind.main, true), (.mediaSegment, .audio, true),
    (.mediaSegment, .subtitles, false), (.contentKey, .main, true), (.mapSegment, .main, false),
    (.mediaPlaylist, .audio, false), (.multivariantPlaylist, .main, false),
  ])
  func `the last gain of a stream's buffer is a segment or a key, but no subtitles`(
    kind: ResourceKind, track: TrackKind, isGain: Bool
  ) {
    let events: [(Int64, Event)] = [
      (0, Self.ask(1, Self.after(nil))), (0, Self.ask(2, kind, Self.after(nil, track: track))),
      (100, Self.done(1)), (200, Self.done(2)), (200, Self.control(.playing)), (200, Self.motion),
    ]
    #expect(Self.path(events) == (isGain ? "2 0-200" : "1 0-100, app 100-200"))
  }

  /// A file's request that ended in the very instant comes first, then one that goes on, and then
  /// the last that is complete.
  @Test(
    arguments: [
      ([(0, part(1)), (100, part(2)), (400, done(1))], "1 0-400"),
      ([(0, part(1)), (100, part(2)), (300, done(1))], "app 0-100, 2 100-400"),
      ([(0, part(1)), (100, part(2)), (300, done(2))], "1 0-400"),
      (
        [(0, part(1)), (100, part(2)), (300, done(2)), (350, done(1))],
        "app 0-100, 2 100-300, app 300-400"
      ),
      ([(0, part(1)), (100, part(2)), (300, done(1)), (400, broken(2))], "1 0-300, app 300-400"),
      ([(0, part(1)), (100, part(2)), (300, broken(1)), (400, broken(2))], "app 0-400"),
      ([(0, part(1)), (100, part(2)), (400, done(1)), (400, done(2))], "app 0-100, 2 100-400"),
      ([(0, part(1)), (100, done(1)), (100, part(2, after: 1))], "1 0-100, 2 100-400"),
    ] as [([(Int64, PlaybackObservation)], String)])
  func `a file waits for what flows`(events: [(Int64, PlaybackObservation)], path: String) {
    #expect(Self.path(events + [(400, Self.motion)]) == path)
  }

  @Test func `a start before the call is none, and pauses are cut out`() {
    let end: [(Int64, Event)] = [(400, Self.control(.playing)), (450, Self.motion)]
    let events = Self.chain + end
    #expect(Self.path(events, asked: 150, [150..<450]) == "2 150-250, 3 250-400, pipeline 400-450")
    #expect(Self.path(events, asked: 250, [250..<450]) == "3 250-400, pipeline 400-450")
    #expect(Self.path(events, asked: 420, [420..<450]) == "pipeline 420-450")
    #expect(Self.path(events, asked: 450, []) == "")
    let paused = Self.path(events, asked: 50, [50..<80, 150..<300, 420..<440])
    #expect(
      paused == "1 50-80, pause 80-100, pause 100-150, 2 150-250, 3 250-300, pause 300-400, "
        + "pause 400-420, pipeline 420-440, pause 440-450")
  }

  @Test func `the requests on the path are marked, and counted`() {
    let other: [(Int64, Event)] = [(0, Self.ask(7, Self.after(nil, track: .audio)))]
    let fold = Self.fold(
      other + Self.chain + [(400, Self.control(.playing)), (450, Self.motion)])
    let report = fold.result(asked: Self.at(150), [Self.at(150)..<Self.at(450)])
    // The first of the chain was over when the app asked.
    #expect(report.stages.map { $0.isOnPath } == [false, false, true, true])
    #expect(report.stageCount == 2 && report.began == Self.at(450))
    let unasked = fold.result(asked: nil, [])
    #expect(unasked.path == [] && unasked.stageCount == 0 && unasked.stages.count == 4)
    let still = Self.fold(Self.chain + [(400, .timebase(.zero, from: .zero))])
    let open = still.result(asked: .zero, [.zero..<Self.at(900)])
    #expect(open.began == nil && open.path == [] && open.asked == .zero)
  }

  @Test func `what comes after the first motion is not followed`() {
    var fold = Self.fold(Self.chain + [(400, Self.control(.playing)), (400, Self.motion)])
    fold.see(Record(.player(Self.ask(4, Self.after(3))), at: Self.at(400)))
    fold.see(Record(.player(Self.control(.waiting(.toMinimizeStalls))), at: Self.at(500)))
    fold.see(Record(.player(Self.motion), at: Self.at(700)))
    let report = fold.result(asked: .zero, [.zero..<Self.at(900)])
    #expect(report.stages.count == 3 && report.began == Self.at(400))
    #expect(report.path.count == 3)
  }

  @Test func `the first 512 requests are followed`() {
    var events: [(Int64, Event)] = []
    for number in 1...513 { events.append((Int64(number), Self.part(Int32(number)))) }
    let report = Self.fold(events).result(asked: nil, [])
    #expect(report.stages.count == 512 && report.stages.last?.id == Self.id(512))
  }

  // MARK: Requests

  @Test func `a request has what its records tell of it`() throws {
    var fold = RequestFold(most: 3, headAtom: 40)
    func see(_ event: Event, _ instant: Int64, item: String? = nil, connection: Int32? = nil) {
      var record = Record(.player(event), at: Self.at(instant))
      record.item = item
      record.steps = connection.map {
        var steps = RequestSteps()
        steps.connection = $0
        return steps
      }
      fold.see(record)
    }
    var origin = Self.after(5, track: .audio, retries: 6)
    (origin.variant, origin.media) = (2, .seconds(4)..<(.seconds(8)))
    see(.requestStarted(Self.id(7), firstByte: 40, Self.after(1, track: nil, retries: 2)), 1)
    see(.resourceRequested(Self.id(8), .mediaSegment, bytes: 99, origin), 2, item: "b")
    see(.requestStarted(Self.id(9), firstByte: 41), 3)
    see(.requestStarted(Self.id(10), firstByte: 40), 3)
    see(.requestResponded(Self.id(8)), 4, connection: 3)
    see(.requestResponded(Self.id(10)), 4, connection: 4)
    var eighth = try #require(fold.request(Self.id(8)))
    #expect(eighth.responded == Self.at(4) && eighth.steps?.connection == 3)
    #expect(eighth.ended == nil && eighth.received == nil && eighth.outcome == .underWay)
    see(.requestCancelled(Self.id(8), bytes: 55), 5, connection: 6)
    see(.requestResponded(Self.id(8)), 6, connection: 7)
    see(.requestCompleted(Self.id(8), bytes: 77), 7, connection: 8)
    eighth = try #require(fold.request(Self.id(8)))
    #expect(eighth.ended == Self.at(5) && eighth.outcome == .cancelled && eighth.received == 55)
    #expect(eighth.responded == Self.at(4) && eighth.steps?.connection == 6)
    #expect(eighth.item == "b" && eighth.bytes == 99 && eighth.requested == Self.at(2))
    #expect(eighth.resource == .mediaSegment && eighth.track == .audio && eighth.variant == 2)
    #expect(eighth.after == Self.id(5) && eighth.retries == Self.id(6))
    #expect(eighth.media == .seconds(4)..<(.seconds(8)) && eighth.firstByte == 0)
    #expect(!eighth.isHeadAtom && !eighth.isOnPath)
    see(.requestCompleted(Self.id(9), bytes: 11), 8)
    see(.requestFailed(Self.id(7), .timedOut, bytes: 12, retriedAt: nil), 9, connection: 1)
    #expect(fold.result.map { $0.id } == [7, 8, 9].map { Self.id($0) })
    #expect(fold.result.map { $0.outcome } == [.failed, .cancelled, .completed])
    #expect(fold.result.map { $0.received } == [12, 55, 11])
    #expect(fold.result.map { $0.isHeadAtom } == [true, false, false])
    #expect(fold.result.map { $0.firstByte } == [40, 0, 41])
    #expect(fold.result.map { $0.after } == [Self.id(1), Self.id(5), nil])
    #expect(fold.result.map { $0.retries } == [Self.id(2), Self.id(6), nil])
    #expect(fold.result.map { $0.ended } == [Self.at(9), Self.at(5), Self.at(8)])
    #expect(fold.request(Self.id(10)) == nil)
  }

  @Test func `of two requests of one number the latest is meant`() {
    var fold = RequestFold(most: 9)
    for (instant, event) in [
      (1, Self.part(1)), (2, Self.part(2)), (3, Self.part(1)), (4, .requestResponded(Self.id(1))),
      (5, Self.done(1)), (6, Self.broken(1)), (7, Self.done(1)),
    ] as [(Int64, Event)] {
      fold.see(Record(.player(event), at: Self.at(instant)))
    }
    #expect(fold.result.map { $0.responded } == [nil, nil, Self.at(4)])
    #expect(fold.result.map { $0.ended } == [Self.at(6), nil, Self.at(5)])
    #expect(fold.request(Self.id(1))?.requested == Self.at(3))
  }

  @Test(
    arguments: [
      (0, .end, false), (1, .end, true), (500, .end, true), (500, .front, false),
    ] as [(Int64, MediaFile.HeadAtomPosition, Bool)])
  func `a head atom is apart where it has a size and lies behind the media`(
    bytes: Int64, position: MediaFile.HeadAtomPosition, isApart: Bool
  ) {
    let file = MediaFile(
      map: ByteMap(duration: .seconds(4), bytes: 1_000), headAtomBytes: bytes,
      headAtomPosition: position)
    var folds = PlayerFolds(of: file, namesItems: false, isShown: false)
    for (number, byte) in [0, 999, 1_000, 1_001].enumerated() {
      let request = Event.requestStarted(Self.id(Int32(number)), firstByte: Int64(byte))
      folds.see(Record(.player(request), at: .zero))
    }
    let stages = folds.startup.result(asked: nil, []).stages
    #expect(stages.map { $0.isHeadAtom } == [false, false, isApart, false])
  }
}
