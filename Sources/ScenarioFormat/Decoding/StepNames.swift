import ExactText

/// The names of a script's steps, read from the document before the steps are decoded, so that a
/// mistake in a step does not make a mistake of every mention of it.
struct StepNames {
  /// A step by its name, or by what it does.
  private struct Step {
    var name: String
    var isGiven: Bool
    var node: DocumentNode
    var after: DocumentNode?
  }

  private var steps: [Step] = []
  /// The steps of each name, in the order of the script.
  private var places: [[UInt8]: [Int]] = [:]

  init(in node: DocumentNode?) {
    steps = (node?.elements ?? []).compactMap(StepNames.step)
    for (index, step) in steps.enumerated() {
      places[Array(step.name.utf8), default: []].append(index)
    }
  }

  private static func step(_ node: DocumentNode) -> Step? {
    let given = node.member("name").flatMap { $0.plainText }
    guard let name = given ?? node.member("do").flatMap({ $0.plainText }).map(meantVerb)
    else { return nil }
    return Step(
      name: name, isGiven: given != nil, node: given == nil ? node : node.member("name") ?? node,
      after: node.member("after") ?? node.member("at")?.member("after"))
  }

  private static let verbs = AppVerb.all.map { $0.name }

  private static func meantVerb(_ word: String) -> String {
    // Next to no word is misspelt, and to find the nearest one takes a thousand times as long.
    if verbs.contains(where: { isSameText($0, word) }) { return word }
    return nearestWord(to: word, among: verbs) ?? word
  }

  /// The name of a step that there is, once.
  func reference(_ node: DocumentNode) -> String? {
    guard let name = Decode.text(node) else { return nil }
    let found = indices(of: name)
    if found.count == 1 { return name }
    if found.isEmpty {
      node.refuse(
        "no step is called \(quotation(of: name))",
        expected: steps.isEmpty ? nil : "the name of a step, or its action",
        suggestion: nearestWord(to: name, among: steps.prefix(1_000).map { $0.name }))
    } else if !found.contains(where: { steps[$0].isGiven }) {
      // Repeated names that are given are reported where they are given.
      node.refuse(
        "\(found.count) steps are called \(quotation(of: name))",
        expected: "one; give the step that is meant a “name”")
    }
    return nil
  }

  private func indices(of name: String) -> [Int] { places[Array(name.utf8)] ?? [] }

  /// Reports explicit names that another step has; names taken from the action may repeat.
  func reportRepetitions() {
    for (index, step) in steps.enumerated() where step.isGiven {
      let same = indices(of: step.name)
      guard same.count > 1, index != same[0] || !steps[same[1]].isGiven else { continue }
      let place = steps[index == same[0] ? same[1] : same[0]].node.value.position
      step.node.refuse(
        "another step is called \(quotation(of: step.name)), at line \(place.line), "
          + "column \(place.column)", expected: "a name that no other step has")
    }
  }

  /// Reports steps that wait for themselves: each waits for one other at most, so that a walk along
  /// the arrows finds every cycle.
  func reportCycles() {
    var walk = [Int](repeating: 0, count: steps.count)
    for start in steps.indices where walk[start] == 0 {
      var index: Int? = start
      while let current = index, walk[current] == 0 {
        walk[current] = start + 1
        index = steps[current].after?.plainText.flatMap { name in
          let found = indices(of: name)
          return found.count == 1 ? found.first : nil
        }
      }
      guard let index, walk[index] == start + 1 else { continue }
      steps[index].after?.refuse(
        "the step \(quotation(of: steps[index].name)) waits for itself",
        expected: "a step that does not come after this one")
    }
  }
}
