import SimulatedPlayback
import StreamingMedia

extension Decode {
  private static let mostTracks = 64

  /// The tracks of a file, each with a name of its own.
  static func tracks(_ node: DocumentNode) -> [MediaTrack]? {
    namedList("track", atMost: mostTracks, name: { $0.name }, of: track)(node)
  }

  private static func track(_ node: DocumentNode) -> MediaTrack? {
    node.object { object in
      let kind = object.required(
        "kind", as: choice(MediaTrack.Kind.allCases.map { ($0.rawValue, $0) }))
      let name = object.required("name", as: nonEmptyText)
      let language = object.optional("language", as: nonEmptyText)
      let colour = object.optional("colour", as: colour)
      let duration = object.optional("duration", as: mediaDuration)
      let edited = object.optional("editList", as: mediaDuration)
      if let kind, kind != .video, object.has("colour") {
        object.refuse(key: "colour", "is of pictures only", expected: "a track of video")
      }
      guard let kind, let name else { return nil }
      var track = MediaTrack(name: name, kind: kind, language: language, colour: colour)
      track.mediaDuration = duration
      track.editListDuration = edited
      return track
    }
  }

  /// A colour by its name, or by its code points.
  static func colour(_ node: DocumentNode) -> ColourTriple? {
    guard let text = text(node) else { return nil }
    if let colour = ColourTriple(text) { return colour }
    let names = ColourTriple.named.map { $0.name }
    node.refuse(
      "\(quotation(of: text)) is no colour",
      expected: "one of \(alternatives(names)), or code points such as “12-1-1”",
      suggestion: nearestWord(to: text, among: names))
    return nil
  }
}

/// The names of the tracks of a scenario's file.
struct TrackNames {
  private let names: [String]
  /// Whether the media is wrong, so that nothing can be said of its tracks.
  private let isUnknown: Bool

  init(_ media: MediaSource?) {
    names = media?.file?.trackList.map { $0.name } ?? []
    isUnknown = media == nil
  }

  /// A track that there is, with its place among the tracks.
  func reference(_ node: DocumentNode) -> (name: String, index: Int)? {
    guard let name = Decode.text(node) else { return nil }
    if let index = names.firstIndex(where: { isSameText($0, name) }) { return (name, index) }
    if isUnknown { return nil }
    node.refuse(
      "no track is called \(quotation(of: name))",
      expected: names.isEmpty ? "a name that stands in “tracks” of a file" : alternatives(names),
      suggestion: nearestWord(to: name, among: names))
    return nil
  }
}
