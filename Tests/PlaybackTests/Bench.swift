import SimulatedWorld
import Testing

/// A link, a player and a progressive file on it, ready to be played with.
struct Bench {
  let world: World
  let player: SimulatedPlayer
  let notes: Notes

  /// What the observers were told, in order.
  final class Notes {
    var records: [PlaybackRecord] = []

    var observations: [PlaybackObservation] { records.map(\.observation) }

    /// The states that the player went through.
    var controls: [TimeControl] {
      observations.compactMap {
        if case .timeControl(let control, _, _) = $0 { control } else { nil }
      }
    }

    /// The rules that fired.
    var rules: [TransitionRule] {
      observations.compactMap { if case .timeControl(_, let rule, _) = $0 { rule } else { nil } }
    }

    func instant(of wanted: PlaybackObservation) -> Instant? {
      records.first { $0.observation == wanted }?.instant
    }
  }

  /// A megabit a second is a second of media in a second: `speed` is in thousandths of that.
  init(
    speed: Int64 = 500, duration: MediaTime = .seconds(40), settings: PlayerSettings = .init(),
    kind: MediaKind = .progressive, delay: TimeSpan = .zero, limits: RunLimits = .init(),
    hasItem: Bool = true, _ adjust: (inout ItemSettings) -> Void = { _ in }
  ) throws {
    world = try World(conditions: Bench.conditions(speed, delay: delay), limits: limits)
    player = world.makePlayer(settings)
    notes = Notes()
    player.observe { [notes] in notes.records.append($0) }
    if hasItem {
      player.replaceCurrentItem(with: Bench.item(duration: duration, kind: kind, adjust))
    }
  }

  static func item(
    duration: MediaTime = .seconds(40), kind: MediaKind = .progressive,
    _ adjust: (inout ItemSettings) -> Void = { _ in }
  ) -> ItemSettings {
    let file = MediaFile(duration: duration, bitRate: .megabitsPerSecond(1))
    var item = ItemSettings(source: kind == .local ? .local(file) : .progressive(file))
    adjust(&item)
    return item
  }

  static func conditions(_ speed: Int64, delay: TimeSpan = .zero) -> LinkConditions {
    LinkConditions(
      downlink: DirectionConditions(
        bandwidth: .limited(.kilobitsPerSecond(speed)), delay: delay))
  }

  func setSpeed(_ speed: Int64) throws {
    try world.setConditions(Bench.conditions(speed))
  }
}

extension Bench {
  /// Lets seconds pass and draws them, each by what the player did in the middle of it: `.` paused,
  /// `w` waiting, `>` playing.
  func draw(seconds: Int) -> String {
    var strip = ""
    for _ in 0..<seconds {
      world.advance(by: .milliseconds(500))
      switch player.timeControlStatus {
      case .paused: strip += "."
      case .waitingToPlayAtSpecifiedRate: strip += "w"
      case .playing: strip += ">"
      }
      world.advance(by: .milliseconds(500))
    }
    return strip
  }

  func pass(_ seconds: Int64) {
    world.advance(by: .seconds(seconds))
  }
}

extension Instant {
  static func seconds(_ count: Int64) -> Instant {
    Instant(nanoseconds: count * 1_000_000_000)
  }
}

extension MediaTime {
  /// Whether it is within a millisecond of a number of seconds.
  func isAbout(_ seconds: Double) -> Bool {
    abs(Double(nanoseconds) / 1e9 - seconds) <= 0.001
  }
}

extension TimeSpan {
  /// Whether it is within a millisecond of a number of seconds.
  func isAbout(_ seconds: Double) -> Bool {
    abs(Double(nanoseconds) / 1e9 - seconds) <= 0.001
  }
}

extension Bench {
  /// Expects no more events than there was to do: an event of the loop is a step of the link, a
  /// call, or something to tell.
  static func expectNoPolling(_ world: World, records: Int, calls: Int64, seed: UInt64) {
    let elapsed = world.now.nanoseconds / 200_000_000
    let bound = 4 * (Int64(records) + calls + elapsed)
    #expect(world.eventCount <= bound, "seed \(seed): \(world.eventCount) of \(bound)")
  }
}
