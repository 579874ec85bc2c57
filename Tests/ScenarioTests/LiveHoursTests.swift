import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Eight hours live with an outage of 20 s in each, against arithmetic that knows no events.
///
/// In microseconds: at 8 Mbit/s a byte takes one.
@Suite struct LiveHoursTests {
  /// What the rules make of the session.
  struct ClosedForm {
    var reloads: Int64 = 0
    var stalls: Int64 = 0
    var stalled: Int64 = 0
    /// When the playhead last began to move, and where.
    var moved: Int64
    var place: Int64
    /// When the first playlist of a stretch without outages was asked for.
    private var firstRead: Int64

    static let second: Int64 = 1_000_000
    static let segment = 6 * second
    static let horizon = 8 * 3_600 * second
    private static let uplink: Int64 = 20_000
    private static let roundTrip: Int64 = 40_000
    private static let playlistBytes: Int64 = 300
    /// 1 Mbit/s for six seconds.
    private static let segmentBytes: Int64 = 750_000
    private static let outage = 20 * second

    init() {
      // The multivariant playlist, the media playlist, a segment.
      firstRead = Self.roundTrip + Self.playlistBytes
      let known = firstRead + Self.roundTrip + Self.playlistBytes
      moved = known + Self.roundTrip + Self.segmentBytes
      place = Self.edge(readAt: firstRead) - 3 * Self.segment
      for hour in 0..<8 { outage(from: (1_800 + 3_600 * Int64(hour)) * Self.second) }
      reloads += (Self.horizon - firstRead) / Self.segment + 1
    }

    static func encoded(_ instant: Int64) -> Int64 { 63 * second + instant }

    /// The end of a playlist that is asked for at an instant: whole segments alone.
    private static func edge(readAt instant: Int64) -> Int64 {
      encoded(instant + uplink) / segment * segment
    }

    private mutating func outage(from start: Int64) {
      // Read once a target duration, counted from request to request; the first that is not there
      // when the outage begins waits for its end, and is followed by another at once.
      let answer = Self.roundTrip + Self.playlistBytes
      let undisturbed = (start - answer - firstRead) / Self.segment
      let stuck = firstRead + (undisturbed + 1) * Self.segment
      reloads += undisturbed + 2
      let known = start + Self.outage + Self.playlistBytes
      firstRead = known
      // It lists one segment more, which comes beside the next playlist.
      let loaded = Self.edge(readAt: stuck - Self.segment)
      #expect(Self.edge(readAt: stuck) == loaded + Self.segment)
      let comes = known + Self.roundTrip + Self.playlistBytes + Self.segmentBytes
      let dry = moved + (loaded - place)
      if dry >= comes { return }
      stalls += 1
      stalled += comes - dry
      (moved, place) = (comes, loaded)
    }

    /// How far the playhead is behind the encoder.
    var offset: Int64 { Self.encoded(Self.horizon) - (place + Self.horizon - moved) }
  }

  private struct NoClaim: Error {}

  /// - Parameter times: Properties at the end, in nanoseconds, beside what the file expects.
  private func outcome(
    _ name: String, _ times: [(name: String, nanoseconds: Int64)] = []
  ) throws -> RunOutcome {
    var scenario = try ShippedScenario.named(name).read()
    if !times.isEmpty {
      var last = try #require(scenario.expectations.last)
      guard case .properties(.end, let claims) = last.claim, let own = claims.first else {
        throw NoClaim()
      }
      let further = try times.map { time in
        var claim = own
        claim.property = try #require(PlayerProperty.all.first { $0.name == time.name })
        claim.matcher = .equals(.time(time.nanoseconds))
        return claim
      }
      last.claim = .properties(.end, further)
      scenario.expectations.append(last)
    }
    let outcome = try run(scenario)
    #expect(outcome.faults == [])
    #expect(outcome.failures.isEmpty)
    return outcome
  }

  private func count(_ event: String, in outcome: RunOutcome) -> Int64 {
    let text = String(decoding: outcome.trace, as: UTF8.self)
    return Int64(text.ranges(of: "\"event\":\"\(event)\"").count)
  }

  @Test(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
  func `stalls, offset and reloads are those of the closed form`() throws {
    let expected = ClosedForm()
    let outcome = try outcome(
      "hls-live-eight-hours",
      [
        ("timeOffsetFromLive", expected.offset * 1_000), ("stalled", expected.stalled * 1_000),
      ])
    #expect(count("playlist", in: outcome) == expected.reloads)
    #expect(outcome.player.books.stallCount == expected.stalls)
    #expect(expected.stalls == 1 && expected.stalled > 0)
  }

  @Test(.enabled(if: Seeds.areMany))
  func `keeping the distance changes what is played, and not what is read`() throws {
    let outcome = try outcome("hls-live-eight-hours-offset-kept")
    #expect(count("playlist", in: outcome) == ClosedForm().reloads)
    #expect(outcome.player.books.stallCount == 8)
    #expect(count("stall", in: outcome) == 8)
  }
}
