import LinkConditioner
import TestSupport
import Testing
import VirtualTime

/// Recordings that seeds damage, held to what was read of them, or said against them, when they
/// were last reviewed.
@Suite struct MadeUpTraceTests {
  private static let file = FingerprintFile(
    "Tests/ScenarioTests/Goldens/made-up/recordings", seeds: 1_500)

  private static let samples: [String] =
    TableTests.same + BadTraceTests.files.map { $0.text } + [
      "[ {\"duration_ms\": 30000, \"bandwidth_kbps\": 5000.5, \"latency_ms\":  75},\n"
        + "  {\"duration_ms\": 500, \"bandwidth_kbps\": 0, \"latency_ms\": 1.5e2} ]",
      "[{\"duration\": 10, \"serverEgress\": 9000, \"clientIngress\": 7170, \"serverLoss\": 1,\n"
        + "\"clientLatency\": 20, \"serverLatency\": 7, \"clientLoss\": 2.5},\n"
        + "{\"duration\": 5, \"serverEgress\": 100, \"clientIngress\": 0}]",
      "[{\"duration\": 1, \"availableBandwidth\": 100}, {\"duration\": 2.5,"
        + " \"availableBandwidth\": 7}]",
      "0.5 1.0\n1.0 2.5\n1.0 9\n3.25 0\n", "0\n0\n3\n7\n7\n7\n20\n1000\n",
      "1297715985 5276720 59.89 10.62 254601 1010\n1297715986 5277720 59.89 10.62 0 1000\n"
        + "1297715987 5278725 59.89 10.62 99 995\n",
      "0,5M\n1,500k\n2.5,0\n3,1G\n",
      "{ Profiles = { a = { DownlinkBandwidth = 3; DownlinkBandwidthUnit = 1;\n"
        + " DownlinkPacketLossRatio = 1; DownlinkDelay = 20; DNSDelayValue = 5; }; }; }",
      "<?xml version=\"1.0\"?><plist><dict><key>a</key><dict><key>DownlinkBandwidth</key>"
        + "<integer>330</integer><key>UplinkDelay</key><real>7.5</real></dict></dict></plist>",
    ]

  private static let tokens = [
    "-", "9", "0", ".", ",", ";", "\t", " ", "\n", "\"", "{", "}", "[", "1e3", "k", "e", "#", ":",
    "Mbit/s", "ms", "99999999999999999999", "0.0000001", "T", "<", "/*", "null", "time,kbps\n",
  ]

  private static func text(_ draw: inout Draw) -> [UInt8] {
    var text = Array(draw.one(of: samples).utf8)
    for _ in 0..<draw.below(4) where !text.isEmpty {
      let place = draw.below(text.count)
      switch draw.below(4) {
      case 0: text.replaceSubrange(place..<min(text.count, place + 1), with: [draw.digit()])
      case 1: text.insert(contentsOf: draw.one(of: tokens).utf8, at: place)
      case 2: text.removeSubrange(place..<min(text.count, place + 1 + draw.below(3)))
      default: text.insert(contentsOf: text[place..<min(text.count, place + draw.below(30))], at: 0)
      }
    }
    return text
  }

  private static func options(_ draw: inout Draw) -> ImportOptions {
    var options = ImportOptions()
    if draw.chance(15) { options.format = draw.one(of: TraceFormat.allCases) }
    if draw.chance(20) { options.interval = draw.one(of: TraceReading.Interval.allCases) }
    if draw.chance(20) { options.ending = draw.chance(50) ? .loops : .holds }
    if draw.chance(20) { options.clock = draw.chance(50) ? .wall : .pausedDuringLatency }
    if draw.chance(20) { options.answersInOutages = draw.chance(50) }
    if draw.chance(20) { options.payload = LossRatio(19, over: 20) }
    return options
  }

  private static func line(of seed: Int) -> String {
    var draw = Draw(seed: UInt64(seed), part: "recording")
    var print = Fingerprint()
    let text = text(&draw)
    do throws(ImportError) {
      switch try Imported(text, options: options(&draw)) {
      case .trace(let trace):
        add(trace, to: &print)
        return "read " + print.text
      case .profiles(let profiles):
        for profile in profiles {
          print.add("\(profile.name) \(profile.conditions)")
          add(profile.conditions, nil, to: &print)
        }
        return "profiles " + print.text
      }
    } catch {
      return "\(error)".replacing("\n", with: " ")
    }
  }

  private static func add(_ trace: ImportedTrace, to print: inout Fingerprint) {
    let schedule = trace.schedule
    for step in schedule.steps {
      print.add("\(step.duration) \(step.bandwidth) \(step.latency)")
    }
    print.add("\(trace.format) \(trace.reading) \(schedule.offset) \(trace.conditions)")
    for note in trace.notes { print.add(note) }
    add(trace.conditions, schedule, to: &print)
  }

  /// The link in each other tool's words.
  private static func add(
    _ conditions: LinkConditions, _ schedule: RateSchedule?, to print: inout Fingerprint
  ) {
    // Mahimahi needs a line for each packet of a recording.
    let isShort = (schedule?.steps ?? []).allSatisfy { $0.duration < .seconds(100) }
    for format in ExportFormat.allCases where isShort || format != .mahimahi {
      let export = LinkExport(conditions, schedule: schedule, name: "a \"name\"", as: format)
      for file in export.files { print.add(file.name + file.text) }
      for omission in export.omissions { print.add(omission) }
    }
  }

  @Test func `a damaged recording is read, or refused, as it was`() async throws {
    let lines = await Self.file.lines(few: 300) { Self.line(of: $0) }
    #expect(try Self.file.differences(from: lines) == [])
    let read = lines.count { $0.contains(" read ") }
    #expect(read * 5 > lines.count && read * 5 < lines.count * 4)
  }
}

extension Draw {
  fileprivate mutating func digit() -> UInt8 { UInt8(0x30 + below(10)) }
}
