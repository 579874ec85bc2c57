import ExactText
import SimulatedPlayback
import StreamingMedia

/// The names of the things of a kind that there are: items, assets, traffic, or tracks.
struct PartNames {
  /// What one of them is called, and where they stand.
  private let kind: String
  private let place: String
  /// Nil where nothing can be said of them.
  private let names: [String]?

  /// Those of a list of the document, even where one of them has a mistake: that does not make a
  /// mistake of every mention of it.
  init(_ kind: String, in node: DocumentNode?, called list: String) {
    self.kind = kind
    place = quotation(of: list)
    names = (node?.elements ?? []).map { $0.member("name")?.plainText ?? "" }
  }

  /// Those of the tracks of a file; of media that is wrong nothing is known.
  init(tracksOf media: MediaSource?) {
    kind = "track"
    place = "“tracks” of a file"
    names = media.map { $0.file?.trackList.map { $0.name } ?? [] }
  }

  /// The name of one that there is.
  func name(_ node: DocumentNode) -> String? {
    place(node).map { name(at: $0) }
  }

  /// That with its place in the list.
  func reference(_ node: DocumentNode) -> (name: String, index: Int)? {
    place(node).map { (name(at: $0), $0) }
  }

  func name(at place: Int) -> String { names?[place] ?? "" }

  /// Its place in the list.
  func place(_ node: DocumentNode) -> Int? {
    guard let name = Decode.text(node), let names else { return nil }
    if let index = names.firstIndex(where: { isSameText($0, name) }) { return index }
    let known = names.filter { !$0.isEmpty }
    node.refuse(
      "no \(kind) is called \(quotation(of: name))",
      expected: known.isEmpty ? "a name that stands in \(place)" : alternatives(known),
      suggestion: nearestWord(to: name, among: known))
    return nil
  }
}
