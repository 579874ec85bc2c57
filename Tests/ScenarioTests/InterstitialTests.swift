import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Interstitials that a player of their own plays, over files and streams and in both fidelities.
@Suite(.enabled(if: Seeds.areMany, "a debug build leaves it to the release build"))
struct InterstitialTests {
  /// A film of 1 Mbit/s, and an advertisement of 2 Mbit/s.
  private func parts(
    _ fidelity: String, stream: Bool, _ plan: String, script: String = "", expect: String,
    of advertisement: String, seconds: Int64 = 4, faults: String = "[]"
  ) -> String {
    let film =
      stream
      ? #"""
      "hls": { "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "60 s",
        "segmentDuration": "4 s", "playlistBytes": "0 B" }
      """# : #""progressive": { "duration": "60 s", "bitrate": "1 Mbit/s" }"#
    return #"""
      "fidelity": "\#(fidelity)", "link": { "bandwidth": "6 Mbit/s", "delay": "20 ms" },
      "media": { \#(film) }, "faults": \#(faults),
      "script": [ { "at": "0 s", "do": "play" } \#(script) ], "expect": [ \#(expect) ],
      "players": [ { "name": "ad", "interstitial": { \#(plan) },
        "media": { "progressive": { "duration": "\#(seconds) s", "bitrate": "2 Mbit/s" } },
        "expect": [ \#(advertisement) ] } ]
      """#
  }

  static let times: [Int64] = [1, 2, 3, 5, 7, 11, 16, 23, 31, 44]

  @Test(arguments: times, ["fluid", "tcp"])
  func `the film waits as long as it takes, whatever there was to load`(
    time: Int64, fidelity: String
  ) throws {
    for stream in [false, true] {
      for (preload, start) in [("", true), (#", "preload": "1 s""#, false)] {
        // A round trip, or nothing; over packets a player is more careful.
        let delay =
          fidelity == "tcp"
          ? "" : #""startupDelay": { "about": "\#(start ? 40 : 0) ms", "within": "1 ms" }, "#
        let outcome = try Written.run(
          parts(
            fidelity, stream: stream, #""time": "\#(time) s" \#(preload)"#,
            expect: #"""
              { "at": { "event": "timeControlStatus reason=interstitialEvent", "by": "2 s" },
                "currentTime": { "about": "\#(time) s", "within": "1 us" }, "rate": 1,
                "timebaseRate": 0 },
              { "played": { "about": "60 s", "within": "1 us" }, "stallCount": 0,
                "outcome": "played", "end": "finished" },
              { "count": "timeControlStatus reason=interstitialEvent", "is": 1 }
              """#,
            of: #"""
              { \#(delay) "stallCount": 0, "played": "4 s" }
              """#))
        #expect(outcome.failures.map { $0.actual } == [], "\(stream), \(preload)")
        #expect(outcome.faults == [] && outcome.warnings.map { $0.words } == [])
        let film = outcome.player
        let ad = outcome.others[0].player
        // What the film waited for beside its start is what the advertisement took, start included.
        #expect(film.books.waiting == film.books.startup + ad.books.startup + ad.books.played)
      }
    }
  }

  @Test(arguments: times, ["fluid", "tcp"])
  func `the film goes on where it is told, and no more is played than there may be`(
    time: Int64, fidelity: String
  ) throws {
    for stream in [false, true] {
      let limit = min(3, time)
      let plan = #"""
        "time": "\#(time) s", "preload": "2 s", "playoutLimit": "\#(limit) s",
        "resumptionOffset": "\#(time % 4) s"
        """#
      let parts = parts(
        fidelity, stream: stream, plan,
        expect: #"{ "played": { "about": "\#(60 - time % 4) s", "within": "1 us" } }"#,
        of: #"{ "played": { "about": "\#(limit) s", "within": "1 us" } }"#)
      #expect(try Written.failures(parts) == [], "\(stream)")
    }
  }

  @Test(arguments: times)
  func `a pause holds both, a seek over the place leaves it out, and one back brings it`(
    time: Int64
  ) throws {
    let paused = parts(
      "fluid", stream: time % 2 == 0, #""time": "\#(time) s", "preload": "9 s""#,
      script: #"""
        , { "on": "timeControlStatus reason=interstitialEvent", "do": "showPanel", "name": "seen" },
        { "at": { "after": "seen", "by": "1 s" }, "do": "pause" },
        { "at": { "after": "pause", "by": "30 s" }, "do": "play", "name": "on" }
        """#,
      expect: #"{ "paused": "30 s", "played": { "about": "60 s", "within": "1 us" } }"#,
      of: #"{ "played": "4 s" }"#)
    #expect(try Written.failures(paused) == [])
    let place = time + 3
    let over = #", { "at": "2 s", "do": "seek", "to": "\#(place + 4) s", "name": "over" }"#
    let back = #", { "at": "4 s", "do": "seek", "to": "\#(place - 2) s", "name": "back" }"#
    for (script, played) in [(over, 0), (over + back, 4)] {
      let sought = parts(
        "fluid", stream: time % 2 == 0, #""time": "\#(place) s""#, script: script,
        expect: #"{ "outcome": "played" }"#, of: #"{ "played": "\#(played) s" }"#)
      #expect(try Written.failures(sought) == [], "\(script)")
    }
  }

  @Test(arguments: times)
  func `what fails is left out, loaded ahead or not`(time: Int64) throws {
    for preload in ["", #", "preload": "12 s""#] {
      for fidelity in ["fluid", "tcp"] {
        let parts = parts(
          fidelity, stream: true, #""time": "\#(time) s" \#(preload)"#,
          expect: #"{ "outcome": "played", "played": { "about": "60 s", "within": "1 us" } }"#,
          of: #"{ "outcome": "failed", "played": "0 s" }"#,
          faults: #"[ { "status": 404, "url": "movie.mp4*" } ]"#)
        #expect(try Written.failures(parts) == [], "\(preload)")
      }
    }
  }

  @Test func `an interstitial at zero comes before the film has moved`() throws {
    for stream in [false, true] {
      let parts = parts(
        "fluid", stream: stream, #""time": "0 s", "preload": "1 s""#,
        script: #", { "at": "7 s", "do": "pause" }, { "at": "7 s", "do": "play", "name": "b" }"#,
        expect: #"""
          { "order": [ "timeControlStatus reason=interstitialEvent", "timebase rate=1" ] },
          { "startupDelay": { "between": [ "4 s", "4.1 s" ] } }
          """#, of: #"{ "played": "4 s" }"#)
      #expect(try Written.failures(parts) == [])
    }
  }

  /// Between the start of the advertisement at 5 s and its own pause 2 s pass at most: a film that
  /// is only given another rate does not have it go on.
  @Test(arguments: [("setRate", #", "rate": 1.5"#, 2), ("pause", "", 2), ("play", "", 2)])
  func `an advertisement that was paused is left so by another rate`(
    step: String, more: String, most: Int
  ) throws {
    let parts = parts(
      "fluid", stream: false, #""time": "5 s""#,
      script: #", { "at": "8 s", "do": "\#(step)"\#(more) }"#,
      expect: #"{ "outcome": "played" }"#,
      of: #"{ "played": { "between": [ "1.8 s", "\#(most) s" ] } }"#)
    let scripted = parts.replacing(
      #""players": [ { "name": "ad","#,
      with: #""players": [ { "name": "ad", "script": [ { "at": "7 s", "do": "pause" } ],"#)
    #expect(try Written.failures(scripted) == [])
  }

  /// Of items that follow one another those that fail are left out, and the others are played.
  @Test(
    arguments: [
      (["bad", "good"], 4), (["bad", "bad", "good"], 4), (["good", "bad"], 4), (["bad", "bad"], 0),
      (["good", "good"], 8), (["bad", "good", "bad", "good"], 8),
    ] as [([String], Int)])
  func `an advertisement goes on behind an item that fails`(kinds: [String], played: Int) throws {
    let names = kinds.enumerated().map { "\($1)\($0)" }
    let items = zip(names, kinds).map { #"{ "name": "\#($0)", "asset": "\#($1)" }"# }
    let queue = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let assets = #"""
      "assets": [ { "name": "good", "media": { "progressive": {
        "duration": "4 s", "bitrate": "2 Mbit/s" } } }, { "name": "bad", "media": { "hls": {
        "ladder": [ { "bitrate": "1 Mbit/s" } ], "duration": "4 s" } } } ]
      """#
    let parts = parts(
      "fluid", stream: false, #""time": "5 s""#,
      expect: #"{ "outcome": "played", "played": { "about": "60 s", "within": "1 us" } }"#,
      of: #"{ "played": "\#(played) s" }"#,
      faults: #"[ { "status": 404, "url": "multivariantPlaylist*" } ]"#)
    let more = #""items": [ \#(items.joined(separator: ", ")) ], "queue": [ \#(queue) ]"#
    let queued = parts.replacing(
      #""name": "ad","#, with: #""name": "ad", \#(assets), \#(more),"#)
    #expect(try Written.failures(queued) == [])
  }

  // MARK: Places

  /// The film is replaced while the advertisement plays, whose offset is a place in the old item.
  @Test(arguments: times.dropFirst(3), ["", #", "resumptionOffset": "5 s""#])
  func `another item begins at its own beginning`(time: Int64, offset: String) throws {
    for stream in [false, true] {
      let parts = parts(
        "fluid", stream: stream, #""time": "\#(time) s"\#(offset)"#,
        script: #", { "at": "\#(time + 1) s", "do": "replaceCurrentItem" }"#,
        expect: #"{ "played": { "about": "\#(60 + time) s", "within": "50 ms" } }"#,
        of: #"{ "played": { "between": [ "0.1 s", "1 s" ] } }"#)
      #expect(try Written.failures(parts) == [], "\(stream)")
    }
  }

  /// The app seeks while the advertisement plays: the film goes on there, and not 5 s later.
  @Test(arguments: times.dropFirst(3))
  func `a seek decides where the film goes on, whatever the offset`(time: Int64) throws {
    for stream in [false, true] {
      let parts = parts(
        "fluid", stream: stream, #""time": "\#(time) s", "resumptionOffset": "5 s""#,
        script: #", { "at": "\#(time + 1) s", "do": "seek", "to": "2 s" }"#,
        expect: #"{ "played": { "about": "\#(58 + time) s", "within": "1 us" } }"#,
        of: #"{ "played": "4 s" }"#)
      #expect(try Written.failures(parts) == [], "\(stream)")
    }
  }

  /// However the playhead comes to be behind the place: with the item, or tied to a host time.
  @Test(arguments: times)
  func `a place that lies behind the playhead is left out`(time: Int64) throws {
    let start = #""startTime": "\#(time + 2) s""#
    let jump = #"""
      , { "at": "\#(500 * time) ms", "do": "setRateAtHostTime", "rate": 1, "time": "\#(time + 2) s",
        "hostTime": "at \#(500 * time) ms" }
      """#
    let ways = [
      (start, ""), (start + #", "item": "byScript""#, #", { "at": "0 s", "do": "setItem" }"#),
      (#""automaticallyWaitsToMinimizeStalling": false"#, jump),
    ]
    for stream in [false, true] {
      for (player, script) in ways {
        let parts = parts(
          "fluid", stream: stream, #""time": "\#(time) s""#, script: script,
          expect: #"{ "outcome": "played" }"#, of: #"{ "played": "0 s" }"#)
        let failures = try Written.failures(parts + #", "player": { \#(player) }"#)
        #expect(failures == [], "\(stream), \(player)")
      }
    }
  }

  /// At these rates a place lies between two nanoseconds, and the film is held up at the later one.
  @Test(arguments: [700, 1_300, 1_500, 1_900, 2_300, 3_000] as [Int64])
  func `an offset to the next place leads to it at every rate`(permille: Int64) throws {
    let ads = [("a", 10, 2), ("b", 12, 3), ("c", 15, 0)].map { name, time, offset in
      #"""
      { "name": "\#(name)", "interstitial": { "time": "\#(time) s",
        "resumptionOffset": "\#(offset) s" }, "expect": [ { "played": "4 s" } ],
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } } }
      """#
    }
    let failures = try Written.failures(
      #"""
      "link": { "bandwidth": "8 Mbit/s", "delay": "20 ms" },
      "media": { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "setRate",
        "rate": \#(permille / 1_000).\#(permille % 1_000 / 100) } ],
      "expect": [ { "played": { "about": "\#(25_000_000_000_000 / permille) ns",
        "within": "9 ns" } } ],
      "players": [ \#(ads.joined(separator: ", ")) ]
      """#)
    #expect(failures == [])
  }

  @Test(arguments: ["looper", "treadmill"])
  func `an interstitial that goes round asks for nothing before its place`(way: String) throws {
    let outcome = try Written.run(
      #"""
      "link": { "bandwidth": "8 Mbit/s" }, "horizon": "60 s",
      "media": { "progressive": { "duration": "30 s", "bitrate": "1 Mbit/s" } },
      "script": [ { "at": "0 s", "do": "play" } ],
      "players": [ { "name": "ad", "interstitial": { "time": "20 s", "playoutLimit": "6 s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "1 Mbit/s" } },
        "looping": "\#(way)" } ]
      """#)
    let ad = outcome.others[0].player
    #expect(ad.books.firstRequest.map { $0 >= .zero + .seconds(20) } == true)
    #expect(ad.books.played >= .seconds(4))
    #expect(outcome.player.books.played == .seconds(30))
  }
}

/// An interstitial at 8 s that is loaded 3 s before: 6 s of 2 Mbit/s.
@Suite struct InterstitialPreloadTests {
  private func failures(
    _ item: String, _ script: String, horizon: Int, bytes: String
  ) throws -> [String] {
    try Written.failures(
      #"""
      "link": { "bandwidth": "40 Mbit/s" }, "horizon": "\#(horizon) s",
      "media": { "progressive": { "duration": "20 s", "bitrate": "1 Mbit/s" } },
      "items": [ { "name": "a" }, { "name": "b" } ], "queue": [ "a", "b" ],
      "script": [ { "at": "1 s", "do": "play" } \#(script) ],
      "players": [ { "name": "ad",
        "interstitial": { "time": "8 s", "preload": "3 s" \#(item) },
        "media": { "progressive": { "duration": "6 s", "bitrate": "2 Mbit/s" } },
        "expect": [ { "outcome": "neverPlayed", "bytesTransferred": "\#(bytes)" } ] } ]
      """#)
  }

  /// At 2 s of the film a seek leads past the place, and at 3 s of the run one leads back to 4 s:
  /// the place to load it is reached at 4 s of the run.
  @Test func `an interstitial that a seek left out is loaded after a seek back alone`() throws {
    let over = #", { "at": "2 s", "do": "seek", "to": "15 s", "name": "over" }"#
    let back = #", { "at": "3 s", "do": "seek", "to": "4 s", "name": "back" }"#
    #expect(try failures("", over, horizon: 6, bytes: "0 B") == [])
    #expect(try failures("", over + back, horizon: 6, bytes: "1.5 MB") == [])
  }

  /// The second item begins at 21 s, and its fifth second is over at 26 s.
  @Test func `an interstitial of a later item is loaded when that item comes near the place`()
    throws
  {
    let item = #", "item": "b""#
    #expect(try failures(item, "", horizon: 25, bytes: "0 B") == [])
    #expect(try failures(item, "", horizon: 28, bytes: "1.5 MB") == [])
  }
}
