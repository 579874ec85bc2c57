import SimulatedPlayback
import StreamingMedia

/// The languages of a stream's renditions: what can be selected.
struct LanguageNames {
  /// Nil where the media is wrong, or is no stream; then languages are not looked at.
  private let presentation: Presentation?

  init(_ media: MediaSource?) {
    if case .stream(let settings) = media {
      presentation = settings.presentation
    } else {
      presentation = nil
    }
  }

  /// The sound that a step selects.
  func audioSelection(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: reference(to: .audio))
      .map { .select(MediaSelection(.audio, language: $0)) }
  }

  /// The subtitles that a step selects; null switches them off.
  func subtitleSelection(_ object: inout DocumentObject) -> AppAction? {
    object.required("to", as: Decode.nullable(reference(to: .subtitles)))
      .map { .select(MediaSelection(.subtitles, language: $0)) }
  }

  /// A language that a rendition of a kind has.
  func reference(to kind: RenditionKind) -> (DocumentNode) -> String? {
    { node in
      guard let language = Decode.nonEmptyText(node) else { return nil }
      guard let presentation else { return language }
      let renditions = presentation.renditions.filter { $0.attributes.kind == kind }
      var known: [String] = []
      for case let name? in renditions.map({ $0.attributes.language }) where !known.contains(name) {
        known.append(name)
      }
      if known.contains(where: { isSameText($0, language) }) { return language }
      let noun = kind == .audio ? "audio" : "subtitles"
      node.refuse(
        "no \(noun) of the stream \(kind == .audio ? "is" : "are") in \(quotation(of: language))",
        expected: known.isEmpty
          ? "\(noun) with a “language” beside the ladder" : "one of " + alternatives(known),
        suggestion: nearestWord(to: language, among: known))
      return nil
    }
  }
}
