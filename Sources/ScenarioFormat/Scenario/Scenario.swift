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
  /// How requests travel; nil for the least that the fidelity does.
  package var requests: RequestOptions?
  package var faults = FaultPlan.none
  package var traffic: [TrafficPlan] = []
  package var leakedPlayers: [LeakedPlayer] = []
  /// The play queue; nil for a player of single items.
  package var queue: QueuePlan?
  /// The named items of a player without a queue.
  package var singles: [QueuePlan.Item] = []
  package var looping: LoopingPlan?
  /// Further players on the same link, each with a script and expectations of its own.
  package var others: [OtherPlayer] = []
  /// The keys that may have no effect, and where each fault stands.
  package var idleKeys: [IdleKey] = []
  package var faultPlaces: [TextPosition] = []
  /// Where further media stands that no item is made of.
  package var unusedAssets: [TextPosition] = []
  /// Every file that the scenario names, for the header of the trace.
  package var files: [ScenarioFile] = []
  /// The document that this was read from, for the header of the trace.
  package var document: JSONValue

  package init(
    name: String, about: String, seed: UInt64, fidelity: Fidelity, limits: RunLimits,
    link: LinkPlan, player: PlayerSettings, item: ItemSettings, itemIsCurrentAtStart: Bool,
    script: [ScriptStep], expectations: [Expectation], document: JSONValue
  ) {
    self.name = name
    self.about = about
    self.seed = seed
    self.fidelity = fidelity
    self.limits = limits
    self.link = link
    self.player = player
    self.item = item
    self.itemIsCurrentAtStart = itemIsCurrentAtStart
    self.script = script
    self.expectations = expectations
    self.document = document
  }
}

extension Scenario {
  /// What can be played by its name, in a queue or without.
  package var namedItems: [QueuePlan.Item] { queue?.items ?? singles }

  /// What would begin after an instant, and is too late.
  package func beginnings(after end: Instant) -> [LateBeginning] {
    var late: [LateBeginning] = []
    late.add("outage", link.outages.lazy.map { ($0.start, $0.position) }, after: end)
    late.add("traffic", traffic.lazy.map { ($0.traffic.begins, $0.position) }, after: end)
    late.add("player", leakedPlayers.lazy.map { ($0.begins, $0.position) }, after: end)
    guard case .stream(let settings) = item.source, let live = settings.live else { return late }
    let node = document["media"]?["hls"]?["live"]
    func positions(_ key: String) -> [TextPosition] {
      node?[key]?.elements?.map { $0.position } ?? []
    }
    // When the server of the media publishes nothing, or not everything.
    let stops = zip(live.stops.lazy.map { $0.begins }, positions("encoderStops"))
    late.add("stop", stops.lazy.map { ($0, $1) }, after: end)
    let stretches = zip(live.stalePlaylists.lazy.map { $0.begins }, positions("stalePlaylists"))
    late.add("stretch", stretches.lazy.map { ($0, $1) }, after: end)
    return late
  }

  /// The leaked players that load nothing, since their files are local.
  var idleLeaks: [LeakedPlayer] { leakedPlayers.filter { $0.item.source.kind == .local } }

  /// Whether a leaked player loads something.
  var leaksAnything: Bool { idleLeaks.count < leakedPlayers.count }

  /// Whether another player is on the link.
  var hasOtherPlayers: Bool { !others.isEmpty || !leakedPlayers.isEmpty }

  /// Whether somebody else is on the link.
  package var isLinkShared: Bool {
    !traffic.isEmpty || !leakedPlayers.isEmpty || !others.isEmpty
  }
}

/// Something of a scenario that would begin after the end.
package struct LateBeginning {
  /// What it is called.
  package let what: String
  package let position: TextPosition?
  /// How many of its kind follow that are not named: of very many the first are.
  package fileprivate(set) var others = 0

  package var message: String {
    others == 0
      ? "this \(what) begins after the end"
      : "this \(what) begins after the end, and so do \(others) more"
  }
}

extension [LateBeginning] {
  /// How many of one kind are named.
  private static let most = 10

  fileprivate mutating func add(
    _ what: String, _ all: some Sequence<(Instant, TextPosition?)>, after end: Instant
  ) {
    var named = 0
    for (begins, position) in all where begins > end {
      if named == Self.most {
        self[count - 1].others += 1
      } else {
        append(LateBeginning(what: what, position: position))
        named += 1
      }
    }
  }
}

/// The link over the run. Profiles relative to the media are resolved when the scenario is read.
package struct LinkPlan: Sendable {
  /// What the link is like while it is conditioned.
  package var conditions: LinkConditions
  /// The name of the profile it came from.
  package var profile: String?
  /// Whether it is conditioned from the start; if not it is perfect until the script says so.
  package var isSwitchedOn: Bool
  package var schedule: RateSchedule?
  /// Stretches in which nothing gets through.
  package var outages: [Outage]
  /// Whether the path is one that costs, such as a cellular one (NWPath.isExpensive).
  package var isExpensive = false
  /// The file that it came from.
  package var trace: LinkTrace?

  package struct Outage: Hashable, Sendable {
    package var start: Instant
    package var duration: TimeSpan
    /// Where it stands in the file.
    package var position: TextPosition?

    package init(start: Instant, duration: TimeSpan) {
      self.start = start
      self.duration = duration
    }
  }

  package init(
    conditions: LinkConditions = .perfect, profile: String? = nil, isSwitchedOn: Bool = true,
    schedule: RateSchedule? = nil, outages: [Outage] = [], trace: LinkTrace? = nil
  ) {
    self.conditions = conditions
    self.profile = profile
    self.isSwitchedOn = isSwitchedOn
    self.schedule = schedule
    self.outages = outages
    self.trace = trace
  }
}

/// Something the app does, and when.
package struct ScriptStep: Sendable {
  /// What other steps and expectations call it: its name, or what it does.
  package var name: String
  package var trigger: Trigger
  /// What it does, as the file has it.
  package var verb: String
  package var action: AppAction
  /// How long the app's own code takes before it makes the call.
  package var appDelay = TimeSpan.zero
  /// Whether the app hears of the condition by a notification, and answers it.
  package var isNotified = false
  /// The item of the queue that it concerns, by its name; nil for the current one, or for all that
  /// are still to come.
  package var item: String?
  /// Where it stands in the file.
  package var position: TextPosition

  package enum Trigger: Hashable, Sendable {
    case at(Instant)
    /// So long after a named step was done.
    case after(step: String, TimeSpan)
    /// When a condition is true, looked at once the named step was done.
    case when(PlaybackCondition, after: String?)
    /// When an event has come so often, counted from when the named step was done.
    case event(EventPattern, number: Int64, after: String?)
  }

  package init(
    name: String, trigger: Trigger, verb: String, action: AppAction, position: TextPosition
  ) {
    self.name = name
    self.trigger = trigger
    self.verb = verb
    self.action = action
    self.position = position
  }
}
