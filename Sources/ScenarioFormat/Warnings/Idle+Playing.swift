import ExactText
import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import VirtualTime

// What says nothing to anybody by what is played, over which link, and for how long.

extension Idle {
  static let withoutStream = Idle("nothing here is a stream") { !$0.hasStream }
  static let withoutDownload = Idle("no file comes in over the link") { media in
    !media.sources.contains { $0.kind == .progressive }
  }
  static let nothingTravels = Idle("all media is local, and nothing comes over the link") { media in
    media.host.allPlayed.allSatisfy { $0.isLocal } && !media.host.leaksAnything
  }
  /// The same of a link that is anything but perfect.
  static let describedInVain = Idle { media, path in
    let plan = media.host.link
    let isPerfect = plan.conditions == .perfect && plan.schedule == nil && plan.outages.isEmpty
    return isPerfect ? nil : nothingTravels.why(media, path)
  }
  /// An uplink that lets nothing through is an outage in either fidelity.
  static let ofRequests = Idle { media, path in
    guard let path, path.isBelow("uplink"), path.isBelow("link"), media.host.fidelity == .fluid,
      media.host.link.conditions.uplink.bandwidth != .limited(.zero)
    else { return nil }
    return "in “fluid” requests have no size"
  }
  static let sameForClients = Idle("from iOS 10 on every client waits") {
    $0.contract.waitsByDefault
  }
  static let nobodyCountsArriving = withoutStream.or(
    Idle("no rule counts what has come of the segment under way") {
      !$0.scenario.player.policy.facts.arriving
    })
  static let withoutPreroll = Idle("the pipeline takes no time to fill") {
    $0.scenario.player.pipeline.preroll == .zero
  }
  static let withoutCodecs = Idle("no variant says how it is coded") { media in
    media.streams.allSatisfy { stream in
      stream.presentation.variants.allSatisfy { $0.attributes.codecs.isEmpty }
    }
  }
  static let playlistsThere = Idle("the player has the playlists before it begins") { media in
    media.hasStream && media.streams.allSatisfy { $0.hasPlaylists }
  }
  static let ofNamedItems = Idle("the items of the queue begin where each says") {
    $0.scenario.queue?.isNamed == true && $0.scenario.looping?.way != .looper
  }
  static let nothingToSize = nothingToChoose.or(
    Idle("no variant says how large its picture is") { media in
      media.streams.allSatisfy { stream in
        stream.presentation.variants.allSatisfy { $0.attributes.resolution == nil }
      }
    })
  static let costlessLayer = Idle { media, path in
    let costs = media.scenario.player.pipeline
    guard costs.build == .zero && costs.reconfiguration == .zero else { return nil }
    return nothingToSize.why(media, path).map { "\($0), and the pipeline costs nothing" }
  }
  /// An end that what is played has reached by then.
  static let pastEnd = Idle { media, path in
    if let index = path?.index(below: "items"), media.scenario.namedItems.indices.contains(index) {
      return media.scenario.namedItems[index].settings.endsEarly ? nil : overByThen
    }
    return media.items.contains { $0.endsEarly } ? nil : overByThen
  }
  fileprivate static let overByThen = "the media is over by then"
}

extension AppAction {
  /// Why a place that it names is none: an end of playback behind the media, or a seek past it.
  func whyPastEnd(of media: PlayedMedia) -> String? {
    if case .seek(let time, _) = self, !media.isLive,
      media.sources.allSatisfy({ $0.duration < time })
    {
      return "the media ends before"
    }
    guard let newEnd, media.sources.allSatisfy({ $0.duration <= newEnd }) else { return nil }
    return Idle.overByThen
  }
}

extension DocumentPath {
  /// The place in a list that is the value of a key.
  fileprivate func index(below name: String) -> Int? {
    for (step, next) in zip(steps, steps.dropFirst()) {
      if case .key(let key) = step, isSameText(key, name), case .index(let index) = next {
        return index
      }
    }
    return nil
  }
}

extension Scenario {
  /// What nothing is made of, and who loads nothing.
  var unusedParts: [RunWarning] {
    let assets = ([self] + others.map { $0.scenario }).flatMap { $0.unusedAssets }
    return assets.map { RunWarning(position: $0, message: "no item is made of this asset") }
      + idleLeaks.map {
        RunWarning(
          position: $0.position, message: "this leaked player loads nothing: its file is local")
      }
  }
}
