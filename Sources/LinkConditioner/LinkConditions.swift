public import VirtualTime

/// The bit rate that one direction of a link can carry.
public enum Bandwidth: Hashable, Comparable, Sendable {
  /// At most this much; zero is an outage.
  case limited(BitRate)
  /// No limit: sending takes no time.
  case unlimited
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
  /// The capacity of the drop-tail queue in packets, the one in service not counted.
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

/// The conditions of a link at one moment, in both directions.
public struct LinkConditions: Hashable, Sendable {
  public var downlink: DirectionConditions
  public var uplink: DirectionConditions
  /// The duration of the lookup of a new host.
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

  /// The least wait of a request for its response, once the address of its host is known.
  package var roundTrip: TimeSpan { uplink.delay + downlink.delay }
}
