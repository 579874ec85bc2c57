/// A JSON number by its value, however it is written: 0.04 and 4e-2 are one number.
struct NumberText: Equatable {
  private var isNegative = false
  /// Without zeros at either end; none for zero.
  private var digits: [UInt8] = []
  /// The power of ten that the last digit counts.
  private var exponent: Int64 = 0

  /// - Parameter text: a number as JSON has it.
  init(_ text: String) {
    var point: Int64?
    var power: Int64 = 0
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): point = 0
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        power = NumberText.power(rest)
        rest = rest[rest.endIndex...]
      default:
        digits.append(byte)
        point = point.map { $0 + 1 }
      }
    }
    exponent = NumberText.sum(power, -(point ?? 0))
    trim()
  }

  private mutating func trim() {
    let zero = UInt8(ascii: "0")
    while digits.last == zero {
      digits.removeLast()
      exponent = NumberText.sum(exponent, 1)
    }
    digits = Array(digits.drop { $0 == zero })
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  /// An exponent; one that does not fit is as far as it goes, and no number of a trace has it.
  private static func power(_ text: Substring.UTF8View) -> Int64 {
    var value: Int64 = 0
    var isBelowZero = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): isBelowZero = true
      case UInt8(ascii: "+"): continue
      default:
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        value = overflow ? .max : sum(product, Int64(byte - UInt8(ascii: "0")))
      }
    }
    return isBelowZero ? -value : value
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (a < 0 ? .min : .max) : sum
  }
}
