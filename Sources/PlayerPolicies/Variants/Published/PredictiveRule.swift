/// Model-predictive control: of all choices for the segments ahead the one of the best objective,
/// if the link goes on as predicted.
///
/// Yin, Jindal, Sekar, Sinopoli, "A Control-Theoretic Approach for Dynamic Adaptive Video Streaming
/// over HTTP" (SIGCOMM 2015); with `HarmonicThroughput.robust` it is RobustMPC.
package struct PredictiveRule: Hashable, Sendable {
  /// How many segments it looks ahead.
  package var horizon: Int
  /// What a Mbit/s of a segment, a second of stalled time and a Mbit/s of change count.
  package var quality: Double
  package var stalling: Double
  package var change: Double

  package init(
    horizon: Int = 5, quality: Double = 1, stalling: Double = 4.3, change: Double = 1
  ) {
    self.horizon = horizon
    self.quality = quality
    self.stalling = stalling
    self.change = change
  }

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

  /// The quality that the best of all choices begins with: of equals, the one whose qualities, one
  /// after the other, are the greatest.
  package func choice(_ question: Question) -> Int {
    var search = Search(rule: self, question: question)
    search.look(from: 0, level: question.level, stalled: 0, bits: 0, changes: 0)
    return search.best
  }

  /// All choices in the order of their qualities.
  private struct Search {
    let rule: PredictiveRule
    let question: Question
    var best = 0
    private var highest = -Double.infinity
    private var path: [Int] = []

    init(rule: PredictiveRule, question: Question) {
      self.rule = rule
      self.question = question
    }

    mutating func look(
      from position: Int, level: Double, stalled: Double, bits: Double, changes: Double
    ) {
      if position == min(rule.horizon, question.sizes.count) {
        // Each of the three sums is divided at the end, as in the original: the order of the
        // operations decides between equals.
        let value =
          rule.quality * (bits / 1_000) - rule.stalling * stalled - rule.change * (changes / 1_000)
        if value >= highest { (highest, best) = (value, path.first ?? 0) }
        return
      }
      let before = path.last ?? question.previous
      for quality in question.bitrates.indices {
        let took = question.sizes[position][quality] / 1_000_000 / question.throughput
        let late = level < took
        path.append(quality)
        look(
          from: position + 1, level: (late ? 0 : level - took) + question.segmentLength,
          stalled: late ? stalled + (took - level) : stalled,
          bits: bits + question.bitrates[quality],
          changes: changes + abs(question.bitrates[quality] - question.bitrates[before]))
        path.removeLast()
      }
    }
  }
}
