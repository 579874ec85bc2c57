import Foundation
import TestSupport
import Testing

/// Runs of days take the memory of runs of minutes.
@Suite(.besideOthers) struct LongRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func loop(horizon: String, expecting expectations: String) -> String {
    """
    { "scenario": "Round and round", "about": "A clip of two seconds.", "horizon": "\(horizon)",
      "eventBudget": 1000000000, "link": {},
      "media": { "local": { "duration": "2 s", "bitrate": "1 Mbit/s" } },
      "looping": "rewind", "script": [ { "at": "0 s", "do": "play" } ],
      "expect": [ \(expectations) ] }
    """
  }

  @Test func `an expectation that fails shows the trace around its moment`() throws {
    try place.write(
      loop(horizon: "1 min", expecting: #"{ "at": "31 s", "rate": 2 }, { "loopCount": 4 }"#),
      to: "two.json")
    let run = try place.run("test", "two.json")
    #expect(run.exitCode == 1)
    #expect(run.text.contains(#"trace     {"t":"#))
    #expect(run.text.contains(#"{"t":30,"#) && run.text.contains(#"{"t":32,"#))
  }

  @Test func `a large trace replays, and differs in nothing from a small one's way`() throws {
    let minutes = Seeds.count(5, inRelease: 15)
    try place.write(loop(horizon: "\(minutes) min", expecting: ""), to: "long.json")
    #expect(try place.run("run", "long.json", "--quiet", "--trace", "a").exitCode == 0)
    #expect(
      try place.run("run", "long.json", "--quiet", "--trace", "/dev/stdout").text
        == (try place.read("a")))
    #expect(try place.run("replay", "a").exitCode == 0)
  }

  // MARK: Memory

  /// Each piece of memory is a mapping of its own, which is gone once it is given back.
  @Test(
    arguments: Seeds.cases(of: [
      ["run", "first.json"], ["run", "first.json", "--set", "fidelity=tcp", "--trace", "a"],
      ["run", "stream.json", "--oracle", "--set", "media.hls.duration=24 s"],
      ["run", "stream.json", "--set", "fidelity=tcp", "--set", "media.hls.duration=24 s"],
      ["compare", "stream.json", "--policies", "own,BOLA", "--links", "3G", "--seeds", "1"],
      ["test", "first.json", "stream.json"], ["run", "film.json", "--set", "horizon=3 s"],
      ["explore", "first.json", "--count", "3"],
      ["resilience", "first.json", "--every", "20 s"],
      ["validate", "--effects", "first.json"],
    ]))
  func `memory that was given back is not read`(arguments: [String]) throws {
    for (file, kind) in [("first.json", "file"), ("stream.json", "stream")] {
      _ = try place.run("init", file, "--media", kind)
    }
    try place.write(loop(horizon: "10 s", expecting: ""), to: "film.json")
    let mapped = ["MALLOC_MMAP_THRESHOLD_": "1", "MALLOC_MMAP_MAX_": "1000000"]
    let run = try place.run(arguments, environment: mapped)
    let plain = try place.run(arguments)
    #expect(run.exitCode == plain.exitCode && run.exitCode <= 1, "\(run.errorText)")
    #expect(run.text == plain.text)
  }

  /// The most memory that the command held, in KB, as the system tells of it while it runs.
  private func peak(_ arguments: [String]) throws -> Int {
    let process = Process()
    process.executableURL = try Command.executable()
    process.arguments = arguments
    process.currentDirectoryURL = place.folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var peak = 0
    while process.isRunning {
      // It only rises; what it was before the command took over the process is overwritten.
      let status = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      if let match = status?.firstMatch(of: /VmHWM:\s+([0-9]+) kB/) {
        peak = Int(match.output.1) ?? peak
      }
      usleep(2_000)
    }
    #expect(process.terminationStatus == 0)
    return peak
  }

  /// A trace that is kept makes it 7 MB more in an hour; by hand, `.ci/long-runs` has it run for a
  /// year.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
    arguments: Seeds.cases(of: [
      ["run", "--quiet"], ["test"], ["run", "--quiet", "--trace", "trace"],
    ]))
  func `what is held does not grow with simulated time`(arguments: [String]) throws {
    let expectation = #"{ "loopCount": { "atLeast": 1 } }"#
    let minutes = Seeds.count(5, inRelease: 10)
    try place.write(loop(horizon: "\(minutes) min", expecting: expectation), to: "short.json")
    try place.write(loop(horizon: "\(minutes * 6) min", expecting: expectation), to: "long.json")
    // Whoever looks seldom on a busy machine sees less of a short run than it held.
    let short = try (1...12).map { _ in try peak(arguments + ["short.json"]) }.max() ?? 0
    let long = try peak(arguments + ["long.json"])
    #expect(short > 5_000 && long - short < 2_500, "\(short) KB, then \(long) KB")
  }
}
