import Autowait
import PlayerPolicies
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// The accounts of a player's time, against its day gone through once more from the beginning.
@Suite struct BooksPropertyTests {
  /// A stretch of time in which nothing changed.
  private struct Stretch {
    var span: Range<Int64>
    var control: TimeControl
    var purpose: WaitPurpose?
    var isMoving: Bool
    /// Whether media had moved before, ever.
    var isLater: Bool

    var length: Int64 { span.upperBound - span.lowerBound }
    var isPlaying: Bool { control == .playing }
    /// Playing in name, while its pipeline is not ready.
    var isPipeline: Bool { isPlaying && !isMoving }
    var waitsFor: WaitPurpose? { isPlaying ? nil : purpose }
    var isStarting: Bool { waitsFor == .start || isPipeline && !isLater }
  }

  private struct Stall: Equatable {
    var start: Int64
    var end: Int64?
    var length: Int64 = 0
  }

  private static func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

  /// A day of stretches, as they are booked and as they are kept here.
  private struct Day {
    var books = PlayerBooks(at: BooksPropertyTests.instant(7))
    var stretches: [Stretch] = []
    var stalls: [Stall] = []
    var (now, hasStarted, startups, count) = (Int64(7), false, Int64(0), Int64(0))

    mutating func pass(_ draw: inout Draw) {
      let control = draw.one(of: [
        TimeControl.paused, .waiting(.toMinimizeStalls), .awaitingMedia, .playing, .playing,
      ])
      let isMoving = control == .playing && draw.chance(60)
      let purposes: [WaitPurpose?] = [.start, .resume, .resume, .seek, .goOn, nil]
      let purpose = isMoving ? nil : draw.one(of: purposes)
      let stretch = Stretch(
        span: now..<now + Int64(draw.below(4)) * 1_000_003, control: control, purpose: purpose,
        isMoving: isMoving, isLater: hasStarted)
      now = stretch.span.upperBound
      books.close(
        control, waitingOut: purpose, isMoving ? .normal : .zero,
        at: BooksPropertyTests.instant(now))
      if stretch.length == 0 { return }
      stretches.append(stretch)
      // A stall goes on as long as its end is waited for, from a pause on as well.
      if purpose == .resume, let last = stalls.indices.last {
        stalls[last].length += stretch.length
        stalls[last].end = nil
      } else {
        endStall(at: stretch.span.lowerBound)
      }
    }

    mutating func happen(_ draw: inout Draw) {
      endStall(at: now)
      if draw.chance(50) {
        books.moved(at: BooksPropertyTests.instant(now))
        startups += hasStarted ? 0 : 1
        hasStarted = true
      } else {
        books.ranDry(.seconds(count), .dry, at: BooksPropertyTests.instant(now))
        stalls.append(Stall(start: now, end: nil))
        count += 1
      }
    }

    private mutating func endStall(at instant: Int64) {
      if let last = stalls.indices.last, stalls[last].end == nil { stalls[last].end = instant }
    }

    func sum(_ isMeant: (Stretch) -> Bool) -> TimeSpan {
      TimeSpan(nanoseconds: stretches.filter(isMeant).reduce(0) { $0 + $1.length })
    }

    /// The stretches that the first startup is made of; those that touch are one.
    var startupSpans: [Range<Instant>] {
      var spans: [Range<Int64>] = []
      for stretch in stretches where stretch.isStarting && !stretch.isLater {
        if let last = spans.last, last.upperBound == stretch.span.lowerBound {
          spans[spans.count - 1] = last.lowerBound..<stretch.span.upperBound
        } else {
          spans.append(stretch.span)
        }
      }
      return spans.map {
        BooksPropertyTests.instant($0.lowerBound)..<BooksPropertyTests.instant($0.upperBound)
      }
    }
  }

  @Test func `each stretch is booked where it belongs, and once`() {
    var kept = 0
    for seed in Seeds.first(120, inRelease: 2_000) {
      var draw = Draw(seed: seed, part: "books")
      var day = Day()
      for _ in 0..<draw.within(5...40) {
        day.pass(&draw)
        if draw.chance(25) { day.happen(&draw) }
      }
      expectSums(day, seed)
      let books = day.books
      #expect(books.balances(at: Self.instant(day.now), since: Self.instant(7)))
      #expect(!books.balances(at: Self.instant(day.now + 1), since: Self.instant(7)))
      #expect(books.startupDelay == (day.hasStarted ? books.startup : nil))
      #expect(books.startupCount == day.startups && books.hasStarted == day.hasStarted)
      #expect(books.startupSpans == day.startupSpans)
      let told = books.stalls.map {
        Stall(
          start: ($0.start - Instant.zero).nanoseconds,
          end: $0.end.map { ($0 - Instant.zero).nanoseconds }, length: $0.length.nanoseconds)
      }
      #expect(told == day.stalls, "\(seed)")
      #expect(books.stallCount == day.count)
      #expect(books.stalls.map { $0.place } == (0..<day.count).map { .seconds($0) })
      kept += day.stalls.count
    }
    #expect(kept > 100)
  }

  private func expectSums(_ day: Day, _ seed: UInt64) {
    let books = day.books
    #expect(books.paused == day.sum { $0.control == .paused }, "\(seed)")
    #expect(books.waiting == day.sum { $0.control.isWaiting || $0.isPipeline }, "\(seed)")
    #expect(books.played == day.sum { $0.isMoving })
    #expect(books.pipeline == day.sum { $0.isPipeline && $0.isLater }, "\(seed)")
    #expect(books.startup == day.sum { $0.isStarting && !$0.isLater }, "\(seed)")
    #expect(books.laterStartups == day.sum { $0.isStarting && $0.isLater }, "\(seed)")
    #expect(books.itemStartup == day.sum { $0.isStarting })
    #expect(books.stalled == day.sum { $0.waitsFor == .resume })
    #expect(books.seekWaiting == day.sum { $0.waitsFor == .seek })
    #expect(books.pausedFor.startup == day.sum { $0.control == .paused && $0.purpose == .start })
    #expect(books.pausedFor.stalled == day.sum { $0.control == .paused && $0.purpose == .resume })
    #expect(books.pausedFor.seeking == day.sum { $0.control == .paused && $0.purpose == .seek })
  }

  /// The first 4,096 stalls are kept, and none that comes later lengthens the last of them.
  @Test func `of very many stalls the first thousands are kept`() {
    var books = PlayerBooks(at: .zero)
    for number in Int64(0)..<4_100 {
      books.close(.playing, waitingOut: nil, .normal, at: .seconds(number * 10 + 5))
      books.ranDry(.seconds(number), .dry, at: .seconds(number * 10 + 5))
      books.close(
        .waiting(.toMinimizeStalls), waitingOut: .resume, .zero, at: .seconds(number * 10 + 10))
      books.moved(at: .seconds(number * 10 + 10))
    }
    #expect(books.stallCount == 4_100 && books.stalls.count == 4_096)
    #expect(books.stalls.allSatisfy { $0.length == .seconds(5) })
    #expect(books.stalls.last?.end == .seconds(40_960))
    #expect(books.stalled == .seconds(5 * 4_100) && books.startupCount == 1)
  }

  @Test func `the first request counts, and the delay of the app before it`() {
    var books = PlayerBooks(at: .zero)
    #expect(books.tapToMotion == nil && books.startupDelay == nil)
    books.appAsked(at: .seconds(3))
    books.appAsked(at: .seconds(4))
    #expect(books.firstRequest == .seconds(3) && books.firstTap == nil)
    books.close(.paused, waitingOut: nil, .zero, at: .seconds(3))
    books.close(.waiting(.toMinimizeStalls), waitingOut: .start, .zero, at: .seconds(5))
    books.moved(at: .seconds(5))
    #expect(books.startupDelay == .seconds(2) && books.tapToMotion == .seconds(2))
    #expect(books.startupSpans == [.seconds(3) ..< .seconds(5)])
  }

  // MARK: Retries

  @Test func `a clock lets nothing be asked for before its time, and counts anew after progress`() {
    var clock = RetryClock(RetryPolicy(attempts: 2, backOff: .seconds(1)))
    #expect(clock.due == .distantFuture)
    var answers = [clock.allows(at: .zero)]
    #expect(clock.broke(at: .seconds(10)) == .seconds(11))
    answers += [clock.allows(at: Self.instant(10_999_999_999)), clock.allows(at: .seconds(11))]
    #expect(clock.due == .distantFuture)
    #expect(clock.broke(at: .seconds(12)) == .seconds(14))
    #expect(clock.due == .seconds(14))
    #expect(clock.broke(at: .seconds(14)) == nil)
    answers.append(clock.allows(at: .seconds(15)))
    #expect(clock.broke(at: .seconds(15)) == nil)
    clock.progressed()
    #expect(clock.broke(at: .seconds(20)) == .seconds(21))
    answers.append(clock.allows(at: .seconds(20)))
    #expect(answers == [true, false, true, true, false])
    var never = RetryClock(.never)
    #expect(never.broke(at: .zero) == nil)
    #expect(RetryPolicy.standard.attempts == 3 && RetryPolicy.standard.backOff == .seconds(1))
    #expect(RetryPolicy.standard.longestBackOff == .seconds(8))
    #expect(
      (1...7).map { RetryPolicy.standard.wait(before: $0) }
        == [1, 2, 4, 8, 8, 8, 8].map { .seconds($0) })
    let errors = StreamErrorPolicy()
    #expect(errors.mediaTimeout == .seconds(15) && errors.recoversAfter == .seconds(30))
  }

  // MARK: Key figures

  @Test(
    arguments: [
      (3, 3_600_000, 3_000), (1, 7_200_000, 500), (1, 3_600_001, 999), (1, 1, 3_600_000_000),
      (0, 60_000, 0), (7, 0, nil), (2, -1, nil), (7, 11_000, 2_290_909),
    ] as [(Int64, Int64, Int64?)])
  func `stalls are counted by the hour that was watched`(
    stalls: Int64, milliseconds: Int64, expected: Int64?
  ) {
    var figures = PlaybackIndicators()
    #expect(figures.thousandStallsPerHour == nil)
    (figures.numberOfStalls, figures.durationWatched) = (stalls, .milliseconds(milliseconds))
    #expect(figures.thousandStallsPerHour == expected)
  }

  @Test(
    arguments: [
      ([], nil), ([(1_000, 0)], nil), ([(1_000, 4)], 1_000), ([(1_000, 3), (2_000, 1)], 1_250),
      ([(1_000, 2), (5_000, 0), (3_000, 1)], 1_666),
      ([(.max, 1_000_000), (.max, 2_000_000)], .max),
    ] as [([(Int64, Int64)], Int64?)])
  func `the mean of bit rates is weighted by what was played of each`(
    parts: [(Int64, Int64)], mean: Int64?
  ) {
    let played = parts.map { bitRate, seconds in
      var variant = PlayedVariant.none
      (variant.bitRate, variant.media) = (bitRate, .seconds(seconds))
      return variant
    }
    #expect(played.meanBitRate == mean)
    var figures = PlaybackIndicators()
    figures.playedVariants = played
    figures.sumUp(nil)
    #expect(figures.timeWeightedIndicatedBitrate == mean && figures.numberOfStalls == 0)
  }

  @Test func `an indicator is the sum of the events, and the first startup`() {
    var events = (1...3).map { number in
      var event = AccessLogEvent(uri: "u", playbackType: .videoOnDemand)
      event.numberOfStalls = Int64(number)
      event.durationWatched = .seconds(Int64(number * 10))
      event.startupTime = number == 1 ? nil : .seconds(Int64(number))
      return event
    }
    var figures = PlaybackIndicators(stallDuration: .seconds(9))
    figures.sumUp(AccessLog(events: events))
    #expect(figures.numberOfStalls == 6 && figures.durationWatched == .seconds(60))
    #expect(figures.startupTime == .seconds(2) && figures.stallDuration == .seconds(9))
    #expect(!figures.hasFailed)
    events.removeAll()
    figures.sumUp(AccessLog(events: events))
    #expect(figures.numberOfStalls == 0 && figures.startupTime == nil)
  }
}
