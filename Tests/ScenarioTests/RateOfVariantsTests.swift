import Testing

/// What a variant needs at the rate that is asked for, before anything plays at it.
@Suite struct RateOfVariantsTests {
  private func failures(
    link: String, seconds: Int, player: String, rate: String, fidelity: String, expect: String
  ) throws -> [String] {
    try Written.failures(
      #"""
      "fidelity": "\#(fidelity)", "link": { "bandwidth": "\#(link)", "delay": "10 ms" },
      "media": { "hls": { "duration": "\#(seconds) s", "segmentDuration": "4 s",
        "ladder": [
          { "bitrate": "500 kbit/s" }, { "bitrate": "1 Mbit/s" }, { "bitrate": "2 Mbit/s" } ] } },
      "player": { \#(player) },
      "script": [ { "at": "0 s", "do": "setRate", "rate": \#(rate) } ],
      "expect": [ \#(expect) ]
      """#)
  }

  // Of 2 Mbit/s a share of 100, 70 and 95 %, over the rate; those that heed it not, whatever it is.
  @Test(
    arguments: [
      ("avfoundation", 2, 1, 0), ("Media3 1.6", 1, 0, 0), ("Shaka 5.2", 1, 0, 0),
      ("VHS 3.17", 1, 1, 1), ("dash.js 5.1", 2, 2, 2),
    ])
  func `a stream begins with what is sustained at the rate that is asked for`(
    policy: String, once: Int, twice: Int, fourfold: Int
  ) throws {
    for fidelity in ["fluid", "tcp"] {
      for (rate, variant) in [("1", once), ("2", twice), ("4", fourfold)] {
        #expect(
          try failures(
            link: "20 Mbit/s", seconds: 4,
            player: #""policy": "\#(policy)", "observedBitrate": "2 Mbit/s""#, rate: rate,
            fidelity: fidelity,
            expect: #"{ "count": "variantChoice variant=\#(variant)", "is": 1 }"#) == [],
          "\(policy) at \(rate), \(fidelity)")
      }
    }
  }

  // Of 1.5 Mbit/s four fifths sustain 1 Mbit/s, and at twice the speed 600 kbit/s.
  @Test(arguments: [("1", false), ("2", true), ("1.25", false)])
  func `while it waits a player goes by the rate that is asked for`(
    rate: String, goesDown: Bool
  ) throws {
    let down = "variantSwitchStart to=0"
    for fidelity in ["fluid", "tcp"] {
      #expect(
        try failures(
          link: "1550 kbit/s", seconds: 20,
          player: #""policy": { "firstVariant": { "place": 1 }, "start": { "media": "12 s" } }"#,
          rate: rate, fidelity: fidelity,
          expect: goesDown
            ? #"{ "order": [ "\#(down)", "timeControlStatus status=playing" ] }"#
            : #"{ "count": "\#(down)", "is": 0 }"#) == [], "\(rate), \(fidelity)")
    }
  }
}
