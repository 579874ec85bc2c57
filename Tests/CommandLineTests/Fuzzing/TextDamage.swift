import TestSupport

/// Damage to a text: a byte, a line, a word, a number.
struct TextDamage {
  private var draw: Draw

  init(draw: Draw) { self.draw = draw }

  /// The text with one to three things wrong, or now and then with none.
  ///
  /// - Parameter words: What means something in such a text.
  mutating func damaged(_ text: String, words: [String]) -> String {
    var text = text
    for _ in 0..<draw.below(4) { text = damagedOnce(text, words) }
    return text
  }

  private mutating func damagedOnce(_ text: String, _ words: [String]) -> String {
    switch draw.below(7) {
    case 0: return lines(text) { lines, place, _ in lines.remove(at: place) }
    case 1: return lines(text) { lines, place, other in lines.insert(lines[other], at: place) }
    case 2: return lines(text) { lines, place, other in lines.swapAt(place, other) }
    case 3: return numbered(text, words)
    case 4: return inserted(draw.one(of: words), into: text)
    case 5: return cut(text)
    default: return valued(text, words)
    }
  }

  private mutating func lines(
    _ text: String, _ change: (inout [Substring], Int, Int) -> Void
  ) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    change(&lines, draw.below(lines.count), draw.below(lines.count))
    return lines.joined(separator: "\n")
  }

  /// Another number in the place of one.
  private mutating func numbered(_ text: String, _ words: [String]) -> String {
    let numbers = text.matches(of: /[0-9]+(\.[0-9]+)?/)
    if numbers.isEmpty { return inserted(draw.one(of: words), into: text) }
    let others = ["0", "1", "-1", "3", "65536", "4294967296", "9223372036854775807", "0.1", "1e9"]
    var text = text
    text.replaceSubrange(draw.one(of: numbers.map { $0.range }), with: draw.one(of: others))
    return text
  }

  /// A word in the place of a value of JSON.
  private mutating func valued(_ text: String, _ words: [String]) -> String {
    let values = text.matches(of: /:\s*("[^"]*"|[0-9.]+|true|false)/)
    if values.isEmpty { return inserted(draw.one(of: words), into: text) }
    var text = text
    text.replaceSubrange(
      draw.one(of: values.map { $0.range }), with: ": " + draw.one(of: words))
    return text
  }

  private mutating func inserted(_ word: String, into text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let place = draw.below(scalars.count + 1)
    var whole = String.UnicodeScalarView()
    whole.append(contentsOf: scalars[..<place])
    whole.append(contentsOf: word.unicodeScalars)
    whole.append(contentsOf: scalars[place...])
    return String(whole)
  }

  private mutating func cut(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    if scalars.isEmpty { return text }
    let place = draw.below(scalars.count)
    var whole = String.UnicodeScalarView()
    whole.append(contentsOf: scalars[..<place])
    let goesOn = draw.chance(70)
    if goesOn {
      whole.append(contentsOf: scalars[min(scalars.count, place + draw.within(1...9))...])
    }
    return String(whole)
  }
}
