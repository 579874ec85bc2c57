import LinkConditioner
import Testing
import VirtualTime

@Suite struct SlowStartTests {
  /// Round trips by RFC 6928 and 5681: 10, 20, 40, ... segments.
  @Test(
    arguments: [(1, 2), (10, 2), (11, 3), (30, 3), (31, 4), (68, 4), (80, 5)],
    [CongestionControl.reno, .cubic])
  func `without a limit the window doubles each round trip`(
    _ row: (segments: Int64, roundTrips: Int64), control: CongestionControl
  ) {
    let bytes = row.segments * 1448 - PacketSession.headerBytes
    let done = fetched(
      bytes, over: link(delayMilliseconds: 50),
      options: ConnectionOptions(congestionControl: control))
    #expect(done == milliseconds(100 * row.roundTrips))
  }

  @Test func `a small object over a slow link takes what its packets weigh`() {
    // Connect: 2 × 592 µs. Then the handshake's 66 bytes and the request's 466 up, the server's
    // acknowledgement of 66 and segments of 1,514 and 868 bytes down, 8 µs a byte.
    let done = fetched(
      2_000, over: link(down: mebibits(1), up: mebibits(1), delayMilliseconds: 50))
    let wire: Int64 = 74 + 74 + 66 + 466 + 66 + 1_514 + 868
    #expect(done == microseconds(200_000 + wire * 8))
  }

  @Test func `a full pipe carries 1448 of 1514 bytes`() throws {
    let bytes: Int64 = 1_448_000
    let done = try #require(
      fetched(bytes, over: link(down: mebibits(10), up: mebibits(10), delayMilliseconds: 5)))
    // The wire time of all segments, plus two round trips and what fills the pipe.
    let wire = 1_000 * 1_514 * 8 / 10
    #expect(done >= microseconds(Int64(wire)))
    #expect(done <= microseconds(Int64(wire) + 30_000))
  }

  @Test func `a link that passes idle packets at once is one serialisation faster each way`() {
    let conditions = link(down: mebibits(1), up: mebibits(1), delayMilliseconds: 50)
    var serialised = PacketSession(conditions)
    var bucket = PacketSession(conditions, path: PathOptions(idleLink: .passesAtOnce))
    serialised.fetch([1_000])
    bucket.fetch([1_000])
    #expect(serialised.establishedAt == microseconds(100_000 + 2 * 592))
    #expect(bucket.establishedAt == microseconds(100_000))
  }

  @Test func `a window halves once for each timeout of idleness`() throws {
    var session = PacketSession(link(delayMilliseconds: 50))
    let bytes = 70 * 1448 - PacketSession.headerBytes
    session.fetch([bytes, bytes, bytes], pauses: [.zero, .zero, .seconds(5)])
    try #require(session.completions.count == 3)
    let warm = session.completions[1] - session.completions[0]
    let idle = session.completions[2] - session.completions[1] - .seconds(5)
    // At once: one round trip. After five seconds the window is the initial one: 10, 20, 40.
    #expect(warm == .milliseconds(100))
    #expect(idle == .milliseconds(300))
  }

  @Test func `without slow start after idle a pause costs nothing`() throws {
    var session = PacketSession(
      link(delayMilliseconds: 50), options: ConnectionOptions(slowStartAfterIdle: false))
    let bytes = 70 * 1448 - PacketSession.headerBytes
    session.fetch([bytes, bytes], pauses: [.zero, .seconds(5)])
    try #require(session.completions.count == 2)
    #expect(session.completions[1] - session.completions[0] == .milliseconds(5_100))
  }
}
