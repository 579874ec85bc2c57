import ExactText
import SimulatedPlayback
import StreamingMedia

/// The languages of a stream's renditions, or of a file's tracks: what can be selected.
struct LanguageNames {
  /// Nil where the media is wrong, or is no stream.
  private let presentation: Presentation?
  /// Empty where nobody says; then languages of a file are not looked at.
  private let tracks: [MediaTrack]

  init(_ media: MediaSource?) {
    tracks = media?.file?.trackList ?? []
    presentation = if case .stream(let settings) = media { settings.presentation } else { nil }
  }

  /// The languages that there are of a kind; nil where they are not looked at.
  private func languages(of kind: RenditionKind) -> [String]? {
    if let presentation {
      let wanted = presentation.renditions.filter { $0.attributes.kind == kind }
      return distinct(wanted.compactMap { $0.attributes.language })
    }
    if tracks.isEmpty { return nil }
    let wanted: MediaTrack.Kind = kind == .audio ? .audio : .subtitles
    return distinct(tracks.filter { $0.kind == wanted }.compactMap { $0.language })
  }

  func reference(to kind: RenditionKind) -> (DocumentNode) -> String? {
    { node in
      guard let language = Decode.nonEmptyText(node) else { return nil }
      guard let known = languages(of: kind) else { return language }
      if known.contains(where: { isSameText($0, language) }) { return language }
      let (noun, verb) = kind == .audio ? ("audio", "is") : ("subtitles", "are")
      let (media, place) = presentation == nil ? ("file", "") : ("stream", " beside the ladder")
      return node.refuse(
        "no \(noun) of the \(media) \(verb) in \(quotation(of: language))",
        expected: known.isEmpty
          ? "\(noun) with a “language”\(place)" : "one of " + alternatives(known),
        suggestion: nearestWord(to: language, among: known))
    }
  }
}
