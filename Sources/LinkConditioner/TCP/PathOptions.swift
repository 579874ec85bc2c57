/// The position on the path at which a packet can be lost at random.
public enum LossPosition: Hashable, Sendable {
  case beforeQueue
  case afterQueue
}

/// The treatment of a packet that finds the link idle.
public enum IdleLink: Hashable, Sendable {
  /// It takes its time on the wire, as with dummynet and netem.
  case serialises
  /// A token bucket: a packet passes at once if the tokens suffice, else waits for those missing.
  case passesAtOnce
}

/// The kind of a link, apart from its conditions.
public struct PathOptions: Hashable, Sendable {
  public var lossPosition: LossPosition
  public var idleLink: IdleLink
  /// The depth of the token bucket, in bytes on the wire; one full packet by default.
  public var bucketBytes: Int64 = 1_514
  /// The most packet steps that one instant may take: those of over a gigabyte that takes no time.
  package var stepsPerInstant = 4_000_000

  public init(lossPosition: LossPosition = .beforeQueue, idleLink: IdleLink = .serialises) {
    self.lossPosition = lossPosition
    self.idleLink = idleLink
  }
}
