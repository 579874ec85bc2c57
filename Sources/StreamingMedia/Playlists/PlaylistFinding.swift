package struct PlaylistFinding<Kind: PlaylistProblem>: Hashable, Sendable {
  package typealias Problem = Kind

  package var place: PlaylistPlace
  package var problem: Problem

  package init(_ problem: Problem, at place: PlaylistPlace) {
    self.place = place
    self.problem = problem
  }

  /// The tag and what is wrong with it, without the line.
  package var message: String {
    place.tag.map { "\($0.rawValue): \(problem.sentence)" } ?? problem.sentence
  }
}

package protocol PlaylistProblem: Hashable, Sendable {
  var sentence: String { get }
}
