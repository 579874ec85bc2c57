/// A stream of random numbers with a name, the same for the same seed and name on every machine.
///
/// Each part of a run draws from a stream of its own, so that a part that is added or that draws
/// more shifts nobody else's numbers. The generator is xoshiro256**.
/// Reference: https://prng.di.unimi.it/xoshiro256starstar.c
package struct RandomStream: Hashable, Sendable {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  /// Opens the stream of a run that has this name, such as `loss/downlink`.
  package init(seed: UInt64, name: String) {
    // The seed is stirred before it meets the name: seeds that differ in one bit, or a seed that
    // happens to be the difference of two names, must not give related streams.
    var seeds = SplitMix64(state: seed)
    var words = SplitMix64(state: seeds.next() ^ fnv1a(name))
    self.init(state: (words.next(), words.next(), words.next(), words.next()))
  }

  /// Goes on from a state of the generator, as its published test vectors do.
  ///
  /// - Precondition: the state is not all zeros, which the generator never leaves.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) {
    precondition(state != (0, 0, 0, 0), "a state of zeros gives nothing but zeros")
    (a, b, c, d) = state
  }

  package mutating func next() -> UInt64 {
    let result = Self.rotated(b &* 5, by: 7) &* 9
    let shifted = b &<< 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = Self.rotated(d, by: 45)
    return result
  }

  private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
    word &<< count | word &>> (64 &- count)
  }

  /// A number from zero up to, but not including, a bound; all are equally likely.
  ///
  /// - Precondition: the bound is positive.
  package mutating func next(below bound: UInt64) -> UInt64 {
    precondition(bound > 0, "there is no number below zero to draw")
    // Lemire, "Fast Random Integer Generation in an Interval" (2019), algorithm 5: the high word
    // of a product is the draw, and the few low words that would favour some draws are refused.
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let refused = (0 &- bound) % bound
      while product.low < refused {
        product = next().multipliedFullWidth(by: bound)
      }
    }
    return product.high
  }

  /// A number of a closed range; all are equally likely.
  package mutating func next(in range: ClosedRange<Int64>) -> Int64 {
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return range.lowerBound &+ Int64(bitPattern: span == .max ? next() : next(below: span + 1))
  }

  /// True with exactly the probability `numerator ÷ denominator`.
  ///
  /// The number of bits used does not depend on the numerator, so that two runs that differ in a
  /// loss ratio alone go on drawing the same numbers.
  ///
  /// - Precondition: the numerator lies between zero and the denominator, which is positive.
  package mutating func chance(numerator: Int64, denominator: Int64) -> Bool {
    precondition(denominator > 0, "a chance needs a positive denominator")
    precondition(numerator >= 0 && numerator <= denominator, "a chance lies between zero and one")
    return next(below: UInt64(denominator)) < UInt64(numerator)
  }
}
