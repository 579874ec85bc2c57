/// Where the sizes of the segments of real playlists come from.
package struct SizeReport: Hashable, Sendable {
  /// The worst source among the variants' own segments.
  package var variants: SizeSource
  /// The worst source among separate audio; nil where there is none.
  package var audio: SizeSource?

  package init(variants: SizeSource, audio: SizeSource?) {
    self.variants = variants
    self.audio = audio
  }
}

extension Presentation {
  /// Where sizes come from; nil for a presentation that was described and not read.
  package var sizeReport: SizeReport? {
    guard lists.contains(where: { $0.isListed }) else { return nil }
    let main = variants.compactMap { lists[$0.list].sizeSource }
    let sound = renditions.filter { $0.attributes.kind == .audio }
      .compactMap { $0.list }.compactMap { lists[$0].sizeSource }
    return SizeReport(variants: worst(of: main) ?? .exact, audio: worst(of: sound))
  }

  private func worst(of sources: [SizeSource]) -> SizeSource? {
    sources.max { $0.rawValue < $1.rawValue }
  }
}

extension SegmentList {
  /// Whether somebody wrote its playlist.
  fileprivate var isListed: Bool {
    switch naming {
    case .listed: true
    case .numbered: false
    }
  }
}
