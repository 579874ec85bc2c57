/// Constraints of the device, the app and the network on variants, at one moment.
public struct VariantConstraints: Hashable, Sendable {
  /// The codecs that cannot be decoded; a codec that is not known is not played either.
  public var unsupportedCodecs: [CodecFamily]
  /// The video ranges that the display shows.
  public var videoRanges: [VideoRange]
  /// In bit/s; 0 sets no limit (AVPlayerItem.preferredPeakBitRate).
  public var preferredPeakBitRate: Int64
  /// The same, on an expensive network only.
  public var preferredPeakBitRateForExpensiveNetworks: Int64 = 0
  /// Nil sets no limit (AVPlayerItem.preferredMaximumResolution, where it is the size zero).
  public var preferredMaximumResolution: PixelSize?
  public var preferredMaximumResolutionForExpensiveNetworks: PixelSize?
  public var isNetworkExpensive = false
  /// The pixels of the layer that shows the picture; nil while there is none.
  public var layerPixels: PixelSize?

  public init(
    unsupportedCodecs: [CodecFamily] = [.other], videoRanges: [VideoRange] = VideoRange.allCases,
    preferredPeakBitRate: Int64 = 0, preferredMaximumResolution: PixelSize? = nil,
    layerPixels: PixelSize? = nil
  ) {
    self.unsupportedCodecs = unsupportedCodecs
    self.videoRanges = videoRanges
    self.preferredPeakBitRate = preferredPeakBitRate
    self.preferredMaximumResolution = preferredMaximumResolution
    self.layerPixels = layerPixels
  }

  // AVPlayerItem: on an expensive network the smaller of the two limits rules.
  /// The bit rate that holds at this moment; nil without a limit.
  package var peakBitRate: Int64? {
    let expensive = isNetworkExpensive ? preferredPeakBitRateForExpensiveNetworks : 0
    return [preferredPeakBitRate, expensive].filter { $0 > 0 }.min()
  }
}

/// Whether a variant may be played, and why.
package enum VariantVerdict: Hashable, Sendable {
  case eligible
  /// It passes a preference, but all variants that can be played do, and it is the least of them.
  case eligibleAsLowest
  case unsupportedCodec(String)
  case unsupportedVideoRange(VideoRange)
  case abovePeakBitRate(Int64)
  case aboveResolution(PixelSize)
  /// A smaller variant already fills the layer.
  case largerThanLayer(PixelSize)

  package var isEligible: Bool {
    switch self {
    case .eligible, .eligibleAsLowest: true
    case .unsupportedCodec, .unsupportedVideoRange, .abovePeakBitRate, .aboveResolution,
      .largerThanLayer:
      false
    }
  }

  package var isUnplayable: Bool {
    switch self {
    case .unsupportedCodec, .unsupportedVideoRange: true
    case .eligible, .eligibleAsLowest, .abovePeakBitRate, .aboveResolution, .largerThanLayer: false
    }
  }
}

extension Presentation {
  /// A verdict on every variant, in playlist order.
  ///
  /// Unless none can be played at all, at least one is eligible.
  package func verdicts(under constraints: VariantConstraints) -> [VariantVerdict] {
    let peak = constraints.peakBitRate
    // Perf: most variants have the codecs of the one before, and a family is told by text.
    var judged: (codecs: [String], unsupported: String?) = ([], nil)
    var verdicts = variants.indices.map { variant in
      if variants[variant].attributes.codecs != judged.codecs {
        judged.codecs = variants[variant].attributes.codecs
        judged.unsupported = judged.codecs.first {
          constraints.unsupportedCodecs.contains(CodecFamily($0))
        }
      }
      return verdict(on: variant, unsupported: judged.unsupported, peak, constraints)
    }
    capToLayer(&verdicts, constraints)
    if verdicts.contains(where: { $0.isEligible }) { return verdicts }
    // AVPlayerItem.preferredPeakBitRate: where it cannot be had, consumption is reduced as much as
    // possible while the item goes on playing. Taken literally, the 2000 bit/s of the slide leave
    // the lowest rung.
    let playable = verdicts.indices.filter { !verdicts[$0].isUnplayable }
    if let lowest = playable.min(by: { bandwidth($0) < bandwidth($1) }) {
      verdicts[lowest] = .eligibleAsLowest
    }
    return verdicts
  }

  func bandwidth(_ variant: Int) -> Int64 { variants[variant].attributes.bandwidth }

  /// Rules out what is larger than the smallest variant that fills the layer.
  ///
  /// V3: "the 720p variant is the best choice. It's already higher resolution than the […] screen."
  private func capToLayer(_ verdicts: inout [VariantVerdict], _ constraints: VariantConstraints) {
    guard let layer = constraints.layerPixels else { return }
    let filling = verdicts.indices.filter { verdicts[$0].isEligible }
      .compactMap { variants[$0].attributes.resolution }.filter { $0.fills(layer) }
    guard let smallest = filling.min(by: { $0.area < $1.area }) else { return }
    for index in verdicts.indices where verdicts[index].isEligible {
      if let size = variants[index].attributes.resolution, size.area > smallest.area {
        verdicts[index] = .largerThanLayer(smallest)
      }
    }
  }

  private func verdict(
    on variant: Int, unsupported codec: String?, _ peak: Int64?, _ constraints: VariantConstraints
  ) -> VariantVerdict {
    // §4.4.6.2: a client may leave out a variant when one of its codecs is not supported.
    if let codec { return .unsupportedCodec(codec) }
    let range = variants[variant].attributes.videoRange
    if !constraints.videoRanges.contains(range) { return .unsupportedVideoRange(range) }
    if let peak, bandwidth(variant) > peak { return .abovePeakBitRate(peak) }
    guard let size = variants[variant].attributes.resolution else { return .eligible }
    if let limit = constraints.preferredMaximumResolution, !size.fits(limit) {
      return .aboveResolution(limit)
    }
    if constraints.isNetworkExpensive,
      let limit = constraints.preferredMaximumResolutionForExpensiveNetworks, !size.fits(limit)
    {
      return .aboveResolution(limit)
    }
    return .eligible
  }
}

extension PixelSize {
  func fits(_ other: PixelSize) -> Bool { width <= other.width && height <= other.height }

  /// Whether a picture of this size, fitted into a layer in its own shape, is not enlarged.
  ///
  /// The side that touches the layer's edge first decides.
  package func fills(_ layer: PixelSize) -> Bool { width >= layer.width || height >= layer.height }

  /// The pixels of a layer: its points times its contents scale.
  ///
  /// V7: the scale is 1 unless the app sets it, which under-estimates the pixels of a fine display.
  public static func layer(points: PixelSize, contentsScale: Int32 = 1) -> PixelSize {
    func pixels(_ points: Int32) -> Int32 { Int32(clamping: Int64(points) * Int64(contentsScale)) }
    return PixelSize(width: pixels(points.width), height: pixels(points.height))
  }
}
