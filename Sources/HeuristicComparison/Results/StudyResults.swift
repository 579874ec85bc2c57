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

  /// By what sessions are put into groups.
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
      var names: [String] = []
      var parts: [[Int]] = []
      for pair in pairs {
        let name = study.name(ofPair: pair, by: grouping)
        if let place = names.lastIndex(of: name) {
          parts[place].append(pair)
        } else {
          names.append(name)
          parts.append([pair])
        }
      }
      for (name, part) in zip(names, parts) {
        groups.append(
          Group(
            kind: grouping, name: name, summary: StudySummary(study, rows, pairs: part)))
      }
    }
  }
}

extension StudyResults {
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
    let summaries = [whole] + groups.map { $0.summary }
    return summaries.flatMap { $0.contestants }.contains { contestant in
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
