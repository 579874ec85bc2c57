import ExactText
import PlayerPolicies

// The estimates and decisions of a player: a policy by its name, or a choice for each seat.

extension Form<PolicyDescription> {
  static var policy: Form { PolicyPart.partOrName }
}

/// A choice for some seats; the others are those of another policy.
private struct PolicyPart {
  var policy = PolicyPreset.avfoundation.description
  /// The seats that a rule of the scenario fills, of those that a command may.
  var filled: [PolicySeat] = []
  var command: [String] = []
  /// The seats that the command answers for; nil for those that are usual.
  var commandSeats: [PolicySeat]?

  static let partOrName = Form.object(form, or: name)

  private static let names = PolicyPreset.all.map { (word: $0.name, value: $0.description) }
  private static let name = Form.words(names)

  /// The policy that the others are changes of is found first, wherever the file has its key.
  private static let form = Form(keys.shape) { node in
    let like = node.member("like")?.plainText
    let known = names.first { isSameName($0.word, like) }?.value
    let part = PolicyPart(policy: known ?? PolicyPreset.avfoundation.description)
    return keys.read(node, part) { part, object in part.description(object) }
  }

  private static let keys = KeyTable<Self>(
    "policy", "A player's policy: a choice for each seat.", least: 1
  ) {
    Key.optional(
      "like", { _, _ in }, name, absent: "avfoundation",
      "The policy that fills the seats which are not named here.")
    Key.read("sink", as: sinkKeys.shape, "Displayable frames, and the delay to the app.") {
      sinkKeys.read($0, into: &$1.policy.sink)
    }
    Key.optional(
      "start", { part, value in part.fill(.start) { $0.start = value } }, .readiness, only: .remote,
      "Condition for starting.")
    Key.optional(
      "resume", { part, value in part.fill(.resume) { $0.resume = value } }, .readiness,
      only: .remote, "Condition for resuming after a stall.")
    Key.read("exits", as: exitKeys.shape, "Conditions that end a wait under any rule.") {
      exitKeys.read($0, into: &$1.policy.exits)
    }
    Key.optional(
      "fileEstimator", { $0.policy.estimator.ofFiles = $1 }, EstimatorDescription.form,
      only: .files, "Throughput estimator for files.")
    Key.optional(
      "streamEstimator", { $0.policy.estimator.ofStreams = $1 }, EstimatorDescription.form,
      only: .streams, "Throughput estimator for streams.")
    Key.optional(
      "firstVariant", { $0.policy.firstVariant = $1 }, FirstVariantPart.form, only: .streams,
      "Variant that a stream begins with.")
    Key.optional(
      "nextVariant", { part, value in part.fill(.nextVariant) { $0.nextVariant = value } },
      nextVariantForm, only: .streams, "Rule for the variant of the next segment.")
    Key.optional(
      "abandon", { part, value in part.fill(.abandon) { $0.abandon = value } }, AbandonRule.form,
      only: .streams, "Rule that gives up a segment for a lower variant.")
    Key.optional(
      "choice", { $0.policy.choice = $1 }, ChoiceCustoms.form, only: .streams,
      "Options of the choice, for any rule.")
    Key.optional(
      "stall", { part, value in part.fill(.stall) { $0.stall = value } }, StallPart.form,
      only: .remote, "Condition for declaring a stall with media left.")
    Key.optional(
      "fileFetch", { $0.policy.fetch.ofFiles = $1 }, FetchRule.form, only: .files,
      "Read-ahead limits of a file, in place of all that the policy has: a limit left out is "
        + "none.")
    Key.optional(
      "streamFetch", { $0.policy.fetch.ofStreams = $1 }, FetchRule.form, only: .streams,
      "Read-ahead limits of a stream, in place of all that the policy has: a limit left out is "
        + "none.")
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

  private static let outsideSeats: [(word: String, value: PolicySeat)] =
    PolicySeat.filledByName.map { ($0.word, $0) }

  private mutating func fill(_ seat: PolicySeat, _ change: (inout PolicyDescription) -> Void) {
    filled.append(seat)
    change(&policy)
  }

  /// The whole policy; nil where a seat is filled twice.
  private func description(_ object: DocumentObject) -> PolicyDescription? {
    var policy = policy
    if command.isEmpty { return policy }
    policy.command = command
    let seats = commandSeats ?? [.start, .resume]
    for (index, seat) in seats.enumerated() {
      if seats[..<index].contains(seat) {
        return object.node.refuse("“seats” names “\(seat.word)” twice", expected: "each seat once")
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

private let sinkKeys = KeyTable<SinkDescription>(
  "sink", "The output: frames, warm-up and freezes between loaded media and the screen."
) {
  Key.optional(
    "frame", { $0.frame = $1 }, .mediaPlace.examples("40 ms"),
    "Duration of a frame where the media does not say.")
  Key.optional(
    "frameOfPackets", { $0.frameOfPackets = $1 }, .mediaPlace.examples("40 ms"), only: .tcp,
    "The same over tcp, where it is longer.")
  Key.optional(
    "leastToStart", { $0.leastToStart = $1 }, .mediaPlace,
    "Forward buffer needed to begin; a frame at least.")
  Key.optional(
    "leastToResume", { $0.leastToResume = $1 }, .mediaPlace,
    "Forward buffer needed to resume; a frame at least.")
  Key.optional(
    "holds", { $0.holds = $1 }, .span.examples("2 s"), only: .tcp,
    "Time for which a verdict that it keeps up must have stood, over tcp, before the app "
      + "sees it; the opposite verdict is seen at once.")
  Key.optional(
    "predictsOnce", { $0.predictsOnce = $1 }, .boolean,
    "Whether a prediction that came true stands until the next stall or seek.")
  Key.optional(
    "warmUp", { $0.warmUp = $1 }, .span.examples("300 ms"),
    "Time from permission to play until the first picture.")
  Key.optional(
    "setUp", { $0.setUp = $1 }, .span.examples("2 s"),
    "Set-up time from an item's arrival until anything is shown, in parallel with loading.")
  Key.optional(
    "freezes", { $0.freezes = $1 }, .mediaPlace.examples("3 s"), only: .streams,
    "Time for which sound goes on under a frozen picture, where only video is missing.")
  Key.optional(
    "seeksAtFreeze", { $0.seeksAtFreeze = $1 }, .boolean, only: .streams,
    "Whether a seek out of loaded audio or video, or a stall of video alone, drops it all.")
}

private let exitKeys = KeyTable<ReadinessExits>(
  "exits", "Conditions that end a wait under any rule; by default the policy's own."
) {
  Key.optional(
    "whenFull", { $0.whenFull = $1 }, .boolean,
    "The buffer holds as much as it is going to.")
  Key.optional(
    "whenIdle", { $0.whenIdle = $1 }, .boolean,
    "Nothing is being loaded.")
}
