/// Colour that an app requests for the decoded frames it processes.
package enum ColourRequest: Hashable, Sendable {
  /// Nothing: code that knows no other space is given Rec. 709.
  case unspecified
  /// `AVVideoAllowWideColorKey`: the buffers as they are, "effectively a promise" to honour tags.
  case allowsWideColour
  /// `AVVideoColorPropertiesKey`: converted into a space of the app's choice.
  case workingSpace(ColourTriple)

  /// Colour of a source's buffers at delivery.
  ///
  /// - Parameter source: The tags of the source; nil for self-made buffers without tags.
  package func delivers(_ source: ColourTriple?) -> DeliveredColour {
    switch (self, source) {
    // Nothing to convert from, and nothing to honour.
    case (.unspecified, nil), (.allowsWideColour, nil):
      DeliveredColour(tags: nil, isConverted: false, isClamped: false, warning: .untagged)
    case (.workingSpace(let space), nil):
      DeliveredColour(
        tags: space, isConverted: space != .highDefinition, isClamped: false, warning: .untagged)
    case (.workingSpace(let space), let source?): converted(source, to: space)
    // WWDC16 503: content that is not wide is best processed within Rec. 709; what is wide is
    // "clamped back into the 709 space" there.
    case (.unspecified, let source?) where source.usesWideGamut || source.videoRange != .standard:
      converted(source, to: .highDefinition)
    case (.unspecified, let source?), (.allowsWideColour, let source?):
      DeliveredColour(tags: source, isConverted: false, isClamped: false)
    }
  }

  private func converted(_ source: ColourTriple, to space: ColourTriple) -> DeliveredColour {
    let isClamped = source.usesWideGamut && !space.usesWideGamut
    let isWasted = !source.usesWideGamut && space.usesWideGamut
    return DeliveredColour(
      tags: space, isConverted: source != space, isClamped: isClamped,
      warning: isClamped ? .clampsWideColour : isWasted ? .widerThanNeeded : nil)
  }
}

/// The tags of the buffers that somebody is given, and what was done to get there.
package struct DeliveredColour: Hashable, Sendable {
  /// Nil where the buffers carry no tags.
  package var tags: ColourTriple?
  /// Whether the code values are others than those that were decoded.
  package var isConverted: Bool
  /// Whether colours that do not fit were cut off at the edge of the smaller gamut.
  package var isClamped: Bool
  package var warning: Warning?

  package enum Warning: String, Hashable, Sendable, CaseIterable {
    /// Nobody says how the picture is to be understood; it is taken for Rec. 709.
    case untagged
    /// Wide colour is lost in a space that cannot hold it.
    case clampsWideColour
    /// A wide working space for content that is not wide.
    case widerThanNeeded
  }
}

// AVMutableVideoComposition: colorPrimaries, colorTransferFunction, colorYCbCrMatrix.
/// The space in which a composition works, and whether its own compositor can.
package struct CompositionColour: Hashable, Sendable {
  /// Nil leaves the composition in Rec. 709.
  package var space: ColourTriple?
  /// `supportsWideColorSourceFrames` of a custom compositor; nil for the built-in one.
  package var compositorTakesWideColour: Bool?

  package init() {}

  package func sourceFrames(_ source: ColourTriple?) -> DeliveredColour {
    let space = space ?? .highDefinition
    // A compositor that has not said that it takes wide colour never sees any.
    let isNarrow = compositorTakesWideColour == false
    return ColourRequest.workingSpace(isNarrow && space.usesWideGamut ? .highDefinition : space)
      .delivers(source)
  }
}
