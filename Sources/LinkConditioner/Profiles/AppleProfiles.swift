// Down, up in kbit/s (0: no limit); delay down, up in ms; loss each way in per mille.
extension Profile {
  static let networkLinkConditioner: [Profile] = [
    ProfileRow("100% Loss", 0, 0, 0, 0, loss: 1_000),
    ProfileRow("3G", 780, 330, 100, 100, but: "one blog says 200 ms, another 100 ms in all"),
    ProfileRow("DSL", 2_000, 256, 5, 5, but: "one blog says 50 ms"),
    ProfileRow("Edge", 240, 200, 400, 440, but: "some quote 400 ms both ways, or the mean, 420"),
    ProfileRow("High Latency DNS", 0, 0, 0, 0, dns: 3_000, but: "two blogs say 100 ms and 220 ms"),
    ProfileRow(
      "LTE", 50_000, 10_000, 50, 65,
      but: "up: one source alone says 10 Mbit/s; delay also quoted as 65, 58 or 50 both ways"),
    ProfileRow(
      "Very Bad Network", 1_000, 1_000, 500, 500, loss: 100,
      but: "also quoted with 20 % loss, or with 400 ms and 5 %"),
    ProfileRow(
      "Wi-Fi", 40_000, 33_000, 1, 1, but: "one source says 30/15 Mbit/s and 2 ms, as Chrome's"),
    ProfileRow(
      "Wi-Fi 802.11ac", 250_000, 100_000, 1, 1,
      but: "unverified: one source and a range; another says 1100 Mbit/s down"),
  ].map { $0.profile(.networkLinkConditioner, .oneWay) }

  static let talk: [Profile] = [
    Profile(
      .talk, "Slow Server", .perfect, downlink: .relativeToMedia(thousandths: 858),
      delay: .notStated,
      disagreement: "the talk gives no numbers; 0.858 of the media's average reproduces its screens"
    )
  ]

  static let networkLinkConditionerLion: [Profile] = [
    ProfileRow("3G, Average Case", 780, 330, 100, 100),
    ProfileRow("3G, Good Connectivity", 850, 420, 90, 90, but: "up: also quoted as 100 ms"),
    ProfileRow(
      "3G, Lossy Network", 780, 330, 100, 100, loss: 10, but: "loss also quoted as downlink only"),
    ProfileRow("Cable Modem", 6_000, 1_000, 2, 2, queue: 10),
    ProfileRow("DSL", 2_000, 256, 5, 5),
    ProfileRow("Edge, Average Case", 240, 200, 400, 400, but: "up: also quoted as 440 ms"),
    ProfileRow("Edge, Good Connectivity", 250, 200, 350, 350, but: "up: also quoted as 370 ms"),
    ProfileRow(
      "Edge, Lossy Network", 240, 200, 400, 400, loss: 10,
      but: "up: also quoted as 440 ms; loss also quoted as downlink only"),
    ProfileRow("Wifi, Average Case", 40_000, 33_000, 1, 1),
    ProfileRow("Wifi, Good Connectivity", 45_000, 40_000, 1, 1),
    ProfileRow(
      "Wifi, Lossy Network", 40_000, 33_000, 1, 1, but: "no loss in the source, despite the name"),
  ].map { $0.profile(.networkLinkConditionerLion, .oneWay) }

  static let google: [Profile] = [
    ProfileRow("Generic, Bad", 95, 95, 250, 250, loss: 20),
    ProfileRow("Generic, Average", 375, 375, 145, 145, loss: 1),
    ProfileRow("Generic, Good", 1_000, 1_000, 35, 35),
  ].map { $0.profile(.google, .oneWay) }

  // No numbers are public for EdgeBad, so it is not here.
  static let xcode: [Profile] = [
    ProfileRow("SlowNetwork100PctLoss", 0, 0, 0, 0, loss: 1_000),
    ProfileRow("SlowNetworkVeryBadNetwork", 1_000, 1_000, 500, 500, loss: 100, but: assumed),
    ProfileRow("SlowNetworkEdgeAverage", 240, 200, 400, 440, but: assumed),
    ProfileRow("SlowNetworkEdgeGood", 250, 200, 350, 370, but: assumed),
    ProfileRow("SlowNetworkEdge", 240, 200, 400, 440, but: assumed),
    ProfileRow("SlowNetwork2GRural", 20, 18, 650, 650, loss: 20, but: relative),
    ProfileRow("SlowNetwork2GUrban", 35, 32, 650, 650, but: relative),
    ProfileRow("SlowNetwork3GAverage", 780, 330, 100, 100, but: assumed),
    ProfileRow("SlowNetwork3GGood", 850, 420, 90, 100, but: assumed),
    ProfileRow("SlowNetwork3G", 780, 330, 100, 100, but: assumed),
    ProfileRow("SlowNetworkLTE", 50_000, 10_000, 50, 65, but: assumed),
    ProfileRow("SlowNetworkWiFi", 40_000, 33_000, 1, 1, but: assumed),
    ProfileRow("SlowNetworkWiFi80211AC", 250_000, 100_000, 1, 1, but: assumed),
    ProfileRow("SlowNetworkDSL", 2_000, 256, 5, 5, but: assumed),
    ProfileRow("SlowNetworkHighLatencyDNS", 0, 0, 0, 0, dns: 3_000, but: assumed),
  ].map { $0.profile(.xcode, .oneWay) }

  private static let assumed = "numbers are not published; those of the preset of like name"
  private static let relative =
    "numbers are not published; those of Augmented Traffic Control's 2G rows, unverified"
}
