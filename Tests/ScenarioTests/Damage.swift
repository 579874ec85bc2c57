/// Seeded damage to texts, by a small congruential generator: the same on every run.
struct Damage {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  /// A text after one to four cuts, exchanges, insertions or repetitions.
  mutating func damaged(_ text: [UInt8], with others: [[UInt8]]) -> [UInt8] {
    var text = text
    for _ in 0...below(4) {
      let place = below(text.count + 1)
      let end = min(text.count, place + below(6))
      switch below(6) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(Self.tokens[below(Self.tokens.count)], at: place)
      case 2: text.insert(UInt8(below(256)), at: place)
      case 3: text.insert(contentsOf: others[below(others.count)], at: place)
      case 4: text.insert(contentsOf: text[place..<end], at: place)
      default: if place < text.count { text[place] ^= 1 << UInt8(below(8)) }
      }
    }
    return text
  }

  private static let tokens = [UInt8](#"{}[]:,"\ue-+.0129 ntf/"#.utf8)
}
