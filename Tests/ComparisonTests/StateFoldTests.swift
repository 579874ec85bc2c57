import Autowait
import Recording
import SimulatedPlayback
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
        bend: bend.map { BufferLevel(instant: at($0.at), ahead: media($0.ahead)) }))
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
    #expect(fold.levels.first == BufferLevel(instant: .zero, ahead: .zero))
    for (level, next) in zip(fold.levels, fold.levels.dropFirst()) {
      #expect(level.instant < next.instant)
    }
    #expect(fold.levels.allSatisfy { $0.ahead.nanoseconds == $0.instant.nanoseconds * 7 })
    if count < 8_192 { #expect(fold.levels.count == Int(count) + 1) }
  }

  @Test func `a jump is two levels at one instant, the first and the latest`() {
    var fold = StateFold()
    for (instant, ahead) in [(0, 0), (5, 5), (5, 9), (5, 7), (8, 7), (8, 7)] as [(Int64, Int64)] {
      fold.see(Record(sample(ahead: ahead), at: at(instant)))
    }
    let levels = [(0, 0), (5, 5), (5, 7), (8, 7)] as [(Int64, Int64)]
    #expect(fold.levels == levels.map { BufferLevel(instant: at($0.0), ahead: media($0.1)) })
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
}
