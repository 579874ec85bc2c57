import Foundation
import PlayerPolicies
import Testing
import VirtualTime

@Suite struct ExponentialTests {
  @Test func `whole powers are exact`() {
    for exponent in -1_022...1_023 {
      let power = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(powerOfTwo(Double(exponent)) == power)
    }
  }

  @Test func `a power is within two units in the last place of the C library's`() {
    var random = RandomStream(seed: 12, name: "exponential")
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = Double(random.next(in: -1_000_000_000...1_000_000_000)) / 1_000_000
      let power = exp2(x)
      worst = max(worst, abs(powerOfTwo(x) - power) / power.ulp)
    }
    #expect(worst <= 2)
  }

  @Test func `beyond what can be counted they say so`() {
    #expect(powerOfTwo(1_024) == .infinity)
    #expect(powerOfTwo(1_023.9999).isFinite)
    #expect(powerOfTwo(-5_000) == 0)
    #expect(powerOfTwo(.nan).isNaN)
  }

  @Test func `the whole root is the greatest whose square is not above`() {
    var random = RandomStream(seed: 4, name: "roots")
    var wrong: [Int64] = []
    for number in [0, 1, 2, 3, 4, 8, 9, .max]
      + (0..<5_000).map({ _ in random.next(in: 0...1 << 62) >> random.next(in: 0...60) })
    {
      let root = Int128(integerSquareRoot(number))
      if root * root > Int128(number) || (root + 1) * (root + 1) <= Int128(number) {
        wrong.append(number)
      }
    }
    #expect(wrong == [])
  }
}
