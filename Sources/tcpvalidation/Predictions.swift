import Foundation
import LinkConditioner
import VirtualTime

extension LossRatio {
  init(fraction: Double) {
    self.init(Int64((fraction * 1_000_000).rounded()), over: 1_000_000)
  }
}

func direction(bits: Int64, delayMs: Double, loss: Double, queue: Int32) -> DirectionConditions {
  DirectionConditions(
    bandwidth: .limited(.bitsPerSecond(bits)),
    delay: TimeSpan(nanoseconds: Int64(delayMs * 1_000_000)) + testbedLatency,
    loss: LossRatio(fraction: loss), queuePackets: queue)
}

func control(_ name: String) -> CongestionControl? {
  switch name {
  case "reno": .reno
  case "cubic": .cubic
  default: nil
  }
}

extension SessionPlan {
  /// The three phases of a download cell in one session.
  init?(_ row: DownloadRow) {
    guard let control = control(row.congestionControl) else { return nil }
    let requests = plannedRequests("C0:\(row.bytes),0:\(row.bytes),5000:\(row.bytes)")
    self.init(
      conditions: LinkConditions(
        downlink: direction(
          bits: row.downBitsPerSecond, delayMs: row.downDelayMs, loss: row.downLoss,
          queue: row.downQueuePackets),
        uplink: direction(
          bits: row.upBitsPerSecond, delayMs: row.upDelayMs, loss: row.upLoss,
          queue: row.upQueuePackets)),
      clients: [
        Client(requests: requests, options: ConnectionOptions(congestionControl: control))
      ])
  }

  init?(_ row: SequenceRow) {
    let sources =
      row.clients
      ?? [
        SequenceRow.Client(
          plan: row.plan ?? "", congestionControl: row.congestionControl, startMs: 0,
          endsWithTheOthers: false)
      ]
    var clients: [Client] = []
    for source in sources {
      guard let control = control(source.congestionControl) else { return nil }
      clients.append(
        Client(
          requests: plannedRequests(source.plan),
          options: ConnectionOptions(
            congestionControl: control, initialWindow: row.initialWindow,
            slowStartAfterIdle: row.slowStartAfterIdle == 1),
          startMilliseconds: source.startMs, endsWithTheOthers: source.endsWithTheOthers))
    }
    self.init(
      conditions: LinkConditions(
        downlink: direction(
          bits: row.downBitsPerSecond, delayMs: row.downDelayMs, loss: row.downLoss,
          queue: row.downQueuePackets),
        uplink: direction(
          bits: row.upBitsPerSecond, delayMs: row.upDelayMs, loss: row.upLoss,
          queue: row.upQueuePackets)),
      path: PathOptions(
        lossPosition: row.lossPosition == "after the queue" ? .afterQueue : .beforeQueue),
      schedule: row.schedule.map { $0.map { Int64($0) } } ?? [],
      step: TimeSpan(nanoseconds: Int64((row.stepMs ?? 0) * 1_000_000)), clients: clients)
  }
}

/// The results of a plan under many seeds, in the order of the seeds.
func simulate(_ plan: SessionPlan, seeds: Range<UInt64>) -> [[RequestResult]] {
  seeds.map { seed in
    var session = Session(plan, seed: seed)
    session.run()
    return session.results
  }
}

/// Runs independent jobs on all cores; the answers keep the order of the jobs.
func inParallel<Job: Sendable, Answer: Sendable>(
  _ jobs: [Job], _ body: @escaping @Sendable (Job) -> Answer
) -> [Answer] {
  let answers = Answers<Answer>(count: jobs.count)
  DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
    answers.set(body(jobs[index]), at: index)
  }
  return answers.all
}

final class Answers<Answer: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Answer?]

  init(count: Int) { values = Array(repeating: nil, count: count) }

  func set(_ value: Answer, at index: Int) {
    lock.withLock { values[index] = value }
  }

  var all: [Answer] { lock.withLock { values.compactMap { $0 } } }
}
