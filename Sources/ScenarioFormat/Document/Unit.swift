import ExactText

struct Unit: Sendable {
  let name: String
  let scale: Int64
  fileprivate let letters: UInt64

  init(_ name: String, _ scale: Int64) {
    self.name = name
    self.scale = scale
    letters = Unit.letters(name.utf8)
  }

  /// A name's letters in one word, to find it without comparing texts; all ones beyond any unit.
  fileprivate static func letters(_ name: some Sequence<UInt8>) -> UInt64 {
    var (word, count) = (0 as UInt64, 0)
    for letter in name {
      word = word &<< 8 | UInt64(letter)
      count += 1
      if count == 8 { return .max }
    }
    return word
  }
}

/// The units of one kind of quantity, with the words for its messages.
///
/// An object, because quantities by the thousand refer to it.
final class UnitSystem: Sendable {
  /// The quantity, as in “is no time”.
  let quantity: String
  let example: String
  let units: [Unit]
  let slips: [(written: String, meant: String)]

  init(
    quantity: String, example: String, units: [Unit], slips: [(written: String, meant: String)]
  ) {
    self.quantity = quantity
    self.example = example
    self.units = units
    self.slips = slips
  }

  /// The size of a named unit in the smallest unit; nil where there is none of that name.
  func scale(of name: ArraySlice<UInt8>) -> Int64? {
    let letters = Unit.letters(name)
    for unit in units where unit.letters == letters { return unit.scale }
    return nil
  }

  /// An everyday quantity in smallest units, from its text alone; nil for any text, right or wrong,
  /// that needs a closer look.
  func everyday(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var (index, number, divisor) = (0, 0 as Int64, 1 as Int64)
    // So many digits at most, lest they overflow.
    let last = min(text.count, 13)
    takeDigits(of: text, &index, &number, upTo: last)
    guard index > 0 else { return nil }
    if index < last, text[index] == UInt8(ascii: ".") {
      index += 1
      let point = index
      takeDigits(of: text, &index, &number, upTo: last)
      if index == point { return nil }
      for _ in point..<index { divisor = divisor &* 10 }
    }
    while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
    let letters = Unit.letters(UnsafeBufferPointer(rebasing: text[index...]))
    for place in units.indices where units[place].letters == letters {
      let (product, overflow) = number.multipliedReportingOverflow(by: units[place].scale)
      if divisor == 1 { return overflow ? nil : product }
      return overflow || product % divisor != 0 ? nil : product / divisor
    }
    return nil
  }

  func suggestion(for name: String) -> String? {
    if let slip = slips.first(where: { isSameText($0.written, name) }) { return slip.meant }
    return nearestWord(to: name, among: units.map { $0.name })
  }

  var form: String { "a number and a unit (\(list)), such as “\(example)”" }

  var list: String { joined(units.map { $0.name }, by: ", ") }
}

/// Passes digits and adds them to a number.
@inline(__always)
private func takeDigits(
  of text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ number: inout Int64, upTo end: Int
) {
  while index < end {
    let digit = text[index] &- UInt8(ascii: "0")
    if digit > 9 { return }
    number = number &* 10 &+ Int64(digit)
    index &+= 1
  }
}

extension UnitSystem {
  /// Times, in nanoseconds.
  static let time = UnitSystem(
    quantity: "time", example: "100 ms",
    units: [
      Unit("ns", 1), Unit("us", 1_000), Unit("µs", 1_000), Unit("ms", 1_000_000),
      Unit("s", 1_000_000_000), Unit("min", 60_000_000_000), Unit("h", 3_600_000_000_000),
      Unit("days", 86_400_000_000_000), Unit("years", 31_536_000_000_000_000),
    ],
    slips: [
      ("sec", "s"), ("secs", "s"), ("second", "s"), ("seconds", "s"), ("msec", "ms"),
      ("millisecond", "ms"), ("milliseconds", "ms"), ("usec", "us"), ("μs", "us"),
      ("microseconds", "us"), ("nanoseconds", "ns"), ("m", "min"), ("minute", "min"),
      ("minutes", "min"), ("mins", "min"), ("hr", "h"), ("hrs", "h"), ("hour", "h"),
      ("hours", "h"), ("d", "days"), ("y", "years"),
    ])

  /// Bit rates, in bits per second.
  static let bitRate = UnitSystem(
    quantity: "bit rate", example: "780 kbit/s",
    units: [
      Unit("bit/s", 1), Unit("kbit/s", 1_000), Unit("Mbit/s", 1_000_000),
      Unit("Gbit/s", 1_000_000_000),
    ],
    slips: [
      ("bps", "bit/s"), ("b/s", "bit/s"), ("bits/s", "bit/s"), ("kbps", "kbit/s"),
      ("Kbps", "kbit/s"), ("kb/s", "kbit/s"), ("Kb/s", "kbit/s"), ("kbit", "kbit/s"),
      ("Mbps", "Mbit/s"), ("mbps", "Mbit/s"), ("Mb/s", "Mbit/s"), ("Mbit", "Mbit/s"),
      ("Gbps", "Gbit/s"), ("gbps", "Gbit/s"), ("Gb/s", "Gbit/s"), ("Gbit", "Gbit/s"),
    ])

  /// Sizes, in bytes.
  static let size = UnitSystem(
    quantity: "size", example: "1.5 MB",
    units: [
      Unit("B", 1), Unit("byte", 1), Unit("bytes", 1), Unit("KB", 1_000), Unit("kB", 1_000),
      Unit("MB", 1_000_000), Unit("GB", 1_000_000_000), Unit("KiB", 1 << 10),
      Unit("MiB", 1 << 20), Unit("GiB", 1 << 30),
    ],
    slips: [
      ("K", "KB"), ("k", "KB"), ("M", "MB"), ("G", "GB"), ("kilobytes", "KB"),
      ("megabytes", "MB"), ("gigabytes", "GB"),
    ])

  /// Parts of a whole, in hundredths.
  static let percentage = UnitSystem(
    quantity: "percentage", example: "10 %", units: [Unit("%", 1)],
    slips: [("percent", "%"), ("pct", "%"), ("per cent", "%")])
}
