package import VirtualTime

/// A policy with a name, and where each of its choices comes from.
package struct PolicyPreset: Hashable, Sendable {
  package enum Confidence: String, Hashable, Sendable, CaseIterable {
    /// Read in the source at a known commit.
    case source
    /// Read in a copy of the source whose commit is not known.
    case copy
    /// Official documentation, a talk or a paper.
    case documented
    case measured
    /// Our assumption, or somebody's recollection.
    case assumed
  }

  package struct Evidence: Hashable, Sendable {
    package var seat: PolicySeat
    package var source: String
    package var confidence: Confidence

    package init(_ seat: PolicySeat, _ source: String, _ confidence: Confidence) {
      self.seat = seat
      self.source = source
      self.confidence = confidence
    }
  }

  package var name: String
  /// A sentence about the player.
  package var about: String
  package var description: PolicyDescription
  /// The sources of its own choices, one for each seat; of others what is left out of them.
  var sources: [Evidence]
  /// The source of the exits, which end a wait whatever the rule.
  package var exits = BlockSource(
    "exits",
    "no player is known that waits with a full buffer or an idle loader: a short file, or a mark "
      + "beyond the limit, would never play", .assumed)
  /// The version of the player, or of its documentation, that was examined.
  package var snapshot: String
  /// Surprises in a comparison of a run with the real player.
  package var gotchas: [String]
  /// The lengths of segments, in seconds, that it is known with: empty for files alone, nil where
  /// all of its choices were read in its source.
  package var knownSegments: [Int64]?

  /// The source of the choice for each seat.
  package var evidence: [Evidence] {
    PolicySeat.allCases.compactMap { seat in
      (sources + Evidence.omissions).first { $0.seat == seat }
    }
  }

  /// Replaces the source of the choice for a seat.
  mutating func cite(_ new: Evidence) { sources.insert(new, at: 0) }

  /// The media it is known with; nil where its behaviour with such segments is not our assumption.
  ///
  /// - Parameter length: Of the longest segment; nil for any.
  package func knownMedia(unlike length: MediaTime? = nil) -> String? {
    guard let knownSegments, !knownSegments.contains(where: { .seconds($0) == length }) else {
      return nil
    }
    return (["files"] + knownSegments.map { "segments of \($0) s" }).joined(separator: ", ")
  }

  /// All there are, in the order in which they are listed.
  package static let all: [PolicyPreset] = [
    [.avfoundation].leaving(
      "the player goes on with a full buffer itself, and says nothing of keeping up: “the decision "
        + "is left to the app” (AVPlayerItem)", .documented),
    Media3.all, [HLSJS.from1Point5], Shaka.all, [DashJS.from5, VHS.from3, WebKit.mediaSource],
    Chromium.all, Firefox.all, GStreamer.all, [WebKit.gtk], Mpv.all, VLC.all, Kodi.all,
    [KSPlayer.from2, Ijkplayer.from0Point8, NuPlayer.genericSource, QuickTime.plugIn],
    Literature.all,
  ].flatMap { $0 }

  /// The preset of a player by another name of it; nil for a name that is none.
  package static func otherName(_ name: String) -> String? {
    let words = name.utf8.filter { $0 != 32 && $0 != 45 && $0 != 46 && $0 != 95 }
      .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let known: [(name: String, preset: String)] = [
      ("exoplayer", "Media3 1.6"), ("androidx", "Media3 1.6"), ("avplayer", "avfoundation"),
      ("apple", "avfoundation"), ("videojs", "VHS 3.17"), ("safari", "WebKit MSE autoplay"),
      ("chrome", "Chromium 156 autoplay"), ("libvlc", "VLC 3.0"),
    ]
    return known.first { words.starts(with: $0.name.utf8) }?.preset
  }

  package static func named(_ name: String) -> PolicyPreset? {
    all.first { $0.name == name }
  }
}

extension ReadinessRule {
  /// A start by the attribute autoplay: later waits have the mark of play().
  static func autoplay(_ rule: ReadinessRule, then mark: Level) -> ReadinessRule {
    // The first mark is the whole file: nothing but the rule lets it start.
    .any([rule, .once(.media(.seconds(1_000_000)), then: mark)])
  }

  /// The mark of autoplay until the first start or a call of pause() or play(); then play()'s mark.
  static func once(_ first: Level, then mark: Level) -> ReadinessRule {
    .escalating(EscalatingLevel(marks: [first, mark], raise: .waitOrCall))
  }
}

extension [PolicyPreset] {
  /// The same with where their own exits come from.
  func leaving(_ source: String, _ confidence: PolicyPreset.Confidence) -> [PolicyPreset] {
    map { preset in
      var preset = preset
      preset.exits = BlockSource("exits", source, confidence)
      return preset
    }
  }
}
