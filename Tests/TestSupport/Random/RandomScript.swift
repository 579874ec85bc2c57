extension RandomScenario {
  /// What an app does: it plays, and then anything at any time.
  func script(part: String, _ kind: MediaKind, _ queue: Queue?, isFirst: Bool = true) -> Sketch {
    var draw = draw(part)
    var steps: [Sketch] = []
    var clock = 0
    if draw.chance(15) {
      steps.append(["at": "0 s", "do": "setItem", "name": "bring"])
    }
    if draw.chance(95) {
      clock = draw.chance(60) ? 0 : draw.below(3_000)
      steps.append(["at": .milliseconds(clock), "do": "play", "name": "begin"])
    }
    for index in 0..<draw.below(draw.chance(30) ? 14 : 7) {
      clock += draw.magnitude(0...20_000)
      var step = trigger(clock, after: steps.last?["name"], &draw)
      guard let verb = verb(kind, queue, isFirst, &draw) else { continue }
      step["do"] = .text(verb.name)
      for member in verb.arguments { step[member.key] = member.value }
      if draw.chance(10) { step["appDelay"] = .milliseconds(draw.below(300)) }
      step["name"] = "step \(index)"
      steps.append(step)
    }
    if draw.chance(60) {
      let pause = clock + draw.magnitude(0...9_000)
      steps.append(["at": .milliseconds(pause), "do": "play", "name": "go on"])
    }
    if queue?.isLooping == true, draw.chance(60) {
      steps.append([
        "when": "loopCount >= \(draw.within(1...12))", "do": "disableLooping", "name": "enough",
      ])
    }
    return .array(steps)
  }

  private func trigger(_ clock: Int, after name: Sketch?, _ draw: inout Draw) -> Sketch {
    switch draw.below(10) {
    case 0, 1:
      guard let name else { break }
      return ["at": ["after": name, "by": .milliseconds(draw.magnitude(0...8_000))]]
    case 2, 3:
      var step: Sketch = ["when": condition(&draw)]
      if let name, draw.chance(50) { step["after"] = name }
      if draw.chance(25) { step["byNotification"] = true }
      return step
    default: break
    }
    return ["at": .milliseconds(clock)]
  }

  private func condition(_ draw: inout Draw) -> Sketch {
    switch draw.below(8) {
    case 0: "loaded >= \(draw.within(1...8_000)) ms"
    case 1: "ahead >= \(draw.within(1...5_000)) ms"
    case 2: "currentTime >= \(draw.within(1...9_000)) ms"
    case 3: "stallCount >= \(draw.within(1...3))"
    case 4: "transitionCount >= \(draw.within(1...3))"
    default:
      .text(
        draw.one(of: [
          "waiting", "playing", "paused", "likelyToKeepUp", "bufferFull", "bufferEmpty",
          "readyToPlay", "failed",
        ]))
    }
  }
}

// MARK: - What is done

/// A verb with its arguments.
private struct Step {
  var name: String
  var arguments: [Sketch.Member] = []

  init(_ name: String) { self.name = name }

  init(_ name: String, to value: Sketch) {
    self.init(name, "to", value)
  }

  init(_ name: String, _ key: String, _ value: Sketch) {
    self.name = name
    arguments = [Sketch.Member(key, value)]
  }
}

extension RandomScenario {
  private func verb(
    _ kind: MediaKind, _ queue: Queue?, _ isFirst: Bool, _ draw: inout Draw
  ) -> (name: String, arguments: [Sketch.Member])? {
    let step: Step? =
      switch draw.below(20) {
      case 0...8: call(&draw)
      case 9...12: setter(kind, &draw)
      case 13, 14: isFirst ? linkVerb(&draw) : call(&draw)
      case 15...17: queue.map { queueVerb($0, &draw) } ?? seldom(kind, &draw)
      default: seldom(kind, &draw)
      }
    return step.map { ($0.name, $0.arguments) }
  }

  private func place(_ draw: inout Draw) -> Sketch {
    .milliseconds(draw.below(draw.chance(70) ? min(duration, 20_000) : 60_000))
  }

  private func rate(_ draw: inout Draw) -> Sketch {
    .number(draw.one(of: ["0.5", "1", "1", "1.25", "2"]))
  }

  private func call(_ draw: inout Draw) -> Step {
    switch draw.below(10) {
    case 0...2: Step("play")
    case 3, 4: Step("pause")
    case 5: Step("playImmediately", "rate", rate(&draw))
    case 6: Step("setRate", "rate", rate(&draw))
    default: Step("seek", to: place(&draw))
    }
  }

  private func setter(_ kind: MediaKind, _ draw: inout Draw) -> Step {
    switch draw.below(kind.isStream ? 11 : 7) {
    case 0:
      return Step("setAutomaticallyWaitsToMinimizeStalling", to: .boolean(draw.chance(60)))
    case 1:
      return Step("setForwardPlaybackEndTime", to: draw.chance(30) ? .null : place(&draw))
    case 2: return Step("setActionAtItemEnd", to: .text(draw.one(of: ["pause", "none"])))
    case 3, 4:
      let most = draw.chance(30) ? 0 : draw.magnitude(1...20_000)
      return Step("setPreferredForwardBufferDuration", to: .milliseconds(most))
    case 5: return Step("setDefaultRate", "rate", rate(&draw))
    case 6 where fidelity == .fluid:
      return Step(
        "setNetworkResourcePriority", to: .text(draw.one(of: ["low", "default", "high"])))
    case 6: return Step("pause")
    case 7: return Step("setExpensiveNetwork", to: .boolean(draw.chance(50)))
    case 8: return Step("setLayer", to: draw.chance(20) ? .null : layer(&draw))
    default:
      let rate = draw.chance(30) ? 0 : draw.within(50...3_000)
      return Step("setPreferredPeakBitRate", to: .kilobits(rate))
    }
  }

  private func linkVerb(_ draw: inout Draw) -> Step {
    if document["traffic"] != nil, draw.chance(40) {
      return Step(
        draw.one(of: ["suspendTraffic", "resumeTraffic", "stopTraffic"]), "traffic", "updates")
    }
    return switch draw.below(4) {
    case 0: Step("switchLink", to: .text(draw.one(of: ["on", "off"])))
    case 1: Step("changeSchedule", to: draw.chance(30) ? .null : schedule(&draw))
    default: Step("changeLink", to: conditions(&draw))
    }
  }

  private func queueVerb(_ queue: Queue, _ draw: inout Draw) -> Step {
    if queue.isLooping, draw.chance(30) {
      return Step(draw.one(of: ["startLooping", "disableLooping"]))
    }
    if queue.items.isEmpty { return Step("advanceToNextItem") }
    let item = Sketch.text(draw.one(of: queue.items))
    switch draw.below(8) {
    case 0...3:
      var step = Step("insert", "item", item)
      if draw.chance(30) {
        step.arguments.append(Sketch.Member("afterItem", .text(draw.one(of: queue.items))))
      }
      return step
    case 4: return Step("remove", "item", item)
    case 5: return Step("removeAllItems")
    default: return Step("advanceToNextItem")
    }
  }

  private func seldom(_ kind: MediaKind, _ draw: inout Draw) -> Step {
    switch draw.below(kind == .live ? 12 : 8) {
    case 0, 1:
      return Step(
        draw.chance(50) ? "beginSuspension" : "endSuspension", "by",
        .text(draw.one(of: ["interstitialEvent", "coordinatedPlayback"])))
    case 2: return Step("loadValues")
    case 3: return Step("setItem")
    case 4: return Step("removeItem")
    case 5: return Step("project", "ahead", .milliseconds(draw.below(5_000)))
    case 6 where draw.chance(40):
      var step = Step("setRateAtHostTime", "rate", rate(&draw))
      if draw.chance(50) { step.arguments.append(Sketch.Member("time", place(&draw))) }
      return step
    case 6, 7: return Step("play")
    case 8: return Step("setConfiguredTimeOffsetFromLive", to: place(&draw))
    case 9:
      return Step("setAutomaticallyPreservesTimeOffsetFromLive", to: .boolean(draw.chance(50)))
    default: return Step("seekToLive")
    }
  }
}
