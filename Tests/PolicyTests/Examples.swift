import PlayerPolicies
import VirtualTime

/// A file of a constant bit rate that comes in at another, as a policy sees it.
struct ExampleFile {
  var bitsPerSecond: Int64 = 8_000_000
  var duration = MediaTime.seconds(60)
  /// What comes in, in bit/s.
  var link: Int64 = 4_000_000
  var loaded: Int64 = 0

  var bytes: Int64 { duration.nanoseconds / 1_000_000_000 * bitsPerSecond / 8 }

  func snapshot(
    _ wait: Wait, at now: Instant = .zero, waitBegan: Instant = .zero,
    playhead: MediaTime = .zero, rate: PlaybackRate = .normal
  ) -> Snapshot {
    let edge = MediaTime(nanoseconds: loaded * 8 * 1_000_000_000 / bitsPerSecond)
    var snapshot = Snapshot(
      now: now, source: .progressive, wait: wait, waitBegan: waitBegan, rate: rate,
      playhead: playhead, loadedEnd: max(playhead, edge), end: duration,
      file: FileFacts(
        demand: DemandCurve(knots: [
          DemandCurve.Knot(time: .zero, bytes: 0), DemandCurve.Knot(time: duration, bytes: bytes),
        ]),
        line: ByteFlow(anchor: now, bytes: loaded, rate: .bitsPerSecond(link))))
    snapshot.buffer.bytesAhead = max(0, loaded - byte(at: playhead))
    return snapshot
  }

  private func byte(at time: MediaTime) -> Int64 {
    Int64(Int128(time.nanoseconds) * Int128(bitsPerSecond) / 8_000_000_000)
  }
}

extension ReadinessExits {
  static let none = {
    var exits = everyPlayer
    (exits.whenFull, exits.whenIdle) = (false, false)
    return exits
  }()
}

extension Estimate {
  /// What is believed of a file whose line is believed in.
  static let line = Estimate(isLine: true)
}

extension ReadinessRule {
  func verdict(
    on snapshot: Snapshot, _ estimate: Estimate = .line, _ ladder: Ladder = .empty,
    _ memory: ReadinessMemory = ReadinessMemory()
  ) -> ReadinessVerdict {
    verdict(snapshot, estimate, ladder, memory)
  }
}

func seconds(_ value: Int64) -> Instant { .zero + .seconds(value) }
func milliseconds(_ value: Int64) -> Instant { .zero + .milliseconds(value) }

/// A ladder of rungs with these bit rates and segments of equal length.
func ladder(_ rates: [Int64], segments: Int64 = 10, of length: MediaTime = .seconds(6)) -> Ladder {
  Ladder(
    rungs: rates.map { Ladder.Rung(bandwidth: $0) },
    boundaries: (0...segments).map { MediaTime(nanoseconds: $0 * length.nanoseconds) })
}

extension EligibleRungs {
  /// All rungs of a ladder.
  convenience init(allOf ladder: Ladder) {
    self.init(ladder, ladder.rungs.map { _ in true })
  }
}

extension Policy {
  /// The answer to a snapshot that nobody goes on with.
  mutating func readiness(
    _ snapshot: Snapshot, _ ladder: Ladder, _ judgement: inout Judgement
  ) -> ReadinessVerdict {
    var snapshot = snapshot
    return readiness(&snapshot, ladder, &judgement)
  }
}

extension Verdict {
  /// The verdict without its forecast.
  var plain: Verdict {
    var verdict = self
    verdict.late = nil
    return verdict
  }
}
