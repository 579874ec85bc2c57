import Foundation
import TestSupport
import Testing

/// Parts and checkpoints of studies that were altered, cut and forged.
@Suite(.besideOthers) struct PartTests {
  let place: Workplace
  private let study = [
    "compare", "one.json", "--links", "3G,DSL", "--policies", "own,avfoundation", "--seeds", "2",
    "--objective", "abandonment", "--draws", "40",
  ]

  init() throws {
    place = try Workplace()
    try place.write(shortScenario(), to: "one.json")
    let run = try place.run(study + ["--checkpoint", "whole"])
    #expect(run.exitCode == 0, "\(run.errorText)")
  }

  /// FNV-1a of the study's digest and a line without its checksum, worked out here once more.
  private func sealed(_ line: String) throws -> String {
    let content = try #require(line.range(of: #","checksum":""#).map { line[..<$0.lowerBound] })
    let digest = try #require(try place.read("whole").firstMatch(of: /"study":"([0-9a-f]{64})"/)).1
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(digest.utf8) + Array(content.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return content + #","checksum":"\#(String(format: "%016lx", hash))"}"#
  }

  /// Changes a line of the part; the lines count from 1.
  private func alter(
    _ number: Int, _ old: String, _ new: String, isSealed: Bool = false
  ) throws -> String {
    var lines = try place.read("whole").split(separator: "\n").map { String($0) }
    let line = lines[number - 1].replacing(old, with: new, maxReplacements: 1)
    #expect(line != lines[number - 1], "\(old) stands in \(lines[number - 1])")
    lines[number - 1] = isSealed ? try sealed(line) : line
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `a checksum is that of the study's digest and of the line before it`() throws {
    for line in try place.read("whole").split(separator: "\n") {
      #expect(try sealed(String(line)) == line)
    }
  }

  @Test(arguments: [
    (2, #""stalledSeconds":0"#, #""stalledSeconds":999"#),
    (3, #""policy":"own""#, #""policy":"avfoundation""#), (4, #""seed":1"#, #""seed":2"#),
    (9, #""link":"DSL""#, #""link":"3G""#), (1, #""draws":40"#, #""draws":41"#),
    (1, #""seeds":[1,2]"#, #""seeds":[1,-2]"#), (5, #""seed":2,"#, #""seed":2,"more":1,"#),
    (6, #""session":4"#, #""session": 4"#), (1, #""fidelity":"fluid""#, #""fidelity":"tcp""#),
  ])
  func `an altered line is refused where it stands`(
    line: Int, old: String, new: String
  ) throws {
    try place.write(try alter(line, old, new), to: "altered")
    for command in [["merge", "altered"], study + ["--checkpoint", "altered"]] {
      let run = try place.run(command)
      #expect(run.exitCode == 65, "\(run.errorText)")
      #expect(run.errorText.contains("line \(line): this line was altered"), "\(run.errorText)")
    }
  }

  /// A line with a right checksum is checked all the same.
  @Test(arguments: [
    (1, #""objectives":["abandonment"]"#, #""objectives":[]"#),
    (1, #""objectives":["abandonment"]"#, #""objectives":["abandonment","playLost"]"#),
    (1, #""objectives":["abandonment"]"#, #""objectives":["charm"]"#),
    (1, #""draws":40"#, #""draws":9223372036854775807"#),
    (1, #""draws":40"#, #""draws":-9223372036854775808"#), (1, #""draws":40"#, #""draws":39"#),
    (1, #""draws":40"#, #""draws":1000000000"#), (1, #""regret":false"#, #""regret":true"#),
    (1, #""seeds":[1,2]"#, #""seeds":[1,-2]"#), (1, #""seeds":[1,2]"#, #""seeds":[1,"2"]"#),
    (1, #""seeds":[1,2]"#, #""seeds":[]"#), (1, #""seeds":[1,2]"#, #""seeds":[1,2,3]"#),
    (1, #""policies":["own","#, #""policies":["#), (1, #""shard":"1/1""#, #""shard":"1/2""#),
    (1, #""baseline":"own""#, #""baseline":"nobody""#), (1, #""part":4"#, #""part":1"#),
    (2, #""objectives":{"abandonment":0}"#, #""objectives":{}"#),
    (2, #""stallCount":0"#, #""stallCount":-1"#),
    (2, #""stallCount":0"#, #""stallCount":9223372036854775807"#),
    (2, #""policy":"own""#, #""policy":"me""#), (4, #""seed":1"#, #""seed":2"#),
    (2, #""outcome":"played""#, #""outcome":"sung""#),
    (2, #""endedSeconds":"#, #""endedSeconds":-"#), (2, #""session":0"#, #""session":8"#),
    (2, #""session":0"#, #""session":-9223372036854775808"#),
  ])
  func `a forged line with a right checksum ends neither verb by a trap`(
    line: Int, old: String, new: String
  ) throws {
    try place.write(try alter(line, old, new, isSealed: true), to: "forged")
    for command in [["merge", "forged"], study + ["--checkpoint", "forged"]] {
      let run = try place.run(command)
      #expect(run.exitCode == 65 && run.errorText.contains("forged"), "\(run.errorText)")
    }
  }

  @Test func `parts whose headers differ are no parts of one study`() throws {
    for number in 1...2 {
      let run = try place.run(study + ["--shard", "\(number)/2", "--checkpoint", "part\(number)"])
      #expect(run.exitCode == 0)
    }
    #expect(try place.run("merge", "part2", "part1").exitCode == 0)
    var lines = try place.read("part2").split(separator: "\n").map { String($0) }
    lines[0] = try sealed(
      lines[0].replacing(#""objectives":["abandonment"]"#, with: #""objectives":[]"#))
    for index in lines.indices.dropFirst() {
      lines[index] = try sealed(
        lines[index].replacing(/,"objectives":\{[^}]*\}/, with: ""))
    }
    try place.write(lines.joined(separator: "\n") + "\n", to: "part2")
    let run = try place.run("merge", "part1", "part2")
    #expect(run.exitCode == 65)
    #expect(run.errorText.contains("a part of another study"), "\(run.errorText)")
  }

  @Test func `a study says when it has more sessions than memory holds`() throws {
    let run = try place.run("compare", "one.json", "--seeds", "1000000", "--links", "3G,DSL")
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("a study can have 1500000 sessions"), "\(run.errorText)")
    let names = (0..<1_300).map { #""\#($0)""# }.joined(separator: ",")
    let seeds = (0..<1_300).map { "\($0)" }.joined(separator: ",")
    let text = try alter(
      1, #""policies":["own","avfoundation"]"#, #""policies":[\#(names)]"#, isSealed: true)
    let header = String(text.prefix { $0 != "\n" })
      .replacing(#""seeds":[1,2]"#, with: #""seeds":[\#(seeds)]"#)
      .replacing(#""baseline":"own""#, with: #""baseline":"0""#)
    try place.write(try sealed(header) + "\n", to: "vast")
    let vast = try place.run("merge", "vast")
    #expect(vast.exitCode == 65 && vast.errorText.contains("less than 1 × 2 × 1300 × 1300"))
  }

  // MARK: The file of a study

  @Test(
    arguments: Seeds.cases(of: [
      (#""seeds": [3, 5, 3]"#, "3:17", "seed '3' is named twice"),
      (#""seeds": []"#, "3:10", "at least one"), (#""policies": []"#, "3:13", "at least one"),
      (#""links": []"#, "3:10", "at least one"), (#""heuristics": []"#, "3:15", "at least one"),
      (#""vary": { "link.bandwidth": ["1 Mbit/s", "1 Mbit/s"] }"#, "3:11", "is named twice"),
      (#""vary": { "seed": [1], "seed": [2] }"#, "3:24", "varies twice"),
      (#""set": { "player.raet": "2" }"#, "3:10", "unknown key “raet”"),
      (#""vary": { "link.bandwith": ["1 Mbit/s"] }"#, "3:11", "did you mean “bandwidth”?"),
      (#""links": [{ "name": "a", "link": { "delai": "1 s" } }]"#, "3:36", "unknown key “delai”"),
      (
        #""policies": [{ "name": "a", "policy": { "stat": 1 } }]"#, "3:41",
        "unknown key “stat”"
      ),
      (
        #""policies": [{ "name": "a", "set": { "player.raet": "2" } }]"#, "3:38",
        "unknown key “raet”"
      ),
      (#""vary": { "link.bandwidth": ["1 Mbit/s", "2 Mbits"] }"#, "3:42", "unknown unit “Mbits”"),
      (
        #""policies": [{ "name": "a", "policy": { "start": { "media": "2" } } }]"#, "3:61",
        "“2” has no unit"
      ),
      (#""set": { "player.obsevedBitrate": null }"#, "3:10", "unknown key “obsevedBitrate”"),
      (
        #""set": { "script[3].at": "1 s" }"#, "3:10",
        "script[3].at: script has 1 element, and no [3]"
      ),
      (#""heuristics": ["thresholds 2/2"]"#, "3:16", "“thresholds 2/2” is no heuristic: "),
      (
        #""links": ["3G", { "name": "x", "link": { "profile": "3G" } }]"#, "3:27",
        "The link 'x' is the same as '3G'."
      ),
      (#""links": ["drives", "drives/a.csv"]"#, "3:21", "The link 'drives/a.csv' is named twice"),
      (
        #""links": ["drives/a.csv", "./drives"]"#, "3:27",
        "The link './drives/a.csv' is the same as 'drives/a.csv'."
      ),
      (
        #""policies": [{ "name": "q", "policy": "BOLA", "set": { "player.policy": "VHS" } }]"#,
        "3:47", "“player.policy” replaces “policy”"
      ),
      (#""links": ["../../../etc/passwd"]"#, "3:11", "lies outside"),
      (#""seeds": 1000000, "links": ["3G", "DSL"]"#, "3:10", "can have 1500000 sessions"),
    ]))
  func `a mistake in a study's file has its place and ends with 65`(
    words: String, at position: String, meant: String
  ) throws {
    try place.write(shortScenario(), to: "studies/one.json")
    try place.write("0,3M\n4,300k\n", to: "studies/drives/a.csv")
    try place.write(
      """
      {
        "study": "Wrong", "scenarios": ["one.json"],
      \(words)
      }
      """, to: "studies/study.json")
    let run = try place.run("compare", "studies/study.json")
    #expect(run.exitCode == 65 && run.errorText.contains(meant), "\(run.errorText)")
    #expect(run.errorText.hasPrefix("studies/study.json:\(position): "), "\(run.errorText)")
  }

  @Test func `a study without its name is told so, and a policy may be changed in part`() throws {
    try place.write(shortScenario(), to: "one.json")
    try place.write(#"{ "scenarios": ["one.json"] }"#, to: "study.json")
    let run = try place.run("compare", "study.json")
    #expect(run.exitCode == 65)
    #expect(run.errorText.hasPrefix("study.json:1:1: “study” is missing\n"), "\(run.errorText)")
    try place.write(
      #"""
      { "study": "a", "scenarios": ["one.json"], "policies": [ { "name": "q",
        "policy": { "like": "BOLA" }, "set": { "player.policy.start": { "media": "1 s" } } } ] }
      """#, to: "study.json")
    #expect(try place.run("compare", "study.json").exitCode == 0)
  }
}
