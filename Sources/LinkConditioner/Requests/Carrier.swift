import VirtualTime

/// A request that has a connection, as a carrier sees it.
struct Order: Sendable {
  var id: TransferID
  var owner: Int32
  /// The connection.
  var seat: Int32
  /// How much of the body will come.
  var bytes: Int64
  var thinkTime: TimeSpan
  /// Until when the server holds the answer back; nil for no such instant.
  var availableAt: Instant?
  var isSuspended: Bool
  var weight: Int32 = 1
  /// Whether anybody wants to be told how its bytes come in.
  var followsLine = true
}

/// What a carrier tells the desk.
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

/// How the bytes of a response come in.
enum Motion: Sendable {
  case moving(until: Instant)
  /// Nothing comes, at least until an instant; since when, if the carrier knows.
  case still(since: Instant?, until: Instant)
}

/// What lies between a request that has a connection and its bytes: the seam at which the
/// fidelities differ.
///
/// Who waits for which connection, what goes wrong and what is booked is the desk's.
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
  /// What had arrived of its responses is known until they are dropped.
  mutating func close(_ seat: Int32, byServer: Bool, at now: Instant)

  mutating func send(_ order: Order, at now: Instant)

  /// Forgets a response; the whole bytes of its body that had arrived.
  mutating func drop(_ id: TransferID, at now: Instant) -> Int64

  mutating func setSuspended(_ suspended: Bool, _ id: TransferID, at now: Instant)

  /// What the recent past says of a response's rate; nil where its line says it, or nothing does.
  func estimate(of id: TransferID, at now: Instant) -> BitRate?

  func motion(of id: TransferID, at now: Instant) -> Motion

  /// The last instant at which anything of a response can have come; nil before the first.
  func lastArrival(of id: TransferID, at now: Instant) -> Instant?

  /// The whole bytes that have arrived of all responses that go on.
  func arrivedBytes(at now: Instant) -> Int64

  /// How many requests wait for something else than their bytes.
  mutating func setLatent(_ count: Int, at now: Instant)

  mutating func setConditions(
    _ conditions: LinkConditions, _ schedule: RateSchedule?, _ plan: RatePlan, keepsPlace: Bool,
    at now: Instant)

  /// Goes on to the first instant at which there is something to tell, at most to the limit.
  ///
  /// - Returns: The instant reached, to which everything told belongs.
  mutating func advance(to limit: Instant, into events: inout [CarrierEvent]) -> Instant
}
