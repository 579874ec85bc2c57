import VirtualTime

extension Presentation {
  /// Makes the presentation that a ladder describes.
  public init(_ ladder: LadderDescription, uri: String = "main.m3u8") throws(LadderFault) {
    try ladder.validate()
    let audio = ladder.audio.enumerated().map { ladder.list("audio", $0, bitRate: $1.bitRate) }
    let pictures = ladder.rungs.enumerated().filter { !ladder.isPlayedByAudio($0.element) }
    let video = pictures.map { index, rung in
      ladder.list(
        "video", index, bitRate: rung.bitRate + rung.audioBitRate, given: rung.segmentBytes)
    }
    let subtitles = ladder.subtitles.enumerated().map {
      ladder.list("subtitles", $0, bitRate: $1.bitRate)
    }
    self.init(
      uri: uri, variants: ladder.variants(video: video, audio: audio),
      renditions: ladder.audioRenditions(firstList: video.count)
        + ladder.subtitleRenditions(firstList: video.count + audio.count),
      lists: video + audio + subtitles,
      sessionKeys: ladder.encryption.flatMap { $0.isAnnounced ? [$0.key] : nil } ?? [])
    for index in lists.indices { lists[index].playlistBytes = lists[index].writtenBytes }
    playlistBytes = Int64(multivariantText().utf8.count)
  }
}

extension LadderDescription {
  fileprivate func variants(video: [SegmentList], audio lists: [SegmentList]) -> [Variant] {
    var variants: [Variant] = []
    let peaks = lists.indices.map { peak(of: lists[$0], average: audio[$0].bitRate) }
    var index = 0
    for rung in rungs {
      if isPlayedByAudio(rung) {
        variants += soundAlone(rung, lists, peaks, firstList: video.count)
        continue
      }
      defer { index += 1 }
      let average = rung.bitRate + rung.audioBitRate
      var attributes = PlaylistVariant()
      attributes.uri = video[index].uri
      attributes.resolution = rung.resolution
      attributes.frameRate = rung.frameRate
      attributes.videoRange = rung.videoRange
      attributes.codecs = rung.codecs
      attributes.bandwidth = peak(
        of: video[index], average: average, hasOwnSizes: !rung.segmentBytes.isEmpty)
      attributes.averageBandwidth = average
      attributes.subtitleGroup = subtitles.isEmpty ? nil : Self.subtitleGroup
      if audio.isEmpty { variants.append(Variant(attributes: attributes, list: index)) }
      for first in firstAudio {
        variants.append(
          Variant(attributes: combined(attributes, audio[first].group, peaks), list: index))
      }
    }
    return variants
  }

  /// The variants of a rung of sound alone: one for each group with a first rendition like it.
  private func soundAlone(
    _ rung: LadderRung, _ lists: [SegmentList], _ peaks: [Int64], firstList: Int
  ) -> [Variant] {
    firstAudio.filter { audio[$0].bitRate == rung.bitRate }.map { first in
      var attributes = PlaylistVariant()
      attributes.uri = lists[first].uri
      attributes.codecs = rung.codecs
      attributes.averageBandwidth = 0
      attributes.subtitleGroup = subtitles.isEmpty ? nil : Self.subtitleGroup
      return Variant(
        attributes: combined(attributes, audio[first].group, peaks), list: firstList + first)
    }
  }

  // §4.4.6.2: BANDWIDTH is "the largest sum of peak segment bit rates that is produced by any
  // playable combination of Renditions".
  private func combined(
    _ attributes: PlaylistVariant, _ group: String, _ peaks: [Int64]
  ) -> PlaylistVariant {
    let members = audio.indices.filter { audio[$0].group == group }
    var combined = attributes
    combined.audioGroup = group
    combined.bandwidth += members.map { peaks[$0] }.max() ?? 0
    combined.averageBandwidth = attributes.averageBandwidth.map { average in
      average + (members.map { audio[$0].bitRate }.max() ?? 0)
    }
    // Of a picture that nothing is said of, the sound's codec alone would say that there is none.
    if combined.resolution == nil, combined.codecs.isEmpty { return combined }
    for member in members where !combined.codecs.contains(audio[member].codec) {
      combined.codecs.append(audio[member].codec)
    }
    return combined
  }

  /// Declared peak bit rate of a list: with constant sizes the requested bit rate, so that rounding
  /// to bytes does not show; else the peak of its segments.
  private func peak(of list: SegmentList, average: Int64, hasOwnSizes: Bool = false) -> Int64 {
    switch sizes {
    case .constant where !hasOwnSizes: average
    case .constant, .variable: max(average, list.peakBitRate ?? average)
    }
  }

  fileprivate func audioRenditions(firstList: Int) -> [Rendition] {
    audio.enumerated().map { index, rendition in
      Rendition(
        attributes: PlaylistRendition(
          kind: .audio, group: rendition.group, name: rendition.name,
          uri: Self.uri("audio", index), language: rendition.language,
          isDefault: firstAudio.contains(index),
          isAutoselect: true, channels: ["\(rendition.channels)"], bitDepth: rendition.bitDepth,
          sampleRate: rendition.sampleRate),
        list: firstList + index)
    }
  }

  private static let subtitleGroup = "subtitles"

  fileprivate func subtitleRenditions(firstList: Int) -> [Rendition] {
    subtitles.enumerated().map { index, rendition in
      Rendition(
        attributes: PlaylistRendition(
          kind: .subtitles, group: Self.subtitleGroup, name: rendition.name,
          uri: Self.uri("subtitles", index), language: rendition.language,
          isDefault: rendition.isDefault, isAutoselect: true, isForced: rendition.isForced),
        list: firstList + index)
    }
  }

  private static func uri(_ kind: String, _ index: Int) -> String {
    "\(kind)-\(index)/playlist.m3u8"
  }

  fileprivate func list(
    _ kind: String, _ index: Int, bitRate: Int64, given: [Int64] = []
  ) -> SegmentList {
    let sizes =
      given.isEmpty ? segmentSizes(bitRate: bitRate, stream: "ladder/\(kind)/\(index)") : given
    let key: Int? = encryption == nil ? nil : 0
    let segments = sizes.indices.map { index in
      MediaSegment(
        start: start(of: index), duration: end(of: index) - start(of: index), bytes: sizes[index],
        key: key)
    }
    // §4.4.3.1: no EXTINF, rounded to a second, is longer than the target duration.
    let target = (segmentDuration.nanoseconds + 500_000_000) / 1_000_000_000
    return SegmentList(
      uri: Self.uri(kind, index), segments: segments,
      naming: .numbered(prefix: "segment", suffix: ".m4s"),
      keys: encryption.map { [$0.key] } ?? [], targetDuration: .seconds(max(target, 1)),
      type: .videoOnDemand, partDuration: partDuration)
  }
}
