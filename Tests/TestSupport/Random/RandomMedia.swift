extension RandomScenario {
  func media(
    _ kind: MediaKind, rate: Int, duration: Int, part: String = "media"
  ) -> Sketch {
    var draw = draw(part)
    return switch kind {
    case .local: ["local": file(rate, duration, &draw)]
    case .progressive: ["progressive": file(rate, duration, &draw)]
    case .stream: ["hls": stream(rate, duration, live: nil, &draw)]
    case .live: ["hls": stream(rate, duration, live: LiveTimes(&draw), &draw)]
    }
  }

  private func file(_ rate: Int, _ duration: Int, _ draw: inout Draw) -> Sketch {
    var file: Sketch = [:]
    var length = duration
    switch draw.below(4) {
    case 0, 1:
      file["duration"] = .milliseconds(duration)
      file["bitrate"] = .kilobits(rate)
    case 2:
      file["duration"] = .milliseconds(duration)
      file["size"] = .bytes(max(1, rate * duration / 8))
    default:
      let average = rate * 125
      length = max(1, duration / 1_000) * 1_000
      file["sizesPerSecond"] = .array(
        (0..<max(1, duration / 1_000)).map { _ in .bytes(draw.within(1...(2 * average))) })
    }
    if draw.chance(25) {
      file["headAtom"] = [
        "size": .bytes(draw.magnitude(1...60_000)), "at": draw.chance(50) ? "front" : "end",
      ]
    }
    if draw.chance(25) { file["tracks"] = tracks(&draw, noLongerThan: length) }
    return file
  }

  private func tracks(_ draw: inout Draw, noLongerThan longest: Int) -> Sketch {
    var tracks: [Sketch] = [["kind": "video", "name": "picture"]]
    for (name, language) in [("English", "en"), ("French", "fr")] {
      var track: Sketch = ["kind": "audio", "name": .text(name), "language": .text(language)]
      if draw.chance(30) { track["duration"] = .milliseconds(max(1, longest - draw.below(800))) }
      tracks.append(track)
    }
    return .array(tracks)
  }
}

// MARK: - Streams

/// The times of a live stream, in milliseconds.
private struct LiveTimes {
  let segment: Int
  let part: Int?
  let startsWith: Int

  init(_ draw: inout Draw) {
    segment = draw.one(of: [1_000, 2_000, 4_000, 6_000, draw.within(800...5_000)])
    // A part is no longer than the target duration, which is that of the segments to the second.
    let longest = max(segment / 1_000 * 1_000, 800)
    part = draw.chance(45) ? draw.within(max(200, longest / 12)...longest) : nil
    startsWith = draw.within(0...60_000)
  }
}

extension RandomScenario {
  private func stream(
    _ rate: Int, _ duration: Int, live times: LiveTimes?, _ draw: inout Draw
  ) -> Sketch {
    let isNamed = draw.chance(15)
    var stream: Sketch = [
      "ladder": isNamed
        ? .text(draw.one(of: ["talk", "appleH264", "appleHEVC", "tree"])) : ladder(rate, &draw)
    ]
    // A live stream goes on while it is watched.
    let length = times.map { $0.startsWith + draw.within(5_000...300_000) } ?? duration
    stream["duration"] = .milliseconds(length)
    let segment = times?.segment ?? draw.one(of: [2_000, 4_000, 6_000, draw.within(300...9_000)])
    stream["segmentDuration"] = .milliseconds(segment)
    if draw.chance(30) {
      stream["sizes"] = ["peak": .percent(draw.within(100...250)), "seed": 3]
    }
    if !isNamed, draw.chance(40) { stream["audio"] = audio(&draw) }
    if draw.chance(20) { stream["subtitles"] = [["name": "English", "language": "en"]] }
    if draw.chance(25) {
      stream["key"] = [
        "announced": .boolean(draw.chance(50)), "thinkTime": .milliseconds(draw.below(1_500)),
      ]
    }
    if draw.chance(25) { stream["order"] = order(&draw) }
    if draw.chance(20) { stream["gzip"] = .percent(draw.within(10...80)) }
    if draw.chance(15) {
      stream["audioPadding"] = [
        "priming": .number("\(draw.below(3_000))"), "remainder": .number("\(draw.below(1_500))"),
        "sampleRate": 48_000, "editList": .boolean(draw.chance(50)),
      ]
    }
    if let times { stream["live"] = live(times, length, &draw) }
    if stream["live"]?["canSkipUntil"] == nil, draw.chance(10) {
      stream["playlistBytes"] = .bytes(draw.magnitude(0...200_000))
    }
    return stream
  }

  private func ladder(_ rate: Int, _ draw: inout Draw) -> Sketch {
    let widths = [(320, 180), (640, 360), (960, 540), (1_280, 720), (1_920, 1_080)]
    var rungs: [Sketch] = []
    var bits = max(40, rate / draw.within(1...4))
    for index in 0..<draw.within(1...5) {
      var rung: Sketch = ["bitrate": .kilobits(bits)]
      if draw.chance(80) {
        rung["resolution"] = "\(widths[index].0)x\(widths[index].1)"
      }
      if draw.chance(20) { rung["codecs"] = draw.one(of: [["avc1.64001f"], ["hvc1.2.4.L123"]]) }
      if draw.chance(10) { rung["videoRange"] = draw.one(of: ["SDR", "PQ", "HLG"]) }
      rungs.append(rung)
      bits = bits * draw.within(110...260) / 100
    }
    return .array(rungs)
  }

  private func audio(_ draw: inout Draw) -> Sketch {
    let languages = [("English", "en"), ("French", "fr"), ("German", "de")]
    return .array(
      languages.prefix(draw.within(0...3)).map {
        ["name": .text($0.0), "language": .text($0.1), "bitrate": .kilobits(draw.within(32...192))]
      })
  }

  private func order(_ draw: inout Draw) -> Sketch {
    switch draw.below(4) {
    case 0: "listed"
    case 1: "fromHighest"
    case 2: ["first": 0]
    default: ["acceptableOn": "1280x720", "leastShare": .percent(draw.within(20...100))]
    }
  }

  private func live(_ times: LiveTimes, _ length: Int, _ draw: inout Draw) -> Sketch {
    var live: Sketch = ["startsWith": .milliseconds(min(times.startsWith, length))]
    // Targets are whole seconds.
    let target = (times.segment + 999) / 1_000 * 1_000
    if draw.chance(25) {
      live["playlistType"] = "event"
    } else {
      if draw.chance(40) { live["window"] = .milliseconds(draw.within(3...12) * target) }
      if draw.chance(30) { live["keepsRemovedSegments"] = .milliseconds(draw.below(40_000)) }
    }
    if draw.chance(30) { live["encoderStops"] = stops(&draw) }
    if draw.chance(20) {
      live["stalePlaylists"] = [
        [
          "variant": 0, "from": .milliseconds(draw.below(60_000)),
          "for": .milliseconds(draw.within(1...60_000)),
        ]
      ]
    }
    if draw.chance(25) { live["holdBack"] = .milliseconds(draw.within(3...8) * target) }
    if draw.chance(30) { live["canSkipUntil"] = .milliseconds(draw.within(6...12) * target) }
    if draw.chance(20) {
      let offset = draw.within(-60_000...60_000)
      live["start"] = ["offset": .milliseconds(offset), "precise": .boolean(draw.chance(50))]
    }
    if let part = times.part { live["parts"] = parts(part, &draw) }
    return live
  }

  private func stops(_ draw: inout Draw) -> Sketch {
    var begins = 0
    return .array(
      (0..<draw.within(1...3)).map { _ in
        begins += draw.within(100...40_000)
        let span = draw.within(1...30_000)
        defer { begins += span }
        return ["from": .milliseconds(begins), "for": .milliseconds(span)]
      })
  }

  private func parts(_ part: Int, _ draw: inout Draw) -> Sketch {
    var parts: Sketch = ["duration": .milliseconds(part)]
    if draw.chance(30) { parts["holdBack"] = .milliseconds(part * draw.within(2...6)) }
    for key in ["blockingReload", "preloadHints", "renditionReports"] where draw.chance(30) {
      parts[key] = .boolean(draw.chance(50))
    }
    return parts
  }
}
