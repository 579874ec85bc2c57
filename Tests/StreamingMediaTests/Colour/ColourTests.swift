import StreamingMedia
import Testing
import VirtualTime

/// What is said of the colour of a picture, and what becomes of it (WWDC16 503).
@Suite struct ColourTests {
  @Test(arguments: [
    ("SD", "6-1-6", false), ("HD", "1-1-1", false), ("P3 D65", "12-1-1", true),
    ("BT.2020", "9-14-9", true), ("PQ", "9-16-9", true), ("HLG", "9-18-9", true),
  ])
  func `named colours have the code points of the standard`(
    name: String, codePoints: String, isWide: Bool
  ) throws {
    let colour = try #require(ColourTriple(name))
    #expect(colour.codePoints == codePoints)
    #expect(ColourTriple(codePoints) == colour)
    #expect(colour.text == name)
    #expect(colour.usesWideGamut == isWide)
  }

  @Test func `every triple reads back as it is written`() {
    for primaries in ColourPrimaries.allCases {
      for transfer in TransferCharacteristics.allCases {
        for matrix in ColourMatrix.allCases {
          let colour = ColourTriple(primaries, transfer, matrix)
          #expect(ColourTriple(colour.codePoints) == colour)
          #expect(ColourTriple(colour.text) == colour)
        }
      }
    }
  }

  @Test(arguments: ["", "sd", "P3", "1-1", "1-1-1-1", "1--1", "2-2-2", "0012-1-1", "-1-1-1"])
  func `what is no colour is none`(_ text: String) {
    #expect(ColourTriple(text) == nil)
  }

  /// The corners of the gamuts as H.273 gives them, in units of 0.0001.
  static let corners: [(ColourPrimaries, [(Int, Int)])] = [
    (.bt709, [(6400, 3300), (3000, 6000), (1500, 600)]),
    (.bt470BG, [(6400, 3300), (2900, 6000), (1500, 600)]),
    (.smpte170M, [(6300, 3400), (3100, 5950), (1550, 700)]),
    (.bt2020, [(7080, 2920), (1700, 7970), (1310, 460)]),
    (.dciP3, [(6800, 3200), (2650, 6900), (1500, 600)]),
    (.p3D65, [(6800, 3200), (2650, 6900), (1500, 600)]),
  ]

  @Test func `wide is what covers a tenth more than Rec 709`() {
    func area(_ corners: [(Int, Int)]) -> Int {
      let (r, g, b) = (corners[0], corners[1], corners[2])
      return abs((g.0 - r.0) * (b.1 - r.1) - (b.0 - r.0) * (g.1 - r.1))
    }
    let standard = area(Self.corners[0].1)
    #expect(Self.corners.map { $0.0 } == ColourPrimaries.allCases)
    for (primaries, corners) in Self.corners {
      #expect(primaries.isWiderThan709 == (10 * area(corners) > 11 * standard))
    }
  }

  @Test(arguments: [
    ("avc1.64001f,mp4a.40.2", "1280x720", "SDR", "HD"),
    ("avc1.42c00d", "400x224", "SDR", "SD"),
    ("hvc1.2.4.L123,ec-3", "1920x1080", "PQ", "PQ"),
    ("hvc1.2.4.L123", "1920x1080", "HLG", "HLG"),
    ("vp09.02.10.10.01.09.16.09.01", "1920x1080", "PQ", "PQ"),
    ("vp09.00.10.08.01.12.01.01.00", "1920x1080", "SDR", "P3 D65"),
    ("av01.0.04M.10.0.112.09.18.09.0", "1920x1080", "HLG", "HLG"),
    ("av01.0.04M.08", "1920x1080", "SDR", "HD"),
  ])
  func `a variant's colour is what its codec says, else what its range suggests`(
    codecs: String, size: String, range: String, name: String
  ) throws {
    let text =
      "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\(codecs)\",RESOLUTION=\(size),VIDEO-RANGE=\(range)"
      + "\nv.m3u8\n"
    guard case .multivariant(let read) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    let colour = try #require(read.variants[0].colour)
    #expect(colour.text == name)
    #expect(colour.videoRange == read.variants[0].videoRange)
  }

  /// Pictures of up to 576 lines; of a picture without a size nothing is known.
  @Test(
    arguments: [
      ("", "HD"), (",RESOLUTION=720x576", "SD"), (",RESOLUTION=720x577", "HD"),
      (",RESOLUTION=4000x100", "SD"), (",RESOLUTION=1x1080", "HD"),
    ])
  func `a small picture has the colour of small pictures`(size: String, name: String) throws {
    let text = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.64001f\"\(size)\nv.m3u8\n"
    guard case .multivariant(let read) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    #expect(read.variants[0].colour?.text == name)
  }

  @Test func `sound has no colour`() throws {
    let text = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n"
    guard case .multivariant(let read) = try playlist(text).playlist else {
      throw FixtureMismatch()
    }
    #expect(read.variants[0].colour == nil)
  }

  static let sources = ColourTriple.named.map { $0.colour }

  @Test func `buffers for a working space carry its tags`() {
    for source in Self.sources {
      for space in Self.sources {
        let given = ColourRequest.workingSpace(space).delivers(source)
        #expect(given.tags == space)
        #expect(given.isConverted == (source != space))
        #expect(given.isClamped == (source.usesWideGamut && !space.usesWideGamut))
      }
    }
  }

  @Test func `wide colour that is allowed passes as it is`() {
    for source in Self.sources {
      let given = ColourRequest.allowsWideColour.delivers(source)
      #expect(given.tags == source && !given.isConverted && !given.isClamped)
      #expect(given.warning == nil)
    }
  }

  @Test func `code that asks for nothing stays within Rec 709`() {
    for source in Self.sources {
      let given = ColourRequest.unspecified.delivers(source)
      #expect(given.tags?.usesWideGamut == false)
      #expect(given.isClamped == source.usesWideGamut)
      #expect(given.warning == (source.usesWideGamut ? .clampsWideColour : nil))
      let passes = !source.usesWideGamut && source.videoRange == .standard
      #expect(given.tags == (passes ? source : .highDefinition))
      #expect(given.isConverted == !passes)
    }
    #expect(
      ColourRequest.workingSpace(.p3D65).delivers(.highDefinition).warning == .widerThanNeeded)
  }

  @Test func `buffers without tags are warned of`() {
    for (request, tags, isConverted) in [
      (ColourRequest.unspecified, nil, false), (.allowsWideColour, nil, false),
      (.workingSpace(.p3D65), .p3D65, true),
      (.workingSpace(.highDefinition), .highDefinition, false),
    ] as [(ColourRequest, ColourTriple?, Bool)] {
      let given = request.delivers(nil)
      #expect(given.warning == .untagged && given.tags == tags)
      #expect(given.isConverted == isConverted && !given.isClamped)
    }
  }

  @Test func `a composition works in its space if its compositor can`() {
    let plain = CompositionColour()
    #expect(plain.sourceFrames(.p3D65).isClamped)
    var wide = CompositionColour()
    wide.space = .p3D65
    #expect(!wide.sourceFrames(.p3D65).isClamped)
    var custom = wide
    custom.compositorTakesWideColour = false
    #expect(custom.sourceFrames(.p3D65).tags == .highDefinition)
    #expect(custom.sourceFrames(.p3D65).isClamped)
    var able = wide
    able.compositorTakesWideColour = true
    #expect(able.sourceFrames(.p3D65) == wide.sourceFrames(.p3D65))
  }
}
