/// The sending half of a host's end of a connection.
///
/// Windows count segments; the application's bytes are a stream that begins at zero.
package struct Sender: Sendable {
  /// How far the sender trusts the network.
  enum Phase: Sendable {
    /// All is well.
    case open
    /// Something arrived out of order; no loss is established.
    case disorder
    /// Lost segments are being retransmitted (RFC 6675).
    case recovering
    /// After a retransmission timeout.
    case timedOut
  }

  /// What the one timer of the sender waits for.
  enum Alarm: Sendable {
    case retransmission
    /// RFC 8985 §7: the tail loss probe.
    case probe
    /// RFC 8985 §6.2: the end of the reordering window.
    case reordering
  }

  /// What is sent first once the window is known.
  enum Repair: Sendable {
    case none
    case lostFirst
    /// RFC 5682 §2.1, step 2b: new data, to see whether the timeout was spurious.
    case newFirst
  }

  /// How often an unanswered segment is retransmitted before the connection is given up.
  static let patience = 15

  // MARK: The stream

  /// SND.UNA.
  var acknowledged: Int64 = 0
  /// SND.NXT.
  var next: Int64 = 0
  /// The end of what the application has written.
  var written: Int64 = 0
  /// The end of what has found room in the host's send buffer.
  var buffered: Int64 = 0
  /// The receiver takes nothing past this.
  var rightEdge: Int64 = 65_535
  /// How many bytes may be unacknowledged or waiting in the host's send buffer.
  var bufferBytes: Int64

  // MARK: The window

  let initialWindow: Int64
  let haltsAfterIdle: Bool
  var window: CongestionWindow
  var use = WindowUse()
  var reduction = RateReduction()
  var lastSent: Int64 = 0

  // MARK: Loss and its repair

  var board = Scoreboard()
  var phase = Phase.open
  /// RFC 6675, "RecoveryPoint".
  var recoveryPoint: Int64 = 0
  var recent = RecentDelivery()
  var undo = SpuriousRecovery()
  /// RFC 5682: whether a timeout is still suspected to be spurious.
  var suspectsTimeout = false
  /// TLP.end_seq and TLP.is_retrans; nil when no probe is under way.
  var probeEnd: Int64?
  var probeIsRetransmission = false
  /// The blocks last heard of, which need no second look.
  var knownBlocks: (KnownBlock, KnownBlock, KnownBlock) = (.init(), .init(), .init())

  // MARK: Time

  var estimator = RoundTripEstimator()
  var alarm: Alarm?
  package internal(set) var alarmAt: Int64 = .max
  /// The timeout in force, doubled each time it runs out (RFC 6298 §5.5).
  var timeout = RoundTripEstimator.initialTimeout
  var timeoutCount = 0
  var hasGivenUp = false

  struct KnownBlock: Sendable {
    var start: Int64 = 0
    var end: Int64 = 0
  }

  package init(_ options: ConnectionOptions) {
    initialWindow = Int64(options.initialWindow)
    haltsAfterIdle = options.slowStartAfterIdle
    window = CongestionWindow(options.congestionControl, initial: initialWindow)
    bufferBytes = Self.bufferWindow * max(initialWindow, 10)
  }

  /// A host's send buffer is given two windows, a page and descriptors for each segment, and each
  /// segment in it takes up its payload and the head of its packet: so many bytes of payload for
  /// each segment of the window.
  static let bufferWindow: Int64 =
    2 * (4_096 + 256) * Packet.segmentBytes / (Packet.segmentBytes + bufferHead)
  /// Fitted: from 620 to 690 bytes the measurements do not tell the difference.
  private static let bufferHead: Int64 = 640
  /// An application's write is taken in pieces, the last of which may reach past the buffer.
  static let bufferChunk: Int64 = 22 * Packet.segmentBytes

  /// Whether the window is on its way to the threshold.
  var isReducing: Bool { phase == .recovering }

  /// The handshake is done; this long it took, if that is known.
  package mutating func begin(roundTrip: Int64?, at now: Int64) {
    window.begin(next: next, at: now)
    use.lastLimited = now
    guard let roundTrip else { return }
    recent.measured(roundTrip)
    measured(roundTrip)
  }

  mutating func measured(_ roundTrip: Int64) {
    estimator.add(roundTrip, acknowledged: acknowledged, next: next)
    timeout = estimator.timeout
  }
}
