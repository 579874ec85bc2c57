import ExactText
import HeuristicComparison

/// Settings of a study that change nothing, because something else takes their place: results would
/// name them all the same.
struct VainSettings {
  let words: StudyWords
  let description: StudyDescription
  let study: Study

  func refuse() throws(Failure) {
    if let excess = study.excess { throw words.refuse(valueOf: "seeds", excess) }
    try refuseRepetition()
    try refuseSeeds()
    try refuseHeuristics()
  }

  private func refuseRepetition() throws(Failure) {
    let paths = description.varied.compactMap { $0.first?.path }
    for (place, path) in paths.enumerated() where paths[..<place].contains(path) {
      throw words.refuse(
        path.text, under: "vary", .vary, "The setting \(inQuotes(path.text)) varies twice.")
    }
  }

  private func refuseSeeds() throws(Failure) {
    if study.seeds.isEmpty { return }
    for edit in study.edits + study.contestants.flatMap({ $0.edits })
    where edit.path.text == "seed" {
      throw vain(edit, "every session has its seed from the study's seeds")
    }
  }

  private func refuseHeuristics() throws(Failure) {
    let path = "player.heuristic"
    for contestant in study.contestants where contestant.heuristic != nil {
      for edit in contestant.edits where edit.isBelow(path) {
        throw vain(edit, "\(inQuotes(contestant.name)) has a heuristic of its own")
      }
    }
    let haveAllTheirOwn = study.contestants.allSatisfy { contestant in
      contestant.heuristic != nil || contestant.edits.contains { $0.path.text == path }
    }
    let policy = "player.policy"
    let havePolicies = study.contestants.allSatisfy { contestant in
      contestant.edits.contains { $0.path.text == policy && $0.value != nil }
    }
    if let edit = study.edits.first(where: { $0.isBelow(policy) }), havePolicies {
      throw vain(
        edit, "every policy that is compared replaces it; --vary \(edit.text) changes each of them")
    }
    if let edit = study.edits.first(where: { $0.isBelow(path) }), haveAllTheirOwn {
      throw vain(edit, "everybody who is compared has a heuristic of its own")
    }
  }

  /// Several links that are one and the same in every session count as evidence several times.
  ///
  /// - Parameter runner: Reads the documents of the study's sessions.
  func refuseLinks(_ runner: StudyRunner) throws(Failure) {
    let edits = study.edits + study.contestants.flatMap { $0.edits }
    // A setting that no scenario can be read with has its message already.
    guard study.links.count > 1, !study.scenarios.isEmpty,
      let edit = edits.first(where: { $0.isBelow("link") })
    else { return }
    func document(_ link: Int, _ contestant: Int) -> [UInt8]? {
      try? runner.document(
        for: Study.Session(scenario: 0, link: link, contestant: contestant, seed: 0))
    }
    var known: [[UInt8]: Int] = [:]
    for place in study.links.indices {
      guard let text = document(place, 0) else { continue }
      guard let other = known[text] else {
        known[text] = place
        continue
      }
      let areAlike = study.contestants.indices.allSatisfy { contestant in
        document(other, contestant) == document(place, contestant)
      }
      if !areAlike { continue }
      let names = [other, place].map { inQuotes(study.links[$0].name) }
      throw vain(edit, "it makes one link of \(names[0]) and \(names[1])", verb: "is refused")
    }
  }

  private func vain(_ edit: JSONEdit, _ reason: String, verb: String = "has no effect") -> Failure {
    let isVaried = description.varied.contains { $0.contains { $0.path == edit.path } }
    let message = "\(inQuotes(shown(edit.text))) \(verb): \(reason)."
    return words.refuse(edit.path.text, under: "policies", message)
      ?? words.refuse(
        edit.path.text, under: isVaried ? "vary" : "set", isVaried ? .vary : .set, message)
  }
}

extension JSONEdit {
  /// Whether it changes what stands at a path, or something within.
  fileprivate func isBelow(_ text: String) -> Bool {
    path.text == text || path.text.hasPrefix(text + ".")
  }
}
