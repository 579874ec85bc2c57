package import ExactText
import PlayerPolicies
package import VirtualTime

/// Seeded variations of a scenario: other links, further script steps and other player settings.
///
/// A variation depends on the seed and its number alone.
package struct Variations: Sendable {
  private let scenario: JSONTree
  private let seed: UInt64
  /// The time in which further steps and outages lie.
  private let seconds: Int64

  /// - Parameter ended: The end of the run without changes.
  package init(of scenario: JSONTree, seed: UInt64, ended: Instant) {
    (self.scenario, self.seed) = (scenario, seed)
    seconds = min(max(ended.nanoseconds / 1_000_000_000, 5), 600)
  }

  /// The variation of a number. That of zero is the scenario itself; others need not be valid.
  package func document(_ number: Int) -> JSONTree {
    if number == 0 { return scenario }
    var draw = VariationDraw(
      numbers: RandomStream(seed: seed, name: "variation/\(number)"), seconds: seconds)
    var document = scenario.with("seed", .whole(draw.numbers.next(in: 0...1_000_000)))
    document = document.with("link", draw.link(document.part([.key("link")])))
    if draw.isTrue(in: 6) { document = document.with("fidelity", "tcp") }
    let player = draw.player(document.part([.key("player")]))
    if case .object = player { document = document.with("player", player) }
    guard case .array(let steps) = document.part([.key("script")]) else { return document }
    return document.with("script", .array(steps + draw.steps()))
  }
}

private struct VariationDraw {
  var numbers: RandomStream
  let seconds: Int64

  mutating func isTrue(in times: Int64) -> Bool { numbers.next(in: 1...times) == 1 }

  private mutating func one<Choice>(of choices: [Choice]) -> Choice {
    choices[Int(numbers.next(below: UInt64(choices.count)))]
  }

  private mutating func time(_ range: ClosedRange<Int64>) -> JSONTree {
    .string(JSONTree.secondsText(numbers.next(in: range) * 1_000_000))
  }

  /// An instant of the run, to the millisecond.
  private mutating func instant() -> JSONTree { time(0...seconds * 1_000) }

  private static let rates = [100, 200, 400, 700, 1_000, 1_500, 2_500, 4_000, 8_000, 20_000]

  private mutating func rate() -> JSONTree { .string("\(one(of: Self.rates)) kbit/s") }

  /// The link itself, the same or a constant rate with an outage, or a schedule.
  mutating func link(_ own: JSONTree) -> JSONTree {
    var link = own
    switch numbers.next(below: 4) {
    case 0: return own
    case 1: break
    case 2: link = ["bandwidth": rate(), "delay": time(0...150)]
    default:
      let steps = (1...numbers.next(in: 2...6)).map { _ -> JSONTree in
        ["for": time(500...20_000), "bandwidth": rate()]
      }
      link = [
        "schedule": ["steps": .array(steps), "then": one(of: ["hold", "repeat"])],
        "delay": time(0...150),
      ]
      return isTrue(in: 6) ? link.with("loss", "1 %") : link
    }
    return link.with("outages", [["from": instant(), "for": time(500...15_000)]])
  }

  /// The player with other settings, each of them seldom.
  mutating func player(_ own: JSONTree) -> JSONTree {
    var player = own
    if isTrue(in: 6) { player = player.with("automaticallyWaitsToMinimizeStalling", false) }
    if isTrue(in: 6) {
      player = player.with("preferredForwardBufferDuration", time(1_000...40_000))
    }
    if isTrue(in: 4) {
      player = player.with("policy", .string(one(of: PolicyPreset.all).name))
    }
    return player
  }

  /// Further actions of the app, with names that no step of the scenario should have.
  mutating func steps() -> [JSONTree] {
    (0..<numbers.next(in: 0...4)).flatMap { _ in step() }.enumerated().map { number, step in
      step + ["name": .string("variation-\(number + 1)")]
    }
  }

  private mutating func step() -> [JSONTree] {
    let at: JSONTree = ["at": instant()]
    switch numbers.next(below: 8) {
    case 0, 1: return [at + ["do": "seek", "to": instant()]]
    case 2: return [at + ["do": "pause"]]
    case 3: return [at + ["do": "play"]]
    case 4: return [at + ["do": "playImmediately", "rate": .number(one(of: ["1", "1.5", "2"]))]]
    case 5: return [at + ["do": "setRate", "rate": .number(one(of: ["0.5", "1", "2"]))]]
    case 6:
      let wish: JSONTree = ["to": .boolean(isTrue(in: 2))]
      return [at + ["do": "setAutomaticallyWaitsToMinimizeStalling"] + wish]
    default:
      return [
        at + ["do": "beginInterruption"], ["at": instant(), "do": "endInterruption"],
      ]
    }
  }
}

extension JSONTree {
  /// An object in which a key has a value, at its old place or at the end.
  fileprivate func with(_ key: String, _ value: JSONTree) -> JSONTree {
    guard case .object(var members) = self else { return .members([(key, value)]) }
    if let place = members.firstIndex(where: { isSameText($0.key, key) }) {
      members[place].value = value
    } else {
      members.append((key, value))
    }
    return .object(members)
  }
}
