import VirtualTime

/// An app's own choice of the variant to start with.
///
/// "Figure out a minimum acceptable quality level … on a particular size of screen and start
/// there", together with the bit rate of the previous playback (WWDC16 503). The app puts the
/// variant first in the playlist, which is Option B of the talk.
package struct AcceptableStart: Hashable, Sendable {
  package var screen: PixelSize
  /// Smallest acceptable picture, in percent of each side of the screen.
  ///
  /// The talk names no number: half is our assumption.
  package var leastPercent: Int64
  /// Bit rate that the previous playback observed, in bit/s; nil without one.
  package var lastBitRate: Int64?

  package init(screen: PixelSize, leastPercent: Int64 = 50, lastBitRate: Int64? = nil) {
    self.screen = screen
    self.leastPercent = leastPercent
    self.lastBitRate = lastBitRate
  }

  fileprivate func accepts(_ size: PixelSize) -> Bool {
    Int64(size.width) * 100 >= Int64(screen.width) * leastPercent
      || Int64(size.height) * 100 >= Int64(screen.height) * leastPercent
  }
}

extension Presentation {
  /// The variant that an app of such a policy puts first; nil where no variant has a picture.
  ///
  /// It is the highest that the previous bit rate sustains, but neither below the least acceptable
  /// picture nor above what the screen shows.
  package func variant(startingAt policy: AcceptableStart) -> Int? {
    let sizes = variants.map { $0.attributes.resolution }
    let filling = sizes.compactMap { $0 }.filter { $0.fills(policy.screen) }
    // A picture is too large where a smaller one already fills the screen.
    let fitting = sizes.indices.filter { place in
      sizes[place].map { size in !filling.contains { $0.area < size.area } } ?? false
    }
    let acceptable = fitting.filter { sizes[$0].map(policy.accepts) ?? false }
    guard let least = acceptable.min(by: { bandwidth($0) < bandwidth($1) }) else {
      return fitting.max { bandwidth($0) < bandwidth($1) }
    }
    guard let rate = policy.lastBitRate else { return least }
    return highest(of: acceptable, sustainedBy: .bitsPerSecond(max(0, rate))) ?? least
  }
}
