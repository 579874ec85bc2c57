package import ExactText
import ScenarioFormat
import ScenarioRunner
import StreamingMedia

extension GaplessReport {
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
        .object(
          variant(first, departure.variant) + [
            ("gapless", .boolean(!departure.matches.isEmpty)),
            (
              "continuesWith",
              departure.continuation.map { .object(variant(second, $0)) } ?? .null
            ),
            (
              "matchingLines",
              .list(departure.matches) { .whole(second.playlist.variants[$0].line) }
            ),
            ("reasons", .list(reasons(departure)) { $0.document }),
          ])
      },
    ]
  }

  private func variant(
    _ side: PlaylistSide, _ variant: Int
  ) -> [(key: String, value: JSONTree)] {
    let attributes = side.playlist.variants[variant]
    let traits = traits(side, variant)
    return [
      ("line", .whole(attributes.line)),
      ("uri", .string(attributes.uri)),
      ("resolution", .text(attributes.resolution.map { "\($0.width)x\($0.height)" })),
      ("bandwidth", .whole(attributes.bandwidth)),
      (
        "audio",
        [
          AudioTrait.fairPlay.word: .boolean(traits.usesFairPlay),
          AudioTrait.codec.word: .text(traits.value(of: .codec)),
          AudioTrait.channels.word: .whole(traits.channels),
          AudioTrait.sampleRate.word: .whole(traits.sampleRate),
          AudioTrait.bitDepth.word: .whole(traits.bitDepth),
        ]
      ),
    ]
  }
}

extension GaplessReport.Reason {
  fileprivate var document: JSONTree {
    [
      "trait": .string(trait.word),
      "prevents": .boolean(prevents),
      "first": ["value": .text(first.value), "line": .whole(first.line)],
      "second": ["value": .text(second.value), "line": .whole(second.line)],
    ]
  }
}
