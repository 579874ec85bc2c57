import ExactText
import HeuristicComparison

/// What is named twice would count as evidence twice.
struct StudyTwins {
  let words: StudyWords
  /// The folder of the study's file, which its paths start from.
  let folder: String

  func refuse(links: [StudyLink]) throws(Failure) {
    let texts = links.map { link in link.edits.map { $0.text } }
    if let place = Self.second(in: texts) {
      throw refusal(links[place].name, "link", under: "links", .links)
    }
    if let place = Self.second(in: links.map { $0.name }) {
      let name = links[place].name
      throw words.refuse(
        name, under: "links", .links, "Two links are called \(inQuotes(name)).")
    }
  }

  func refuse(seeds: [UInt64]) throws(Failure) {
    var known: Set<UInt64> = []
    for seed in seeds where !known.insert(seed).inserted {
      throw refusal("\(seed)", "seed", under: "seeds", .sessionSeeds)
    }
  }

  func refuse(scenarios files: [InputFile]) throws(Failure) {
    let paths = files.map { file in (try? resolvedPath(file.path)) ?? file.path }
    guard let place = Self.second(in: paths) else { return }
    let title = files[place].title
    let message = message(title, "scenario")
    let name = title.hasPrefix(folder) ? String(title.dropFirst(folder.count)) : title
    throw words.refuse(name, under: "scenarios", message)
      ?? words.refuse(title, under: "scenarios", message) ?? Failure(.usage, message)
  }

  private func refusal(
    _ name: String, _ kind: String, under key: String, _ option: Option
  ) -> Failure {
    words.refuse(name, under: key, option, message(name, kind))
  }

  private func message(_ name: String, _ kind: String) -> String {
    "The \(kind) \(inQuotes(name)) is named twice."
  }

  /// The place of the first that is like an earlier one.
  private static func second<Name: Hashable>(in names: [Name]) -> Int? {
    var known: Set<Name> = []
    return names.firstIndex { !known.insert($0).inserted }
  }
}
