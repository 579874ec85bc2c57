/// A scenario that a seed makes up: any link, any media, whatever the app may do.
///
/// Nearly all of them are valid. The sizes are chosen so that things happen: links are about as
/// fast as the media, buffers run dry, variants change, and a run takes a few milliseconds.
package struct RandomScenario {
  package let seed: UInt64
  package private(set) var document: Sketch

  let fidelity: Fidelity
  let kind: MediaKind
  /// What the media needs, in kbit/s: links are measured by it.
  let mediaRate: Int
  /// How long the media lasts, in milliseconds.
  let duration: Int
  let hasQueue: Bool

  enum Fidelity {
    case fluid
    case tcp
  }

  enum MediaKind {
    case local
    case progressive
    case stream
    case live

    var isStream: Bool { self == .stream || self == .live }
  }

  /// The scenario of a seed.
  package init(seed: UInt64) {
    self.seed = seed
    var draw = Draw(seed: seed, part: "scenario")
    fidelity = draw.chance(30) ? .tcp : .fluid
    kind = draw.one(of: [
      .local, .progressive, .progressive, .progressive, .stream, .stream, .stream, .live, .live,
    ])
    mediaRate = draw.one(of: [200, 500, 1_000, 2_000, draw.within(50...3_000)])
    let isLong = fidelity == .fluid && draw.chance(30)
    hasQueue = draw.chance(25)
    // What follows one another must come to its end for the next to follow.
    duration = draw.within(1_000...(hasQueue ? 12_000 : isLong ? 300_000 : 40_000))
    document = [
      "scenario": "Random \(seed)", "about": "Made up from a seed.",
      "seed": .number("\(draw.below(1_000))"),
    ]
    if fidelity == .tcp { document["fidelity"] = "tcp" }
    let horizon = draw.chance(20) ? draw.within(1...20) : draw.within(60...400)
    document["horizon"] = .seconds(horizon)
    document["eventBudget"] = 60_000
    addParts()
  }

  private mutating func addParts() {
    document["link"] = link()
    document["media"] = media(kind, rate: mediaRate, duration: duration)
    addNetwork()
    let queue = hasQueue ? addQueue() : nil
    document["player"] = player(part: "player", kind, isFirst: true)
    document["script"] = script(part: "script", kind, queue)
    if Draw(seed: seed, part: "expect").isChosen(30) { document["expect"] = expectations() }
    if Draw(seed: seed, part: "players").isChosen(15) { document["players"] = others() }
  }

  /// The document with a policy in place of the player's own choices.
  package func document(following policy: String?) -> Sketch {
    var document = document
    guard var player = document["player"] else { return document }
    for key in ["heuristic", "adaptation", "startsOnFirstEligibleVariant"] { player[key] = nil }
    player["policy"] = policy.map { .text($0) }
    document["player"] = player
    return document
  }

  func draw(_ part: String) -> Draw { Draw(seed: seed, part: part) }

  mutating func set(_ key: String, _ value: Sketch) { document[key] = value }

  /// A few expectations: whatever comes of them, they must not change a run.
  private func expectations() -> Sketch {
    var draw = draw("expectations")
    var list: [Sketch] = [["stallCount": ["atLeast": 0]]]
    for _ in 0..<draw.below(4) {
      list.append([
        "at": .milliseconds(draw.below(60_000)),
        draw.one(of: ["currentTime", "loadedEnd", "bufferAhead"]): ["atLeast": "0 s"],
      ])
    }
    if draw.chance(40) { list.append(["at": ["event": "stall"], "timebaseRate": 0]) }
    if draw.chance(40) { list.append(["count": "requestStart", "is": ["atLeast": 0]]) }
    return .array(list)
  }

  /// One or two further players on the same link.
  private func others() -> Sketch {
    var draw = draw("others")
    return .array(
      (0..<draw.within(1...2)).map { index in
        let kind = draw.one(of: [MediaKind.progressive, .stream, .live])
        return [
          "name": "other \(index)",
          "media": media(
            kind, rate: draw.within(100...1_500), duration: draw.within(1_000...40_000),
            part: "media \(index)"),
          "player": player(part: "player \(index)", kind, isFirst: false),
          "script": script(part: "script \(index)", kind, nil, isFirst: false),
        ]
      })
  }
}

extension Draw {
  /// The first draw of a stream that is used for nothing else.
  func isChosen(_ percent: Int) -> Bool {
    var draw = self
    return draw.chance(percent)
  }
}

// MARK: - Quantities as a scenario writes them

extension Sketch {
  static func milliseconds(_ count: Int) -> Sketch { "\(count) ms" }
  static func seconds(_ count: Int) -> Sketch { "\(count) s" }
  static func kilobits(_ count: Int) -> Sketch { "\(count) kbit/s" }
  static func bytes(_ count: Int) -> Sketch { "\(count) B" }
  static func percent(_ count: Int) -> Sketch { "\(count) %" }
}
