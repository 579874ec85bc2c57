extension Sketch {
  /// The document with times on half seconds, and rates and sizes by which segments arrive there.
  ///
  /// Much then falls on one instant, and values stand on their thresholds.
  package var withRoundNumbers: Sketch {
    withRoundNumbers(from: 0)
  }

  /// Short times are none, but where a time must last.
  private static let lasting = ["for", "backOff", "idleTimeout", "slowFirstByte"]

  private func withRoundNumbers(from least: Int) -> Sketch {
    switch self {
    case .object(let members):
      // Segments of unequal sizes end where nothing else does.
      .object(
        members.filter { $0.key != "sizes" }.map {
          let least = Sketch.lasting.contains($0.key) ? 500 : 0
          return Member($0.key, $0.value.withRoundNumbers(from: least))
        })
    case .array(let values): .array(values.map { $0.withRoundNumbers(from: least) })
    case .text(let text): .text(Sketch.roundNumbers(in: text, from: least))
    case .number, .boolean, .null: self
    }
  }

  private static func roundNumbers(in text: String, from least: Int) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    for place in words.indices.dropFirst() {
      guard let count = Int(words[place - 1]) else { continue }
      // Two thresholds are parted by a stroke: `500 ms/2000 ms`.
      let unit = words[place].split(separator: "/", maxSplits: 1)
      switch unit.first {
      case "ms":
        words[place - 1] = "\(max(least, halfSeconds(count)))"
        if unit.count > 1, let second = Int(unit[1]) {
          words[place] = "ms/\(max(halfSeconds(second), halfSeconds(count)))"
        }
      case "kbit": words[place - 1] = "\(doubled(count))"
      case "B": words[place - 1] = "\(count == 0 ? 0 : max(1, (count + 15_625) / 31_250) * 31_250)"
      case "%" where count > 30: words[place - 1] = "\(max(1, (count + 25) / 50) * 50)"
      default: continue
      }
    }
    return words.joined(separator: " ")
  }

  private static func halfSeconds(_ milliseconds: Int) -> Int {
    milliseconds < 100 ? 0 : max(1, (milliseconds + 250) / 500) * 500
  }

  /// The greatest of 250, 500, 1000 and so on that is no greater, and 250 at least, in kbit/s.
  private static func doubled(_ kilobits: Int) -> Int {
    if kilobits == 0 { return 0 }
    var rate = 250
    while rate * 2 <= kilobits { rate *= 2 }
    return rate
  }
}
