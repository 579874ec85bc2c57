import LinkConditioner
import Testing
import VirtualTime

@Suite struct ProfileTests {
  struct Row {
    var name: String
    var down: Int64?
    var up: Int64?
    var delay: (down: Double, up: Double)
    var loss: Double = 0
    var stated: Profile.StatedDelay = .oneWay
  }

  // kbit/s, milliseconds one way, per cent.
  static let rows = [
    Row(name: "3G", down: 780, up: 330, delay: (100, 100)),
    Row(name: "Edge", down: 240, up: 200, delay: (400, 440)),
    Row(name: "LTE", down: 50_000, up: 10_000, delay: (50, 65)),
    Row(name: "Very Bad Network", down: 1_000, up: 1_000, delay: (500, 500), loss: 10),
    Row(name: "100% Loss", down: nil, up: nil, delay: (0, 0), loss: 100),
    Row(name: "Wi-Fi", down: 40_000, up: 33_000, delay: (1, 1)),
    Row(name: "WebPageTest 3G", down: 1_600, up: 768, delay: (150, 150), stated: .roundTrip),
    Row(name: "Slow 4G", down: 1_440, up: 675, delay: (281.25, 281.25), stated: .roundTrip),
    Row(name: "DevTools DSL", down: 2_000, up: 1_000, delay: (2.5, 2.5), stated: .roundTrip),
    Row(name: "ATC Edge - Lossy", down: 240, up: 200, delay: (400, 440), loss: 1),
    Row(
      name: "Comcast DSL (good)", down: 8_000, up: 8_000, delay: (20, 20), loss: 0.5,
      stated: .roundTrip),
    Row(
      name: "3.5g-hspa-good", down: 1_800, up: 400, delay: (50, 50), stated: .notStated),
    Row(name: "Generic, Average", down: 375, up: 375, delay: (145, 145), loss: 0.1),
    Row(name: "Cable Modem", down: 6_000, up: 1_000, delay: (2, 2)),
  ]

  // What the emulator's console had, and has: bits per second, and the round trip in microseconds.
  @Test(
    arguments: [
      (
        Profile.Catalogue.androidOld,
        [
          ("GSM", 14_400, 14_400, 0), ("HSCSD", 43_200, 14_400, 0),
          ("GPRS", 80_000, 40_000, 350_000),
          ("EDGE", 236_800, 118_400, 240_000), ("UMTS", 1_920_000, 128_000, 117_500),
          ("HSDPA", 14_400_000, 348_000, 0),
        ]
      ),
      (
        .androidNew,
        [
          ("GSM", 14_400, 14_400, 350_000), ("HSCSD", 57_600, 14_400, 240_000),
          ("GPRS", 57_600, 28_800, 117_500), ("EDGE", 473_600, 473_600, 240_000),
          ("UMTS", 384_000, 384_000, 117_500), ("HSDPA", 13_980_000, 5_760_000, 0),
          ("LTE", 173_000_000, 58_000_000, 0), ("EVDO", 280_000_000, 75_000_000, 0),
        ]
      ),
    ] as [(Profile.Catalogue, [(String, Int64, Int64, Int64)])])
  func `the networks of the emulator are those of its console`(
    catalogue: Profile.Catalogue, rows: [(String, Int64, Int64, Int64)]
  ) throws {
    let profiles = Profile.all.filter { $0.catalogue == catalogue }
    #expect(profiles.count == rows.count)
    for (profile, row) in zip(profiles, rows) {
      let link = try #require(profile.conditions())
      #expect(profile.name.contains(row.0))
      #expect(link.downlink.bandwidth == .limited(.bitsPerSecond(row.1)))
      #expect(link.uplink.bandwidth == .limited(.bitsPerSecond(row.2)))
      let roundTrip = link.downlink.delay.nanoseconds + link.uplink.delay.nanoseconds
      #expect(roundTrip == row.3 * 1_000)
    }
  }

  @Test(arguments: rows)
  func `a profile has its source's numbers, each way`(row: Row) throws {
    let profile = try #require(Profile.named(row.name))
    let conditions = try #require(profile.conditions())
    #expect(profile.statedDelay == row.stated)
    let (down, up) = (conditions.downlink, conditions.uplink)
    #expect(down.bandwidth == bandwidth(row.down) && up.bandwidth == bandwidth(row.up))
    #expect(Double(down.delay.nanoseconds) == row.delay.down * 1e6)
    #expect(Double(up.delay.nanoseconds) == row.delay.up * 1e6)
    for loss in [down.loss, up.loss] {
      #expect(Double(loss.numerator) * 100 == row.loss * Double(loss.denominator))
    }
  }

  private func bandwidth(_ kilobits: Int64?) -> Bandwidth {
    kilobits.map { .limited(.kilobitsPerSecond($0)) } ?? .unlimited
  }

  @Test func `bits per second that are not whole kilobits are kept`() throws {
    let profile = try #require(Profile.named("Android 5 HSCSD")?.conditions())
    #expect(profile.downlink.bandwidth == .limited(.bitsPerSecond(43_200)))
    #expect(profile.uplink.bandwidth == .limited(.bitsPerSecond(14_400)))
  }

  @Test(arguments: ["wifi", "WI FI", "Wi-Fi", " wi_fi "])
  func `names are found whatever their case and spacing`(name: String) {
    #expect(Profile.named(name)?.qualifiedName == "NLC Wi-Fi")
  }

  @Test func `every name in the list means one profile, and every profile has one`() {
    #expect(Profile.names.count == Profile.all.count && Profile.all.count > 100)
    for (name, profile) in zip(Profile.names, Profile.all) {
      #expect(Profile.named(name) == profile, "\(name)")
      #expect(Profile.named(profile.qualifiedName) == profile)
    }
    #expect(Profile.named("4711") == nil && Profile.named("") == nil)
  }

  @Test func `every profile makes a link`() throws {
    for profile in Profile.all {
      let conditions = try #require(profile.conditions(mediaBitRate: .megabitsPerSecond(2)))
      #expect(throws: Never.self, "\(profile.name)") { try Link.check(conditions) }
    }
  }

  @Test func `High Latency DNS costs three seconds and nothing else`() throws {
    let conditions = try #require(Profile.named("High Latency DNS")?.conditions())
    #expect(conditions == LinkConditions(dnsDelay: .seconds(3)))
  }

  @Test func `rows that sources do not agree on say so`() {
    #expect(Profile.named("Wi-Fi 802.11ac")?.disagreement?.hasPrefix("unverified") == true)
    #expect(Profile.named("SlowNetwork2GRural")?.disagreement?.contains("unverified") == true)
    #expect(Profile.named("100% Loss")?.disagreement == nil)
    #expect(Profile.named("3G, Average Case")?.disagreement == nil)
  }

  @Test func `Slow Server is relative to the media`() throws {
    let profile = try #require(Profile.named("slow server"))
    #expect(profile.isRelative && profile.conditions() == nil)
    let conditions = profile.conditions(mediaBitRate: .megabitsPerSecond(2))
    #expect(conditions?.downlink.bandwidth == .limited(.bitsPerSecond(1_716_000)))
    #expect(conditions?.downlink.delay == .zero)
    // 9,999,991 bytes in 39.039 s; exact, for the denominator is small.
    let odd = BitRate(bitsPerSecond: 9_999_991 * 8_000, over: 39_039)
    let exact = BitRate(bitsPerSecond: 9_999_991 * 8_000 * 858, over: 39_039_000)
    #expect(profile.conditions(mediaBitRate: odd)?.downlink.bandwidth == .limited(exact))
  }

  @Test func `a relative rate that a link cannot hold is rounded down`() throws {
    let profile = try #require(Profile.named("Slow Server"))
    let fine = BitRate(bitsPerSecond: 1_000_000_000_000_000_003, over: 999_999_937)
    let conditions = try #require(profile.conditions(mediaBitRate: fine))
    guard case .limited(let rate) = conditions.downlink.bandwidth else {
      Issue.record("a limit is expected")
      return
    }
    #expect(rate == BitRate(bitsPerSecond: 858_000_054_054, over: 1_000))
    #expect(throws: Never.self) { try Link.check(conditions) }
  }
}
