package import VirtualTime

/// Live settings that the playlists of a presentation declare while they grow.
///
/// The first variant's media playlist counts where media playlists differ.
package struct LiveTags: Hashable, Sendable {
  /// EXT-X-PLAYLIST-TYPE:EVENT.
  package var isEvent = false
  /// HOLD-BACK; nil where it is not said.
  package var holdBack: MediaTime?
  /// CAN-SKIP-UNTIL; nil where it is not said.
  package var canSkipUntil: MediaTime?
  /// EXT-X-START; nil where it is not said.
  package var start: StartPoint?
  /// PART-TARGET; nil for whole segments alone.
  package var partDuration: MediaTime?
  /// Server settings of the parts; nil without parts.
  package var parts: LiveParts?
  /// Whether nothing says that the playlists have ended.
  package var isGrowing = false
  /// A playlist that is of another type than the first variant's, one of the two an event's.
  package var otherType: String?
  package var remarks: [LiveRemark] = []

  package init() {}

  /// The distance from the end at which clients are told to begin, as far as tags say.
  package var heldBack: MediaTime {
    max(parts?.holdBack ?? holdBack ?? .zero, .zero - (start?.offset ?? .zero))
  }
}

/// Something in the playlists of one presentation that does not count as it stands.
package struct LiveRemark: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// Another playlist says something else, and that counts.
    case differs(from: String)
    /// The value that counts instead, and the reason in words.
    case replaced(by: MediaTime, because: String)
  }

  package var uri: String
  package var name: String
  package var problem: Problem

  package var message: String {
    switch problem {
    case .differs(let other): "\(name) is not that of \(other), which counts"
    case .replaced(let value, let reason):
      "\(name) counts as \(decimalText(value.nanoseconds, places: 9)) s: \(reason)"
    }
  }
}

struct PlacedPlaylist {
  var uri: String
  var playlist: MediaPlaylist
}

extension LiveTags {
  /// - Parameter playlists: The media playlists, that of the first variant first.
  init(_ playlists: [PlacedPlaylist], of presentation: Presentation) {
    guard let first = playlists.first else { return }
    let (start, target) = (presentation.start, presentation.targetDuration)
    isGrowing = !first.playlist.hasEnd
    isEvent = first.playlist.type == .event
    // §6.2.4: "If any Media Playlists have an EXT-X-PLAYLIST-TYPE tag, all Media Playlists MUST
    // have an EXT-X-PLAYLIST-TYPE tag with the same value."
    otherType = playlists.first { ($0.playlist.type == .event) != isEvent }?.uri
    self.start = start ?? first.playlist.start
    let control = first.playlist.serverControl
    // §4.4.3.8: HOLD-BACK "MUST be at least three times the Target Duration", the Skip Boundary
    // "MUST be at least six times the Target Duration".
    holdBack = control?.holdBack.map {
      raised($0, "HOLD-BACK", to: 3, of: target, "three target durations are the least", first)
    }
    canSkipUntil = control?.canSkipUntil.map {
      raised($0, "CAN-SKIP-UNTIL", to: 6, of: target, "six target durations are the least", first)
    }
    let longest = playlists.lazy.flatMap { $0.playlist.segments }.map { $0.duration }.max() ?? .zero
    takeParts(of: first, target, longest)
    for other in playlists.dropFirst() {
      for name in other.playlist.differences(from: first.playlist) {
        remark(other.uri, name, .differs(from: first.uri))
      }
    }
    // §4.4.2: a tag in both kinds of playlist "MUST have the same value; otherwise, clients SHOULD
    // ignore the value in the Media Playlist(s)". One kind alone may have it.
    for other in playlists where other.playlist.start != self.start {
      if start != nil, other.playlist.start == nil { continue }
      remark(other.uri, "EXT-X-START", .differs(from: start == nil ? first.uri : presentation.uri))
    }
  }

  private mutating func remark(_ uri: String, _ name: String, _ problem: LiveRemark.Problem) {
    remarks.append(LiveRemark(uri: uri, name: name, problem: problem))
  }

  private mutating func takeParts(
    of first: PlacedPlaylist, _ target: MediaTime, _ longest: MediaTime
  ) {
    let playlist = first.playlist
    guard let said = playlist.partTarget else { return }
    let part = partDuration(said, first, target, longest)
    partDuration = part
    let holdBack =
      if let asked = playlist.serverControl?.partHoldBack {
        // §4.4.3.8: PART-HOLD-BACK "MUST be at least twice the Part Target Duration" and "SHOULD be
        // at least three times" it.
        raised(asked, "PART-HOLD-BACK", to: 2, of: part, "two parts are the least", first)
      } else {
        raised(
          .zero, "PART-HOLD-BACK", to: 3, of: part, "none is given, and three are usual", first)
      }
    // An ended playlist hints at nothing more and reports no progress, whatever it did before.
    parts = LiveParts(
      holdBack: holdBack, blocksReload: playlist.serverControl?.canBlockReload ?? false,
      hints: playlist.hasEnd || playlist.preloadHints.contains(.part),
      reports: playlist.hasEnd || !playlist.renditionReports.isEmpty)
  }

  /// The length of a part, between what a list can be cut into and what a segment can hold.
  private mutating func partDuration(
    _ said: MediaTime, _ first: PlacedPlaylist, _ target: MediaTime, _ longest: MediaTime
  ) -> MediaTime {
    // A thousand parts of a segment are more than a server makes, and not too many to look through.
    let least = max(.milliseconds(10), MediaTime(nanoseconds: longest.nanoseconds / 1_000))
    let long = raised(said, "PART-TARGET", to: 1, of: least, "parts are no shorter", first)
    let part = min(long, max(target, least))
    if part < long {
      remark(
        first.uri, "PART-TARGET",
        .replaced(by: part, because: "no part is longer than the target duration"))
    }
    return part
  }

  private mutating func raised(
    _ value: MediaTime, _ name: String, to count: Int64, of unit: MediaTime, _ reason: String,
    _ first: PlacedPlaylist
  ) -> MediaTime {
    let least = MediaTime(nanoseconds: count * unit.nanoseconds)
    if value >= least { return value }
    remark(first.uri, name, .replaced(by: least, because: reason))
    return least
  }
}

extension MediaPlaylist {
  /// Live settings that differ from those of another playlist of its presentation.
  fileprivate func differences(from other: MediaPlaylist) -> [String] {
    let (own, others) = (serverControl, other.serverControl)
    let pairs = [
      ("HOLD-BACK", own?.holdBack, others?.holdBack),
      ("CAN-SKIP-UNTIL", own?.canSkipUntil, others?.canSkipUntil),
      ("PART-TARGET", partTarget, other.partTarget),
      ("PART-HOLD-BACK", own?.partHoldBack, others?.partHoldBack),
    ]
    var names = pairs.filter { $0.1 != $0.2 }.map { $0.0 }
    if (own?.canBlockReload ?? false) != (others?.canBlockReload ?? false) {
      names.append("CAN-BLOCK-RELOAD")
    }
    return names
  }
}
