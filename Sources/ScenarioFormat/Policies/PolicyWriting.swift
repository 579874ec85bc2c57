package import ExactText
package import PlayerPolicies
import VirtualTime

// Policies in the words of scenarios: a scenario that holds what is written here has the same rule.

extension PolicyDescription {
  package var written: JSONTree { .members(SeatRow.all.map { ($0.name, $0.written(self)) }) }
}

private func span(_ time: some StoredTime) -> JSONTree {
  .string(JSONTree.secondsText(time.nanoseconds))
}

private func share(_ percent: Int64) -> JSONTree { .string("\(percent) %") }

private func size(_ count: Int64) -> JSONTree { .string("\(count) B") }

private func bitRate(_ bitsPerSecond: Int64) -> JSONTree { .string("\(bitsPerSecond) bit/s") }

private func decimal(_ thousandths: Int64) -> JSONTree { .seconds(thousandths * 1_000_000) }

extension SinkDescription {
  var written: JSONTree {
    [
      "frame": span(frame), "frameOfPackets": span(frameOfPackets),
      "leastToStart": span(leastToStart), "leastToResume": span(leastToResume),
      "holds": span(holds), "predictsOnce": predictsOnce ? true : nil, "warmUp": span(warmUp),
      "setUp": setUp > .zero ? span(setUp) : nil, "freezes": span(freezes),
      "seeksAtFreeze": seeksAtFreeze ? true : nil,
    ]
  }
}

extension ReadinessExits {
  var written: JSONTree { ["whenFull": .boolean(whenFull), "whenIdle": .boolean(whenIdle)] }
}

extension StallRule {
  var written: JSONTree {
    switch self {
    case .whenDry: "whenDry"
    case .below(let mark, let period, let silent):
      ["below": span(mark), "every": span(period), "silent": silent.map { span($0) }]
    case .belowUnlessPlayThrough(let mark): ["below": span(mark), "unlessPlayThrough": true]
    case .belowWithArriving(let mark): ["below": span(mark), "countsArriving": true]
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension ReadinessRule {
  var written: JSONTree {
    switch self {
    case .level(let level): level.written
    case .escalating(let rule): ["escalating": rule.written]
    case .queue(let rule):
      ["queue": ["downstream": span(rule.downstream), "holds": span(rule.span)]]
    case .lateness(let rule): ["lateness": rule.written]
    case .playThrough(let rule): ["playThrough": rule.written]
    case .everythingLoaded: "everythingLoaded"
    case .after(let time, let timesRate): [(timesRate ? "afterTimesRate" : "after"): span(time)]
    case .at(let instant): ["at": span(instant)]
    case .any(let rules): ["any": .list(rules) { $0.written }]
    case .all(let rules): ["all": .list(rules) { $0.written }]
    case .every(let period, let origin, let rule):
      [
        "every": [
          "period": span(period), "from": .string(origin.rawValue), "rule": rule.written,
        ]
      ]
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension Level {
  fileprivate var written: JSONTree {
    switch self {
    case .anything: "anything"
    case .media(let time): ["media": span(time)]
    case .playingTime(let time): ["playingTime": span(time)]
    case .bytes(let count): ["bytes": size(count)]
    case .segments(let count): ["segments": .whole(count)]
    case .shareOfMediaLimit(let part): ["mediaLimitShare": share(part)]
    case .shareOfByteLimit(let part): ["byteLimitShare": share(part)]
    case .sound(let time): ["sound": span(time)]
    case .pictures(let time): ["pictures": span(time)]
    case .shareOfLiveTarget(let part): ["liveShare": share(part)]
    case .mediaWithArriving(let time): ["arriving": span(time)]
    }
  }
}

extension EscalatingLevel {
  fileprivate var written: JSONTree {
    [
      "marks": .list(marks) { $0.written }, "raise": .string(raise.rawValue),
      "seekResets": .boolean(seekResets), "patience": patience.map { span($0) },
      "silent": silent?.written,
    ]
  }
}

extension LatenessLevel {
  fileprivate var written: JSONTree {
    [
      "from": span(delay), "step": span(step), "most": span(most), "reach": span(reach),
      "lag": span(lag),
    ]
  }
}

extension PlayThrough {
  fileprivate var written: JSONTree {
    [
      "safety": share(scaled(100, by: safety.numerator, over: safety.denominator, rounding: .up)),
      "whenEndUnknown": .boolean(whenEndUnknown), "everyByte": .boolean(everyByte),
      "margin": span(margin.span), "shareOfWait": share(margin.percentOfWait),
      "beyondEnd": beyondEnd > 0 ? size(beyondEnd) : nil,
    ]
  }
}

extension EstimatorDescription {
  var written: JSONTree {
    let measured: JSONTree =
      switch measure {
      case .line(let otherwise): ["line": otherwise.written]
      case .history(let rule): ["history": rule.written]
      case .samples(let samples): ["samples": samples.written]
      }
    let gated: JSONTree = [
      "bytes": gate.bytes != .max ? size(gate.bytes) : nil,
      "transfer": gate.span != .forever ? span(gate.span) : nil,
    ]
    return measured + ["prior": prior.map(bitRate), "gate": gate != .none ? gated : nil]
  }
}

extension HistoryRule {
  fileprivate var written: JSONTree {
    switch self {
    case .sinceBeginning: "sinceBeginning"
    case .afterThirdOfWait: "afterThirdOfWait"
    case .leastSince(let rule):
      [
        "leastSince": [
          "window": span(rule.window), "leastBytes": size(rule.leastBytes),
          "leastEntries": .whole(rule.leastEntries), "leftOut": .whole(rule.newest),
          "oldest": .whole(rule.oldest),
        ]
      ]
    }
  }
}

extension SampleStatistics {
  fileprivate var written: JSONTree {
    let cut: JSONTree =
      switch sampling.boundary {
      case .requestEnds: "requestEnds"
      case .mainRequestEnds: "mainRequestEnds"
      case .mainSegmentEnds: "mainSegmentEnds"
      case .segmentEnds: "segmentEnds"
      case .progress(let every, let count): ["every": span(every), "bytes": size(count)]
      }
    return [
      "statistics": .list(statistics) { $0.written }, "cut": cut,
      "clock": .string(sampling.clock.rawValue),
      "leastBytes": size(sampling.leastBytes), "leastSpan": span(sampling.leastSpan),
      "countsCancelled": .boolean(sampling.countsCancelled),
    ]
  }
}

extension SampleStatistic {
  fileprivate var written: JSONTree {
    switch self {
    case .last: "last"
    case .mean(let count): ["mean": .whole(count)]
    case .harmonicMean(let count): ["harmonicMean": .whole(count)]
    case .halfLife(let time, let weight): ["halfLife": span(time), "weight": .whole(weight)]
    case .percentile(let part, let limit):
      ["percentile": share(part), "weightLimit": .whole(limit)]
    case .runningMean(let limit): ["runningMean": span(limit)]
    }
  }
}

extension FirstVariantRule {
  var written: JSONTree {
    switch self {
    case .firstListed: "firstListed"
    case .lowest: "lowest"
    case .highest: "highest"
    case .place(let place): ["place": .whole(place)]
    case .probe(let part, let within): ["share": share(part), "probe": span(within)]
    case .withinEstimate(let part, let needs, let assumed, let heedsRate):
      [
        "share": share(part), "needs": needs == 100 ? nil : share(needs),
        "assumed": bitRate(assumed), "heedsRate": heedsRate ? nil : false,
      ]
    }
  }
}

extension NextVariantRule {
  var written: JSONTree {
    switch self {
    case .fixed: "fixed"
    case .throughput(let rule):
      [
        "throughput": [
          "share": share(rule.safetyPercent),
          "needs": rule.neededPercent == 100 ? nil : share(rule.neededPercent),
          "upFrom": span(rule.upSwitchBuffer),
          "upFromShare": rule.upSwitchShare.map(share) ?? .null,
          "upFromShareLive": rule.upSwitchShareIsLive ? true : nil,
          "downBelow": span(rule.downSwitchBuffer),
          "keepsSustained": .boolean(rule.keepsSustained),
          "countsRoundTrips": .boolean(rule.countsRoundTrips),
          "heedsRate": rule.heedsRate ? nil : false,
        ]
      ]
    case .bufferBased(let rule):
      ["buffer": ["reservoir": span(rule.reservoir), "cushion": span(rule.cushion)]]
    case .band(let rule):
      [
        "band": [
          "up": share(rule.upPercent), "down": share(rule.downPercent),
          "apart": span(rule.leastBetweenSwitches), "starvation": rule.starvation.map { span($0) },
        ]
      ]
    case .guarded(let rule): ["guarded": ["share": share(rule.safetyPercent)]]
    case .step(let rule):
      [
        "step": [
          "upFrom": span(rule.upFrom), "downBelow": span(rule.downBelow),
          "apart": span(rule.leastBetweenSwitches),
        ]
      ]
    case .published(let rule): rule.written
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension PublishedRule {
  fileprivate var written: JSONTree {
    switch self {
    case .throughput(let rule, let average): ["sabreThroughput": rule.written + average.written]
    case .bola(let rule, let average): ["bola": rule.written + average.written]
    case .enhancedBola(let rule, let average):
      [
        "enhancedBola": [
          "buffer": span(rule.buffer), "gamma": decimal(rule.gamma),
          "avoidsOscillation": .boolean(rule.avoidsOscillation),
          "bufferRule": .boolean(rule.hasBufferRule),
        ] + average.written
      ]
    case .dynamic(let rule, let average):
      [
        "dynamic": rule.bola.written + rule.throughput.written
          + ["lowBuffer": span(rule.lowMark)] + average.written
      ]
    case .predictive(let seat): ["predictive": seat.written]
    }
  }
}

extension SabreThroughputRule {
  fileprivate var written: JSONTree {
    ["share": share(percent), "bufferRule": .boolean(hasBufferRule)]
  }
}

extension BolaRule {
  fileprivate var written: JSONTree {
    [
      "buffer": span(buffer), "gamma": decimal(gamma), "basic": .boolean(isBasic),
      "avoidsOscillation": .boolean(avoidsOscillation),
    ]
  }
}

extension SabreAverage.Kind {
  fileprivate var written: JSONTree {
    switch self {
    case .halfLives: ["average": ["halfLives": .list(spans ?? []) { span($0) }]]
    case .windows(let all): ["average": ["windows": .list(all) { .whole($0) }]]
    }
  }
}

extension PredictiveSeat {
  fileprivate var written: JSONTree {
    let weights = rule.weights
    return [
      "horizon": .whole(rule.horizon), "quality": decimal(weights.quality),
      "stalling": decimal(weights.stalling), "change": decimal(weights.change),
      "window": .whole(window), "robust": .boolean(isRobust),
      "clock": .string(clock.rawValue), "sizes": .string(sizes.rawValue),
    ]
  }
}

extension ChoiceCustoms {
  var written: JSONTree {
    [
      "at": .string(moment.rawValue), "sizes": .string(sizes.rawValue),
      "again": .string(again.rawValue),
    ]
  }
}

extension AbandonRule {
  var written: JSONTree {
    switch self {
    case .never: "never"
    case .published: "published"
    case .rescue(let rule):
      [
        "patience": rule.patience.map { span($0) } ?? .null,
        "look": rule.lookPercent.map(share) ?? .null, "share": share(rule.safetyPercent),
        "first": rule.first.map { ["every": span($0.every), "gain": span($0.leastGain)] } ?? .null,
      ]
    case .slow(let rule):
      [
        "slow": [
          "from": span(rule.from),
          "fromShare": rule.fromPercent > 0 ? share(rule.fromPercent) : nil,
          "every": span(rule.every), "takes": rule.takesPercent.map(share),
          "margin": rule.takesPercent == nil ? span(rule.margin) : nil,
          "gain": rule.takesPercent == nil ? span(rule.leastGain) : nil,
          "unstarted": .boolean(rule.judgesFirst),
          "choosesAnew": rule.choosesAnew ? .boolean(true) : nil,
        ]
      ]
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension FetchRule {
  /// - Parameter ofFiles: Whether it is a file's: keys that apply to streams alone are left out, or
  ///   those that apply to files alone.
  func written(ofFiles: Bool) -> JSONTree {
    func unlessZero(_ count: Int64) -> JSONTree? { count > 0 ? size(count) : nil }
    let limits: JSONTree = [
      "media": media.map { span($0) } ?? .null, "bytes": self.bytes.map(size) ?? .null,
    ]
    if ofFiles {
      var reopening: JSONTree?
      if case .reopens(let time) = atLimit { reopening = span(time) }
      return limits + [
        "refill": share(refillPercent), "reopensAfter": reopening,
        "reopensOnce": reopensOnce ? true : nil, "discards": unlessZero(discards),
        "discardsIfIndexLast": unlessZero(discardsIfIndexLast),
      ]
    }
    return limits + [
      "leastMedia": leastMedia.map { span($0) }, "countsNext": .boolean(countsNext),
      "sleeps": span(sleeps), "trackLead": trackLead.map { .whole($0) },
      "order": order == .audioWaits ? nil : .string(order.rawValue),
      "trackFloor": trackFloor > 0 ? .whole(trackFloor) : nil, "lookahead": unlessZero(lookahead),
      "looksAheadOnce": looksAheadOnce ? true : nil,
      "sideBySide": sideBySide > 1 ? .whole(sideBySide) : nil, "blocks": unlessZero(blocks),
      "interleavedFrom": interleavedFrom.map(size),
    ]
  }
}
