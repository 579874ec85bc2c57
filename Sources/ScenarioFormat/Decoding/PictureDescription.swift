import ExactText
import SimulatedPlayback
import StreamingMedia

struct PictureDescription {
  var display: Display?
  var use = PictureUse()

  @KeyRows<Self> static var keys: KeyRows<Self> {
    Key.optional(
      "display", { $0.display = $1 }, Form<Display>.cases,
      "Display of the device: variants that it cannot show are not played.")
    Key.optional(
      "videoOutput", { $0.use.output = $1 }, ColourRequest.form,
      "Code of the app that receives decoded video frames.")
    Key.optional(
      "composition", { $0.use.composition = $1 }, composition,
      "A video composition that works on the frames.")
  }

  private static let composition = KeyTable<CompositionColour>(
    "composition", "A video composition."
  ) {
    Key.optional("space", { $0.space = $1 }, .colour, "Working colour space; by default HD.")
    Key.optional(
      "supportsWideColorSourceFrames", { $0.compositorTakesWideColour = $1 }, .boolean,
      "The answer of the app's own video compositor; without a compositor there is none.")
  }.form(CompositionColour())
}

/// The request of a video output: nothing, wide colour as it is, or a working space.
extension ColourRequest {
  fileprivate static let form = KeyTable<(allowsWideColour: Bool, space: ColourTriple?)>(
    "videoOutput", "Code of the app that receives video frames."
  ) {
    Key.optional(
      "allowWideColor", { $0.allowsWideColour = $1 }, .boolean, absent: false,
      "Whether frames keep their own colour space.")
    Key.optional(
      "workingSpace", { $0.space = $1 }, .colour,
      "The space that they are converted into; not beside the other.")
  }.form((false, nil)) { part, object -> Self? in
    if part.allowsWideColour, object.has("workingSpace") {
      return object.refuse(
        key: "workingSpace", "stands beside “allowWideColor”, which leaves pictures as they are",
        expected: "one of the two")
    }
    if let space = part.space { return .workingSpace(space) }
    return part.allowsWideColour ? .allowsWideColour : .unspecified
  }
}
