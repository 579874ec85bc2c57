/// A policy with a name, and where each of its choices comes from.
package struct PolicyPreset: Hashable, Sendable {
  /// How far a source can be trusted.
  package enum Confidence: String, Hashable, Sendable, CaseIterable {
    /// Read in the source at a known commit.
    case source
    /// Read in a copy of the source whose commit is not known.
    case copy
    /// Official documentation, a talk or a paper.
    case documented
    /// Measured on the player.
    case measured
    /// Our assumption, or somebody's recollection.
    case assumed
  }

  /// Where the choice for a seat comes from.
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
  package var evidence: [Evidence]

  package init(
    name: String, about: String, description: PolicyDescription, evidence: [Evidence]
  ) {
    self.name = name
    self.about = about
    self.description = description
    self.evidence = evidence
  }

  /// All there are, in the order in which they are listed.
  package static let all: [PolicyPreset] =
    [.avfoundation] + Media3.all + WebPlayers.all + Chromium.all + Firefox.all + GStreamer.all
    + MediaPlayers.all + HandsetPlayers.all + Literature.all

  package static func named(_ name: String) -> PolicyPreset? {
    all.first { $0.name == name }
  }
}
