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
  var audioLanguage: String?
  var subtitleLanguage: String?
  var errors = StreamErrorPolicy()

  init() {}

  init(_ object: inout DocumentObject, _ languages: LanguageNames) {
    startsOnFirstEligible = object.optional(
      "startsOnFirstEligibleVariant", default: false, as: Decode.boolean)
    constraints.preferredPeakBitRate = object.optional(
      "preferredPeakBitRate", default: 0, as: Decode.bitRateLimit)
    constraints.preferredMaximumResolution = object.optional(
      "preferredMaximumResolution", as: Decode.pixelSize)
    constraints.preferredPeakBitRateForExpensiveNetworks = object.optional(
      "preferredPeakBitRateForExpensiveNetworks", default: 0, as: Decode.bitRateLimit)
    constraints.preferredMaximumResolutionForExpensiveNetworks = object.optional(
      "preferredMaximumResolutionForExpensiveNetworks", as: Decode.pixelSize)
    if let codecs = object.optional("codecs", as: Decode.list(of: Decode.codecFamily)) {
      constraints.unsupportedCodecs = CodecFamily.allCases.filter { !codecs.contains($0) }
    }
    constraints.videoRanges = object.optional(
      "videoRanges", default: VideoRange.allCases,
      as: Decode.list(atLeast: 1, of: Decode.videoRange))
    constraints.layerPixels = object.optional("layer", as: Decode.layer)
    observedBitRate = object.optional("observedBitrate", as: Decode.bitRateLimit)
    adaptation = object.optional(
      "adaptation", default: adaptation,
      as: Decode.choice([("throughput", adaptation), ("fixed", .fixed)]))
    audioLanguage = object.optional("audioLanguage", as: languages.reference(to: .audio))
    subtitleLanguage = object.optional("subtitleLanguage", as: languages.reference(to: .subtitles))
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
    settings.audioLanguage = audioLanguage
    settings.subtitleLanguage = subtitleLanguage
    settings.errors = errors
    settings.initialRule =
      startsOnFirstEligible || !contract.optimisesInitialVariant
      ? .firstEligible : .optimised(OptimisedStart(observedBitRate: observedBitRate))
    return .stream(settings)
  }
}

extension Decode {
  /// What a device can decode, by families of codecs.
  static let codecFamilies: [(word: String, value: CodecFamily)] = [
    ("h264", .h264), ("hevc", .hevc), ("dolbyVision", .dolbyVision), ("av1", .av1), ("vp9", .vp9),
    ("aac", .aac), ("dolbyDigital", .dolbyDigital), ("otherAudio", .otherAudio), ("text", .text),
  ]

  static func codecFamily(_ node: DocumentNode) -> CodecFamily? { choice(codecFamilies)(node) }

  static let videoRangeWords: [(word: String, value: VideoRange)] =
    VideoRange.allCases.map { (word: $0.rawValue, value: $0) }

  static func videoRange(_ node: DocumentNode) -> VideoRange? { choice(videoRangeWords)(node) }
}
