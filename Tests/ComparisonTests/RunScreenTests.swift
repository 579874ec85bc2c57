import RunReports
import LinkConditioner
import Recording
import PlayerPolicies
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime
import TestSupport
import Testing

/// The screen of a run as a person sees it.
@Suite struct RunScreenTests {
  private func screen(
    _ name: String, panels: PanelChoice = .changes, width: Int = 100, isColoured: Bool = false
  ) throws -> [String] {
    let scenario = try ShippedScenario.named(name).read()
    let outcome = try run(scenario)
    let heuristic = scenario.nameOfPolicy(under: nil)
    return RunScreen(scenario, outcome, heuristic: heuristic)
      .text(panels: panels, style: TextStyle(width: width, isColoured: isColoured))
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  @Test func `the demo's screen`() throws {
    // The digest is for the goldens.
    let lines = try screen("demo-2-slow-server-play", width: 96).filter { !$0.hasPrefix("digest") }
    #expect(lines.joined(separator: "\n") == Self.demo)
  }

  @Test func `no line is wider than the screen`() throws {
    for name in [
      "demo-2-slow-server-play", "seek-in-and-out-of-the-buffer", "rate-2",
      "two-players-share-the-link",
    ] {
      for width in [60, 80, 100] {
        let widest = try screen(name, panels: .all, width: width).map { columns(of: $0) }.max()
        #expect(widest ?? 0 <= width, "\(name) at \(width)")
      }
    }
  }

  /// The app pauses a stall when the outage ends that was its cause: 1 s brings 0.75 s of media,
  /// and they last 3 s at three quarters of its rate.
  @Test func `an outage that ended with one stall is not the cause of the next`() throws {
    let text = """
      { "scenario": "a", "about": "b",
        "link": { "bandwidth": "1500 kbit/s", "outages": [ { "from": "5 s", "for": "10 s" } ] },
        "media": { "progressive": { "duration": "60 s", "bitrate": "2 Mbit/s" } },
        "player": { "heuristic": "immediate" },
        "script": [ { "at": "0 s", "do": "play" }, { "at": "15 s", "do": "pause" },
          { "at": "16 s", "do": "play" } ] }
      """
    let scenario = try ShippedScenario(path: "a.json", bytes: [UInt8](text.utf8)).read()
    let screen = RunScreen(scenario, try run(scenario), heuristic: "")
      .text(panels: .none, style: .plain).replacing(#/\s+/#, with: " ")
    #expect(screen.contains("for 9.917 s: the link was out from 5.000 s to 15.000 s"))
    #expect(screen.contains("at 19.000 s for 0.333 s: the link had 1.5 Mbit/s for 3.000 s"))
  }

  @Test func `what holds for a millisecond could have been seen`() throws {
    let outcome = try run(ShippedScenario.named("demo-2-slow-server-play").read())
    let panel = try #require(outcome.panels.last)
    for (nanoseconds, lasts) in [
      (0, false), (999_999, false), (1_000_000, true), (1_000_001, true),
    ] {
      #expect(
        panel.lasts(until: panel.instant + TimeSpan(nanoseconds: Int64(nanoseconds))) == lasts)
    }
  }

  /// Eight changes at the beginning and four at the end are shown of those that last a millisecond.
  @Test func `of very many changes the screen says how many it leaves out`() throws {
    let written = [6, 7, 20].map { count in
      let steps = (1...count).map { number in
        let verb = number % 2 == 0 ? "pause" : "play"
        return #"{ "at": "\#(number) s", "do": "\#(verb)" }"#
      }
      let text = """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "9 Mbit/s" },
          "media": { "progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" } },
          "script": [ \(steps.joined(separator: ", ")) ] }
        """
      return ShippedScenario(path: "written/\(count).json", bytes: [UInt8](text.utf8))
    }
    var cut = 0
    for shipped in written + Seeds.cases(of: ShippedScenario.all, few: 12) {
      let scenario = try shipped.read()
      let outcome = try run(scenario)
      if !outcome.chosenPanels.isEmpty || outcome.panels.isEmpty { continue }
      let text = RunScreen(scenario, outcome, heuristic: "")
        .text(panels: .changes, style: TextStyle(width: 100, isColoured: false))
      let (panels, left) = (outcome.panels, outcome.panelsLeftOut)
      let lasting = zip(panels, panels.dropFirst()).count {
        $1.instant - $0.instant >= .milliseconds(1)
      }
      let alone = text.firstMatch(of: #/\n *(\d+) changes? of [\w ]+ alone left out: --panel all/#)?
        .1
      let between =
        text.firstMatch(of: #/\n *(\d+) changes? before the last 4 left out: --panel all/#)?.1
      let shown = lasting + 1 - (alone.flatMap { Int($0) } ?? 0)
      let omitted = shown > 12 ? shown - 12 + Int(left) : 0
      #expect(between.flatMap { Int($0) } ?? 0 == omitted, "\(shipped.name)")
      cut += omitted > 0 ? 1 : 0
    }
    #expect(cut > 0)
  }

  @Test func `colours change nothing but the colours`() throws {
    let plain = try screen("outage-stalls-and-resumes")
    let coloured = try screen("outage-stalls-and-resumes", isColoured: true)
    #expect(coloured.map(withoutColours) == plain)
    #expect(coloured != plain)
  }

  @Test func `the panels that are asked for`() throws {
    func headings(_ choice: PanelChoice) throws -> Int {
      try screen("demo-3-slow-server-play-immediately", panels: choice)
        .filter { $0.hasPrefix("timeControlStatus") }
        .reduce(0) { $0 + $1.split(separator: " ").count - 1 }
    }
    #expect(try headings(.none) == 0)
    #expect(try headings(.end) == 1)
    #expect(try headings(.changes) == 5)
    #expect(try headings(.all) > 5)
  }

  @Test func `an outage is shown below the buffer, and what the app did above the states`() throws {
    let lines = try screen("outage-stalls-and-resumes")
    let outage = try #require(lines.first { $0.hasPrefix("outage") })
    let player = try #require(lines.first { $0.hasPrefix("player  ") })
    #expect(lines.contains("        ▾play"))
    #expect(outage.contains("×××"))
    // The buffer outlasts the beginning of the outage, and the wait outlasts none of it.
    #expect(try #require(player.firstIndex(of: "━")) < #require(outage.firstIndex(of: "×")))
    #expect(lines.contains { $0.hasPrefix("stalls         1, 9.504 s stalled") })
  }

  @Test func `each further player has its states and its buffer below the first one's`() throws {
    let lines = try screen("network-priority-low-waits", width: 80)
    let place = try #require(lines.firstIndex { $0.hasPrefix("player  ") })
    #expect(
      lines[place..<(place + 4)].map { $0.prefix(8) }
        == ["player  ", "buffer  ", "main    ", "buffer  "])
    // Of 72 columns for 23.02 s: it waits for 3.02 s and plays the rest.
    #expect(
      lines[place + 2].dropFirst(8)
        == String(repeating: "░", count: 9) + String(repeating: "━", count: 63))
    // Three seconds ahead are the most that either has, and are the same bar for both.
    #expect(lines[place + 1].contains("█") && lines[place + 3].contains("█"))
    let scenario = try ShippedScenario.named("network-priority-low-waits").read()
    var other = scenario
    other.others[0].name = "the main picture"
    let renamed = RunScreen(other, try run(other), heuristic: "thresholds 3 s/3 s")
      .text(panels: .none, style: TextStyle(width: 80, isColoured: false))
    #expect(renamed.contains("\nthe ma… ░░░"))
  }

  @Test func `a further player's band is what it would be as the first`() throws {
    func text(_ bitrates: [String]) -> String {
      func player(_ bitrate: String) -> String {
        """
        "media": { "progressive": { "duration": "20 s", "bitrate": "\(bitrate)" } },
        "script": [ { "at": "1 s", "do": "play" } ]
        """
      }
      return """
        { "scenario": "a", "about": "b", "link": { "bandwidth": "3 Mbit/s" },
        \(player(bitrates[0])),
        "players": [ { "name": "other", \(player(bitrates[1])) } ] }
        """
    }
    let rates = ["2 Mbit/s", "1 Mbit/s"]
    let runs = try [rates, rates.reversed()].map {
      try run(readScenario([UInt8](text($0).utf8), file: "a.json"))
    }
    for (one, two) in [(runs[0], runs[1]), (runs[1], runs[0])] {
      #expect(one.bands == two.others[0].bands && one.bands.count > 1)
      #expect(one.levels.last == two.others[0].levels.last)
    }
  }

  @Test func `a mean is called a mean`() throws {
    var scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    scenario.link.conditions.downlink.loss = LossRatio(1, over: 100)
    scenario.link.conditions.downlink.delay = .milliseconds(10)
    let text = RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .none, style: .plain)
    #expect(
      text.contains("\nfidelity       fluid: with loss, each transfer flows at its long-run mean"))
    #expect(text.contains(", 1.00 % loss\n"))
    // Without a round trip there is nothing that a sender would wait for.
    scenario.link.conditions.downlink.delay = .zero
    let free = RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .none, style: .plain)
    #expect(free.contains("fidelity       fluid: loss costs nothing without a round trip, or on"))
  }

  @Test(
    arguments: [
      (1, 0, ", 1.00 % loss\n"), (0, 3, ", 3.00 % loss on the uplink\n"),
      (2, 5, ", 2.00 % loss, 5.00 % loss on the uplink\n"), (4, 4, ", 4.00 % loss each way\n"),
    ] as [(Int64, Int64, String)])
  func `the link's line has the loss of either direction`(
    down: Int64, up: Int64, words: String
  ) throws {
    var scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    scenario.link.profile = nil
    scenario.link.conditions.downlink.loss = LossRatio(down, over: 100)
    scenario.link.conditions.uplink.loss = LossRatio(up, over: 100)
    let text = RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .none, style: TextStyle(width: 200, isColoured: false))
    #expect(text.contains(words), "\(text.prefix(400))")
  }

  @Test func `a heuristic in the place of a policy's own is named with the policy`() throws {
    var scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    #expect(scenario.wordsOfPolicy(under: .immediate) == "immediate")
    scenario.player.policy = try #require(PolicyPreset.named("Media3 1.6")).description
    #expect(scenario.wordsOfPolicy(under: nil) == "Media3 1.6")
    #expect(scenario.wordsOfPolicy(under: .immediate) == "immediate; the rest is Media3 1.6")
    scenario.player.policy.stall = .below(.seconds(1))
    #expect(
      scenario.wordsOfPolicy(under: .playThrough(safety: .none))
        == "playThrough; the rest is a policy of its own")
  }

  @Test func `what never began is not called a delay of nothing`() throws {
    var scenario = try ShippedScenario.named("demo-2-slow-server-play").read()
    scenario.link.conditions.downlink.bandwidth = .limited(.zero)
    let text = RunScreen(scenario, try run(scenario), heuristic: "playThrough")
      .text(panels: .changes, style: .plain)
    #expect(text.contains("\nstartup delay  playback never began\n"))
    #expect(text.contains("nothing gets through"))
  }
}

private func withoutColours(_ line: String) -> String {
  var text = ""
  var isCode = false
  for scalar in line.unicodeScalars {
    if scalar == "\u{1B}" { isCode = true }
    if !isCode { text.unicodeScalars.append(scalar) }
    if isCode, scalar == "m" { isCode = false }
  }
  while text.hasSuffix(" ") { text.removeLast() }
  return text
}

extension RunScreenTests {
  static let demo = """
    Demo: Slow Server, play
    A link a little slower than the media: play waits for the Goldilocks moment, from which the end
    is reached without a stall.

    link           Slow Server: 1.716 Mbit/s (0.858 of the media's)
    media          progressive file, 39 s, 2 Mbit/s (9.75 MB)
    heuristic      playThrough

                              0.0 s           0.3 s              6.5 s           45.5 s
                                              play
    timeControlStatus         Paused          Waiting            Playing         Paused
    reasonForWaitingToPlay    -               Minimizing Stalls  -               -
    player rate               0.0             1.0                1.0             0.0
    timebase rate             0.0             0.0                1.0             0.0
    currentTime               0.0s            0.0s               0.0s            39.0s
    loadedTimeRanges          [[0.0s, 0.0s]]  [[0.0s, 0.3s]]     [[0.0s, 5.5s]]  [[0.0s, 39.0s]]
    isPlaybackLikelyToKeepUp  false           false              true            true
    isPlaybackBufferFull      false           false              false           true
    isPlaybackBufferEmpty     false           false              false           true

            ▾play
    player  ·░░░░░░░░░░░━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
    buffer  ▁▁▂▂▃▄▄▅▅▆▇▇█████▇▇▇▇▇▇▇▇▇▇▆▆▆▆▆▆▆▆▆▅▅▅▅▅▅▅▅▅▅▄▄▄▄▄▄▄▄▄▃▃▃▃▃▃▃▃▃▂▂▂▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁
            ┴──────────────────┴──────────────────┴───────────────────┴──────────────────┴──────────
            0 s                10                 20                  30                 40

            · paused, ░ waiting, ━ playing; the buffer is at █ with 5.5 s ahead of the playhead

    startup
                              ▾play at 0.350 s                                 ▾playing at 6.455 s
    › file                  ███████████████████████████████████████████████████   0.000 s    goes on

    › waited for; ░ until the first byte, █ bytes; times of the run, and lengths
    waited for     file 6.105 s

    startup delay  6.105 s
    stalls         none
    time           played 39.000 s, waited 6.105 s (6.105 s to start), paused 0.350 s
    transferred    9.75 MB in 1 request
    end            finished at 45.455 s
    fidelity       fluid: bytes flow at the bandwidth, shared equally

    """
}
