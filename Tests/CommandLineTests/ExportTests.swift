import Foundation
import TestSupport
import Testing

/// `goldilocks export link`: the link of a scenario for other tools.
@Suite(.besideOthers) struct ExportTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(
      shortScenario().replacingOccurrences(
        of: #"{ "bandwidth": "2 Mbit/s" }"#,
        with: #"""
          { "bandwidth": "2 Mbit/s", "delay": "20 ms",
            "outages": [{ "from": "5 s", "for": "10 s" }] }
          """#), to: "outage.json")
    try place.write(shortScenario(), to: "plain.json")
  }

  /// The first rate of the download is refused, or the second.
  @Test(arguments: [2, 3], ["hold", "repeat"])
  func `a script of tc ends with the first command that fails`(failing: Int, ending: String) throws
  {
    try place.write(
      shortScenario().replacingOccurrences(
        of: #"{ "bandwidth": "2 Mbit/s" }"#,
        with: #"""
          { "schedule": { "steps": [ { "for": "1 ms", "bandwidth": "2 Mbit/s" },
            { "for": "1 ms", "bandwidth": "1 Mbit/s" } ], "then": "\#(ending)" } }
          """#), to: "steps.json")
    try place.write(
      try place.run("export", "link", "steps.json", "--as", "tc").text, to: "link.sh")
    try place.write("#!/bin/sh\necho >> calls\n[ $(wc -l < calls) -ne \(failing) ]\n", to: "tc")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "chmod +x tc; PATH=.:$PATH exec sh link.sh down up"]
    shell.currentDirectoryURL = place.folder
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 1)
    #expect(try place.read("calls").count == failing)
  }

  @Test(arguments: [
    ("tc", "#!/bin/sh\n# Short\n", "rate 2000000bit\nsleep 5\n"),
    ("nlc", "<?xml version=\"1.0\"", "<key>DownlinkBandwidth</key><integer>2000</integer>"),
    ("chrome", "{\n  \"offline\": false,", "\"downloadThroughput\": 250000,"),
  ])
  func `a link of one file goes to standard output`(
    tool: String, beginning: String, line: String
  ) throws {
    let run = try place.run("export", "link", "outage.json", "--as", tool)
    #expect(run.exitCode == 0)
    #expect(run.text.hasPrefix(beginning))
    #expect(run.text.contains(line))
    let lines = run.errorText.split(separator: "\n")
    let omission = "\(tool) does not express that an outage stops the uplink as well"
    #expect(lines.contains { $0 == omission } == (tool != "tc"))
    #expect(lines.allSatisfy { $0.hasPrefix("\(tool) does not express ") })
  }

  @Test(arguments: [
    ("leaked-player-doubles-the-startup", "competing traffic"),
    ("not-found-for-good", "what goes wrong with requests"),
    ("demo-5-conditioner-on-late", "that the link is perfect until it is switched on"),
    ("demo-5-conditioner-on-late", "how the script changes the link"),
    ("hls-expensive-from-the-start", "that the network is expensive"),
    ("hls-expensive-network", "how the script changes the link"),
  ])
  func `what only a run shows is said`(name: String, omission: String) throws {
    let scenario = Checkout.at("Scenarios/" + (try ShippedScenario.named(name).path)).path
    let run = try place.run("export", "link", scenario, "--as", "tc")
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains("tc does not express \(omission)\n"))
  }

  @Test func `a link of several files wants a folder`() throws {
    let refused = try place.run("export", "link", "plain.json", "--as", "mahimahi")
    #expect(refused.exitCode == 64)
    #expect(refused.text.isEmpty)
    #expect(
      refused.errorText.hasPrefix(
        "Error: There are 3 files to write (downlink.trace, uplink.trace, link.sh): "))
    let run = try place.run("export", "link", "plain.json", "--as=mahimahi", "--out", "a/link")
    #expect(run.exitCode == 0)
    #expect(run.text.isEmpty)
    #expect(
      try place.names().filter { $0.hasPrefix("a/link/") }
        == ["a/link/downlink.trace", "a/link/link.sh", "a/link/uplink.trace"])
    // A packet of 12,000 bits every six milliseconds.
    #expect(try place.read("a/link/downlink.trace") == "6\n")
  }

  @Test func `what is exported for mahimahi is imported again`() throws {
    _ = try place.run("export", "link", "plain.json", "--as", "mahimahi", "--out", "out")
    let run = try place.run("import", "trace", "out/downlink.trace")
    let steps = run.text.components(separatedBy: .whitespacesAndNewlines).joined()
    let nothing = #"{"for":"5ms","bandwidth":"0bit/s"}"#
    #expect(steps.contains(nothing + #",{"for":"1ms","bandwidth":"12Mbit/s"}"#), "\(run.text)")
  }

  @Test func `a property list that is exported is imported again`() throws {
    let list = try place.run("export", "link", "plain.json", "--as", "nlc").text
    let run = try place.run("import", "trace", "-", input: list)
    let rate = "\"bandwidth\": \"2 Mbit/s\""
    #expect(run.text.components(separatedBy: rate).count == 3, "\(run.text)")
  }

  @Test func `a scenario that is wrong is told as everywhere`() throws {
    try place.write("{", to: "broken.json")
    #expect(try place.run("export", "link", "broken.json", "--as", "tc").exitCode == 65)
    #expect(try place.run("export", "link", "nothing.json", "--as", "tc").exitCode == 66)
  }
}
