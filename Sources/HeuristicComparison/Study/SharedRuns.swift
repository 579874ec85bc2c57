import LinkConditioner

/// Results of sessions that differ in their seeds alone, by their random draws.
///
/// Two sessions are the same up to the first draw that differs, and to their end where none does:
/// the draws of another seed identify the finished session that it would repeat.
struct SharedRuns {
  /// A run that parts from an earlier one at a draw.
  private struct Run {
    /// The number of draws before those in `draws`.
    let begins: Int
    let draws: [FaultDraw]
    let finished: FinishedSession
    /// Those that part from it, each at the number of a draw.
    var partings: [(draw: Int, run: Int)] = []

    /// The draw of a number; nil past the last one.
    func draw(_ number: Int) -> FaultDraw? {
      number < begins + draws.count ? draws[number - begins] : nil
    }

    func parting(at draw: Int) -> Int? {
      for parting in partings where parting.draw == draw { return parting.run }
      return nil
    }
  }

  private let faults: FaultPlan
  private var runs: [Run] = []
  /// The number of draws kept over all runs.
  private var drawCount = 0

  /// As much as is kept: some megabytes.
  private static let most = (runs: 1 << 14, draws: 1 << 19)

  init(_ faults: FaultPlan) {
    self.faults = faults
  }

  /// The finished session that a seed would repeat; nil where no run has the same draws.
  func finished(withSeed seed: UInt64) -> FinishedSession? {
    if runs.isEmpty { return nil }
    if runs[0].draws.isEmpty { return runs[0].finished }
    var chances = FaultChances(faults, seed: seed)
    var (run, number) = (0, 0)
    while let draw = runs[run].draw(number) {
      if chances.draw(Int(draw.rule)) != draw.happens {
        guard let other = runs[run].parting(at: number) else { return nil }
        run = other
      }
      number += 1
    }
    return runs[run].finished
  }

  /// Keeps what came of a session, where draws that are listed say which others are like it.
  mutating func keep(_ finished: FinishedSession, _ draws: LinkDraws) {
    if !draws.areListed || runs.count >= Self.most.runs { return }
    var (run, number, begins) = (0, 0, 0)
    if !runs.isEmpty {
      while true {
        guard number < draws.ofFaults.count, let known = runs[run].draw(number) else { return }
        if known != draws.ofFaults[number] {
          guard let other = runs[run].parting(at: number) else { break }
          run = other
        }
        number += 1
      }
      begins = number + 1
    }
    let rest = Array(draws.ofFaults[begins...])
    if drawCount + rest.count > Self.most.draws { return }
    drawCount += rest.count
    if !runs.isEmpty { runs[run].partings.append((number, runs.count)) }
    runs.append(Run(begins: begins, draws: rest, finished: finished))
  }
}
