import SimulatedWorld
import Testing

/// House rule 7: a run whose books do not balance is reported.
@Suite struct BooksTests {
  private var books = PlayerBooks(at: .zero)
  private let timebase = Timebase(at: .seconds(4), time: .seconds(8), rate: .zero)

  /// Plays eight seconds of media in four.
  private func played() -> PlayerBooks {
    var books = books
    books.placed(at: .zero)
    books.close(.playing, waitingOut: nil, PlaybackRate(2), at: .seconds(4))
    books.advanced(by: .seconds(8))
    return books
  }

  @Test func `media that is rate × time balances`() {
    #expect(played().mediaBalances(timebase, at: .seconds(4)))
  }

  @Test func `media that came from nowhere, or went, does not`() {
    for error in [MediaTime.milliseconds(-1), MediaTime(nanoseconds: 5), .seconds(1)] {
      var books = played()
      books.advanced(by: error)
      var moved = timebase
      moved.set(time: .seconds(8) + error, rate: .zero, at: .seconds(4))
      #expect(!books.mediaBalances(moved, at: .seconds(4)), "\(error)")
    }
  }

  @Test func `a playhead that stands elsewhere does not, unless it jumped there`() {
    var moved = timebase
    moved.set(time: .seconds(20), rate: .zero, at: .seconds(4))
    var books = played()
    #expect(!books.mediaBalances(moved, at: .seconds(4)))
    books.jumped(by: .seconds(12))
    #expect(books.mediaBalances(moved, at: .seconds(4)))
  }

  /// Four seconds of playing, a stall, and what the app or the media makes of it at once.
  @Test func `a stall that nobody waits out ends where it begins`() {
    var paused = played()
    paused.ranDry(.seconds(8), .dry, at: .seconds(4))
    #expect(paused.stallCount == 1 && paused.stalls.map(\.end) == [nil])
    paused.close(.paused, waitingOut: nil, .zero, at: .seconds(6))
    #expect(paused.stalls.map(\.end) == [.seconds(4)] && paused.stalls[0].length == .zero)
    var moved = played()
    moved.ranDry(.seconds(8), .dry, at: .seconds(4))
    moved.moved(at: .seconds(4))
    #expect(moved.stalls.map(\.end) == [.seconds(4)])
    // Another one ends that before it.
    var twice = played()
    twice.ranDry(.seconds(8), .dry, at: .seconds(4))
    twice.ranDry(.seconds(8), .aboveReserve, at: .seconds(4))
    #expect(twice.stalls.map(\.end) == [.seconds(4), nil] && twice.stallCount == 2)
    // A pause ends it, and whoever waits on goes on with the same.
    var waited = played()
    waited.ranDry(.seconds(8), .dry, at: .seconds(4))
    waited.close(.waiting(.toMinimizeStalls), waitingOut: .resume, .zero, at: .seconds(6))
    waited.close(.paused, waitingOut: nil, .zero, at: .seconds(7))
    #expect(waited.stalls.map(\.end) == [.seconds(6)])
    waited.close(.waiting(.toMinimizeStalls), waitingOut: .resume, .zero, at: .seconds(9))
    #expect(waited.stalls.map(\.end) == [nil] && waited.stalls[0].length == .seconds(4))
    #expect(waited.stalled == .seconds(4) && waited.paused == .seconds(1))
  }

  /// A quarter of the clock, in fours of nanoseconds: what lies beyond is added to nothing else.
  @Test(
    arguments: [
      (0, true), (1, false), (2_305_843_009_213_693_947, false), (2_305_843_009_213_693_948, true),
      (-1, false), (-2_305_843_009_213_693_947, false), (-2_305_843_009_213_693_948, true),
      (.max, true),
    ] as [(Int64, Bool)])
  func `past the ends of the clock nothing has to add up`(nanoseconds: Int64, balances: Bool) {
    let time = MediaTime(nanoseconds: nanoseconds)
    #expect(books.mediaBalances(Timebase(time: time), at: .zero) == balances)
    var jumped = books
    jumped.jumped(by: time)
    #expect(jumped.mediaBalances(Timebase(), at: .zero) == balances)
  }

  @Test func `a rate that leaves remainders is balanced by a nanosecond a booking`() {
    var books = books
    let rate = PlaybackRate(2, over: 3)
    for instant in 1...1_000 {
      books.close(
        .playing, waitingOut: nil, rate, at: Instant(nanoseconds: Int64(instant) * 1_000_003))
    }
    let end = Instant(nanoseconds: 1_000_003_000)
    let timebase = Timebase(rate: rate)
    #expect(timebase.time(at: end) == MediaTime(nanoseconds: 666_668_666))
    #expect(books.mediaBalances(timebase, at: end))
  }

  @Test func `a run through everything that moves a playhead balances`() throws {
    let bench = try Bench(speed: 1_700)
    let player = bench.player
    player.rate = PlaybackRate(3, over: 2)
    bench.pass(7)
    try player.seek(to: .seconds(3))
    bench.pass(2)
    try player.seek(to: .seconds(31))
    bench.pass(3)
    player.automaticallyWaitsToMinimizeStalling = false
    try player.setRate(
      PlaybackRate(2, over: 3), time: .seconds(12), atHostTime: bench.world.now + .seconds(2))
    bench.pass(5)
    player.replaceCurrentItem(with: Bench.item { $0.startTime = .seconds(5) })
    bench.pass(1)
    player.playImmediately(atRate: PlaybackRate(5, over: 4))
    bench.pass(4)
    #expect(bench.world.finish() == [])
    #expect(player.books.mediaAdvanced > .seconds(10))
  }
}
