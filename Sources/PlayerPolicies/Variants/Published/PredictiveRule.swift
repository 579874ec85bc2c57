/// Model-predictive control: of all choices for the segments ahead the one of the best objective,
/// if the link goes on as predicted.
///
/// Yin, Jindal, Sekar, Sinopoli, "A Control-Theoretic Approach for Dynamic Adaptive Video Streaming
/// over HTTP" (SIGCOMM 2015); with `HarmonicThroughput.robust` it is RobustMPC.
package struct PredictiveRule: Hashable, Sendable {
  /// The number of segments that it looks ahead.
  package var horizon = 5
  /// The weights of a Mbit/s of a segment, of a second of stalled time and of a Mbit/s of change.
  package var quality = 1.0
  package var stalling = 4.3
  package var change = 1.0

  package struct Question: Hashable, Sendable {
    /// In kbit/s, from the least to the greatest.
    package var bitrates: [Double]
    /// Of the segments ahead, from the next on: bytes by quality.
    package var sizes: [[Double]]
    /// In seconds.
    package var segmentLength: Double
    package var level: Double
    /// Of the segment before.
    package var previous: Int
    /// In MB/s.
    package var throughput: Double

    package init(
      bitrates: [Double], sizes: [[Double]], segmentLength: Double, level: Double, previous: Int,
      throughput: Double
    ) {
      self.bitrates = bitrates
      self.sizes = sizes
      self.segmentLength = segmentLength
      self.level = level
      self.previous = previous
      self.throughput = throughput
    }
  }

  /// The quality that the best of all choices begins with: of equals, the greatest.
  ///
  /// - Parameter steps: Grows by how many choices were looked at, whole or in part.
  package func choice(_ question: Question, steps: inout Int64) -> Int {
    let length = min(horizon, question.sizes.count)
    if length == 0 { return 0 }
    var search = Search(rule: self, question: question, length: length)
    for quality in question.bitrates.indices { search.follow(quality) }
    for quality in question.bitrates.indices.reversed() where !search.isCut {
      search.look(at: search.beginning.after(quality, 0, &search), 1, first: quality)
    }
    steps += search.steps
    return search.best
  }

  /// The most choices that one question looks at; no question of eight qualities and five segments
  /// needs as many. What is found up to there counts.
  package static let mostSteps: Int64 = 1 << 17

  /// The outcome of the first choices.
  private struct Outcome {
    var level: Double
    var quality: Int
    var stalled = 0.0
    var bits = 0.0
    var changes = 0.0

    func after(_ next: Int, _ position: Int, _ search: inout Search) -> Outcome {
      search.steps += 1
      let bitrates = search.question.bitrates
      var outcome = self
      outcome.pass(search.took[position][next], search.question.segmentLength)
      outcome.bits += bitrates[next]
      outcome.changes += abs(bitrates[next] - bitrates[quality])
      outcome.quality = next
      return outcome
    }

    mutating func pass(_ took: Double, _ length: Double) {
      let late = level < took
      if late { stalled += took - level }
      level = (late ? 0 : level - took) + length
    }
  }

  /// A search by branch and bound.
  private struct Search {
    let rule: PredictiveRule
    let question: Question
    let length: Int
    /// The download time of each segment in each quality, and the least of them.
    let took: [[Double]]
    private let leastTook: [Double]
    private let mostBits: Double
    /// For each price of downloading time, from a position and after a quality: the most that
    /// further segments bring less their changes and that price.
    private let most: [(price: Double, table: [[Double]])]
    private(set) var best = 0
    private var highest = -Double.infinity
    var steps: Int64 = 0

    var isCut: Bool { steps >= PredictiveRule.mostSteps }

    init(rule: PredictiveRule, question: Question, length: Int) {
      self.rule = rule
      self.question = question
      self.length = length
      took = question.sizes.map { $0.map { $0 / 1_000_000 / question.throughput } }
      leastTook = took.map { $0.min() ?? 0 }
      mostBits = question.bitrates.max() ?? 0
      let took = took
      most = [0, 0.25, 0.5, 0.75, 1].map { share in
        let price = share * rule.stalling
        return (price, Self.table(rule, question.bitrates, took, length, price))
      }
      steps = Int64(most.count * length * question.bitrates.count)
    }

    /// Of a change the price grows with its height, so that one pass up the ladder and one down it
    /// find the best next quality for each.
    private static func table(
      _ rule: PredictiveRule, _ bitrates: [Double], _ took: [[Double]], _ length: Int,
      _ price: Double
    ) -> [[Double]] {
      var table = [[Double]](repeating: bitrates.map { _ in 0 }, count: length + 1)
      for position in (0..<length).reversed() {
        let worth = bitrates.indices.map { quality in
          rule.quality * (bitrates[quality] / 1_000) - price * took[position][quality]
            + table[position + 1][quality]
        }
        var row = worth
        for quality in row.indices.dropFirst() {
          let change = rule.change * ((bitrates[quality] - bitrates[quality - 1]) / 1_000)
          row[quality] = max(row[quality], row[quality - 1] - change)
        }
        for quality in row.indices.dropLast().reversed() {
          let change = rule.change * ((bitrates[quality + 1] - bitrates[quality]) / 1_000)
          row[quality] = max(row[quality], row[quality + 1] - change)
        }
        table[position] = row
      }
      return table
    }

    var beginning: Outcome { Outcome(level: question.level, quality: question.previous) }

    /// One quality for all segments: what is good from the beginning cuts the most.
    mutating func follow(_ quality: Int) {
      var outcome = beginning
      for position in 0..<length { outcome = outcome.after(quality, position, &self) }
      take(outcome, first: quality)
    }

    mutating func look(at outcome: Outcome, _ position: Int, first: Int) {
      if position == length { return take(outcome, first: first) }
      for quality in question.bitrates.indices.reversed() {
        if isCut { return }
        let next = outcome.after(quality, position, &self)
        if isHopeless(next, position + 1, first: first) { continue }
        look(at: next, position + 1, first: first)
      }
    }

    private mutating func take(_ outcome: Outcome, first: Int) {
      let value = value(outcome)
      if value > highest || value == highest && first >= best { (highest, best) = (value, first) }
    }

    /// Each of the three sums is divided at the end, as in the original: the order of the
    /// operations decides between equals.
    private func value(_ outcome: Outcome) -> Double {
      rule.quality * (outcome.bits / 1_000) - rule.stalling * outcome.stalled
        - rule.change * (outcome.changes / 1_000)
    }

    /// Whether nothing better can follow.
    private func isHopeless(_ outcome: Outcome, _ position: Int, first: Int) -> Bool {
      // Download time beyond the buffer level and the segments before the last is stalled time: at
      // any price up to that of stalling, it is paid for.
      let spare = outcome.level + question.segmentLength * Double(max(0, length - position - 1))
      let now = value(outcome)
      for (price, table) in most {
        let bound = now + table[position][outcome.quality] + price * spare
        // More than rounding can take from sums of such values.
        let slack = (abs(now) + abs(bound) + 1) / 1_000_000_000
        if bound + slack < highest { return true }
      }
      // With the highest bit rate and the least bytes in each segment, summed up in the order of
      // the values themselves: rounding never puts this bound below a value that it bounds.
      var best = outcome
      for later in position..<length {
        best.pass(leastTook[later], question.segmentLength)
        best.bits += mostBits
      }
      let bound = value(best)
      return bound < highest || bound == highest && first <= self.best
    }
  }
}
