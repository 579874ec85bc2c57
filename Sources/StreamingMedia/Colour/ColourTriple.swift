/// Colour tags of a video track: its primaries, its transfer characteristics and its matrix.
package struct ColourTriple: Hashable, Sendable {
  package var primaries: ColourPrimaries
  package var transfer: TransferCharacteristics
  package var matrix: ColourMatrix

  package init(
    _ primaries: ColourPrimaries, _ transfer: TransferCharacteristics, _ matrix: ColourMatrix
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
  }

  // The table of WWDC16 503: Rec. 601 / 709 / 601, Rec. 709 throughout, P3 D65 / 709 / 709.
  package static let standardDefinition = ColourTriple(.smpte170M, .bt709, .smpte170M)
  package static let highDefinition = ColourTriple(.bt709, .bt709, .bt709)
  package static let p3D65 = ColourTriple(.p3D65, .bt709, .bt709)
  package static let bt2020 = ColourTriple(.bt2020, .bt2020TenBits, .bt2020NonConstant)
  package static let perceptualQuantiser = ColourTriple(
    .bt2020, .perceptualQuantiser, .bt2020NonConstant)
  package static let hybridLogGamma = ColourTriple(.bt2020, .hybridLogGamma, .bt2020NonConstant)

  package static let named: [(name: String, colour: ColourTriple)] = [
    ("SD", .standardDefinition), ("HD", .highDefinition), ("P3 D65", .p3D65),
    ("BT.2020", .bt2020), ("PQ", .perceptualQuantiser), ("HLG", .hybridLogGamma),
  ]

  package var usesWideGamut: Bool { primaries.isWiderThan709 }

  // draft-pantos-hls-rfc8216bis §4.4.6.2: SDR is 1, 6, 13, 14 or 15; HLG 14 or 18; PQ 16.
  /// The VIDEO-RANGE of a playlist that offers it.
  package var videoRange: VideoRange {
    switch transfer {
    case .bt709, .smpte170M, .linear, .sRGB, .bt2020TenBits, .bt2020TwelveBits: .standard
    case .perceptualQuantiser: .perceptualQuantiser
    case .hybridLogGamma: .hybridLogGamma
    }
  }

  /// The code points: `12-1-1`.
  package var codePoints: String {
    "\(primaries.rawValue)-\(transfer.rawValue)-\(matrix.rawValue)"
  }

  /// The name, where it has one, else the code points.
  package var text: String {
    Self.named.first { $0.colour == self }?.name ?? codePoints
  }

  /// Reads a name such as `P3 D65`, or code points such as `12-1-1`.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    if let known = Self.named.first(where: { $0.name.utf8.elementsEqual(bytes) }) {
      self = known.colour
      return
    }
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    self.init(codePoints: parts.map(codePoint))
  }

  /// The triple of three code points; nil where one is not known here.
  init?(codePoints: [Int32?]) {
    guard codePoints.count == 3,
      let primaries = codePoints[0].flatMap({ ColourPrimaries(rawValue: $0) }),
      let transfer = codePoints[1].flatMap({ TransferCharacteristics(rawValue: $0) }),
      let matrix = codePoints[2].flatMap({ ColourMatrix(rawValue: $0) })
    else { return nil }
    self.init(primaries, transfer, matrix)
  }
}

/// A code point as it is written: one to three digits.
func codePoint(_ digits: ArraySlice<UInt8>) -> Int32? {
  digits.count > 3 ? nil : (try? decimalInteger(digits)).map { Int32($0) }
}

extension PlaylistVariant {
  /// The colour of a variant: as its codec says, else as its VIDEO-RANGE and its size suggest.
  ///
  /// Nil where there is no picture.
  package var colour: ColourTriple? {
    if isAudioOnly { return nil }
    if let colour = codecs.lazy.compactMap({ ColourTriple(codec: $0) }).first { return colour }
    switch videoRange {
    case .perceptualQuantiser: return .perceptualQuantiser
    case .hybridLogGamma: return .hybridLogGamma
    // Pictures of up to 576 lines are of the standard that had them: our assumption.
    case .standard:
      return resolution.map { $0.height <= 576 } ?? false ? .standardDefinition : .highDefinition
    }
  }
}

extension ColourTriple {
  // VP Codec ISO Media File Format Binding: vp09.PP.LL.DD.CC.cp.tc.mc.FF. AV1 Codec ISO Media File
  // Format Binding: av01.P.LLT.DD.M.CCC.cp.tc.mc.F.
  /// Colour tags from the parameters of a codec; nil where they hold none.
  init?(codec: String) {
    let parts = Array(codec.utf8).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let first: Int
    switch CodecFamily(codec) {
    case .vp9: first = 5
    case .av1: first = 6
    case .h264, .hevc, .dolbyVision, .aac, .dolbyDigital, .otherAudio, .text, .other: return nil
    }
    guard parts.count >= first + 3 else { return nil }
    self.init(codePoints: parts[first..<first + 3].map(codePoint))
  }
}
