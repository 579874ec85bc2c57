package import ExactText
package import VirtualTime

/// A study whose sessions have all been run, with what they say: together, and in groups.
package struct StudyResults: Sendable {
  package var study: Study
  package var digest: String
  package var rows: StudyRows
  package var whole: StudySummary
  package var groups: [Group]

  package struct Group: Sendable {
    package var kind: Grouping
    package var name: String
    package var summary: StudySummary
  }

  package enum Grouping: String, CaseIterable, Sendable {
    case link
    /// By what links were named with: a folder of recordings is one group.
    case folder
    case scenario
    case seed
  }

  package init(_ study: Study, _ rows: StudyRows, digest: String, by groupings: [Grouping]) {
    self.study = study
    self.digest = digest
    self.rows = rows
    let pairs = Array(0..<study.pairCount)
    whole = StudySummary(study, rows, pairs: pairs)
    groups = []
    for (place, grouping) in groupings.enumerated() where !groupings[..<place].contains(grouping) {
      var parts: [(name: String, pairs: [Int])] = []
      for pair in pairs {
        let name = study.name(ofPair: pair, by: grouping)
        let place = parts.lastIndex { $0.name == name } ?? parts.endIndex
        if place == parts.endIndex { parts.append((name, [])) }
        parts[place].pairs.append(pair)
      }
      groups += parts.map { name, pairs in
        Group(kind: grouping, name: name, summary: StudySummary(study, rows, pairs: pairs))
      }
    }
  }

  /// The places of the policies whose sessions each come out the same with every one of several
  /// seeds, which are then no more evidence than one.
  package var alikeOverSeeds: [Int] {
    let count = study.seeds.count
    if count < 2 { return [] }
    return study.contestants.indices.filter { contestant in
      (0..<study.pairCount).allSatisfy { pair in
        let session = study.number(ofPair: pair, contestant: contestant)
        return pair % count == 0 || rows.row(session) == rows.row(session - 1)
      }
    }
  }

  /// Whether an interval is missing for want of draws, though there is evidence enough for it.
  package var hasTooFewDraws: Bool {
    ([whole] + groups.map { $0.summary }).flatMap { $0.contestants }.contains { contestant in
      contestant.statistics.contains { $0.hasTooFewDraws }
        || contestant.differences.contains { $0.hasTooFewDraws }
    }
  }

  /// The number of sessions cut by a run limit although playback did not stand still. Live sessions
  /// do not count at the horizon, where their viewers leave.
  package func cutCount(by end: EndReason) -> Int {
    (0..<study.sessionCount).count { session in
      let row = rows.row(session)
      if row.end != end || end == .budget { return row.end == end }
      return !row.isBroken && !study.scenarios[study.session(session).scenario].isLive
    }
  }
}

extension Study {
  fileprivate func name(ofPair pair: Int, by grouping: StudyResults.Grouping) -> String {
    let session = session(number(ofPair: pair, contestant: 0))
    switch grouping {
    case .link: return links[session.link].name
    case .folder: return links[session.link].group
    case .scenario: return scenarios[session.scenario].file
    case .seed: return "\(seed(of: session))"
    }
  }
}

extension JSONWriter {
  package mutating func results(_ results: StudyResults) {
    let study = results.study
    members(["study": .string(results.digest), "sessions": .whole(study.sessionCount)])
    scenarios(results)
    members([
      "links": .list(study.links) { .string($0.name) },
      "seeds": .list(study.seeds) { .whole($0) },
      "resampling": [
        "seed": .whole(study.resampling.seed),
        "draws": .whole(study.resampling.draws(for: study.pairCount)),
      ],
    ])
    members(results.whole.document(of: study))
    if results.groups.isEmpty { return }
    members([
      "groups": .list(results.groups) { group in
        [group.kind.rawValue: .string(group.name)] + group.summary.document(of: study)
      }
    ])
  }

  /// The scenarios, with the results of each contestant where each has one session of it.
  private mutating func scenarios(_ results: StudyResults) {
    let study = results.study
    let isSingle = study.links.count == 1 && study.seeds.count < 2
    let columns = study.columns
    key("scenarios")
    beginArray()
    for (place, scenario) in study.scenarios.enumerated() {
      beginObject()
      members([
        "file": .string(scenario.file), "scenario": .string(scenario.name),
        "seed": .whole(scenario.seed), "fidelity": .string(scenario.fidelity),
      ])
      if isSingle {
        key("results")
        beginArray()
        for contestant in study.contestants.indices {
          let session = Study.Session(scenario: place, link: 0, contestant: contestant, seed: 0)
          beginObject()
          members(["policy": .string(study.contestants[contestant].name)])
          figures(results.rows.row(study.number(of: session)), columns)
          endObject()
        }
        endArray()
      }
      endObject()
    }
    endArray()
  }
}

extension StudySummary {
  fileprivate func document(of study: Study) -> JSONTree {
    [
      "drawn": .string(drawn.rawValue),
      "policies": .list(contestants.enumerated()) { place, contestant in
        [
          "policy": .string(study.contestants[place].name),
          "sessions": .whole(contestant.sessions),
          "isOnFront": .boolean(front.contains(place)),
          "figures": .members(
            zip(figures, contestant.statistics).map { ($0.name, $1.document($0)) }),
          "against": against(contestant.differences, of: study),
        ]
      },
    ]
  }

  private func against(_ differences: [PairedDifference], of study: Study) -> JSONTree? {
    guard !differences.isEmpty, let baseline = study.baseline else { return nil }
    return [
      "policy": .string(study.contestants[baseline].name),
      "figures": .members(zip(figures, differences).map { ($0.name, $1.document($0, of: study)) }),
    ]
  }
}

extension FigureStatistics {
  fileprivate func document(_ figure: StudyFigure) -> JSONTree {
    // A mean of what came to be would make what never did look harmless.
    let isWhole = never == 0
    let counts: JSONTree = [
      "known": .whole(known), "never": .whole(never), "unknown": .whole(unknown),
    ]
    let means = Self.document("mean", isWhole ? mean : nil, figure.places)
    let rest = isWhole ? [:] : Self.document("meanOfRest", mean, figure.places)
    if !figure.hasPercentiles { return counts + means + rest }
    return counts + means + rest + Self.document("median", median, figure.places)
      + Self.document("p95", percentile95, figure.places)
  }

  fileprivate static func document(
    _ name: String, _ statistic: Statistic?, _ places: Int
  ) -> JSONTree {
    func number(_ value: Int64?) -> JSONTree {
      value == never ? "never" : .decimal(value, places: places)
    }
    return [
      name: number(statistic?.value),
      name + "Interval": (statistic?.interval).map { [number($0.low), number($0.high)] } ?? .null,
    ]
  }
}

extension PairedDifference {
  fileprivate func document(_ figure: StudyFigure, of study: Study) -> JSONTree {
    let counts: JSONTree = [
      "pairs": .whole(pairs), "better": .whole(better), "worse": .whole(worse),
      "equal": .whole(equal), "oneSided": .whole(oneSided),
    ]
    return counts + FigureStatistics.document("mean", mean, figure.places) + [
      "decidedBy": .whole(deciders),
      "first": .list(firstDeciders) { decider in
        let session = study.session(study.number(ofPair: decider.pair, contestant: 0))
        return [
          "scenario": .string(study.scenarios[session.scenario].file),
          "link": .string(study.links[session.link].name),
          "seed": .whole(study.seed(of: session)),
          "difference": .decimal(decider.difference, places: figure.places),
        ]
      },
    ]
  }
}
