/// A track of a file.
public struct MediaTrack: Hashable, Sendable {
  /// What a track is for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case video
    case audio
    case subtitles
  }

  public var name: String
  public var kind: Kind
  public var language: String?
  // WWDC16 503: colour information is "part of the metadata of video tracks".
  /// How its picture is to be understood; nil where nobody says.
  public var colour: ColourTriple?

  public init(
    name: String, kind: Kind, language: String? = nil, colour: ColourTriple? = nil
  ) {
    self.name = name
    self.kind = kind
    self.language = language
    self.colour = colour
  }
}
