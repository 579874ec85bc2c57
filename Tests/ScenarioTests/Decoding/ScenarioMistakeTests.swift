import ScenarioFormat
import ScenarioRunner
import Testing

/// What is wrong with single values of a scenario, word for word.
@Suite struct ScenarioMistakeTests {
  /// A scenario in which one part can be replaced.
  private func file(
    top: String = "", link: String = "{}",
    media: String = #"{ "progressive": { "duration": "39 s", "bitrate": "2 Mbit/s" } }"#,
    player: String = "{}", script: String = "[]", expect: String = "[]"
  ) -> String {
    """
    { "scenario": "a", "about": "b", \(top)
    "link": \(link),
    "media": \(media),
    "player": \(player),
    "script": \(script),
    "expect": \(expect) }
    """
  }

  @Test(arguments: [
    (
      #""horizon": "300 years","#,
      """
      a.json:1:45: horizon: “300 years” is too large (expected at most 9223372036.854775807 s, \
      about 292 years)

      """
    ),
    (
      #""horizon": "200 years","#,
      """
      a.json:1:45: horizon: found the string “200 years” (expected a time of at most 365 days)

      """
    ),
    (
      #""horizon": "0 s","#,
      "a.json:1:45: horizon: found the string “0 s” (expected a time above zero)\n"
    ),
    (
      #""seed": -1, "fidelity": "tpc","#,
      """
      a.json:1:42: seed: found the number -1 (expected a whole number from 0 up)
      a.json:1:58: fidelity: unknown word “tpc” (expected “fluid” or “tcp”; did you mean “tcp”?)

      """
    ),
    (
      #""eventBudget": 0,"#,
      """
      a.json:1:49: eventBudget: found the number 0 (expected a whole number from 1 to 1000000000)

      """
    ),
    (
      #""about": "twice","#,
      """
      a.json:1:34: “about” is repeated; it stands first at line 1, column 20 (expected each key \
      once)

      """
    ),
  ])
  func `the top of a file`(top: String, expected: String) {
    #expect(mistakes(in: file(top: top)) == expected)
  }

  @Test(arguments: [
    (
      "{}", "a.json:3:10: media: one of “local”, “progressive” or “hls” is missing\n"
    ),
    (
      #"{ "progressive": { "duration": "0 s", "bitrate": "0 bit/s" } }"#,
      """
      a.json:3:41: media.progressive.duration: found the string “0 s” (expected a duration above \
      zero and of at most 30 days)
      a.json:3:59: media.progressive.bitrate: found the string “0 bit/s” (expected a bit rate \
      above zero)

      """
    ),
    (
      #"{ "progressive": { "bitrate": "1 Mbit/s" } }"#,
      "a.json:3:27: media.progressive: “duration” is missing\n"
    ),
    (
      #"{ "progressive": { "duration": "39 s", "bitrate": "1000000000 Gbit/s" } }"#,
      "a.json:3:27: media.progressive: the file is too large (expected at most 10000 GB)\n"
    ),
    (
      #"{ "progressive": { "duration": "39 s", "sizesPerSecond": ["1 MB", "2 MB"] } }"#,
      """
      a.json:3:67: media.progressive.sizesPerSecond: the list has 2 sizes (expected 39, one for \
      each second that begins before the end)

      """
    ),
    (
      #"{ "progressive": { "sizesPerSecond": ["0 B", "0 B"] } }"#,
      """
      a.json:3:47: media.progressive.sizesPerSecond: all sizes are zero (expected one byte of \
      media at least)

      """
    ),
    (
      #"{ "local": { "size": "1 B", "duration": "1 s", "#
        + #""headAtom": { "size": "1 B", "at": "back" } } }"#,
      """
      a.json:3:92: media.local.headAtom.at: unknown word “back” (expected “front” or “end”)

      """
    ),
    (
      #"{ "local": { "duration": "1 s", "size": "0 B" } }"#,
      "a.json:3:50: media.local.size: found the string “0 B” (expected a size above zero)\n"
    ),
  ])
  func `media`(media: String, expected: String) {
    #expect(mistakes(in: file(media: media)) == expected)
  }

  @Test(arguments: [
    (
      #"{ "profile": "3GG" }"#,
      """
      a.json:2:22: link.profile: no profile is called “3GG” (expected a name that “goldilocks \
      profiles” lists; did you mean “3G”?)

      """
    ),
    (
      #"{ "bandwidth": "2 Tbit/s", "delay": 100, "loss": "101 %" }"#,
      """
      a.json:2:24: link.bandwidth: “2 Tbit/s” has the unknown unit “Tbit/s” (expected one of \
      bit/s, kbit/s, Mbit/s, Gbit/s; did you mean “bit/s”?)
      a.json:2:45: link.delay: the number 100 has no unit (expected a string: a number and a \
      unit (ns, us, µs, ms, s, min, h, days, years), such as “100 ms”)
      a.json:2:58: link.loss: “101 %” exceeds 100 % (expected 0 % to 100 %)

      """
    ),
    (
      #"{ "bandwidth": "2000 Gbit/s" }"#,
      """
      a.json:2:9: link: 2000000000000 bit/s is too fast: a link carries at most 1 Tbit/s

      """
    ),
    (
      #"{ "bandwidth": "1 Mbit/s", "relativeBandwidth": "85.8 %" }"#,
      """
      a.json:2:36: link.relativeBandwidth: cannot stand beside “bandwidth” (expected only one of \
      “bandwidth” or “relativeBandwidth”)

      """
    ),
    (
      #"{ "schedule": { "steps": [] }, "outages": [ { "from": "1 s", "for": "0 s" } ] }"#,
      """
      a.json:2:34: link.schedule.steps: the list is empty (expected at least one element)
      a.json:2:77: link.outages[0].for: found the string “0 s” (expected a time above zero)

      """
    ),
  ])
  func `links`(link: String, expected: String) {
    #expect(mistakes(in: file(link: link)) == expected)
  }

  @Test(arguments: [
    (
      #"{ "linkedSDK": "iOS ten" }"#,
      """
      a.json:4:26: player.linkedSDK: “iOS ten” is no SDK (expected a platform and a version \
      that is known, such as “iOS 10”, “macOS 10.12”, “visionOS 26” or “Mac Catalyst 18”)

      """
    ),
    (
      #"{ "actionAtItemEnd": "advance" }"#,
      """
      a.json:4:32: player.actionAtItemEnd: a player without a queue cannot advance (expected \
      “pause” or “none”)

      """
    ),
    (
      #"{ "defaultRate": 33 }"#,
      """
      a.json:4:28: player.defaultRate: found the number 33 (expected a rate from 0 to 32 with at \
      most three decimals)

      """
    ),
    (
      #"{ "startTime": "39 s" }"#,
      """
      a.json:4:26: player.startTime: found the string “39 s” (expected a time before the end of \
      the media)

      """
    ),
    (
      #"{ "startTime": "4 s", "forwardPlaybackEndTime": "4 s" }"#,
      """
      a.json:4:13: player.startTime: is not before “forwardPlaybackEndTime” (expected an earlier \
      time)

      """
    ),
    (#"{ "startTime": "4 s", "forwardPlaybackEndTime": "4.000000001 s" }"#, ""),
  ])
  func `players`(player: String, expected: String) {
    #expect(mistakes(in: file(player: player)) == expected)
  }

  @Test(arguments: [
    (
      #"[{ "at": "1 s", "do": "play", "rate": 2 }]"#,
      """
      a.json:5:41: script[0]: unknown key “rate” (expected “at”, “name”, “after” or one of 6 others)

      """
    ),
    (
      #"[{ "at": "1 s", "do": "paly", "rate": 2 }]"#, nil
    ),
    (
      #"[{ "do": "seek" }]"#,
      """
      a.json:5:12: script[0]: one of “at”, “when” or “on” is missing
      a.json:5:12: script[0]: “to” is missing

      """
    ),
    (
      #"[{ "at": { "after": "paly" }, "do": "play" }, { "at": "1 s", "do": "pause" }]"#,
      """
      a.json:5:31: script[0].at.after: no step is called “paly” (expected the name of a step, or \
      its action; did you mean “play”?)

      """
    ),
    (
      #"[{ "at": { "after": "pause" }, "do": "play" }, "#
        + #"{ "at": { "after": "play" }, "do": "pause" }]"#,
      """
      a.json:5:31: script[0].at.after: the step “play” waits for itself (expected a step that does \
      not come after this one)

      """
    ),
    (
      #"[{ "at": "1 s", "do": "play", "name": "a" }, { "at": "2 s", "do": "play", "name": "a" }]"#,
      """
      a.json:5:93: script[1].name: another step is called “a”, at line 5, column 49 (expected a \
      name that no other step has)

      """
    ),
    (
      #"[{ "at": "1 s", "do": "play" }, { "at": "2 s", "do": "play" }, "#
        + #"{ "when": "playing", "after": "play", "do": "pause" }]"#,
      """
      a.json:5:104: script[2].after: 2 steps are called “play” (expected one; give the step that \
      is meant a “name”)

      """
    ),
    (
      #"[{ "when": "loaded", "do": "play" }, { "when": "playing >= 1 s", "do": "pause" }]"#,
      """
      a.json:5:22: script[0].when: the string “loaded” has no bound (expected “loaded >= 0.3 s”, \
      with >= and a value)
      a.json:5:58: script[1].when: “playing” has no bound (expected “playing” alone)

      """
    ),
    (
      #"[{ "at": "1 s", "do": "setRateAtHostTime", "rate": 1, "hostTime": "12 s" }]"#,
      """
      a.json:5:77: script[0].hostTime: “12 s” is no host time (expected “at 12 s”, “in 2 s” or \
      “2 s ago”)

      """
    ),
  ])
  func `scripts`(script: String, expected: String?) {
    let found = mistakes(in: file(script: script))
    #expect(found != "")
    if let expected { #expect(found == expected) }
  }

  @Test(arguments: [
    (
      #"[{ "rate": 1 }]"#,
      """
      a.json:6:14: expect[0].rate: requires “at” (expected “at”: a time, “end”, or the step \
      or event that it follows)

      """
    ),
    (
      #"[{ "at": "3 s", "end": "finished" }]"#,
      """
      a.json:6:27: expect[0].end: is known at the end alone (expected no “at” beside it)

      """
    ),
    (
      #"[{}]"#,
      """
      a.json:6:12: expect[0]: nothing is expected here (expected a property such as \
      “stallCount”, or “order” or “count”)

      """
    ),
    (
      #"[{ "stallCount": { "between": [2, 1] } }, { "rebufferRatio": { "about": "1 %" } }]"#,
      """
      a.json:6:41: expect[0].stallCount.between: the first bound is above the second (expected \
      the least and the most)
      a.json:6:72: expect[1].rebufferRatio: “within” is missing

      """
    ),
    (
      #"[{ "count": "stal", "is": 0 }, { "order": ["stall"] }]"#, nil
    ),
    (
      #"[{ "coutn": "stall", "is": 0 }, { "odrer": ["stall", "seek"] }]"#,
      """
      a.json:6:14: expect[0]: unknown key “coutn” (did you mean “count”?)
      a.json:6:45: expect[1]: unknown key “odrer” (did you mean “order”?)

      """
    ),
    (
      #"[{ "at": "edn", "status": "failed" }]"#,
      """
      a.json:6:20: expect[0].at: “edn” is no moment (expected a time such as “3 s”, or “end”; \
      did you mean “end”?)

      """
    ),
    (
      #"[{ "at": "end", "loadedTimeRanges": [["3 s", "2 s"]], "#
        + #""timeControlStatus": { "atLeast": "paused" } }]"#,
      nil
    ),
  ])
  func `expectations`(expect: String, expected: String?) {
    let found = mistakes(in: file(expect: expect))
    #expect(found != "")
    if let expected { #expect(found == expected) }
  }

  /// The schema has the least number of their members.
  @Test(arguments: [
    (#"{ "policy": {} }"#, "policy"), (#"{ "policy": { "choice": {} } }"#, "policy.choice"),
    (#"{ "policy": { "fileFetch": {} } }"#, "policy.fileFetch"),
    (#"{ "policy": { "abandon": {} } }"#, "policy.abandon"),
    (#"{ "policy": { "firstVariant": {} } }"#, "policy.firstVariant"),
    (#"{ "policy": { "like": "avfoundation" } }"#, ""), (#"{ "policy": { "exits": {} } }"#, ""),
    (#"{ "policy": { "fileFetch": { "media": null } } }"#, ""), ("{ }", ""),
  ])
  func `an object that needs a key is refused where it is empty`(player: String, path: String) {
    let words = ": found an empty object (expected one of its keys at least)\n"
    let found = mistakes(in: file(player: player))
    #expect(path.isEmpty ? found == "" : found.hasSuffix("player.\(path)" + words), "\(found)")
  }

  @Test func `rates that cannot stand on one link are refused before the run`() {
    let script = """
      [ { "at": "1 s", "do": "changeLink", "to": { "bandwidth": "0.000000001 bit/s" } } ]
      """
    #expect(
      mistakes(in: file(link: #"{ "bandwidth": "100 Gbit/s" }"#, script: script))
        .hasPrefix("a.json:2:9: link: the link's rates over the run do not go together: "))
  }

  @Test func `a file of one byte is a scenario, and so is an outage without end`() throws {
    let media = #"{ "progressive": { "duration": "1 ns", "size": "1 byte" } }"#
    #expect(mistakes(in: file(link: #"{ "bandwidth": "0 bit/s" }"#, media: media)) == "")
    #expect(mistakes(in: file(link: #"{ "profile": "Slow Server" }"#, media: media)) == "")
  }

  /// Media that is loaded up to a place and from it on is one range.
  @Test(
    arguments: [
      (#"["0 s", "3 s"], ["3.001 s", "4 s"]"#, false), (#"["0 s", "3 s"], ["3 s", "4 s"]"#, true),
      (#"["0 s", "3 s"], ["2.999 s", "4 s"]"#, true), (#"["3 s", "4 s"], ["0 s", "1 s"]"#, true),
    ])
  func `ranges of loaded media rise, with a gap between them`(ranges: String, isWrong: Bool) {
    let found = mistakes(in: file(expect: #"[{ "at": "end", "loadedTimeRanges": [\#(ranges)] }]"#))
    #expect(found.contains("touch or are out of order") == isWrong, "\(found)")
    #expect((found == "") != isWrong, "\(found)")
  }
}
