import ExactText
import SimulatedPlayback
import StreamingMedia

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
