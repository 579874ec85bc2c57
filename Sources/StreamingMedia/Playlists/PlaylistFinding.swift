/// Something that is found in a playlist, and where.
package struct PlaylistFinding<Kind: PlaylistProblem>: Hashable, Sendable {
  package typealias Problem = Kind

  package var place: PlaylistPlace
  package var problem: Problem

  package init(_ problem: Problem, at place: PlaylistPlace) {
    self.place = place
    self.problem = problem
  }

  /// Message of the finding, without the line.
  package var message: String { place.sentence(problem.sentence) }
}

/// A problem that can be found in a playlist.
package protocol PlaylistProblem: Hashable, Sendable {
  var sentence: String { get }
}
