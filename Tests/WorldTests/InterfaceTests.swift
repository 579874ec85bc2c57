import Foundation
import GoldilocksTesting
import PlayerTesting
import Testing

// Protocols of an app, with AVFoundation's declarations to the letter: the simulated types satisfy
// them without a line of code.

private protocol TimeInterface: Comparable, Sendable {
  init(seconds: Double, preferredTimescale: Int32)
  var seconds: Double { get }
  var isValid: Bool { get }
  var isNumeric: Bool { get }
  var isIndefinite: Bool { get }
  static var zero: Self { get }
  static var invalid: Self { get }
  static var positiveInfinity: Self { get }
}

@MainActor private protocol ItemInterface: AnyObject, Hashable, Sendable {
  associatedtype Time: TimeInterface
  func seek(to time: Time, completionHandler: (@Sendable (Bool) -> Void)?)
  func seek(
    to time: Time, toleranceBefore: Time, toleranceAfter: Time,
    completionHandler: (@Sendable (Bool) -> Void)?)
  func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool
  func seek(to time: Time) async -> Bool
  func cancelPendingSeeks()
  var forwardPlaybackEndTime: Time { get set }
  var configuredTimeOffsetFromLive: Time { get set }
  var recommendedTimeOffsetFromLive: Time { get }
}

@MainActor private protocol PlayerInterface: AnyObject, Sendable {
  associatedtype Item: ItemInterface
  associatedtype TimeControlStatus: RawRepresentable<Int>
  associatedtype WaitingReason: Hashable
  typealias Time = Item.Time
  var timeControlStatus: TimeControlStatus { get }
  var reasonForWaitingToPlay: WaitingReason? { get }
  var currentItem: Item? { get }
  func currentTime() -> Time
  func seek(to time: Time)
  func seek(to time: Time, completionHandler: @escaping @Sendable (Bool) -> Void)
  func seek(to time: Time, toleranceBefore: Time, toleranceAfter: Time)
  func seek(
    to time: Time, toleranceBefore: Time, toleranceAfter: Time,
    completionHandler: @escaping @Sendable (Bool) -> Void)
  func seek(to time: Time) async -> Bool
  func seek(to time: Time, toleranceBefore: Time, toleranceAfter: Time) async -> Bool
  func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)?)
  func preroll(atRate rate: Float) async -> Bool
}

@MainActor private protocol AssetInterface: AnyObject, Sendable {
  func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler: (@Sendable () -> Void)?)
}

private protocol AccessLogEventInterface {
  var uri: String? { get }
  var playbackType: String? { get }
  var playbackStartDate: Date? { get }
  var playbackStartOffset: TimeInterval { get }
  var numberOfMediaRequests: Int { get }
  var numberOfStalls: Int { get }
  var downloadOverdue: Int { get }
  var numberOfBytesTransferred: Int64 { get }
  var segmentsDownloadedDuration: TimeInterval { get }
  var durationWatched: TimeInterval { get }
  var transferDuration: TimeInterval { get }
  var startupTime: TimeInterval { get }
  var observedBitrate: Double { get }
  var observedMaxBitrate: Double { get }
  var observedMinBitrate: Double { get }
  var observedBitrateStandardDeviation: Double { get }
  var indicatedBitrate: Double { get }
  var indicatedAverageBitrate: Double { get }
  var averageVideoBitrate: Double { get }
  var averageAudioBitrate: Double { get }
  var switchBitrate: Double { get }
}

extension SimulatedPlayerItemAccessLogEvent: AccessLogEventInterface {}
extension MediaTime: TimeInterface {}
extension PlayerItem: ItemInterface {}
extension SimulatedPlayer: PlayerInterface {}
extension SimulatedAsset: AssetInterface {}

@MainActor @Suite struct InterfaceTests {
  nonisolated private static let file =
    #"{ "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } }"#
  nonisolated private static let live = #"""
    { "hls": { "duration": "600 s", "segmentDuration": "4 s", "live": { "window": "40 s" },
      "ladder": [ { "bitrate": "1 Mbit/s" } ] } }
    """#

  private final class Answers: @unchecked Sendable {
    var finished: [Bool] = []
    func note(_ isFinished: Bool) { finished.append(isFinished) }
  }

  private func seekInEveryForm<Player: PlayerInterface>(
    _ player: Player, _ answers: Answers
  ) async throws {
    func time(_ seconds: Double) -> Player.Time {
      Player.Time(seconds: seconds, preferredTimescale: 600)
    }
    // A synchronous form is called where nothing is awaited.
    let calls: [() -> Void] = [
      { player.seek(to: time(1)) },
      { player.seek(to: time(2), completionHandler: answers.note) },
      { player.seek(to: time(3), toleranceBefore: .zero, toleranceAfter: .zero) },
      {
        player.seek(
          to: time(4), toleranceBefore: .zero, toleranceAfter: .zero,
          completionHandler: answers.note)
      },
      { player.currentItem?.seek(to: time(5), completionHandler: nil) },
      { player.currentItem?.seek(to: time(6), completionHandler: answers.note) },
      {
        player.currentItem?.seek(
          to: time(7), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      },
    ]
    for (index, call) in calls.enumerated() {
      call()
      #expect(player.currentTime().seconds == Double(index + 1))
    }
    #expect(answers.finished == [true, true, true])
    #expect(await player.seek(to: time(8)))
    #expect(await player.seek(to: time(9), toleranceBefore: .zero, toleranceAfter: .zero))
    #expect(await player.currentItem?.seek(to: time(10)) == true)
    #expect(player.currentTime().seconds == 10)
    // The file has no dates.
    #expect(player.currentItem?.seek(to: Date(), completionHandler: nil) == false)
    player.preroll(atRate: 1, completionHandler: nil)
    #expect(await player.preroll(atRate: 1))
  }

  @Test func `an app's protocols with Apple's declarations need no adapter`() throws {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    simulation.advance(by: .seconds(19))
    let answers = Answers()
    try VirtualTasks(of: simulation.world).run { @MainActor _ in
      try await seekInEveryForm(simulation.player, answers)
    }
  }

  @Test func `a handler that is nil is not called, and values are loaded nevertheless`() throws {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    let asset = simulation.player.makeAsset(try ItemSettings(media: Self.file))
    asset.loadValuesAsynchronously(forKeys: ["duration"], completionHandler: nil)
    simulation.advance(by: .seconds(5))
    #expect(asset.statusOfValue(forKey: "duration") == .loaded)
  }

  @Test func `a preference that is not set is an invalid time, and can be taken back`() throws {
    let simulation = try Simulation(link: "LTE", media: Self.live)
    let item = try #require(simulation.player.currentItem)
    #expect(!item.recommendedTimeOffsetFromLive.isValid)
    #expect(!item.configuredTimeOffsetFromLive.isValid && !item.forwardPlaybackEndTime.isValid)
    simulation.advance(by: .seconds(5))
    // Three target durations.
    #expect(item.recommendedTimeOffsetFromLive == .seconds(12))
    item.configuredTimeOffsetFromLive = item.recommendedTimeOffsetFromLive
    #expect(item.configuredTimeOffsetFromLive.seconds == 12)
    item.configuredTimeOffsetFromLive = .invalid
    #expect(item.configuredTimeOffsetFromLive == .invalid)
    #expect(item.duration.isValid && item.duration.isIndefinite && !item.duration.isNumeric)
    #expect(!MediaTime.invalid.isNumeric && !MediaTime.invalid.isIndefinite)
    #expect(MediaTime.invalid.seconds.isNaN && "\(MediaTime.invalid)" == "invalid")
  }

  @Test func `states have Apple's numbers, and ranges are read in seconds`() throws {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    let item = try #require(simulation.player.currentItem)
    #expect(item.status.rawValue == 0 && simulation.player.timeControlStatus.rawValue == 0)
    simulation.player.play()
    simulation.advance(by: .seconds(10))
    #expect(item.status.rawValue == 1 && simulation.player.timeControlStatus.rawValue == 2)
    #expect(SimulatedPlayer.TimeControlStatus.waitingToPlayAtSpecifiedRate.rawValue == 1)
    #expect(SimulatedPlayerItem.Status.failed.rawValue == 2)
    #expect(item.loadedTimeRanges.map(\.seconds) == [0...20])
    #expect(item.seekableTimeRanges.map(\.seconds) == [0...20])
  }

  /// Every number in its place: a file knows no segments, a stream of one variant no other.
  @Test(arguments: [
    file, #"{ "hls": { "duration": "20 s", "ladder": [ { "bitrate": "1 Mbit/s" } ] } }"#,
  ])
  func `an access log has Apple's types, and the simulation's numbers`(media: String) throws {
    let simulation = try Simulation(link: "DSL", media: media)
    simulation.player.play()
    simulation.run()
    let item = try #require(simulation.player.currentItem)
    let event = try #require(item.accessLog()?.events.last)
    let isFile = media == Self.file
    #expect(event.uri?.isEmpty == false && event.playbackType == (isFile ? "FILE" : "VOD"))
    #expect(event.playbackStartDate?.timeIntervalSince1970 ?? 0 > 0)
    #expect(event.numberOfMediaRequests >= 1 && event.numberOfStalls == 0)
    #expect(event.downloadOverdue == (isFile ? -1 : 0))
    #expect(abs(event.numberOfBytesTransferred - 2_500_000) < 10_000)
    #expect(event.playbackStartOffset == 0 && event.durationWatched == 20)
    #expect(event.segmentsDownloadedDuration == (isFile ? -1 : 20))
    #expect(event.transferDuration > 0 && event.startupTime > 0)
    #expect(event.observedBitrate > 1_000_000)
    #expect((event.observedMaxBitrate < 0) == isFile)
    #expect(event.observedMinBitrate <= event.observedMaxBitrate)
    #expect((event.observedBitrateStandardDeviation < 0) == isFile && event.switchBitrate == -1)
    #expect(event.indicatedBitrate == (isFile ? -1 : 1_000_000))
    #expect(event.indicatedAverageBitrate <= event.indicatedBitrate)
    #expect(abs(event.averageVideoBitrate - 1_000_000) < 10_000 && event.averageAudioBitrate == -1)
  }

  @Test(arguments: [file, live]) func `a duration is indefinite until it is loaded`(
    media: String
  ) throws {
    let simulation = try Simulation(link: "3G", media: media, player: #"{ "item": "byScript" }"#)
    let player = simulation.player
    let settings = try ItemSettings(media: media)
    let asset = player.makeAsset(settings)
    let item = SimulatedPlayerItem(asset: asset)
    #expect(item.duration.isIndefinite)
    asset.loadValuesAsynchronously(forKeys: ["duration"])
    simulation.advance(by: .seconds(5))
    #expect(item.duration == (media == Self.live ? .indefinite : .seconds(20)))
    let other = simulation.world.makeItem(settings)
    var durations: [MediaTime] = []
    let observation = other.observe(\.duration, options: [.initial, .new]) {
      if let new = $1.newValue { durations.append(new) }
    }
    player.replaceCurrentItem(with: other)
    #expect(durations == [.indefinite])
    simulation.advance(by: .seconds(5))
    #expect(durations == (media == Self.live ? [.indefinite] : [.indefinite, .seconds(20)]))
    observation.invalidate()
  }

  @Test func `an item that fails on the way keeps its duration`() throws {
    let fault = #"[ { "status": 404, "url": "video-*/segment2*", "requests": [ 1, 9 ] } ]"#
    let media = #"""
      { "hls": { "duration": "20 s", "segmentDuration": "4 s",
        "ladder": [ { "bitrate": "1 Mbit/s" } ] } }
      """#
    let simulation = try Simulation(link: "LTE", media: media, more: ["faults": fault])
    let item = try #require(simulation.player.currentItem)
    simulation.player.play()
    simulation.run()
    #expect(item.status == .failed && item.duration == .seconds(20))
  }

  @Test func `a simulation can be directed from any task in virtual time`() throws {
    let simulation = try Simulation(link: "Wi-Fi", media: Self.file)
    try VirtualTasks(of: simulation.world).run { clock in
      simulation.player.play()
      try await clock.sleep(for: .seconds(3))
      simulation.player.pause()
    }
    #expect(simulation.player.timeControlStatus == .paused)
    #expect(simulation.player.currentTime() > .seconds(2))
  }
}
