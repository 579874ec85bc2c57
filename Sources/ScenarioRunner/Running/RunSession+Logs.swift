import ScenarioFormat
package import SimulatedPlayback
import SimulatedWorld
import VirtualTime

// The logs that are left when the run is over.

extension RunOutcome {
  /// The media that the first player played of each declared bit rate, by the rates.
  package var played: [PlayedVariant] {
    var played: [PlayedVariant] = []
    for logs in itemLogs where logs.player == nil {
      for new in logs.logs.indicators.playedVariants {
        if let place = played.firstIndex(where: { $0.bitRate == new.bitRate }) {
          played[place].media = played[place].media + new.media
        } else {
          played.append(new)
        }
      }
    }
    return played.sorted { $0.bitRate < $1.bitRate }
  }
}

extension RunOutcome {
  /// The variants of the first player, each with the instant at which it came under the playhead.
  package var shownVariants: [ShownVariant] {
    itemLogs.filter { $0.player == nil }.flatMap { $0.logs.indicators.shownVariants }
      .sorted { $0.start < $1.start }
  }
}

extension RunSession {
  /// - Parameter item: Nil for the current one.
  func logs(of item: SimulatedPlayerItem?) -> RunLogs {
    guard let item else {
      return RunLogs(
        accessLog: player.accessLog, errorLog: player.errorLog, indicators: player.indicators)
    }
    return RunLogs(
      accessLog: player.accessLog(of: item), errorLog: player.errorLog(of: item),
      indicators: player.indicators(of: item))
  }

  /// The logs of every item that was played, in the order in which they came.
  ///
  /// They are kept with their items. Of these there are no more than the scenario names: a queue's
  /// own, the copies that a looper makes once and puts back again and again, and one for each step
  /// that makes an item current. A day of looping adds none; only a rewind is a seek, and begins
  /// another event in the log of its one item.
  var itemLogs: [ItemLogs] {
    let played = playedItems
    return played.enumerated().map { place, current in
      let number = scenario.queue == nil ? nil : current.number
      let item = number.map { self.name(of: $0) } ?? "item \(place + 1)"
      var logs = ItemLogs(
        player: name, item: played.count > 1 ? item : nil,
        logs: logs(of: current), startup: current.startup,
        playedSource: current.hasMoved ? current.settings.source : nil)
      if current.hasMoved, let number = current.number {
        logs.playedMedia = items.name(of: number, in: player.core)
      }
      return logs
    }
  }

  /// The place of the current item's logs among them.
  var currentLogs: Int? { playedItems.firstIndex { $0 === player.currentItem } }

  private var playedItems: [SimulatedPlayerItem] {
    items.played(loop?.looper?.loopingPlayerItems ?? [])
  }
}

extension RunOutcome {
  /// The periods of one variant each, of all items of the first player.
  package var watchedPeriods: [AccessLogEvent] {
    itemLogs.filter { $0.player == nil }.flatMap { $0.logs.accessLog?.events ?? [] }
  }
}
