public import VirtualTime

/// How many bits a direction of a link carries in a second.
public enum Bandwidth: Hashable, Sendable {
  /// What is sent is there at once.
  case unlimited
  /// At most this much; zero is an outage.
  case limited(BitRate)
}

/// A probability as an exact ratio in lowest terms.
public struct LossRatio: Hashable, Sendable {
  package let numerator: Int64
  package let denominator: Int64

  /// Makes a probability from a ratio, which is reduced.
  ///
  /// - Precondition: `0 ≤ numerator ≤ denominator`, and the denominator is positive.
  public init(_ numerator: Int64, over denominator: Int64) {
    precondition(denominator > 0, "a ratio needs a positive denominator")
    precondition(0 <= numerator && numerator <= denominator, "a probability is between 0 and 1")
    let divisor = greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  public static let none = LossRatio(0, over: 1)

  /// Everything is lost: an outage in every fidelity.
  public static let total = LossRatio(1, over: 1)

  package var isNone: Bool { numerator == 0 }

  package var isTotal: Bool { numerator == denominator }

  /// Whether chance decides: it may come out either way.
  package var isUncertain: Bool { !isNone && !isTotal }
}

/// One direction of a link.
public struct DirectionConditions: Hashable, Sendable {
  public var bandwidth: Bandwidth
  /// The one-way delay.
  public var delay: TimeSpan
  public var loss: LossRatio
  /// How many packets may wait in the drop-tail queue, the one in service not counted.
  public var queuePackets: Int32

  public init(
    bandwidth: Bandwidth = .unlimited, delay: TimeSpan = .zero, loss: LossRatio = .none,
    queuePackets: Int32 = 100
  ) {
    self.bandwidth = bandwidth
    self.delay = delay
    self.loss = loss
    self.queuePackets = queuePackets
  }
}

/// What a link is like at one moment, both ways.
public struct LinkConditions: Hashable, Sendable {
  public var downlink: DirectionConditions
  public var uplink: DirectionConditions
  /// What looking up a new host costs.
  public var dnsDelay: TimeSpan

  public init(
    downlink: DirectionConditions = .init(), uplink: DirectionConditions = .init(),
    dnsDelay: TimeSpan = .zero
  ) {
    self.downlink = downlink
    self.uplink = uplink
    self.dnsDelay = dnsDelay
  }

  /// A link that is not conditioned at all.
  public static let perfect = LinkConditions()
}

extension LinkConditions {
  /// What a request waits for its response, at the least, and what the first one waits before it.
  package var waits: (ofEach: TimeSpan, ofFirst: TimeSpan) {
    (uplink.delay + downlink.delay, dnsDelay)
  }
}
