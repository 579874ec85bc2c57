import Autowait
import ExactText
import PlayerPolicies
import LinkConditioner
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import SimulatedWorld
import StreamingMedia
import Testing
import VirtualTime

/// What a file says, or everything that is wrong with it.
func mistakes(in text: String) -> String {
  do throws(DocumentError) {
    _ = try readScenario(
      [UInt8](text.utf8), file: "a.json", files: SampleScenario.file)
    return ""
  } catch {
    return error.text
  }
}

func scenario(_ text: String) throws -> Scenario {
  try readScenario(
    [UInt8](text.utf8), file: "a.json", files: SampleScenario.file)
}

@Suite struct ScenarioReaderTests {
  @Test func `where an editor finds the schema is no part of a run`() throws {
    let there = try run(scenario(SampleScenario.demo))
    for other in ["elsewhere/.scenario.schema.json", "https://goldilocks.example/s.json"] {
      let text = SampleScenario.demo.replacing("scenario.schema.json", with: other)
      #expect(text != SampleScenario.demo)
      #expect(try run(scenario(text)).trace == there.trace)
    }
    let without = SampleScenario.demo.replacing(/"\$schema": "[^"]*",\s*/, with: "")
    #expect(without != SampleScenario.demo)
    #expect(try run(scenario(without)).trace == there.trace)
  }

  @Test func `the demo is read to the bit`() throws {
    let demo = try scenario(SampleScenario.demo)
    #expect(demo.name == "Slow Server: play, then wait")
    #expect(demo.seed == 503)
    #expect(demo.fidelity == .fluid)
    #expect(
      demo.limits
        == RunLimits(
          horizon: Instant(nanoseconds: 3_600_000_000_000), eventBudget: 10_000_000))
    #expect(demo.link.profile == "Slow Server")
    #expect(demo.link.isSwitchedOn)
    #expect(
      demo.link.conditions.downlink
        == DirectionConditions(bandwidth: .limited(BitRate(bitsPerSecond: 1_716_000))))
    #expect(
      demo.item
        == ItemSettings(
          source: .progressive(
            MediaFile(duration: .seconds(39), bitRate: .megabitsPerSecond(2))),
          label: "movie.mp4"))
    #expect(demo.player == PlayerSettings(contract: Contract(major: 10)))
    #expect(demo.itemIsCurrentAtStart)
    #expect(demo.script.count == 1)
    #expect(demo.script[0].name == "play")
    #expect(demo.script[0].trigger == .when(.loaded(.milliseconds(300)), after: nil))
    #expect(demo.expectations.count == 3)
  }

  /// 8 × 9,750,001 bytes × 0.858 over 39.000000001 s is finer than a link carries.
  @Test func `a share of a media's rate is rounded down to a millionth of a bit`() throws {
    let text = SampleScenario.demo.replacing("39 s", with: "39.000000001 s")
    let rate = BitRate(bitsPerSecond: 1_716_000_175_955, over: 1_000_000)
    #expect(try scenario(text).link.conditions.downlink.bandwidth == .limited(rate))
  }

  @Test func `expectations keep their place and their exact values`() throws {
    let demo = try scenario(SampleScenario.demo)
    guard case .properties(let moment, let claims) = demo.expectations[0].claim else {
      Issue.record("properties are expected first")
      return
    }
    #expect(moment == .after(step: "play", .milliseconds(3_500)))
    #expect(
      claims.map { $0.property.name } == [
        "timeControlStatus", "reasonForWaitingToPlay", "rate", "timebaseRate",
      ])
    #expect(
      claims.map { $0.matcher } == [
        .equals(.text("waiting")), .equals(.text("toMinimizeStalls")), .equals(.rate(.normal)),
        .equals(.rate(.zero)),
      ])
    #expect(demo.expectations[0].position == TextPosition(line: 11, column: 5))
    #expect(claims[2].position == TextPosition(line: 12, column: 61))
    guard case .properties(.end, let last) = demo.expectations[2].claim else {
      Issue.record("what is booked is looked at in the end")
      return
    }
    #expect(last[0].matcher == .between(.time(6_090_000_000), .time(6_120_000_000)))
  }

  @Test func `everything the format has can be said at once`() throws {
    let all = try scenario(SampleScenario.everything)
    #expect(all.seed == .max)
    #expect(all.link.conditions.downlink.delay == .milliseconds(50))
    #expect(all.link.conditions.downlink.loss == LossRatio(1, over: 100))
    #expect(all.link.conditions.downlink.queuePackets == 40)
    #expect(all.link.conditions.uplink.delay == .milliseconds(10))
    #expect(all.link.conditions.uplink.bandwidth == .unlimited)
    #expect(all.link.schedule?.steps.count == 2)
    #expect(all.link.schedule?.ending == .loops)
    #expect(all.link.outages.map(\.start) == [.zero + .seconds(8)])
    #expect(all.link.outages.map(\.duration) == [.seconds(3)])
    #expect(all.item.source.file?.duration == .milliseconds(4_500))
    let bytes: Int64 = 100_000 + 90_000 + 1_048_576 + 1 + 64_000
    #expect(all.item.source.file?.bytes == bytes)
    #expect(all.item.heuristic == .thresholds(start: .seconds(1), resume: .seconds(2)))
    #expect(all.item.startTime == .milliseconds(500))
    #expect(all.player.contract == Contract(major: 10))
    #expect(!all.itemIsCurrentAtStart)
    #expect(all.script.count == 22)
    #expect(all.script[1].trigger == .after(step: "setItem", .seconds(1)))
    #expect(all.script[3].trigger == .when(.playing, after: "begin"))
    #expect(all.expectations.count == 8)
  }

  @Test func `five mistakes are five lines`() {
    let text = """
      {
        "scenario": "Five mistakes",
        "about": "",
        "link": { "profile": "Slow Sever" },
        "media": { "progressive": { "duration": "39 s", "bitrate": "2 Mbps" } },
        "script": [ { "when": "loaded >= 0.3 sec", "do": "play" } ],
        "expect": [ { "stallCuont": 0 } ]
      }
      """
    #expect(
      mistakes(in: text) == """
        a.json:3:12: about: the string is empty (expected some text)
        a.json:4:24: link.profile: no profile is called “Slow Sever” \
        (expected a name that “goldilocks profiles” lists; did you mean “Slow Server”?)
        a.json:5:62: media.progressive.bitrate: “2 Mbps” has the unknown unit “Mbps” \
        (expected one of bit/s, kbit/s, Mbit/s, Gbit/s; did you mean “Mbit/s”?)
        a.json:6:25: script[0].when: “0.3 sec” has the unknown unit “sec” (expected one of ns, us, \
        µs, ms, s, min, h, days, years; did you mean “s”?)
        a.json:7:17: expect[0]: unknown key “stallCuont” (did you mean “stallCount”?)

        """)
  }
}
