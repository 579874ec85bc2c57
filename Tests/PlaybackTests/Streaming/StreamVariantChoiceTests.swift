import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

private typealias Choice = SimulatedPlayback.VariantChoice

/// What a stream's segments are taken from: settings in, a choice out.
@Suite struct StreamVariantChoiceTests {
  /// 1, 3, 3 and 8 Mbit/s; the second and the third are backups of each other.
  private static let kilobits: [Int64] = [3_000, 1_000, 3_000, 8_000]

  private func settings(
    _ constraints: VariantConstraints = .init(), kilobits: [Int64] = Self.kilobits
  ) throws -> StreamSettings {
    let ladder = LadderDescription(
      rungs: kilobits.map { LadderRung(resolution: nil, bitRate: $0 * 1_000) },
      segmentDuration: .seconds(4), duration: .seconds(40))
    var settings = StreamSettings(presentation: try Presentation(ladder))
    settings.constraints = constraints
    return settings
  }

  /// A choice that has begun with a variant.
  private func choice(
    at variant: Int, _ constraints: VariantConstraints = .init(), kilobits: [Int64] = Self.kilobits
  ) throws -> (Choice, StreamSettings) {
    let settings = try settings(constraints, kilobits: kilobits)
    var choice = Choice(settings)
    choice.current = variant
    return (choice, settings)
  }

  // MARK: The first

  @Test(
    arguments: [
      (.firstListed, nil, 0), (.lowest, nil, 1), (.highest, nil, 3), (.place(1), nil, 0),
      (.place(9), nil, 3), (.withinEstimate(percent: 100, assumed: 2_000_000), nil, 1),
      (.withinEstimate(percent: 100, assumed: 3_000_000), nil, 0),
      (.withinEstimate(percent: 100, assumed: 1), 9_000_000, 3),
      (.withinEstimate(percent: 50, assumed: 1), 9_000_000, 0),
      (.withinEstimate(percent: 100, assumed: 9_000_000), 500_000, 1),
    ] as [(FirstVariantRule, Int64?, Int)])
  func `it begins by the rule, and knows with what`(
    rule: FirstVariantRule, observed: Int64?, expected: Int
  ) throws {
    let settings = try settings()
    var choice = Choice(settings)
    #expect(choice.current == nil && choice.first == nil)
    let first = choice.begin(settings, by: rule, observed: observed)
    #expect(first?.variant == expected)
    #expect(choice.current == expected && choice.first == expected)
    choice.current = 1
    #expect(choice.first == expected)
  }

  @Test func `a constraint on prepared settings holds, and they stay equal`() throws {
    var prepared = try settings()
    let unprepared = prepared
    prepared.prepare()
    #expect(prepared == unprepared)
    prepared.constraints.preferredPeakBitRate = 3_000_000
    var choice = Choice(prepared)
    #expect(choice.begin(prepared, by: .highest, observed: nil)?.variant == 0)
  }

  @Test func `a constraint holds for the first, and one that changes for those to come`() throws {
    var capped = VariantConstraints()
    capped.preferredPeakBitRate = 2_000_000
    let settings = try settings(capped)
    var choice = Choice(settings)
    #expect(choice.begin(settings, by: .highest, observed: nil)?.variant == 1)
    choice.adopt(try self.settings())
    // What plays stays until somebody chooses.
    #expect(choice.current == 1)
    #expect(choice.begin(try self.settings(), by: .highest, observed: nil)?.variant == 3)
  }

  // MARK: Switches

  @Test func `a switch is one when a whole segment of another variant has come`() throws {
    var (choice, _) = try choice(at: 0)
    #expect(choice.came(0) == nil)
    choice.current = 3
    // Chosen is not come.
    #expect(choice.switchCount == 0 && choice.loaded == 0)
    #expect(choice.came(0) == nil)
    #expect(choice.came(3) == 0)
    #expect(choice.came(3) == nil)
    #expect(choice.came(1) == 3)
    #expect(choice.switchCount == 2 && choice.loaded == 1)
  }

  // MARK: When lists do not come

  /// Each variant is a list of its own, of the same number.
  @Test(
    arguments: [
      // "Backup alternates will be tried first before switching down" (WWDC17 514).
      (0, [0], nil, 2), (2, [2], nil, 0), (0, [0], 9_000_000, 2), (0, [0], 10, 2),
      // Both gone: down, as far as the estimate says, or by one rung.
      (0, [0, 2], nil, 1), (2, [0, 2], 5_000_000, 1), (3, [3], nil, 0), (3, [3], 4_000_000, 0),
      (3, [3], 2_000_000, 1), (3, [3], 10, 1), (3, [3, 0], 4_000_000, 2),
      (3, [3, 0, 2], 4_000_000, 1),
      // Nothing below: the lowest above.
      (1, [1], nil, 0), (1, [1, 0], nil, 2), (1, [1, 0, 2], nil, 3),
      (1, [0, 1, 2, 3], nil, nil),
    ] as [(Int, [Int], Int64?, Int?)])
  func `another variant is gone to where lists do not come`(
    current: Int, troubled: [Int], estimate: Int64?, expected: Int?
  ) throws {
    let (choice, _) = try choice(at: current)
    #expect(choice.alternative(to: troubled, estimate) == expected)
  }

  @Test func `what may not be played is no way out`() throws {
    var capped = VariantConstraints()
    capped.preferredPeakBitRate = 4_000_000
    let (choice, _) = try choice(at: 1, capped)
    #expect(choice.alternative(to: [1], nil) == 0)
    #expect(choice.alternative(to: [0, 1, 2], nil) == nil)
  }

  @Test func `a variant that is barred is left alone until it is not`() throws {
    var (choice, settings) = try choice(at: 1)
    choice.bar([3], settings)
    #expect(choice.begin(settings, by: .highest, observed: nil)?.variant == 0)
    choice.bar([0, 3], settings)
    #expect(choice.begin(settings, by: .highest, observed: nil)?.variant == 2)
    #expect(choice.alternative(to: [2], nil) == 1)
    // New settings do not lift it.
    choice.adopt(settings)
    #expect(choice.begin(settings, by: .highest, observed: nil)?.variant == 2)
    choice.bar([], settings)
    #expect(choice.begin(settings, by: .highest, observed: nil)?.variant == 3)
  }

  @Test func `before the first choice there is nothing to be an alternative to`() throws {
    let choice = Choice(try settings())
    #expect(choice.alternative(to: [0], 9_000_000) == nil)
    #expect(choice.frame == nil)
  }

  /// Rates are in thousandths of a frame a second.
  @Test(
    arguments: [
      (25_000, 40_000_000), (50_000, 20_000_000), (1_000, 1_000_000_000), (1, 1_000_000_000_000),
      (23_976, 41_708_376), (29_970, 33_366_701), (30_000, 33_333_334), (60_000, 16_666_667),
      (0, nil), (nil, nil),
    ] as [(Int64?, Int64?)])
  func `a frame lasts as long as its rate says, and a begun nanosecond whole`(
    rate: Int64?, nanoseconds: Int64?
  ) throws {
    let rung = LadderRung(resolution: nil, bitRate: 1_000_000, frameRate: rate)
    let ladder = LadderDescription(
      rungs: [rung], segmentDuration: .seconds(4), duration: .seconds(8))
    let settings = StreamSettings(presentation: try Presentation(ladder))
    var choice = Choice(settings)
    choice.current = 0
    #expect(choice.frame == nanoseconds.map { MediaTime(nanoseconds: $0) })
  }
}
