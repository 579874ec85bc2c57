// The numbers are those of ITU-T H.273 (ISO/IEC 23001-8, "Coding-Independent Code Points"): the
// same in QuickTime files, MPEG-4 files and H.264 streams (WWDC16 503).

/// Colour primaries: the chromaticities of red, green, blue and the white point.
package enum ColourPrimaries: Int32, Hashable, Sendable, CaseIterable {
  case bt709 = 1
  case bt470BG = 5
  case smpte170M = 6
  case bt2020 = 9
  case dciP3 = 11
  case p3D65 = 12

  /// Whether they reach farther than those of Rec. 709 and its kin, which are nearly alike.
  ///
  /// `AVMediaCharacteristicUsesWideGamutColorSpace` asks this of a track.
  package var isWiderThan709: Bool {
    switch self {
    case .bt709, .bt470BG, .smpte170M: false
    case .bt2020, .dciP3, .p3D65: true
    }
  }
}

/// Transfer characteristics: the function from code values to light.
package enum TransferCharacteristics: Int32, Hashable, Sendable, CaseIterable {
  case bt709 = 1
  case smpte170M = 6
  case linear = 8
  case sRGB = 13
  case bt2020TenBits = 14
  case bt2020TwelveBits = 15
  case perceptualQuantiser = 16
  case hybridLogGamma = 18
}

/// Matrix coefficients: the conversion of red, green and blue to luma and two chroma components.
package enum ColourMatrix: Int32, Hashable, Sendable, CaseIterable {
  case identity = 0
  case bt709 = 1
  case bt470BG = 5
  case smpte170M = 6
  case bt2020NonConstant = 9
  case bt2020Constant = 10
}
