public import LinkConditioner
public import SimulatedPlayback
public import SimulatedWorld
public import StreamingMedia
public import VirtualTime

/// One run as its author described it: everything is decided, nothing has happened.
public struct Scenario: Sendable {
  public var name: String
  /// The sentence that says what it shows.
  public var about: String
  public var seed: UInt64
  public var fidelity: Fidelity
  public var limits: RunLimits
  public var link: LinkPlan
  public var player: PlayerSettings
  public var item: ItemSettings
  /// Whether the item is current from the beginning, or brought by the script.
  public var itemIsCurrentAtStart: Bool
  public var script: [ScriptStep]
  public var expectations: [Expectation]
  /// How requests travel; nil for the least that the fidelity does.
  public var requests: RequestOptions?
  public var faults = FaultPlan.none
  public var traffic: [TrafficPlan] = []
  public var leakedPlayers: [LeakedPlayer] = []
  /// The play queue; nil for a player of single items.
  public var queue: QueuePlan?
  public var looping: LoopingPlan?
  /// Further players on the same link, each with a script and expectations of its own.
  public var others: [OtherPlayer] = []
  /// Every file that the scenario names, for the header of the trace.
  public var files: [ScenarioFile] = []
  /// The document that this was read from, for the header of the trace.
  public var document: JSONValue

  public init(
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

/// The link over the run. Profiles relative to the media are resolved when the scenario is read.
public struct LinkPlan: Sendable {
  /// What the link is like while it is conditioned.
  public var conditions: LinkConditions
  /// The name of the profile it came from.
  public var profile: String?
  /// Whether it is conditioned from the start; if not it is perfect until the script says so.
  public var isSwitchedOn: Bool
  public var schedule: RateSchedule?
  /// Stretches in which nothing gets through.
  public var outages: [Outage]
  /// Whether the path is one that costs, such as a cellular one (NWPath.isExpensive).
  public var isExpensive = false
  /// The file that it came from.
  public var trace: LinkTrace?

  public struct Outage: Hashable, Sendable {
    public var start: Instant
    public var duration: TimeSpan

    public init(start: Instant, duration: TimeSpan) {
      self.start = start
      self.duration = duration
    }
  }

  public init(
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
public struct ScriptStep: Sendable {
  /// What other steps and expectations call it: its name, or what it does.
  public var name: String
  public var trigger: Trigger
  public var action: AppAction
  /// How long the app's own code takes before it makes the call.
  public var appDelay = TimeSpan.zero
  /// Whether the app hears of the condition by a notification, and answers it.
  public var isNotified = false
  /// Where it stands in the file.
  public var position: TextPosition

  public enum Trigger: Hashable, Sendable {
    case at(Instant)
    /// So long after a named step was done.
    case after(step: String, TimeSpan)
    /// When a condition is true, looked at once the named step was done.
    case when(PlaybackCondition, after: String?)
  }

  public init(name: String, trigger: Trigger, action: AppAction, position: TextPosition) {
    self.name = name
    self.trigger = trigger
    self.action = action
    self.position = position
  }
}

/// What an app can do.
public enum AppAction: Sendable {
  case play
  case pause
  case playImmediately(PlaybackRate)
  case setRate(PlaybackRate)
  case setDefaultRate(PlaybackRate)
  case seek(MediaTime)
  case setWaitsAutomatically(Bool)
  case setForwardPlaybackEndTime(MediaTime?)
  case setActionAtItemEnd(ActionAtItemEnd)
  case setPreferredForwardBufferDuration(MediaTime)
  /// In bit/s; 0 sets no limit.
  case setPreferredPeakBitRate(Int64)
  /// The pixels of the layer that shows the picture; nil takes it away.
  case setLayer(PixelSize?)
  /// Selects a language of the sound or the subtitles.
  case select(MediaSelection)
  /// Whether the path is one that costs, such as a cellular one.
  case setExpensiveNetwork(Bool)
  /// How many shares of the link the player's requests have.
  case setNetworkResourcePriority(NetworkResourcePriority)
  /// Enables or disables a track of the file.
  case setTrackEnabled(name: String, index: Int, Bool)
  /// Something outside holds the player up, or does no longer.
  case beginSuspension(Suspension)
  case endSuspension(Suspension)
  case setRateAtHostTime(PlaybackRate, time: MediaTime?, hostTime: HostTime?)
  /// Asks for keys of the asset that the scenario's item is made of.
  case loadValues(keys: [String])
  case live(LiveAction)
  /// Makes the scenario's item current, or enqueues its queue.
  case setItem
  /// Changes what is played after what.
  case edit(QueueEdit)
  case removeItem
  /// Switches the link's conditions on or off.
  case switchLink(on: Bool)
  case changeLink(LinkConditions)
  case changeSchedule(RateSchedule?)
  /// Pauses somebody else's downloads, lets them go on, or breaks them off, by their name.
  case suspendTraffic(String)
  case resumeTraffic(String)
  case stopTraffic(String)
  /// Reads the playhead's place in the future both ways, the right and the wrong one.
  case project(TimeSpan)

  /// What an app can do about a live stream.
  public enum LiveAction: Hashable, Sendable {
    /// Seeks to where it would begin now.
    case seekToLive
    case setPreservesOffset(Bool)
    case setConfiguredOffset(MediaTime?)
    case setUsesNetworkWhilePaused(Bool)
  }

  /// An instant of the external timeline.
  public enum HostTime: Hashable, Sendable {
    case at(Instant)
    /// So long after the step, or before it where negative.
    case fromNow(nanoseconds: Int64)
  }
}
