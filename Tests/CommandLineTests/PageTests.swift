import Foundation
import TestSupport
import Testing

/// Pages and pictures, as the command writes them.
@Suite(.besideOthers) struct PageTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(name: "Alpha"), to: "alpha.json")
    try place.write(
      shortScenario(name: "Beta", expecting: #"{ "stallCount": 7 }"#), to: "beta.json")
  }

  private func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `a page says what the screen says and asks for nothing`() throws {
    let run = try place.run("run", "alpha.json", "--html", "alpha.html")
    #expect(run.exitCode == 0)
    #expect(run.text.contains("startup delay"))
    let page = try place.read("alpha.html")
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("Playback begins"))
    #expect(page.contains("Decisions"))
    for reference in ["src=", "href=\"http", "url(http", "@import", "<link"] {
      #expect(!page.contains(reference), "\(reference)")
    }
    #expect(page.utf8.count < 150_000)
  }

  @Test func `a page of a test has its failed runs first`() throws {
    let run = try place.run("test", "alpha.json", "beta.json", "--html", "all.html")
    #expect(run.exitCode == 1)
    let page = try place.read("all.html")
    let first = try #require(page.range(of: "<h2>Beta</h2>")).lowerBound
    let second = try #require(page.range(of: "<h2>Alpha</h2>")).lowerBound
    #expect(first < second)
    #expect(page.contains("Failed: expected"))
    #expect(page.contains("2 runs, 1 failed"))
  }

  @Test func `a picture alone goes to standard output`() throws {
    let run = try place.run("run", "alpha.json", "--format", "svg")
    #expect(run.exitCode == 0)
    #expect(run.text.hasPrefix("<svg "))
    #expect(run.text.hasSuffix("</svg>\n"))
    let two = try place.run("run", "alpha.json", "beta.json", "--format", "svg")
    #expect(two.exitCode == 64)
    #expect(two.errorText.contains("one scenario at a time"))
  }

  @Test func `a comparison has its table, its links and its sessions in a page`() throws {
    let run = try place.run(
      "compare", "alpha.json", "--heuristics", "own,immediate", "--links", "3G,LTE", "--seeds", "3",
      "--html", "all.html")
    #expect(run.exitCode == 0)
    let page = try place.read("all.html")
    #expect(page.contains("<h2>1 scenario × 2 links × 2 policies × 3 seeds: 12 sessions</h2>"))
    #expect(page.components(separatedBy: "class=\"starts\"").count == 5)
    #expect(page.contains("Against own, session by session"))
    let end = try #require(page.range(of: "\"sessions\":[["))
    let sessions = page[end.upperBound...].prefix { $0 != "<" }
    #expect(sessions.components(separatedBy: "],[").count == 12)
    for reference in ["src=", "href=\"http", "url(http", "@import", "<link"] {
      #expect(!page.contains(reference), "\(reference)")
    }
    #expect(try place.run("compare", "alpha.json", "--html", "alpha.json").exitCode == 64)
  }

  @Test func `the page of a trace is that of the run`() throws {
    let svg = try place.run(
      "run", "beta.json", "--format", "svg", "--trace", "alpha.trace", "--html", "run.html")
    let report = try place.run(
      "report", "alpha.trace", "--format", "svg", "--html", "report.html")
    #expect(report.exitCode == 0 && report.output == svg.output && !report.output.isEmpty)
    #expect(try place.read("report.html") == place.read("run.html"))
    // A trace as the format had it before links and forecasts were recorded.
    let lines = try place.read("alpha.trace").split(separator: "\n")
    let older = lines.filter { !$0.contains("\"linkRate\"") && !$0.contains("\"forecast\"") }
    try place.write(older.joined(separator: "\n") + "\n", to: "older.trace")
    let other = try place.run("report", "older.trace", "--html", "older.html")
    #expect(other.errorText.contains("lacks the rates of the link, the policy's forecasts"))
    #expect(try place.read("older.html").contains("The trace has an older format, which lacks"))
    #expect(try place.run("report", "alpha.trace", "--html", "alpha.trace").exitCode == 64)
  }

  @Test func `each session of a study has the digest of its run and its settings`() throws {
    let run = try place.run(
      "compare", "alpha.json", "--policies", "avfoundation,BOLA", "--vary",
      "player.preferredForwardBufferDuration=2s,5s", "--links", "3G", "--seeds", "3",
      "--sessions", "rows.jsonl", "--digests")
    #expect(run.exitCode == 0)
    let lines = try place.read("rows.jsonl").split(separator: "\n").dropFirst()
    let rows = try lines.map { try object(Data($0.utf8)) }
    #expect(rows.count == 12 && Set(rows.compactMap { $0["digest"] as? String }).count == 12)
    for row in rows {
      let settings = try #require(row["settings"] as? [String: String])
      let length = try #require(settings["player.preferredForwardBufferDuration"])
      let single = try place.run(
        "run", "alpha.json", "--format", "json", "--set", "link={\"profile\":\"3G\"}",
        "--set", "player.policy=\(row["policy"] as? String ?? "")",
        "--set", "player.preferredForwardBufferDuration=\(length)",
        "--set", "seed=\(row["seed"] as? Int ?? 0)")
      let outcomes = try #require(object(single.output)["scenarios"] as? [[String: Any]])
      let outcome = try #require(outcomes.first)
      #expect(outcome["digest"] as? String == row["digest"] as? String, "\(row)")
    }
    let merged = try place.run("merge", "rows.jsonl", "--sessions", "again.jsonl")
    #expect(try merged.exitCode == 0 && place.read("again.jsonl") == place.read("rows.jsonl"))
    let plain = try place.run("compare", "alpha.json", "--sessions", "plain.jsonl")
    #expect(try plain.exitCode == 0 && !place.read("plain.jsonl").contains("\"digest\":"))
  }

  /// In an outage the trace has a sample of the buffer at each of these moments.
  @Test func `a session has the digest of its run at each moment of an expectation`() throws {
    let text = """
      { "scenario": "Moments", "about": "x",
        "link": { "schedule": { "steps": [ { "for": "2 s", "bandwidth": "4 Mbit/s" },
          { "for": "4 s", "bandwidth": "1 Mbit/s" }, { "for": "3 s", "bandwidth": "0 bit/s" } ],
          "then": "repeat" } },
        "media": { "progressive": { "duration": "20 s", "bitrate": "1.5 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "at": "7 s", "rate": 1 }, { "at": "8.9 s", "rate": 1 } ] }
      """
    try place.write(text, to: "moments.json")
    let study = try place.run(
      "compare", "moments.json", "--heuristics", "own,immediate", "--sessions", "rows.jsonl",
      "--digests")
    #expect(study.exitCode == 0)
    let rows = try place.read("rows.jsonl").split(separator: "\n").dropFirst()
    let row = try object(Data(#require(rows.first).utf8))
    let run = try place.run("run", "moments.json", "--format", "json")
    let outcomes = try #require(object(run.output)["scenarios"] as? [[String: Any]])
    #expect(try #require(outcomes.first)["digest"] as? String == row["digest"] as? String)
  }

  @Test func `play writes a page aside and says its address`() throws {
    try place.write("", to: "aside/x")
    let aside = ["TMPDIR": place.folder.appending(path: "aside").path]
    for _ in 1...2 {
      let run = try place.run("play", "alpha.json", "--set", "seed=7", environment: aside)
      #expect(run.exitCode == 0)
      #expect(run.text.hasPrefix("file:///") && run.text.hasSuffix(".html\n"))
      let address = try #require(URL(string: run.text.trimmingCharacters(in: .newlines)))
      #expect(try String(contentsOf: address, encoding: .utf8).contains("<h2>Alpha</h2>"))
    }
    // Nobody can foretell the name of the folder, and nobody else can look into it.
    let folders = try FileManager.default.contentsOfDirectory(atPath: aside["TMPDIR"] ?? "")
      .filter { $0 != "x" }
    #expect(folders.count == 2 && folders.allSatisfy { $0.count == "goldilocks-".count + 6 })
    for folder in folders {
      let path = place.folder.appending(path: "aside/\(folder)").path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o700)
    }
    let none = try place.run("play", "alpha.json", environment: ["TMPDIR": "/dev/null/none"])
    #expect(none.exitCode == 74 && none.text == "", "\(none.errorText)")
    let named = try place.run("play", "alpha.json", "--html", "a page.html")
    #expect(named.text.hasSuffix("/a%20page.html\n"))
  }

  @Test func `a page takes the place of nothing that is read`() throws {
    #expect(try place.run("run", "alpha.json", "--html", "alpha.json").exitCode == 64)
    #expect(try place.run("run", "alpha.json", "--html", "-").exitCode == 64)
    #expect(try place.run("run", "alpha.json", "--html", "alpha.json/x.html").exitCode == 74)
    #expect(try place.run("run", "alpha.json", "--engine", "alpha.json").exitCode == 64)
    let wrong = try place.run("run", "alpha.json", "--html", "x.html", "--engine", "beta.json")
    #expect(wrong.exitCode == 65)
    #expect(wrong.errorText.contains("neither a WebAssembly module nor a gzipped one"))
  }
}
