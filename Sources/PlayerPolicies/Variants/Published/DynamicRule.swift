/// DYNAMIC: the throughput rule while little is ahead, BOLA while there is enough.
///
/// Spiteri, Sitaraman, Sparacio, "From Theory to Practice" (MMSys 2018).
package struct DynamicRule: Hashable, Sendable {
  package var bola: BolaRule
  package var throughput = SabreThroughputRule()
  /// In milliseconds.
  package var lowBuffer = 10_000.0

  package struct Memory: Hashable, Sendable {
    package var bola = BolaRule.Memory()
    package var share = BufferShare()
    package var isBola = false

    package init() {}
  }

  package func choice(_ question: PublishedQuestion, _ memory: inout Memory) -> PublishedChoice {
    // Both are asked each time, as both remember what they said.
    let byBuffer = bola.choice(question, &memory.bola)
    let byThroughput = throughput.choice(question, &memory.share)
    if memory.isBola {
      if question.level < lowBuffer, byBuffer.quality < byThroughput.quality {
        memory.isBola = false
      }
    } else if question.level > lowBuffer, byBuffer.quality >= byThroughput.quality {
      memory.isBola = true
    }
    return memory.isBola ? byBuffer : byThroughput
  }
}
