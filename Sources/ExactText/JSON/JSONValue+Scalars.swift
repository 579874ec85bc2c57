extension JSONValue {
  /// The text of a string; nil for anything else.
  package var string: String? { if case .string(let text) = content { text } else { nil } }

  package var flag: Bool? { if case .boolean(let flag) = content { flag } else { nil } }

  /// A plain decimal in units of 10⁻ᵖˡᵃᶜᵉˢ; nil for anything else.
  package func units(places: Int) -> Int64? {
    guard let bytes = numberBytes else { return nil }
    var (units, decimals): (Int64, Int?) = (0, nil)
    for byte in bytes.drop(while: { $0 == UInt8(ascii: "-") }) {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
      } else if UInt8(ascii: "0") <= byte, byte <= UInt8(ascii: "9"),
        decimals.map({ $0 < places }) ?? true
      {
        let (tens, overflows) = units.multipliedReportingOverflow(by: 10)
        let (sum, carries) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
        if overflows || carries { return nil }
        units = sum
        decimals = decimals.map { $0 + 1 }
      } else {
        return nil
      }
    }
    for _ in (decimals ?? 0)..<places {
      let (tens, overflows) = units.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      units = tens
    }
    return bytes.first == UInt8(ascii: "-") ? -units : units
  }
}
