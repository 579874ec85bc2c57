/// BOLA-E: BOLA with a placeholder, which counts as media ahead where little is, and with the
/// insufficient buffer rule.
///
/// Spiteri, Sitaraman, Sparacio, "From Theory to Practice" (MMSys 2018).
package struct EnhancedBolaRule: Hashable, Sendable {
  /// The most media that may lie ahead, in milliseconds.
  package var bufferSize: Double
  package var avoidsOscillation = false
  package var hasBufferRule = true
  /// γp, where there is no insufficient buffer rule.
  package var gammaP = 5.0

  package struct Memory: Hashable, Sendable {
    /// Whether nothing was chosen since the beginning or the last seek.
    package var isStarting = true
    /// In milliseconds.
    package var placeholder = 0.0
    /// Of the last segment that came.
    package var quality = 0
    package var share = BufferShare()

    package init() {}
  }

  /// In milliseconds.
  private static let leastBuffer = 10_000.0
  private static let leastBufferOfQuality = 2_000.0

  private func weights(_ utilities: BolaUtilities, _ segmentLength: Double) -> BolaWeights {
    let highest = utilities.highest
    if !hasBufferRule {
      let gammaP = gammaP - 1
      return BolaWeights(gammaP: gammaP, v: (bufferSize - segmentLength) / (highest + gammaP))
    }
    let least = Self.leastBuffer + Self.leastBufferOfQuality * Double(utilities.count)
    let gammaP = (highest - 1) / (max(least, bufferSize) / Self.leastBuffer - 1)
    return BolaWeights(gammaP: gammaP, v: Self.leastBuffer / gammaP)
  }

  package func choice(_ question: PublishedQuestion, _ memory: inout Memory) -> PublishedChoice {
    let (bitrates, level) = (question.bitrates, question.level)
    let utilities = BolaUtilities(question.qualities, lowest: 1)
    let weights = weights(utilities, question.segmentLength)
    let sustained = question.quality(sustainedBy: question.throughput)
    if memory.isStarting {
      memory.isStarting = false
      memory.share = BufferShare()
      memory.placeholder = max(0, weights.leastLevel(of: sustained, utilities, bitrates) - level)
      return PublishedChoice(sustained)
    }
    var quality = weights.best(utilities, bitrates, level: level + memory.placeholder)
    if quality > memory.quality, quality > sustained {
      quality = max(memory.quality, sustained)
      if !avoidsOscillation { quality += 1 }
    }
    var choice = PublishedChoice(quality)
    // Of the delay the rest after the placeholder is used up.
    let wanted = max(0, level + memory.placeholder - weights.mostLevel(of: quality, utilities))
    let used = min(wanted, memory.placeholder)
    memory.placeholder -= used
    choice.delay = wanted - used
    if quality == bitrates.count - 1 { choice.delay = 0 }
    if !hasBufferRule { return choice }
    let safe = question.quality(atMost: quality, withBufferShare: memory.share.next())
    if safe == quality { return choice }
    let least = weights.leastLevel(of: safe, utilities, bitrates)
    memory.placeholder = min(max(0, least - level), memory.placeholder)
    return PublishedChoice(safe)
  }

  /// Whether a lower quality has a better score for its bits than what is left of the segment after
  /// another latency (`check_abandon`, sabre.py 926). The placeholder is lowered then.
  package func abandons(
    _ progress: PublishedProgress, _ question: PublishedQuestion, _ memory: inout Memory
  ) -> Bool {
    let utilities = BolaUtilities(question.qualities, lowest: 1)
    let weights = weights(utilities, question.segmentLength)
    let level = max(0, progress.level + memory.placeholder - progress.latency)
    let rest = progress.missing - progress.latency * progress.received / progress.flowed
    guard rest > 0,
      let lower = weights.lower(progress, utilities, question.bitrates, level: level, rest: rest)
    else { return false }
    memory.quality = progress.quality
    let least =
      lower > 0 ? weights.leastLevel(of: lower, utilities, question.bitrates) : Self.leastBuffer
    memory.placeholder = min(memory.placeholder, max(0, least - progress.level))
    return true
  }

  /// Hears that a segment came.
  ///
  /// - Parameters:
  ///   - took: From its request to its last byte, in milliseconds.
  ///   - level: Forward buffer, the segment included.
  package func hear(
    came quality: Int, took: Double, level: Double, isReplacement: Bool = false,
    _ qualities: PublishedQualities, segmentLength: Double, _ memory: inout Memory
  ) {
    memory.quality = quality
    if isReplacement {
      memory.placeholder += segmentLength
      return
    }
    let utilities = BolaUtilities(qualities, lowest: 1)
    let weights = weights(utilities, segmentLength)
    let levelBefore = level + took
    let most = max(0, weights.mostLevel(of: quality, utilities) - levelBefore)
    memory.placeholder = min(memory.placeholder, most)
    if level > 0 {
      let least = weights.leastLevel(of: quality, utilities, qualities.bitrates) - levelBefore
      memory.placeholder = max(memory.placeholder, least)
    }
  }
}
