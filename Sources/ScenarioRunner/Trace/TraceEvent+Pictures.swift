import SimulatedPlayback
import StreamingMedia

extension TraceEvent {
  /// The line for the colour of pictures where they are handed over.
  init(_ picture: PictureColour) {
    var members: [(String, TraceValue)] = [("to", .text(picture.taker.word))]
    members.append(("source", picture.source.map { .text($0.text) } ?? .null))
    if let source = picture.source {
      members.append(("codePoints", .text(source.codePoints)))
      members.append(("wideGamut", .boolean(source.usesWideGamut)))
    }
    let delivered = picture.delivered
    members.append(("given", delivered.tags.map { .text($0.text) } ?? .null))
    members.append(("converted", .boolean(delivered.isConverted)))
    members.append(("clamped", .boolean(delivered.isClamped)))
    if let warning = delivered.warning { members.append(("warning", .text(warning.word))) }
    self.init("pictureColour", members)
  }
}

extension PictureTaker {
  var word: String {
    switch self {
    case .display: "display"
    case .composition: "composition"
    case .videoOutput: "videoOutput"
    }
  }
}

extension DeliveredColour.Warning {
  var word: String {
    switch self {
    case .untagged: "untagged"
    case .clampsWideColour: "clampsWideColour"
    case .widerThanNeeded: "widerThanNeeded"
    }
  }
}
