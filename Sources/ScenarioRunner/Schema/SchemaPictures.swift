import StreamingMedia

extension Schema {
  static let pictureKeys = [
    SchemaKey(
      "display", words(Display.allCases.map { $0.rawValue }),
      "What shows the picture: variants that it cannot show are not played."),
    SchemaKey("videoOutput", videoOutput, "Code of the app that takes decoded pictures."),
    SchemaKey("composition", composition, "A video composition that works on the pictures."),
  ]

  private static let videoOutput = object([
    SchemaKey(
      "allowWideColor", boolean, "Whether pictures are handed over in the space that they have."),
    SchemaKey(
      "workingSpace", colour, "The space that they are converted into; not beside the other."),
  ])

  private static let composition = object([
    SchemaKey("space", colour, "The space that it works in; HD unless said otherwise."),
    SchemaKey(
      "supportsWideColorSourceFrames", boolean,
      "What a compositor of the app's own says of itself; none unless said otherwise."),
  ])
}
