package import Autowait
package import LinkConditioner
package import SimulatedPlayback
package import StreamingMedia
package import VirtualTime

package enum AppAction: Sendable {
  case play
  case tap
  case pause
  case playImmediately(PlaybackRate)
  case setRate(PlaybackRate)
  case setDefaultRate(PlaybackRate)
  case seek(MediaTime, within: SeekTolerance)
  /// Cancels seeks, prerolls, or what the system does to the player.
  case call(PlayerCall)
  /// The audio session is the app's again, which plays on where it is told that it should.
  case endInterruption(resumes: Bool)
  case enterBackground(playsOn: Bool)
  case enterForeground
  /// The pixels of the largest picture that is wanted; nil sets no limit.
  case setPreferredMaximumResolution(PixelSize?)
  /// Makes an item current in place of the one that is, or the scenario's media without a name.
  case replaceItem(String?)
  case setWaitsAutomatically(Bool)
  case setForwardPlaybackEndTime(MediaTime?)
  case setActionAtItemEnd(ActionAtItemEnd)
  case setPreferredForwardBufferDuration(MediaTime)
  /// In bit/s; 0 sets no limit.
  case setPreferredPeakBitRate(Int64)
  /// The pixels of the layer that shows the picture; nil takes it away.
  case setLayer(PixelSize?)
  case select(MediaSelection)
  case setExpensiveNetwork(Bool)
  /// The priority that sets the share of the link for the player's requests.
  case setNetworkResourcePriority(NetworkResourcePriority)
  case setTrackEnabled(name: String, index: Int, Bool)
  case beginSuspension(Suspension)
  case endSuspension(Suspension)
  case setRateAtHostTime(PlaybackRate, time: MediaTime?, hostTime: HostTime?)
  /// Asks for keys of the asset that the scenario's item is made of.
  case loadValues(keys: [String])
  case seekToLive
  case setPreservesOffset(Bool)
  case setConfiguredOffset(MediaTime?)
  case setUsesNetworkWhilePaused(Bool)
  case setItem
  case edit(QueueEdit)
  case removeItem
  case link(LinkAction)
  /// Reads the playhead's place in the future both ways, the right and the wrong one.
  case project(TimeSpan)
  /// Keeps the panel of now for the screen.
  case showPanel

  /// An action on the link, or on traffic and players that share it.
  package enum LinkAction: Sendable {
    case switchLink(on: Bool)
    case changeLink(LinkConditions)
    case changeSchedule(RateSchedule?)
    /// Pauses competing downloads, lets them go on, or breaks them off, by their name.
    case suspendTraffic(String)
    case resumeTraffic(String)
    case stopTraffic(String)
    /// Releases a leaked player, by its number from 1.
    case releaseLeakedPlayer(Int)
  }

  package enum HostTime: Hashable, Sendable {
    case at(Instant)
    /// So long after the step, or before it where negative.
    case fromNow(nanoseconds: Int64)
  }

  /// The verb's arguments as the trace has them.
  package var members: [(String, TraceValue)] {
    switch self {
    case .call, .enterForeground, .play, .tap, .pause, .setItem, .removeItem, .showPanel,
      .seekToLive:
      []
    case .edit(let edit): edit.members
    case .playImmediately(let rate), .setRate(let rate), .setDefaultRate(let rate):
      [("rate", .rate(rate))]
    case .seek(let time, let tolerance):
      [("to", .seconds(time.nanoseconds))]
        + [("toleranceBefore", tolerance.before), ("toleranceAfter", tolerance.after)]
        .filter { $0.1 > .zero }.map { ($0.0, .seconds($0.1.nanoseconds)) }
    case .endInterruption(let resumes): [("shouldResume", .boolean(resumes))]
    case .enterBackground(let playsOn): [("backgroundAudio", .boolean(playsOn))]
    case .setPreferredMaximumResolution(let pixels), .setLayer(let pixels):
      [("to", pixels.map { .text("\($0.width)x\($0.height)") } ?? .null)]
    case .replaceItem(let item): item.map { [("item", .text($0))] } ?? []
    case .setWaitsAutomatically(let to), .setPreservesOffset(let to), .setExpensiveNetwork(let to),
      .setUsesNetworkWhilePaused(let to):
      [("to", .boolean(to))]
    case .setConfiguredOffset(let time), .setForwardPlaybackEndTime(let time):
      [("to", time.map { .seconds($0.nanoseconds) } ?? .null)]
    case .setActionAtItemEnd(let action): [("to", .text(action.word))]
    case .setPreferredForwardBufferDuration(let duration): [("to", .seconds(duration.nanoseconds))]
    case .setPreferredPeakBitRate(let rate): [("to", .count(rate))]
    case .select(let selection): [("to", selection.language.map { .text($0) } ?? .null)]
    case .setNetworkResourcePriority(let priority): [("to", .text(priority.rawValue))]
    case .loadValues(let keys): keys.map { ("key", .text($0)) }
    case .setTrackEnabled(let name, _, let isEnabled):
      [("track", .text(name)), ("to", .boolean(isEnabled))]
    case .beginSuspension(let suspension), .endSuspension(let suspension):
      [("by", .text(suspension.word))]
    case .setRateAtHostTime(let rate, let time, _):
      [("rate", .rate(rate)), ("time", time.map { .seconds($0.nanoseconds) } ?? .null)]
    case .link(let action): action.members
    case .project(let span): [("ahead", .seconds(span.nanoseconds))]
    }
  }
}

extension AppAction.LinkAction {
  fileprivate var members: [(String, TraceValue)] {
    switch self {
    case .switchLink(let isOn): [("to", .text(isOn ? "on" : "off"))]
    case .changeLink, .changeSchedule: []
    case .suspendTraffic(let name), .resumeTraffic(let name), .stopTraffic(let name):
      [("traffic", .text(name))]
    case .releaseLeakedPlayer(let number): [("leaked", .count(Int64(number)))]
    }
  }
}

extension AppAction {
  /// The bandwidths that it brings to the link.
  var rates: [Bandwidth] {
    switch self {
    case .link(.changeLink(let conditions)): conditions.rates
    case .link(.changeSchedule(let schedule?)): schedule.rates
    case _: []
    }
  }

  /// Whether the link goes on under other conditions than before.
  package var changesLink: Bool {
    switch self {
    case .setExpensiveNetwork, .link(.switchLink), .link(.changeLink), .link(.changeSchedule): true
    case _: false
    }
  }

  /// The effect of an action on the media that a player plays over its link, and on its timing.
  package enum Bearing: Hashable, Sendable {
    /// It asks to play, at a rate or at the player's own.
    case asks(PlaybackRate?)
    /// It brings something to play that is wanted anyway, or shows something.
    case none
    /// It makes of the session another one.
    case steers
  }

  package var bearing: Bearing {
    switch self {
    case .play: .asks(nil)
    case .playImmediately(let rate), .setRate(let rate): .asks(rate)
    case .tap, .setItem, .project, .showPanel, .setWaitsAutomatically, .setActionAtItemEnd: .none
    case .call, .endInterruption, .enterBackground,
      .enterForeground, .setPreferredMaximumResolution, .replaceItem,
      .pause, .setDefaultRate, .seek, .setForwardPlaybackEndTime,
      .setPreferredForwardBufferDuration, .setPreferredPeakBitRate, .setLayer, .select,
      .setExpensiveNetwork, .setNetworkResourcePriority, .setTrackEnabled, .beginSuspension,
      .endSuspension, .setRateAtHostTime, .loadValues, .seekToLive, .setPreservesOffset,
      .setConfiguredOffset, .setUsesNetworkWhilePaused, .edit, .removeItem, .link:
      .steers
    }
  }
}
