public import VirtualTime

/// A presentation in a few words: what a scenario says instead of playlists.
public struct LadderDescription: Hashable, Sendable {
  /// In the order in which the multivariant playlist lists them.
  public var rungs: [LadderRung]
  /// Separate audio renditions; without any, audio is muxed into the rungs.
  public var audio: [LadderAudio]
  public var subtitles: [LadderSubtitles]
  public var segmentDuration: MediaTime
  public var duration: MediaTime
  public var sizes: LadderSizes
  public var encryption: LadderEncryption?
  /// The length of the parts of a low-latency stream; nil without parts.
  public var partDuration: MediaTime?

  public init(
    rungs: [LadderRung], audio: [LadderAudio] = [], subtitles: [LadderSubtitles] = [],
    segmentDuration: MediaTime, duration: MediaTime, sizes: LadderSizes = .constant,
    encryption: LadderEncryption? = nil, partDuration: MediaTime? = nil
  ) {
    self.rungs = rungs
    self.audio = audio
    self.subtitles = subtitles
    self.segmentDuration = segmentDuration
    self.duration = duration
    self.sizes = sizes
    self.encryption = encryption
    self.partDuration = partDuration
  }
}

/// One rung: a picture size at a bit rate.
public struct LadderRung: Hashable, Sendable {
  public var resolution: PixelSize?
  /// The average of the picture, in bit/s.
  public var bitRate: Int64
  /// The average of the sound that is muxed in, in bit/s.
  public var audioBitRate: Int64
  public var codecs: [String]
  /// In thousandths of a frame a second.
  public var frameRate: Int64?
  public var videoRange: VideoRange
  /// The sizes of its segments, sound included, where they are known; they go before all rules.
  public var segmentBytes: [Int64]

  public init(
    resolution: PixelSize?, bitRate: Int64, audioBitRate: Int64 = 0, codecs: [String] = [],
    frameRate: Int64? = nil, videoRange: VideoRange = .standard, segmentBytes: [Int64] = []
  ) {
    self.resolution = resolution
    self.bitRate = bitRate
    self.audioBitRate = audioBitRate
    self.codecs = codecs
    self.frameRate = frameRate
    self.videoRange = videoRange
    self.segmentBytes = segmentBytes
  }
}

/// One separate audio rendition.
public struct LadderAudio: Hashable, Sendable {
  /// Every rung is offered once with each group.
  public var group: String
  public var name: String
  public var language: String?
  public var bitRate: Int64
  public var codec: String
  public var channels: Int32
  public var sampleRate: Int64?
  public var bitDepth: Int64?

  public init(
    group: String = "audio", name: String, language: String? = nil, bitRate: Int64,
    codec: String = "mp4a.40.2", channels: Int32 = 2, sampleRate: Int64? = nil,
    bitDepth: Int64? = nil
  ) {
    self.group = group
    self.name = name
    self.language = language
    self.bitRate = bitRate
    self.codec = codec
    self.channels = channels
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
  }
}

/// One rendition of subtitles; all are of one group, which goes with every rung.
public struct LadderSubtitles: Hashable, Sendable {
  public var name: String
  public var language: String?
  public var bitRate: Int64
  public var isDefault: Bool
  public var isForced: Bool

  public init(
    name: String, language: String? = nil, bitRate: Int64 = 1_000, isDefault: Bool = false,
    isForced: Bool = false
  ) {
    self.name = name
    self.language = language
    self.bitRate = bitRate
    self.isDefault = isDefault
    self.isForced = isForced
  }
}

/// Distribution of a rung's bytes over its segments.
public enum LadderSizes: Hashable, Sendable {
  /// Every segment has the average bit rate.
  case constant
  /// Each segment has a weight between one over the peak ratio and the ratio, drawn by the seed;
  /// all together have the average bit rate, and none exceeds the average times the ratio.
  case variable(seed: UInt64, peakPercent: Int64)
}

/// One key for the whole presentation.
public struct LadderEncryption: Hashable, Sendable {
  public var key: EncryptionKey
  /// Whether the multivariant playlist announces it with EXT-X-SESSION-KEY.
  public var isAnnounced: Bool

  public init(key: EncryptionKey, isAnnounced: Bool) {
    self.key = key
    self.isAnnounced = isAnnounced
  }
}

/// An error in the description of a ladder.
public enum LadderFault: Error, Hashable, Sendable {
  case noRungs
  /// A rung or an audio rendition, counted from 0, has a bit rate outside 1 bit/s to 1 Tbit/s.
  case bitRateOutOfRange(Int64)
  case segmentDurationOutOfRange(MediaTime)
  case durationOutOfRange(MediaTime)
  case partDurationOutOfRange(MediaTime)
  case tooManySegments(Int64, limit: Int64)
  case peakPercentOutOfRange(Int64)
  /// A rung states this many sizes for that many segments.
  case sizeCount(Int64, segments: Int64)
  case sizeOutOfRange(Int64)
  /// A rung of sound alone, of this bit rate, is none of the separate audio renditions.
  case soundBesideAudio(Int64)

  /// The error and the expected value.
  public var message: String {
    switch self {
    case .noRungs: "a ladder needs at least one rung"
    case .bitRateOutOfRange(let rate): "a bit rate lies between 1 bit/s and 1 Tbit/s, not \(rate)"
    case .segmentDurationOutOfRange: "a segment lasts between 1 ms and 1 h"
    case .durationOutOfRange: "a presentation lasts between 1 ms and 366 days"
    case .partDurationOutOfRange: "a part lasts at least 10 ms and no longer than a segment"
    case .tooManySegments(let count, let limit): "\(count) segments are more than \(limit)"
    case .peakPercentOutOfRange(let percent):
      "the peak is between 100 and 1000 percent of the average, not \(percent)"
    case .sizeCount(let count, let segments):
      "the number of sizes is \(count), and that of segments \(segments)"
    case .sizeOutOfRange(let size): "a segment has between 0 bytes and 1 TB, not \(size)"
    case .soundBesideAudio(let rate):
      "a rung of sound alone beside separate audio is played by it: it has the bit rate of the "
        + "first rendition of a group, not \(rate) bit/s, and neither sizes nor muxed sound of "
        + "its own"
    }
  }
}

extension LadderDescription {
  static let segmentLimit: Int64 = 5_000_000

  /// Number of segments in each list; the last may be shorter.
  var segmentCount: Int64 {
    (duration.nanoseconds + segmentDuration.nanoseconds - 1) / segmentDuration.nanoseconds
  }

  /// Checks what the arithmetic relies on.
  func validate() throws(LadderFault) {
    if rungs.isEmpty { throw .noRungs }
    for rung in rungs {
      try Self.validate(rate: rung.bitRate)
      if rung.audioBitRate != 0 { try Self.validate(rate: rung.audioBitRate) }
    }
    for rendition in audio { try Self.validate(rate: rendition.bitRate) }
    for rendition in subtitles { try Self.validate(rate: rendition.bitRate) }
    if !(1_000_000...3_600_000_000_000).contains(segmentDuration.nanoseconds) {
      throw .segmentDurationOutOfRange(segmentDuration)
    }
    if !(1_000_000...31_622_400_000_000_000).contains(duration.nanoseconds) {
      throw .durationOutOfRange(duration)
    }
    if let partDuration, !(.milliseconds(10)...segmentDuration).contains(partDuration) {
      throw .partDurationOutOfRange(partDuration)
    }
    if segmentCount > Self.segmentLimit {
      throw .tooManySegments(segmentCount, limit: Self.segmentLimit)
    }
    if case .variable(_, let percent) = sizes, !(100...1_000).contains(percent) {
      throw .peakPercentOutOfRange(percent)
    }
    for sizes in rungs.map({ $0.segmentBytes }) where !sizes.isEmpty {
      if Int64(sizes.count) != segmentCount {
        throw .sizeCount(Int64(sizes.count), segments: segmentCount)
      }
      for size in sizes where !(0...1_000_000_000_000).contains(size) {
        throw .sizeOutOfRange(size)
      }
    }
    for rung in rungs where isPlayedByAudio(rung) {
      let hasOwn = rung.audioBitRate > 0 || !rung.segmentBytes.isEmpty
      if hasOwn || firstAudio.allSatisfy({ audio[$0].bitRate != rung.bitRate }) {
        throw .soundBesideAudio(rung.bitRate)
      }
    }
  }

  /// Whether a rung is sound alone that separate renditions bring.
  func isPlayedByAudio(_ rung: LadderRung) -> Bool {
    !audio.isEmpty && rung.resolution == nil && rung.codecs.areAudioOnly
  }

  /// The first rendition of each group, in the order in which the groups first occur.
  var firstAudio: [Int] {
    audio.indices.filter { index in
      audio.firstIndex { $0.group == audio[index].group } == index
    }
  }

  private static func validate(rate: Int64) throws(LadderFault) {
    if !(1...1_000_000_000_000).contains(rate) { throw .bitRateOutOfRange(rate) }
  }
}
