import SimulatedWorld
import StreamingMedia
import TestSupport
import Testing

/// A stream of one variant that waits until it can be played through, held against the best start
/// that was possible: arithmetic that shares no code with the player.
@Suite struct StreamPredictionTests {
  /// A stream drawn by a seed, with segments as large as declared.
  struct Example: CustomStringConvertible {
    /// In units of 8 kbit/s, so that a millisecond of media has whole bytes.
    var rate: Int64
    /// In percent of the rate.
    var share: Int64
    /// One way, in milliseconds.
    var delay: Int64
    /// In milliseconds.
    var segment: Int64
    var duration: Int64

    var bitsPerSecond: Int64 { rate * 8_000 }
    var link: Int64 { bitsPerSecond * share / 100 }

    var description: String {
      "\(bitsPerSecond) bit/s at \(share) %, \(delay) ms each way, \(segment) of \(duration) ms"
    }

    /// Milliseconds at which segments begin, and at which the last one ends.
    var boundaries: [Int64] {
      Array(stride(from: 0, to: duration, by: Int(segment))) + [duration]
    }

    /// How long a segment takes from its request to its last byte, in seconds.
    func takes(_ index: Int) -> Double {
      let bits = Double((boundaries[index + 1] - boundaries[index]) * rate * 8)
      return Double(2 * delay) / 1_000 + bits / Double(link)
    }

    /// The least wait with which no segment is late, in seconds.
    var bestStart: Double {
      // Two playlists cost a round trip each, and nothing else.
      var clock = Double(4 * delay) / 1_000
      var start = 0.0
      for index in 0..<boundaries.count - 1 {
        clock += takes(index)
        start = max(start, clock - Double(boundaries[index]) / 1_000)
      }
      return start
    }

    /// One segment's transfer and one round trip more than the best.
    var latestStart: Double {
      bestStart + takes(0) + Double(2 * delay) / 1_000 + 1e-6
    }

    func play() throws -> PlayerBooks {
      let presentation = StreamTests.weightless(
        try Presentation(
          LadderDescription(
            rungs: [LadderRung(resolution: nil, bitRate: bitsPerSecond)],
            segmentDuration: .milliseconds(segment),
            duration: .milliseconds(duration))))
      // So that the end is never out of reach of the buffer.
      var settings = StreamSettings(
        presentation: presentation, initialRule: .firstEligible, adaptation: .fixed)
      settings.automaticForwardBuffer = .seconds(600)
      let down = DirectionConditions(
        bandwidth: .limited(.bitsPerSecond(link)), delay: .milliseconds(delay))
      let world = try World(
        conditions: LinkConditions(
          downlink: down, uplink: DirectionConditions(delay: .milliseconds(delay))))
      let player = world.makePlayer()
      player.replaceCurrentItem(with: ItemSettings(source: .stream(settings)))
      player.play()
      #expect(world.run() == .finished)
      #expect(world.finish() == [])
      return player.books
    }
  }

  /// What is wrong with a run; nil for nothing.
  private func fault(_ example: Example) throws -> String? {
    let books = try example.play()
    let start = Double((books.startupDelay ?? .forever).nanoseconds) / 1e9
    if books.stallCount == 0, start >= example.bestStart - 1e-6, start <= example.latestStart {
      return nil
    }
    return "\(example): started at \(start), best \(example.bestStart); \(books.stallCount) stalls"
  }

  @Test func `a stream below its bit rate starts as soon as it can be played through`() throws {
    // Ten segments of 6 s at 4 Mbit/s over 3 Mbit/s: the last is there after 80 s, due after 54.
    let example = Example(rate: 500, share: 75, delay: 0, segment: 6_000, duration: 60_000)
    #expect(example.bestStart == 26)
    let books = try example.play()
    #expect(books.startupDelay == .seconds(26))
    #expect(books.stallCount == 0)
  }

  @Test(arguments: Seeds.first(1, inRelease: 10))
  func `streams start no later than one segment after the best, and never stall`(
    seed: UInt64
  ) throws {
    var random = RandomStream(seed: seed, name: "stream prediction")
    var faults: [String] = []
    for _ in 0..<100 {
      if let fault = try fault(Example(&random)) { faults.append(fault) }
    }
    #expect(faults.count == 0, "\(faults.prefix(5))")
  }
}

extension StreamPredictionTests.Example {
  fileprivate init(_ random: inout RandomStream) {
    self.init(
      rate: random.next(in: 25...1_000), share: random.next(in: 50...300),
      delay: random.next(in: 0...150), segment: random.next(in: 1_000...10_000),
      duration: random.next(in: 10_000...120_000))
  }
}
