import Foundation
import TestSupport
import Testing

/// Policies that are commands, on streams: which variant, and from when on; many at once.
@Suite(.besideOthers) struct PolicyStreamCommandTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
  }

  /// A shell script that answers each question with some text, in which `$n` is the question's
  /// number, `$now` and `$ahead` its whole seconds and `$next` the segment to be asked for.
  private func script(_ answer: String) -> String {
    #"""
    n=0
    while read -r l; do
      case $l in
        *'"ask"'*)
          n=$((n + 1))
          now=${l#*\"now\":}; now=${now%%[.,\}]*}
          ahead=${l#*\"ahead\":}; ahead=${ahead%%[.,\}]*}
          next=${l#*\"nextSegment\":}; next=${next%%[.,\}]*}
          \#(answer) ;;
        *'"goldilocks"'*) echo '{"version":1}' ;;
      esac
    done
    """#
  }

  private func answer(_ value: String, _ more: String = "") -> String {
    #"echo "{\"answer\":$n,\"value\":\#(value)\#(more)}""#
  }

  /// Two variants, the lower one first, on a link that is much faster. Who waits for ever is asked
  /// for five minutes.
  private func scenario(
    seconds: Int = 40, segment: Int = 2, seats: String = #""nextVariant""#,
    fidelity: String = "fluid", link: String = #""bandwidth": "40 Mbit/s""#
  ) -> String {
    """
    {
      "scenario": "Mine", "about": "A policy of one's own.", "fidelity": "\(fidelity)",
      "link": { \(link) }, "horizon": "5 min",
      "media": { "hls": { "duration": "\(seconds) s", "segmentDuration": "\(segment) s",
        "playlistBytes": "0 B",
        "ladder": [ { "bitrate": "500 kbit/s" }, { "bitrate": "3 Mbit/s" } ] } },
      "player": { "policy": { "command": ["sh", "mine.sh"], "seats": [ \(seats) ] } },
      "script": [ { "at": "0 s", "do": "play" } ]
    }
    """
  }

  /// A request for a segment, as the trace has it.
  private struct Asked {
    var time: Double
    var bytes: Int
  }

  /// The requests for segments of a run that also replays without anybody being asked.
  private func requests(_ scenario: String, _ script: String) throws -> [Asked] {
    try place.write(scenario, to: "mine.json")
    try place.write(script, to: "mine.sh")
    let run = try place.run(
      "run", "mine.json", "--allow-commands", "--quiet", "--trace", "mine.trace")
    #expect(run.exitCode == 0, "\(run.errorText)")
    try place.write("exit 1", to: "mine.sh")
    let replayed = try place.run("replay", "mine.trace")
    #expect(replayed.text.contains("replayed exactly"), "\(replayed.text)\(replayed.errorText)")
    return try place.read("mine.trace").split(separator: "\n").compactMap { line in
      guard line.contains(#""event":"requestStart""#), line.contains(#""mediaSegment""#),
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let time = event["t"] as? Double
      else { return nil }
      return Asked(time: time, bytes: event["size"] as? Int ?? 0)
    }
  }

  // MARK: Waiting

  /// Who waits while so much is ahead asks for the segment at *k s* when the playhead has come to
  /// *k s* less that much, at the next whole second.
  @Test(
    arguments: Seeds.cases(of: [
      (40, 2, 8, "fluid"), (40, 2, 8, "tcp"), (30, 5, 12, "fluid"), (60, 4, 20, "fluid"),
      (24, 1, 5, "tcp"), (36, 3, 9, "fluid"), (48, 6, 30, "fluid"), (20, 2, 3, "tcp"),
      (90, 10, 25, "fluid"), (32, 4, 4, "fluid"),
    ]))
  func `a command that waits asks for nothing before its time`(
    seconds: Int, segment: Int, most: Int, fidelity: String
  ) throws {
    let waits = script(
      "if [ $ahead -ge \(most) ]; then " + answer("null", #",\"until\":$((now + 1))"#)
        + "; else " + answer("0") + "; fi")
    let asked = try requests(
      scenario(seconds: seconds, segment: segment, fidelity: fidelity), waits)
    #expect(asked.count == seconds / segment)
    for (index, request) in asked.enumerated().dropFirst() {
      // The playhead has not begun before the first byte, and is never ahead of the clock.
      let earliest = Double(index * segment - most)
      #expect(request.time > earliest - 0.001, "\(index)")
      // The first segment is there within a second, and the looks are a second apart.
      #expect(request.time < max(earliest, 0) + 3.2, "\(index)")
    }
    // Who does not wait has everything long before.
    let soon = try requests(
      scenario(seconds: seconds, segment: segment, fidelity: fidelity), script(answer("0")))
    #expect(soon.count == asked.count)
    // A player holds 50 s of a stream.
    #expect((soon.last?.time ?? .infinity) < Double(max(6, seconds - 50)) + 1)
  }

  @Test func `who waits and does not say until when is told so`() throws {
    for more in ["", #",\"until\":null"#] {
      try place.write(scenario(), to: "mine.json")
      try place.write(script(answer("null", more)), to: "mine.sh")
      let run = try place.run("run", "mine.json", "--allow-commands", "--quiet")
      #expect(run.exitCode == 65)
      #expect(run.errorText.contains("waits at question 1 without an “until”"), "\(run.errorText)")
    }
  }

  // MARK: What a rule of the literature needs

  /// Five segments of 4 s and one of 2 s: a question names those that are left, with their sizes,
  /// and the download that ended last, whose throughput is the link's.
  @Test(
    arguments: Seeds.cases(of: [
      ("fluid", 2_000), ("tcp", 2_000), ("fluid", 700), ("fluid", 9_000), ("tcp", 4_000),
      ("fluid", 1_300),
    ]))
  func `a question about the next variant has the segments ahead and the last download`(
    fidelity: String, kilobits: Int
  ) throws {
    let link = #""bandwidth": "\#(kilobits) kbit/s""#
    try place.write(
      scenario(seconds: 22, segment: 4, fidelity: fidelity, link: link), to: "mine.json")
    try place.write(
      script(#"echo "$l" >> told; "# + answer("0")), to: "mine.sh")
    let run = try place.run("run", "mine.json", "--allow-commands", "--quiet")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let told = try place.read("told").split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    // Before the first segment there is no download to tell of.
    let later = told.filter { $0["latest"] is [String: Any] }
    #expect(later.count == 6)
    for (index, question) in later.enumerated() {
      let ahead = try #require(question["segments"] as? [[String: Any]])
      #expect(ahead.map { $0["duration"] as? Double } == [4, 4, 4, 4, 2].suffix(5 - index))
      let sizes = ahead.last?["bytes"] as? [Int]
      #expect(sizes == (index < 5 ? [125_000, 750_000] : nil))
      let latest = try #require(question["latest"] as? [String: Any])
      #expect(latest["segment"] as? Int == index)
      #expect(latest["bytes"] as? Int == (index < 5 ? 250_000 : 125_000))
      let times = ["began", "responded", "arrived"].compactMap { latest[$0] as? Double }
      #expect(times.count == 3 && times == times.sorted())
      // Over tcp headers come beside the bytes, and a connection grows at first.
      let throughput = 8 * Double(index < 5 ? 250_000 : 125_000) / (times[2] - times[1]) / 1_000
      #expect(throughput <= Double(kilobits) * 1.001)
      if fidelity == "fluid" { #expect(throughput >= Double(kilobits) * 0.999) }
    }
  }

  /// The shipped example in Python against the block that is built in.
  @Test(
    arguments: Seeds.cases(of: [
      (900, 3_100, 4, "fluid"), (400, 2_600, 5, "tcp"), (1_700, 700, 2, "fluid"),
      (5_000, 600, 4, "tcp"), (650, 650, 6, "fluid"), (2_200, 1_100, 3, "fluid"),
    ]))
  func `control in Python asks for what the built-in rule asks for`(
    first: Int, second: Int, segment: Int, fidelity: String
  ) throws {
    let python = Checkout.at("Scenarios/own-policies/mpc.py").path
    let policies = [
      #""nextVariant": { "predictive": { "robust": false } }"#,
      #""command": ["python3", "\#(python)"], "seats": ["nextVariant"]"#,
    ]
    let requests = try policies.map { policy in
      try place.write(
        """
        {
          "scenario": "Control", "about": "Sizes are known.", "fidelity": "\(fidelity)",
          "link": { "delay": "40 ms", "schedule": { "steps": [
            { "for": "13 s", "bandwidth": "\(first) kbit/s" },
            { "for": "17 s", "bandwidth": "\(second) kbit/s" } ], "then": "repeat" } },
          "media": { "hls": { "duration": "\(segment * 20) s", "segmentDuration": "\(segment) s",
            "ladder": [ { "bitrate": "310 kbit/s" }, { "bitrate": "1.21 Mbit/s" },
              { "bitrate": "2.83 Mbit/s" } ] } },
          "player": { "policy": { "like": "RobustMPC", \(policy) } },
          "script": [ { "at": "0 s", "do": "play" } ]
        }
        """, to: "control.json")
      let run = try place.run(
        "run", "control.json", "--allow-commands", "--quiet", "--trace", "control.trace")
      #expect(run.exitCode == 0, "\(run.errorText)")
      return try place.read("control.trace").split(separator: "\n").filter {
        $0.contains(#""resource":"mediaSegment""#)
      }
    }
    // Of the last segment going up is worth as much as it costs: a tie, which rounding decides.
    #expect(requests.map { $0.count } == [20, 20])
    #expect(requests[0].dropLast() == requests[1].dropLast())
  }

  /// A run that fails is made again for its evidence, from recorded answers: the third time, too.
  @Test(arguments: [0, 1, 2, 3, 7, 20, 21]) func `a failed expectation stays failed`(
    switches: Int
  ) throws {
    // A variant of its own for each of so many segments.
    try place.write(
      script(
        "if [ $next -le \(switches) ]; then " + answer("$((next % 2))") + "; else "
          + answer("\(switches % 2)") + "; fi"), to: "mine.sh")
    let right = min(switches, 19)
    for expected in [right, right + 1] {
      let claim = #""expect": [ { "variantSwitchCount": \#(expected) } ], "script""#
      try place.write(
        scenario().replacing(#""script""#, with: claim), to: "mine.json")
      for format in ["text", "json"] {
        let run = try place.run("test", "mine.json", "--allow-commands", "--format", format)
        #expect(run.exitCode == (expected == right ? 0 : 1), "\(run.text)")
      }
    }
  }

  // MARK: Replacing

  /// With segments of two seconds and five of them there, all but those that begin within the lead
  /// come again.
  @Test(
    arguments: Seeds.cases(of: [
      (5, "4", 2), (5, "0", 4), (5, "2.5", 3), (5, "6", 1), (5, "7.9", 1), (5, "100", 0),
      (8, "4", 5), (8, "11", 2), (3, "1", 2), (12, "20.5", 1),
    ]))
  func `a command that replaces has what is there fetched again beyond its lead`(
    at: Int, beyond: String, again: Int
  ) throws {
    // What is thrown away is asked for again, and stays with the higher variant then.
    let replaces = script(
      "[ $next -ge \(at) ] && up=1; if [ -n \"$up\" ]; then "
        + answer("1", #",\"beyond\":\#(beyond)"#) + "; else " + answer("0") + "; fi")
    let asked = try requests(scenario(), replaces)
    let low = asked.filter { $0.bytes < 300_000 }
    #expect(low.count == at)
    // What plays, and what begins within the lead, is kept.
    #expect(abs(asked.count - 20 - again) <= 1, "\(asked.count)")
    let taking = try requests(
      scenario(),
      script("if [ $next -ge \(at) ]; then " + answer("1") + "; else " + answer("0") + "; fi"))
    #expect(taking.count == 20)
  }

  // MARK: Wrong answers

  static let wrong: [(seat: String, value: String, more: String, words: String)] = [
    ("nextVariant", "true", "", "without a “value” that is one of the eligible variants or null"),
    ("nextVariant", "7", "", "without a “value” that is one of the eligible variants or null"),
    ("nextVariant", "-1", "", "that is one of the eligible variants"),
    ("nextVariant", "1.5", "", "that is one of the eligible variants"),
    ("nextVariant", "1", #",\"beyond\":-1"#, "names a “beyond” that is no time of zero or more"),
    ("nextVariant", "1", #",\"beyond\":\"4 s\""#, "names a “beyond” that is no time"),
    ("nextVariant", "null", #",\"beyond\":4,\"until\":900"#, "or has no variant"),
    ("nextVariant", "null", #",\"until\":0"#, "that is no time after the question's “now”"),
    ("nextVariant", "1", #",\"until\":900"#, "names an “until” beside a variant"),
    ("nextVariant", "0", #",\"until\":900"#, "names an “until” beside a variant"),
    ("abandon", "true", "", "without a “value” that is a lower eligible variant than 0, or null"),
    ("abandon", "1", "", "without a “value” that is a lower eligible variant than 0, or null"),
    ("abandon", "0", "", "without a “value” that is a lower eligible variant than 0, or null"),
    ("abandon", "null", #",\"beyond\":4"#, "names a “beyond” that is no time"),
    ("start", "null", #",\"until\":4"#, "without a “value” that is true or false"),
    ("start", "true", #",\"beyond\":4"#, "names a “beyond” that is no time"),
    ("stall", "1", "", "without a “value” that is true or false"),
  ]

  @Test(arguments: Seeds.cases(of: wrong, few: 4))
  func `an answer that the seat has no use for ends the run`(
    wrong: (seat: String, value: String, more: String, words: String)
  ) throws {
    // Slow enough that a segment is under way while the playhead moves.
    try place.write(
      scenario(seats: #""\#(wrong.seat)""#, link: #""bandwidth": "900 kbit/s""#), to: "mine.json")
    try place.write(script(answer(wrong.value, wrong.more)), to: "mine.sh")
    let run = try place.run(
      "run", "mine.json", "--allow-commands", "--quiet", "--trace", "mine.trace")
    #expect(run.exitCode == 65, "\(run.errorText)")
    #expect(run.errorText.contains(wrong.words), "\(run.errorText)")
    #expect(!(try place.names().contains("mine.trace")))
  }

  /// The third question is the one that it does not survive.
  @Test(
    arguments: Seeds.cases(
      of: [
        ("exit 3", "ended with code 3 before it had answered", 74),
        ("kill -9 $$", "was ended by signal 9 before it had answered", 74),
        ("sleep 30", "has not answered within 1 s", 74),
        ("echo nonsense", "answers question 3 with no JSON: nonsense", 65),
      ] as [(String, String, Int32)]))
  func `a command may break in the middle of a run`(
    breaks: String, words: String, code: Int32
  ) throws {
    try place.write(scenario(seats: #""start", "nextVariant""#), to: "mine.json")
    // A variant is asked for with `eligible`, and readiness without.
    try place.write(
      script(
        """
        if [ $n -eq 3 ]; then \(breaks); else
          case $l in
            *'"eligible"'*) \(answer("0")) ;;
            *) \(answer("false")) ;;
          esac
        fi
        """), to: "mine.sh")
    let run = try place.run(
      "run", "mine.json", "--allow-commands", "--answer-time", "1", "--trace", "mine.trace")
    #expect(run.exitCode == code, "\(run.errorText)")
    #expect(run.errorText.contains(words), "\(run.errorText)")
    #expect(!(try place.names().contains("mine.trace")))
  }

  // MARK: Live

  /// Playhead and live edge both move a second in a second, whatever the playlist's age.
  @Test func `the distance to the live edge stays while playback is steady`() throws {
    try place.write(
      #"""
      n=0
      while read -r l; do
        echo "$l" >>questions
        case $l in
          *'"ask"'*) n=$((n + 1)); echo "{\"answer\":$n,\"value\":false}" ;;
          *'"goldilocks"'*) echo '{"version":1}' ;;
        esac
      done
      """#, to: "log.sh")
    try place.write(
      """
      { "scenario": "Steady", "about": "Live.", "horizon": "21 s",
        "link": { "bandwidth": "1500 kbit/s", "delay": "20 ms" },
        "media": { "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "30 min",
          "segmentDuration": "6 s", "live": { "window": "120 s", "startsWith": "120 s" } } },
        "player": { "policy": { "like": "avfoundation", "command": ["sh", "log.sh"],
          "seats": ["stall"] } },
        "script": [ { "at": "0 s", "do": "play" } ] }
      """, to: "steady.json")
    #expect(try place.run("run", "steady.json", "--allow-commands", "--quiet").exitCode == 0)
    let offsets = try place.read("questions").matches(of: /"liveOffset":([0-9.]+)/).map { $0.1 }
    #expect(offsets.count > 50 && Set(offsets).count == 1, "\(Set(offsets))")
  }

  // MARK: Many at once

  @Test func `many sessions at once say what they say one after the other`() throws {
    let numbers = Array(stride(from: 3, through: 24, by: Seeds.areMany ? 1 : 11))
    for number in numbers {
      let fidelity = Seeds.areMany && number.isMultiple(of: 3) ? "tcp" : "fluid"
      try place.write(
        scenario(
          seconds: 20 + number, segment: 1 + number % 5,
          fidelity: fidelity,
          link: #""bandwidth": "\#(700 + 300 * number) kbit/s", "delay": "\#(number) ms""#),
        to: "many/\(number).json")
    }
    try place.write(
      script(
        "if [ $ahead -ge 9 ]; then " + answer("null", #",\"until\":$((now + 2))"#)
          + "; elif [ $ahead -ge 4 ]; then " + answer("1", #",\"beyond\":3"#) + "; else "
          + answer("0") + "; fi"),
      to: "many/mine.sh")
    let crews = [("1", "one"), ("4", "four"), ("9", "nine")].prefix(Seeds.areMany ? 3 : 2)
    for (jobs, folder) in crews {
      let run = try place.run(
        "run", "many", "--quiet", "--allow-commands", "--jobs", jobs, "--trace", folder + "/")
      #expect(run.exitCode == 0, "\(run.errorText)")
    }
    var waits = 0
    for number in numbers {
      let trace = try place.read("one/\(number).trace.jsonl")
      #expect(trace.contains(#""event":"policyAnswer""#), "\(number)")
      if trace.contains(#""value":null,"until""#) { waits += 1 }
      for (_, folder) in crews {
        #expect(try place.read("\(folder)/\(number).trace.jsonl") == trace)
      }
    }
    #expect(waits * 2 > numbers.count)
  }
}
