import ExactText
package import PlayerPolicies

/// The seats of a policy, the blocks that can fill them, and the policies that there are: read off
/// the tables that a scenario is read by.
package struct PolicyCatalogue: Sendable {
  /// A decision of a policy, with the blocks that can make it.
  package struct Seat: Sendable {
    package var name: String
    package var about: String
    package var blocks: [Block]
    /// The parameters of a seat that has numbers and no blocks.
    package var parameters: [Parameter]
  }

  package struct Block: Sendable {
    package var name: String
    package var about: String
    package var parameters: [Parameter]
    package var source: BlockSource?
  }

  /// A number, or a word, of a block.
  package struct Parameter: Sendable {
    package var name: String
    package var about: String
    /// The value that applies when it is absent, as written; nil for a required parameter.
    package var absent: String?
  }

  package var seats: [Seat]

  package static let standard = PolicyCatalogue()

  private init() {
    let keys = Form<PolicyDescription>.policy.shape.objects.first?.keys ?? []
    seats = SeatRow.all.map { row in
      let key = keys.first { isSameText($0.name, row.name) }
      let choices = key.map { Self.choices(in: $0.shape) } ?? (blocks: [], parameters: [])
      return Seat(
        name: row.name, about: key?.about ?? "", blocks: choices.blocks,
        parameters: choices.parameters)
    }
  }

  package func blocks(named name: String) -> (block: Block, seats: [Seat])? {
    var found: (block: Block, seats: [Seat])?
    for seat in seats {
      guard let block = seat.blocks.first(where: { isSameText($0.name, name) }) else { continue }
      if found == nil { found = (block, []) }
      found?.seats.append(seat)
    }
    return found
  }

  /// Every name that can be asked about, once.
  package var names: [String] {
    distinct(
      PolicyPreset.all.map { $0.name } + seats.map { $0.name }
        + seats.flatMap { $0.blocks.map { $0.name } })
  }

  private static func choices(in shape: Shape) -> (blocks: [Block], parameters: [Parameter]) {
    let words = shape.words.map { word in
      let source = BlockSource.named(word)
      return Block(name: word, about: source?.about ?? "", parameters: [], source: source)
    }
    guard let object = shape.objects.first else { return (words, []) }
    let keyed = object.keys.filter { $0.presence == .oneOf }
    let blocks = keyed.map { key in
      Block(
        name: key.name, about: key.about,
        parameters: key.shape.objects.first?.keys.map(parameter) ?? [],
        source: BlockSource.named(key.name))
    }
    let alone = words.filter { word in !keyed.contains { isSameText($0.name, word.name) } }
    return (blocks + alone, object.keys.filter { $0.presence != .oneOf }.map(parameter))
  }

  private static func parameter(_ key: KeyShape) -> Parameter {
    Parameter(name: key.name, about: key.about, absent: key.absent?.json)
  }
}

/// A seat as scenarios name it, and how its choice is written.
struct SeatRow: Sendable {
  let name: String
  let kind: PolicySeat
  let written: @Sendable (PolicyDescription) -> JSONTree

  static let all = [
    SeatRow(name: "sink", kind: .sink) { $0.sink.written },
    SeatRow(name: "start", kind: .start) { $0.start.written },
    SeatRow(name: "resume", kind: .resume) { $0.resume.written },
    SeatRow(name: "exits", kind: .start) { $0.exits.written },
    SeatRow(name: "stall", kind: .stall) { $0.stall.written },
    SeatRow(name: "fileEstimator", kind: .estimator) { $0.estimator.ofFiles.written },
    SeatRow(name: "streamEstimator", kind: .estimator) { $0.estimator.ofStreams.written },
    SeatRow(name: "firstVariant", kind: .firstVariant) { $0.firstVariant.written },
    SeatRow(name: "nextVariant", kind: .nextVariant) { $0.nextVariant.written },
    SeatRow(name: "choice", kind: .nextVariant) { $0.choice.written },
    SeatRow(name: "abandon", kind: .abandon) { $0.abandon.written },
    SeatRow(name: "fileFetch", kind: .fetch) { $0.fetch.ofFiles.written(ofFiles: true) },
    SeatRow(name: "streamFetch", kind: .fetch) { $0.fetch.ofStreams.written(ofFiles: false) },
  ]
}

extension PolicyDescription {
  /// The choice for each seat, as a scenario would have it.
  package var choices: [(seat: String, kind: PolicySeat, choice: String)] {
    SeatRow.all.map { ($0.name, $0.kind, $0.written(self).json) }
  }
}
