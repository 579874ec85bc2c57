import LinkConditioner
import SimulatedPlayback
import Testing
import VirtualTime

/// What is done about lists that do not come: five lists, of which three are troubled here and
/// there.
@Suite struct StreamTroublesTests {
  private var troubles = StreamTroubles()

  private mutating func remedy(
    _ lists: [Int], _ reason: TransferFailure = .httpStatus(503), after seconds: Int64 = 0,
    attempts: Int32 = 3, areSubtitles: Bool = false, alternative: Int? = nil
  ) -> StreamRemedy {
    troubles.remedy(
      for: lists, reason, by: RetryPolicy(attempts: attempts), of: 5, areSubtitles: areSubtitles,
      at: .seconds(seconds)
    ) { alternative }
  }

  @Test mutating func `nothing is troubled before something fails`() {
    #expect(troubles.isEmpty)
    #expect(!troubles.isWaiting(2, at: .zero))
    #expect(troubles.barred(at: .zero) == [])
    #expect(troubles.nextInstant(after: .zero, hasFailed: true) == .distantFuture)
  }

  @Test mutating func `without an alternative it is tried again after one, two and four seconds`() {
    #expect(remedy([2]) == .retry(at: .seconds(1)))
    #expect(remedy([2], after: 1) == .retry(at: .seconds(3)))
    #expect(remedy([2], after: 3) == .retry(at: .seconds(7)))
    #expect(remedy([2], after: 7) == .nothing)
  }

  @Test(arguments: [
    (TransferFailure.httpStatus(503), StreamRemedy.variant(4)),
    (.httpStatus(404), .variant(4)), (.httpStatus(410), .variant(4)), (.timedOut, .variant(4)),
    (.tooManyTransfers, .variant(4)), (.impossibleSize, .variant(4)),
    // A connection that is lost says nothing of the variant.
    (.connectionReset, .retry(at: .seconds(1))),
  ])
  mutating func `another variant comes before a retry`(
    reason: TransferFailure, expected: StreamRemedy
  ) {
    #expect(remedy([0], reason, alternative: 4) == expected)
  }

  @Test(arguments: [
    (TransferFailure.httpStatus(404), true), (.httpStatus(408), true), (.httpStatus(429), true),
    (.httpStatus(500), true), (.httpStatus(503), true), (.httpStatus(400), false),
    (.httpStatus(403), false), (.httpStatus(410), false), (.httpStatus(501), false),
    (.httpStatus(505), false), (.timedOut, true), (.connectionReset, true),
    (.impossibleSize, false),
  ])
  mutating func `only what may be over the next time is tried again`(
    reason: TransferFailure, isTried: Bool
  ) {
    #expect(remedy([1], reason) == (isTried ? .retry(at: .seconds(1)) : .nothing))
  }

  @Test mutating func `a connection that is lost again and again sends to another variant`() {
    #expect(remedy([0], .connectionReset, attempts: 1, alternative: 3) == .retry(at: .seconds(1)))
    #expect(remedy([0], .connectionReset, attempts: 1, alternative: 3) == .variant(3))
  }

  @Test mutating func `playback goes on without subtitles that do not come`() {
    #expect(remedy([4], attempts: 1, areSubtitles: true, alternative: 2) == .retry(at: .seconds(1)))
    #expect(remedy([4], attempts: 1, areSubtitles: true, alternative: 2) == .withoutSubtitles)
    #expect(remedy([4], .httpStatus(410), areSubtitles: true) == .withoutSubtitles)
  }

  @Test mutating func `a list waits for its retry, and no other does`() {
    _ = remedy([1, 3])
    #expect((0..<5).map { troubles.isWaiting($0, at: .zero) } == [false, true, false, true, false])
    #expect(!troubles.isWaiting(1, at: .seconds(1)))
    #expect(troubles.nextTry == .seconds(1))
    #expect(troubles.nextInstant(after: .zero, hasFailed: false) == .seconds(1))
    // An instant that has come is none to wait for.
    #expect(troubles.nextInstant(after: .seconds(1), hasFailed: false) == .distantFuture)
    _ = remedy([2], after: 1)
    troubles.findNextTry(after: .seconds(1))
    #expect(troubles.nextTry == .seconds(2))
    troubles.findNextTry(after: .seconds(2))
    #expect(troubles.nextTry == .distantFuture)
  }

  @Test mutating func `the most strikes of one of the lists count`() {
    #expect(troubles.strike([1], of: 5) == 1)
    #expect(troubles.strike([1], of: 5) == 2)
    #expect(troubles.strike([0, 1], of: 5) == 3)
    #expect(troubles.strike([0], of: 5) == 2)
  }

  @Test mutating func `what comes makes good, a segment more than a playlist`() {
    _ = troubles.strike([1], of: 5)
    troubles.bar([1], for: .seconds(30), mostBars: 9, at: .zero)
    _ = troubles.strike([1], of: 5)
    troubles.came(1, isSegment: false)
    #expect(troubles.strike([1], of: 5) == 1)
    // The playlist came: the next bar is still the second.
    troubles.bar([1], for: .seconds(30), mostBars: 9, at: .seconds(100))
    #expect(troubles.nextRelease == .seconds(160))
    troubles.came(1, isSegment: true)
    troubles.bar([1], for: .seconds(30), mostBars: 9, at: .seconds(200))
    #expect(troubles.nextRelease == .seconds(230))
  }

  @Test mutating func `each time that a list is left alone is twice as long, until it is for good`()
  {
    _ = troubles.strike([0], of: 5)
    var ends: [Instant] = []
    for _ in 0..<4 {
      troubles.bar([0], for: .seconds(30), mostBars: 3, at: .zero)
      ends.append(troubles.nextRelease)
    }
    #expect(ends == [.seconds(30), .seconds(60), .seconds(120), .distantFuture])
    #expect(troubles.barred(at: .seconds(1_000_000)) == [0])
  }

  @Test mutating func `lists are released one by one`() {
    _ = troubles.strike([0], of: 5)
    troubles.bar([0, 2], for: .seconds(30), mostBars: 3, at: .zero)
    troubles.bar([3], for: .seconds(30), mostBars: 3, at: .seconds(10))
    #expect(troubles.barred(at: .seconds(29)) == [0, 2, 3])
    #expect(troubles.barred(at: .seconds(30)) == [3])
    #expect(troubles.nextRelease == .seconds(30))
    // Nobody waits for a list while another is played.
    #expect(troubles.nextInstant(after: .seconds(10), hasFailed: false) == .distantFuture)
    #expect(troubles.nextInstant(after: .seconds(10), hasFailed: true) == .seconds(30))
    #expect(troubles.nextInstant(after: .seconds(30), hasFailed: true) == .distantFuture)
    troubles.findNextRelease(after: .seconds(30))
    #expect(troubles.nextRelease == .seconds(40))
    troubles.isOver = true
    #expect(troubles.nextInstant(after: .seconds(10), hasFailed: true) == .distantFuture)
  }
}
