import ExactText
import ScenarioFormat
import Testing

/// Numbers up to which nothing is warned of.
@Suite struct WarningBoundTests {
  @Test(arguments: [0, 1, 99, 100, 101, 10_000])
  func `a hundred items in the queue at a time are a small number, and one more is not`(
    count: Int64
  ) {
    var summary = PlayerSummary()
    summary.longestQueue = count
    #expect(summary.warnings.count == (count > 100 ? 1 : 0))
    #expect(summary.warnings.allSatisfy { $0.hasPrefix("\(count) items stood in the play queue") })
  }
}

/// Places in a text.
@Suite struct TextPositionTests {
  @Test func `a place is before another by its line, and by its column in one line`() {
    let places = (1...3).flatMap { line in
      (1...3).map { TextPosition(line: line, column: $0) }
    }
    for (number, place) in places.enumerated() {
      for (other, next) in places.enumerated() {
        #expect((place < next) == (number < other) && (place == next) == (number == other))
        #expect((place <= next) == (number <= other) && (place > next) == (number > other))
      }
    }
  }
}
