import Foundation
import TestSupport
import Testing

/// `goldilocks accuracy --media`: policies of real players against sessions of theirs, which are
/// made up here so that each figure can be worked out.
@Suite(.besideOthers) struct PlayedAccuracyTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try place.write(Self.media, to: "media.json")
  }

  /// 20 s of 1 Mbit/s behind an index of 960 bytes, and a ladder with sound apart.
  private static let media: String = {
    let ends = (1...20).map { "\(1_000 + $0 * 125_000)" }.joined(separator: ", ")
    var files: [String] = []
    for (track, bytes) in [("c0_", 101_500), ("c1_", 226_500), ("c2_", 476_500), ("a", 24_500)] {
      files += (1...10).map { "[\"\(track)\($0).m4s\", \(bytes)]" }
    }
    return """
      { "even": { "size": 2501000, "duration": 20.0, "sec_end_offset": [\(ends)], \
      "moov": [32, 960], "mdat": [1000, 2500000] }, \
      "ld": { "duration": 20.0, "files": [\(files.joined(separator: ", "))] } }
      """
  }()

  private static func row(
    _ name: String, _ player: String, _ mode: String, media: String = "even", linkBps: Int64,
    start: Double, stalls: [(place: Double, length: Double)] = [], first: String? = nil,
    valid: Bool = true, schedule: String = "null", seek: String = "null", more: String = ""
  ) -> String {
    let waits = stalls.map {
      "{\"start\": 1, \"for\": \($0.length), \"position\": \($0.place), \"ahead\": null}"
    }
    let stalled = stalls.reduce(0) { $0 + $1.length }
    let variant = first.map { "\"\($0)\"" } ?? "null"
    return """
      {"id": "\(name)", "player": "\(player)", "version": "1", "mode": "\(mode)", \
      "media": "\(media)", "rho": 0.5, "linkBps": \(linkBps), "rttMs": 20, \
      "schedule": \(schedule), "seek": \(seek), "tag": null, "run": 1, \
      "valid": \(valid), "startup": \(start), \
      "stallCount": \(stalls.count), "stalled": \(stalled), \
      "stalls": [\(waits.joined(separator: ", "))], "firstVariant": \(variant)\(more)}

      """
  }

  /// 500,000 bit/s of payload.
  private static let half: Int64 = 523_013

  /// Half of what 1 Mbit/s needs: 3.7 s of it and the index after 20 ms; 2.3 s play for 4.6 s, then
  /// 2.1 s at a time are waited for as long as they play, until only 1.4 s are missing.
  private static let starts = 0.02 + 8 * (1_000 + 3.7 * 125_000) / 500_000
  private static let waits: [(place: Double, length: Double)] = [
    (4.6, 4.2), (8.8, 4.2), (13.0, 4.2), (17.2, 2.8),
  ]

  private func report(_ rows: String, _ options: String...) throws -> [[String: Any]] {
    try place.write(rows, to: "sessions.jsonl")
    let run = try place.run(
      ["accuracy", "sessions.jsonl", "--media", "media.json", "--format", "json"] + options)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let report = try #require(
      JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    #expect(report["rowsLeftOut"] as? Int == 0)
    return try #require(report["players"] as? [[String: Any]])
  }

  /// A text without its line breaks.
  private func words(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  private func figure(_ row: [String: Any], _ name: String) throws -> Double {
    try #require(row[name] as? Double, "\(name)")
  }

  @Test func `a session that went by the marks is met in every figure`() throws {
    let rows = try report(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts, stalls: Self.waits))
    #expect(rows.map { $0["player"] as? String } == ["gstreamer", "gstreamer"])
    #expect(rows.map { $0["fidelity"] as? String } == ["fluid", "tcp"])
    #expect(rows.map { $0["sessionCount"] as? Int } == [1, 1])
    for (row, within) in zip(rows, [0.001, 0.25]) {
      #expect(try figure(row, "startErrorSeconds") < within)
      #expect(try figure(row, "stalledErrorSeconds") < within * 4)
      #expect(try figure(row, "shareOfStallCountsWithinOne") == 1)
      #expect(row["shareOfFirstVariants"] is NSNull)
      let cells = try #require(row["sessions"] as? [[String: Any]])
      #expect(cells.map { $0["session"] as? String } == ["one"])
      #expect(cells.map { $0["policy"] as? String } == ["GStreamer 1.22 playbin3"])
    }
  }

  @Test(arguments: Seeds.cases(of: [0.5, 1, 2, 4, -0.25, -3, 7, 10, 0.75, -5] as [Double], few: 1))
  func `what a session is off by is what is said`(off: Double) throws {
    var waits = Self.waits
    waits[0].length += off
    let rows = try report(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts + off,
        stalls: [(1, 0), (2, 0)] + waits))
    let row = rows[0]
    #expect(abs(try figure(row, "startErrorSeconds") - abs(off)) < 0.001)
    #expect(abs(try figure(row, "startErrorShare") - abs(off) / (Self.starts + off)) < 0.001)
    #expect(abs(try figure(row, "stalledErrorSeconds") - abs(off)) < 0.001)
    #expect(abs(try figure(row, "stalledErrorShare") - abs(off) / (15.4 + off)) < 0.001)
    #expect(try figure(row, "shareOfStallCountsWithinOne") == 0)
    let cell = try #require((row["sessions"] as? [[String: Any]])?.first)
    #expect(abs(try figure(cell, "startErrorSeconds") + off) < 0.001)
    #expect(cell["stallCountError"] as? Int == -2)
    let why = try #require(cell["why"] as? String)
    #expect(why.contains("stalls 4 times for 15.40 s, not 6 for"))
    #expect(why.contains("the first after 4.60 s of media, not 1.00 s"))
  }

  @Test(arguments: Seeds.cases(of: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
  func `how many sessions are good is said, and how far a player repeats itself`(
    bad: Int
  ) throws {
    let rows = (0..<10).map { index in
      Self.row(
        "\(index)", "gstreamer", "pb3", linkBps: Self.half,
        start: Self.starts + (index < bad ? 2 : 0),
        stalls: Array(Self.waits.prefix(index < bad ? 2 : 4)))
    }
    let row = try report(rows.joined())[0]
    #expect(abs(try figure(row, "shareOfGoodSessions") - Double(10 - bad) / 10) < 1e-6)
    let same = bad * (bad - 1) / 2 + (10 - bad) * (9 - bad) / 2
    #expect(abs(try figure(row, "shareOfRepeatsWithinOne") - Double(same) / 45) < 1e-6)
  }

  @Test(
    arguments: [
      (1, "[[0, 523013]]"), (2, "[[0, 0.5]]"), (4, "[[0, 0.25]]"), (3, "[0, 523013]"),
      (1, "[[40, 1]]"),
    ] as [(Int64, String)])
  func `a schedule of rates and of multiples is played`(times: Int64, schedule: String) throws {
    let row = try report(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: times * Self.half, start: Self.starts,
        stalls: Self.waits, schedule: schedule))[0]
    #expect(try figure(row, "startErrorSeconds") < 0.001)
    #expect(try figure(row, "stalledErrorSeconds") < 0.004)
    #expect(try figure(row, "shareOfGoodSessions") == 1)
  }

  /// At 1 Mbit/s the 3.7 s of the start stay ahead. In an outage 2.3 s of them are played; after it
  /// 2.1 s are missing.
  @Test(
    arguments: Seeds.cases(
      of: [(10, 15), (8, 12), (6, 9), (10, 20), (5, 12), (9, 13), (7, 17), (12, 16), (11, 14)]
        as [(Double, Double)], few: 2))
  func `an outage of a schedule is a stall`(from: Double, to: Double) throws {
    let start = 0.02 + 8 * (1_000 + 3.7 * 125_000) / 1_000_000
    let row = try report(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: 2 * Self.half, start: start,
        stalls: [(from + 2.3 - start, to + 2.1 - from - 2.3)],
        schedule: "[[\(from), 0], [\(to), 1]]"))[0]
    #expect(try figure(row, "startErrorSeconds") < 0.001)
    #expect(try figure(row, "stalledErrorSeconds") < 0.004)
    let cell = try #require((row["sessions"] as? [[String: Any]])?.first)
    #expect(cell["stallCountError"] as? Int == 0, "\(cell["why"] ?? "")")
    #expect(cell["isGood"] as? Bool == true)
  }

  /// At 4 Mbit/s 3.7 s come in 0.925 s, after a round trip.
  @Test(arguments: [("[2, 15]", 1), ("[[2, 15]]", 1), ("[[1, 12]]", 1), ("[[6, 15]]", 0)])
  func `a seek out of the buffer is a stall as well`(seek: String, waits: Int) throws {
    let row = try report(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: 8 * Self.half, start: 0.947,
        stalls: Array(repeating: (15, 0.945), count: waits), seek: seek))[0]
    #expect(try figure(row, "startErrorSeconds") < 0.02)
    #expect(try figure(row, "stalledErrorSeconds") < 0.05)
    let cell = try #require((row["sessions"] as? [[String: Any]])?.first)
    #expect(cell["stallCountError"] as? Int == 0, "\(cell["why"] ?? "")")
  }

  @Test(
    arguments: [
      ("0000000000", 1), ("0001110000", 0.7), ("1111111111", 0), ("00000", 1), ("2000000000", 0.9),
    ])
  func `variants are compared segment by segment`(fetched: String, share: Double) throws {
    let row = try report(
      Self.row(
        "one", "hls.js", "default", media: "ld", linkBps: 800_000, start: 2, first: "v0.5",
        more: ", \"fetchedBySegment\": \"\(fetched)\""))[0]
    #expect(abs(try figure(row, "shareOfSegmentVariants") - share) < 1e-6)
  }

  @Test(
    arguments: [
      (", \"linkbps\": 1", "linkbps"), (", \"fetchedBySegment\": \"00x\"", "fetchedBySegment"),
      (", \"run\": 2", "run"), (", \"delay\": 3", "delay"),
    ])
  func `a field that nobody knows is the mistake of its row`(more: String, key: String) throws {
    let good = Self.row(
      "good", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts, stalls: Self.waits)
    let odd = Self.row("odd", "mpv", "progressive", linkBps: Self.half, start: 9, more: more)
    try place.write(odd + good, to: "sessions.jsonl")
    let run = try place.run("accuracy", "sessions.jsonl", "--media", "media.json")
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains(key))
    #expect(words(run.text).contains("1 row not scored: 1 with a mistake"))
  }

  @Test(arguments: ["[[5, 1], [3, 1]]", "[[1, 2, 3]]", "[\"1:2\"]", "7", "[[1e9, 1]]"])
  func `a schedule that says nothing is the mistake of its row`(schedule: String) throws {
    try place.write(
      Self.row("one", "gstreamer", "pb3", linkBps: 9, start: 1)
        + Self.row("odd", "gstreamer", "pb3", linkBps: 9, start: 1, schedule: schedule),
      to: "sessions.jsonl")
    let run = try place.run("accuracy", "sessions.jsonl", "--media", "media.json")
    #expect(run.errorText.contains("schedule"))
    #expect(words(run.text).contains("1 row not scored: 1 with a mistake"))
  }

  @Test func `options of downloads have no effect on sessions, and that is said`() throws {
    try place.write(
      Self.row(
        "one", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts, stalls: Self.waits),
      to: "sessions.jsonl")
    let run = try place.run(
      "accuracy", "sessions.jsonl", "--media", "media.json", "--group", "x", "--seeds", "3")
    #expect(run.exitCode == 0)
    #expect(run.errorText == "note: beside '--media' '--group' and '--seeds' have no effect\n")
  }

  @Test func `a medium that nobody knows is the mistake of its row`() throws {
    let good = Self.row(
      "good", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts, stalls: Self.waits)
    let odd = Self.row("odd", "mpv", "progressive", media: "odd", linkBps: Self.half, start: 9)
    try place.write(odd + good, to: "sessions.jsonl")
    let run = try place.run(
      "accuracy", "sessions.jsonl", "--media", "media.json", "--format", "json")
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains("odd"))
    let report = try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    let reasons = try #require(report["leftOut"] as? [[String: Any]])
    #expect(reasons.map { $0["reason"] as? String } == ["with a mistake"])
    #expect((report["players"] as? [[String: Any]])?.count == 2)
  }

  @Test(arguments: ["media.json", "other.json"])
  func `sessions of which none can be played are wrong input`(media: String) throws {
    try place.write("{ \"scenario\": \"other\" }", to: "other.json")
    let odd = Self.row("odd", "mpv", "progressive", media: "odd", linkBps: Self.half, start: 9)
    try place.write(odd, to: "sessions.jsonl")
    let run = try place.run("accuracy", "sessions.jsonl", "--media", media)
    #expect(run.exitCode == 65 && run.text.isEmpty)
    #expect(run.errorText.contains("There is no session that can be played with this media."))
  }

  @Test func `half of the figures hold, and the table says which`() throws {
    let good = Self.row(
      "good", "gstreamer", "pb3", linkBps: Self.half, start: Self.starts, stalls: Self.waits)
    let bad = Self.row("bad", "mpv", "progressive", linkBps: Self.half, start: 9)
    let busy = Self.row("busy", "mpv", "progressive", linkBps: 9_000_000, start: 1, valid: false)
    let nobody = Self.row("nobody", "some player", "", linkBps: 9_000_000, start: 1)
    try place.write(good + bad + busy + nobody, to: "sessions.jsonl")
    let run = try place.run("accuracy", "sessions.jsonl", "--media", "media.json", "--worst", "1")
    #expect(run.exitCode == 0)
    let lines = run.text.split(separator: "\n").map { String($0) }
    let fine = try #require(lines.first { $0.hasPrefix("gstreamer") && $0.contains("fluid") })
    #expect(!fine.contains("*"))
    let poor = try #require(lines.first { $0.hasPrefix("mpv") && $0.contains("fluid") })
    #expect(poor.count { $0 == "*" } == 3)
    #expect(words(run.text).contains("2 rows not scored: 1 not valid, 1 of a player without a"))
    #expect(run.text.contains("Furthest off, mpv over tcp\n  bad: starts after "))
  }

  /// What a manifest of DASH declares is the pictures alone: 906 kbit/s are within the 1 Mbit/s
  /// that is assumed, and with the sound they would not be.
  @Test(
    arguments: Seeds.pairs(
      of: [("dash.js", "v1"), ("shaka", "v2"), ("video.js", "v2"), ("hls.js", "v0.5")],
      and: [800_000, 3_000_000] as [Int64]))
  func `the first variant is the player's`(
    player: (name: String, first: String), linkBps: Int64
  ) throws {
    let rows = try report(
      Self.row(
        "one", player.name, "default", media: "ld", linkBps: linkBps, start: 2,
        first: player.first))
    for row in rows { #expect(try figure(row, "shareOfFirstVariants") == 1) }
  }
}
