import SimulatedPlayback
import StreamingMedia

extension PlayerPart {
  /// Takes over what a display can show: other variants are not for it.
  mutating func adopt(_ display: Display?) {
    guard let display else { return }
    settings.display = display
    variants.constraints.videoRanges.removeAll { !display.videoRanges.contains($0) }
  }
}

extension Decode {
  static func display(_ node: DocumentNode) -> Display? {
    choice(Display.allCases.map { (word: $0.rawValue, value: $0) })(node)
  }

  /// What an output asks for: nothing, wide colour as it is, or a working space.
  static func colourRequest(_ node: DocumentNode) -> ColourRequest? {
    node.object { object in
      let allows = object.optional("allowWideColor", default: false, as: boolean)
      let space = object.optional("workingSpace", as: colour)
      if allows, object.has("workingSpace") {
        object.refuse(
          key: "workingSpace", "stands beside “allowWideColor”, which leaves pictures as they are",
          expected: "one of the two")
        return nil
      }
      if let space { return .workingSpace(space) }
      return allows ? .allowsWideColour : .unspecified
    }
  }

  static func composition(_ node: DocumentNode) -> CompositionColour? {
    node.object { object in
      CompositionColour(
        space: object.optional("space", as: colour),
        compositorTakesWideColour: object.optional(
          "supportsWideColorSourceFrames", as: boolean))
    }
  }
}
