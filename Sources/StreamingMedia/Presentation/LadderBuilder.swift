import VirtualTime

extension Presentation {
  /// Makes the presentation that a ladder describes.
  public init(_ ladder: LadderDescription, uri: String = "main.m3u8") throws(LadderFault) {
    try ladder.validate()
    let audio = ladder.audio.indices.map { index in
      ladder.list(
        bitRate: ladder.audio[index].bitRate, uri: "audio-\(index)/playlist.m3u8",
        stream: "ladder/audio/\(index)")
    }
    let video = ladder.rungs.indices.map { index in
      ladder.list(
        bitRate: ladder.rungs[index].bitRate + ladder.rungs[index].audioBitRate,
        uri: "video-\(index)/playlist.m3u8", stream: "ladder/video/\(index)")
    }
    self.init(
      uri: uri, variants: ladder.variants(video: video, audio: audio),
      renditions: ladder.renditions(firstList: video.count), lists: video + audio,
      sessionKeys: ladder.encryption.flatMap { $0.isAnnounced ? [$0.key] : nil } ?? [])
    for index in lists.indices { lists[index].playlistBytes = lists[index].writtenBytes }
    playlistBytes = Int64(multivariantText().utf8.count)
  }
}

extension LadderDescription {
  /// The audio groups in the order in which they first occur.
  private var groups: [String] {
    var groups: [String] = []
    for rendition in audio where !groups.contains(rendition.group) {
      groups.append(rendition.group)
    }
    return groups
  }

  fileprivate func variants(video: [SegmentList], audio lists: [SegmentList]) -> [Variant] {
    var variants: [Variant] = []
    for (index, rung) in rungs.enumerated() {
      let own = declaredRates(video[index], declared: rung.bitRate + rung.audioBitRate)
      var attributes = PlaylistVariant()
      attributes.uri = video[index].uri
      attributes.resolution = rung.resolution
      attributes.frameRate = rung.frameRate
      attributes.videoRange = rung.videoRange
      attributes.codecs = rung.codecs
      attributes.bandwidth = own.peak
      attributes.averageBandwidth = own.average
      if groups.isEmpty { variants.append(Variant(attributes: attributes, list: index)) }
      for group in groups {
        // §4.4.6.2: BANDWIDTH is "the largest sum of peak segment bit rates that is produced by
        // any playable combination of Renditions".
        let members = audio.indices.filter { audio[$0].group == group }
        let rates = members.map { declaredRates(lists[$0], declared: audio[$0].bitRate) }
        var combined = attributes
        combined.audioGroup = group
        combined.bandwidth += rates.map { $0.peak }.max() ?? 0
        combined.averageBandwidth = own.average + (rates.map { $0.average }.max() ?? 0)
        for member in members where !combined.codecs.contains(audio[member].codec) {
          combined.codecs.append(audio[member].codec)
        }
        variants.append(Variant(attributes: combined, list: index))
      }
    }
    return variants
  }

  /// What a list declares: constant sizes have the bit rate that was asked for; variable ones have
  /// the peak that was drawn.
  private func declaredRates(
    _ list: SegmentList, declared: Int64
  ) -> (average: Int64, peak: Int64) {
    switch sizes {
    case .constant: (declared, declared)
    case .variable: (declared, max(declared, list.peakBitRate ?? declared))
    }
  }

  fileprivate func renditions(firstList: Int) -> [Rendition] {
    audio.indices.map { index in
      let rendition = audio[index]
      let isFirst = audio.firstIndex { $0.group == rendition.group } == index
      return Rendition(
        attributes: PlaylistRendition(
          kind: .audio, group: rendition.group, name: rendition.name,
          uri: "audio-\(index)/playlist.m3u8", language: rendition.language, isDefault: isFirst,
          isAutoselect: true, channels: ["\(rendition.channels)"], bitDepth: rendition.bitDepth,
          sampleRate: rendition.sampleRate),
        list: firstList + index)
    }
  }

  fileprivate func list(bitRate: Int64, uri: String, stream name: String) -> SegmentList {
    let total = bytesOf(bitRate, until: duration)
    let sizes =
      switch sizes {
      case .constant: constantSizes(bitRate: bitRate)
      case .variable(let seed, let peakPercent):
        variableSizes(
          total: total, bitRate: bitRate, peakPercent: peakPercent,
          stream: RandomStream(seed: seed, name: name))
      }
    let segments = sizes.indices.map { index in
      MediaSegment(
        start: start(of: index), duration: end(of: index) - start(of: index), bytes: sizes[index],
        key: encryption == nil ? nil : 0)
    }
    // §4.4.3.1: no EXTINF, rounded to a second, is longer than the target duration.
    let target = (segmentDuration.nanoseconds + 500_000_000) / 1_000_000_000
    return SegmentList(
      uri: uri, segments: segments, naming: .numbered(prefix: "segment", suffix: ".m4s"),
      keys: encryption.map { [$0.key] } ?? [], targetDuration: .seconds(max(target, 1)),
      type: .videoOnDemand)
  }
}

// MARK: - Sizes

extension LadderDescription {
  private func start(of index: Int) -> MediaTime {
    MediaTime(nanoseconds: Int64(index) * segmentDuration.nanoseconds)
  }

  private func end(of index: Int) -> MediaTime {
    min(start(of: index + 1), duration)
  }

  private func constantSizes(bitRate: Int64) -> [Int64] {
    (0..<Int(segmentCount)).map { index in
      bytesOf(bitRate, until: end(of: index)) - bytesOf(bitRate, until: start(of: index))
    }
  }

  /// Sizes that differ from segment to segment, add up to the total and never pass the peak.
  ///
  /// Each segment draws a weight. What a weight asks for beyond the peak is poured into the others
  /// in proportion to the room that they have.
  private func variableSizes(
    total: Int64, bitRate: Int64, peakPercent: Int64, stream: RandomStream
  ) -> [Int64] {
    var stream = stream
    let count = Int(segmentCount)
    let weights = (0..<count).map { index in
      // Microseconds and a weight of thousands: the products below stay within 128 bits.
      stream.next(in: 4_096 * 100 / peakPercent...4_096 * peakPercent / 100)
        * max(1, (end(of: index) - start(of: index)).nanoseconds / 1_000)
    }
    let wanted = shared(total, in: weights)
    let peaks = (0..<count).map { index in
      let length = end(of: index) - start(of: index)
      return Int64(
        clamping: quotient(
          Int128(bitRate) * Int128(peakPercent) * Int128(length.nanoseconds), 800_000_000_000,
          rounding: .up))
    }
    let kept = zip(wanted, peaks).map { min($0, $1) }
    let rooms = zip(kept, peaks).map { $1 - $0 }
    let poured = shared(total - kept.reduce(0, +), in: rooms)
    return zip(kept, poured).map { $0 + $1 }
  }

  /// Splits an amount in proportion to weights, to the byte.
  private func shared(_ amount: Int64, in weights: [Int64]) -> [Int64] {
    var sum: Int128 = 0
    for weight in weights { sum += Int128(weight) }
    if sum == 0 { return weights }
    var (running, given): (Int128, Int64) = (0, 0)
    return weights.map { weight in
      running += Int128(weight)
      let due = Int64(clamping: quotient(Int128(amount) * running, sum, rounding: .down))
      defer { given = due }
      return due - given
    }
  }
}
