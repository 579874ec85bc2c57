import ScenarioFormat
package import SimulatedPlayback
import SimulatedWorld
package import VirtualTime

// The logs that are left when the run is over.

extension RunOutcome {
  /// The media of the first player that was watched of each declared bit rate, by the rates.
  package var watched: [(rate: Int64, time: MediaTime)] {
    var watched: [(rate: Int64, time: MediaTime)] = []
    let events = itemLogs.filter { $0.player == nil }.flatMap { $0.logs.accessLog?.events ?? [] }
    for event in events where event.durationWatched > .zero {
      guard let rate = event.indicatedBitrate else { continue }
      if let place = watched.firstIndex(where: { $0.rate == rate }) {
        watched[place].time = watched[place].time + event.durationWatched
      } else {
        watched.append((rate, event.durationWatched))
      }
    }
    return watched.sorted { $0.rate < $1.rate }
  }
}

extension RunSession {
  /// The logs of every item that was played, in the order in which they came.
  ///
  /// They are kept with their items. Of these there are no more than the scenario names: a queue's
  /// own, the copies that a looper makes once and puts back again and again, and one for each step
  /// that makes an item current. A day of looping adds none; only a rewind is a seek, and begins
  /// another event in the log of its one item.
  var itemLogs: [ItemLogs] {
    let played = items.played(loop?.looper?.loopingPlayerItems ?? [])
    return played.enumerated().map { place, current in
      let number = scenario.queue == nil ? nil : current.number
      let item = number.map { self.name(of: $0) } ?? "item \(place + 1)"
      return ItemLogs(
        player: name, item: played.count > 1 ? item : nil,
        logs: RunLogs(
          accessLog: player.accessLog(of: current), errorLog: player.errorLog(of: current),
          indicators: player.indicators(of: current)), startup: current.startup)
    }
  }
}

extension RunOutcome {
  /// The periods of one variant each, of the item that is current in the end.
  package var watchedPeriods: [AccessLogEvent] { logs.accessLog?.events ?? [] }
}
