import VirtualTime

// Rules of the literature, as their authors' simulators have them: floating point, kilobits and
// milliseconds. What they choose is a whole number again.

/// The qualities that a published rule chooses among, from the least bit rate to the greatest.
///
/// An object, which every question to such a rule carries.
package final class PublishedQualities: Sendable {
  /// In kbit/s.
  let bitrates: [Double]
  /// Of the bit rates.
  let logarithms: [Double]

  package init(_ bitrates: [Double]) {
    self.bitrates = bitrates
    logarithms = bitrates.map { naturalLogarithm($0) }
  }
}

/// The input of a published rule's choice, in the units in which the rule was published.
package struct PublishedQuestion: Sendable {
  package var qualities: PublishedQualities
  /// In milliseconds.
  package var segmentLength: Double
  package var segmentCount: Int
  /// The one to be asked for, counted from zero.
  package var segment: Int
  /// The media ahead of the playhead, in milliseconds.
  package var level: Double
  /// In kbit/s.
  package var throughput: Double
  /// From a request to its first byte, in milliseconds.
  package var latency: Double

  package init(
    _ qualities: PublishedQualities, segmentLength: Double, segmentCount: Int, segment: Int,
    level: Double, throughput: Double, latency: Double
  ) {
    self.qualities = qualities
    self.segmentLength = segmentLength
    self.segmentCount = segmentCount
    self.segment = segment
    self.level = level
    self.throughput = throughput
    self.latency = latency
  }

  /// In kbit/s, from the least to the greatest.
  var bitrates: [Double] { qualities.bitrates }

  /// The highest quality of which a segment, its latency included, comes within its own length.
  func quality(sustainedBy throughput: Double) -> Int {
    var quality = 0
    while quality + 1 < bitrates.count,
      latency + segmentLength * bitrates[quality + 1] / throughput <= segmentLength
    {
      quality += 1
    }
    return quality
  }

  /// The highest quality that the insufficient buffer rule allows, not above another.
  ///
  /// - Parameter safety: The share of what comes while the buffer lasts that a segment may need.
  func quality(atMost limit: Int, withBufferShare safety: Double) -> Int {
    let safeSize = safety * (level - latency) * throughput
    var quality = 0
    while quality < limit {
      if bitrates[quality + 1] * segmentLength > safeSize { return quality }
      quality += 1
    }
    return limit
  }
}

/// A segment under way, in the same units.
package struct PublishedProgress: Hashable, Sendable {
  package var quality: Int
  /// In bits: of all of it, and of what has come.
  package var size: Double
  package var received: Double
  /// In milliseconds: since the request, and from the request to its first byte.
  package var time: Double
  package var latency: Double
  /// The media ahead of the playhead, in milliseconds.
  package var level: Double

  package init(
    quality: Int, size: Double, received: Double, time: Double, latency: Double, level: Double
  ) {
    (self.quality, self.size, self.received) = (quality, size, received)
    (self.time, self.latency, self.level) = (time, latency, level)
  }

  /// Nil where its size is unknown, or nothing of it can be judged.
  init?(_ question: borrowing AbandonQuestion, _ quality: Int, received: Double) {
    let request = question.request
    guard let bytes = request.bytes, let responded = request.responded, received > 0 else {
      return nil
    }
    self.init(
      quality: quality, size: Double(bytes) * 8, received: received * 8,
      time: (question.now - request.began).milliseconds,
      latency: (responded - request.began).milliseconds, level: question.lasts?.milliseconds ?? 0)
    if missing <= 0 || flowed <= 0 { return nil }
  }

  var missing: Double { size - received }
  /// In milliseconds.
  var flowed: Double { time - latency }

  /// The bits of the same segment in another quality, as its bit rate says.
  func size(of other: Int, _ bitrates: [Double]) -> Double {
    size * bitrates[other] / bitrates[quality]
  }
}

/// The quality to request, and the delay before the request.
package struct PublishedChoice: Hashable, Sendable {
  package var quality: Int
  /// In milliseconds.
  package var delay = 0.0

  init(_ quality: Int, delay: Double = 0) { (self.quality, self.delay) = (quality, delay) }
}

/// The share of the insufficient buffer rule: it falls from one choice to the next.
package struct BufferShare: Hashable, Sendable {
  package private(set) var share: Double

  static let first = 0.9
  static let least = 0.5

  package init() { share = Self.first }

  /// The share for this choice.
  mutating func next() -> Double {
    defer { share = max(share * Self.first, Self.least) }
    return share
  }
}
