import Foundation
import Testing

/// `goldilocks heuristics`: the list, and a page on one thing.
@Suite(.besideOthers) struct HeuristicsTests {
  private func json(_ arguments: String...) throws -> [String: Any] {
    let run = try Command(["heuristics"] + arguments + ["--format", "json"]).run()
    #expect(run.exitCode == 0)
    let value = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    return value ?? [:]
  }

  @Test func `the list has policies, seats with their blocks, and the short forms`() throws {
    let run = try Command("heuristics", "--width", "1000").run()
    #expect(run.exitCode == 0)
    for words in [
      "avfoundation", "AVPlayer, from its documentation", "start", "Condition for starting.",
      "playThrough, escalating", "thresholds 1 s/2 s",
    ] {
      #expect(run.text.contains(words), "\(words)")
    }
    let list = try json()
    #expect(list["goldilocks"] != nil && list["command"] as? String == "heuristics")
    let seats = list["seats"] as? [[String: Any]] ?? []
    let start = seats.first { $0["seat"] as? String == "start" }
    let blocks = start?["blocks"] as? [[String: Any]] ?? []
    #expect(blocks.contains { $0["block"] as? String == "playThrough" })
    #expect((list["heuristics"] as? [[String: Any]])?.count == 5)
  }

  @Test func `a policy shows its choices with source and confidence`() throws {
    let run = try Command("heuristics", "avfoundation").run()
    #expect(run.exitCode == 0)
    #expect(run.text.contains("WWDC16 503") && run.text.contains("(documented)"))
    #expect(run.text.contains("(assumed)"))
    let policy = try json("avfoundation")
    let choices = policy["choices"] as? [String: Any]
    let start = choices?["start"] as? [String: [String: Any]]
    #expect(start?["playThrough"]?["margin"] as? String == "2 s")
    #expect((policy["evidence"] as? [[String: Any]])?.isEmpty == false)
  }

  @Test(
    arguments: [
      ("thresholds 1 s/2 s", "thresholds 1 s/2 s", #"{"media":"1 s"}"#, #"{"media":"2 s"}"#),
      ("thresholds 500 ms/4 s", "thresholds 0.5 s/4 s", #"{"media":"0.5 s"}"#, #"{"media":"4 s"}"#),
      ("thresholds", "thresholds 1 s/2 s", #"{"media":"1 s"}"#, #"{"media":"2 s"}"#),
      ("immediate", "immediate", #""anything""#, #"{"media":"0.25 s"}"#),
    ])
  func `a short form says what it means, and what it fills its seats with`(
    name: String, form: String, start: String, resume: String
  ) throws {
    let run = try Command("heuristics", name, "--width", "1000").run()
    #expect(run.exitCode == 0 && run.text.hasPrefix(form + "\nStart with the first "))
    let lines = run.text.split(separator: "\n").map { $0.filter { $0 != " " } }
    let wanted = [("start", start), ("resume", resume)].map { ($0 + $1).filter { $0 != " " } }
    for line in wanted { #expect(lines.contains(line), "\(line) in \(lines)") }
    let page = try json(name)
    #expect(page["heuristic"] as? String == form)
    #expect((page["choices"] as? [String: Any])?.keys.sorted() == ["resume", "start"])
  }

  @Test(arguments: ["x1.1", "x1.25", "x2"])
  func `a short form has the safety factor that is asked for`(factor: String) throws {
    let page = try json("playThrough " + factor)
    #expect(page["heuristic"] as? String == "playThrough " + factor)
    #expect((page["about"] as? String)?.contains("so many times as high") == true)
  }

  @Test func `what ends a wait whatever the rule has a source of its own`() throws {
    let lines = try Command("heuristics", "Media3 1.6", "--width", "1000").run().text
      .split(separator: "\n")
    let row = try #require(lines.firstIndex { $0.contains("  exits  ") })
    #expect(lines[row + 1].contains("shouldTransitionToReadyState"))
    let exits = try json("Chromium 156 play")["exits"] as? [String: String]
    #expect(exits?["source"]?.contains("CanPlayThrough") == true)
    #expect(exits?["confidence"] == "copy")
  }

  @Test func `a policy shows which state was looked at, and what surprises`() throws {
    for name in ["mpv 0.35", "RobustMPC", "Firefox 153 play"] {
      let policy = try json(name)
      let gotchas = try #require(policy["gotchas"] as? [String])
      let snapshot = try #require(policy["snapshot"] as? String)
      let run = try Command("heuristics", name, "--width", "1000").run()
      #expect(run.text.contains("snapshot") && run.text.contains(snapshot))
      let list = run.text.components(separatedBy: "Gotchas").last ?? ""
      #expect(gotchas.count >= 2)
      for gotcha in gotchas { #expect(list.contains("•  \(gotcha)\n"), "\(name)") }
    }
  }

  @Test func `a block shows where it fits, its parameters and what their absence means`() throws {
    let run = try Command("heuristics", "playThrough").run()
    #expect(run.exitCode == 0)
    #expect(run.text.contains("start, resume") && run.text.contains("shareOfWait"))
    #expect(run.text.contains("Without it: \"2 s\"."))
    let block = try json("playThrough")
    let parameters = block["parameters"] as? [[String: Any]] ?? []
    let share = parameters.first { $0["parameter"] as? String == "shareOfWait" }
    #expect(share?["absent"] as? String == "5 %")
    #expect(block["seats"] as? [String] == ["start", "resume"])
    let sink = try Command("heuristics", "sink").run()
    #expect(sink.exitCode == 0 && sink.text.contains("leastToResume"))
  }

  @Test func `a name that nothing has is an error with the nearest one`() throws {
    let run = try Command("heuristics", "playThru").run()
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("There is no policy, seat, block or short form 'playThru'"))
    #expect(run.errorText.contains("playThrough"))
    #expect(try Command("heuristics", "start", "resume").run().exitCode == 64)
    #expect(try Command("heuristics", "").run().exitCode == 64)
  }
}
