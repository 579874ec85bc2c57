extension RandomScenario {
  /// What a link brings, in kbit/s: from far too slow to more than enough for the media.
  func bandwidth(_ draw: inout Draw) -> Int {
    max(8, mediaRate * draw.one(of: [20, 60, 85, 95, 105, 130, 200, 400, 1_000]) / 100)
  }

  func link() -> Sketch {
    var draw = draw("link")
    var link = conditions(&draw)
    if fidelity == .fluid || draw.chance(50) {
      if draw.chance(55) { link["schedule"] = schedule(&draw) }
    }
    if draw.chance(30) { link["outages"] = outages(&draw) }
    if draw.chance(10) { link["expensive"] = true }
    if draw.chance(8) { link["switchedOn"] = false }
    return link
  }

  func conditions(_ draw: inout Draw) -> Sketch {
    var link: Sketch = [:]
    switch draw.below(12) {
    case 0:
      link["profile"] = .text(
        draw.one(of: ["3G", "Edge", "LTE", "DSL", "Wi-Fi", "High Latency DNS"]))
    case 1 where !kind.isStream: link["relativeBandwidth"] = .percent(draw.within(50...300))
    case 2 where kind != .live: break
    case 3:
      link["downlink"] = direction(bandwidth(&draw), &draw)
      link["uplink"] = direction(draw.within(30...900), &draw)
    default: link["bandwidth"] = .kilobits(bandwidth(&draw))
    }
    if link["downlink"] == nil, draw.chance(70) {
      link["delay"] = .milliseconds(draw.magnitude(0...400))
    }
    if draw.chance(20) { link["loss"] = "\(draw.within(1...4)).\(draw.below(10)) %" }
    if draw.chance(15) { link["dnsDelay"] = .milliseconds(draw.magnitude(0...3_000)) }
    return link
  }

  private func direction(_ rate: Int, _ draw: inout Draw) -> Sketch {
    var direction: Sketch = ["bandwidth": .kilobits(rate)]
    if draw.chance(70) { direction["delay"] = .milliseconds(draw.magnitude(0...400)) }
    if draw.chance(30) { direction["queue"] = .number("\(draw.magnitude(4...300))") }
    return direction
  }

  func schedule(_ draw: inout Draw) -> Sketch {
    var steps: [Sketch] = []
    for _ in 0..<draw.within(1...8) {
      var step: Sketch = ["for": .milliseconds(draw.magnitude(10...20_000))]
      step["bandwidth"] = draw.chance(15) ? "0 bit/s" : .kilobits(bandwidth(&draw))
      if fidelity == .fluid, draw.chance(10) { step["latency"] = .milliseconds(draw.below(400)) }
      steps.append(step)
    }
    // The last step of a schedule that holds must bring something, or little happens.
    var schedule: Sketch = [:]
    let isRepeated = draw.chance(60)
    if !isRepeated {
      steps.append(["for": "1 s", "bandwidth": .kilobits(bandwidth(&draw))])
    }
    schedule["steps"] = .array(steps)
    schedule["then"] = isRepeated ? "repeat" : "hold"
    if fidelity == .fluid, draw.chance(10) { schedule["clock"] = "pausedDuringLatency" }
    if draw.chance(15) { schedule["offset"] = .milliseconds(draw.below(30_000)) }
    return schedule
  }

  private func outages(_ draw: inout Draw) -> Sketch {
    .array(
      (0..<draw.within(1...4)).map { _ in
        [
          "from": .milliseconds(draw.below(60_000)),
          "for": .milliseconds(draw.magnitude(1...15_000)),
        ]
      })
  }
}

// MARK: - Requests, faults and others on the link

extension RandomScenario {
  mutating func addNetwork() {
    var draw = draw("network")
    if draw.chance(30) { set("requests", requests(&draw)) }
    if draw.chance(30) { set("faults", faults(&draw)) }
    if draw.chance(15) { set("traffic", traffic(&draw)) }
    if draw.chance(6) {
      let media = media(.progressive, rate: mediaRate, duration: 5_000, part: "leaked")
      set("leakedPlayers", [["media": media, "from": .milliseconds(draw.below(5_000))]])
    }
  }

  private func requests(_ draw: inout Draw) -> Sketch {
    var requests: Sketch = [:]
    let version = draw.one(of: ["1.1", "2"])
    requests["http"] = .text(version)
    if version == "1.1", draw.chance(40) {
      requests["connectionsPerHost"] = .number("\(draw.within(1...6))")
    }
    if draw.chance(50) { requests["tls"] = .text(draw.one(of: ["none", "1.2", "1.3"])) }
    if draw.chance(30) { requests["idleTimeout"] = .milliseconds(draw.magnitude(1...20_000)) }
    if draw.chance(30) {
      var timeouts: Sketch = [:]
      if draw.chance(50) { timeouts["firstByte"] = .milliseconds(draw.within(300...9_000)) }
      if draw.chance(50) { timeouts["idle"] = .milliseconds(draw.within(300...9_000)) }
      if draw.chance(30) { timeouts["whole"] = .milliseconds(draw.within(2_000...60_000)) }
      requests["timeouts"] = timeouts
    }
    if fidelity == .fluid { return requests }
    if draw.chance(30) { requests["congestionControl"] = draw.one(of: ["cubic", "reno", "bbr"]) }
    if draw.chance(30) { requests["initialWindow"] = .number("\(draw.within(1...40))") }
    if draw.chance(30) { requests["slowStartAfterIdle"] = .boolean(draw.chance(50)) }
    if draw.chance(30) { requests["idleLink"] = draw.one(of: ["serialises", "passesAtOnce"]) }
    if draw.chance(30) { requests["bucketDepth"] = draw.one(of: ["0 B", "1514 B", "20 KB"]) }
    if draw.chance(30) { requests["lossPosition"] = draw.one(of: ["beforeQueue", "afterQueue"]) }
    return requests
  }

  private func faults(_ draw: inout Draw) -> Sketch {
    let addresses =
      kind.isStream
      ? ["*", "mediaSegment", "video-0/*", "audio-0/*", "video-1/segment2.m4s", "mediaPlaylist"]
      : ["*", "movie.mp4", "movie.mp4#head"]
    return .array(
      (0..<draw.within(1...3)).map { _ in
        var fault: Sketch = [:]
        switch draw.below(4) {
        case 0: fault["status"] = .number("\(draw.one(of: [403, 404, 500, 503]))")
        case 1: fault["reset"] = ["after": .bytes(draw.magnitude(0...300_000))]
        case 2: fault["stall"] = ["after": .bytes(draw.magnitude(0...300_000))]
        default: fault["slowFirstByte"] = .milliseconds(draw.magnitude(1...9_000))
        }
        if draw.chance(50) {
          let first = draw.within(1...8)
          fault["requests"] =
            draw.chance(50)
            ? .number("\(first)") : [.number("\(first)"), .number("\(first + draw.below(5))")]
        }
        if draw.chance(60) { fault["url"] = .text(draw.one(of: addresses)) }
        if fault["requests"] == nil || draw.chance(30) {
          fault["chance"] = .percent(draw.within(2...30))
        }
        return fault
      })
  }

  private func traffic(_ draw: inout Draw) -> Sketch {
    var traffic: Sketch = ["name": "updates", "from": .milliseconds(draw.below(20_000))]
    // A download without end over a perfect link never comes to rest in packets.
    if fidelity == .tcp || draw.chance(60) {
      traffic["bytes"] = .bytes(draw.magnitude(1_000...3_000_000))
    }
    if traffic["bytes"] == nil || draw.chance(20) {
      traffic["to"] = .milliseconds(draw.within(20_000...60_000))
    }
    if draw.chance(30) { traffic["connections"] = .number("\(draw.within(1...4))") }
    return [traffic]
  }
}
