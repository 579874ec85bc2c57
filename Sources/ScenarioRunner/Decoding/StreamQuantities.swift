import StreamingMedia
import VirtualTime

/// Quantities that playlists and players have in whole numbers.
extension Decode {
  /// A bit rate in whole bits per second.
  static func wholeBitRate(
    in bounds: ClosedRange<Int64>, _ expected: String
  ) -> (DocumentNode) -> Int64? {
    { node in
      checked(bitRate, expected: expected) {
        $0.denominator == 1 && bounds.contains($0.numerator)
      }(node).map { $0.numerator }
    }
  }

  /// A limit of a player, where zero is none.
  static func bitRateLimit(_ node: DocumentNode) -> Int64? {
    wholeBitRate(in: 0...Int64.max, "a whole number of bits per second")(node)
  }

  static func wholePercent(in bounds: ClosedRange<Int64>) -> (DocumentNode) -> Int64? {
    { node in
      guard let ratio = percentage(node) else { return nil }
      let (percent, rest) = (Int128(ratio.numerator) * 100)
        .quotientAndRemainder(dividingBy: Int128(ratio.denominator))
      if rest == 0, let percent = Int64(exactly: percent), bounds.contains(percent) {
        return percent
      }
      node.refuse(
        "found \(node.description)",
        expected: "a whole percentage from \(bounds.lowerBound) % to \(bounds.upperBound) %")
      return nil
    }
  }

  /// A size of a picture or of a layer: "1280x720".
  static func pixelSize(_ node: DocumentNode) -> PixelSize? {
    guard let text = text(node) else { return nil }
    if let (before, after) = parts(of: text, around: UInt8(ascii: "x")),
      let width = side(before), let height = side(after)
    {
      return PixelSize(width: width, height: height)
    }
    node.refuse(
      "\(quotation(of: text)) is no size",
      expected: "a width and a height of 1 to 99999, such as “1280x720”")
    return nil
  }

  private static func side(_ text: String) -> Int32? {
    guard (1...5).contains(text.utf8.count) else { return nil }
    var number: Int32 = 0
    for digit in text.utf8 {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int32(digit - 0x30)
    }
    return number > 0 ? number : nil
  }
}
