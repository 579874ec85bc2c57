import LinkConditioner
import VirtualTime

/// Input of a simulation: a link and the clients that download over it.
struct SessionPlan: Sendable {
  struct Client: Sendable {
    var requests: [PlannedRequest]
    var options: ConnectionOptions
    var startMilliseconds: Double = 0
    /// A flow that is cut when the others have finished.
    var endsWithTheOthers = false
  }

  var conditions: LinkConditions
  var path = PathOptions()
  /// Bits per second, one for each step, over and over; empty where the rate stays.
  var schedule: [Int64] = []
  var step = TimeSpan.zero
  var clients: [Client]

  /// Simulated times with each of `seeds` seeds.
  func results(seeds: Int) -> [SimulatedTimes] {
    (0..<UInt64(seeds)).map { seed in
      var session = SimulatedSession(self, seed: seed)
      session.run()
      return session.result
    }
  }
}

struct SimulatedTimes: Sendable {
  struct Request: Sendable {
    var client: Int
    var index: Int
    var seconds: Double
  }

  var requests: [Request] = []

  /// Nil for a request that got no answer.
  func seconds(client: Int = 0, index: Int) -> Double? {
    requests.first { $0.client == client && $0.index == index }?.seconds
  }

  /// The longest time; nil where nothing got an answer.
  var longest: Double? { requests.map { $0.seconds }.max() }
}
