/// The throughput rule of Sabre: what nine tenths of the estimate sustain, latency included, and
/// no more than the buffer can risk.
///
/// Spiteri, Sitaraman, Sparacio, "From Theory to Practice" (MMSys 2018).
package struct SabreThroughputRule: Hashable, Sendable {
  package var safety = 0.9
  package var hasBufferRule = true

  package static let usual = SabreThroughputRule()

  package func choice(
    _ question: PublishedQuestion, _ memory: inout BufferShare
  ) -> PublishedChoice {
    let quality = question.quality(sustainedBy: question.throughput * safety)
    if !hasBufferRule { return PublishedChoice(quality) }
    return PublishedChoice(question.quality(atMost: quality, withBufferShare: memory.next()))
  }

  /// From 500 ms on a segment may take 1.8 times its length (`check_abandon`, sabre.py 989).
  package func abandons(_ progress: PublishedProgress, _ question: PublishedQuestion) -> Bool {
    if progress.time < 500 { return false }
    let throughput = progress.received / progress.flowed
    let takes = progress.time + progress.missing / throughput
    if takes <= 1.8 * question.segmentLength { return false }
    let quality = question.quality(sustainedBy: throughput * safety)
    return quality < progress.quality
      && progress.size(of: quality, question.bitrates) < progress.missing
  }
}
