import StreamingMedia
import Testing
import VirtualTime

/// What a server still has, against the playlists that it has handed out one after the other.
@Suite struct RemovedSegmentTests {
  /// In milliseconds, with two stops of the encoder.
  private func stream(_ random: inout RandomStream, window: Int64) -> LiveStream {
    LiveStream(
      window: .sliding(.milliseconds(window)), startsWith: .seconds(7),
      stops: [
        EncoderStop(begins: .zero + .seconds(20), span: .milliseconds(random.next(in: 1...9_000))),
        EncoderStop(begins: .zero + .seconds(41), span: .seconds(3)),
      ])
  }

  private func list(_ random: inout RandomStream) -> SegmentList {
    var (time, segments) = (Int64(0), [MediaSegment]())
    for _ in 0..<40 {
      let duration = random.next(in: 500...6_000)
      segments.append(
        MediaSegment(start: .milliseconds(time), duration: .milliseconds(duration), bytes: 1))
      time += duration
    }
    return SegmentList(
      uri: "", segments: segments, naming: .numbered(prefix: "", suffix: ""),
      targetDuration: .seconds(6))
  }

  /// When each segment left, and how long the longest playlist was that had it.
  private func history(
    _ stream: LiveStream, _ list: SegmentList
  ) -> [(removed: Instant?, longest: MediaTime)] {
    list.segments.indices.map { index in
      var (removed, longest) = (Instant?.none, MediaTime.zero)
      for newest in index..<list.segments.count {
        let end = list.segments[newest].end
        let window = stream.listing(of: list, whenProduced: end)
        if window.segments.contains(index) {
          longest = max(longest, list.end(of: window) - list.start(of: window))
        } else if removed == nil {
          removed = stream.instant(producing: end)
        }
      }
      return (removed, longest)
    }
  }

  @Test(arguments: 0..<60) func `a segment stays for itself and the longest playlist that had it`(
    seed: UInt64
  ) throws {
    var random = RandomStream(seed: seed, name: "removal")
    let stream = stream(&random, window: random.next(in: 18_000...50_000))
    let list = list(&random)
    let history = history(stream, list)
    for index in list.segments.indices {
      guard let removed = history[index].removed else {
        #expect(!stream.isGone(index, of: list, at: .zero + .seconds(100_000)))
        continue
      }
      let stay = list.segments[index].duration + history[index].longest
      let gone = removed + TimeSpan(nanoseconds: stay.nanoseconds)
      #expect(!stream.isGone(index, of: list, at: gone - .nanoseconds(1)))
      #expect(stream.isGone(index, of: list, at: gone))
    }
    #expect(history.contains { $0.removed != nil } && history.contains { $0.removed == nil })
  }

  @Test(arguments: 0..<20) func `a server may keep it for another time`(seed: UInt64) {
    var random = RandomStream(seed: seed, name: "removal")
    var stream = stream(&random, window: 20_000)
    stream.keepsRemovedSegments = .milliseconds(random.next(below: 2) == 0 ? 0 : 4_321)
    let list = list(&random)
    for (index, segment) in history(stream, list).enumerated() {
      guard let removed = segment.removed, let keeps = stream.keepsRemovedSegments else { continue }
      #expect(!stream.isGone(index, of: list, at: removed + keeps - .nanoseconds(1)))
      #expect(stream.isGone(index, of: list, at: removed + keeps))
    }
    stream.window = .growing
    #expect(!stream.isGone(0, of: list, at: .zero + .seconds(100_000)))
  }
}
