import SimulatedWorld
import TestSupport
import Testing

/// A setting is an item's own: it holds whenever it was made, before a player had the item too.
@Suite struct ItemSettingsTests {
  /// Something that an app says of an item.
  enum Setting: CaseIterable {
    case end, forwardBuffer, peakBitRate, resolution, sound, track, live

    func apply(_ item: inout ItemSettings) {
      switch self {
      case .end: item.forwardPlaybackEndTime = .seconds(7)
      case .forwardBuffer: item.preferredForwardBufferDuration = .seconds(3)
      case .peakBitRate: item.source.constrain { $0.preferredPeakBitRate = 1_500_000 }
      case .resolution:
        item.source.constrain {
          $0.preferredMaximumResolution = PixelSize(width: 640, height: 360)
        }
      case .sound: _ = item.select(MediaSelection(.audio, language: "fr"))
      case .track: _ = item.setTrack(1, enabled: false)
      case .live: item.live.preservesOffset = true
      }
    }
  }

  /// When the settings are made.
  enum Time {
    case withTheItem, beforeTheQueue, whileEnqueued
  }

  struct Plan {
    var isStream: Bool
    var fidelity: Fidelity
    var kilobits: Int64
    var delay: TimeSpan
    var segment: MediaTime
    var settings: [Setting]
  }

  private func item(_ plan: Plan) throws -> ItemSettings {
    if !plan.isStream {
      return ItemSettings(
        source: .progressive(MediaFile(duration: .seconds(12), bitRate: .megabitsPerSecond(1))))
    }
    var ladder = NamedLadder.talk.description(duration: .seconds(12), sizes: .constant)
    ladder.segmentDuration = plan.segment
    ladder.audio = ["en", "fr"].map {
      LadderAudio(name: $0, language: $0, bitRate: 64_000)
    }
    return ItemSettings(source: .stream(StreamSettings(presentation: try Presentation(ladder))))
  }

  /// What happens to an item that follows a short one, with its settings made at some time.
  private func records(_ plan: Plan, _ time: Time) throws -> [PlaybackRecord] {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(
          bandwidth: .limited(.kilobitsPerSecond(plan.kilobits)), delay: plan.delay)),
      fidelity: plan.fidelity)
    let player = world.makeQueuePlayer()
    var records: [PlaybackRecord] = []
    player.observe { records.append($0) }
    var settings = try item(plan)
    if time == .withTheItem { for setting in plan.settings { setting.apply(&settings) } }
    let second = SimulatedPlayerItem(settings)
    if time == .beforeTheQueue {
      for setting in plan.settings { player.change(second, setting.apply) }
    }
    let first = MediaFile(duration: .seconds(2), bitRate: .kilobitsPerSecond(100))
    try player.insert([SimulatedPlayerItem(ItemSettings(source: .progressive(first))), second])
    if time == .whileEnqueued {
      for setting in plan.settings { player.change(second, setting.apply) }
    }
    player.play()
    _ = world.run()
    #expect(world.finish() == [])
    return records
  }

  @Test func `a setting holds whenever it was made, in any order of calls`() throws {
    var random = RandomStream(seed: 21, name: "settings")
    for seed in 0..<Seeds.count(3, inRelease: 120) {
      var settings = Setting.allCases.filter { _ in random.next(below: 2) == 0 }
      for index in settings.indices {
        settings.swapAt(index, Int(random.next(below: UInt64(settings.count))))
      }
      let plan = Plan(
        isStream: seed % 2 == 0, fidelity: seed % 4 < 2 ? .fluid : .tcp,
        kilobits: 500 + Int64(random.next(below: 8_000)),
        delay: .milliseconds(Int64(random.next(below: 120))),
        segment: .seconds(1 + Int64(random.next(below: 6))), settings: settings)
      let expected = try records(plan, .withTheItem)
      for time in [Time.beforeTheQueue, .whileEnqueued] {
        let records = try records(plan, time)
        #expect(records == expected, "seed \(seed): \(plan) \(time)")
      }
    }
  }

  @Test(arguments: [
    (Setting.end, false, 9.0), (.end, true, 9.0), (.forwardBuffer, false, 14.0),
  ])
  func `each does what it says`(setting: Setting, isStream: Bool, seconds: Double) throws {
    let plan = Plan(
      isStream: isStream, fidelity: .fluid, kilobits: 40_000, delay: .zero,
      segment: .seconds(2), settings: [setting])
    let ended = try records(plan, .whileEnqueued).last { record in
      if case .playedToEnd = record.observation { true } else { false }
    }
    let end = try #require(ended).instant
    #expect(abs(Double(end.nanoseconds) / 1e9 - seconds) < 0.2)
  }

  @Test func `what a path costs and how large the layer is holds for items that come later`() throws
  {
    let world = try World(
      conditions: LinkConditions(
        downlink: DirectionConditions(bandwidth: .limited(.megabitsPerSecond(30)))))
    let player = world.makeQueuePlayer()
    world.isNetworkExpensive = true
    let plan = Plan(
      isStream: true, fidelity: .fluid, kilobits: 30_000, delay: .zero, segment: .seconds(2),
      settings: [])
    var settings = try item(plan)
    settings.source.constrain { $0.preferredPeakBitRateForExpensiveNetworks = 700_000 }
    let items = (0..<3).map { _ in SimulatedPlayerItem(settings) }
    try player.insert(Array(items[..<2]))
    player.play()
    world.advance(by: .seconds(1))
    try player.insert([items[2]])
    for index in 0..<3 {
      world.advance(to: .seconds(5 + 12 * Int64(index)))
      #expect(player.currentItem === items[index])
      // The lowest rung with its sound.
      #expect(player.currentItem?.indicatedBitRate == 664_000)
    }
    world.isNetworkExpensive = false
    #expect(!world.isNetworkExpensive)
  }
}
