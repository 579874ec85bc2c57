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
  case files = "to files that are downloaded"
  case remote = "to media that comes over the link"
  case live = "to live streams"
  case queues = "to queues"
  case tcp = "over tcp"
  case fluid = "in fluid"
  case mediaLimit = "to forward buffers with a limit of media"
  case byteLimit = "to forward buffers with a limit of bytes"

  /// - Parameter path: Of the key in the scenario of the link, the host; nil for a step.
  fileprivate func holds(for player: Scenario, of host: Scenario, _ path: DocumentPath?) -> Bool {
    func isBelow(_ key: String) -> Bool { path?.steps.contains(.key(key)) == true }
    switch self {
    // One form describes reading ahead in files and in streams.
    case .streams: return player.plays(.stream) && !isBelow("fileFetch")
    case .files: return player.plays(.progressive) && !isBelow("streamFetch")
    case .remote:
      return player.hasRemoteMedia || !isBelow("player") && host.loadsAnything
    case .live:
      return player.sources.contains {
        if case .stream(let settings) = $0 { settings.live != nil } else { false }
      }
    case .queues: return player.queue != nil
    case .tcp: return host.fidelity == .tcp
    case .fluid: return host.fidelity == .fluid
    case .mediaLimit:
      return player.readAheads.contains { $0.media != nil }
        || player.script.contains { isSameText($0.verb, "setPreferredForwardBufferDuration") }
    case .byteLimit: return player.readAheads.contains { $0.bytes != nil }
    }
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

  fileprivate var hasRemoteMedia: Bool { sources.contains { $0.kind != .local } }

  /// Whether any player of the link loads over it.
  fileprivate var loadsAnything: Bool {
    hasRemoteMedia || others.contains { $0.scenario.hasRemoteMedia }
      || leakedPlayers.contains { $0.item.source.kind != .local }
  }

  /// Parts that can have no effect in any run of this kind, names of nothing, and a scenario that
  /// expects nothing: known without a run.
  package var warnings: [RunWarning] {
    var found: [RunWarning] = []
    func check(
      _ scope: Scope, _ name: String, _ player: Scenario, _ path: DocumentPath?,
      _ effect: String = "has no effect"
    ) -> String? {
      scope.holds(for: player, of: self, path)
        ? nil : "\(quotation(of: name)) \(effect): it applies \(scope.rawValue) only"
    }
    for key in scopedKeys {
      let path = key.member.value.path
      let place = path.player.flatMap { others.indices.contains($0) ? $0 : nil }
      let player = place.map { others[$0].scenario } ?? self
      let effect = key.isChoice ? "is never true here" : "has no effect"
      if let message = check(key.scope, key.member.key, player, path, effect) {
        found.append(RunWarning(position: key.member.keyPosition, message: message))
      }
    }
    for player in [self] + others.map({ $0.scenario }) {
      for step in player.script {
        let verb = AppVerb.all.first { isSameText($0.name, step.verb) }
        if let message = verb?.scope.flatMap({ check($0, step.verb, player, nil) }) {
          found.append(RunWarning(position: step.position, message: message))
        }
      }
      found += player.unknownNames(of: self)
      let media = player.document["media"]?.position ?? document.position
      if player.sources.contains(where: { $0.isCutShort }) {
        found.append(
          RunWarning(
            position: media,
            message: "a playlist without EXT-X-ENDLIST is played as far as it goes; with “live” it "
              + "grows"))
      }
      if player.sources.contains(where: { $0.hasLongerAudio }) {
        found.append(
          RunWarning(
            position: media,
            message: "separate audio is longer than every variant: its end is not played"))
      }
    }
    if ([self] + others.map { $0.scenario }).allSatisfy({ $0.expectations.isEmpty }) {
      found.append(
        RunWarning(
          position: document.position, message: "no expectation: it passes with any outcome"))
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
  /// Whether its playlists say nothing of an end, and it ends with them.
  fileprivate var isCutShort: Bool {
    guard case .stream(let settings) = self else { return false }
    return settings.live == nil && settings.presentation.liveTags.isGrowing
  }

  /// Whether separate audio goes on after the last variant, by more than rounding to whole frames.
  fileprivate var hasLongerAudio: Bool {
    guard case .stream(let settings) = self else { return false }
    let presentation = settings.presentation
    let end = presentation.duration + .milliseconds(100)
    return presentation.renditions.contains { rendition in
      guard let list = rendition.list, rendition.attributes.kind == .audio else { return false }
      return presentation.lists[list].duration > end
    }
  }
}
