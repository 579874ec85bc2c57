/// BOLA: which quality is worth most for its bits, with what the buffer holds as the price.
///
/// Spiteri, Urgaonkar, Sitaraman, "BOLA: Near-Optimal Bitrate Adaptation for Online Videos" (2016);
/// at its beginning and end with the smaller buffer of "From Theory to Practice" (2018), and with
/// what the throughput sustains as a bound on the way up.
package struct BolaRule: Hashable, Sendable {
  /// γp, in units of utility.
  package var gammaP = 5.0
  /// The most media that may lie ahead, in milliseconds.
  package var bufferSize: Double
  /// Whether the buffer counts as whole from the first segment to the last.
  package var isBasic = false
  /// Whether going up stops at the sustained quality, not one step above it: BOLA-O.
  package var avoidsOscillation = false

  package struct Memory: Hashable, Sendable {
    /// The quality that was chosen last.
    package var quality = 0
    /// The segment at which playback began, or to which the last seek went.
    package var firstSegment = 0

    package init() {}
  }

  package func choice(_ question: PublishedQuestion, _ memory: inout Memory) -> PublishedChoice {
    let utilities = BolaUtilities(question.qualities, lowest: 0)
    let weights = weights(question, utilities, memory)
    let level = question.level
    var choice = PublishedChoice(weights.best(utilities, question.bitrates, level: level))
    if choice.quality > memory.quality {
      let sustained = question.quality(sustainedBy: question.throughput)
      if choice.quality > sustained {
        choice = held(sustained, question, weights, utilities, memory)
      }
    }
    memory.quality = choice.quality
    return choice
  }

  /// Whether a lower quality has a better score for its bits than the rest of the segment
  /// (`check_abandon`, sabre.py 695).
  package func abandons(
    _ progress: PublishedProgress, _ question: PublishedQuestion, _ memory: inout Memory
  ) -> Bool {
    if isBasic { return false }
    let utilities = BolaUtilities(question.qualities, lowest: 0)
    let weights = weights(question, utilities, memory)
    let rest = progress.missing
    if weights.score(progress.quality, utilities, level: progress.level, bits: rest) < 0 {
      return false
    }
    let lower = weights.lower(
      progress, utilities, question.bitrates, level: progress.level, rest: rest)
    if let lower { memory.quality = lower }
    return lower != nil
  }

  private func weights(
    _ question: PublishedQuestion, _ utilities: BolaUtilities, _ memory: Memory
  ) -> BolaWeights {
    var size = bufferSize
    if !isBasic {
      let nearer = min(
        question.segment - memory.firstSegment, question.segmentCount - question.segment)
      size = min(size, max(Double(nearer) / 2, 3) * question.segmentLength)
    }
    return BolaWeights(
      gammaP: gammaP, v: (size - question.segmentLength) / (utilities.highest + gammaP))
  }

  /// The choice where the throughput does not sustain the quality that the buffer allows.
  private func held(
    _ sustained: Int, _ question: PublishedQuestion, _ weights: BolaWeights,
    _ utilities: BolaUtilities, _ memory: Memory
  ) -> PublishedChoice {
    if memory.quality > sustained { return PublishedChoice(memory.quality) }
    if !avoidsOscillation { return PublishedChoice(sustained + 1) }
    if sustained == question.bitrates.count - 1 { return PublishedChoice(sustained) }
    let mark = weights.v * (weights.gammaP + utilities[sustained])
    return PublishedChoice(sustained, delay: max(0, question.level - mark))
  }
}

/// The utility of each quality: the logarithm of its bit rate.
struct BolaUtilities {
  private let logarithms: [Double]
  private let offset: Double

  init(_ qualities: PublishedQualities, lowest: Double) {
    logarithms = qualities.logarithms
    offset = lowest - logarithms[0]
  }

  subscript(quality: Int) -> Double { logarithms[quality] + offset }

  var count: Int { logarithms.count }

  var highest: Double { self[count - 1] }
}

/// The two parameters of BOLA: γp, and V times p.
struct BolaWeights {
  var gammaP: Double
  var v: Double

  /// The quality of the highest score; the lowest of equals.
  func best(_ utilities: BolaUtilities, _ bitrates: [Double], level: Double) -> Int {
    var (best, highest) = (0, -Double.infinity)
    for quality in bitrates.indices {
      let score = (v * (utilities[quality] + gammaP) - level) / bitrates[quality]
      if score > highest { (best, highest) = (quality, score) }
    }
    return best
  }

  func score(_ quality: Int, _ utilities: BolaUtilities, level: Double, bits: Double) -> Double {
    (v * (gammaP + utilities[quality]) - level) / bits
  }

  /// The lower quality whose segment is smaller than the rest of one under way, and of a better
  /// score; nil where there is none.
  func lower(
    _ progress: PublishedProgress, _ utilities: BolaUtilities, _ bitrates: [Double],
    level: Double, rest: Double
  ) -> Int? {
    var highest = score(progress.quality, utilities, level: level, bits: rest)
    var lower: Int?
    for quality in 0..<progress.quality {
      let size = progress.size(of: quality, bitrates)
      let score = score(quality, utilities, level: level, bits: size)
      if size < rest, score > highest { (highest, lower) = (score, quality) }
    }
    return lower
  }

  /// The level from which a quality is worth more than every lower one.
  func leastLevel(of quality: Int, _ utilities: BolaUtilities, _ bitrates: [Double]) -> Double {
    var level = 0.0
    for lower in 0..<quality where utilities[lower] < utilities[quality] {
      let (high, low) = (bitrates[quality], bitrates[lower])
      let weighed = (high * utilities[lower] - low * utilities[quality]) / (high - low)
      level = max(level, v * (gammaP + weighed))
    }
    return level
  }

  /// The level beyond which a quality is worth nothing.
  func mostLevel(of quality: Int, _ utilities: BolaUtilities) -> Double {
    v * (utilities[quality] + gammaP)
  }
}
