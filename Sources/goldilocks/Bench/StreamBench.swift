import ScenarioFormat
import ScenarioRunner
import SimulatedWorld
import VirtualTime

/// An adaptive stream of so many segments, with its audio apart, on a link that changes each
/// second: what a sweep does over and over.
struct StreamBench {
  let segments: Int64
  private let item: ItemSettings
  private let conditions: LinkConditions
  private let schedule: RateSchedule

  static let segmentDuration = MediaTime.seconds(6)

  init(segments: Int64) throws(Failure) {
    self.segments = segments
    var description = LadderDescription(
      rungs: NamedLadder.appleH264.rungs, audio: [LadderAudio(name: "stereo", bitRate: 128_000)],
      segmentDuration: Self.segmentDuration,
      duration: MediaTime(nanoseconds: Self.segmentDuration.nanoseconds * segments))
    description.sizes = .variable(seed: 503, peakPercent: 150)
    do throws(LadderFault) {
      item = ItemSettings(
        source: .stream(StreamSettings(presentation: try Presentation(description))))
    } catch {
      throw Failure(.wrongInput, "The bench has no ladder: \(error).")
    }
    let direction = DirectionConditions(delay: .milliseconds(25))
    conditions = LinkConditions(downlink: direction, uplink: direction)
    do throws(LinkError) {
      schedule = try Self.hour()
    } catch {
      throw Failure(.wrongInput, "The bench has no link: \(error.description).")
    }
  }

  /// An hour of seconds between half a megabit and seven, by a walk that is the same everywhere.
  private static func hour() throws(LinkError) -> RateSchedule {
    var random = RandomStream(seed: 503, name: "bench/link")
    var kilobits: Int64 = 3_000
    var steps: [RateSchedule.Step] = []
    for _ in 0..<3_600 {
      kilobits = min(7_000, max(500, kilobits + random.next(in: -500...500)))
      steps.append(
        RateSchedule.Step(
          duration: .seconds(1), bandwidth: .limited(.bitsPerSecond(kilobits * 1_000))))
    }
    return try RateSchedule(steps: steps, ending: .loops)
  }

  /// Plays the stream from its first request to its end.
  func perform() throws(Failure) -> StreamFigures {
    do throws(LinkError) {
      let world = try World(conditions: conditions, schedule: schedule)
      world.showsReadiness = false
      let player = world.makePlayer()
      player.replaceCurrentItem(with: item)
      player.play()
      let end = world.run()
      return StreamFigures(
        segments: segments, events: world.eventCount, requests: player.core.counts.requests,
        stalls: player.books.stallCount, switches: player.core.counts.variantSwitches,
        span: world.now - .zero, isFinished: end == .finished)
    } catch {
      throw Failure(.wrongInput, "The bench has no link: \(error.description).")
    }
  }
}

/// Results of one stream of the bench, and the duration of its simulation.
struct StreamFigures {
  var segments: Int64
  var events: Int64
  var requests: Int64
  var stalls: Int64
  var switches: Int64
  var span: TimeSpan
  var isFinished: Bool
  var nanoseconds = Int64.max

  var nanosecondsPerSegment: Int64 { nanoseconds / max(1, segments) }
}
