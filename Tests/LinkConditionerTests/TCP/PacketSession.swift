import LinkConditioner
import VirtualTime

/// A link in the terms of the measurements.
func link(
  down: Bandwidth = .unlimited, up: Bandwidth = .unlimited, delayMilliseconds: Int64 = 0,
  loss: LossRatio = .none, queue: Int32 = 100
) -> LinkConditions {
  let delay = TimeSpan.milliseconds(delayMilliseconds)
  return LinkConditions(
    downlink: DirectionConditions(
      bandwidth: down, delay: delay, loss: loss, queuePackets: queue),
    uplink: DirectionConditions(bandwidth: up, delay: delay, loss: loss, queuePackets: queue))
}

extension LinkConditions {
  /// The same link while everything is lost in one direction or the other.
  func losing(down: Bool = false, up: Bool = false) -> LinkConditions {
    var conditions = self
    if down { conditions.downlink.loss = .total }
    if up { conditions.uplink.loss = .total }
    return conditions
  }
}

func mebibits(_ count: Int64) -> Bandwidth { .limited(.megabitsPerSecond(count)) }

/// A client that fetches objects over one connection, one after the other.
struct PacketSession {
  /// A change of the link at a time.
  struct Change {
    var at: Instant
    var to: LinkConditions
  }

  var transport: PacketTransport
  var changes: [Change] = []
  let options: ConnectionOptions
  private(set) var establishedAt: Instant?
  private(set) var failure: TransferFailure?
  /// When each object was there.
  private(set) var completions: [Instant] = []
  private(set) var log: [LoggedEvent] = []
  private(set) var stepCount = 0

  struct LoggedEvent: Equatable {
    var at: Instant
    var event: TransportEvent
  }

  static let requestBytes: Int64 = 400
  static let headerBytes: Int64 = 250

  init(
    _ conditions: LinkConditions, path: PathOptions = PathOptions(),
    options: ConnectionOptions = ConnectionOptions(), seed: UInt64 = 1
  ) {
    transport = PacketTransport(conditions, options: path, seed: seed)
    self.options = options
  }

  /// Fetches objects of these sizes; the pauses come before them.
  mutating func fetch(
    _ objects: [Int64], pauses: [TimeSpan] = [], until horizon: Instant = .distantFuture
  ) {
    let id = transport.open(options, at: .zero)
    var next = 0
    var due = Instant.distantFuture
    var wanted: Int64 = 0
    var events: [TransportEvent] = []
    while next <= objects.count, failure == nil {
      let limit = min(min(due, changes.first?.at ?? .distantFuture), horizon)
      events.removeAll()
      let now = transport.advance(to: limit, into: &events)
      stepCount += 1
      log += events.map { LoggedEvent(at: now, event: $0) }
      for event in events {
        switch event {
        case .established:
          establishedAt = now
          due = now
        case .delivered(_, let bytes) where bytes == wanted && next > 0:
          completions.append(now)
          if next == objects.count { return }
          due = now + (next < pauses.count ? pauses[next] : .zero)
        case .failed(_, let reason): failure = reason
        case .delivered, .requestArrived: break
        }
      }
      if let change = changes.first, change.at <= now {
        transport.change(to: change.to, at: now)
        changes.removeFirst()
      }
      if due <= now, next < objects.count {
        due = .distantFuture
        wanted += objects[next] + Self.headerBytes
        transport.send(
          Self.requestBytes, answeredBy: objects[next] + Self.headerBytes, on: id,
          at: now)
        next += 1
      }
      if now >= horizon
        || events.isEmpty && transport.nextWake == .distantFuture
          && due == .distantFuture && changes.isEmpty
      {
        return
      }
    }
  }

  /// Delivers what is still under way.
  mutating func drain() {
    var events: [TransportEvent] = []
    for _ in 0..<10_000 where transport.nextWake < .distantFuture {
      transport.advance(to: transport.nextWake, into: &events)
    }
  }
}

/// The completion of one object on a fresh connection.
func fetched(
  _ bytes: Int64, over conditions: LinkConditions, options: ConnectionOptions = .init(),
  path: PathOptions = .init(), changes: [PacketSession.Change] = [], seed: UInt64 = 1
) -> Instant? {
  var session = PacketSession(conditions, path: path, options: options, seed: seed)
  session.changes = changes
  session.fetch([bytes])
  return session.completions.first
}

func milliseconds(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000_000) }

func microseconds(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000) }
