/// Seeded random numbers for tests, the same on every machine.
///
/// They are not the engine's own: a change there must not change what the tests make up.
package struct Draw {
  private var state: UInt64

  /// A stream of its own for each seed and part, so that a part that draws more shifts no other.
  package init(seed: UInt64, part: String = "") {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    state = hash
    state = next() ^ seed
  }

  /// The next 64 random bits, by SplitMix64.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// A number from zero up to, but not including, a bound.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of a closed range.
  package mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True in so many cases of a hundred.
  package mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// One of several values, each as likely as the others.
  package mutating func one<Value>(of values: [Value]) -> Value {
    values[below(values.count)]
  }

  /// A number whose order of magnitude is as random as its digits.
  package mutating func magnitude(_ range: ClosedRange<Int>) -> Int {
    var top = range.lowerBound
    while top < range.upperBound, chance(70) { top = min(range.upperBound, max(top, 1) * 3) }
    return within(range.lowerBound...top)
  }
}
