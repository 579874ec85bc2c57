import PlayerPolicies
import SimulatedPlayback
import VirtualTime

// The estimates and decisions of a player: a policy by its name, or a choice for each seat.

extension Form<PolicyDescription> {
  static var policy: Form { .whenNeeded(PolicyPart.partOrName) }
}

/// A choice for some seats; the others are those of another policy.
private struct PolicyPart {
  var like = PolicyPreset.avfoundation.description
  var changes: [Change<PolicyDescription>] = []
  /// The seats that a rule of the scenario fills, of those that a command may.
  var filled: [PolicySeat] = []
  var command: [String] = []
  /// The seats that the command answers for; nil for those that are usual.
  var commandSeats: [PolicySeat]?

  static let partOrName = Form.object(form, or: name)

  private static let name = Form.words(
    PolicyPreset.all.map { (word: $0.name, value: $0.description) })

  private static let form = KeyTable<Self>(
    "policy", "A player's policy: a choice for each seat.", least: 1
  ) {
    Key.optional(
      "like", { $0.like = $1 }, name, absent: "avfoundation",
      "The policy that fills the seats which are not named here.")
    readinessKeys
    estimatorKeys
    variantKeys
    loadingKeys
    commandKeys
  }.form(PolicyPart()) { part, object in part.description(object) }

  @KeyRows<Self> private static var readinessKeys: [Key<Self>] {
    Key.optional(
      "sink",
      { part, changes in part.changes.append { for change in changes { change(&$0.sink) } } },
      ChangeForms.sink, "Displayable frames, and the delay to the app.")
    Key.optional(
      "start", { part, value in part.fill(.start) { $0.start = value } }, .readiness, only: .remote,
      "Condition for starting.")
    Key.optional(
      "resume", { part, value in part.fill(.resume) { $0.resume = value } }, .readiness,
      only: .remote, "Condition for resuming after a stall.")
    Key.optional(
      "exits",
      { part, changes in part.changes.append { for change in changes { change(&$0.exits) } } },
      ChangeForms.exits, "Conditions that end a wait under any rule.")
  }

  @KeyRows<Self> private static var estimatorKeys: [Key<Self>] {
    Key.optional(
      "fileEstimator", { part, value in part.changes.append { $0.estimator.ofFiles = value } },
      EstimatorDescription.form, only: .files, "Throughput estimator for files.")
    Key.optional(
      "streamEstimator",
      { part, value in part.changes.append { $0.estimator.ofStreams = value } },
      EstimatorDescription.form, only: .streams, "Throughput estimator for streams.")
  }

  @KeyRows<Self> private static var variantKeys: [Key<Self>] {
    Key.optional(
      "firstVariant", { part, value in part.changes.append { $0.firstVariant = value } },
      .firstVariant, only: .streams, "Variant that a stream begins with.")
    Key.optional(
      "nextVariant", { part, value in part.fill(.nextVariant) { $0.nextVariant = value } },
      .nextVariant, only: .streams, "Rule for the variant of the next segment.")
    Key.optional(
      "abandon", { part, value in part.fill(.abandon) { $0.abandon = value } }, .abandon,
      only: .streams, "Rule that gives up a segment for a lower variant.")
    Key.optional(
      "choice", { part, value in part.changes.append { $0.choice = value } },
      ChoiceCustoms.form, only: .streams, "Options of the choice, for any rule.")
  }

  @KeyRows<Self> private static var loadingKeys: [Key<Self>] {
    Key.optional(
      "stall", { part, value in part.fill(.stall) { $0.stall = value } }, .stall, only: .remote,
      "Condition for declaring a stall with media left.")
    Key.optional(
      "fileFetch", { part, value in part.changes.append { $0.fetch.ofFiles = value } },
      FetchRule.form, only: .files,
      "Read-ahead limits of a file, in place of all that the policy has: a limit left out is "
        + "none.")
    Key.optional(
      "streamFetch", { part, value in part.changes.append { $0.fetch.ofStreams = value } },
      FetchRule.form, only: .streams,
      "Read-ahead limits of a stream, in place of all that the policy has: a limit left out is "
        + "none.")
  }

  @KeyRows<Self> private static var commandKeys: [Key<Self>] {
    Key.optional(
      "command", { $0.command = $1 },
      .list(of: .text("python3"), atLeast: 1).examples(["python3", "mine.py"]),
      "The words of a command that answers, line by line, for the seats named beside it; paths "
        + "count from the scenario's folder.")
    Key.optional(
      "seats", { $0.commandSeats = $1 },
      .list(of: .words(outsideSeats), atLeast: 1).examples(["start", "resume"]),
      "The seats that the command answers for; by default start and resume."
    ).beside("command", expected: "a command that answers for them")
  }

  /// The seats that something from outside can fill.
  private static let outsideSeats: [(word: String, value: PolicySeat)] =
    PolicySeat.filledByName.map { ($0.word, $0) }

  private mutating func fill(
    _ seat: PolicySeat, _ change: @escaping (inout PolicyDescription) -> Void
  ) {
    filled.append(seat)
    changes.append(change)
  }

  /// The whole policy; nil where a seat is filled twice.
  private func description(_ object: DocumentObject) -> PolicyDescription? {
    var policy = like
    for change in changes { change(&policy) }
    if command.isEmpty { return policy }
    policy.command = command
    let seats = commandSeats ?? [.start, .resume]
    for (index, seat) in seats.enumerated() {
      if seats[..<index].contains(seat) {
        return object.node.refuse(
          "“seats” names “\(seat.word)” twice", expected: "each seat once")
      }
      if filled.contains(seat) {
        return object.node.refuse(
          "both “\(seat.word)” and “command” say what fills the seat",
          expected: "one of them, or other “seats” for the command")
      }
      do throws(PolicyProblem) {
        try policy.fill(seat, with: PolicyDescription.commandName)
      } catch {
        preconditionFailure("the words are those of seats that a name can fill")
      }
    }
    return policy
  }
}

/// A key of a table, as a change of what the policy has without it.
private typealias Change<Target> = (inout Target) -> Void

private enum ChangeForms {
  static let sink = KeyTable<[Change<SinkDescription>]>(
    "sink", "The output: frames, warm-up and freezes between loaded media and the screen."
  ) {
    Key.optional(
      "frame", { part, value in part.append { $0.frame = value } },
      .mediaPlace.examples("40 ms"), "Duration of a frame where the media does not say.")
    Key.optional(
      "frameOfPackets", { part, value in part.append { $0.frameOfPackets = value } },
      .mediaPlace.examples("40 ms"), only: .tcp, "The same over tcp, where it is longer.")
    Key.optional(
      "leastToStart", { part, value in part.append { $0.leastToStart = value } }, .mediaPlace,
      "Forward buffer needed to begin; a frame at least.")
    Key.optional(
      "leastToResume", { part, value in part.append { $0.leastToResume = value } }, .mediaPlace,
      "Forward buffer needed to resume; a frame at least.")
    Key.optional(
      "holds", { part, value in part.append { $0.holds = value } }, .span.examples("2 s"),
      only: .tcp,
      "Time for which a verdict that it keeps up must have stood, over tcp, before the app "
        + "sees it; the opposite verdict is seen at once.")
    Key.optional(
      "predictsOnce", { part, value in part.append { $0.predictsOnce = value } }, .boolean,
      "Whether a prediction that came true stands until the next stall or seek.")
    Key.optional(
      "warmUp", { part, value in part.append { $0.warmUp = value } }, .span.examples("300 ms"),
      "Time from permission to play until the first picture.")
    Key.optional(
      "setUp", { part, value in part.append { $0.setUp = value } }, .span.examples("2 s"),
      "Set-up time from an item's arrival until anything is shown, in parallel with loading.")
    Key.optional(
      "freezes", { part, value in part.append { $0.freezes = value } },
      .mediaPlace.examples("3 s"), only: .streams,
      "Time for which sound goes on under a frozen picture, where only video is missing.")
    Key.optional(
      "seeksAtFreeze", { part, value in part.append { $0.seeksAtFreeze = value } }, .boolean,
      only: .streams,
      "Whether a stall after a frozen picture drops loaded media and requests, as a seek does.")
  }.form([])

  static let exits = KeyTable<[Change<ReadinessExits>]>(
    "exits", "Conditions that end a wait under any rule; by default the policy's own."
  ) {
    Key.optional(
      "whenFull", { part, value in part.append { $0.whenFull = value } }, .boolean,
      "The buffer holds as much as it is going to.")
    Key.optional(
      "whenIdle", { part, value in part.append { $0.whenIdle = value } }, .boolean,
      "Nothing is being loaded.")
  }.form([])
}
