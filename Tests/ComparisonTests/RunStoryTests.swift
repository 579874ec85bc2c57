import Autowait
import LinkConditioner
import PlayerPolicies
import Recording
import SimulatedPlayback
import Testing
import VirtualTime

/// Variants, items and rates of a run, from records that were made up.
@Suite struct RunStoryTests {
  private typealias Event = PlaybackObservation

  private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private static func story(
    _ events: [(Int64, Event)], namesItems: Bool = true
  ) -> RunStory {
    var story = RunStory(namesItems: namesItems)
    for (instant, event) in events { story.see(Record(.player(event), at: at(instant))) }
    return story
  }

  private static func first(_ variant: Int, _ reason: FirstVariantClause = .lowest) -> Event {
    .variantChosen(InitialVariant(variant: variant, reason: reason))
  }

  private static func change(_ from: Int32, _ to: Int32) -> Event {
    .variantSwitchStarted(from: from, to: to, .chosen(.higherSustained), estimate: nil)
  }

  private static func ask(_ kind: ResourceKind, _ track: TrackKind?) -> Event {
    .resourceRequested(
      TransferID(rawValue: 1), kind, bytes: 1, RequestOrigin(track: track))
  }

  private static func uses(_ story: RunStory) -> [String] {
    story.variants.map { "\($0.variant) at \($0.start.nanoseconds / 1_000_000)" }
  }

  // MARK: Variants

  @Test(
    arguments: [
      ([(.probe, 0), (.sustainedByProbe, 2), (.lowest, 1)], 2), ([(.lowest, 1), (.probe, 0)], 1),
      ([(.probe, 3), (.probe, 0)], 0), ([(.lowest, 1), (.highest, 2)], 1), ([(.probe, 3)], 3),
    ] as [([(FirstVariantClause, Int)], Int)])
  func `the first variant is the first that is no probe`(
    choices: [(FirstVariantClause, Int)], variant: Int
  ) {
    let story = Self.story(choices.enumerated().map { (Int64($0), Self.first($1.1, $1.0)) })
    #expect(story.firstVariant?.variant == variant)
  }

  /// The kinds of requests that show the variant that is played from now on.
  @Test(
    arguments: [
      (ask(.mediaSegment, .main), true), (ask(.mediaPlaylist, .main), true),
      (ask(.mediaSegment, .audio), false), (ask(.mediaPlaylist, .subtitles), false),
      (ask(.mapSegment, .main), false), (ask(.contentKey, .main), false),
      (ask(.multivariantPlaylist, nil), false), (ask(.mediaSegment, nil), false),
      (.variantSwitched(from: 0, to: 1), true), (.bufferFull(true), false),
    ] as [(PlaybackObservation, Bool)])
  func `a switch counts once something was asked for`(event: PlaybackObservation, counts: Bool) {
    let decided: [(Int64, Event)] = [
      (0, Self.first(0)), (10, Self.change(0, 1)), (20, Self.change(1, 2)),
    ]
    let before = Self.story(decided)
    #expect(before.switches == [] && before.allSwitches == 0 && Self.uses(before) == ["0 at 0"])
    let story = Self.story(decided + [(30, event), (40, Self.change(2, 3))])
    #expect(story.allSwitches == (counts ? 2 : 0))
    #expect(story.switches.map { $0.to } == (counts ? [1, 2] : []))
    #expect(Self.uses(story) == (counts ? ["0 at 0", "1 at 10", "2 at 20"] : ["0 at 0"]))
    if !counts { return }
    let made = story.switches[0]
    #expect(made.from == 0 && made.instant == Self.at(10))
    #expect(made.reason == .chosen(.higherSustained))
  }

  @Test func `a variant that goes on is one use`() {
    let story = Self.story([
      (0, Self.first(1)), (5, Self.first(1)), (9, Self.first(0)), (12, Self.first(1)),
    ])
    #expect(Self.uses(story) == ["1 at 0", "0 at 9", "1 at 12"])
  }

  /// The variant of the next item counts from its turn on, the last that was chosen for it.
  @Test func `the variant of an item to come is used when that is played`() {
    var story = RunStory(namesItems: true)
    func see(_ event: Event, _ item: String?, _ instant: Int64) {
      var record = Record(.player(event), at: Self.at(instant))
      record.item = item
      story.see(record)
    }
    see(.currentItem(isPresent: true), "a", 0)
    see(Self.first(0), "a", 1)
    see(Self.first(3), "b", 2)
    see(Self.first(5), "c", 3)
    see(Self.change(3, 4), "b", 4)
    #expect(Self.uses(story) == ["0 at 1"])
    see(Self.ask(.mediaSegment, .main), "b", 5)
    see(.currentItem(isPresent: false), "a", 6)
    see(.currentItem(isPresent: true), "b", 7)
    see(.currentItem(isPresent: true), "c", 8)
    #expect(Self.uses(story) == ["0 at 1", "4 at 7", "5 at 8"])
    // Once its turn has come, the choice is spent.
    see(.currentItem(isPresent: true), "a", 9)
    see(.currentItem(isPresent: true), "b", 10)
    #expect(Self.uses(story) == ["0 at 1", "4 at 7", "5 at 8"])
    #expect(story.items.map { $0.name } == ["a", "b", "c", "a", "b"])
    #expect(story.items.map { $0.start } == [0, 7, 8, 9, 10].map { Self.at($0) })
  }

  @Test func `the reasons to keep a variant are told`() {
    let story = Self.story([
      (3, .variantKept(2, .bufferTooLow, estimate: nil)),
      (7, .variantKept(1, .noThroughput, estimate: 5)),
    ])
    #expect(story.kept.map { $0.instant } == [Self.at(3), Self.at(7)])
    #expect(story.kept.map { $0.variant } == [2, 1])
    #expect(story.kept.map { $0.clause } == [.bufferTooLow, .noThroughput])
  }

  // MARK: Items and rates

  @Test func `a fall of likely to keep up is a lapse, and a rate that the app did not set`() {
    func likely(_ isLikely: Bool) -> Event {
      .likelyToKeepUp(isLikely, .belowThreshold, loadedEnd: .zero, estimate: nil)
    }
    let story = Self.story([
      (1, likely(true)), (2, likely(false)), (3, .rate(.normal, previous: .zero, nil)),
      (4, .rate(.zero, previous: .normal, .appBackgrounded)), (5, .bufferEmpty(true)),
    ])
    #expect(story.lapses.map { $0.instant } == [Self.at(2), Self.at(4)])
  }

  @Test(arguments: [true, false])
  func `a buffer that goes with its item is no lapse`(isFollowed: Bool) {
    let fall = Event.likelyToKeepUp(false, .nothingLoaded, loadedEnd: .zero, estimate: nil)
    let story = Self.story([
      (1, fall), (2, .rate(.zero, previous: .normal, .setRateFailed)), (2, fall),
      (2, .currentItem(isPresent: isFollowed)), (3, fall),
      (4, .currentItem(isPresent: isFollowed)), (4, fall),
    ])
    #expect(story.lapses.map { $0.instant } == [1, 2, 3, 4].map { Self.at($0) })
    #expect(story.lapses.map { $0.isRate } == [false, true, false, false])
  }

  @Test(arguments: [true, false])
  func `transitions and failures name their items where items have names`(namesItems: Bool) {
    var story = RunStory(namesItems: namesItems)
    let change = ItemTransition(
      from: 1, to: 2, gap: .milliseconds(30), kind: .hiccup, reason: .notLoaded,
      silence: .seconds(1))
    var record = Record(.player(.itemTransition(change)), at: Self.at(100))
    (record.itemBefore, record.item) = ("a", "b")
    story.see(record)
    story.see(Record(.player(.itemTransition(change)), at: Self.at(200)))
    var failed = Record(.player(.itemFailed(.noPlayableVariant)), at: Self.at(300))
    story.see(failed)
    failed.item = "c"
    story.see(failed)
    story.see(Record(.player(.currentItem(isPresent: true)), at: Self.at(400)))
    #expect(story.transitions.map { $0.end } == [Self.at(70), Self.at(170)])
    let found = story.transitions.map { $0.transition }
    #expect(found.map { $0.from } == (namesItems ? ["a", ""] : ["", ""]))
    #expect(found.map { $0.to } == (namesItems ? ["b", ""] : ["", ""]))
    #expect(found.allSatisfy { $0.gap == .milliseconds(30) && $0.kind == .hiccup })
    #expect(found.allSatisfy { $0.reason == .notLoaded && $0.silence == .seconds(1) })
    #expect(story.failures.map { $0.item } == (namesItems ? ["", "c"] : [nil, nil]))
    #expect(story.failures.allSatisfy { $0.instant == Self.at(300) })
    #expect(story.failures.allSatisfy { $0.failure == .noPlayableVariant })
    #expect(story.items.map { $0.name } == (namesItems ? [""] : []))
  }

  @Test func `the first 4,096 of each list are kept, and all switches counted`() {
    var events: [(Int64, Event)] = []
    for number in 0..<4_097 {
      let (now, isOdd) = (Int64(number), number % 2 == 1)
      events.append((now, Self.change(isOdd ? 1 : 0, isOdd ? 0 : 1)))
      events.append((now, .variantKept(0, .bestAlready, estimate: nil)))
      events.append((now, .rate(.zero, previous: .normal, .setRateFailed)))
      events.append((now, .itemFailed(.noPlayableVariant)))
      events.append((now, .currentItem(isPresent: true)))
    }
    events.append((5_000, Self.ask(.mediaSegment, .main)))
    let story = Self.story(events)
    #expect(story.allSwitches == 4_097 && story.switches.count == 4_096)
    #expect(story.kept.count == 4_096 && story.lapses.count == 4_096)
    #expect(story.failures.count == 4_096 && story.items.count == 4_096)
    #expect(story.variants.count == 4_096 && story.kept.last?.instant == Self.at(4_095))
  }

  // MARK: What the link could carry

  private static func capacity(_ rates: [(Int64, LinkRate)], end: Int64) -> CapacityFold {
    var folds = PlayerFolds(of: nil, namesItems: false, isShown: true)
    for (instant, rate) in rates { folds.see(Record(.linkRate(rate), at: at(instant))) }
    folds.finish(at: at(end))
    return folds.capacity
  }

  private static func words(_ fold: CapacityFold) -> [String]? {
    fold.result?.map { span in
      let ends = [span.start, span.end].map { $0.nanoseconds / 1_000_000 }
      return "\(ends[0])-\(ends[1]) \(span.rate.map { "\($0)" } ?? "any")"
    }
  }

  @Test(
    arguments: [
      ([], 9, nil), ([(0, .limited(5))], 9, ["0-9 5"]), ([(0, .unlimited)], 9, ["0-9 any"]),
      ([(0, .limited(5)), (4, .unlimited)], 9, ["0-4 5", "4-9 any"]),
      // A rate that begins at the end or behind it has no stretch of the run, unless it is alone.
      ([(0, .limited(5)), (9, .limited(7))], 9, ["0-9 5"]),
      ([(0, .limited(5)), (8, .limited(7)), (12, .limited(4))], 9, ["0-8 5", "8-9 7"]),
      ([(0, .limited(5))], 0, ["0-0 5"]), ([(0, .limited(5)), (3, .limited(6))], 0, ["0-0 5"]),
      ([(0, .limited(5)), (4, .unrecorded)], 9, nil), ([(4, .unrecorded)], 9, nil),
    ] as [([(Int64, LinkRate)], Int64, [String]?)])
  func `a rate holds until the next one`(
    rates: [(Int64, LinkRate)], end: Int64, spans: [String]?
  ) {
    let fold = Self.capacity(rates, end: end)
    #expect(Self.words(fold) == spans)
    #expect(fold.isEmpty == rates.isEmpty)
  }

  /// A rate that was told ahead may not come about: an app changes the link before it.
  @Test(
    arguments: [
      ([(0, .limited(5)), (6, .limited(7)), (4, .unlimited)], ["0-4 5", "4-9 any"]),
      ([(0, .limited(5)), (6, .limited(7)), (6, .limited(8))], ["0-6 5", "6-9 8"]),
      (
        [(0, .limited(5)), (6, .limited(7)), (8, .limited(8)), (6, .limited(3))],
        ["0-6 5", "6-9 3"]
      ), ([(0, .limited(5)), (0, .limited(6))], ["0-9 6"]),
    ] as [([(Int64, LinkRate)], [String])])
  func `a rate that was told ahead gives way to one from before it on`(
    rates: [(Int64, LinkRate)], spans: [String]
  ) {
    #expect(Self.words(Self.capacity(rates, end: 9)) == spans)
  }

  @Test func `what is not shown is not kept`() {
    var folds = PlayerFolds(of: nil, namesItems: true, isShown: false)
    folds.see(Record(.linkRate(.limited(5)), at: .zero))
    folds.see(Record(.player(.currentItem(isPresent: true)), at: Self.at(1)))
    folds.see(Record(.player(.bufferEmpty(false)), at: Self.at(2)))
    folds.finish(at: Self.at(3))
    #expect(folds.capacity.isEmpty && folds.story.items.isEmpty)
    #expect(folds.states.panels.allSatisfy { $0.isPlaybackBufferEmpty })
  }
}
