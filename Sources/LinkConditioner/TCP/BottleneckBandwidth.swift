/// BBR, version 1: a model of the path in place of a window that losses shrink.
///
/// Cardwell et al., "BBR: Congestion-Based Congestion Control" (2016), and
/// draft-cardwell-iccrg-bbr-congestion-control-00; its detection of policers and its
/// allowance for gathered acknowledgements are left out.
package struct BottleneckBandwidth: Sendable {
  private enum Mode: Sendable { case startup, drain, probeBandwidth, probeRoundTrip }

  /// Gains are in 256ths, bandwidths in segments a microsecond times 2^24.
  private static let unit: Int64 = 256
  /// 2 ÷ ln 2.
  private static let highGain: Int64 = unit * 2885 / 1000 + 1
  private static let cycle: [Int64] = [320, 192, 256, 256, 256, 256, 256, 256]
  private static let scale: Int64 = 1 << 24
  private static let leastWindow: Int64 = 4
  private static let roundTripWindow: Int64 = 10_000_000_000
  private static let probeDuration: Int64 = 200_000_000

  private var mode = Mode.startup
  private var phase = 0
  private var phaseStart: Int64 = 0
  /// The largest samples of the last ten round trips, in descending order.
  private var samples: [(round: Int64, value: Int64)] = []
  private var round: Int64 = 0
  private var roundEnd: Int64 = 0
  private var beginsRound = false
  private var fullBandwidth: Int64 = 0
  private var fullCount = 0
  private var isFull = false
  private var minimumRoundTrip: Int64 = .max
  private var minimumAt: Int64 = 0
  private var probeEnd: Int64?
  private var hasProbedRound = false
  private var restartsFromIdle = false
  private var windowBefore: Int64 = 0
  private var conserves = false
  private var isRepairing = false
  /// Bytes a second.
  private(set) var pacingRate: Int64 = 0

  private var bandwidth: Int64 { samples.first?.value ?? 0 }

  private var gains: (pacing: Int64, window: Int64) {
    switch mode {
    case .startup: (Self.highGain, Self.highGain)
    case .drain: (Self.unit * 1000 / 2885, Self.highGain)
    case .probeBandwidth: (Self.cycle[phase], 2 * Self.unit)
    case .probeRoundTrip: (Self.unit, Self.unit)
    }
  }

  /// Segments that leave together: a millisecond's worth, at least two above 1.2 Mbit/s.
  var burst: Int64 {
    let least: Int64 = pacingRate < 150_000 ? 1 : 2
    return max(min(pacingRate >> 10, 65_215) / Packet.segmentBytes, least)
  }

  mutating func begin(roundTrip: Int64?, window: Int64, at now: Int64) {
    if let roundTrip { minimumRoundTrip = max(roundTrip / 1_000, 1) }
    minimumAt = now
    let span = max((roundTrip ?? 1_000_000) / 1_000, 1)
    pacingRate = rate(window * Self.scale / span, gain: Self.highGain)
  }

  private func rate(_ bandwidth: Int64, gain: Int64) -> Int64 {
    // One per cent below the bandwidth, so that a queue drains.
    let bytes = Int128(bandwidth * Packet.segmentBytes * gain / Self.unit) * 990_000
    return Int64(truncatingIfNeeded: bytes / Int128(Self.scale))
  }

  private func product(_ gain: Int64) -> Int64 {
    guard minimumRoundTrip != .max else { return 10 }
    let segments = Int128(bandwidth) * Int128(minimumRoundTrip) * Int128(gain) / 256
    return Int64(truncatingIfNeeded: (segments + Int128(Self.scale) - 1) / Int128(Self.scale))
  }

  private func budget(_ segments: Int64) -> Int64 {
    let even = (segments + 3 * burst + 1) & ~1
    return mode == .probeBandwidth && phase == 0 ? even + 2 : even
  }

  /// Hears of an acknowledgement; returns the window.
  mutating func hear(
    _ sample: DeliveryRate.Sample, window: Int64, inFlight: Int64, repairs: Bool,
    rate: inout DeliveryRate, at now: Int64
  ) -> Int64 {
    updateBandwidth(sample, delivered: rate.delivered)
    if mode == .probeBandwidth, endsPhase(sample, at: now) { advancePhase(at: now) }
    checkFull(sample)
    if mode == .startup, isFull { mode = .drain }
    if mode == .drain, inFlight <= budget(product(Self.unit)) {
      enterCruise(rate.delivered, at: now)
    }
    var window = window
    updateRoundTrip(sample, &window, inFlight: inFlight, rate: &rate, at: now)
    let wanted = self.rate(bandwidth, gain: gains.pacing)
    if bandwidth > 0, isFull || wanted > pacingRate { pacingRate = wanted }
    return self.window(
      window, sample, inFlight: inFlight, delivered: rate.delivered, repairs: repairs)
  }

  private mutating func updateBandwidth(_ sample: DeliveryRate.Sample, delivered: Int64) {
    beginsRound = false
    guard sample.interval > 0 else { return }
    if sample.priorDelivered >= roundEnd {
      roundEnd = delivered
      round += 1
      beginsRound = true
      conserves = false
    }
    let value = sample.delivered * Self.scale / sample.interval
    guard !sample.isLimited || value >= bandwidth else { return }
    samples.removeAll { $0.round <= round - 10 }
    while let last = samples.last, last.value <= value { samples.removeLast() }
    samples.append((round, value))
  }

  private func endsPhase(_ sample: DeliveryRate.Sample, at now: Int64) -> Bool {
    let isLong = (now - phaseStart) / 1_000 > minimumRoundTrip
    let gain = Self.cycle[phase]
    if gain < Self.unit { return isLong || sample.priorInFlight <= budget(product(Self.unit)) }
    let isFilled = sample.lost > 0 || sample.priorInFlight >= budget(product(gain))
    return isLong && (gain == Self.unit || isFilled)
  }

  private mutating func advancePhase(at now: Int64) {
    phase = (phase + 1) & 7
    phaseStart = now
  }

  /// Any phase but the one that drains may be the first; the count of segments chooses it.
  private mutating func enterCruise(_ delivered: Int64, at now: Int64) {
    mode = .probeBandwidth
    phase = 7 - Int(delivered % 7)
    advancePhase(at: now)
  }

  private mutating func checkFull(_ sample: DeliveryRate.Sample) {
    guard !isFull, beginsRound, !sample.isLimited else { return }
    let grows = bandwidth >= fullBandwidth * 5 / 4
    if grows { fullBandwidth = bandwidth }
    fullCount = grows ? 0 : fullCount + 1
    isFull = fullCount >= 3
  }

  private mutating func updateRoundTrip(
    _ sample: DeliveryRate.Sample, _ window: inout Int64, inFlight: Int64,
    rate: inout DeliveryRate, at now: Int64
  ) {
    let isOld = now > minimumAt + Self.roundTripWindow
    if let roundTrip = sample.roundTrip, roundTrip / 1_000 < minimumRoundTrip || isOld {
      minimumRoundTrip = max(roundTrip / 1_000, 1)
      minimumAt = now
    }
    if isOld, !restartsFromIdle, mode != .probeRoundTrip {
      save(window)
      mode = .probeRoundTrip
      probeEnd = nil
    }
    if mode == .probeRoundTrip {
      rate.applicationPauses(inFlight: inFlight)
      if let end = probeEnd {
        if beginsRound { hasProbedRound = true }
        if hasProbedRound, now > end {
          minimumAt = now
          window = max(window, windowBefore)
          if isFull { enterCruise(rate.delivered, at: now) } else { mode = .startup }
        }
      } else if inFlight <= Self.leastWindow {
        probeEnd = now + Self.probeDuration
        hasProbedRound = false
        roundEnd = rate.delivered
      }
    }
    if sample.delivered > 0 { restartsFromIdle = false }
  }

  private mutating func window(
    _ old: Int64, _ sample: DeliveryRate.Sample, inFlight: Int64, delivered: Int64, repairs: Bool
  ) -> Int64 {
    var window = old
    if sample.acknowledged > 0 {
      window = max(window - sample.lost, 1)
      if repairs, !isRepairing {
        conserves = true
        roundEnd = delivered
        window = inFlight + sample.acknowledged
      } else if isRepairing, !repairs {
        window = max(window, windowBefore)
        conserves = false
      }
      isRepairing = repairs
      if conserves {
        window = max(window, inFlight + sample.acknowledged)
      } else {
        let target = budget(product(gains.window))
        if isFull {
          window = min(window + sample.acknowledged, target)
        } else if window < target || delivered < 10 {
          window += sample.acknowledged
        }
        window = max(window, Self.leastWindow)
      }
    }
    return mode == .probeRoundTrip ? min(window, Self.leastWindow) : window
  }

  /// Remembers the window before a recovery or a probe of the round trip.
  mutating func save(_ window: Int64) {
    windowBefore = isRepairing || mode == .probeRoundTrip ? max(windowBefore, window) : window
  }

  /// A retransmission timeout.
  mutating func timeOut() {
    isRepairing = true
    fullBandwidth = 0
  }

  /// Sending starts again after the application had nothing to send.
  mutating func resume() {
    restartsFromIdle = true
    if mode == .probeBandwidth { pacingRate = rate(bandwidth, gain: Self.unit) }
  }
}

/// A paced sender: BBR's model of the path, and bursts of a millisecond's worth spaced by its rate.
package struct Pacing: Sendable {
  var model = BottleneckBandwidth()
  var rate = DeliveryRate()
  /// The instant before which nothing more leaves, and the timer that waits for it.
  private var until: Int64 = 0
  private(set) var wakeAt: Int64 = .max
  /// The segments of the present burst that are still to leave.
  private var burstLeft: Int64 = 0

  /// Whether the rate lets a segment go; otherwise the timer of the next burst is set.
  mutating func mayLeave(at now: Int64) -> Bool {
    if until <= now || burstLeft > 0 { return true }
    wakeAt = until
    return false
  }

  /// Whether the timer has run out, which stops it.
  mutating func wakes(at now: Int64) -> Bool {
    guard wakeAt <= now else { return false }
    wakeAt = .max
    return true
  }

  /// A segment leaves, for the first time or at a known position once more.
  mutating func leaves(
    _ length: Int32, again position: Int64?, isFirst: Bool, next: Int64, at now: Int64
  ) {
    if isFirst, rate.limitedUntil > 0 { model.resume() }
    rate.send(again: position, isFirst: isFirst, at: now)
    burstLeft = burstLeft > 0 ? burstLeft - 1 : model.burst - 1
    // The first ten segments of a connection leave at once.
    guard next >= 10 * Packet.segmentBytes, model.pacingRate > 0 else { return }
    let span = Int64(length) * 1_000_000_000 / model.pacingRate
    until = max(until, now) + span - min(span / 2, max(now - until, 0))
  }

  mutating func hear(
    _ news: RecentAcknowledgement, minimumRoundTrip: Int64, window: Int64, inFlight: Int64,
    repairs: Bool, at now: Int64
  ) -> Int64 {
    var sample = rate.sample(of: news.delivered, minimumRoundTrip: minimumRoundTrip, at: now)
    sample.lost = news.newlyLost
    sample.roundTrip = news.roundTrip
    sample.priorInFlight = news.priorInFlight
    return model.hear(
      sample, window: window, inFlight: inFlight, repairs: repairs, rate: &rate, at: now)
  }
}

/// Rates of delivery, measured from each segment's sending to its acknowledgement
/// (draft-cheng-iccrg-delivery-rate-estimation-00).
package struct DeliveryRate: Sendable {
  struct Sample: Sendable {
    var delivered: Int64 = 0
    var priorDelivered: Int64 = 0
    /// Microseconds; zero where the acknowledgement gave no rate.
    var interval: Int64 = 0
    var isLimited = false
    var acknowledged: Int64 = 0
    var lost: Int64 = 0
    var priorInFlight: Int64 = 0
    var roundTrip: Int64?
  }

  private struct Stamp: Sendable {
    var delivered: Int64 = 0
    var deliveredAt: Int64 = 0
    var firstSentAt: Int64 = 0
    var isLimited = false
  }

  private(set) var delivered: Int64 = 0
  private var deliveredAt: Int64 = 0
  private var firstSentAt: Int64 = 0
  /// The count of delivered segments up to which samples tell of the application; zero for none.
  private(set) var limitedUntil: Int64 = 0
  private var stamps = Ring(filler: Stamp())
  private var latest: (stamp: Stamp, sentAt: Int64, end: Int64)?

  mutating func send(again position: Int64?, isFirst: Bool, at now: Int64) {
    if isFirst {
      firstSentAt = now
      deliveredAt = now
    }
    let stamp = Stamp(
      delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt,
      isLimited: limitedUntil > 0)
    if let position { stamps[position] = stamp } else { stamps.append(stamp) }
  }

  /// A segment is known to have arrived.
  mutating func hear(_ segment: OutstandingSegment, at position: Int64) {
    if let latest, (segment.sentAt, segment.end) <= (latest.sentAt, latest.end) { return }
    latest = (stamps[position], segment.sentAt, segment.end)
    firstSentAt = segment.sentAt
  }

  /// The oldest segment is acknowledged.
  mutating func removeFirst(_ segment: OutstandingSegment, at position: Int64) {
    if !segment.isSelectivelyAcknowledged { hear(segment, at: position) }
    _ = stamps.removeFirst()
  }

  /// The application has nothing more to send: what is under way tells of it.
  mutating func applicationPauses(inFlight: Int64) { limitedUntil = max(delivered + inFlight, 1) }

  /// The sample of an acknowledgement by which so many segments arrived.
  mutating func sample(of count: Int64, minimumRoundTrip: Int64, at now: Int64) -> Sample {
    delivered += count
    if limitedUntil > 0, delivered > limitedUntil { limitedUntil = 0 }
    if count > 0 { deliveredAt = now }
    var sample = Sample(acknowledged: count)
    guard let (stamp, sentAt, _) = latest else { return sample }
    latest = nil
    sample.priorDelivered = stamp.delivered
    sample.delivered = delivered - stamp.delivered
    sample.isLimited = stamp.isLimited
    let interval = max(sentAt - stamp.firstSentAt, now - stamp.deliveredAt)
    if interval >= minimumRoundTrip { sample.interval = interval / 1_000 }
    return sample
  }
}
