import ExactText
import StreamingMedia
import VirtualTime

enum LadderChoice {
  case named(NamedLadder)
  case listed([LadderRung])

  static let form = Form<Self>.list(
    Form<[LadderRung]>.list(of: LadderRung.form, atLeast: 1).map { .listed($0) },
    or: .words([
      ("talk", .named(.talk)), ("appleH264", .named(.appleH264)),
      ("appleHEVC", .named(.appleHEVC)), ("tree", .named(.tree)),
    ]))

  func description(_ duration: MediaTime, _ sizes: LadderSizes) -> LadderDescription {
    switch self {
    case .named(let ladder): ladder.description(duration: duration, sizes: sizes)
    // HLS authoring specification 7.5: segments of 6 s.
    case .listed(let rungs):
      LadderDescription(
        rungs: rungs, segmentDuration: .seconds(6), duration: duration, sizes: sizes)
    }
  }
}

extension LadderRung {
  fileprivate static let form = KeyTable<Self>("rung", "A variant of a ladder.") {
    Key.required("bitrate", { $0.bitRate = $1 }, .ladderBitRate, "The average bit rate.")
    Key.optional("resolution", { $0.resolution = $1 }, .pixels, "The size of the picture.")
    Key.optional(
      "codecs", { $0.codecs = $1 }, .list(of: .text("avc1.64001f")), absent: [], "Codecs.")
    Key.optional(
      "segmentBytes", { $0.segmentBytes = $1 }, .list(of: .bytes, atLeast: 1).examples(["250 KB"]),
      "The size of each of its segments, sound included, instead of what the bit rate makes.")
    Key.optional(
      "audioBitrate", { $0.audioBitRate = $1 }, .ladderBitRate,
      "The average bit rate of the sound that is muxed in.")
    Key.optional(
      "videoRange", { $0.videoRange = $1 }, .cases, absent: "SDR", "The range of its picture.")
  }.form(LadderRung(resolution: nil, bitRate: 0))
}

extension LadderAudio {
  static let form = KeyTable<Self>("audio", "An audio rendition.") {
    Key.required("name", { $0.name = $1 }, .text("Stereo"), "Name.")
    Key.optional("language", { $0.language = $1 }, .text("en"), "Its language.")
    Key.required("bitrate", { $0.bitRate = $1 }, .ladderBitRate, "The average bit rate.")
    Key.optional(
      "channels", { $0.channels = $1 }, .whole(in: 1...64), absent: 2, "Number of channels.")
    Key.optional("codec", { $0.codec = $1 }, codecs, absent: "mp4a.40.2", "Codecs.")
    Key.optional(
      "group", { $0.group = $1 }, .text("surround"), absent: "audio",
      "Every rung is offered once with each group.")
    Key.optional(
      "sampleRate", { $0.sampleRate = $1 }, .whole(in: 1...1_000_000), "In samples a second.")
    Key.optional("bitDepth", { $0.bitDepth = $1 }, .whole(in: 1...64), "In bits a sample.")
  }.form(LadderAudio(name: "", bitRate: 0))

  private static let codecs = Form<String>.text("mp4a.40.5").checked(
    expected: "a codec of sound, such as “mp4a.40.5” or “ec-3”"
  ) { CodecFamily($0).isAudio }
}

extension LadderSubtitles {
  static let form = KeyTable<Self>("subtitles", "Subtitles of a stream.") {
    Key.required("name", { $0.name = $1 }, .text("English"), "Name of the subtitles.")
    Key.optional("language", { $0.language = $1 }, .text("en"), "Their language.")
    Key.optional(
      "bitrate", { $0.bitRate = $1 }, .ladderBitRate, absent: "1 kbit/s", "The average bit rate.")
  }.form(LadderSubtitles(name: ""))
}

extension EncoderPadding {
  static let form = KeyTable<Self>("audioPadding", "Encoder delay and padding.") {
    Key.optional(
      "priming", { $0.priming = $1 }, .whole(in: 0...1_000_000), absent: 0,
      "Samples before the start.")
    Key.optional(
      "remainder", { $0.remainder = $1 }, .whole(in: 0...1_000_000), absent: 0,
      "Samples after the end.")
    Key.required(
      "sampleRate", { $0.sampleRate = $1 }, .whole(in: 1...1_000_000), "In samples a second.")
    Key.required(
      "editList", { $0.hasEditList = $1 }, .boolean,
      "Whether an edit list says which they are, so they are cut.")
  }.form(EncoderPadding(priming: 0, remainder: 0, sampleRate: 1, hasEditList: false))
}

extension LadderSizes {
  static let form = KeyTable<(peak: Int64, seed: UInt64)>("sizes", "Sizes of segments that vary.") {
    Key.required(
      "peak", { $0.peak = $1 }, .percent(in: 100...1_000).examples("150 %"),
      "The largest size that a segment may have, as a share of the average.")
    Key.optional("seed", { $0.seed = $1 }, .seed, absent: 0, "The seed of the sizes.")
  }.form((100, 0)) { part, _ -> Self? in
    .variable(seed: part.seed, peakPercent: part.peak)
  }.or([("constant", .constant)])
}

extension Form<Int64> {
  static var ladderBitRate: Form {
    wholeBitRate(
      .bitRateAboveZero, in: 1...1_000_000_000_000,
      "a whole bit rate from 1 bit/s to 1000 Gbit/s")
  }

  /// A whole percentage within bounds of 1 to 100, or of 100 to 1000.
  static func percent(in bounds: ClosedRange<Int64>) -> Form {
    let digits =
      bounds.upperBound <= 100
      ? "100|[0-9]{1,2}" : bounds.lowerBound >= 100 ? "1000|[1-9][0-9]{2}" : "1000|[0-9]{1,3}"
    let least = bounds.lowerBound > 0 ? "(?=.*[1-9])" : ""
    let pattern = "^\(least)0*(\(digits))(\\.0+)? *%$"
    let noun = "a whole percentage from \(bounds.lowerBound) % to \(bounds.upperBound) %"
    let shape = Shape.pattern(pattern, noun: noun, examples: ["\(max(30, bounds.lowerBound)) %"])
    return Form<Ratio>.quantity(shape, of: .percentage, Quantity.percentage).then { ratio, node in
      let (percent, rest) = (Int128(ratio.numerator) * 100)
        .quotientAndRemainder(dividingBy: Int128(ratio.denominator))
      if rest == 0, let percent = Int64(exactly: percent), bounds.contains(percent) {
        return percent
      }
      return node.refuseKind(expected: noun)
    }
  }
}
