// Down, up in kbit/s (0: no limit); delay down, up in ms, or the round trip; loss in per mille.
extension Profile {
  static let chrome: [Profile] = [
    ProfileRow("3G", 400, 400, roundTrip: 2_000),
    ProfileRow("Slow 4G", 1_440, 675, roundTrip: 562, tenths: 5),
    ProfileRow("Fast 4G", 8_100, 1_350, roundTrip: 165),
    // Names of the first two profiles until May 2024.
    ProfileRow("Slow 3G", 400, 400, roundTrip: 2_000),
    ProfileRow("Fast 3G", 1_440, 675, roundTrip: 562, tenths: 5),
  ].map { $0.profile(.chrome, .roundTrip) }

  static let chromeLegacy: [Profile] = [
    ProfileRow("GPRS", 50, 20, roundTrip: 500),
    ProfileRow("Regular 2G", 250, 50, roundTrip: 300),
    ProfileRow("Good 2G", 450, 150, roundTrip: 150),
    ProfileRow("Regular 3G", 750, 250, roundTrip: 100),
    ProfileRow("Good 3G", 1_500, 750, roundTrip: 40),
    ProfileRow("Regular 4G", 4_000, 3_000, roundTrip: 20),
    ProfileRow("DSL", 2_000, 1_000, roundTrip: 5),
    ProfileRow("WiFi", 30_000, 15_000, roundTrip: 2),
    // Firefox writes 0/0 kbit/s, and means that nothing gets through.
    ProfileRow("Offline", 0, 0, roundTrip: 5, loss: 1_000),
  ].map { $0.profile(.chromeLegacy, .roundTrip) }

  static let webPageTest: [Profile] = [
    ProfileRow("Cable", 5_000, 1_000, roundTrip: 28),
    ProfileRow("DSL", 1_500, 384, roundTrip: 50),
    ProfileRow("3GSlow", 400, 400, roundTrip: 400),
    ProfileRow("3G", 1_600, 768, roundTrip: 300),
    ProfileRow("3GFast", 1_600, 768, roundTrip: 150),
    ProfileRow("4G", 9_000, 9_000, roundTrip: 170),
    ProfileRow("LTE", 12_000, 12_000, roundTrip: 70),
    ProfileRow("Edge", 240, 200, roundTrip: 840),
    ProfileRow("2G", 280, 256, roundTrip: 800),
    ProfileRow("Dial", 49, 30, roundTrip: 120),
    ProfileRow("FIOS", 20_000, 5_000, roundTrip: 4),
  ].map { $0.profile(.webPageTest, .roundTrip) }

  static let augmentedTrafficControl: [Profile] = [
    ProfileRow("2G - Developing Rural", 20, 18, 650, 650, loss: 20),
    ProfileRow("2G - Developing Urban", 35, 32, 650, 650),
    ProfileRow("3G - Average", 780, 330, 100, 100),
    ProfileRow("3G - Good", 850, 420, 90, 100),
    ProfileRow("Cable", 6_000, 1_000, 2, 2),
    ProfileRow("DSL", 2_000, 256, 5, 5),
    ProfileRow("Edge - Average", 240, 200, 400, 440),
    ProfileRow("Edge - Good", 250, 200, 350, 370),
    ProfileRow("Edge - Lossy", 240, 200, 400, 440, loss: 10),
    ProfileRow("No Connectivity", 1, 1, 0, 0),
  ].map { $0.profile(.augmentedTrafficControl, .oneWay) }

  // The delay is added to what leaves the machine alone, so once a round trip.
  static let comcast: [Profile] = [
    ProfileRow("GPRS", 50, 50, roundTrip: 500, loss: 20),
    ProfileRow("EDGE", 250, 250, roundTrip: 300, loss: 15),
    ProfileRow("3G/HSDPA", 750, 750, roundTrip: 250, loss: 15),
    ProfileRow("Dial-up", 40, 40, roundTrip: 185, loss: 20),
    ProfileRow("DSL (poor)", 2_000, 2_000, roundTrip: 70, loss: 20),
    ProfileRow("DSL (good)", 8_000, 8_000, roundTrip: 40, loss: 5),
    ProfileRow("WIFI", 30_000, 30_000, roundTrip: 40, loss: 2),
    ProfileRow("Starlink", 0, 0, roundTrip: 20, loss: 25),
  ].map { $0.profile(.comcast, .roundTrip) }

  // Bits per second here: the old rates are not whole kilobits.
  static let androidOld: [Profile] = [
    ProfileRow("GSM", 14_400, 14_400, roundTrip: 0),
    ProfileRow("HSCSD", 43_200, 14_400, roundTrip: 0),
    ProfileRow("GPRS", 80_000, 40_000, roundTrip: 350, but: drawn("150 to 550")),
    ProfileRow("EDGE", 236_800, 118_400, roundTrip: 240, but: drawn("80 to 400")),
    ProfileRow("UMTS", 1_920_000, 128_000, roundTrip: 117, tenths: 5, but: drawn("35 to 200")),
    ProfileRow("HSDPA", 14_400_000, 348_000, roundTrip: 0),
  ].map { inBits($0, .androidOld) }

  static let androidNew: [Profile] = [
    ProfileRow("GSM", 14_400, 14_400, roundTrip: 350, but: drawn("150 to 550")),
    ProfileRow("HSCSD", 57_600, 14_400, roundTrip: 240, but: drawn("80 to 400")),
    ProfileRow("GPRS", 57_600, 28_800, roundTrip: 117, tenths: 5, but: drawn("35 to 200")),
    ProfileRow("EDGE", 473_600, 473_600, roundTrip: 240, but: drawn("80 to 400")),
    ProfileRow("UMTS", 384_000, 384_000, roundTrip: 117, tenths: 5, but: drawn("35 to 200")),
    ProfileRow("HSDPA", 13_980_000, 5_760_000, roundTrip: 0),
    ProfileRow("LTE", 173_000_000, 58_000_000, roundTrip: 0),
    ProfileRow("EVDO", 280_000_000, 75_000_000, roundTrip: 0),
  ].map { inBits($0, .androidNew) }

  static let browserStack: [Profile] = [
    ProfileRow("2g-gprs-good", 50, 30, roundTrip: 500, loss: 10),
    ProfileRow("edge-good", 250, 150, roundTrip: 300),
    ProfileRow("edge-lossy", 150, 100, roundTrip: 500, loss: 10),
    ProfileRow("3g-umts-good", 400, 100, roundTrip: 100),
    ProfileRow("3g-umts-lossy", 200, 50, roundTrip: 200, loss: 10),
    ProfileRow("3.5g-hspa-good", 1_800, 400, roundTrip: 100),
  ].map { $0.profile(.browserStack, .notStated) }

  private static func drawn(_ range: String) -> String {
    "the emulator draws a delay of \(range) ms; the middle is used"
  }

  private static func inBits(_ row: ProfileRow, _ catalogue: Catalogue) -> Profile {
    let vintages = "the emulator's two vintages disagree"
    return Profile(
      catalogue, row.name, row.conditions(bitsPerUnit: 1), delay: .notStated,
      disagreement: row.disagreement.map { "\(vintages); \($0)" } ?? vintages)
  }
}
