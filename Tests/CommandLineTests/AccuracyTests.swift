import Foundation
import TestSupport
import Testing

/// `goldilocks accuracy`: predicted against measured.
@Suite(.besideOthers) struct AccuracyTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(
      Self.download("cold", 0.0518) + Self.download("warm", 0.0258)
        + Self.download("cold", 1, control: "vegas"), to: "measured/downloads.jsonl")
    try place.write(Self.session, to: "measured/sequences.jsonl")
  }

  private static let link = """
    "downBitsPerSecond": 10000000, "upBitsPerSecond": 10000000, "downDelayMs": 12.0, \
    "upDelayMs": 12.0, "downLoss": 0, "upLoss": 0, "downQueuePackets": 100, "upQueuePackets": 100
    """

  private static func download(
    _ phase: String, _ median: Double, control: String = "cubic"
  ) -> String {
    """
    {"group": "base", "cell": "ten", "congestionControl": "\(control)", "phase": "\(phase)", \
    "bytes": 2000, "runs": 5, \(link), "totalSeconds": {"p10": 0.05, "median": \(median), \
    "p90": 0.06}}

    """
  }

  private static let session = """
    {"group": "sequence", "cell": "two", "congestionControl": "reno", "bytes": 2000, \(link), \
    "initialWindow": 10, "slowStartAfterIdle": 1, "plan": "C0:2000,500:2000", "clients": null, \
    "schedule": null, "stepMs": null, "requests": [\
    {"client": 0, "index": 0, "totalSeconds": {"median": 0.0518}}, \
    {"client": 0, "index": 1, "totalSeconds": {"median": 0.0258}}]}

    """

  @Test func `each group is held against what was measured`() throws {
    let run = try place.run("accuracy", "measured", "--format", "json")
    #expect(run.exitCode == 0)
    let report = try #require(
      JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    #expect(report["rowsLeftOut"] as? Int == 1)
    let groups = try #require(report["groups"] as? [[String: Any]])
    #expect(
      groups.map { $0["group"] as? String }
        == ["lossless cold", "lossless warm", "lossless, all of them", "sequence"])
    #expect(groups.map { $0["cellCount"] as? Int } == [1, 1, 2, 1])
    let cells = try #require(report["cells"] as? [[String: Any]])
    // Two round trips of 24 ms and a little for a new connection, one for one that is there.
    for cell in cells {
      #expect(try #require(cell["error"] as? Double) < 0.05, "\(cell["cell"] ?? "")")
    }
    #expect(
      cells.map { $0["cell"] as? String }
        == ["ten cubic 2000 cold", "ten cubic 2000 warm", "two reno 2000"])
  }

  @Test(arguments: ["1", "3"])
  func `the report is the same however many work on it`(jobs: String) throws {
    let run = try place.run("accuracy", "measured", "--jobs", jobs, "--worst", "1")
    #expect(run.exitCode == 0)
    #expect(run.errorText.isEmpty)
    #expect(run.text == (try place.run("accuracy", "measured", "--worst=1").text))
    #expect(run.text.contains("\nFurthest off, sequence\n"))
    #expect(run.text.contains("1 row of unknown kinds or"))
  }

  @Test func `a group can be chosen by how it begins`() throws {
    let run = try place.run("accuracy", "measured", "--group", "seq", "--worst", "0")
    let lines = run.text.split(separator: "\n")
    #expect(lines[1].hasPrefix("sequence "))
    #expect(!run.text.contains("lossless"))
    let wrong = try place.run("accuracy", "measured", "--group", "sequense")
    #expect(wrong.exitCode == 64)
    #expect(wrong.errorText.contains("Did you mean 'sequence'?"))
  }

  @Test func `a lossy cell is compared sample by sample`() throws {
    let samples = (0..<10).map { "0.05\($0)" }.joined(separator: ", ")
    let row = Self.download("cold", 0.0518)
      .replacingOccurrences(of: "\"downLoss\": 0,", with: "\"downLoss\": 0.01,")
      .replacingOccurrences(of: "\"runs\"", with: "\"totalSecondsSamples\": [\(samples)], \"runs\"")
    let run = try place.run(
      "accuracy", "-", "--seeds", "20", "--format=json", input: row)
    #expect(run.exitCode == 0)
    let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let cell = try #require((report?["cells"] as? [[String: Any]])?.first)
    #expect(cell["group"] as? String == "lossy")
    let probability = try #require(cell["probability"] as? Double)
    #expect(probability >= (try #require(cell["strictProbability"] as? Double)))
  }

  @Test(arguments: [(seeds: 10, isKnown: false), (19, false), (20, true)])
  func `noise is known from twice as many runs as were measured`(
    seeds: Int, isKnown: Bool
  ) throws {
    let samples = (0..<10).map { "0.05\($0)" }.joined(separator: ", ")
    let row = Self.download("cold", 0.0518)
      .replacingOccurrences(of: "\"downLoss\": 0,", with: "\"downLoss\": 0.1,")
      .replacingOccurrences(of: "\"runs\"", with: "\"totalSecondsSamples\": [\(samples)], \"runs\"")
    let run = try place.run("accuracy", "-", "--seeds", "\(seeds)", "--format=json", input: row)
    let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let cell = try #require((report?["cells"] as? [[String: Any]])?.first)
    #expect((cell["noise"] is Double) == isKnown, "\(cell)")
  }

  @Test func `a file counts once however it is named, and a row that is there twice is refused`()
    throws
  {
    let once = try place.run("accuracy", "measured")
    #expect(once.exitCode == 0)
    let named = try place.run("accuracy", "measured", "measured/sequences.jsonl", "./measured")
    #expect(named.output == once.output, "\(named.errorText)")
    try place.write(Self.download("warm", 1) + Self.session, to: "copy.jsonl")
    let copied = try place.run("accuracy", "measured", "copy.jsonl")
    #expect(copied.exitCode == 65)
    let words = "copy.jsonl:2: the row is the same as measured/sequences.jsonl:1."
    #expect(copied.errorText.contains(words), "\(copied.errorText)")
  }

  @Test func `a cell with two modes tells the share of the slow one, measured and simulated`()
    throws
  {
    // Seven of ten runs of a lossy link lost nothing; three waited for a retransmission.
    let samples = Array(repeating: "0.0518", count: 7) + Array(repeating: "0.27", count: 3)
    let row = Self.download("cold", 0.0518)
      .replacingOccurrences(of: "\"downLoss\": 0,", with: "\"downLoss\": 0.000001,")
      .replacingOccurrences(
        of: "\"runs\"",
        with: "\"totalSecondsSamples\": [\(samples.joined(separator: ", "))], \"runs\"")
    let run = try place.run("accuracy", "-", "--seeds", "20", "--format=json", input: row)
    let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let cell = try #require((report?["cells"] as? [[String: Any]])?.first)
    #expect(cell["measuredSlowShare"] as? Double == 0.3)
    #expect(cell["predictedSlowShare"] as? Double == 0)
    // No simulated run is slow: 3 of 10 are 0.2182 s away, 1.2637 medians in the mean.
    let wasserstein = try #require(cell["wasserstein"] as? Double)
    #expect(abs(wasserstein - 0.3 * 0.2182 / 0.0518) < 0.02)
    #expect(try #require(cell["noise"] as? Double) < 0.01)
  }

  @Test(arguments: [
    "\"topology\": \"token bucket\"", "\"tokenBucketSchedule\": [500000], \"stepMs\": 1000",
  ])
  func `a token bucket passes small packets at once`(keys: String) throws {
    let slow = Self.session
      .replacingOccurrences(of: "10000000", with: "500000")
      .replacingOccurrences(of: "\"schedule\": null, \"stepMs\": null, ", with: "")
      .replacingOccurrences(of: "C0:2000,500:2000", with: "C0:1000,500:1000")
    func seconds(_ row: String) throws -> Double {
      let run = try place.run("accuracy", "-", "--format", "json", input: row)
      let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      return try #require(
        (report?["cells"] as? [[String: Any]])?.first?["predictedSeconds"] as? Double)
    }
    let box = try seconds(slow)
    let bucket = try seconds(slow.replacingOccurrences(of: "\"plan\"", with: keys + ", \"plan\""))
    // At 16 µs a byte: two packets of 74 bytes and one of 66 open the connection, and the server
    // acknowledges the first request with one of 66 before it answers; they, two requests of 466
    // and two answers of 1,316 take no time any more.
    let saved = Double(2 * 74 + 2 * 66 + 2 * 466 + 2 * 1_316) * 16e-6
    #expect(abs(box - bucket - saved) < 0.000_5, "\(box) \(bucket)")
  }

  @Test func `what never arrives is said so`() throws {
    let row = Self.download("cold", 1)
      .replacingOccurrences(of: "\"downLoss\": 0,", with: "\"downLoss\": 1,")
    let text = try place.run("accuracy", "-", "--seeds", "2", input: row).text
    #expect(text.contains(" 1.0000 s      never  never\n"))
    let json = try place.run("accuracy", "-", "--seeds=2", "--format=json", input: row)
    let report = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect((report?["cells"] as? [[String: Any]])?.first?["predictedSeconds"] is NSNull)
  }

  static let mistakes = [
    ("{\"requests\": 1,", "<stdin>:1:16: "),
    ("\n{\"group\": \"a\"}", "<stdin>:2: 'congestionControl' is missing; expected a string."),
    (
      session.replacingOccurrences(of: "\"plan\": \"C0:", with: "\"plan\": \"C0-"),
      "<stdin>:1: 'plan' is wrong; expected requests such as "
    ),
    (
      session.replacingOccurrences(of: "\"index\": 1", with: "\"index\": 2"),
      "<stdin>:1: 'index' is wrong; expected a number from 0 to 1."
    ),
    (
      download("hot", 1), "<stdin>:1: 'phase' is wrong; expected one of 'cold', 'warm', 'idle5s'."
    ),
    (
      download("cold", 0), "<stdin>:1: 'median' is wrong; expected a number from 1e-06 to 1000000."
    ),
    (download("cold", 1, control: "vegas"), "There is no measurement that can be predicted."),
  ]

  @Test(arguments: Seeds.cases(of: mistakes, few: 4))
  func `a row that is wrong is told with its line`(content: String, message: String) throws {
    let run = try place.run("accuracy", "-", input: content)
    #expect(run.exitCode == 65)
    #expect(run.text.isEmpty)
    #expect(run.errorText.hasPrefix("Error: " + message), "\(run.errorText)")
  }

  /// Rows that say more, or something else, than is simulated: each was once scored all the same.
  static let unread = [
    (
      session.replacingOccurrences(
        of: "\"schedule\": null", with: "\"schedule\": [9], \"tokenBucketSchedule\": [9]"),
      "<stdin>:1: 'schedule' is wrong; expected none beside 'tokenBucketSchedule'."
    ),
    (
      session.replacingOccurrences(of: "\"plan\"", with: "\"topology\": \"router\", \"plan\""),
      "<stdin>:1: 'topology' is wrong; expected one of 'box', 'token bucket'."
    ),
    (
      download("cold", 1).replacingOccurrences(of: "\"runs\"", with: "\"schedule\": [9], \"runs\""),
      "<stdin>:1: 'schedule' means nothing in a download"
    ),
    (
      download("cold", 1).replacingOccurrences(of: "\"runs\"", with: "\"downlos\": 0.1, \"runs\""),
      "<stdin>:1: 'downlos' means nothing in a download, and a row is not scored without what it "
        + "says. Did you mean 'downLoss'?"
    ),
    (
      download("cold", 1).replacingOccurrences(of: "\"runs\"", with: "\"upLoss\": 0.1, \"runs\""),
      "<stdin>:1: 'upLoss' is wrong; expected it once."
    ),
    (
      session.replacingOccurrences(of: "\"stepMs\": null", with: "\"stepMs\": 1000"),
      "<stdin>:1: 'stepMs' is wrong; expected a 'schedule' beside it."
    ),
    (
      session.replacingOccurrences(
        of: "\"schedule\": null, \"stepMs\": null", with: "\"schedule\": [1.5], \"stepMs\": 9"),
      "<stdin>:1: 'schedule' is wrong; expected whole rates."
    ),
    (
      session.replacingOccurrences(
        of: "\"plan\"", with: "\"lossPosition\": \"in the queue\", \"plan\""),
      "<stdin>:1: 'lossPosition' is wrong; expected one of 'before the queue', 'after the queue'."
    ),
    (
      session.replacingOccurrences(
        of: "\"clients\": null",
        with: "\"clients\": [{\"plan\": \"C0:1\", \"congestionControl\": \"reno\"}]"),
      "<stdin>:1: 'plan' is wrong; expected none beside 'clients', each of which has its own."
    ),
    (
      session.replacingOccurrences(of: "C0:2000,500", with: "0:2000,500"),
      "<stdin>:1: 'plan' is wrong; expected requests such as "
    ),
    (
      session.replacingOccurrences(of: "\"index\": 1", with: "\"index\": 0"),
      "<stdin>:1: 'index' is wrong; expected each request once."
    ),
    (
      download("cold", 1)
        + download("warm", 1).replacingOccurrences(of: "\"upLoss\": 0", with: "\"upLoss\": 0.5"),
      "<stdin>:2: 'phase' is wrong; expected the link of the other phases of "
    ),
  ]

  @Test(arguments: Seeds.cases(of: unread, few: 4))
  func `what a row says is read, or the row is refused`(content: String, message: String) throws {
    let run = try place.run("accuracy", "-", input: content)
    #expect(run.exitCode == 65)
    #expect(run.errorText.hasPrefix("Error: " + message), "\(run.errorText)")
  }

  @Test func `a row of an unknown kind leaves the others to be scored`() throws {
    let known = Self.download("cold", 1)
    let run = try place.run("accuracy", "-", input: known + "{\"kind\": \"radio\"}\n")
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.text.contains("1 row of unknown kinds"), "\(run.text)")
    #expect(try place.run("accuracy", "-", input: "{\"kind\": \"radio\"}\n").exitCode == 65)
  }

  @Test func `a connection that is opened anew costs its handshake again`() throws {
    let row = Self.session.replacingOccurrences(of: "C0:2000,500:2000", with: "C0:2000,C500:2000")
    let run = try place.run("accuracy", "-", "--format", "json", input: row)
    let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let cell = try #require((report?["cells"] as? [[String: Any]])?.first)
    // Two round trips of 24 ms each time, and not one the second time.
    let predicted = try #require(cell["predictedSeconds"] as? Double)
    #expect(abs(predicted - 2 * 0.0518) < 0.003)
  }

  @Test func `a folder without measurements is missing input`() throws {
    try place.write("", to: "empty/notes.txt")
    let run = try place.run("accuracy", "empty")
    #expect(run.exitCode == 66)
    #expect(run.errorText.hasSuffix("no file in it ends in .jsonl.\n"))
  }
}
