import ExactText
import StreamingMedia

extension MediaTrack {
  static let form = KeyTable<Self>("track", "A track of a file.") {
    Key.required("kind", { $0.kind = $1 }, .cases, "Kind of track.")
    Key.required("name", { $0.name = $1 }, .text("English"), "Name.")
    Key.optional("language", { $0.language = $1 }, .text("en"), "Its language.")
    Key.optional("colour", { $0.colour = $1 }, .colour, "Colour tags of the video.")
    Key.optional(
      "duration", { $0.mediaDuration = $1 }, .mediaDuration.examples("1.8 s"),
      "Duration, where it is not the file's.")
    Key.optional(
      "editList", { $0.editListDuration = $1 }, .mediaDuration.examples("1.7 s"),
      "Presented duration, by the edit list.")
  }.form(MediaTrack(name: "", kind: .video)) { track, object in
    if track.kind != .video, object.has("colour") {
      object.refuse(key: "colour", "is of pictures only", expected: "a track of video")
    }
    return track
  }
}

extension Form<ColourTriple> {
  static var colour: Form {
    let names = ColourTriple.named.map { $0.name }
    let codePoints = Shape.pattern(
      "^[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}$", noun: "three code points", examples: ["12-1-1"])
    return Form(.anyOf([.words(names), codePoints])) { node in
      guard let text = Decode.text(node) else { return nil }
      if let colour = ColourTriple(text) { return colour }
      return node.refuse(
        "\(quotation(of: text)) is no colour",
        expected: "one of \(alternatives(names)), or code points such as “12-1-1”",
        suggestion: nearestWord(to: text, among: names))
    }
  }
}
