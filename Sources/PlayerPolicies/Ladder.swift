public import VirtualTime

/// The variants of a stream as its playlist declares them: given once, the same for all players.
public final class Ladder: Sendable {
  /// A variant.
  public struct Rung: Hashable, Sendable {
    /// The declared peak in bit/s, renditions that are played beside it included.
    public var bandwidth: Int64
    /// The declared average; nil where the playlist does not give one.
    public var averageBandwidth: Int64?
    public var width: Int32?
    public var height: Int32?
    /// The bytes up to each boundary of the segments, everything that is played with it included;
    /// empty where the playlist does not give sizes.
    ///
    /// Some rules of the literature were defined with the true sizes of segments to come, which no
    /// playlist gives: whoever tells a ladder decides which it holds.
    public var bytes: [Int64]

    package init(bandwidth: Int64, averageBandwidth: Int64? = nil, bytes: [Int64] = []) {
      self.bandwidth = bandwidth
      self.averageBandwidth = averageBandwidth
      self.bytes = bytes
    }

    /// The bit rate needed in the long run: the average where it is declared, else the peak.
    package var sustained: Int64 { averageBandwidth ?? bandwidth }
  }

  struct Lengths: Hashable, Sendable {
    /// The last one aside: it may be a rest, and nothing is due after it.
    var shortest: MediaTime
    var longest: MediaTime

    /// Nil where there is one segment at most.
    init?(_ boundaries: [MediaTime]) {
      if boundaries.count < 3 { return nil }
      shortest = boundaries[1] - boundaries[0]
      longest = shortest
      for index in 2..<boundaries.count {
        let length = boundaries[index] - boundaries[index - 1]
        longest = max(longest, length)
        if index < boundaries.count - 1 { shortest = min(shortest, length) }
      }
    }
  }

  /// In playlist order.
  public let rungs: [Rung]
  /// The starts of the segments of the main rendition, and the end of the last of them.
  public let boundaries: [MediaTime]
  /// Rungs from the least bandwidth to the greatest, the earlier of equals first.
  public let ascending: [Int]
  /// Nil where there is one segment at most.
  let lengths: Lengths?
  let meanLength: MediaTime?
  /// The largest segment of each rung whose sizes the playlist gives; else zero.
  private let largest: [Int64]

  /// - Precondition: the sizes of a rung are none, or as many as there are boundaries.
  package init(rungs: [Rung], boundaries: [MediaTime]) {
    precondition(
      rungs.allSatisfy { $0.bytes.isEmpty || $0.bytes.count == boundaries.count },
      "a segment lies between two boundaries")
    self.rungs = rungs
    self.boundaries = boundaries
    lengths = Lengths(boundaries)
    meanLength =
      boundaries.count < 2
      ? nil
      : MediaTime(
        nanoseconds: (boundaries[boundaries.count - 1] - boundaries[0]).nanoseconds
          / Int64(boundaries.count - 1))
    largest = rungs.map { rung in
      rung.bytes.indices.dropFirst().map { rung.bytes[$0] - rung.bytes[$0 - 1] }.max() ?? 0
    }
    ascending = rungs.indices.sorted {
      rungs[$0].bandwidth < rungs[$1].bandwidth
        || rungs[$0].bandwidth == rungs[$1].bandwidth && $0 < $1
    }
  }

  package static let empty = Ladder(rungs: [], boundaries: [])

  public var segmentCount: Int { max(0, boundaries.count - 1) }

  /// The bytes from a segment on up to a boundary, as the playlist lets one expect them.
  ///
  /// Where it gives no sizes, that is the declared bit rate times the duration.
  package func expectedBytes(of rung: Int, from segment: Int, to boundary: Int) -> Int64 {
    if !rungs[rung].bytes.isEmpty {
      return rungs[rung].bytes[boundary] - rungs[rung].bytes[segment]
    }
    return declaredBytes(of: rung, boundaries[boundary] - boundaries[segment])
  }

  /// The most bytes that a segment of a rung is expected to have, if none is longer than that.
  func mostBytes(of rung: Int, _ longest: MediaTime) -> Int64 {
    rungs[rung].bytes.isEmpty ? declaredBytes(of: rung, longest) : largest[rung]
  }

  /// The bytes of a stretch of media within a segment, as far as the declared bit rate tells.
  package func declaredBytes(of rung: Int, _ media: MediaTime) -> Int64 {
    scaled(media.nanoseconds, by: rungs[rung].sustained, over: 8_000_000_000, rounding: .up)
  }

  public func duration(of segment: Int) -> MediaTime {
    boundaries[segment + 1] - boundaries[segment]
  }
}

/// The variants that may be played: they change while an app changes its limits, and while a
/// variant that failed is left alone.
///
/// An object, which every question about a variant carries.
public final class EligibleRungs: Sendable {
  private let isEligible: [Bool]
  /// The eligible rungs from the least bandwidth to the greatest, the earlier of equals first.
  public let ascending: [Int]
  /// Their bit rates, in the same order, side by side for a search.
  private let rates: [Rates]

  private struct Rates {
    var rung: Int
    var bandwidth: Int64
    var sustained: Int64
  }

  package init(_ ladder: Ladder, _ isEligible: [Bool]) {
    precondition(ladder.rungs.count == isEligible.count, "a rung is eligible or it is not")
    self.isEligible = isEligible
    ascending = ladder.ascending.filter { isEligible[$0] }
    rates = ascending.map {
      Rates(
        rung: $0, bandwidth: ladder.rungs[$0].bandwidth, sustained: ladder.rungs[$0].sustained)
    }
  }

  public func contains(_ rung: Int) -> Bool { isEligible[rung] }

  /// The one of the least bandwidth.
  public var lowest: Int? { ascending.first }

  package var firstListed: Int? { isEligible.firstIndex(of: true) }

  /// The one of the greatest bandwidth that a bit rate sustains, the earlier one of equals.
  ///
  /// - Parameter limit: Nothing that has this bandwidth or more.
  public func highest(within budget: Int64, below limit: Int64 = .max) -> Int? {
    highest { $0.sustained <= budget && $0.bandwidth < limit }
  }

  /// The same for a bit rate that must cover the declared peak.
  package func highest(peakWithin budget: Int64) -> Int? {
    highest { $0.bandwidth <= budget }
  }

  @inline(__always)
  private func highest(_ isWithin: (Rates) -> Bool) -> Int? {
    var (best, index) = (Int?.none, rates.count)
    while index > 0 {
      index -= 1
      // Among variants of equal bandwidth the first listed comes last.
      if let best, rates[index].bandwidth < rates[best].bandwidth { return rates[best].rung }
      if isWithin(rates[index]) { best = index }
    }
    return best.map { rates[$0].rung }
  }
}
