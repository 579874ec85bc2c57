import VirtualTime

/// A request that has a connection, as a carrier sees it.
struct Order: Sendable {
  var id: TransferID
  var owner: Int32
  /// The connection.
  var seat: Int32
  /// The number of body bytes that will arrive.
  var bytes: Int64
  var thinkTime: TimeSpan
  /// Until when the server holds the answer back; nil for no such instant.
  var availableAt: Instant?
  var isSuspended: Bool
  var weight: Int32 = 1
  /// Whether anybody wants to be told how its bytes come in.
  var followsLine = true
}

enum CarrierEvent: Sendable {
  /// The connection stands; it may still have to be secured.
  case connected(seat: Int32)
  /// The connection can take requests.
  case ready(seat: Int32)
  case responded(TransferID)
  case flowChanged(TransferID)
  case completed(TransferID)
  /// The connection is gone, and every response on it.
  case lost(seat: Int32, TransferFailure)
}

/// The progress of a response: its bytes are arriving, or they are not.
enum Motion: Sendable {
  case moving(until: Instant)
  /// Nothing comes, at least until an instant; since when, if the carrier knows.
  case still(since: Instant?, until: Instant)
}

/// The transport of requests that have a connection: the interface at which the fidelities differ.
///
/// The request scheduler (`RequestDesk`) assigns connections, injects faults and counts the bytes.
protocol Carrier: Sendable {
  /// Whether no request can do without a connection of its own making.
  static var alwaysOpens: Bool { get }

  var nextWake: Instant { get }

  /// Whether it cannot get past an instant, because what happens there has no end. It remains due,
  /// so that whoever counts the rounds of an instant ends the run.
  var isRestless: Bool { get }

  /// Opens a connection; `connected` and `ready` will be told.
  mutating func open(_ seat: Int32, _ http: HTTPOptions, at now: Instant)

  /// Takes in a connection that stands already, and is secured.
  mutating func stand(_ seat: Int32, _ http: HTTPOptions, at now: Instant)

  /// Closes a connection; the client does, or the server with a reset that is heard at once.
  ///
  /// The bytes that had arrived of its responses are known until the responses are dropped.
  mutating func close(_ seat: Int32, byServer: Bool, at now: Instant)

  mutating func send(_ order: Order, at now: Instant)

  /// Forgets a response; the whole bytes of its body that had arrived.
  mutating func drop(_ id: TransferID, at now: Instant) -> Int64

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant)

  func motion(of id: TransferID, at now: Instant) -> Motion

  /// The last instant at which anything of a response can have come; nil before the first.
  func lastArrival(of id: TransferID, at now: Instant) -> Instant?

  /// The whole bytes that have arrived of all responses that go on.
  func arrivedBytes(at now: Instant) -> Int64

  /// Sets the number of requests that wait for anything but their bytes.
  mutating func setLatent(_ count: Int, at now: Instant)

  /// Goes on to the first instant at which there is something to tell, at most to the limit.
  ///
  /// - Returns: The instant reached, to which everything told belongs.
  mutating func advance(to limit: Instant, into events: inout [CarrierEvent]) -> Instant
}
