package import ExactText
package import LinkConditioner
package import SimulatedPlayback
package import SimulatedWorld
package import VirtualTime

/// One run as its author described it: everything is decided, nothing has happened.
package struct Scenario: Sendable {
  package var name: String
  /// The sentence that says what it shows.
  package var about: String
  /// The reason why a test leaves it out; nil where it does not.
  package var skip: String?
  package var seed: UInt64
  package var fidelity: Fidelity
  package var limits: RunLimits
  package var link: LinkPlan
  package var player: PlayerSettings
  package var item: ItemSettings
  /// Whether the item is current from the beginning, or brought by the script.
  package var itemIsCurrentAtStart: Bool
  package var script: [ScriptStep]
  package var expectations: [Expectation]
  /// The options of requests; nil for the minimum at this fidelity.
  package var requests: RequestOptions?
  package var faults = FaultPlan.none
  package var traffic: [TrafficPlan] = []
  package var leakedPlayers: [LeakedPlayer] = []
  /// The play queue; nil for a player of single items.
  package var queue: QueuePlan?
  package var singles: [QueuePlan.Item] = []
  package var looping: LoopingPlan?
  /// Further players on the same link, each with a script and expectations of its own.
  package var others: [OtherPlayer] = []
  /// The keys that apply to some kinds of media or links only.
  package var scopedKeys: [ScopedKey] = []
  /// Every file that the scenario names, for the header of the trace.
  package var files: [ScenarioFile] = []
  /// Remarks on these files that no run shows.
  package var notes: [(place: String, message: String)] = []
  /// The document that this was read from, for the header of the trace.
  package var document: JSONValue

  /// Whether a key of the file is for readers, tests and editors, and says nothing of the run.
  package static func isForReaders(_ key: String) -> Bool {
    ["$schema", "scenario", "about", "tags", "skip", "expect"].contains { isSameText($0, key) }
  }

  /// The items that can be played by name, in a queue or without.
  package var namedItems: [QueuePlan.Item] { queue?.items ?? singles }
}

/// The link over the run. Profiles relative to the media are resolved when the scenario is read.
package struct LinkPlan: Sendable {
  package var conditions: LinkConditions = .perfect
  package var profile: String?
  /// Whether it is conditioned from the start; if not it is perfect until the script says so.
  package var isSwitchedOn: Bool = true
  package var schedule: RateSchedule?
  package var outages: [Outage] = []
  /// Whether the path is one that costs, such as a cellular one (NWPath.isExpensive).
  package var isExpensive = false
  package var trace: LinkTrace? = nil

  package struct Outage: Hashable, Sendable {
    package var start: Instant
    package var duration: TimeSpan
  }
}

package struct ScriptStep: Sendable {
  /// The name in other steps and expectations: its own, or its action.
  package var name: String
  package var trigger: Trigger
  package var verb: String
  package var action: AppAction
  /// The time that the app's own code takes before it makes the call.
  package var appDelay = TimeSpan.zero
  /// Whether the app hears of the condition by a notification, and answers it.
  package var isNotified = false
  /// The queue's item that it concerns, by name; nil for the current one, or for all still to come.
  package var item: String?
  package var position: TextPosition

  package enum Trigger: Hashable, Sendable {
    case at(Instant)
    case after(step: String, TimeSpan)
    /// The first instant at which a condition holds, once the named step was done.
    case when(PlaybackCondition, after: String?)
    /// The *number*-th occurrence of an event, counted from when the named step was done.
    case event(EventPattern, number: Int64, after: String?)
  }
}
