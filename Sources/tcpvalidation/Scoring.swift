import Foundation
import LinkConditioner
import VirtualTime

func downloadScores(_ rows: [DownloadRow], seeds count: UInt64) -> [Score] {
  var sessions: [[DownloadRow]] = []
  var places: [String: Int] = [:]
  for row in rows where control(row.congestionControl) != nil {
    if let place = places[row.sessionKey] {
      sessions[place].append(row)
    } else {
      places[row.sessionKey] = sessions.count
      sessions.append([row])
    }
  }
  return inParallel(sessions) { rows in
    guard let plan = SessionPlan(rows[0]) else { return [Score]() }
    let lossy = rows[0].isLossy
    let results = simulate(plan, seeds: 0..<(lossy ? count : min(count, 11)))
    return rows.flatMap { row -> [Score] in
      let index = ["cold": 0, "warm": 1, "idle5s": 2][row.phase] ?? 0
      let times = results.compactMap { run in run.first { $0.index == index }?.seconds }.sorted()
      var score = Score(
        group: lossy ? "lossy" : "lossless \(row.phase)", name: row.name,
        measured: row.totalSeconds.median, predicted: quantile(times, 0.5))
      if detail {
        print(row.name, [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98].map { quantile(times, $0) })
      }
      if let samples = row.totalSecondsSamples, lossy {
        let loose = kolmogorovSmirnov(samples, times, tolerance: 0.01)
        let strict = kolmogorovSmirnov(samples, times, tolerance: 0)
        score.withTies = kolmogorovProbability(loose, samples.count, times.count)
        score.ownErrors = blockErrors(
          results.compactMap { run in run.first { $0.index == index }?.seconds },
          size: samples.count, median: score.predicted)
        score.strict = kolmogorovProbability(strict, samples.count, times.count)
      }
      if lossy { return [score] }
      var all = score
      all.group = "lossless (all)"
      return [score, all]
    }
  }.flatMap { $0 }
}

func sequenceScores(_ rows: [SequenceRow], seeds count: UInt64) -> [Score] {
  inParallel(rows) { row -> Score? in
    guard let plan = SessionPlan(row) else { return nil }
    let results = simulate(plan, seeds: 0..<(row.isLossy ? count : min(count, 21)))
    if row.group == "two flows" {
      let measured = row.requests.map(\.totalSeconds.median).max() ?? 0
      let predicted = median(results.compactMap { run in run.map(\.seconds).max() })
      return Score(group: row.group, name: row.name, measured: measured, predicted: predicted)
    }
    var measured = 0.0
    var predicted = 0.0
    for request in row.requests {
      measured += request.totalSeconds.median
      let times = results.compactMap { run in
        run.first { $0.client == request.client && $0.index == request.index }?.seconds
      }
      predicted += median(times)
      if detail {
        print(row.name, request.client, request.index, request.totalSeconds, median(times))
      }
    }
    return Score(group: row.group, name: row.name, measured: measured, predicted: predicted)
  }.compactMap { $0 }
}

/// Packets per second of one large download, both directions, on one core.
func printSpeed() {
  for control in [CongestionControl.cubic, .reno] {
    for loss in [0.0, 0.01] {
      let plan = SessionPlan(
        conditions: LinkConditions(
          downlink: direction(bits: 50_000_000, delayMs: 25, loss: loss, queue: 250),
          uplink: direction(bits: 50_000_000, delayMs: 25, loss: loss, queue: 250)),
        clients: [
          SessionPlan.Client(
            requests: plannedRequests("C0:1000000000"),
            options: ConnectionOptions(congestionControl: control))
        ])
      var session = Session(plan, seed: 1)
      // The processor's time, not the clock's: the machine may have other work.
      let began = clock()
      session.run()
      let seconds = Double(clock() - began) / Double(CLOCKS_PER_SEC)
      let down = session.transport.downlinkCounters
      let up = session.transport.uplinkCounters
      let packets = down.sent.packets + up.sent.packets
      print(
        "\(control) loss \(loss): \(packets) packets in \(seconds) s,",
        String(format: "%.2f million/s,", Double(packets) / seconds / 1e6),
        "simulated \(session.results.first?.seconds ?? 0) s, books balance:",
        down.balances && up.balances)
    }
  }
}

func blockErrors(_ times: [Double], size: Int, median whole: Double) -> [Double] {
  stride(from: 0, to: times.count - size + 1, by: size).map { start in
    abs(median(Array(times[start..<start + size])) - whole) / whole
  }
}
