import ExactText
import HeuristicComparison
import PlayerPolicies
import ScenarioFormat
import SimulatedPlayback
import StreamingMedia

struct PreparedStudy: Sendable {
  var study: Study
  var sources: StudySources
  var files: [InputFile]
  /// All that is read of what was named: scenarios, recordings, and the study's own file.
  var inputs: [InputFile]
  /// The files that sessions read, by the paths that scenarios know.
  var sessionFiles: [(name: String, text: [UInt8])]
  var digest: String
  var groupings: [StudyResults.Grouping]
  let words: StudyWords
  /// The highest exit code of what was read.
  var code: ExitCode

  init(_ invocation: Invocation) throws(Failure) {
    let file = try StudyFile(invocation)
    words = file.words
    var description = file.description
    let fileCount = description.links.count
    try description.add(invocation)
    description.addExplained(invocation)
    let (contestants, policies) = try Self.contestants(description, file.words)
    var work = try ScenarioWork(invocation, paths: file.paths)
    try file.check(work.files)
    let links = try Self.links(description, file, named: fileCount, invocation)
    var notes: [String] = []
    let loaded = Self.played(try Self.load(&work), policies, description.settings, &notes)
    files = loaded.map { $0.file }
    try words.checkApart(files, below: file.folder, links, description)
    inputs = work.files + file.inputs + links.inputs
    study = Study(
      scenarios: loaded.map { $0.described },
      links: links.links.isEmpty ? [.own] : links.links, contestants: contestants,
      edits: description.settings, seeds: description.seeds,
      objectives: Objective.all.filter { description.objectives.contains($0.name) },
      asksRegret: description.asksRegret, resampling: description.resampling)
    let isPage = invocation.has(.html) && !invocation.has(.checkpoint) && !invocation.has(.shard)
    study.keepsDigests = invocation.has(.digests) || isPage
    study.baseline = try Self.baseline(description.baseline, contestants, file.words)
    groupings = description.groupings
    code = work.code
    let (scenarios, recordings) = (files, links.files)
    sources = StudySources(
      documents: try files.map { (file) throws(Failure) in try file.read() },
      policies: files.map { $0.policies }
    ) { place, path in recordings[path] ?? References(of: scenarios[place]).read(path) }
    sources.delays = loaded.map { $0.scenario.delayEdits }
    (sources.recordings, sources.beat) = (links.recordings, files.first?.beat)
    notes += links.notes(delays: sources.delays)
    notes += loaded.flatMap { Self.assumptions(on: $0.scenario, policies) }
    invocation.console.note(notes)
    let runner = StudyRunner(study, sources)
    if let excess = study.excess { throw words.refuse(valueOf: "seeds", excess) }
    try words.checkEffects(of: study, sources)
    let sessionFiles = SessionFiles(study, runner, files, links, loaded: loaded.map { $0.scenario })
    inputs += sessionFiles.files.map { $0.input }
    self.sessionFiles =
      sessionFiles.files.map { ($0.name, $0.text) }
      + links.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    digest = study.digest(sources.documents, links, sessionFiles)
    study.notes = notes
  }

  /// The scenarios that every policy can play, so that all have the same sessions; where none is
  /// left all of them, whose run reports the mistake.
  private static func played(
    _ loaded: [LoadedScenario], _ policies: [Contestant], _ settings: [JSONEdit],
    _ notes: inout [String]
  ) -> [LoadedScenario] {
    // Perf: a long stream takes as long to read as to play.
    if loaded.count == 1 { return loaded }
    let refusals = loaded.map { $0.refusal(of: policies, settings) }
    if !refusals.contains(nil) { return loaded }
    notes += refusals.compactMap { $0 }
    return loaded.indices.filter { refusals[$0] == nil }.map { loaded[$0] }
  }

  private static func assumptions(on scenario: Scenario, _ policies: [Contestant]) -> [String] {
    guard case .stream(let stream) = scenario.item.source else { return [] }
    let longest = stream.presentation.lists.first?.segments.map { $0.duration }.max()
    return policies.compactMap { policy in
      guard let preset = PolicyPreset.named(policy.policy),
        let media = preset.knownMedia(unlike: longest)
      else { return nil }
      return "\(inQuotes(preset.name)) is known with \(media): what it does in "
        + "\(inQuotes(scenario.name)) is our assumption"
    }
  }

  /// - Parameter named: The number of links in the study's file; the command line names the others.
  private static func links(
    _ description: StudyDescription, _ file: StudyFile, named: Int, _ invocation: Invocation
  ) throws(Failure) -> StudyLinks {
    var links = StudyLinks(
      repeats: invocation.has(.repeats) || description.repeats,
      allowing: invocation.values(of: .allowPath))
    for (place, link) in description.links.enumerated() {
      let (folder, references) = place < named ? (file.folder, file.references) : ("", nil)
      try links.add(link, folder: folder, within: references, file.words)
    }
    links.tellApart()
    return links
  }

  func header(of shard: StudyShard) -> StudyHeader {
    StudyHeader(study: study, digest: digest, shard: shard, by: groupings)
  }

  /// Reads every scenario once as it stands, so that its own mistakes come first.
  private static func load(_ work: inout ScenarioWork) throws(Failure) -> [LoadedScenario] {
    var loaded: [LoadedScenario] = []
    try work.answer(
      to: nil, work: { (file) throws(Failure) in try LoadedScenario(file) },
      receive: { _, scenario in
        loaded.append(scenario)
        return .success
      })
    // The changes are made anew for each session.
    for index in loaded.indices { loaded[index].file.edits = [] }
    return loaded
  }

  /// The policies under test, with and without the settings that vary.
  private static func contestants(
    _ description: StudyDescription, _ words: StudyWords
  ) throws(Failure) -> ([Contestant], [Contestant]) {
    var contestants = try description.heuristics.map { (text) throws(Failure) in
      isSameText(text, Contestant.ownName) ? .own : Contestant(try words.heuristic(text))
    }
    try words.checkApart(
      contestants.map { ($0.name, $0.name) }, "policy", under: "heuristics", .heuristics)
    for policy in description.policies { contestants += try Self.policy(policy, words) }
    if contestants.isEmpty {
      contestants = description.varied.isEmpty ? Contestant.usual : [.own]
    }
    let policies = contestants
    for values in description.varied {
      let (before, most) = (contestants.count, Study.mostContestants)
      if before * values.count > most {
        throw words.refuse(
          valueOf: "vary",
          "a study can have \(most) policies, which is less than \(before) × \(values.count)")
      }
      contestants = contestants.flatMap { contestant in values.map { contestant.with($0) } }
    }
    // Of settings that vary the file names the paths.
    try words.checkApart(
      contestants.map { ($0.name, $0.name) }, "policy", under: "policies", .policies,
      orAt: description.varied.isEmpty ? nil : contestants.last?.edits.last?.path.text)
    return (contestants, policies)
  }

  private static func policy(
    _ policy: StudyDescription.Policy, _ words: StudyWords
  ) throws(Failure) -> [Contestant] {
    switch policy {
    case .described(let contestant): return [contestant]
    case .named(let name):
      if let contestants = Contestant.named(name) { return contestants }
      if let heuristic = try? KeepUpHeuristic(text: name) { return [Contestant(heuristic)] }
      throw words.refusal(
        of: name, under: "policies",
        "There is no policy \(inQuotes(name)).\(Contestant.question(name)) "
          + "'goldilocks heuristics' lists them.")
    }
  }

  private static func baseline(
    _ name: String?, _ contestants: [Contestant], _ words: StudyWords
  ) throws(Failure) -> Int? {
    guard let name else { return contestants.count > 1 ? 0 : nil }
    return try words.place(of: name, among: contestants, under: "baseline")
  }
}

extension Contestant {
  /// A preset or each scenario's own policy, by its name, or all presets; nil for another word.
  static func named(_ name: String) -> [Contestant]? {
    if isSameText(name, ownName) { return [.own] }
    let presets = PolicyPreset.all.filter { name == "all" || isSameText($0.name, name) }
    let contestants = presets.map { Contestant($0.name, edits: JSONEdit.policy(.string($0.name))) }
    return contestants.isEmpty ? nil : contestants
  }

  static func question(_ name: String) -> String {
    let names = PolicyPreset.all.map { $0.name }
    return goldilocks.question(PolicyPreset.otherName(name) ?? nearestName(to: name, among: names))
  }
}

extension LoadedScenario {
  fileprivate var described: StudyScenario {
    StudyScenario(
      file: file.title, name: scenario.name, seed: scenario.seed,
      fidelity: scenario.fidelity.word, isLive: scenario.isLive)
  }

  /// A note on the first policy that cannot play it; nil where its own cannot either.
  fileprivate func refusal(of policies: [Contestant], _ settings: [JSONEdit]) -> String? {
    var changed = file
    changed.edits = settings
    if (try? LoadedScenario(changed)) == nil { return nil }
    for policy in policies where !policy.edits.isEmpty {
      changed.edits = settings + policy.edits
      do throws(Failure) {
        _ = try LoadedScenario(changed)
      } catch {
        return "\(inQuotes(scenario.name)) is left out for every policy: \(inQuotes(policy.name)) "
          + "cannot play it: " + error.details.joined(separator: "; ")
      }
    }
    return nil
  }
}

extension Scenario {
  var isLive: Bool { item.source.stream?.live != nil }
}
