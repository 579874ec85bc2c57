/// A number with so many places behind the point; `never` where it is not finite, which here means
/// that something did not arrive.
func fixedPoint(_ value: Double, places: Int) -> String {
  let scale = (0..<places).reduce(1.0) { (scale, _) in scale * 10 }
  let units = (value.magnitude * scale).rounded()
  guard units < 9e18 else { return "never" }
  var digits = "\(Int64(units))"
  while digits.utf8.count <= places { digits = "0" + digits }
  let point = digits.utf8.index(digits.endIndex, offsetBy: -places)
  let sign = value < 0 && units > 0 ? "-" : ""
  return sign + digits[..<point] + (places > 0 ? "." : "") + digits[point...]
}

func percentage(_ value: Double, places: Int = 2) -> String {
  fixedPoint(value * 100, places: places) + " %"
}
