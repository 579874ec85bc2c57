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

  // The conditioner of OS X 10.7, in its order: kbit/s down and up, milliseconds each way.
  static let lion: [(String, Int64, Int64, Int64, Int64)] = [
    ("3G, Average Case", 780, 330, 100, 100), ("3G, Good Connectivity", 850, 420, 90, 90),
    ("3G, Lossy Network", 780, 330, 100, 100), ("Cable Modem", 6_000, 1_000, 2, 2),
    ("DSL", 2_000, 256, 5, 5), ("Edge, Average Case", 240, 200, 400, 400),
    ("Edge, Good Connectivity", 250, 200, 350, 350), ("Edge, Lossy Network", 240, 200, 400, 400),
    ("Wifi, Average Case", 40_000, 33_000, 1, 1), ("Wifi, Good Connectivity", 45_000, 40_000, 1, 1),
    ("Wifi, Lossy Network", 40_000, 33_000, 1, 1),
  ]

  @Test func `the first conditioner's profiles are all there, in its order`() throws {
    let profiles = Profile.all.filter { $0.catalogue == .networkLinkConditionerLion }
    #expect(profiles.map(\.name) == Self.lion.map(\.0))
    for (profile, row) in zip(profiles, Self.lion) {
      let link = profile.base
      #expect(link.downlink.bandwidth == .limited(.kilobitsPerSecond(row.1)), "\(row.0)")
      #expect(link.uplink.bandwidth == .limited(.kilobitsPerSecond(row.2)), "\(row.0)")
      #expect(link.downlink.delay == .milliseconds(row.3), "\(row.0)")
      #expect(link.uplink.delay == .milliseconds(row.4), "\(row.0)")
    }
  }

  // The profiles that come with Augmented Traffic Control: kbit/s, milliseconds one way, per mille.
  static let trafficControl: [(String, Int64, Int64, Int64, Int64, Int64)] = [
    ("2G - Developing Rural", 20, 18, 650, 650, 20), ("2G - Developing Urban", 35, 32, 650, 650, 0),
    ("3G - Average", 780, 330, 100, 100, 0), ("3G - Good", 850, 420, 90, 100, 0),
    ("Cable", 6_000, 1_000, 2, 2, 0), ("DSL", 2_000, 256, 5, 5, 0),
    ("Edge - Average", 240, 200, 400, 440, 0), ("Edge - Good", 250, 200, 350, 370, 0),
    ("Edge - Lossy", 240, 200, 400, 440, 10), ("No Connectivity", 1, 1, 0, 0, 0),
  ]

  @Test func `the profiles of Augmented Traffic Control are its own`() throws {
    let profiles = Profile.all.filter { $0.catalogue == .augmentedTrafficControl }
    #expect(profiles.map(\.name) == Self.trafficControl.map(\.0))
    for (profile, row) in zip(profiles, Self.trafficControl) {
      let link = profile.base
      #expect(link.downlink.bandwidth == .limited(.kilobitsPerSecond(row.1)), "\(row.0)")
      #expect(link.uplink.bandwidth == .limited(.kilobitsPerSecond(row.2)), "\(row.0)")
      #expect(link.downlink.delay == .milliseconds(row.3), "\(row.0)")
      #expect(link.uplink.delay == .milliseconds(row.4), "\(row.0)")
      for loss in [link.downlink.loss, link.uplink.loss] {
        #expect(loss.numerator * 1_000 == row.5 * loss.denominator, "\(row.0)")
      }
    }
  }

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
      let link = profile.base
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
    let conditions = profile.base
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
    let profile = try #require(Profile.named("Android 5 HSCSD")?.base)
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

  @Test func `every profile makes a link`() {
    for profile in Profile.all {
      #expect(throws: Never.self, "\(profile.name)") { try Link.check(profile.base) }
    }
  }

  @Test func `High Latency DNS costs three seconds and nothing else`() throws {
    let conditions = try #require(Profile.named("High Latency DNS")?.base)
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
    #expect(profile.downlink == .relativeToMedia(thousandths: 858))
    #expect(profile.base.downlink.delay == .zero)
  }
}
