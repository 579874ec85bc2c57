import ExactText
import SimulatedPlayback
import StreamingMedia

/// The names of the things of a kind that there are: items, assets, traffic, or tracks.
struct PartNames {
  /// The word for one of them, and the place of their list in the file.
  private let kind: String
  private let place: String
  /// Nil where nothing can be said of them.
  private let names: [String]?
  private let places: [[UInt8]: Int]

  /// Among how many names the one that was probably meant is looked for.
  private static let mostSuggestions = 256

  /// Those of a list of the document, even where one of them has a mistake: that does not make a
  /// mistake of every mention of it.
  init(_ kind: String, in node: DocumentNode?, called list: String) {
    self.kind = kind
    place = quotation(of: list)
    let names = (node?.elements ?? []).map { $0.member("name")?.plainText ?? "" }
    (self.names, places) = (names, Self.places(of: names))
  }

  /// Those of the tracks of a file; of media that is wrong nothing is known.
  init(tracksOf media: MediaSource?) {
    kind = "track"
    place = "“tracks” of a file"
    let names = media.map { $0.file?.trackList.map { $0.name } ?? [] }
    (self.names, places) = (names, Self.places(of: names ?? []))
  }

  private static func places(of names: [String]) -> [[UInt8]: Int] {
    var places: [[UInt8]: Int] = [:]
    for (place, name) in names.enumerated().reversed() { places[Array(name.utf8)] = place }
    return places
  }

  func name(_ node: DocumentNode) -> String? { place(node).map { name(at: $0) } }

  func reference(_ node: DocumentNode) -> (name: String, index: Int)? {
    place(node).map { (name(at: $0), $0) }
  }

  func name(at place: Int) -> String { names?[place] ?? "" }

  func place(_ node: DocumentNode) -> Int? {
    guard let name = Decode.text(node), let names else { return nil }
    if let place = places[Array(name.utf8)] { return place }
    let known = names.prefix(Self.mostSuggestions).filter { !$0.isEmpty }
    return node.refuse(
      "no \(kind) is called \(quotation(of: name))",
      expected: known.isEmpty ? "a name that stands in \(place)" : alternatives(known),
      suggestion: nearestWord(to: name, among: known))
  }
}
