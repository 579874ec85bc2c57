extension RandomScenario {
  func player(part: String, _ kind: MediaKind, isFirst: Bool) -> Sketch {
    var draw = draw(part)
    var player: Sketch = [:]
    if draw.chance(25) {
      player["linkedSDK"] = draw.one(of: ["iOS 9", "iOS 10", "iOS 12", "iOS 15", "iOS 17"])
    }
    if draw.chance(15) { player["client"] = draw.one(of: ["AVKit", "MediaPlayer"]) }
    if draw.chance(12) { player["automaticallyWaitsToMinimizeStalling"] = false }
    if draw.chance(60) { player["heuristic"] = heuristic(&draw) }
    if draw.chance(20) { player["evaluationPeriod"] = .milliseconds(draw.magnitude(1...3_000)) }
    if draw.chance(12) {
      player["defaultRate"] = draw.one(of: [.number("0.5"), .number("1.5"), 2])
    }
    if draw.chance(15) { player["actionAtItemEnd"] = draw.one(of: ["pause", "none"]) }
    if draw.chance(15) { player["gaplessTraits"] = draw.one(of: ["strict", "lenient"]) }
    if fidelity == .fluid, draw.chance(15) {
      player["networkResourcePriority"] = draw.one(of: ["low", "default", "high"])
    }
    if draw.chance(25) { player["pipeline"] = pipeline(&draw) }
    if draw.chance(20) {
      player["latency"] = [
        "notification": .milliseconds(draw.below(120)), "command": .milliseconds(draw.below(120)),
      ]
    }
    addItem(to: &player, kind, &draw)
    if kind.isStream { addVariants(to: &player, &draw) }
    if kind == .live { addLive(to: &player, &draw) }
    return player
  }

  private func heuristic(_ draw: inout Draw) -> Sketch {
    switch draw.below(5) {
    case 0: "everythingLoaded"
    case 1: "immediate"
    case 2: "playThrough x1.\(draw.below(10))"
    default: "thresholds \(draw.magnitude(1...5_000)) ms/\(draw.magnitude(1...9_000)) ms"
    }
  }

  private func pipeline(_ draw: inout Draw) -> Sketch {
    var pipeline: Sketch = [:]
    for key in ["build", "stillFrame", "preroll", "parse", "reconfiguration", "keyFrameInterval"]
    where draw.chance(40) {
      pipeline[key] = .milliseconds(draw.magnitude(1...900))
    }
    if draw.chance(20) { pipeline["lookAhead"] = .number("\(draw.below(4))") }
    return pipeline
  }

  private func addItem(to player: inout Sketch, _ kind: MediaKind, _ draw: inout Draw) {
    if draw.chance(8) { player["item"] = "byScript" }
    if draw.chance(25) {
      player["preferredForwardBufferDuration"] = .milliseconds(draw.magnitude(1...30_000))
    }
    if draw.chance(15) { player["bufferCap"] = .bytes(draw.magnitude(20_000...5_000_000)) }
    if draw.chance(10) {
      player["forwardPlaybackEndTime"] = .milliseconds(draw.within(500...40_000))
    }
    if draw.chance(20) {
      player["retry"] = [
        "attempts": .number("\(draw.below(5))"),
        "backOff": .milliseconds(draw.magnitude(1...3_000)),
      ]
    }
    if draw.chance(10) { player["startTime"] = .milliseconds(draw.below(900)) }
  }

  private func addVariants(to player: inout Sketch, _ draw: inout Draw) {
    if draw.chance(25) { player["startsOnFirstEligibleVariant"] = true }
    if draw.chance(15) { player["preferredPeakBitRate"] = .kilobits(draw.within(50...4_000)) }
    if draw.chance(10) {
      player["preferredPeakBitRateForExpensiveNetworks"] = .kilobits(draw.within(50...2_000))
    }
    if draw.chance(10) { player["preferredMaximumResolution"] = "960x540" }
    if draw.chance(15) { player["layer"] = layer(&draw) }
    if draw.chance(30) { player["observedBitrate"] = .kilobits(draw.within(50...6_000)) }
    if draw.chance(15) { player["adaptation"] = draw.one(of: ["fixed", "throughput"]) }
    if draw.chance(15) {
      player["mediaTimeout"] = draw.chance(30) ? .null : .milliseconds(draw.within(500...20_000))
    }
    if draw.chance(15) { player["variantRecovery"] = .milliseconds(draw.within(100...20_000)) }
    if draw.chance(25) { player["preloadsKeys"] = .boolean(draw.chance(50)) }
  }

  func layer(_ draw: inout Draw) -> Sketch {
    [
      "size": .text(draw.one(of: ["320x180", "640x360", "1024x576"])),
      "scale": .number("\(draw.within(1...3))"),
    ]
  }

  private func addLive(to player: inout Sketch, _ draw: inout Draw) {
    if draw.chance(30) { player["automaticallyPreservesTimeOffsetFromLive"] = true }
    if draw.chance(20) {
      player["configuredTimeOffsetFromLive"] = .milliseconds(draw.below(40_000))
    }
    if draw.chance(20) {
      player["canUseNetworkResourcesForLiveStreamingWhilePaused"] = .boolean(draw.chance(50))
    }
  }
}
