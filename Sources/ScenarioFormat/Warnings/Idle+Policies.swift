import ExactText
import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import VirtualTime

// What of a policy says nothing to anybody: by the kind of media that it is for, and by what a seat
// beside it makes of it.

extension Idle {
  static let inStreamFetch = Idle(
    "a stream is asked for segment by segment", below: "streamFetch")
  static let inFileFetch = Idle("a file has no segments", below: "fileFetch")
  /// Unless what may be played changes, which any rule follows.
  static let keepsFirst = nothingToChoose.or(
    Idle("“fixed” keeps the first variant") { media in
      media.scenario.player.policy.keepsFirstVariant
        && !media.host.allScripts.contains { $0.action.limitsVariants }
    })
  /// How much media may lie ahead, where the app says it of every item.
  static let saidByApp = Idle { media, path in
    let isSaid =
      media.items.allSatisfy { $0.limitsBuffer }
      && !media.scenario.script.contains { $0.action.concern == .buffer }
    return isSaid ? "the app says how much to buffer" : nil
  }
  /// What keeps a prediction safe that is none: the line of a file.
  static let withoutMargin = Idle("in “fluid” the line of a file is exact") { media in
    media.host.fidelity == .fluid && !media.hasStream && media.followsLine
  }
  /// Of a line nothing has to be seen before. A command is told what is believed.
  static let beforeLine = Idle { media, path in
    guard path?.isBelow("fileEstimator") == true, media.host.fidelity == .fluid,
      media.followsLine, media.scenario.player.policy.command.isEmpty
    else { return nil }
    return "in “fluid” the line of a file is believed at once"
  }
}

extension PlayedMedia {
  fileprivate var followsLine: Bool {
    if case .line = scenario.player.policy.estimator.ofFiles.measure { true } else { false }
  }

  /// The seats of a command that nothing here asks, with the place of the key that names them.
  var seatsInVain: [RunWarning] {
    let policy = scenario.player.policy
    if policy.command.isEmpty { return [] }
    return policy.seats(filledBy: PolicyDescription.commandName).compactMap { seat in
      guard let why = seat.idle.why(self, nil), let position = placeOfSeats else { return nil }
      return RunWarning(
        position: position,
        message: "the command is never asked for \(quotation(of: seat.word)): \(why)")
    }
  }

  private var placeOfSeats: TextPosition? {
    scenario.idleKeys.first { isSameText($0.name, "seats") && $0.path.player == nil }?.position
  }
}

extension PolicySeat {
  /// When nobody asks it.
  fileprivate var idle: Idle {
    // The others that a command can fill are about variants.
    [.start, .resume, .stall].contains(self) ? .ofLocalFile : .withoutVariants
  }
}
