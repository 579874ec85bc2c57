import HeuristicComparison
import SimulatedWorld
import TestSupport
import Testing

/// The best that was possible in made-up cases, held to what it was when it was last reviewed.
@Suite struct MadeUpBoundTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/bounds", seeds: 240)

  @Test func `a made-up case has the bounds that it had`() async throws {
    let lines = await Self.file.lines(few: 30) { seed in
      let this = OracleCase(seed: UInt64(500_000 + seed))
      let found = this.oracle.find()
      var words = ["\(Self.words(found.startup)) \(Self.words(found.waiting)) \(found.isExact)"]
      if let more = Self.changed(this.oracle, seed) {
        let found = more.find()
        words.append("\(Self.words(found.startup)) \(Self.words(found.waiting)) \(found.isExact)")
      }
      if seed % 8 == 3 { words.append(Self.optimum(seed)) }
      return words.joined(separator: " ")
    }
    #expect(try Self.file.differences(from: lines) == [])
  }

  private static func words(_ span: TimeSpan?) -> String {
    span.map { "\($0.nanoseconds)" } ?? "-"
  }

  /// The same stream begun in its middle, with keys and an end of its own.
  private static func changed(_ oracle: Oracle, _ seed: Int) -> Oracle? {
    var (oracle, draw) = (oracle, Draw(seed: UInt64(seed), part: "bounds"))
    guard case .stream(var stream) = oracle.media else { return nil }
    let length = Int(stream.end.nanoseconds)
    if draw.chance(60) { stream.start = MediaTime(nanoseconds: Int64(draw.below(length))) }
    if draw.chance(30) { stream.hasPlaylists = true }
    if draw.chance(50) {
      stream.resources.append(
        .init(bytes: Int64(draw.below(3_000)), served: .milliseconds(Int64(draw.below(400)))))
      let key = stream.resources.count - 1
      if draw.chance(50) { stream.early = [key] }
      for track in stream.tracks.indices {
        for segment in stream.tracks[track].segments.indices where draw.chance(50) {
          stream.tracks[track].segments[segment].key = key
        }
      }
    }
    if stream.tracks.count > 1, draw.chance(40) { stream.tracks[1].isNeeded = false }
    if draw.chance(40) {
      stream.fetch.trackLead = Int64(draw.one(of: [0, 1, 3]))
    }
    if draw.chance(40) { stream.fetch.media = .milliseconds(Int64(draw.within(500...9_000))) }
    oracle.requested = .zero + .milliseconds(Int64(draw.below(3_000)))
    oracle.asked = oracle.requested + .milliseconds(Int64(draw.below(9_000)))
    oracle.media = .stream(stream)
    return oracle
  }

  /// The best of a ladder with maps, of which few players are followed.
  private static func optimum(_ seed: Int) -> String {
    var draw = Draw(seed: UInt64(seed), part: "optimum")
    var resources = [KnownStream.Resource(bytes: Int64(draw.below(2_000)))]
    let (count, length) = (draw.within(2...5), Int64(draw.within(1...4)) * 1_000)
    let rungs = (0..<draw.within(2...3)).map { rung in
      let rate = Int64((rung + 1) * (rung + 1) * 200 + draw.below(100))
      let playlist = resources.count
      resources += [.init(bytes: Int64(draw.below(2_000))), .init(bytes: Int64(draw.below(900)))]
      let hasMap = draw.chance(50)
      return KnownLadder.Rung(
        bitsPerSecond: rate * 1_000, playlist: playlist,
        segments: (0..<Int64(count)).map {
          KnownStream.Segment(
            start: .milliseconds($0 * length), end: .milliseconds(($0 + 1) * length),
            bytes: rate * length / 8 * Int64(draw.within(50...150)) / 100,
            map: hasMap ? playlist + 1 : nil)
        })
    }
    var ladder = KnownLadder(
      resources: resources, rungs: rungs, limit: .milliseconds(length * Int64(draw.within(1...5))),
      end: .milliseconds(length * Int64(count) - Int64(draw.one(of: [0, 500, 3_000]))))
    ladder.hasPlaylists = draw.chance(50)
    let prices = LinearPrices(
      bit: 1_000, change: Int64(draw.within(0...3)) * 1_000, tenNanoseconds: 43)
    let link = OracleCase(seed: UInt64(500_000 + seed)).link
    return [nil, 1, 3].map { most in
      do throws(AdaptiveOptimum.Failure) {
        let found = try AdaptiveOptimum(
          ladder, over: link, by: prices, asked: .zero + .seconds(Int64(draw.below(3))),
          rate: seed % 16 == 3 ? .normal : PlaybackRate(5, over: 4), most: most
        ).find()
        return "\(found.bound) \(found.attained)"
      } catch {
        return "\(error)"
      }
    }.joined(separator: " ")
  }
}
