import ExactText
import VirtualTime

/// A trace while it is read: steps so far, and what has to be said about them.
struct TraceDraft {
  let format: TraceFormat
  var reading: TraceReading
  private let options: ImportOptions
  var steps: [RateSchedule.Step] = []
  var offset = TimeSpan.zero
  var conditions = LinkConditions.perfect
  var notes: [String] = []
  /// The line of the last sample, for an error that concerns all samples.
  var lastLine = 1

  init(format: TraceFormat, options: ImportOptions) {
    self.format = format
    self.options = options
    reading = format.usualReading
    reading.ending = options.ending ?? reading.ending
    reading.clock = options.clock ?? reading.clock
    reading.answersInOutages = options.answersInOutages ?? reading.answersInOutages
    guard let interval = options.interval, interval != reading.interval else { return }
    if interval == .explicit || reading.interval == .explicit {
      notes.append("a sample of this format says how long it lasts itself")
    } else {
      reading.interval = interval
    }
  }

  mutating func append(nanoseconds: Int64, _ bandwidth: Bandwidth, latency: Int64 = 0) {
    steps.append(
      .init(
        duration: .nanoseconds(nanoseconds), bandwidth: bandwidth,
        latency: .nanoseconds(latency)))
  }

  /// A written rate, in units of `factor × 10 ^ power` bits per second, less what is not payload.
  func rate(
    _ value: ExactDecimal, times factor: Int64 = 1, power: Int, line: Int,
    text field: ArraySlice<UInt8>
  ) throws(ImportError) -> BitRate {
    var scale: Int64 = factor
    for _ in 0..<power { scale *= 10 }
    guard let (numerator, denominator) = try? value.ratio(times: scale) else {
      throw ImportError(line: line, .outOfRange(shortText(field)))
    }
    if let exact = Int64(exactly: numerator), let parts = Int64(exactly: denominator) {
      return try rate(exact, over: parts, line: line)
    }
    // A float has digits that no link has: a millionth of a bit is fine enough.
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard whole < Int128(Int64.max / 2_000_000) else {
      throw ImportError(line: line, .outOfRange(shortText(field)))
    }
    let millionths = whole * 1_000_000 + rest / max(1, denominator / 1_000_000)
    return try rate(Int64(millionths), over: 1_000_000, line: line)
  }

  func rate(_ numerator: Int64, over denominator: Int64, line: Int) throws(ImportError) -> BitRate {
    let payload = options.payload
    let rate = BitRate(bitsPerSecond: numerator, over: denominator)
      .scaled(payload.numerator, over: payload.denominator, finest: LinkLimits.finestDenominator)
    if rate > LinkLimits.fastestRate { throw ImportError(line: line, .link(.rateTooFast(rate))) }
    return rate
  }

  func finished() throws(ImportError) -> ImportedTrace {
    if steps.isEmpty { throw ImportError(line: lastLine, .noDuration) }
    var notes = notes
    let schedule: RateSchedule
    do throws(LinkError) {
      schedule = try self.schedule(steps)
    } catch {
      switch error {
      case .ratesTooFine:
        notes.append("rates without a common denominator: rounded to a millionth of a bit/s")
        schedule = try roundedSchedule()
      case .emptySchedule: throw ImportError(line: lastLine, .noDuration)
      case .rateTooFast, .lossTooFine, .negativeTime, .scheduleTooLong:
        throw ImportError(line: lastLine, .link(error))
      }
    }
    return ImportedTrace(
      format: format, reading: reading, schedule: schedule, conditions: conditions, notes: notes)
  }

  private func schedule(_ steps: [RateSchedule.Step]) throws(LinkError) -> RateSchedule {
    try RateSchedule(
      steps: steps, ending: reading.ending, clock: reading.clock, offset: offset,
      answersInOutages: reading.answersInOutages)
  }

  private func roundedSchedule() throws(ImportError) -> RateSchedule {
    let rounded = steps.map { step in
      var step = step
      switch step.bandwidth {
      case .unlimited: break
      case .limited(let rate):
        let millionths = scaled(
          rate.numerator, by: 1_000_000, over: rate.denominator, rounding: .down)
        step.bandwidth = .limited(BitRate(bitsPerSecond: millionths, over: 1_000_000))
      }
      return step
    }
    return try rethrowing(try schedule(rounded)) { (error: LinkError) in
      ImportError(line: lastLine, .link(error))
    }
  }
}
