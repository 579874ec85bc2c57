package import LinkConditioner
package import SimulatedPlayback
package import VirtualTime

/// Competing downloads, by the name that the script calls them.
package struct TrafficPlan: Hashable, Sendable {
  package var name: String
  package var traffic: CompetingTraffic
}

/// A player that the app has forgotten: nobody plays it, and it goes on filling its buffer.
package struct LeakedPlayer: Sendable {
  package var item: ItemSettings
  /// The instant at which its item became current.
  package var begins: Instant
}

package struct OtherPlayer: Sendable {
  package var name: String
  /// The scenario as it is for this player: with its media, its script and its expectations.
  package var scenario: Scenario
  /// The interstitial of the first player that it plays; nil for a player of its own.
  package var interstitial: InterstitialPlan?
}

/// A recorded link that a scenario names, and how it was read.
package struct LinkTrace: Hashable, Sendable {
  package var file: String
  package var format: TraceFormat
  /// Nil for a profile, which is no recording.
  package var reading: TraceReading?
}

/// A file that a scenario names, with its content: with both a run can be repeated anywhere.
package struct ScenarioFile: Hashable, Sendable {
  package var path: String
  package var text: String

  package init(path: String, text: String) { (self.path, self.text) = (path, text) }
}
