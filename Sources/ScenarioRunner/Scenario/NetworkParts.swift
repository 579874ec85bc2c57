public import LinkConditioner
public import SimulatedPlayback
public import VirtualTime

/// Somebody else's downloads, by the name that the script calls them.
public struct TrafficPlan: Hashable, Sendable {
  public var name: String
  public var traffic: CompetingTraffic

  public init(name: String, traffic: CompetingTraffic) {
    self.name = name
    self.traffic = traffic
  }
}

/// A player that the app has forgotten: nobody plays it, and it goes on filling its buffer.
public struct LeakedPlayer: Sendable {
  public var item: ItemSettings
  /// When its item became current.
  public var begins: Instant

  public init(item: ItemSettings, begins: Instant) {
    self.item = item
    self.begins = begins
  }
}

/// A further player on the link of a scenario.
public struct OtherPlayer: Sendable {
  public var name: String
  /// The scenario as it is for this player: with its media, its script and its expectations.
  public var scenario: Scenario

  public init(name: String, scenario: Scenario) {
    self.name = name
    self.scenario = scenario
  }
}

/// A recorded link that a scenario names, and how it was read.
public struct LinkTrace: Hashable, Sendable {
  public var file: String
  public var format: TraceFormat
  /// Nil for a profile, which is no recording.
  public var reading: TraceReading?
  /// What was assumed, rounded or left out, in sentences.
  public var notes: [String]

  public init(file: String, format: TraceFormat, reading: TraceReading?, notes: [String] = []) {
    self.file = file
    self.format = format
    self.reading = reading
    self.notes = notes
  }
}

/// A file that a scenario names, with its content: with both a run can be repeated anywhere.
public struct ScenarioFile: Hashable, Sendable {
  public var path: String
  public var text: String

  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
