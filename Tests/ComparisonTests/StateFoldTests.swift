import Autowait
import LinkConditioner
import PlayerPolicies
import Recording
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// The states, panels and levels of a player, from records that were made up.
@Suite struct StateFoldTests {
  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func media(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func sample(
    time: Int64 = 0, ahead: Int64, end: Int64? = nil, bend: (at: Int64, ahead: Int64)? = nil
  ) -> Record.Event {
    .buffer(
      BufferSample(
        time: media(time), ahead: media(ahead),
        ranges: end.map { [.zero..<media($0)] } ?? [],
        bend: bend.map { BufferLevel(at($0.at), media($0.ahead)) }))
  }

  /// A change every 2 ms, of which every fourth is over within half a millisecond.
  @Test(arguments: [100, 8_191, 8_192, 8_193, 12_289, 20_000, 50_000])
  func `of very many panels some of the middle are forgotten, and counted`(count: Int) {
    var fold = StateFold()
    var instants = [Instant.zero]
    for change in 1...count {
      let late = change % 4 == 1 ? TimeSpan(nanoseconds: 1_600_000) : .zero
      instants.append(at(Int64(change) * 2) + late)
      fold.see(Record(.player(.bufferFull(change % 2 == 1)), at: instants[change]))
      fold.see(Record(sample(ahead: 0), at: instants[change]))
    }
    #expect(fold.panels.count <= 8_192)
    #expect(fold.panels.first?.instant == .zero && fold.panels.last?.instant == instants.last)
    let kept = Set(fold.panels.map { $0.instant })
    #expect(kept.count == fold.panels.count)
    // A state of a millisecond or more could have been seen, and so could the last one.
    func lasts(_ place: Int) -> Bool {
      place == count || instants[place + 1] - instants[place] >= .milliseconds(1)
    }
    let seen = instants.indices.filter { lasts($0) }
    #expect(seen.count { kept.contains(instants[$0]) } + Int(fold.panelsLeftOut) == seen.count)
    let (start, end) = (instants.prefix(2_048), instants.suffix(2_048))
    #expect(start.allSatisfy { kept.contains($0) } && end.allSatisfy { kept.contains($0) })
    if count < 8_192 { #expect(fold.panels.count == count + 1 && fold.panelsLeftOut == 0) }
  }

  /// Bands of 3 ms and of 1 ms take turns.
  @Test(arguments: [10, 8_192, 8_193, 20_000])
  func `of very many bands neighbours become one in the state that held longer`(count: Int) {
    var fold = StateFold()
    var now: Int64 = 0
    for band in 0..<count {
      now += band % 2 == 0 ? 3 : 1
      let control = band % 2 == 0 ? TimeControl.waiting(.toMinimizeStalls) : .paused
      fold.see(Record(.player(.timeControl(control, .waitsForBuffer, nil)), at: at(now)))
      fold.see(Record(sample(ahead: 0), at: at(now)))
    }
    fold.finish(at: at(now + 3))
    #expect(fold.bands.count <= 8_192)
    #expect(fold.bands.first?.start == .zero && fold.bands.last?.end == at(now + 3))
    for (band, next) in zip(fold.bands, fold.bands.dropFirst()) { #expect(band.end == next.start) }
    // Paused for 3 ms, waiting for 1 ms.
    let joined = fold.bands.filter { $0.end - $0.start > .milliseconds(3) }
    #expect(joined.allSatisfy { $0.control == .paused })
    #expect(joined.isEmpty == (count < 8_192))
    let alone = fold.bands.filter { $0.end - $0.start < .milliseconds(3) }
    #expect(alone.allSatisfy { $0.control == .waiting(.toMinimizeStalls) })
  }

  @Test(arguments: [100, 8_191, 8_192, 30_000])
  func `of very many levels every other pair is forgotten`(count: Int64) {
    var fold = StateFold()
    for number in 1...count {
      fold.see(Record(sample(ahead: number * 7), at: at(number)))
    }
    #expect(fold.levels.count <= 8_192)
    #expect(fold.levels.first == BufferLevel(.zero, .zero))
    for (level, next) in zip(fold.levels, fold.levels.dropFirst()) {
      #expect(level.instant < next.instant)
    }
    #expect(fold.levels.allSatisfy { $0.media.nanoseconds == $0.instant.nanoseconds * 7 })
    if count < 8_192 { #expect(fold.levels.count == Int(count) + 1) }
  }

  @Test func `a jump is two levels at one instant, the first and the latest`() {
    var fold = StateFold()
    for (instant, ahead) in [(0, 0), (5, 5), (5, 9), (5, 7), (8, 7), (8, 7)] as [(Int64, Int64)] {
      fold.see(Record(sample(ahead: ahead), at: at(instant)))
    }
    let levels = [(0, 0), (5, 5), (5, 7), (8, 7)] as [(Int64, Int64)]
    #expect(fold.levels == levels.map { BufferLevel(at($0.0), media($0.1)) })
  }

  /// 2 s are ahead at the start of playback and 12 s after 10 s: 1 s of media more each second,
  /// unless 8 s of them are there after 2 s: then 3 s more each second, and half a second.
  @Test(arguments: [false, true])
  func `a moment between samples has its place on the line between them`(bends: Bool) {
    let moments: [Int64] = [0, 1_000, 2_000, 6_000, 9_999, 10_000]
    var fold = StateFold(moments: moments.map { at($0) })
    fold.see(Record(.player(.timeControl(.playing, .waitsForBuffer, nil)), at: .zero))
    fold.see(Record(.player(.timebase(PlaybackRate(1), from: .zero)), at: .zero))
    fold.see(Record(sample(ahead: 2_000, end: 2_000), at: .zero))
    let bend: (at: Int64, ahead: Int64)? = bends ? (2_000, 8_000) : nil
    fold.see(Record(sample(time: 10_000, ahead: 12_000, end: 22_000, bend: bend), at: at(10_000)))
    fold.finish(at: at(10_000))
    let panels = fold.chosenPanels
    #expect(panels.map { $0.instant } == moments.map { at($0) })
    #expect(panels.map { $0.currentTime } == moments.map { media($0) })
    let ends: [Int64] =
      bends
      ? [2_000, 6_000, 10_000, 16_000, 21_998, 22_000]
      : [2_000, 4_000, 6_000, 14_000, 21_998, 22_000]
    let found = panels.map { $0.loadedTimeRanges.first?.upperBound.nanoseconds ?? 0 }
    for (found, end) in zip(found, ends) { #expect(abs(found - end * 1_000_000) <= 500_000) }
    #expect(panels.allSatisfy { $0.loadedTimeRanges.first?.lowerBound == .zero })
  }

  /// At 1 s of the run the playhead is put to 3 s, where it is held until 4 s.
  @Test func `a playhead that waits for its host time is shown where it stands`() {
    var fold = StateFold(moments: [at(2_000), at(5_000)])
    let held = PlaybackObservation.timebase(.normal, from: media(3_000), at: at(4_000))
    fold.see(Record(.player(held), at: at(1_000)))
    fold.see(Record(sample(time: 3_000, ahead: 9_000), at: at(1_000)))
    fold.see(Record(sample(time: 8_000, ahead: 4_000), at: at(9_000)))
    #expect(fold.chosenPanels.map { $0.currentTime } == [media(3_000), media(4_000)])
  }

  @Test func `a live playhead that is placed before it moves is shown there from then on`() {
    var fold = StateFold(moments: [at(100), at(101), at(400)])
    fold.see(Record(sample(ahead: 0), at: .zero))
    let move = LiveObservation.moved(media(21_000), .begins(.partHoldBack))
    fold.see(Record(.player(.live(move)), at: at(101)))
    fold.see(Record(sample(time: 21_000, ahead: 3_000), at: at(651)))
    #expect(fold.chosenPanels.map { $0.currentTime } == [.zero, media(21_000), media(21_000)])
  }

  /// 2 ms of media in each millisecond, of which two are an outage and one waits for an answer.
  @Test func `at a moment media has arrived while the link had a rate and an answer`() {
    let moments: [Int64] = [1, 3, 5, 6, 8]
    var fold = StateFold(moments: moments.map { at($0) })
    fold.see(Record(sample(ahead: 4, end: 4), at: .zero))
    for (instant, rate) in [(0, 1_000), (2, 0), (4, 1_000)] as [(Int64, Int64)] {
      fold.see(Record(.linkRate(.limited(rate)), at: at(instant)))
    }
    fold.see(Record(.player(.requestCompleted(TransferID(rawValue: 1), bytes: 9)), at: at(5)))
    fold.see(Record(.player(.requestResponded(TransferID(rawValue: 2))), at: at(6)))
    fold.see(Record(sample(ahead: 16, end: 16), at: at(9)))
    let ends = fold.chosenPanels.map { $0.loadedTimeRanges }
    #expect(ends == [6, 8, 10, 10, 14].map { [.zero..<media($0)] })
  }

  /// Nothing lies under a playhead that is at 20 ms and goes on, and 2 ms to 12 ms are loaded.
  @Test func `media that arrives where no playhead is grows from where it begins`() {
    for begins: Int64 in [20, 2] {
      var fold = StateFold(moments: [at(3)])
      fold.see(Record(.player(.timebase(.normal, from: media(20))), at: .zero))
      let loaded = media(2)..<media(begins == 2 ? 6 : 12)
      let first = BufferSample(time: media(20), ahead: .zero, ranges: [loaded], bend: nil)
      fold.see(Record(.buffer(first), at: .zero))
      let grown = [media(2)..<media(12)] + (begins == 2 ? [] : [media(20)..<media(23)])
      let next = BufferSample(time: media(26), ahead: .zero, ranges: grown, bend: nil)
      fold.see(Record(.buffer(next), at: at(6)))
      let half =
        begins == 2
        ? [media(2)..<media(9)]
        : [loaded, media(20)..<MediaTime(nanoseconds: 21_500_000)]
      #expect(fold.chosenPanels.map { $0.loadedTimeRanges } == [half])
    }
  }

  /// The line before a seek ends with a sample of its own.
  @Test func `the panel of an instant is the one that the last sample leaves`() {
    var fold = StateFold()
    fold.see(Record(.panelAsked, at: at(9)))
    fold.see(Record(sample(time: 9, ahead: 3, bend: (at: 5, ahead: 6)), at: at(9)))
    fold.see(Record(sample(time: 20, ahead: 0, bend: (at: 9, ahead: 3)), at: at(9)))
    fold.see(Record(sample(time: 21, ahead: 0), at: at(10)))
    #expect(fold.chosenPanels.map { $0.currentTime } == [media(20)])
    #expect(fold.levels.map { $0.media } == [0, 6, 3, 0, 0].map { media($0) })
  }

  /// An item of 12 s whose playhead goes on at rate 2 from 10.7 s on.
  @Test func `a playhead beyond the end of an item takes no loaded media along`() {
    var fold = StateFold(moments: [at(12_000)])
    fold.see(Record(.player(.timebase(PlaybackRate(2), from: media(12_000))), at: at(10_700)))
    fold.see(Record(sample(time: 12_000, ahead: 0, end: 12_000), at: at(10_700)))
    fold.see(Record(sample(time: 30_600, ahead: 0, end: 12_000), at: at(20_000)))
    #expect(fold.chosenPanels.map { $0.currentTime } == [media(14_600)])
    #expect(fold.chosenPanels.map { $0.loadedTimeRanges } == [[.zero..<media(12_000)]])
  }

  /// A change of each property of the panel, which stays as it is when it is told again.
  @Test(
    arguments: [
      .rate(.normal, previous: .zero, nil), .timeControl(.playing, .waitsForBuffer, nil),
      .timebase(.normal, from: .zero),
      .likelyToKeepUp(true, .belowThreshold, loadedEnd: .zero, estimate: nil), .bufferEmpty(false),
      .bufferFull(true),
    ] as [PlaybackObservation])
  func `each property that changes makes a panel, and told again none`(
    change: PlaybackObservation
  ) {
    var fold = StateFold()
    for instant: Int64 in [3, 3, 5] {
      fold.see(Record(.player(change), at: at(instant)))
      fold.see(Record(sample(time: instant, ahead: 1, end: 9), at: at(instant)))
    }
    #expect(fold.panels.map { $0.instant } == [.zero, at(3)])
    let (before, after) = (fold.panels[0], fold.panels[1])
    let changes = [
      before.rate != after.rate, before.control != after.control,
      before.timebaseRate != after.timebaseRate,
      before.isPlaybackLikelyToKeepUp != after.isPlaybackLikelyToKeepUp,
      before.isPlaybackBufferEmpty != after.isPlaybackBufferEmpty,
      before.isPlaybackBufferFull != after.isPlaybackBufferFull,
    ]
    #expect(changes.count { $0 } == 1)
    #expect(after.currentTime == media(3) && after.loadedTimeRanges == [.zero..<media(9)])
    fold.finish(at: at(5))
    #expect(fold.panels.count == 3 && fold.panels[2].currentTime == media(5))
  }

  @Test func `of an instant the last state counts, and one that is as before makes no panel`() {
    var fold = StateFold()
    for isFull in [true, false] {
      fold.see(Record(.player(.bufferFull(isFull)), at: at(2)))
      fold.see(Record(sample(ahead: 1), at: at(2)))
    }
    #expect(fold.panels.map { $0.instant } == [.zero])
    fold.finish(at: at(2))
    #expect(fold.panels.map { $0.instant } == [.zero, at(2)])
    fold.finish(at: at(2))
    #expect(fold.panels.count == 2)
  }

  @Test(arguments: [(999_999, false), (1_000_000, true), (1_000_001, true)] as [(Int64, Bool)])
  func `a panel lasts that a person could have seen`(nanoseconds: Int64, isSeen: Bool) {
    var panel = StateFold().panels[0]
    panel.instant = at(7)
    #expect(panel.lasts(until: at(7) + .nanoseconds(nanoseconds)) == isSeen)
  }

  /// A player that is to play and does not move waits for media.
  @Test func `a player that plays and stands awaits media`() {
    var fold = StateFold()
    let steps: [(Int64, PlaybackObservation)] = [
      (2, .timeControl(.waiting(.toMinimizeStalls), .waitsForBuffer, nil)),
      (4, .timeControl(.playing, .waitsForBuffer, nil)), (7, .timebase(.normal, from: .zero)),
      (9, .timebase(.zero, from: .zero)), (12, .timeControl(.paused, .waitsForBuffer, nil)),
    ]
    for (instant, change) in steps {
      fold.see(Record(.player(change), at: at(instant)))
      fold.see(Record(sample(ahead: 0), at: at(instant)))
    }
    fold.finish(at: at(15))
    fold.finish(at: at(15))
    let states: [TimeControl] = [
      .paused, .waiting(.toMinimizeStalls), .awaitingMedia, .playing, .awaitingMedia, .paused,
    ]
    #expect(fold.bands.map { $0.control } == states)
    #expect(fold.bands.map { $0.start } == [0, 2, 4, 7, 9, 12].map { at($0) })
    #expect(fold.bands.map { $0.end } == [2, 4, 7, 9, 12, 15].map { at($0) })
  }

  @Test func `a panel that the script asks for is that of its instant, once`() {
    var fold = StateFold(moments: [at(4), at(20), at(30)])
    fold.see(Record(.panelAsked, at: at(4)))
    fold.see(Record(sample(time: 4, ahead: 1), at: at(4)))
    fold.see(Record(sample(time: 5, ahead: 1), at: at(5)))
    #expect(fold.nextMoment == at(20))
    fold.see(Record(sample(time: 9, ahead: 1), at: at(9)))
    #expect(fold.chosenPanels.first?.instant == at(4))
    fold.finish(at: at(9))
    // Both moments behind the end have the last panel.
    #expect(fold.chosenPanels.map { $0.instant } == [4, 9, 9].map { at($0) })
    #expect(fold.chosenPanels.map { $0.currentTime } == [4, 9, 9].map { media($0) })
  }

  /// Ranges that do not end where the playhead's media did stay as they were, until it meets them.
  @Test func `at a moment the loaded end moves alone, and never below its start`() {
    var fold = StateFold(moments: [at(2), at(4)])
    fold.see(Record(.player(.timebase(.normal, from: .zero)), at: .zero))
    let ranges = [.zero..<media(6), media(8)..<media(9)]
    let first = BufferSample(time: .zero, ahead: media(6), ranges: ranges, bend: nil)
    fold.see(Record(.buffer(first), at: .zero))
    let next = BufferSample(time: media(8), ahead: media(2), ranges: [], bend: nil)
    fold.see(Record(.buffer(next), at: at(8)))
    // From 6 ms ahead to 2 ms in 8 ms: 5 and 4 ms at the two moments, behind 2 and 4 ms.
    let joined = [[.zero..<media(7), media(8)..<media(9)], [.zero..<media(9)]]
    #expect(fold.chosenPanels.map { $0.loadedTimeRanges } == joined)
    #expect(fold.chosenPanels.map { $0.currentTime } == [media(2), media(4)])
  }
}
