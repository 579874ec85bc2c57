import LinkConditioner
import VirtualTime

/// Runs a link as its shell does, and keeps what it tells.
struct LinkDriver {
  struct News: Hashable {
    var at: Int64
    var event: LinkEvent
  }

  var link: Link
  var now = Instant.zero
  private(set) var news: [News] = []
  /// The timings of what ended, as they could be read when that was told.
  private(set) var timings: [TransferID: RequestTimings] = [:]
  private(set) var booksBalance = true

  init(_ link: Link) { self.link = link }

  /// Lets everything happen up to an instant, which is included.
  mutating func run(until limit: Int64 = 1_000_000_000_000) {
    var events: [LinkEvent] = []
    var turns = 0
    while link.nextWake.nanoseconds <= limit {
      now = max(now, link.nextWake)
      events.removeAll()
      link.advance(to: now, into: &events)
      for event in events {
        news.append(News(at: now.nanoseconds, event: event))
        keep(event)
      }
      booksBalance = booksBalance && link.books(at: now).balance
      turns += 1
      precondition(turns < 2_000_000, "a link comes to rest")
    }
    now = max(now, Instant(nanoseconds: limit))
  }

  private mutating func keep(_ event: LinkEvent) {
    switch event {
    case .completed(let id, _), .failed(let id, _, _, _): timings[id] = link.timings(of: id)
    case .responded, .flowChanged: break
    }
  }

  mutating func start(_ request: Request) -> TransferID { link.start(request, at: now) }

  func completion(of id: TransferID) -> Int64? {
    news.first { news in
      if case .completed(id, _) = news.event { return true }
      return false
    }?.at
  }

  func failure(of id: TransferID) -> (at: Int64, reason: TransferFailure)? {
    for item in news {
      if case .failed(id, _, let reason, _) = item.event { return (item.at, reason) }
    }
    return nil
  }
}

let millisecond: Int64 = 1_000_000

extension LinkConditions {
  /// So many milliseconds there and back, and a megabyte in a second.
  static func path(
    up: Int64 = 20, down: Int64 = 30, dns: Int64 = 0, rate: BitRate = .megabitsPerSecond(8)
  ) -> LinkConditions {
    LinkConditions(
      downlink: DirectionConditions(bandwidth: .limited(rate), delay: .milliseconds(down)),
      uplink: DirectionConditions(delay: .milliseconds(up)), dnsDelay: .milliseconds(dns))
  }
}
