import ExactText
import TestSupport
import Testing

@Suite struct ExactDecimalTests {
  @Test func `a number is what its digits say, whatever their count and their zeros`() throws {
    var draw = Draw(seed: 1, part: "decimals")
    for _ in 0..<20_000 {
      let sign = draw.one(of: ["", "-"])
      let (whole, decimals) = (digits(0...19, &draw), digits(0...18, &draw))
      let hasPoint = draw.chance(70)
      let text = sign + whole + (hasPoint ? "." + decimals : "")
      for grammar in [ExactDecimal.Grammar.strict, .lenient] {
        let isStrict = !whole.isEmpty && (!hasPoint || !decimals.isEmpty)
        let isLenient = !whole.isEmpty || hasPoint && !decimals.isEmpty
        let value = try? ExactDecimal(json: text.bytes, grammar)
        guard grammar == .strict ? isStrict : isLenient else {
          #expect(value == nil, "\(text)")
          continue
        }
        var fraction = hasPoint ? decimals : ""
        while fraction.last == "0" { fraction.removeLast() }
        #expect(value?.significand == Int128(whole + fraction) ?? 0, "\(text)")
        #expect(value?.exponent == -fraction.count, "\(text)")
        #expect(value?.isNegative == (sign == "-"), "\(text)")
      }
    }
  }

  @Test(arguments: ["1.2.3", "1-", "--1", "1e", "1e+", ".", "-", "", "1 ", "0x1", "1,5"])
  func `what is no number is refused`(_ text: String) {
    for grammar in [ExactDecimal.Grammar.strict, .lenient] {
      #expect(throws: ExactDecimal.Failure.noNumber) { try ExactDecimal(json: text.bytes, grammar) }
    }
  }

  /// Digits, with many zeros among them.
  private func digits(_ count: ClosedRange<Int>, _ draw: inout Draw) -> String {
    (0..<draw.within(count)).map { _ in draw.chance(40) ? "0" : String(draw.below(10)) }.joined()
  }
}
