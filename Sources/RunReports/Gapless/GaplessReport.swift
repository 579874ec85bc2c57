package import ExactText
package import StreamingMedia
import VirtualTime

/// Whether the sound goes on from one stream to the next, as somebody asks who has the playlists.
package struct GaplessReport: Sendable {
  package var first: PlaylistSide
  package var second: PlaylistSide
  package var strictness: GaplessStrictness
  package var boundary: GaplessBoundary

  package init(_ first: PlaylistSide, _ second: PlaylistSide, strictness: GaplessStrictness) {
    self.first = first
    self.second = second
    self.strictness = strictness
    boundary = GaplessBoundary(
      from: first.presentation, to: second.presentation, strictness: strictness)
  }

  package var verdict: String {
    let (open, all) = (boundary.departures.count(where: isOpen), boundary.departures.count)
    if gaplessCount == all { return "always" }
    if gaplessCount > 0, gaplessCount + open < all { return "sometimes" }
    return open > 0 ? "unknown" : "never"
  }

  private var gaplessCount: Int {
    boundary.departures.count { !$0.matches.isEmpty && !isOpen($0) }
  }

  /// Whether nothing but the use of FairPlay, which is not known, may prevent it.
  private func isOpen(_ departure: GaplessBoundary.Departure) -> Bool {
    guard let nearest = departure.nearest,
      !first.knowsKeys(of: departure.variant) || !second.knowsKeys(of: nearest)
    else { return false }
    return reasons(departure).allSatisfy { !$0.prevents || $0.trait == .fairPlay }
  }

  /// One trait that is not the same on both sides.
  struct Reason {
    var trait: AudioTrait
    var prevents: Bool
    var first: Declaration
    var second: Declaration

    fileprivate var document: JSONTree {
      [
        "trait": .string(trait.rawValue),
        "prevents": .boolean(prevents),
        "first": ["value": .text(first.value), "line": .whole(first.line)],
        "second": ["value": .text(second.value), "line": .whole(second.line)],
      ]
    }
  }

  typealias Declaration = (line: Int32?, value: String?)

  /// The reasons that prevent a gapless transition from a variant, or might inhibit it.
  func reasons(_ departure: GaplessBoundary.Departure) -> [Reason] {
    guard let nearest = departure.nearest else { return [] }
    return departure.differences.map { trait in
      Reason(
        trait: trait, prevents: strictness == .strict || !trait.mayInhibitOnly,
        first: declaration(of: trait, first, departure.variant),
        second: declaration(of: trait, second, nearest))
    }
  }

  private func declaration(
    of trait: AudioTrait, _ side: PlaylistSide, _ variant: Int
  ) -> Declaration {
    if trait == .fairPlay, !side.knowsKeys(of: variant) { return (nil, "not known") }
    let value = side.presentation.audioTraits(of: variant).value(of: trait)
    return (side.line(of: trait, variant), value)
  }

  /// All about the boundary, a line for each variant and for each reason.
  package func text(style: TextStyle) -> String {
    let heading =
      "\(first.file), then \(second.file): gapless from \(gaplessCount) of "
      + counted(Int64(boundary.departures.count), "variant")
    var lines = [style.paint(heading, .title)]
    for departure in boundary.departures {
      lines.append(line(of: departure, style))
      lines += reasons(departure).map { "  " + line(of: $0, style) }
    }
    lines += [first, second].compactMap { note(on: $0) }.map { style.paint($0, .faint) }
    return RunReports.text(of: lines)
  }

  private func line(of departure: GaplessBoundary.Departure, _ style: TextStyle) -> String {
    let before = "\(place(first, departure.variant)): \(words(first, departure.variant)): "
    if isOpen(departure) { return before + style.paint("cannot be said", .waiting) }
    guard let next = departure.continuation else {
      return before + style.paint("no variant of \(second.file) matches", .bad)
    }
    let others = Int64(departure.matches.count - 1)
    return before + style.paint("goes on", .good)
      + " with \(place(second, next)) (\(words(second, next)))"
      + (others > 0 ? ", or with \(counted(others, "other"))" : "")
  }

  private func line(of reason: Reason, _ style: TextStyle) -> String {
    "\(reason.trait.words): \(words(reason.first, first)), then \(words(reason.second, second)): "
      + style.paint(
        reason.prevents ? "prevents it" : "may inhibit it", reason.prevents ? .bad : .waiting)
  }

  private func words(_ declaration: Declaration, _ side: PlaylistSide) -> String {
    let place = PlaylistPlace(line: declaration.line).title(in: side.file)
    return "\(declaration.value ?? "not declared") (\(place))"
  }

  private func place(_ side: PlaylistSide, _ variant: Int) -> String {
    "\(side.file):\(side.playlist.variants[variant].line)"
  }

  private func words(_ side: PlaylistSide, _ variant: Int) -> String {
    let attributes = side.playlist.variants[variant]
    let size = attributes.resolution.map { "\($0.width)x\($0.height), " } ?? ""
    return size + shownRate(.bitsPerSecond(attributes.bandwidth))
  }

  private func note(on side: PlaylistSide) -> String? {
    if side.missing.isEmpty { return nil }
    return "note: \(counted(Int64(side.missing.count), "media playlist")) of \(side.file) "
      + "cannot be read here: FairPlay is judged by what is announced with EXT-X-SESSION-KEY"
  }

  /// The members of the answer of a check of two playlists, with every reason.
  package var document: JSONTree {
    func side(_ side: PlaylistSide) -> JSONTree {
      ["file": .string(side.file), "notRead": .strings(side.missing)]
    }
    return [
      "gapless": .string(verdict),
      "strictness": strictness == .strict ? "strict" : "lenient",
      "first": side(first),
      "second": side(second),
      "variants": .list(boundary.departures) { departure in
        variant(first, departure.variant) + [
          "gapless": isOpen(departure) ? .null : .boolean(!departure.matches.isEmpty),
          "continuesWith": departure.continuation.map { variant(second, $0) } ?? .null,
          "matchingLines": .list(departure.matches) { .whole(second.playlist.variants[$0].line) },
          "reasons": .list(reasons(departure)) { $0.document },
        ]
      },
    ]
  }

  private func variant(_ side: PlaylistSide, _ variant: Int) -> JSONTree {
    let attributes = side.playlist.variants[variant]
    let traits = side.presentation.audioTraits(of: variant)
    return [
      "line": .whole(attributes.line),
      "uri": .string(attributes.uri),
      "resolution": .text(attributes.resolution.map { "\($0.width)x\($0.height)" }),
      "bandwidth": .whole(attributes.bandwidth),
      "audio": [
        AudioTrait.fairPlay.rawValue: .boolean(traits.usesFairPlay),
        AudioTrait.codec.rawValue: .text(traits.value(of: .codec)),
        AudioTrait.channels.rawValue: .whole(traits.channels),
        AudioTrait.sampleRate.rawValue: .whole(traits.sampleRate),
        AudioTrait.bitDepth.rawValue: .whole(traits.bitDepth),
      ],
    ]
  }
}

extension AudioTrait {
  var words: String {
    switch self {
    case .fairPlay: "use of FairPlay"
    case .codec: "audio codec"
    case .channels: "channels"
    case .sampleRate: "sample rate"
    case .bitDepth: "bit depth"
    }
  }
}
