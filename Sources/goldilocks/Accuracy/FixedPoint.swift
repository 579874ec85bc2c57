import ScenarioFormat

/// A number with its decimal places and unit; `never` where not finite: something did not arrive.
func fixedPoint(_ value: Double, places: Int, unit: String = "") -> String {
  let scale = (0..<places).reduce(1.0) { (scale, _) in scale * 10 }
  let units = (value * scale).rounded()
  guard units.magnitude < 9e18 else { return "never" }
  return decimal(Int64(units), of: places, places: places) + unit
}

func percentage(_ value: Double, places: Int = 2) -> String {
  fixedPoint(value * 100, places: places, unit: " %")
}
