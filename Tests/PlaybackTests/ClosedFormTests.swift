import SimulatedWorld
import Testing

/// A constant link below a constant bit rate, where everything can be computed by hand.
@Suite struct ClosedFormTests {
  struct Outcome: Equatable {
    var start: Double
    var stalls: Int64
    var stalled: Double
  }

  struct Row: CustomStringConvertible {
    var heuristic: KeepUpHeuristic
    /// Link over media, in thousandths.
    var speed: Int64
    /// As published, to two decimals.
    var published: Outcome
    var description: String { "\(heuristic) at \(speed)" }
  }

  static let length = 60.0

  static let rows: [Row] = {
    let publish: [(KeepUpHeuristic, [(Int64, Double, Int64, Double)])] = [
      (seconds(1_000, 2_000), [(500, 2, 15, 60), (800, 1.25, 6, 15), (950, 1.05, 1, 2.11)]),
      (seconds(100, 1_000), [(500, 0.2, 30, 60), (800, 0.12, 12, 15), (950, 0.11, 3, 3.16)]),
      (seconds(3_000, 3_000), [(500, 6, 9, 54), (800, 3.75, 3, 11.25), (950, 3.16, 0, 0)]),
      (seconds(5_000, 15_000), [(500, 10, 2, 60), (800, 6.25, 1, 18.75), (950, 5.26, 0, 0)]),
      (.playThrough(safety: .none), [(500, 60, 0, 0), (800, 15, 0, 0), (950, 3.16, 0, 0)]),
      (
        .playThrough(safety: SafetyFactor(11, over: 10)),
        [(500, 65.45, 0, 0), (800, 20.45, 0, 0), (950, 8.61, 0, 0), (1_000, 5.45, 0, 0)]
      ),
    ]
    return publish.flatMap { heuristic, cells in
      cells.map { speed, start, stalls, stalled in
        Row(
          heuristic: heuristic, speed: speed,
          published: Outcome(start: start, stalls: stalls, stalled: stalled))
      }
    }
  }()

  private static func seconds(_ start: Int64, _ resume: Int64) -> KeepUpHeuristic {
    .thresholds(start: .milliseconds(start), resume: .milliseconds(resume))
  }

  /// By the recursion: each stall waits for the mark and buys what the mark lasts.
  static func expected(_ row: Row) -> Outcome {
    let ratio = Double(row.speed) / 1_000
    switch row.heuristic {
    case .playThrough(let safety):
      let factor = Double(safety.numerator) / Double(safety.denominator)
      return Outcome(start: max(0, length * (1 / ratio - 1 / factor)), stalls: 0, stalled: 0)
    case .thresholds(let start, let resume):
      let marks = (Double(start.nanoseconds) / 1e9, Double(resume.nanoseconds) / 1e9)
      var outcome = Outcome(start: marks.0 / ratio, stalls: 0, stalled: 0)
      var played = marks.0 / (1 - ratio)
      while played < length - 1e-6 {
        let mark = min(marks.1, length - played)
        outcome.stalls += 1
        outcome.stalled += mark / ratio
        played += mark / (1 - ratio)
      }
      return outcome
    case .everythingLoaded: return Outcome(start: length / ratio, stalls: 0, stalled: 0)
    case .immediate: return Outcome(start: 0, stalls: 0, stalled: 0)
    }
  }

  @Test(arguments: rows)
  func `start, number of stalls and stalled time are as the closed form says`(_ row: Row) throws {
    let bench = try Bench(speed: row.speed, duration: .seconds(60)) {
      $0.heuristic = row.heuristic
    }
    bench.player.play()
    #expect(bench.world.run() == .finished)
    let books = bench.player.books
    let expected = Self.expected(row)
    #expect(try #require(books.startupDelay).isAbout(expected.start))
    #expect(books.stallCount == expected.stalls)
    #expect(books.stalled.isAbout(expected.stalled))
    #expect(abs(expected.start - row.published.start) < 0.0051)
    #expect(expected.stalls == row.published.stalls)
    #expect(abs(expected.stalled - row.published.stalled) < 0.0051)
    #expect(bench.world.finish() == [])
  }

  @Test(arguments: [1_000, 1_300])
  func `a link as fast as the media never stalls`(_ speed: Int64) throws {
    for row in Self.rows {
      let bench = try Bench(speed: speed, duration: .seconds(60)) { $0.heuristic = row.heuristic }
      bench.player.play()
      #expect(bench.world.run() == .finished)
      #expect(bench.player.books.stallCount == 0)
    }
  }
}
