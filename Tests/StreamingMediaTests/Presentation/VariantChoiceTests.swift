import StreamingMedia
import Testing
import VirtualTime

/// The rows V1 to V15 of the talk, as far as they are about choosing.
@Suite struct VariantChoiceTests {
  private let talk: Presentation

  init() throws {
    talk = try Presentation(NamedLadder.talk.description(duration: .seconds(60)))
  }

  /// The first eligible variant, in kbit/s.
  private func start(
    _ constraints: VariantConstraints = .init(), in presentation: Presentation? = nil
  ) -> Int64? {
    let presentation = presentation ?? talk
    return zip(presentation.variants, presentation.verdicts(under: constraints))
      .first { $0.1.isEligible }.map { $0.0.attributes.bandwidth / 1_000 }
  }

  /// The highest eligible variant: what an endless link leads to.
  private func highest(_ constraints: VariantConstraints) -> Int64? {
    zip(talk.variants, talk.verdicts(under: constraints)).filter { $0.1.isEligible }
      .map { $0.0.attributes.bandwidth / 1_000 }.max()
  }

  @Test(
    arguments: [
      (PixelSize(width: 1920, height: 1080), 11_000),  // V2: a television.
      (PixelSize(width: 1136, height: 640), 4_500),  // V3: a small phone on its side.
      (PixelSize(width: 640, height: 1136), 600),  // The same held upright.
      (PixelSize(width: 3840, height: 2160), 11_000),  // Larger than every variant.
      (PixelSize(width: 480, height: 270), 600),  // V4: picture in picture.
      (PixelSize(width: 100, height: 50), 400),  // Both 224 rungs have the smallest size.
    ] as [(PixelSize, Int64)])
  func `the largest useful variant is the smallest that fills the layer`(
    layer: PixelSize, kilobits: Int64
  ) {
    #expect(highest(VariantConstraints(layerPixels: layer)) == kilobits)
  }

  @Test func `a layer without its contents scale looks smaller than it is`() {
    let points = PixelSize(width: 568, height: 320)
    #expect(highest(VariantConstraints(layerPixels: .layer(points: points))) == 600)
    #expect(
      highest(VariantConstraints(layerPixels: .layer(points: points, contentsScale: 2))) == 4_500)
  }

  @Test func `the first eligible variant is the first in the playlist`() {
    #expect(start() == 110)
    #expect(start(in: talk.sortedFromHighest()) == 11_000)
  }

  @Test func `option A starts at the highest below the limit`() {
    let limit = VariantConstraints(preferredPeakBitRate: 2_000_000)
    #expect(start(limit, in: talk.sortedFromHighest()) == 1_800)
    #expect(start(limit) == 110)
    #expect(highest(limit) == 1_800)
  }

  @Test func `the slide's literal limit leaves the lowest rung`() {
    let literal = VariantConstraints(preferredPeakBitRate: 2_000)
    let sorted = talk.sortedFromHighest()
    #expect(start(literal, in: sorted) == 110)
    #expect(sorted.verdicts(under: literal).last == .eligibleAsLowest)
    #expect(
      sorted.verdicts(under: literal).dropLast().allSatisfy { $0 == .abovePeakBitRate(2_000) })
  }

  @Test func `option B puts one variant first and keeps the order of the rest`() {
    let preferred = talk.preferring(4)
    #expect(
      preferred.variants.map(\.attributes.bandwidth).map { $0 / 1_000 }
        == [4_500, 110, 400, 600, 1_800, 11_000])
    #expect(start(in: preferred) == 4_500)
  }

  @Test func `limits for expensive networks count on those alone`() {
    var constraints = VariantConstraints(preferredPeakBitRate: 5_000_000)
    constraints.preferredPeakBitRateForExpensiveNetworks = 500_000
    constraints.preferredMaximumResolutionForExpensiveNetworks = PixelSize(width: 640, height: 360)
    #expect(highest(constraints) == 4_500)
    constraints.isNetworkExpensive = true
    #expect(highest(constraints) == 400)
    constraints.preferredPeakBitRateForExpensiveNetworks = 0
    #expect(highest(constraints) == 600)
    constraints.preferredPeakBitRate = 150_000
    constraints.preferredPeakBitRateForExpensiveNetworks = 900_000
    #expect(highest(constraints) == 110)
  }

  @Test(
    arguments: [
      (400_000, 400), (399_999, 110), (4_500_000, 4_500), (4_499_999, 1_800), (110_000, 110),
    ] as [(Int64, Int64)])
  func `a limit allows the variant that needs as much`(limit: Int64, kilobits: Int64) {
    #expect(highest(VariantConstraints(preferredPeakBitRate: limit)) == kilobits)
  }

  /// Pictures of 499 × 499, 500 × 100 and 499 × 500 pixels, on a screen of 1,000 × 1,000.
  @Test(
    arguments: [
      ([0, 1, 2], 50, 1), ([0, 2], 50, 1), ([0], 50, 0), ([0, 1, 2], 51, 2), ([0, 1, 2], 49, 0),
      ([1, 0], 50, 0),
    ] as [([Int], Int64, Int)])
  func `a start is acceptable where one side has its share of the screen`(
    sizes: [Int], percent: Int64, place: Int
  ) throws {
    let rungs = [(499, 499), (500, 100), (499, 500)].enumerated().map { index, size in
      LadderRung(
        resolution: PixelSize(width: size.0, height: size.1), bitRate: Int64(index + 1) * 100_000)
    }
    let made = try Presentation(
      LadderDescription(
        rungs: sizes.map { rungs[$0] }, segmentDuration: .seconds(6), duration: .seconds(12)))
    let policy = AcceptableStart(
      screen: PixelSize(width: 1_000, height: 1_000), leastPercent: percent)
    #expect(made.variant(startingAt: policy) == place)
  }

  @Test func `each verdict has its reason`() throws {
    let main = """
      #EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.4d401e,zzzz.1"
      a.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=800,VIDEO-RANGE=PQ,CODECS="hvc1.2"
      b.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=700,RESOLUTION=1280x720
      c.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=600,RESOLUTION=960x540
      d.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=500,RESOLUTION=640x360
      e.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=400
      f.m3u8
      """
    guard case .multivariant(let playlist) = try playlist(main).playlist else {
      throw FixtureMismatch()
    }
    let media = Dictionary(
      uniqueKeysWithValues: playlist.mediaPlaylists(from: "").map {
        ($0, LoadedPlaylist(MediaPlaylist(), bytes: 1))
      })
    let made = try Presentation(playlist, uri: "", bytes: 1, media: media)
    let verdicts = made.verdicts(
      under: VariantConstraints(
        videoRanges: [.standard], preferredPeakBitRate: 750,
        preferredMaximumResolution: PixelSize(width: 960, height: 540),
        layerPixels: PixelSize(width: 320, height: 180)))
    #expect(
      verdicts == [
        .unsupportedCodec("zzzz.1"), .unsupportedVideoRange(.perceptualQuantiser),
        .aboveResolution(PixelSize(width: 960, height: 540)),
        .largerThanLayer(PixelSize(width: 640, height: 360)), .eligible, .eligible,
      ])
    let none = VariantConstraints(
      unsupportedCodecs: [.hevc, .other], videoRanges: [.hybridLogGamma])
    #expect(start(none, in: made) == nil)
  }

  /// Two pictures of one area, and a larger one, in the order in which a playlist has them.
  @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
  func `of pictures of one size the first is named as what fills the layer`(order: [Int]) throws {
    let sizes = [
      PixelSize(width: 640, height: 360), PixelSize(width: 360, height: 640),
      PixelSize(width: 1280, height: 720),
    ]
    let rungs = order.map {
      LadderRung(resolution: sizes[$0], bitRate: Int64($0 + 1) * 100_000)
    }
    let made = try Presentation(
      LadderDescription(rungs: rungs, segmentDuration: .seconds(6), duration: .seconds(12)))
    let layer = VariantConstraints(layerPixels: PixelSize(width: 300, height: 300))
    let first = sizes[order.first { $0 < 2 } ?? 0]
    #expect(
      made.verdicts(under: layer) == order.map { $0 < 2 ? .eligible : .largerThanLayer(first) })
  }

  /// The peaks of the talk's ladder, one kbit/s less, and between them.
  @Test func `a rate sustains the variants whose peak it is, and those below`() {
    let all = Array(talk.variants.indices)
    let peaks = Set(talk.variants.map { $0.attributes.bandwidth }).sorted()
    func bandwidth(_ rate: Int64, among candidates: [Int]? = nil) -> Int64? {
      talk.highest(of: candidates ?? all, sustainedBy: .bitsPerSecond(rate))
        .map { talk.variants[$0].attributes.bandwidth }
    }
    for (place, peak) in peaks.enumerated() {
      #expect(bandwidth(peak) == peak)
      #expect(bandwidth(peak + 1) == peak)
      #expect(bandwidth(peak - 1) == (place == 0 ? nil : peaks[place - 1]))
      let lower = all.filter { talk.variants[$0].attributes.bandwidth < peak }
      #expect(bandwidth(peak, among: lower) == (place == 0 ? nil : peaks[place - 1]))
    }
    #expect(bandwidth(1_000_000_000, among: []) == nil)
  }

  @Test func `a playlist from the highest keeps the order of equals, and loses none`() {
    var twice = talk
    twice.variants += talk.variants
    for place in twice.variants.indices { twice.variants[place].attributes.uri = "\(place)" }
    let sorted = twice.sortedFromHighest().variants.map { $0.attributes }
    #expect(sorted.count == twice.variants.count)
    for (one, next) in zip(sorted, sorted.dropFirst()) {
      #expect(
        one.bandwidth > next.bandwidth
          || one.bandwidth == next.bandwidth && (Int(one.uri) ?? 0) < (Int(next.uri) ?? 0))
    }
    let preferred = twice.preferring(5).variants.map { $0.attributes.uri }
    let rest = twice.variants.indices.filter { $0 != 5 }.map { "\($0)" }
    #expect(preferred == ["5"] + rest)
  }

  @Test func `of variants with one peak the earlier is taken, in whatever order they are named`() {
    var twice = talk
    twice.variants += talk.variants
    let count = talk.variants.count
    for place in talk.variants.indices {
      let peak = talk.variants[place].attributes.bandwidth
      let first = talk.variants.firstIndex { $0.attributes.bandwidth == peak }
      for candidates in [[place, place + count], [place + count, place]] {
        let found = twice.highest(of: candidates, sustainedBy: .bitsPerSecond(peak))
        #expect(found == place)
      }
      let all = Array(twice.variants.indices)
      #expect(twice.highest(of: all.reversed(), sustainedBy: .bitsPerSecond(peak)) == first)
    }
  }
}
