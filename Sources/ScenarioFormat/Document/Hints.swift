import ExactText

/// Suggestions for words that people write and that have another name here.
enum Hints {
  private static let slips: [(written: String, meant: String)] =
    Figure.alsoCalled + [
      ("bandwidth", "bitrate"), ("bitrate", "bandwidth"), ("speed", "bandwidth"),
      ("max", "atMost"), ("maximum", "atMost"), ("lessThan", "atMost"), ("min", "atLeast"),
      ("minimum", "atLeast"), ("moreThan", "atLeast"), ("latency", "delay"),
      ("packetLoss", "loss"), ("length", "duration"), ("src", "file"), ("path", "file"),
      ("url", "file"), ("action", "do"), ("time", "at"), ("title", "scenario"),
      ("name", "scenario"), ("description", "about"), ("expectations", "expect"),
      ("steps", "script"), ("actions", "script"), ("network", "link"),
    ]

  /// The key that was meant, if there is such a one and the table has it.
  static func key(_ written: String, among known: [String]) -> String? {
    slips.first { slip in
      isSameText(slip.written, written) && known.contains { isSameText($0, slip.meant) }
    }?.meant
  }

  /// The suggestion for a key that needs more than another name.
  static func remark(on key: String, _ value: JSONValue, among known: [String]) -> String? {
    if isSameText(key, "without"), known.contains(where: { isSameText($0, "policy") }) {
      return "“policy”, such as { \"abandon\": \"never\" }: what a player decides stands there"
    }
    let names = ["rtt", "RTT", "roundTrip", "roundTripTime", "ping"]
    guard names.contains(where: { isSameText($0, key) }),
      known.contains(where: { isSameText($0, "delay") })
    else { return nil }
    guard let text = value.stringBytes, let time = try? Quantity.nanoseconds(text) else {
      return "half of it as “delay”, which counts one way"
    }
    let half = JSONTree.decimal(time / 2, places: 6).json
    return "\"delay\": \"\(half) ms\", half of it: it counts one way"
  }

  /// The object for a bound written with a sign: “< 2 s” is { "atMost": "2 s" }.
  static func bound(_ text: String) -> String? {
    let signs: [(sign: String, key: String)] = [
      ("<=", "atMost"), (">=", "atLeast"), ("≤", "atMost"), ("≥", "atLeast"), ("<", "atMost"),
      (">", "atLeast"),
    ]
    for (sign, key) in signs where text.utf8.starts(with: sign.utf8) {
      let rest = text.utf8.dropFirst(sign.utf8.count).drop { $0 == 0x20 }
      return "{ \"\(key)\": \"\(String(decoding: rest, as: UTF8.self))\" }"
    }
    return nil
  }

  /// A time on a clock, such as 00:40 or 1:02:03, as a quantity.
  static func clockTime(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var seconds: Int64 = 0
    for part in parts {
      guard (1...4).contains(part.count), let number = Int64(String(decoding: part, as: UTF8.self)),
        number >= 0
      else { return nil }
      seconds = seconds * 60 + number
    }
    return "\(seconds) s"
  }

  /// A rate in bytes, such as 2 MB/s, in bits; nil where the unit is none of these.
  static func bitRate(_ number: ExactDecimal?, inUnit unit: String) -> String? {
    let units: [(name: String, bytes: Int64)] = [
      ("B/s", 1), ("KB/s", 1_000), ("kB/s", 1_000), ("MB/s", 1_000_000), ("GB/s", 1_000_000_000),
      ("MBps", 1_000_000), ("KBps", 1_000), ("kBps", 1_000),
    ]
    guard let bytes = units.first(where: { isSameText($0.name, unit) })?.bytes, let number,
      let ratio = try? number.ratio(times: 8 * bytes), ratio.denominator == 1,
      let bits = Int64(exactly: ratio.numerator)
    else { return nil }
    let isLarge = bits >= 1_000_000
    return JSONTree.decimal(bits, places: isLarge ? 6 : 3).json + (isLarge ? " Mbit/s" : " kbit/s")
  }

  /// The word meant by a text that calls a function, such as playImmediately(atRate: 1).
  static func call(_ text: String, among words: [String]) -> String? {
    guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    let name = String(text[..<open])
    return words.first { isSameText($0, name) } ?? nearestWord(to: name, among: words)
  }
}
