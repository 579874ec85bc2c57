import ExactText

/// SVG text whose lengths are whole tenths of a pixel, so that every machine writes the same bytes.
struct SVGText {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: String) { bytes += text.utf8 }

  mutating func write(_ more: [UInt8]) { bytes += more }

  /// Writes text of a scenario so that it can neither end an element nor turn what follows.
  mutating func write(text: String) { bytes += escaped(text) }

  /// Writes an element around a text of a scenario.
  mutating func element(_ tag: String, _ words: String, end: String = "\n") {
    write("<\(tag)>")
    write(text: words)
    write("</\(tag.prefix { $0 != " " })>" + end)
  }

  mutating func script(_ attributes: String, _ content: [UInt8]) {
    write("<script \(attributes)>")
    write(content)
    write("</script>\n")
  }

  mutating func path(_ kind: String, _ path: PathText) {
    if path.bytes.isEmpty { return }
    write("<path class=\"\(kind)\" d=\"")
    write(path.bytes)
    write("\"/>\n")
  }

  mutating func box(_ kind: String, _ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) {
    write(
      "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>\n")
  }

  mutating func label(_ kind: String, _ text: String, _ x: Int64, _ y: Int64) {
    element("text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\"", text)
  }

  /// Roughly the width of a label in tenths of a pixel.
  static func width(of text: String) -> Int64 { Int64(columns(of: text)) * 62 }
}

/// Text for HTML and SVG, in attributes as well: nothing in it is markup or moves other text.
func escaped(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  for byte in shown(text).utf8 {
    switch byte {
    case UInt8(ascii: "&"): bytes += "&amp;".utf8
    case UInt8(ascii: "<"): bytes += "&lt;".utf8
    case UInt8(ascii: ">"): bytes += "&gt;".utf8
    case UInt8(ascii: "\""): bytes += "&quot;".utf8
    case UInt8(ascii: "'"): bytes += "&#39;".utf8
    case _: bytes.append(byte)
    }
  }
  return bytes
}

/// The shape of a path; shapes of one kind share a path, whatever their number.
struct PathText {
  private(set) var bytes: [UInt8] = []
  private var last: (x: Int64, y: Int64)?

  init(_ draw: (inout PathText) -> Void = { _ in }) { draw(&self) }

  mutating func move(_ x: Int64, _ y: Int64) {
    bytes.append(UInt8(ascii: "M"))
    add(x, y)
  }

  mutating func line(_ x: Int64, _ y: Int64) {
    if let last, last.x == x, last.y == y { return }
    bytes.append(UInt8(ascii: "L"))
    add(x, y)
  }

  mutating func line(_ x: Int64, _ y: Int64, to endX: Int64, _ endY: Int64) {
    move(x, y)
    line(endX, endY)
  }

  mutating func close() {
    bytes.append(UInt8(ascii: "Z"))
    last = nil
  }

  mutating func box(_ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) {
    move(x, y)
    line(x + width, y)
    line(x + width, y + height)
    line(x, y + height)
    close()
  }

  mutating func cross(_ x: Int64, _ y: Int64, _ arm: Int64) {
    line(x - arm, y - arm, to: x + arm, y + arm)
    line(x - arm, y + arm, to: x + arm, y - arm)
  }

  private mutating func add(_ x: Int64, _ y: Int64) {
    bytes.append(integer: x)
    bytes.append(UInt8(ascii: " "))
    bytes.append(integer: y)
    last = (x, y)
  }
}

/// A range of nanoseconds on a range of tenths of pixels.
struct PictureScale {
  /// The nanoseconds at its two ends.
  let (low, high): (Int64, Int64)
  /// The coordinates of these.
  let (start, end): (Int64, Int64)

  init(_ values: ClosedRange<Int64>, from start: Int64, to end: Int64) {
    (low, high) = (values.lowerBound, max(values.upperBound, values.lowerBound + 1))
    (self.start, self.end) = (start, end)
  }

  /// The nearest tenth of a pixel.
  func place(_ value: Int64) -> Int64 {
    let passed = Int128(min(max(value, low), high)) - Int128(low)
    let (length, whole) = (Int128(end - start), Int128(high) - Int128(low))
    return start + Int64((2 * passed * length + (length < 0 ? -whole : whole)) / (2 * whole))
  }

  /// Nanoseconds that a tenth of a pixel stands for.
  var grain: Int64 {
    max(1, Int64((Int128(high) - Int128(low)) / Int128(max(1, abs(end - start)))))
  }

  /// Round values that leave room for so many tenths of a pixel between them.
  func ticks(every room: Int64) -> (values: [Int64], places: Int) {
    let (step, places) = roundStep(
      atLeast: (Int128(high) - Int128(low)) * Int128(room) / Int128(max(1, abs(end - start))))
    var values: [Int64] = []
    var value = (Int128(low) + step - 1) / step * step
    while value <= Int128(high) {
      values.append(Int64(value))
      value += step
    }
    return (values, places)
  }
}

/// The first 1, 2 or 5 × 10ⁿ ns not below `least`, and its multiples' decimal places in seconds.
func roundStep(atLeast least: Int128) -> (step: Int128, places: Int) {
  var (power, places) = (Int128(1), 9)
  while true {
    for factor: Int128 in [1, 2, 5] where power * factor >= least {
      return (power * factor, places)
    }
    power *= 10
    places = max(0, places - 1)
  }
}
