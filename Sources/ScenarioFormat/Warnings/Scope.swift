import ExactText
import LinkConditioner
import PlayerPolicies
package import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The kind of media or link that a key or a step applies to: with any other kind it has no effect
/// in any run. Whether a value has an effect in one run is measured: see `MeasuredEffects`.
package enum Scope: String, Sendable {
  case streams = "to streams"
  case anyStream = "to streams of any player"
  case files = "to files that are downloaded"
  case languages = "to streams and to files with “tracks”"
  case remote = "to media that comes over the link"
  case live = "to live streams"
  case queues = "to queues"
  case tcp = "over tcp"
  case fluid = "in fluid"
  case uplink = "to an uplink over tcp, or to one that blocks everything,"
  case bucket = "over tcp with an “idleLink” that “passesAtOnce”"
  case mediaLimit = "to forward buffers with a limit of media"
  case byteLimit = "to forward buffers with a limit of bytes"
  case trackLead = "to streams with a “trackLead”"

  /// - Parameter value: Of the key in the scenario of the link, the host; nil for a step.
  fileprivate func holds(for player: Scenario, of host: Scenario, _ value: JSONValue?) -> Bool {
    func isBelow(_ key: String) -> Bool { value?.path.steps.contains(.key(key)) == true }
    switch self {
    // One form describes reading ahead in files and in streams.
    case .streams: return player.plays(.stream) && !isBelow("fileFetch")
    case .anyStream:
      return host.plays(.stream) || host.others.contains { $0.scenario.plays(.stream) }
    case .files: return player.plays(.progressive) && !isBelow("streamFetch")
    case .languages:
      return player.sources.contains { $0.kind == .stream || $0.file?.trackList.isEmpty == false }
    case .remote:
      let players = isBelow("player") ? [player] : [player, host] + host.others.map { $0.scenario }
      return players.contains { $0.sources.contains { $0.kind != .local } }
        || !isBelow("player") && host.leakedPlayers.contains { $0.item.source.kind != .local }
    case .live: return player.sources.contains { $0.stream?.live != nil }
    case .queues: return player.queue != nil
    case .tcp: return host.fidelity == .tcp
    case .fluid: return host.fidelity == .fluid
    case .uplink:
      guard host.fidelity == .fluid, isBelow("uplink"), let text = value?.stringBytes
      else { return true }
      return (try? Quantity.bandwidth(text)) == .limited(.zero)
        || (try? Quantity.lossRatio(text)) == .total
    case .bucket:
      return host.fidelity == .tcp && host.requests?.transport.path.idleLink == .passesAtOnce
    case .mediaLimit:
      return player.readAheads.contains { $0.media != nil }
        || player.script.contains { isSameText($0.verb, "setPreferredForwardBufferDuration") }
    case .byteLimit: return player.readAheads.contains { $0.bytes != nil }
    case .trackLead:
      if !Scope.streams.holds(for: player, of: host, value) { return false }
      let waits = value?.string.map { isSameText($0, TrackOrder.videoFirst.rawValue) } ?? false
      return waits || player.player.policy.fetch.ofStreams.trackLead != nil
    }
  }

  fileprivate func words(for name: String, _ effect: String = "has no effect") -> String {
    "\(quotation(of: name)) \(effect): it applies \(rawValue) only"
  }
}

/// A key of a file that applies to some kinds of media or links only.
package struct ScopedKey: Sendable {
  let member: JSONMember
  let scope: Scope
  /// Whether its object is this key alone, as a condition for starting is.
  let isChoice: Bool
}

extension Scenario {
  private var items: [ItemSettings] { [item] + namedItems.map { $0.settings } }

  package var sources: [MediaSource] { items.map { $0.source } }

  fileprivate var readAheads: [FetchRule] { items.map { $0.readAhead(by: player.policy.fetch) } }

  fileprivate func plays(_ kind: MediaKind) -> Bool { sources.contains { $0.kind == kind } }

  /// Whether a rule that goes by whole segments starts or resumes a file that is downloaded.
  private var waitsForSegmentsOfFiles: Bool {
    let (start, resume) = (player.policy.start, player.policy.resume)
    return items.contains { $0.source.kind == .progressive && $0.heuristic == nil }
      && (start.needsSegments || resume.needsSegments)
  }

  /// Parts that can have no effect in any run of this kind, names of nothing, and a scenario that
  /// expects nothing: known without a run.
  package var warnings: [RunWarning] {
    var found: [RunWarning] = []
    func warn(_ position: TextPosition, _ message: String) {
      found.append(RunWarning(position: position, message: message))
    }
    for key in scopedKeys {
      let value = key.member.value
      let place = value.path.player.flatMap { others.indices.contains($0) ? $0 : nil }
      if key.scope.holds(for: place.map { others[$0].scenario } ?? self, of: self, value) {
        continue
      }
      let effect = key.isChoice ? "is never true here" : "has no effect"
      warn(key.member.keyPosition, key.scope.words(for: key.member.key, effect))
    }
    for player in [self] + others.map({ $0.scenario }) {
      for step in player.script {
        guard let scope = AppVerb.all.first(where: { isSameText($0.name, step.verb) })?.scope,
          !scope.holds(for: player, of: self, nil)
        else { continue }
        warn(step.position, scope.words(for: step.verb))
      }
      found += player.unknownNames(of: self)
      if player.waitsForSegmentsOfFiles,
        !scopedKeys.contains(where: { isSameText($0.member.key, "segments") })
      {
        warn(
          player.document["player"]?["policy"]?.position ?? document.position,
          "“policy” waits for segments, and a file has none: it starts full, or with all of it")
      }
      let media = player.document["media"]?.position ?? document.position
      let streams = player.sources.compactMap { $0.stream }
      if streams.contains(where: { $0.live == nil && $0.presentation.liveTags.isGrowing }) {
        warn(
          media,
          "a playlist without EXT-X-ENDLIST is played as far as it goes; with “live” it grows")
      }
      if player.sources.contains(where: { $0.hasLongerAudio }) {
        warn(media, "separate audio is longer than every variant: its end is not played")
      }
    }
    if ([self] + others.map { $0.scenario }).allSatisfy({ $0.expectations.isEmpty }) {
      warn(document.position, "no expectation: it passes with any outcome")
    }
    return found.inOrder
  }

  package func expects(_ property: String) -> Bool {
    expectations.contains { expectation in
      guard case .properties(_, let claims) = expectation.claim else { return false }
      return claims.contains { isSameText($0.property.name, property) }
    }
  }
}

extension MediaSource {
  package var stream: StreamSettings? {
    if case .stream(let settings) = self { settings } else { nil }
  }

  /// Whether separate audio goes on after the last variant, by more than rounding to whole frames.
  fileprivate var hasLongerAudio: Bool {
    guard let presentation = stream?.presentation else { return false }
    let end = presentation.duration + .milliseconds(100)
    return presentation.renditions.contains { rendition in
      guard let list = rendition.list, rendition.attributes.kind == .audio else { return false }
      return presentation.lists[list].duration > end
    }
  }
}
