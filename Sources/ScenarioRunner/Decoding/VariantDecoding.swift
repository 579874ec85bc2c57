import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// What a scenario says of the choice of variants; of no meaning for a file.
struct VariantPart {
  var constraints = VariantConstraints()
  var startsOnFirstEligible = false
  var observedBitRate: Int64?
  var adaptation = AdaptationRule.throughput(ThroughputRule())
  var preloadsKeys = false
  var errors = StreamErrorPolicy()

  init() {}

  init(_ object: inout DocumentObject) {
    startsOnFirstEligible = object.optional(
      "startsOnFirstEligibleVariant", default: false, as: Decode.boolean)
    constraints.preferredPeakBitRate = object.optional(
      "preferredPeakBitRate", default: 0, as: Decode.bitRateLimit)
    constraints.preferredMaximumResolution = object.optional(
      "preferredMaximumResolution", as: Decode.pixelSize)
    constraints.layerPixels = object.optional("layer", as: Decode.layer)
    observedBitRate = object.optional("observedBitrate", as: Decode.bitRateLimit)
    adaptation = object.optional(
      "adaptation", default: adaptation,
      as: Decode.choice([("throughput", adaptation), ("fixed", .fixed)]))
    preloadsKeys = object.optional("preloadsKeys", default: false, as: Decode.boolean)
    errors.mediaTimeout = object.optional(
      "mediaTimeout", default: errors.mediaTimeout, as: Decode.nullable(Decode.runSpanAboveZero))
    errors.recoversAfter = object.optional(
      "variantRecovery", default: errors.recoversAfter, as: Decode.runSpanAboveZero)
  }

  /// The media with what the player does with it.
  func applied(to media: MediaSource, under contract: Contract) -> MediaSource {
    guard case .stream(var settings) = media else { return media }
    settings.constraints = constraints
    settings.adaptation = adaptation
    settings.preloadsKeys = preloadsKeys
    settings.errors = errors
    settings.initialRule =
      startsOnFirstEligible || !contract.optimisesInitialVariant
      ? .firstEligible : .optimised(OptimisedStart(observedBitRate: observedBitRate))
    return .stream(settings)
  }
}
