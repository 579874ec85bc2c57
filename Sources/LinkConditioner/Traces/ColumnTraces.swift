import VirtualTime

// The formats with a sample a line.

typealias TimedSample = (nanoseconds: Int64, rate: BitRate)

extension TraceDraft {
  /// Pensieve's "cooked" traces: seconds, Mbit/s, each labelled by the end of its interval.
  mutating func readPensieve(_ source: SourceText) throws(ImportError) {
    var samples: [TimedSample] = []
    for line in source.dataLines() {
      let fields = try source.fields(line, 2, "seconds and Mbit/s")
      let value = try source.decimal(fields[1], line)
      let rate = try rate(value, power: 6, line: line.number, text: source.bytes[fields[1]])
      samples.append((try source.time(fields[0], line, power: 9), rate))
      try check(samples, line)
    }
    appendTimed(samples)
  }

  mutating func check(_ samples: [TimedSample], _ line: SourceText.Line) throws(ImportError) {
    lastLine = line.number
    guard samples.count > 1 else { return }
    if samples[samples.count - 1].nanoseconds < samples[samples.count - 2].nanoseconds {
      throw ImportError(line: line.number, .timeGoesBack)
    }
  }

  mutating func appendTimed(_ samples: [TimedSample]) {
    guard let first = samples.first, let last = samples.last else { return }
    let doubled = zip(samples, samples.dropFirst()).count { $0.nanoseconds == $1.nanoseconds }
    if doubled == 1 {
      notes.append("a sample has the same time as another and lasts no time")
    } else if doubled > 1 {
      notes.append("\(doubled) samples have the same time as another and last no time")
    }
    switch reading.interval {
    case .explicit: break
    case .ends:
      // Pensieve: begins at the first sample's time, and every further round at zero, so that the
      // second sample then covers the time before the first, whose own rate is never used.
      notes.append("the first sample's rate is not used: its interval ends before the trace begins")
      offset = .nanoseconds(first.nanoseconds)
      var time: Int64 = 0
      for sample in samples.dropFirst() {
        append(nanoseconds: sample.nanoseconds - time, .limited(sample.rate))
        time = sample.nanoseconds
      }
    case .starts:
      if first.nanoseconds > 0 { notes.append("the trace begins with its first sample") }
      for (sample, next) in zip(samples, samples.dropFirst()) {
        append(nanoseconds: next.nanoseconds - sample.nanoseconds, .limited(sample.rate))
      }
      if reading.ending == .loops { notes.append("the last sample lasts a second") }
      append(nanoseconds: 1_000_000_000, .limited(last.rate))
    }
  }

  /// The raw logs of Riiser et al.: what was received in the milliseconds before.
  mutating func readHSDPA(_ source: SourceText) throws(ImportError) {
    var previous: Int64 = 0
    for (index, line) in source.dataLines().enumerated() {
      let fields = try source.fields(line, 6, "epoch, ms, latitude, longitude, bytes, ms they took")
      lastLine = line.number
      let time = try source.time(fields[1], line, power: 6)
      if index > 0 && time < previous { throw ImportError(line: line.number, .timeGoesBack) }
      previous = time
      let bytes = try source.count(fields[4], line)
      let span = try source.count(fields[5], line)
      if span == 0 && bytes == 0 { continue }
      guard span > 0 else { throw ImportError(line: line.number, .noDuration) }
      guard span <= 1_000_000_000_000, bytes <= LinkLimits.mostBytes else {
        throw ImportError(line: line.number, .outOfRange("\(bytes) bytes in \(span) ms"))
      }
      let rate = try rate(bytes * 8_000, over: span, line: line.number)
      append(nanoseconds: span * 1_000_000, .limited(rate))
    }
  }

  /// mm-link's packet delivery opportunities, each a packet of 1,500 bytes in a millisecond.
  mutating func readMahimahi(_ source: SourceText) throws(ImportError) {
    // The packets of each millisecond in which there is one, in order.
    var slots: [(time: Int64, packets: Int64)] = []
    for line in source.dataLines() {
      let fields = try source.fields(line, 1, "milliseconds")
      lastLine = line.number
      guard let time = try? source.count(fields[0], line) else {
        throw ImportError(line: line.number, .noMillisecond(source.text(fields[0])))
      }
      if time > 1_000_000_000_000 {
        throw ImportError(line: line.number, .outOfRange("\(time) ms"))
      }
      let previous = slots.last?.time ?? 0
      if time < previous { throw ImportError(line: line.number, .timeGoesBack) }
      if time == previous && !slots.isEmpty {
        slots[slots.count - 1].packets += 1
      } else {
        slots.append((time, 1))
      }
    }
    guard let length = slots.last?.time, length > 0 else {
      throw ImportError(line: lastLine, .noDuration)
    }
    try appendSlots(wrapped(slots, length: length))
  }

  /// The packets at the very beginning and at the very end of a loop fall together: in the last
  /// millisecond where a packet ends its millisecond, in the first where it starts it.
  private mutating func wrapped(
    _ slots: [(time: Int64, packets: Int64)], length: Int64
  ) -> [(time: Int64, packets: Int64)] {
    var slots = slots
    notes.append("a packet of 1,500 bytes is spread over its millisecond")
    switch reading.interval {
    case .ends, .explicit:
      if let first = slots.first, first.time == 0 {
        slots.removeFirst()
        slots[slots.count - 1].packets += first.packets
      }
      return slots.map { ($0.time - 1, $0.packets) }
    case .starts:
      let last = slots.removeLast()
      if let first = slots.first, first.time == 0 {
        slots[0].packets += last.packets
      } else {
        slots.insert((0, last.packets), at: 0)
      }
      return slots + [(length, 0)]
    }
  }

  private mutating func appendSlots(_ slots: [(time: Int64, packets: Int64)]) throws(ImportError) {
    var end: Int64 = 0
    for slot in slots {
      if slot.time > end {
        append(nanoseconds: (slot.time - end) * 1_000_000, .limited(.zero))
      }
      end = slot.time + 1
      if slot.packets == 0 { continue }
      let rate = try rate(slot.packets * 12_000_000, over: 1, line: lastLine)
      if let last = steps.last, last.bandwidth == .limited(rate) {
        steps[steps.count - 1].duration += .milliseconds(1)
      } else {
        append(nanoseconds: 1_000_000, .limited(rate))
      }
    }
  }
}
