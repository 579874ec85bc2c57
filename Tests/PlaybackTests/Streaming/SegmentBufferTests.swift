import SimulatedPlayback
import Testing
import VirtualTime

/// The buffer of a track is a list of segments, from which it is known which variant plays.
@Suite struct SegmentBufferTests {
  /// Segments as `variant:start-end`, in seconds.
  private static func segment(_ text: String, arrived: Int64 = 0) -> BufferedSegment {
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    return BufferedSegment(
      variant: Int(parts[0]), list: Int(parts[0]), index: Int(parts[1]),
      start: .seconds(parts[1]), end: .seconds(parts[2]), bytes: 100 * (parts[2] - parts[1]),
      arrived: Instant(nanoseconds: arrived))
  }

  private static func buffer(at start: Int64 = 0, _ segments: String...) -> SegmentBuffer {
    var buffer = SegmentBuffer(at: .seconds(start))
    for segment in segments { buffer.insert(Self.segment(segment)) }
    return buffer
  }

  private static func text(_ buffer: SegmentBuffer) -> String {
    buffer.segments.map {
      "\($0.variant):\($0.start.nanoseconds / 1_000_000_000)-\($0.end.nanoseconds / 1_000_000_000)"
    }.joined(separator: " ")
  }

  /// Which variant plays in the middle of each second; `.` where nothing is loaded.
  private static func draw(_ buffer: SegmentBuffer, seconds: Int64) -> String {
    (0..<seconds).map { second in
      buffer.variant(at: .milliseconds(1_000 * second + 500)).map(String.init) ?? "."
    }.joined()
  }

  @Test(
    arguments: [
      ("one after the other", ["0:0-4", "0:4-8"], "00000000.."),
      ("another variant follows", ["0:0-4", "2:4-8", "1:8-10"], "0000222211"),
      ("a replacement takes the place", ["0:0-4", "0:4-8", "3:4-8"], "00003333.."),
      ("the first is replaced", ["0:0-4", "0:4-8", "3:0-4"], "33330000.."),
      (
        "two short ones give way to a long one", ["0:0-2", "0:2-4", "0:4-6", "1:0-4"], "111100...."
      ),
      ("an overlap: the earlier plays to its end", ["0:0-6", "1:4-8"], "00000011.."),
      ("what never shows is not kept", ["0:0-6", "1:2-4"], "000000...."),
      ("a hole", ["0:0-4", "0:6-8"], "0000..00.."),
      ("a hole is filled", ["0:0-4", "0:6-8", "1:4-6"], "00001100.."),
    ] as [(String, [String], String)])
  func `which variant plays is known`(_ name: String, segments: [String], expected: String) {
    var buffer = SegmentBuffer(at: .zero)
    for segment in segments { buffer.insert(Self.segment(segment)) }
    #expect(Self.draw(buffer, seconds: 10) == expected, "\(name)")
  }

  @Test func `a replacement returns what it replaces, with its bytes`() {
    var buffer = Self.buffer("0:0-4", "0:4-8", "0:8-12")
    let replaced = buffer.insert(Self.segment("2:4-8", arrived: 7))
    #expect(replaced == [Self.segment("0:4-8")])
    #expect(Self.text(buffer) == "0:0-4 2:4-8 0:8-12")
    #expect(buffer.segments[1].arrived == Instant(nanoseconds: 7))
    #expect((buffer.start, buffer.end) == (.zero, .seconds(12)))
  }

  @Test func `what has not begun to play can be replaced`() {
    let buffer = Self.buffer("0:0-4", "0:4-8", "1:8-12")
    func count(_ time: Int64) -> Int { buffer.segments(startingAtOrAfter: .seconds(time)).count }
    #expect([0, 1, 4, 5, 8, 9].map(count) == [3, 2, 2, 1, 1, 0])
  }

  @Test func `the variant that plays gives way where another begins`() {
    let buffer = Self.buffer("0:0-4", "0:4-8", "1:8-12", "1:12-16", "0:20-24")
    let ends = [0, 5, 8, 13, 17, 21].map { buffer.variantEnd(after: .seconds($0)) }
    let expected: [MediaTime?] = [.seconds(8), .seconds(8), .seconds(20), .seconds(20), nil, nil]
    #expect(ends == expected)
  }

  @Test func `parts of a segment become one segment`() {
    var buffer = SegmentBuffer(at: .seconds(4))
    for part in 0..<3 {
      buffer.insert(
        BufferedSegment(
          variant: 1, list: 0, index: 2, start: .seconds(4 + Int64(part)),
          end: .seconds(5 + Int64(part)), bytes: 10, arrived: Instant(nanoseconds: Int64(part))))
    }
    #expect(Self.text(buffer) == "1:4-7")
    #expect(buffer.segments[0].bytes == 30)
    #expect(buffer.segments[0].arrived == Instant(nanoseconds: 2))
  }

  @Test func `the same segment of another variant is another segment`() {
    var buffer = SegmentBuffer(at: .zero)
    for (variant, part) in [(0, 0), (1, 1)] {
      buffer.insert(
        BufferedSegment(
          variant: variant, list: variant, index: 0, start: .seconds(Int64(part)),
          end: .seconds(Int64(part) + 1), bytes: 10, arrived: .zero))
    }
    #expect(Self.text(buffer) == "0:0-1 1:1-2")
  }

  @Test func `a cut keeps what has begun, and ends the stretch there`() {
    var buffer = Self.buffer("0:0-4", "0:4-8", "0:8-12")
    buffer.cut(at: .seconds(8))
    #expect(Self.text(buffer) == "0:0-4 0:4-8")
    #expect((buffer.start, buffer.end) == (.zero, .seconds(8)))
    buffer.cut(at: .seconds(3))
    #expect(Self.text(buffer) == "0:0-4")
    #expect(buffer.end == .seconds(3))
    #expect(!buffer.contains(.seconds(3)))
  }

  @Test func `what has been played is loaded still, and no longer listed`() {
    var buffer = Self.buffer("0:0-4", "1:4-8", "2:8-12")
    buffer.forget(before: .seconds(3))
    #expect(buffer.segments.count == 3)
    buffer.forget(before: .seconds(9))
    #expect(Self.text(buffer) == "2:8-12")
    #expect(buffer.contains(.seconds(1)))
    #expect(buffer.variant(at: .seconds(1)) == nil)
    #expect((buffer.start, buffer.end) == (.zero, .seconds(12)))
  }

  @Test func `segments that have been played keep their bytes, and are one where those are even`() {
    var buffer = Self.buffer("0:0-4", "0:4-8", "0:8-10")
    var large = Self.segment("0:10-14")
    large.bytes *= 3
    buffer.insert(large)
    buffer.insert(Self.segment("0:14-16"))
    buffer.forget(before: .seconds(16))
    #expect(buffer.played.map { $0.end } == [.seconds(10), .seconds(14), .seconds(16)])
    #expect(buffer.played.map { $0.bytes } == [1_000, 1_200, 200])
  }

  @Test func `a restart forgets everything`() {
    var buffer = Self.buffer("0:0-4", "0:4-8")
    buffer.restart(at: .seconds(20))
    #expect(buffer.isEmpty)
    #expect(buffer.segments.isEmpty)
    buffer.insert(Self.segment("1:20-24"))
    #expect((buffer.start, buffer.end) == (.seconds(20), .seconds(24)))
  }

  @Test func `a segment around the place where it begins counts from its own start`() {
    let buffer = Self.buffer(at: 6, "0:4-8")
    #expect((buffer.start, buffer.end) == (.seconds(4), .seconds(8)))
  }

  @Test func `the stretch reaches where another track brings what this one plays`() {
    var sound = SegmentBuffer(at: .seconds(8))
    sound.reach(from: .zero)
    sound.insert(Self.segment("1:8-12"))
    #expect((sound.start, sound.end) == (.zero, .seconds(12)))
    #expect(sound.contains(.seconds(2)))
    #expect(sound.variant(at: .seconds(2)) == nil)
    sound.reach(to: .seconds(16))
    #expect(sound.contains(.seconds(15)))
  }

  /// A model: for each second, the variant that plays, by an array that is walked.
  @Test func `segments in any order are played as the model says`() {
    for seed in UInt64(0)..<200 {
      var random = RandomStream(seed: seed, name: "segments")
      var buffer = SegmentBuffer(at: .zero)
      var slots: [Int?] = Array(repeating: nil, count: 32)
      for _ in 0..<24 {
        // Grids of one, two and four seconds: a new segment covers old ones or lies in one.
        let length = Int64(1) << Int64(random.next(below: 3))
        let start = Int64(random.next(below: UInt64(32 / length))) * length
        let variant = Int(random.next(below: 4))
        let segment = BufferedSegment(
          variant: variant, list: 0, index: Int(start), start: .seconds(start),
          end: .seconds(start + length), bytes: 1, arrived: .zero)
        let isHidden = buffer.segments.contains {
          $0.start < segment.start && $0.end >= segment.end
        }
        buffer.insert(segment)
        if isHidden { continue }
        for second in start..<start + length { slots[Int(second)] = variant }
      }
      let expected = slots.map { $0.map(String.init) ?? "." }.joined()
      #expect(Self.draw(buffer, seconds: 32) == expected, "seed \(seed)")
    }
  }
}
