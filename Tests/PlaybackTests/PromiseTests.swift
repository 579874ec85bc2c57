import SimulatedPlayback
import Testing
import VirtualTime

/// What an SDK promises, from which version on; and how a request that broke is tried again.
@Suite struct PromiseTests {
  @Test func `a promise holds from one version on`() {
    /// Promises, and the first SDK that keeps each.
    let promises: [((Contract) -> Bool, Int32)] = [
      ({ $0.waitsByDefault }, 10), ({ $0.playUsesDefaultRate }, 16),
      ({ $0.playsStreamsGaplessly }, 15), ({ $0.knowsSuspensions }, 15),
      ({ $0.changesTracksSmoothly }, 10), ({ $0.optimisesInitialVariant }, 13),
    ]
    for (holds, major) in promises {
      let (first, before) = (Contract(major: major), Contract(major: major - 1, minor: 99))
      #expect(holds(first) && holds(.current))
      #expect(!holds(before) && !holds(Contract(major: 4)))
    }
  }

  @Test func `the network is used while a live stream is paused up to iOS 8`() {
    #expect(Contract(major: 8, minor: 4).usesNetworkWhilePaused)
    #expect(!Contract(major: 9).usesNetworkWhilePaused)
  }

  @Test func `an app hears of the live edge from iOS 26 point 4 on`() {
    #expect(Contract(major: 26, minor: 4).tellsLiveEdge && Contract(major: 27).tellsLiveEdge)
    #expect(!Contract(major: 26, minor: 3).tellsLiveEdge && !Contract(major: 18).tellsLiveEdge)
  }

  @Test func `before iOS 10 the kind of media says whether a player waits`() {
    for waits in [true, false] {
      for kind in MediaKind.allCases {
        #expect(Contract(major: 10).waits(for: kind, property: waits) == waits)
        #expect(
          Contract(major: 9, minor: 99).waits(for: kind, property: waits) == (kind == .stream))
      }
    }
  }

  @Test(
    arguments: [
      ("iOS 9.3", 903), ("tvOS 10", 1_000), ("iPadOS 18.10", 1_810), ("iOS 26", 2_600),
      ("macOS 10.7", 500), ("macOS 10.12", 1_000), ("macOS 10.15", 1_300), ("macOS 11", 1_400),
      ("macOS 15.2", 1_800), ("macOS 26", 2_600), ("iOS 4", 400), ("iOS 99", nil),
      ("iOS 27", 2_700),
      ("macOS 10.6", nil), ("macOS 10.16", nil), ("macOS 9", nil), ("macOS 16", nil),
      ("iOS 3", nil),
      ("iOS 19", nil), ("iOS 25", nil), ("iOS 100", nil), ("iOS", nil), ("iOS 9.3.1", nil),
      ("iOS 9.", nil), ("watchOS 9", 1_600), ("watchOS 1", nil), ("visionOS 2", 1_800),
      ("visionOS 3", nil),
      ("macCatalyst 15", 1_500), ("Mac Catalyst 18", 1_800), ("Catalyst 26", 2_600),
      ("Mac Catalyst 99", nil), ("Mac iOS 18", nil), ("watchOS 26", 2_600), ("visionOS 26", 2_600),
      ("iOS  9", 900), ("iOS x", nil),
      ("iOS 10 beta", nil), ("9", nil), ("iOS 009", nil), ("iOS 9.100", nil), ("watchOS 2", 900),
      ("macOS 99", nil),
    ] as [(String, Int32?)])
  func `an SDK has the version of the iOS that came out with it`(text: String, version: Int32?) {
    #expect(Contract(linkedSDK: text)?.version == version)
  }

  @Test func `the contracts that have a name are of iOS 18 and 9.3`() {
    #expect(Contract.current.version == 1_800 && Contract.legacy.version == 903)
    #expect(Contract(major: 10).version == 1_000)
    #expect(RetryPolicy.never.attempts == 0)
  }

  // MARK: Trying again

  @Test(
    arguments: [
      (1_000, 8_000, [1_000, 2_000, 4_000, 8_000, 8_000]),
      (1_000, 3_000, [1_000, 2_000, 3_000, 3_000]), (700, 700, [700, 700, 700]),
      (900, 500, [500, 500]), (0, 8_000, [0, 0, 0]), (-5, 8_000, [0, 0]), (100, -1, [0, 0]),
      (1, 100_000_000, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]),
    ] as [(Int64, Int64, [Int64])])
  func `each wait is twice as long as the one before, up to the longest`(
    first: Int64, longest: Int64, waits: [Int64]
  ) {
    let policy = RetryPolicy(
      attempts: 9, backOff: .milliseconds(first), longestBackOff: .milliseconds(longest))
    for (index, wait) in waits.enumerated() {
      #expect(policy.wait(before: Int32(index + 1)) == .milliseconds(wait))
    }
    #expect(policy.wait(before: .max) == .milliseconds(max(0, waits[0] == 0 ? 0 : longest)))
  }

  @Test func `so many attempts are made until something arrives`() {
    func second(_ count: Int64) -> Instant { .zero + .seconds(count) }
    var clock = RetryClock(RetryPolicy(attempts: 2, backOff: .seconds(1)))
    #expect(clock.allows(at: .zero) == true)
    #expect(clock.broke(at: .zero) == second(1))
    #expect(clock.allows(at: second(1) - .nanoseconds(1)) == false)
    #expect(clock.due == second(1))
    #expect(clock.allows(at: second(1)) == true)
    #expect(clock.due == .distantFuture)
    #expect(clock.broke(at: second(5)) == second(7))
    #expect(clock.allows(at: second(8)) == true)
    #expect(clock.broke(at: second(9)) == nil)
    #expect(clock.due == .distantFuture)
    clock.progressed()
    #expect(clock.broke(at: second(10)) == second(11))
    var never = RetryClock(.never)
    #expect(never.broke(at: .zero) == nil)
  }
}
