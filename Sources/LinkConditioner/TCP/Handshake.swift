/// The retransmission timer of a SYN, or of the answer to one.
struct Handshake: Sendable {
  private(set) var alarmAt: Int64 = .max
  private(set) var firstSentAt: Int64 = 0
  private(set) var sendings = 0

  // RFC 6298 §2.1: one second at first.
  private static let firstTimeout: Int64 = 1_000_000_000
  /// A client sends its SYN at a steady pace this often before it backs off.
  private static let steadySyns = 4
  private static let patientSyns = 10
  private static let patientAnswers = 5

  /// Counts a SYN; false when there is no point in another.
  mutating func sendSyn(at now: Int64) -> Bool {
    send(doublings: max(0, sendings - Self.steadySyns), patience: Self.patientSyns, at: now)
  }

  /// Counts the answer to a SYN; false when there is no point in another.
  mutating func sendAnswer(at now: Int64) -> Bool {
    send(doublings: sendings, patience: Self.patientAnswers, at: now)
  }

  /// A SYN came again and is answered again: the wait starts anew.
  mutating func repeatAnswer(at now: Int64) {
    alarmAt = CoarseTimer.deadline(Self.firstTimeout << Int64(max(0, sendings - 1)), from: now)
  }

  private mutating func send(doublings: Int, patience: Int, at now: Int64) -> Bool {
    guard sendings <= patience else {
      alarmAt = .max
      return false
    }
    if sendings == 0 { firstSentAt = now }
    sendings += 1
    let timeout = min(Self.firstTimeout << Int64(doublings), RoundTripEstimator.maximumTimeout)
    alarmAt = CoarseTimer.deadline(timeout, from: now)
    return true
  }

  /// The duration of the handshake; by the timestamp where a packet of it was sent twice.
  func roundTrip(echo: Int32, at now: Int64) -> Int64 {
    sendings == 1 ? now - firstSentAt : Int64(max(milliseconds(now) &- echo, 1)) * 1_000_000
  }
}
