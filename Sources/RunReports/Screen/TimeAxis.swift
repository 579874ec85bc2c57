/// The seconds below a timeline: a tick and a number at round distances.
struct TimeAxis {
  let length: Int64
  let columnCount: Int

  /// A round step, so that the numbers have room: 1, 2 or 5 times a power of ten.
  private var step: Int64 {
    let least = Int128(length) * Int128(Self.room) / Int128(columnCount)
    var power: Int128 = 1
    while true {
      for factor: Int128 in [1, 2, 5] where power * factor >= least {
        return Int64(clamping: power * factor)
      }
      power *= 10
    }
  }

  var lines: [String] {
    var ticks = ""
    var numbers = ""
    let step = step
    var instant: Int128 = 0
    while instant <= Int128(length) {
      let column = Int(instant * Int128(columnCount) / Int128(length))
      if column >= columnCount { break }
      let number = number(Int64(instant), step) + (instant == 0 ? " s" : "")
      if columns(of: ticks) <= column {
        while columns(of: ticks) < column { ticks += instant == 0 ? "" : "─" }
        ticks += "┴"
        if column + columns(of: number) <= columnCount {
          numbers = padded(numbers, to: column) + number
        }
      }
      instant += Int128(step)
    }
    while columns(of: ticks) < columnCount { ticks += "─" }
    return [ticks, numbers]
  }

  /// Seconds with as many places as the step has.
  private func number(_ instant: Int64, _ step: Int64) -> String {
    var places = 9
    var unit: Int64 = 1
    while places > 0, step % (unit * 10) == 0 {
      unit *= 10
      places -= 1
    }
    return decimal(instant, of: 9, places: places)
  }

  /// The number of columns aimed at between two labels.
  private static let room = 10
}
