import ExactText
import Foundation
import TestSupport
import Testing

/// `goldilocks import trace`: what is written, and what is said of it.
@Suite(.besideOthers) struct ImportTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  struct Reading: CustomTestStringConvertible {
    var file: String
    var content: String
    var options: [String] = []
    /// What standard error says after the file's name.
    var said: String
    /// The schedule in one line.
    var schedule: String

    var testDescription: String { ([file] + options).joined(separator: " ") }
  }

  static let readings = [
    Reading(
      file: "sabre.json",
      content: #"[{"duration_ms": 1500, "bandwidth_kbps": 5000.5, "latency_ms": 75}]"#,
      said: "read as sabre: each sample says how long it lasts, after the last comes the first, "
        + "time passes while requests wait, answers begin in outages",
      schedule: "repeat inOutages; 1.5 s 5.0005 Mbit/s 75 ms"),
    Reading(
      file: "sabre.json",
      content: #"[{"duration_ms": 1500, "bandwidth_kbps": 500, "latency_ms": 75}]"#,
      options: ["--answers=afterOutages"],
      said: "read as sabre: each sample says how long it lasts, after the last comes the first, "
        + "time passes while requests wait",
      schedule: "repeat; 1.5 s 500 kbit/s 75 ms"),
    Reading(
      file: "pensieve.txt", content: "0.5 1.0\r\n1.0 0.826531177829\r\n3.25 0\r\n",
      said: "read as pensieve: a sample's interval ends at its time, after the last comes the "
        + "first, time stands still while requests wait\npensieve.txt: note: the first sample's "
        + "rate is not used: its interval ends before the trace begins",
      schedule: "repeat pausedDuringLatency from 500 ms; 1 s 826.531177829 kbit/s; 2.25 s 0 bit/s"),
    Reading(
      file: "pensieve.txt", content: "0 1.0\n1.0 2.5\n",
      options: ["--interval=starts", "--then=hold", "--clock=wall", "--payload=95 %"],
      said: "read as pensieve: a sample's interval starts at its time, the last one holds, "
        + "time passes while requests wait",
      schedule: "hold; 1 s 950 kbit/s; 1 s 2.375 Mbit/s"),
    Reading(
      file: "link.csv", content: "seconds,bits per second\n# an outage\n0,5M\n2,0\n\n3.5,640k\n",
      said: "read as csv: a sample's interval starts at its time, the last one holds, "
        + "time passes while requests wait\nlink.csv: note: 'seconds' is the time in s, "
        + "'bits per second' is the rate in bit/s",
      schedule: "hold; 2 s 5 Mbit/s; 1.5 s 0 bit/s; 1 s 640 kbit/s"),
    Reading(
      file: "hsdpa.log", content: "1297715985 5276720 59.894124 10.629597 1000 1003\n",
      said: "read as hsdpa: each sample says how long it lasts, after the last comes the first, "
        + "time passes while requests wait\nhsdpa.log: note: rates that no decimal says exactly "
        + "are rounded down to a millionth of a bit/s",
      schedule: "repeat; 1.003 s 7.976071784 kbit/s"),
    Reading(
      file: "cadvise.json", content: #"[{"duration":1,"serverEgress":0,"clientIngress":300}]"#,
      said: "read as cadvise: each sample says how long it lasts, the last one holds, time passes "
        + "while requests wait\ncadvise.json: note: zero bandwidth is no limit\ncadvise.json: "
        + "note: latencies are waited once for each request",
      schedule: "hold; 1 s 300 kbit/s"),
    Reading(
      file: "five", content: "5\n", options: ["--format=mahimahi"],
      said: "read as mahimahi: a sample's interval ends at its time, after the last comes the "
        + "first, time passes while requests wait\nfive: note: a packet of 1,500 bytes is spread "
        + "over its millisecond",
      schedule: "repeat; 4 ms 0 bit/s; 1 ms 12 Mbit/s"),
  ]

  @Test(arguments: Seeds.cases(of: readings, few: 4))
  func `a recorded link becomes the link of a scenario, and the reading is named`(
    reading: Reading
  ) throws {
    try place.write(reading.content, to: reading.file)
    let run = try place.run(["import", "trace"] + reading.options + [reading.file])
    #expect(run.exitCode == 0)
    #expect(run.errorText == "\(reading.file): \(reading.said)\n")
    let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let link = try #require(document?["link"] as? [String: Any])
    #expect(words(try #require(link["schedule"] as? [String: Any])) == reading.schedule)
  }

  private func words(_ schedule: [String: Any]) -> String {
    let offset = (schedule["offset"] as? String).map { "from " + $0 }
    let head = ["then", "clock", "answers"].map { schedule[$0] as? String } + [offset]
    let steps = (schedule["steps"] as? [[String: Any]] ?? []).map { step in
      ["for", "bandwidth", "latency"].compactMap { step[$0] as? String }.joined(separator: " ")
    }
    return ([head.compactMap { $0 }.joined(separator: " ")] + steps).joined(separator: "; ")
  }

  @Test(arguments: Seeds.cases(of: readings))
  func `what is written is read by a scenario, as the file itself would be`(
    reading: Reading
  ) throws {
    try place.write(reading.content, to: reading.file)
    let link = try place.run(["import", "trace"] + reading.options + [reading.file]).text
    // The link's object takes the place of the one that the scenario had.
    let inner = link.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst().dropLast()
    try place.write(scenario(with: String(inner)), to: "written.json")
    // What an option says, the scenario says under a key of that name.
    let options = reading.options.map { option in
      let words = option.dropFirst(2).split(separator: "=")
      return ", \"\(words[0])\": \"\(words[1])\""
    }
    let trace = #""link": { "trace": { "file": "\#(reading.file)"\#(options.joined()) } }"#
    try place.write(scenario(with: trace), to: "named.json")
    let (written, named) = (try figures("written.json"), try figures("named.json"))
    #expect(written.count == 5)
    // Where a rate is rounded, so is what follows from it.
    for (key, figure) in written {
      let other = try #require(named[key])
      #expect(abs(figure - other) <= 1e-6 * abs(other), "\(key)")
    }
  }

  private func scenario(with link: String) -> String {
    shortScenario().replacingOccurrences(of: #""link": { "bandwidth": "2 Mbit/s" }"#, with: link)
  }

  /// What a run of a scenario gave.
  private func figures(_ name: String) throws -> [String: Double] {
    let run = try place.run("run", name, "--format=json")
    let answer = try #require(
      JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(run.errorText)")
    let report = try #require((answer["scenarios"] as? [[String: Any]])?.first)
    let keys = [
      "startupDelaySeconds", "stallCount", "stalledSeconds", "playedSeconds", "bytesTransferred",
    ]
    return report.compactMapValues { $0 as? Double }.filter { keys.contains($0.key) }
  }

  @Test func `samples of one time are noted, since all but one of them last no time`() throws {
    for (text, note) in [
      ("0,1M\n0,2M\n4,3M\n", "note: a sample has the same time as another and lasts no time\n"),
      (
        "0,1M\n2,2M\n2,5M\n2,6M\n4,3M\n",
        "note: 2 samples have the same time as another and last no time\n"
      ),
      ("0 1\n3 2\n3 5\n4 3\n", "note: a sample has the same time as another and lasts no time\n"),
    ] {
      let run = try place.run("import", "trace", "-", input: text)
      #expect(run.exitCode == 0 && run.errorText.contains(note), "\(run.errorText)")
    }
    let plain = try place.run("import", "trace", "-", input: "0,1M\n4,2M\n")
    #expect(!plain.errorText.contains("same time"))
  }

  // MARK: Profiles

  private static let profiles = """
    <plist><dict>
      <key>Slow</key><dict>
        <key>DownlinkBandwidth</key><real>780</real><key>DownlinkDelay</key><real>100</real>
        <key>UplinkBandwidth</key><real>330</real>
      </dict>
      <key>Lossy &amp; far</key><dict>
        <key>DownlinkBandwidth</key><real>0</real><key>DNSDelayValue</key><real>3000</real>
        <key>DownlinkPacketLossRatio</key><real>1.5</real>
      </dict>
    </dict></plist>
    """

  @Test func `a list of profiles gives a link for each of them`() throws {
    let run = try place.run("import", "trace", "-", input: Self.profiles)
    #expect(run.exitCode == 0)
    #expect(run.errorText.hasPrefix("<stdin>: read as nlc: 2 profiles, 'Slow', 'Lossy & far'; "))
    let links = try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]]
    #expect(links?.map { $0["name"] as? String } == ["Slow", "Lossy & far"])
  }

  @Test func `what an option says of rates, it does not say of profiles`() throws {
    let run = try place.run(
      "import", "trace", "--payload=95 %", "--then=hold", "-", input: Self.profiles)
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains("note: --payload says nothing about profiles\n"))
    #expect(run.errorText.contains("note: --then says nothing about profiles\n"))
  }

  @Test func `one of them is a link by itself`() throws {
    let run = try place.run("import", "trace", "--name", "Slow", "-", input: Self.profiles)
    let text = run.text.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      text == #"""
        { "link": { "downlink": { "bandwidth": "780 kbit/s", "delay": "100 ms" }, "uplink": { \#
        "bandwidth": "330 kbit/s", "delay": "0 s" } } }
        """#)
    let lossy = try place.run("import", "trace", "--name=Lossy & far", "-", input: Self.profiles)
    #expect(lossy.text.contains("\"dnsDelay\": \"3 s\"") && lossy.text.contains("\"1.5 %\""))
  }

  @Test func `a name that the list does not have is answered with those it has`() throws {
    let run = try place.run("import", "trace", "--name", "Slwo", "-", input: Self.profiles)
    #expect(run.exitCode == 64)
    #expect(
      run.errorText.contains(
        "Error: There is no profile 'Slwo' in the list, but 'Slow' and 'Lossy & far'. "
          + "Did you mean 'Slow'?\n"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("0,5M\n\n1,abc\n", "<stdin>:3:3: 'abc' where a number is expected\n"),
    ("1 2\n0 1\n", "<stdin>:2:1: the time is before that of the line above\n"),
    ("", "<stdin>:1:1: nothing but blank lines and comments; expected a trace\n"),
    ("1 2 3\n", "<stdin>:1:1: not a format that is known here: sabre, pensieve, "),
    ("[{\"duration_ms\": 1,\n\"latency_ms\": 1}]", "<stdin>:1:1: 'bandwidth_kbps' is missing\n"),
  ])
  func `a file that is no trace is wrong input, with the line`(
    content: String, message: String
  ) throws {
    let run = try place.run("import", "trace", "-", input: content)
    #expect(run.exitCode == 65)
    #expect(run.text.isEmpty)
    #expect(run.errorText.hasPrefix(message), "\(run.errorText)")
    #expect(run.errorText.hasSuffix("Error: '<stdin>' has a mistake.\n"))
  }

  @Test func `a file that is not there is missing`() throws {
    let run = try place.run("import", "trace", "nothing.csv")
    #expect(run.exitCode == 66)
    #expect(run.errorText == "Error: There is no file or folder 'nothing.csv'.\n")
  }

  @Test(arguments: Seeds.cases(of: ["0 %", "101 %", "95", "all"]))
  func `a payload is a part of the rate`(share: String) throws {
    let run = try place.run("import", "trace", "--payload", share, "-", input: "0,1\n")
    #expect(run.exitCode == 64)
    #expect(run.errorText.hasPrefix("Error: The value '\(share)' is invalid for '--payload "))
  }
}
