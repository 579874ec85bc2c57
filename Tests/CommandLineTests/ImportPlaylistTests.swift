import Foundation
import TestSupport
import Testing

/// Playlists that become scenarios.
@Suite(.besideOthers) struct ImportPlaylistTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try FileManager.default.copyItem(
      at: Checkout.at("Scenarios/real-playlists/playlists"),
      to: place.folder.appending(path: "playlists"))
  }

  @Test func `what is written runs, wherever it is written`() throws {
    try FileManager.default.createDirectory(
      at: place.folder.appending(path: "deep/er"), withIntermediateDirectories: true)
    for (source, target, path) in [
      ("playlists/main.m3u8", "here.json", "playlists/main.m3u8"),
      ("playlists/main.m3u8", "deep/er/a.json", "../../playlists/main.m3u8"),
      ("playlists/understated", "deep/b.json", "../playlists/understated"),
      ("playlists/video-360.m3u8", "alone.json", "playlists/video-360.m3u8"),
    ] {
      let run = try place.run("import", "hls", source, "-o", target)
      #expect(run.exitCode == 0 && run.text.isEmpty, "\(run.errorText)")
      #expect(try place.read(target).contains("\"playlists\": \"\(path)\""))
      #expect(try place.run("test", target).exitCode == 0)
    }
  }

  @Test(arguments: ["playlists", "playlists/.", "."])
  func `a scenario among the playlists of a folder names the folder`(input: String) throws {
    let isInside = input == "."
    var command = Command(
      ["import", "hls", input, "-o", isInside ? "s.json" : "playlists/s.json"])
    command.folder = place.folder.appending(path: isInside ? "playlists" : "")
    let run = try command.run()
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(try place.read("playlists/s.json").contains("\"playlists\": \".\""))
    #expect(try place.run("test", "playlists/s.json").exitCode == 0)
  }

  @Test func `standard output is no file of its own`() throws {
    try place.write(shortScenario(), to: "short.json")
    try place.write("{}", to: "log")
    for arguments in [
      ["import", "hls", "playlists/main.m3u8", "-o", "-"], ["import", "har", "log", "-o", "-"],
      ["import", "access-log", "log", "-o", "-"], ["import", "metrics", "log", "-o", "-"],
      ["export", "link", "short.json", "--as", "tc", "--out", "-"],
    ] {
      let run = try place.run(arguments)
      #expect(run.exitCode == 64, "\(arguments)")
      #expect(run.errorText.contains("standard output holds the results"), "\(run.errorText)")
    }
    #expect(try !place.names().contains { $0.hasPrefix("-") })
  }

  @Test func `what is unusual in playlists is noted`() throws {
    func media(_ count: Int, _ tag: String = "", first: String = "6") -> String {
      "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n\(tag)#EXTINF:\(first),\na.ts\n"
        + String(repeating: "#EXTINF:6,\nb.ts\n", count: count - 1) + "#EXT-X-ENDLIST\n"
    }
    func variant(_ attributes: String, _ name: String) -> String {
      "#EXT-X-STREAM-INF:\(attributes)\n\(name).m3u8\n"
    }
    try place.write(media(8), to: "short.m3u8")
    try place.write(media(10), to: "long.m3u8")
    try place.write(
      "#EXTM3U\n" + variant("BANDWIDTH=1000000", "short") + variant("BANDWIDTH=5000000", "long"),
      to: "unequal.m3u8")
    try place.write(
      "#EXTM3U\n" + variant("BANDWIDTH=1000000,AVERAGE-BANDWIDTH=3000000", "long"), to: "low.m3u8")
    try place.write(media(3, "#EXT-X-I-FRAMES-ONLY\n"), to: "frames.m3u8")
    try place.write(media(3, first: "0"), to: "nothing.m3u8")
    for (file, note) in [
      ("unequal.m3u8", "unequal.m3u8: note: variants last 48 s to 60 s\n"),
      ("low.m3u8", "low.m3u8:2: note: EXT-X-STREAM-INF: AVERAGE-BANDWIDTH is above BANDWIDTH\n"),
      ("frames.m3u8", "frames.m3u8:4: note: EXT-X-I-FRAMES-ONLY: not simulated: I-frames are "),
      ("nothing.m3u8", "nothing.m3u8:4: note: EXTINF: what has no duration is not loaded\n"),
    ] {
      let run = try place.run("import", "hls", file)
      #expect(run.exitCode == 0 && run.errorText.contains(note), "\(file): \(run.errorText)")
    }
    #expect(try !place.run("import", "hls", "long.m3u8").errorText.contains("note"))
  }

  @Test(arguments: [("x", "EXT-X-GAP"), ("xx", "EXT-X-GAP"), ("x.", "assumed"), (".", "assumed")])
  func `a playlist of gaps alone has its sizes by them`(gaps: String, origin: String) throws {
    let segments = gaps.map { ($0 == "x" ? "#EXT-X-GAP\n" : "") + "#EXTINF:4,\na.ts\n" }.joined()
    try place.write(
      "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n\(segments)#EXT-X-ENDLIST\n",
      to: "gaps.m3u8")
    let run = try place.run("import", "hls", "gaps.m3u8")
    #expect(run.errorText.contains(", sizes by \(origin)\n"), "\(run.errorText)")
    let isAssumed = run.errorText.contains("2 Mbit/s (assumed: no bit rate is declared), ")
    #expect(isAssumed == (origin == "assumed"), "\(run.errorText)")
  }

  @Test func `without an output it is standard output, and the rest is told beside it`() throws {
    let run = try place.run("import", "hls", "playlists/main.m3u8")
    #expect(run.text.hasPrefix("{\n") && run.text.hasSuffix("}\n"))
    #expect(
      run.errorText
        == "playlists/main.m3u8: 3 variants of 900 kbit/s to 6.6 Mbit/s, 70.5 s, "
        + "1 audio rendition, sizes by EXT-X-BYTERANGE, EXT-X-BITRATE and AVERAGE-BANDWIDTH "
        + "(audio: EXT-X-BYTERANGE)\n")
    try place.write(run.text, to: "out.json")
    #expect(try place.run("test", "out.json").exitCode == 0)
  }

  @Test func `what is there already stays, be it a scenario, a playlist or a folder`() throws {
    try place.write("mine", to: "mine.json")
    for path in ["mine.json", "playlists/video-360.m3u8", "playlists"] {
      let run = try place.run("import", "hls", "playlists/video-360.m3u8", "-o", path)
      #expect(run.exitCode == 74)
      #expect(run.errorText == "Error: '\(path)' is there already; nothing was written.\n")
    }
    #expect(try place.read("mine.json") == "mine")
    #expect(try place.read("playlists/video-360.m3u8").hasPrefix("#EXTM3U"))
    let run = try place.run("import", "hls", "playlists/video-360.m3u8", "-o", "/dev/null")
    #expect(run.exitCode == 0)
  }

  @Test(arguments: [499_999_999_999, 500_000_000_001, 4_611_686_018_427_387_904, Int64.max])
  func `any bit rate that can be read has a link that is fast enough, or the fastest`(
    rate: Int64
  ) throws {
    try place.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(rate)\nb.m3u8\n", to: "a.m3u8")
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXT-X-BITRATE:780\n#EXTINF:5,\na.ts\n#EXT-X-ENDLIST\n",
      to: "b.m3u8")
    let run = try place.run("import", "hls", "a.m3u8", "-o", "a.json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let link = min(rate, 500_000_000_000) * 2
    #expect(try place.read("a.json").contains("\"bandwidth\": \"\(link) bit/s\""))
    #expect(try place.run("test", "a.json").exitCode == 0)
  }

  @Test func `every source of sizes is named, the best first`() throws {
    try place.write(
      """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=800000
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=2800000,AVERAGE-BANDWIDTH=2500000
      high.m3u8
      """, to: "main.m3u8")
    for (name, tag) in [("low", "#EXT-X-BITRATE:780\n"), ("high", "")] {
      try place.write(
        "#EXTM3U\n#EXT-X-TARGETDURATION:5\n\(tag)#EXTINF:5,\na.ts\n#EXTINF:4,\nb.ts\n"
          + "#EXT-X-ENDLIST\n", to: "\(name).m3u8")
    }
    let run = try place.run("import", "hls", "main.m3u8", "-o", "film.json")
    let sizes = "9 s, sizes by EXT-X-BITRATE and AVERAGE-BANDWIDTH"
    #expect(run.errorText == "main.m3u8: 2 variants of 900 kbit/s to 2.8 Mbit/s, \(sizes)\n")
    let screen = try place.run("run", "film.json", "--panel", "none").text
    #expect(
      screen.split { $0.isWhitespace }.joined(separator: " ")
        .contains("sizes by EXT-X-BITRATE and AVERAGE-BANDWIDTH"))
  }

  @Test func `a film longer than an hour is given the time it needs`() throws {
    let segments = (0..<900).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + segments + "#EXT-X-ENDLIST\n", to: "film.m3u8")
    #expect(try place.run("import", "hls", "film.m3u8", "--output=film.json").exitCode == 0)
    #expect(try place.run("test", "film.json").exitCode == 0)
  }

  @Test func `what is wrong is said, and nothing is written`() throws {
    try place.write("", to: "empty.m3u8")
    try Data([0x7F, 0x45, 0x4C, 0x46, 0xFF, 0xFE, 0x00]).write(
      to: place.folder.appending(path: "binary.m3u8"))
    try place.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\ngone.m3u8\n", to: "child.m3u8")
    try place.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDW", to: "cut.m3u8")
    for (file, code, words) in [
      ("empty.m3u8", 65, "empty.m3u8:1:1: the first line is not #EXTM3U"),
      ("binary.m3u8", 65, "binary.m3u8:1:5: the line is not UTF-8"),
      ("child.m3u8", 65, "child.m3u8:2:1: the playlist “gone.m3u8” cannot be read"),
      ("cut.m3u8", 65, "cut.m3u8:2:19: EXT-X-STREAM-INF"),
      ("nowhere.m3u8", 66, "Error: There is no file or folder 'nowhere.m3u8'."),
      ("-", 64, "Error: Playlists cannot come from standard input"),
    ] as [(String, Int32, String)] {
      let run = try place.run("import", "hls", file, "-o", "out.json")
      #expect(run.exitCode == code, "\(file)")
      #expect(run.errorText.contains(words), "\(file): \(run.errorText)")
      #expect(try !place.names().contains("out.json"))
    }
  }

  @Test func `playlists without an end are played live`() throws {
    for (folder, live, start) in [
      // HOLD-BACK asks for 24 s, so that four segments have to be there.
      ("held-back", #""live": { "startsWith": "24 s" }"#, "24 s"),
      // PART-HOLD-BACK asks for 4 s, which are in the first segment; the playlist lists 72 s.
      ("parts", #""live": { "window": "72 s", "startsWith": "6 s" }"#, "6 s"),
    ] {
      let run = try place.run("import", "hls", "playlists/\(folder)", "-o", "\(folder).json")
      #expect(run.exitCode == 0)
      let written = try place.read("\(folder).json").split { $0.isWhitespace }
      #expect(written.joined(separator: " ").contains(live))
      #expect(
        run.errorText.contains("playlists/\(folder): live: \(start) are there at the start"))
      #expect(
        run.errorText.contains(
          "playlists/\(folder)/video.m3u8: note: without EXT-X-ENDLIST; it ends with"))
      #expect(try place.run("test", "\(folder).json").exitCode == 0)
      let screen = try place.run("run", "\(folder).json").text.split { $0.isWhitespace }
      #expect(screen.joined(separator: " ").contains("; live, "))
    }
  }

  @Test func `what counts instead of what a live playlist says is noted`() throws {
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-SERVER-CONTROL:HOLD-BACK=5\n"
        + String(repeating: "#EXTINF:6,\na.ts\n", count: 9), to: "live.m3u8")
    let run = try place.run("import", "hls", "live.m3u8", "-o", "live.json")
    #expect(
      run.errorText.contains(
        "live.m3u8: note: HOLD-BACK counts as 18 s: three target durations are the least\n"))
    #expect(try place.run("test", "live.json").exitCode == 0)
  }

  @Test func `a scenario's playlists are noted once by each verb, and not by a quiet run`() throws {
    let segments = "#EXTINF:4,\na.ts\n#EXT-X-MINE:1\n#EXTINF:4,\nb.ts\n#EXT-X-MINE:1\n"
    let part = "#EXT-X-PART:URI=\"c.ts\",DURATION=1\n"
    let target = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
    try place.write(
      target + "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n" + segments, to: "s/low.m3u8")
    try place.write(
      target + "#EXT-X-PART-INF:PART-TARGET=1\n" + part + segments + part + part, to: "s/v.m3u8")
    let video = "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"v\",URI=\"v.m3u8\",NAME="
    try place.write(
      "#EXTM3U\n\(video)\"a\"\n\(video)\"b\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=9000\nlow.m3u8\n",
      to: "s/master.m3u8")
    let media = #"{ "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } }"#
    try place.write(
      shortScenario().replacing(
        media,
        with: #"""
          { "hls": { "playlists": "s/master.m3u8", "segmentBytes": [
            { "playlist": "s/low.m3u8", "bytes": ["1 KB", null] },
            { "playlist": "s/v.m3u8", "bytes": [null, null, null] } ] } }
          """#), to: "one.json")
    let notes = [
      "s/master.m3u8:2: EXT-X-MEDIA: not simulated: VIDEO renditions are not loaded",
      "s/v.m3u8:7: the tag EXT-X-MINE is not of the RFC and is ignored",
      "s/v.m3u8:11: EXT-X-PART: not simulated: parts after the last segment are not played",
      "s/low.m3u8:6: the tag EXT-X-MINE is not of the RFC and is ignored",
      "s/low.m3u8: EXT-X-SERVER-CONTROL: not simulated: CAN-BLOCK-RELOAD without parts",
      "s/v.m3u8: “segmentBytes” has more sizes than there are segments",
    ].map { "one.json: " + $0 }
    for verb in ["validate", "run", "test"] {
      let run = try place.run(verb, "one.json")
      let lines = run.errorText.split(separator: "\n").map { String($0) }
      let said = lines.filter { $0.hasPrefix("note: ") }
      #expect(run.exitCode == 0 && said == notes.map { "note: " + $0 })
      let document = try place.run(verb, "one.json", "--format", "json").text
      for note in notes { #expect(document.contains("\"\(note)\""), "\(note): \(document)") }
    }
    let cells = try place.run("test", "one.json", "--links", "3G,4G", "--seeds", "2")
    #expect(cells.errorText.split(separator: "\n").count == notes.count, "\(cells.errorText)")
    #expect(try place.run("run", "one.json", "--quiet").errorText == "")
    _ = try place.run("run", "one.json", "--trace", "one.trace")
    #expect(try place.run("report", "one.trace").errorText == "")
  }

  @Test func `a notable playlist is noted`() throws {
    try place.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MINE:1\n#EXTINF:6,\na.ts\n", to: "live.m3u8")
    let run = try place.run("import", "hls", "live.m3u8")
    #expect(run.exitCode == 0)
    #expect(run.errorText.contains("live.m3u8:3: note: the tag EXT-X-MINE"))
    #expect(run.errorText.contains("live.m3u8: note: without EXT-X-ENDLIST"))
  }
}
