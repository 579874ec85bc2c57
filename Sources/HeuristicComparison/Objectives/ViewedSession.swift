package import ExactText
import Recording
import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
package import VirtualTime

/// A session as its viewer had it: all that an objective is worked out of.
package struct ViewedSession: Hashable, Sendable {
  /// A stretch of media of one quality.
  package struct Segment: Hashable, Sendable {
    package var length: MediaTime
    /// The nominal rate of its variant, in bit/s: the largest segment does not count.
    package var bitsPerSecond: Int64
    /// Its place in the playlist; nil for a file, and where no log says it.
    package var variant: Int?

    package init(length: MediaTime, bitsPerSecond: Int64, variant: Int? = nil) {
      (self.length, self.bitsPerSecond, self.variant) = (length, bitsPerSecond, variant)
    }
  }

  package struct Stall: Hashable, Sendable {
    package var place: MediaTime
    package var length: TimeSpan

    package init(place: MediaTime, length: TimeSpan) {
      self.place = place
      self.length = length
    }
  }

  /// Nil where playback never began.
  package var startup: TimeSpan?
  /// The first stalls, of which a run of any length keeps no more than some thousands.
  package var stalls: [Stall]
  package var stallCount: Int64
  package var stalled: TimeSpan
  package var played: TimeSpan
  /// In the order in which they play.
  package var segments: [Segment]
  /// Facts that a log does not tell.
  package var gaps: [FieldGap] = []
  /// The length played in each quality: shorter than the segments that were not played to the end.
  package var shown: [Segment]

  package init(
    startup: TimeSpan?, stalls: [Stall] = [], stallCount: Int64? = nil, stalled: TimeSpan? = nil,
    played: TimeSpan, segments: [Segment] = [], shown: [Segment]? = nil
  ) {
    self.startup = startup
    self.stalls = stalls
    self.stallCount = stallCount ?? Int64(stalls.count)
    self.stalled = stalled ?? stalls.reduce(.zero) { $0 + $1.length }
    self.played = played
    self.segments = segments
    self.shown = shown ?? segments
  }

  /// Reads off a run what its viewer had of the first player, over all items that were played.
  ///
  /// Segments of a stream are those that arrived, as the access log has them in periods of one
  /// variant. A file is one segment.
  package init(_ outcome: borrowing RunOutcome) {
    let player = outcome.player
    self.init(
      startup: player.startupDelay,
      stalls: player.books.stalls.map { Stall(place: $0.place, length: $0.length) },
      stallCount: player.books.stallCount, stalled: player.books.stalled,
      played: player.books.played)
    gaps = outcome.gaps
    for item in outcome.itemLogs where item.player == nil { add(item) }
  }

  fileprivate mutating func add(_ item: ItemLogs) {
    let indicators = item.logs.indicators
    switch item.playedSource {
    case nil: break
    case .local(let file)?, .progressive(let file)?:
      let rate = file.averageBitRate.roundedDown
      segments.append(Segment(length: file.duration, bitsPerSecond: rate))
      shown.append(Segment(length: indicators.durationWatched, bitsPerSecond: rate))
    case .stream(let settings)?:
      let rates = settings.presentation.nominalBandwidths
      segments += Self.segments(
        item.logs.accessLog?.events ?? [], of: settings.presentation, rates)
      shown += indicators.shownVariants.map {
        Segment(length: $0.media, bitsPerSecond: rates[Int($0.variant)], variant: Int($0.variant))
      }
      // A trace has the length of each variant, and not of each time that it was shown.
      if indicators.shownVariants.allSatisfy({ $0.media == .zero }) {
        shown += indicators.playedVariants.map {
          Segment(length: $0.media, bitsPerSecond: $0.nominal)
        }
      }
    }
  }

  /// Whether the shown length of a bit rate differs from the arrived one, by a log that has all
  /// media from before the item was ready in one variant.
  fileprivate var showsOtherMedia: Bool {
    var excess: [Int64: Int64] = [:]
    for part in segments { excess[part.bitsPerSecond, default: 0] += part.length.nanoseconds }
    for part in shown { excess[part.bitsPerSecond, default: 0] -= part.length.nanoseconds }
    return excess.values.contains { abs($0) > 1_000_000 }
  }

  // A log has the length of what arrived in a period. That goes on behind the period before, or
  // begins at the playhead, or beyond that where segments gave way to those of another variant.
  private static func segments(
    _ periods: [AccessLogEvent], of presentation: Presentation, _ rates: [Int64]
  ) -> [Segment] {
    var segments: [Segment] = []
    let (variants, lists) = (presentation.variants, presentation.lists)
    guard let main = variants.first.map({ lists[$0.list].segments }) else { return [] }
    segments.reserveCapacity(main.count)
    let even = evenLength(of: main)
    let areAlike = variants.indices.allSatisfy {
      let own = lists[variants[$0].list].segments
      return own.count == main.count && own.last?.end == main.last?.end
    }
    var (place, end) = (0, MediaTime.zero)
    for index in periods.indices {
      var left = max(.zero, periods[index].segmentsDownloadedDuration ?? .zero)
      let nominal = periods[index].indicatedAverageBitrate ?? periods[index].indicatedBitrate ?? 0
      let variant = variant(nominal, periods[index].uri, rates, in: presentation)
      var segment = Segment(length: even ?? .zero, bitsPerSecond: nominal, variant: variant)
      // Of segments of one length the place does not matter.
      if areAlike, let even {
        for _ in 0..<min(left.nanoseconds / even.nanoseconds, 1 << 20) {
          segments.append(segment)
          left = left - even
        }
        segment.length = left
        if left > .zero { segments.append(segment) }
        continue
      }
      let own = areAlike ? nil : lists.firstIndex { isSameText($0.uri, periods[index].uri) }
      let media = own.map { lists[$0].segments } ?? main
      if !media.contains(where: { !$0.isGap }) { continue }
      let start = periods[index].playbackStartOffset
      let here = media.partitionPoint { $0.end > start }
      place = start > end ? here : media.partitionPoint { $0.end > end }
      if run(of: left, in: media, from: place) != place {
        place = run(of: left, in: media, from: here) ?? place
      }
      while left > .zero {
        // The sum of a log's oldest periods may go through the media more than once.
        while place == media.count || media[place].isGap {
          place = place == media.count ? 0 : place + 1
        }
        segment.length = segments.count < 1 << 20 ? min(media[place].duration, left) : left
        segments.append(segment)
        (left, place) = (left - segment.length, place + 1)
      }
      end = place > 0 ? media[place - 1].end : .zero
    }
    return segments
  }

  /// The variant of a nominal rate, by its playlist where several have that rate.
  private static func variant(
    _ nominal: Int64, _ uri: String, _ rates: [Int64], in presentation: Presentation
  ) -> Int? {
    guard let first = rates.firstIndex(of: nominal) else { return nil }
    if !rates[(first + 1)...].contains(nominal) { return first }
    return rates.indices.first {
      rates[$0] == nominal
        && isSameText(presentation.lists[presentation.variants[$0].list].uri, uri)
    }
  }

  /// The length of all segments but a shorter last one; nil where they differ.
  private static func evenLength(of media: [MediaSegment]) -> MediaTime? {
    guard let first = media.first?.duration, let last = media.last?.duration, last <= first,
      media.allSatisfy({ !$0.isGap }), media.dropLast().allSatisfy({ $0.duration == first })
    else { return nil }
    return first
  }

  /// The place of the first segments from a place on that have a length together; nil without any.
  private static func run(of length: MediaTime, in media: [MediaSegment], from place: Int) -> Int? {
    func span(_ place: Int) -> MediaTime { media[place].isGap ? .zero : media[place].duration }
    var (first, end, left) = (place, place, length)
    while left > .zero, end < media.count {
      left = left - span(end)
      end += 1
      while left < .zero {
        left = left + span(first)
        first += 1
      }
    }
    return left == .zero ? first : nil
  }

  /// The nominal bit rates, each for as long as it was played; nil where nothing was shown.
  ///
  /// - Parameter factor: Number of the unit in a bit per second.
  func meanBitRate(times factor: Int128 = 1) -> Int64? {
    var (bits, length) = (Int128(0), Int128(0))
    for segment in shown {
      bits += Int128(segment.bitsPerSecond) * Int128(segment.length.nanoseconds)
      length += Int128(segment.length.nanoseconds)
    }
    return length > 0 ? Int64(clamping: quotient(bits * factor, length, rounding: .down)) : nil
  }
}

/// The input of ITU-T P.1203 at mode 0, as the standard's public software reads it.
///
/// The model itself may not be shipped; its input is no more than what a session was.
package struct P1203Input: Hashable, Sendable {
  package var session: ViewedSession
  /// In thousandths.
  package var framesPerSecond: Int64 = 24_000
  /// In bit/s; nil without separate audio.
  package var audioBitsPerSecond: Int64?
  /// By segment; nil for a file.
  private var variants: [PlaylistVariant?] = []

  /// In pixels, by segment; nil where the playlist says none.
  package var resolutions: [String?] {
    variants.map { $0?.resolution.map { "\($0.width)x\($0.height)" } }
  }

  package init(_ outcome: RunOutcome) {
    let whole = ViewedSession(outcome)
    session = whole
    session.segments = []
    for item in outcome.itemLogs where item.player == nil {
      var part = ViewedSession(startup: nil, played: .zero)
      part.add(item)
      // A local file has no log that says how much of it was shown.
      if case .local? = item.playedSource {
        let isAlone = whole.segments.count == 1
        if isAlone { part.segments[0].length = outcome.player.books.mediaAdvanced }
      } else if part.showsOtherMedia {
        // Segments that were not shown, or gave way to others, are no part of a viewer's session.
        part.segments = part.shown
      }
      add(part.segments, of: item)
    }
    if let frames = variants.compactMap({ $0?.frameRate }).first { framesPerSecond = frames }
    audioBitsPerSecond = outcome.watchedPeriods.compactMap { $0.averageAudioBitrate }.first
    for (place, stall) in outcome.player.books.stalls.enumerated() {
      session.stalls[place].place = outcome.media(shownBy: stall.start)
    }
  }

  /// The declared bit rate of a variant includes the largest of its separate audio.
  private mutating func add(_ segments: [ViewedSession.Segment], of item: ItemLogs) {
    let presentation = item.playedSource?.stream?.presentation
    let declared = presentation?.variants.map { $0.attributes } ?? []
    let sounds = declared.indices.map { presentation?.soundRate(of: $0) }
    let audio = item.logs.accessLog?.events.compactMap { $0.averageAudioBitrate }.first ?? 0
    for var segment in segments {
      let rate = segment.bitsPerSecond
      let place = segment.variant ?? declared.firstIndex { $0.nominalBandwidth == rate }
      let (variant, sound) = (place.map { declared[$0] }, place.flatMap { sounds[$0] } ?? audio)
      if variant?.audioGroup != nil, sound < rate { segment.bitsPerSecond -= sound }
      session.segments.append(segment)
      variants.append(variant)
    }
  }

  /// The declared codecs that P.1203 has no name for: H.264 and AAC stand in their places.
  package var unnamedCodecs: [String] {
    let unnamed = variants.flatMap { $0?.codecs ?? [] }.filter { codec in
      let family = CodecFamily(codec)
      let isHeard = !family.isAudio || audioBitsPerSecond != nil
      return Self.name(of: codec) == nil && family != .text && isHeard
    }
    return distinct(unnamed)
  }

  private static func name(of codec: String) -> String? {
    switch CodecFamily(codec) {
    case .h264: "h264"
    case .hevc: "h265"
    case .vp9: "vp9"
    case .av1: "av1"
    case .aac where isSameText(codec, "mp4a.40.5") || isSameText(codec, "mp4a.40.29"): "heaac"
    case .aac: "aaclc"
    case .dolbyDigital where isSameText(codec, "ac-3"): "ac3"
    case .dolbyVision, .dolbyDigital, .otherAudio, .text, .other: nil
    }
  }

  private func codec(_ place: Int, isAudio: Bool) -> String {
    let codecs = variants[place]?.codecs.filter { CodecFamily($0).isAudio == isAudio } ?? []
    return codecs.compactMap { Self.name(of: $0) }.first ?? (isAudio ? "aaclc" : "h264")
  }

  package var document: JSONTree {
    [
      "I11": Self.stream(
        "segments",
        audioBitsPerSecond.map { bits in
          segments { (codec($0, isAudio: true), bits, nil) }
        } ?? []),
      "I13": Self.stream(
        "segments",
        segments { place in
          (
            codec(place, isAudio: false), session.segments[place].bitsPerSecond,
            resolutions[place] ?? "1920x1080"
          )
        }),
      "I23": stalling,
      "IGen": ["device": "pc", "displaySize": "1920x1080", "viewingDistance": "150cm"],
    ]
  }

  private static func stream(_ name: String, _ parts: [JSONTree]) -> JSONTree {
    [name: .array(parts), "streamId": .whole(42)]
  }

  /// Only a picture has a resolution.
  private func segments(
    _ facts: (Int) -> (codec: String, bitsPerSecond: Int64, resolution: String?)
  ) -> [JSONTree] {
    var start = MediaTime.zero
    return session.segments.indices.map { place in
      let (facts, length) = (facts(place), session.segments[place].length)
      defer { start = start + length }
      return [
        "bitrate": .decimal(facts.bitsPerSecond, places: 3),
        "codec": .string(facts.codec),
        "duration": .seconds(length.nanoseconds),
        "start": .seconds(start.nanoseconds),
        "fps": facts.resolution == nil ? nil : .decimal(framesPerSecond, places: 3),
        "resolution": facts.resolution.map { .string($0) },
      ]
    }
  }

  /// The initial loading stands at the beginning of the media.
  private var stalling: JSONTree {
    let initial = session.startup.map { ViewedSession.Stall(place: .zero, length: $0) }
    let stalls = (initial.map { [$0] } ?? []) + session.stalls
    return Self.stream(
      "stalling",
      stalls.filter { $0.length > .zero }.map {
        [.seconds($0.place.nanoseconds), .seconds($0.length.nanoseconds)]
      })
  }
}

extension RunOutcome {
  /// The media shown before an instant, over all items.
  fileprivate func media(shownBy instant: Instant) -> MediaTime {
    zip(panels, panels.dropFirst()).reduce(MediaTime.zero) { shown, pair in
      let span = min(pair.1.instant, instant) - pair.0.instant
      return span > .zero ? shown + pair.0.timebaseRate.media(in: span) : shown
    }
  }
}

extension Presentation {
  /// The largest rate of separate sound that a variant's own includes; nil where none is known.
  fileprivate func soundRate(of variant: Int) -> Int64? {
    let own = renditions(of: .audio, for: variant).compactMap { renditions[$0].list }
    return own.compactMap { lists[$0].averageBitRate }.filter { $0 > 0 }.max()
  }
}
