import ExactText
import VirtualTime

/// The unit of a column: so many nanoseconds, or bits a second.
struct ColumnUnit: Hashable {
  var name: String
  var factor: Int64
}

/// The meaning of a table's column, by the words of its header.
struct TableColumn {
  enum Meaning {
    /// Nil where no unit is named.
    case time(ColumnUnit?)
    case duration(ColumnUnit?)
    case rate(ColumnUnit?)
    /// Bits or bytes, and not per second.
    case amount(ColumnUnit)
    /// `MBPS` may mean bits or bytes.
    case ambiguousRate
    case other
  }

  let name: String
  let meaning: Meaning
  /// Whether it speaks of what is sent.
  let isUplink: Bool

  init(_ name: String) {
    self.name = name
    let words = HeaderWords(name)
    isUplink = words.saysUplink
    meaning = words.meaning
  }

  var time: ColumnUnit?? { if case .time(let unit) = meaning { .some(unit) } else { nil } }
  var duration: ColumnUnit?? {
    if case .duration(let unit) = meaning { .some(unit) } else { nil }
  }
  var rate: ColumnUnit?? { if case .rate(let unit) = meaning { .some(unit) } else { nil } }
  var amount: ColumnUnit? { if case .amount(let unit) = meaning { unit } else { nil } }
  var isAmbiguous: Bool { if case .ambiguousRate = meaning { true } else { false } }
}

/// The words of a header, and what they have said so far.
private struct HeaderWords {
  private var words: [String]
  private var rateUnit: ColumnUnit?
  private var amountUnit: ColumnUnit?
  private var timeUnit: ColumnUnit?
  private var saysRate = false
  private var saysTime = false
  private var saysDuration = false
  private var isAmbiguous = false
  private var hasOthers = false
  private(set) var saysUplink = false

  init(_ name: String) {
    words = name.utf8.split { byte in
      byte < 0x80 && !isLetter(byte) && decimalDigit(byte) == nil
    }.map { String(decoding: Array($0), as: UTF8.self) }
    var place = 0
    while place < words.count {
      if !readBits(&place) { readWord(&place) }
    }
  }

  var meaning: TableColumn.Meaning {
    if let rateUnit { return .rate(rateUnit) }
    if isAmbiguous { return .ambiguousRate }
    if let amountUnit { return saysRate ? .rate(amountUnit) : .amount(amountUnit) }
    if hasOthers { return .other }
    if saysRate { return .rate(nil) }
    if saysDuration { return .duration(timeUnit) }
    return saysTime || timeUnit != nil ? .time(timeUnit) : .other
  }

  /// A unit of bits or bytes, with its `/s` behind it.
  private mutating func readBits(_ place: inout Int) -> Bool {
    guard let bits = BitWord(words[place]) else { return false }
    var next = place + 1
    if next < words.count, isAny(of: ["per"], lowercased(words[next])) { next += 1 }
    let isPerSecond = next < words.count && isAny(of: timeUnits[0].words, lowercased(words[next]))
    let end = isPerSecond && !bits.isRate ? next + 1 : place + 1
    if bits.isLetter, !isPerSecond { return false }
    if isFactor(place - 1) || isFactor(end) {
      hasOthers = true
    } else if bits.isAmbiguous {
      isAmbiguous = true
    } else if bits.isRate || isPerSecond {
      rateUnit = rateUnit ?? ColumnUnit(name: bits.name + "/s", factor: bits.factor)
    } else {
      amountUnit = amountUnit ?? ColumnUnit(name: bits.name, factor: bits.factor)
    }
    place = end
    return true
  }

  /// Whether a number stands there, by which a unit beside it is multiplied or divided.
  private func isFactor(_ place: Int) -> Bool {
    guard words.indices.contains(place) else { return false }
    let digits = words[place].utf8.drop { $0 | 0x20 == UInt8(ascii: "x") }
    return !digits.isEmpty && digits.allSatisfy { decimalDigit($0) != nil }
  }

  private mutating func readWord(_ place: inout Int) {
    let word = lowercased(words[place])
    place += 1
    if let unit = timeUnits.first(where: { isAny(of: $0.words, word) }) {
      timeUnit = timeUnit ?? ColumnUnit(name: unit.words[0], factor: unit.nanoseconds)
    } else if isAny(of: Self.rateWords, word) {
      saysRate = true
    } else if isAny(of: Self.timeWords, word) {
      saysTime = true
    } else if isAny(of: ["duration", "interval", "length"], word) {
      saysDuration = true
    } else if isAny(of: Self.uplinkWords, word) {
      saysUplink = true
    } else if !isAny(of: Self.fillers, word) {
      readParts(of: words[place - 1], &place)
    }
  }

  /// `timeMs` is two words.
  private mutating func readParts(of word: String, _ place: inout Int) {
    let bytes = Array(word.utf8)
    let cut = bytes.indices.dropFirst().first { index in
      isLetter(bytes[index - 1]) && bytes[index - 1] & 0x20 != 0
        && isLetter(bytes[index]) && bytes[index] & 0x20 == 0
    }
    guard let cut else {
      hasOthers = true
      return
    }
    words[place - 1] = String(decoding: bytes[..<cut], as: UTF8.self)
    words.insert(String(decoding: bytes[cut...], as: UTF8.self), at: place)
    place -= 1
  }

  private static let rateWords = [
    "bandwidth", "bw", "throughput", "goodput", "rate", "bitrate", "capacity",
  ]
  private static let timeWords = [
    "time", "timestamp", "datetime", "dtime", "date", "t", "elapsed", "epoch",
  ]
  private static let uplinkWords = ["up", "ul", "upload", "uplink", "upstream", "tx", "sent"]
  private static let fillers = [
    "down", "dl", "download", "downlink", "downstream", "rx", "received", "link", "network",
    "mean", "average", "avg", "measured", "of", "in", "since", "start", "unix", "utc", "gmt", "the",
  ]
}

private let timeUnits: [(words: [String], nanoseconds: Int64)] = [
  (["s", "sec", "secs", "second", "seconds"], 1_000_000_000),
  (["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], 1_000_000),
  (["µs", "us", "usec", "micros", "microsecond", "microseconds"], 1_000),
  (["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], 1),
  (["min", "mins", "minute", "minutes"], 60_000_000_000),
  (["h", "hr", "hour", "hours"], 3_600_000_000_000),
]

/// A word for an amount of bits or bytes, such as `kbit`, `MB`, or for a rate, such as `kbps`.
private struct BitWord {
  let name: String
  /// Bits in one.
  let factor: Int64
  /// Whether the word says "per second" itself.
  let isRate: Bool
  /// `BPS` may be said of bits or of bytes.
  let isAmbiguous: Bool
  /// A unit of one letter, such as `Mb`, is one only before "/s".
  let isLetter: Bool

  init?(_ word: String) {
    let (bytes, small) = (Array(word.utf8), Array(lowercased(word).utf8))
    let stems = ["bps", "bits", "bit", "bytes", "byte", "octets", "octet", "b"]
    guard let stem = stems.first(where: { small.suffix($0.utf8.count).elementsEqual($0.utf8) })
    else { return nil }
    let start = small.count - stem.utf8.count
    let before = String(decoding: small[..<start], as: UTF8.self)
    guard let prefix = prefixes.first(where: { isAny(of: $0.words, before) }) else { return nil }
    isRate = isSameText(stem, "bps")
    isLetter = isSameText(stem, "b")
    let hasLargeB = bytes[start] == UInt8(ascii: "B")
    isAmbiguous = isRate && hasLargeB && bytes.last == UInt8(ascii: "S")
    let isBytes = isRate || isLetter ? hasLargeB : !isAny(of: ["bits", "bit"], stem)
    name = prefix.name + (isBytes ? "B" : "bit")
    factor = prefix.factor * (isBytes ? 8 : 1)
  }
}

private let prefixes: [(name: String, words: [String], factor: Int64)] = [
  ("", [""], 1), ("k", ["k", "kilo"], 1_000), ("M", ["m", "mega"], 1_000_000),
  ("G", ["g", "giga"], 1_000_000_000), ("Ki", ["ki", "kibi"], 1_024),
  ("Mi", ["mi", "mebi"], 1_048_576), ("Gi", ["gi", "gibi"], 1_073_741_824),
]

private func isAny(of words: [String], _ word: String) -> Bool {
  words.contains { isSameText($0, word) }
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
}
