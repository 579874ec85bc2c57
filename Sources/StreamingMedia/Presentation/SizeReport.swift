/// Sources of the segment sizes of real playlists.
package struct SizeReport: Hashable, Sendable {
  /// All sources of the variants' own segments, best first.
  package var variantSources: [SizeSource]
  /// All sources of separate audio, best first; empty where there is none.
  package var audioSources: [SizeSource]

  /// The worst source among the variants' own segments.
  package var variants: SizeSource { variantSources.last ?? .gap }
  /// The worst source among separate audio; nil where there is none.
  package var audio: SizeSource? { audioSources.last }
}

extension Presentation {
  /// Sources of the sizes; nil for a presentation that was described and not read.
  package var sizeReport: SizeReport? {
    let isRead = lists.contains { if case .listed = $0.naming { true } else { false } }
    if !isRead { return nil }
    let sound = renditions.filter { $0.attributes.kind == .audio }.compactMap { $0.list }
    return SizeReport(
      variantSources: sources(in: variants.map { $0.list }), audioSources: sources(in: sound))
  }

  private func sources(in lists: [Int]) -> [SizeSource] {
    SizeSource.allCases.filter { source in
      source != .gap
        && lists.contains { self.lists[$0].segments.contains { $0.sizeSource == source } }
    }
  }
}
