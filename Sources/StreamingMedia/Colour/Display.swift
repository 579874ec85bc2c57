/// The dynamic range and the gamut of the display.
public enum Display: String, Hashable, Sendable, CaseIterable {
  /// Rec. 709 and no more.
  case standard = "SDR"
  /// The primaries of P3, without high dynamic range.
  case wide = "P3"
  /// High dynamic range, with the primaries of P3 at least.
  case highDynamicRange = "HDR"

  /// The VIDEO-RANGE values of variants that may be played.
  package var videoRanges: [VideoRange] {
    switch self {
    case .standard, .wide: [.standard]
    case .highDynamicRange: VideoRange.allCases
    }
  }

  /// Colour of a source that goes directly to the layer, without processing by the app.
  ///
  /// That a display without wide colour cuts it off at Rec. 709 is our assumption; the system may
  /// compress it more gently.
  package func shows(_ source: ColourTriple?) -> DeliveredColour {
    switch self {
    case .standard: ColourRequest.unspecified.delivers(source)
    case .wide, .highDynamicRange: ColourRequest.allowsWideColour.delivers(source)
    }
  }
}
