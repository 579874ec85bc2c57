import ExactText
package import ScenarioFormat
import ScenarioRunner
import VirtualTime

// Figures as a person reads them, where one is held against another.

extension Figure {
  /// - Parameter other: A value beside it: where both are rounded alike, it is not rounded.
  func words(_ value: PropertyValue, beside other: PropertyValue? = nil) -> String {
    guard case .count(let count) = value else { return value.words }
    let text =
      switch unit {
      case .bytes: shownBytes(count)
      case .bitRate: shownRate(.bitsPerSecond(count))
      case .seconds, nil: value.words
      }
    guard let other, other != value, isSameText(text, words(other)) else { return text }
    return written(value).shown
  }

  /// The actual value and its distance from the reference: “it was 2.5 s, 0.5 s more”.
  ///
  /// - Parameter more: Words for more and less, such as worse and better.
  func words(
    _ value: PropertyValue, against other: PropertyValue,
    more: (more: String, less: String) = ("more", "less")
  ) -> String {
    if value == .null { return "there was none" }
    guard let a = value.magnitude, let b = other.magnitude else { return "it was \(words(value))" }
    let distance = PropertyValue(like: value, Int64(clamping: (a - b).magnitude))
    var text = "it was \(words(value, beside: other)), \(words(distance))"
    if b != 0 {
      let share = Int64(clamping: ((a - b).magnitude * 2_000 + b.magnitude) / (2 * b.magnitude))
      text += " (\(short(share, of: 1)) %)"
    }
    return text + " " + (a > b ? more.more : more.less)
  }
}

extension PropertyValue {
  package init(like other: PropertyValue, _ number: Int64) {
    switch other {
    case .time: self = .time(number)
    case .share: self = .share(number)
    case .null, .boolean, .text, .count, .rate, .ranges, .entries: self = .count(number)
    }
  }
}

extension RunOutcome {
  /// The summaries of all players, the first without a name.
  var players: [(name: String?, summary: PlayerSummary)] {
    [(nil, player)] + others.map { ($0.name, $0.player) }
  }
}

func title(_ figure: Figure, of player: String?) -> String {
  figure.name + (player.map { " of \(quotation(of: $0))" } ?? "")
}
