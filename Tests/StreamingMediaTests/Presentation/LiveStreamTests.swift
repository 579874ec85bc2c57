import StreamingMedia
import Testing
import VirtualTime

/// A stream that comes into being: what there is at an instant, against a count segment by segment.
@Suite struct LiveStreamTests {
  /// Segments of six seconds, the last of four, in parts of two.
  private let list = SegmentList(
    uri: "live.m3u8",
    segments: (0..<20).map { index in
      MediaSegment(
        start: .seconds(Int64(index) * 6), duration: .seconds(index == 19 ? 4 : 6), bytes: 600)
    }, naming: .numbered(prefix: "s", suffix: ".m4s"), targetDuration: .seconds(6),
    partDuration: .seconds(2))

  private let stopped = LiveStream(
    window: .sliding(.seconds(30)), startsWith: .seconds(10),
    stops: [
      EncoderStop(begins: .zero + .seconds(20), span: .seconds(7)),
      EncoderStop(begins: .zero + .seconds(40), span: .milliseconds(2_500)),
    ])

  private func instant(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// Encoded a millisecond at a time.
  @Test func `an encoder that stops goes on where it stopped`() {
    var encoded: Int64 = 10_000
    for millisecond in Int64(0)..<60_000 {
      #expect(stopped.produced(at: instant(millisecond)) == .milliseconds(encoded))
      let stands =
        (20_000..<27_000).contains(millisecond) || (40_000..<42_500).contains(millisecond)
      if !stands { encoded += 1 }
    }
  }

  @Test func `media is there at the first instant at which it has been encoded`() {
    for milliseconds in stride(from: Int64(0), to: 60_000, by: 250) {
      let time = MediaTime.milliseconds(milliseconds)
      let there = stopped.instant(producing: time)
      #expect(stopped.produced(at: there) >= time)
      if there > .zero {
        #expect(stopped.produced(at: there - .nanoseconds(1)) < time)
      }
    }
  }

  @Test(arguments: [0, 1, 5_999, 6_000, 29_999, 30_000, 61_000, 103_999, 117_999, 118_000, 900_000])
  func `a window lists whole segments, the newest of them`(milliseconds: Int64) {
    let time = MediaTime.milliseconds(milliseconds)
    let whole = list.segments.indices.filter { list.segments[$0].end <= time }
    let window = stopped.listing(of: list, whenProduced: time)
    #expect(window.segments.upperBound == whole.count)
    let edge = whole.last.map { list.segments[$0].end } ?? .zero
    let listed = whole.filter { list.segments[$0].start >= max(.zero, edge - .seconds(30)) }
    #expect(Array(window.segments) == listed)
    #expect(window.isEnded == (whole.count == 20))
    #expect(list.end(of: window) == edge)
    var event = stopped
    event.window = .growing
    #expect(event.listing(of: list, whenProduced: time).segments == 0..<whole.count)
  }

  @Test(arguments: [(1, 600), (10, 600), (11, 546)] as [(Int64, Int)])
  func `a part lasts ten milliseconds at least`(milliseconds: Int64, parts: Int) {
    var list = list
    list.partDuration = .milliseconds(milliseconds)
    #expect(list.partCount(of: 0) == parts)
  }

  @Test func `a server of parts blocks, hints and reports unless told otherwise`() {
    #expect(
      LiveParts(holdBack: .seconds(6))
        == LiveParts(holdBack: .seconds(6), blocksReload: true, hints: true, reports: true))
  }

  @Test func `parts follow the last whole segment as they are encoded`() {
    var stream = stopped
    stream.parts = LiveParts(holdBack: .seconds(6))
    for milliseconds in stride(from: Int64(0), to: 118_000, by: 500) {
      let window = stream.listing(of: list, whenProduced: .milliseconds(milliseconds))
      let whole = milliseconds / 6_000
      #expect(window.segments.upperBound == Int(whole))
      #expect(window.trailingParts == Int((milliseconds - whole * 6_000) / 2_000))
      #expect(list.end(of: window) == .milliseconds(milliseconds / 2_000 * 2_000))
    }
  }

  /// Twenty segments of six seconds, the last of four, in parts of two.
  @Test func `a window reaches from its first segment to its last part`() {
    for first in 0...20 {
      for last in first...20 {
        for parts in 0...(last == 19 ? 2 : 3) {
          let window = LiveWindow(segments: first..<last, trailingParts: parts)
          #expect(list.start(of: window) == .seconds(min(118, Int64(first) * 6)))
          let whole = min(118, Int64(last) * 6)
          #expect(list.end(of: window) == .seconds(last == 20 ? 118 : whole + Int64(parts) * 2))
        }
      }
    }
  }

  @Test func `where playback begins`() {
    var stream = LiveStream(window: .sliding(.seconds(36)), startsWith: .seconds(63))
    let window = stream.listing(of: list, at: .zero)
    func start(_ configured: MediaTime? = nil) -> MediaTime {
      stream.start(in: list, window, configured: configured).time
    }
    #expect(start() == .seconds(42))
    stream.holdBack = .seconds(20)
    // Not nearer than 20 s, and with a whole segment.
    #expect(start() == .seconds(36))
    stream.start = StartPoint(offset: .seconds(-25), isPrecise: true)
    #expect(start() == .seconds(35))
    stream.start = StartPoint(offset: .seconds(-25))
    #expect(start() == .seconds(30))
    stream.start = StartPoint(offset: .seconds(4))
    #expect(start() == .seconds(24))
    stream.start = StartPoint(offset: .seconds(-500))
    #expect(start() == .seconds(24))
    // What the app configures goes before all that.
    #expect(start(.seconds(21)) == .seconds(39))
    #expect(start(.seconds(500)) == .seconds(24))
    stream.start = nil
    stream.parts = LiveParts(holdBack: .seconds(6))
    #expect(stream.start(in: list, stream.listing(of: list, at: .zero)).time == .seconds(56))
  }

  @Test(
    arguments: [
      (0, 0, nil, nil), (0, 1, 0, 0), (0, 2, 0, 1), (1, 0, 0, 2), (1, 1, 1, 0), (19, 0, 18, 2),
      (19, 1, 19, 0), (20, 0, 19, 1), (25, 0, 19, 1), (20, 1, 19, 1),
    ] as [(Int, Int, Int?, Int?)])
  func `the last part of a window is of its last segment, or of the one behind`(
    segments: Int, parts: Int, segment: Int?, part: Int?
  ) {
    let window = LiveWindow(segments: 0..<segments, trailingParts: parts)
    let last = list.last(in: window)
    #expect(last?.segment == segment && last?.part == part)
    var whole = list
    whole.partDuration = nil
    let lastWhole = whole.last(in: LiveWindow(segments: 0..<segments))
    #expect(lastWhole?.segment == (segments == 0 ? nil : min(segments, 20) - 1))
    #expect(lastWhole?.part == nil)
  }

  @Test func `a playlist says what the server promises`() throws {
    var window = LiveWindow(segments: 2..<8, isEvent: true, holdBack: .milliseconds(20_500))
    var whole = list
    whole.partDuration = nil
    let text = whole.liveText(window)
    #expect(text.contains("#EXT-X-SERVER-CONTROL:HOLD-BACK=20.5\n"))
    #expect(text.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"))
    window.isEvent = false
    window.parts = LiveParts(holdBack: .seconds(8), blocksReload: false, hints: false)
    window.trailingParts = 1
    let parts = list.liveText(window)
    #expect(parts.contains("#EXT-X-SERVER-CONTROL:HOLD-BACK=20.5,PART-HOLD-BACK=8\n"))
    #expect(!parts.contains("PRELOAD-HINT"))
    guard case .media(let media) = try Playlist.read(Array(parts.utf8)).playlist else {
      throw FixtureMismatch()
    }
    #expect(media.serverControl?.holdBack == .milliseconds(20_500))
    #expect(media.serverControl?.partHoldBack == .seconds(8))
    #expect(media.serverControl?.canBlockReload == false)
  }
}
