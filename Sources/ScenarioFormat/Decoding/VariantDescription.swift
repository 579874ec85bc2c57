import ExactText
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia

/// Decoded keys of the choice of variants; of no meaning for a file.
struct VariantDescription {
  var constraints = VariantConstraints()
  /// The pixels of the layer that shows the picture; nil without one.
  var layer: PixelSize?
  var startsOnFirstEligible = false
  var observedBitRate: Int64?
  /// Nil leaves it to the policy.
  var adaptation: AdaptationRule?
  var preloadsKeys = false
  var audioLanguage: String?
  var subtitleLanguage: String?
  var errors = StreamErrorPolicy()
  var languages: LanguageNames

  @KeyRows<Self> static var keys: KeyRows<Self> {
    Key.optional(
      "startsOnFirstEligibleVariant", { $0.startsOnFirstEligible = $1 }, .boolean, absent: false,
      only: .streams, notBeside: "policy",
      "Whether a stream begins with the first eligible variant, as it always did before iOS 13.")
    limitKeys
    Key.optional(
      "observedBitrate", { $0.observedBitRate = $1 }, .bitRateLimit, only: .streams,
      "Throughput of the previous playback, by which a stream starts from iOS 13 on.")
    Key.optional(
      "adaptation", { $0.adaptation = $1 },
      .words([("throughput", .throughput), ("fixed", .fixed)]),
      absent: "throughput", only: .streams, notBeside: "policy",
      "Rule for the next variant: by throughput, or always the first choice.")
    Key.read(
      "audioLanguage", as: .text("en"), "The language of the sound that is selected."
    ) { $1.audioLanguage.takes($1.languages.reference(to: .audio)($0)) }.only(.streams)
    Key.read(
      "subtitleLanguage", as: .text("en"),
      "The language of the subtitles; none by default."
    ) { $1.subtitleLanguage.takes($1.languages.reference(to: .subtitles)($0)) }.only(.streams)
    Key.optional(
      "preloadsEligibleContentKeys", { $0.preloadsKeys = $1 }, .boolean, absent: false,
      only: .streams, "The same as preloadsKeys, as AVAssetResourceLoader calls it.")
    Key.optional(
      "preloadsKeys", { $0.preloadsKeys = $1 }, .boolean, absent: false, only: .streams,
      "Whether content keys that are announced are fetched early.")
    Key.optional(
      "mediaTimeout", { $0.errors.mediaTimeout = $1 }, .nullable(.spanAboveZero), absent: "15 s",
      only: .streams, "Time without a byte after which a media file is given up; null for never."
    )
    Key.optional(
      "variantRecovery", { $0.errors.recoversAfter = $1 }, .spanAboveZero, absent: "30 s",
      only: .streams, "Time until a variant that failed is tried again; doubled each time.")
  }

  @KeyRows<Self> private static var limitKeys: KeyRows<Self> {
    Key.optional(
      "preferredPeakBitRate", { $0.constraints.preferredPeakBitRate = $1 }, .bitRateLimit,
      absent: "0 bit/s", only: .streams, "The most that a variant may need; zero sets no limit.")
    Key.optional(
      "preferredMaximumResolution", { $0.constraints.preferredMaximumResolution = $1 }, .pixels,
      only: .streams, "The largest picture that is wanted.")
    Key.optional(
      "preferredPeakBitRateForExpensiveNetworks",
      { $0.constraints.preferredPeakBitRateForExpensiveNetworks = $1 }, .bitRateLimit,
      absent: "0 bit/s", only: .streams,
      "The same where the path is expensive; the lower limit applies.")
    Key.optional(
      "preferredMaximumResolutionForExpensiveNetworks",
      { $0.constraints.preferredMaximumResolutionForExpensiveNetworks = $1 }, .pixels,
      only: .streams, "The same where the path is expensive; the lower limit applies.")
    Key.optional(
      "codecs",
      { part, codecs in
        part.constraints.unsupportedCodecs = CodecFamily.allCases.filter { !codecs.contains($0) }
      }, .list(of: codecFamily), only: .streams,
      "Codecs that the device decodes; all of these by default.")
    Key.optional(
      "videoRanges", { $0.constraints.videoRanges = $1 }, .list(of: .cases, atLeast: 1),
      only: .streams, "The ranges that the display shows; all of them by default.")
    Key.optional(
      "layer", { $0.layer = $1 }, LayerDescription.form,
      "The layer that shows the picture; none by default.")
  }

  func applied(to media: MediaSource, under contract: Contract, _ policy: PolicyDescription)
    -> MediaSource
  {
    guard case .stream(var settings) = media else { return media }
    settings.constraints = constraints
    settings.adaptation = adaptation
    settings.preloadsKeys = preloadsKeys
    settings.audioLanguage = audioLanguage
    settings.subtitleLanguage = subtitleLanguage
    settings.errors = errors
    settings.observedBitRate = observedBitRate
    // A policy that names a rule of its own means it under any contract.
    let isOfContract = policy.firstVariant == PolicyPreset.avfoundation.description.firstVariant
    if startsOnFirstEligible || isOfContract && !contract.optimisesInitialVariant {
      settings.initialRule = .firstEligible
    }
    settings.prepare()
    return .stream(settings)
  }
}

private let codecFamily = Form<CodecFamily>.words([
  ("h264", .h264), ("hevc", .hevc), ("dolbyVision", .dolbyVision), ("av1", .av1), ("vp9", .vp9),
  ("aac", .aac), ("dolbyDigital", .dolbyDigital), ("otherAudio", .otherAudio), ("text", .text),
])

extension Form<PixelSize> {
  /// A size of a picture or of a layer: "1280x720".
  static var pixels: Form {
    Form(
      .pattern(
        "^(?=[0-9]{1,5} *x *[0-9]{1,5}$)0*[1-9][0-9]* *x *0*[1-9]", noun: "a width and a height",
        examples: ["1280x720"])
    ) { node in
      guard let text = Decode.text(node) else { return nil }
      if let (before, after) = parts(of: text, around: UInt8(ascii: "x")),
        let width = side(before), let height = side(after)
      {
        return PixelSize(width: width, height: height)
      }
      return node.refuse(
        "\(quotation(of: text)) is no size",
        expected: "a width and a height of 1 to 99999, such as “1280x720”")
    }
  }

  private static func side(_ text: String) -> Int32? {
    guard text.utf8.count <= 5, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int32(text), number > 0
    else { return nil }
    return number
  }
}

/// The pixels of a layer, from its points and the scale of its contents.
struct LayerDescription {
  var points: PixelSize?
  // V7: the scale is 1 unless the app sets it.
  var scale: Int32 = 1

  static let form = KeyTable<Self>("layer", "The layer that shows a picture.") {
    Key.required("size", { $0.points = $1 }, .pixels, "Its width and height in points.")
    Key.optional(
      "scale", { $0.scale = $1 }, .whole(in: 1...10), absent: 1, "The scale of its contents.")
  }.form(LayerDescription()) { part, _ in
    part.points.map { PixelSize.layer(points: $0, contentsScale: part.scale) }
  }
}
