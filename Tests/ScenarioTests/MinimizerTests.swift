import ExactText
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import TestSupport
import Testing
import VirtualTime

/// Made-up scenarios that fail shrink to ones from which nothing can be left out.
@Suite struct MinimizerTests {
  /// A random scenario with the first of some expectations that does not come true.
  struct Failing {
    let seed: UInt64
    private(set) var text: [UInt8]

    static let claims = [
      #"{ "stallCount": 0 }"#, #"{ "seekWaitingSeconds": { "atMost": "100 ms" } }"#,
      #"{ "outcome": "played" }"#, #"{ "startupDelay": { "atMost": "500 ms" } }"#,
      #"{ "count": "rateChange", "is": { "atMost": 1 } }"#, #"{ "bytesTransferred": "1 B" }"#,
    ]

    /// - Returns: Nil for a scenario that cannot be read, or fails by its budget.
    init?(seed: UInt64) throws {
      self.seed = seed
      let random = RandomScenario(seed: seed)
      let plain = Array(random.document.json.utf8)
      text = plain
      guard let scenario = read(plain) else { return nil }
      let count = scenario.expectations.count
      for claim in Self.claims {
        let edited = try JSONValue(parsing: plain).edited([
          JSONEdit("expect[\(count)]=" + claim)
        ])
        guard let tried = read(edited), let outcome = try? run(tried, options: Self.options),
          outcome.end != .budget, outcome.failures.count == 1
        else { continue }
        text = edited
        return
      }
      return nil
    }

    static var options: RunOptions { RunOptions(keepsTrace: false, folds: .figures) }

    func read(_ text: [UInt8]) -> Scenario? {
      try? readScenario(text, file: "random.json")
    }

    func smallest() -> Minimizer? {
      var search = Minimizer(
        text, keeping: .expectation(nil), read: read, goesOn: { _ in true })
      search?.search()
      return search
    }

    /// The way in which a document fails; nil where it does not, or cannot be read.
    func manner(_ tree: JSONTree) -> [String]? {
      guard let scenario = read(tree.text),
        let outcome = try? run(scenario, options: Self.options), !outcome.failures.isEmpty
      else { return nil }
      let player = outcome.player
      let waits = player.outcome == .neverPlayed && player.books.waiting > .zero
      return outcome.failures.map { $0.manner } + [player.outcome.word + (waits ? " waited" : "")]
    }
  }

  static let seeds = Seeds.count(8, inRelease: 40)

  /// Over a link of 87 ms there and back the first byte is there after 174 ms. What fails above a
  /// bound keeps the first rounder delay that is still above it: of one digit in the decades
  /// below, and then the number cut to one digit, down and up.
  @Test(arguments: [
    (1, "1 ms"), (3, "2 ms"), (9, "5 ms"), (15, "10 ms"), (30, "20 ms"), (90, "50 ms"),
    (150, "80 ms"), (165, "90 ms"), (173, "90 ms"),
  ])
  func `a number becomes the first rounder one that keeps the reason`(
    bound: Int, delay: String
  ) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "unlimited", "delay": "87 ms" },
        "media": { "progressive": { "duration": "10 s", "bitrate": "1 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "startupDelay": { "atMost": "\(bound) ms" } } ] }
      """
    var tried: [[UInt8]] = []
    let read = { (text: [UInt8]) -> Scenario? in
      tried.append(text)
      return try? readScenario(text, file: "a.json")
    }
    var minimizer = try #require(
      Minimizer(Array(text.utf8), keeping: .expectation(nil), read: read, goesOn: { _ in true }))
    minimizer.search()
    let smallest = minimizer.document.text
    let words = String(decoding: smallest, as: UTF8.self)
    #expect(words.replacing(": ", with: ":").contains(#""delay":"\#(delay)""#), "\(words)")
    // A number that is zero has no rounder one: no document is tried in its own place.
    #expect(tried.count { $0 == smallest } <= 1)
  }

  /// The link is too slow for a start within a millisecond with any steps of its schedule, and fast
  /// enough without them.
  @Test func `a constant rate takes the place of a schedule`() throws {
    let text = """
      { "scenario": "a", "about": "b",
        "link": { "schedule": { "steps": [ { "for": "1 s", "bandwidth": "70 kbit/s" } ] } },
        "media": { "progressive": { "duration": "1 s", "bitrate": "100 kbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        "expect": [ { "startupDelay": { "atMost": "1 ms" } } ] }
      """
    var minimizer = try #require(
      Minimizer(
        Array(text.utf8), keeping: .expectation(nil),
        read: { try? readScenario($0, file: "a.json") }, goesOn: { _ in true }))
    minimizer.search()
    let link = try #require(minimizer.document["link"]?.json)
    #expect(link.contains(" kbit/s") && !link.contains("schedule"), "\(link)")
  }

  /// 4 Mbit of 2 s take 4000 s, which is longer than the hour of a run.
  @Test func `a warning that is kept is told as a run tells it`() throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "1 kbit/s" },
        "media": { "progressive": { "duration": "30 s", "bitrate": "2 Mbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 0 } ] }
      """
    var minimizer = try #require(
      Minimizer(
        Array(text.utf8), keeping: .warning("horizon"),
        read: { try? readScenario($0, file: "a.json") }, goesOn: { _ in true }))
    minimizer.search()
    #expect(
      minimizer.reason
        == "the run was cut off while there was still something to be played: a longer “horizon” "
        + "lets it go on, and one of its own says that this is meant, as does “end”: “horizon”; "
        + "playback: neverPlayed after waiting")
  }

  /// Expectations of the scenario and of a further player: the last of all fails alone.
  @Test(arguments: [
    (#"[ { "stallCount": 0 }, { "order": [ "app", "timebase" ] }, { "played": "7 s" } ]"#, ""),
    (#"[ { "stallCount": 0 } ]"#, #", "expect": [ { "stallCount": 0 }, { "played": "7 s" } ]"#),
  ])
  func `the expectation that fails is kept, wherever it stands`(own: String, other: String) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s" },
        "media": { "progressive": { "duration": "1 s", "bitrate": "100 kbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": \(own),
        "players": [ { "name": "other", "media": {
          "progressive": { "duration": "1 s", "bitrate": "100 kbit/s" } },
          "script": [ { "at": "0 s", "do": "play" } ]\(other) } ] }
      """
    var (sizes, tried): ([Int], [[UInt8]]) = ([], [])
    let read = { (text: [UInt8]) -> Scenario? in
      tried.append(text)
      return try? readScenario(text, file: "a.json")
    }
    var minimizer = try #require(
      Minimizer(
        Array(text.utf8), keeping: .expectation(nil), read: read,
        goesOn: {
          sizes.append($0)
          return true
        }))
    minimizer.search()
    let smallest = minimizer.document.json
    #expect(smallest.contains("played\"") && !smallest.contains("stallCount"), "\(smallest)")
    #expect(!smallest.contains("order"), "\(smallest)")
    #expect(smallest.contains("other") == !other.isEmpty, "\(smallest)")
    // It grows at no step, and nothing was left out in the last of the rounds, which begin with
    // the script.
    #expect(sizes.sorted(by: >) == sizes && minimizer.runCount == sizes.count)
    let rounds = tried.filter { !String(decoding: $0, as: UTF8.self).contains("\"link\"") }
    #expect(rounds.count >= 2 && rounds.last.map { $0.count < tried[0].count } == true)
  }

  /// The main player plays to its end. Only the preview stalls for good, or starts late.
  @Test(arguments: [
    (#"{ "stallCount": 0 }"#, "stallCount is too high; playback: stalled"),
    (#"{ "startupDelay": { "atMost": "1 ms" } }"#, "startupDelay is too high; playback: played"),
  ])
  func `a failure of a further player keeps its outcome, and its numbers become round`(
    claim: String, reason: String
  ) throws {
    let waits = reason.contains("played")
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "3 Mbit/s" },
        "media": { "progressive": { "duration": "4 s", "bitrate": "100 kbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ],
        "players": [ { "name": "preview",
          "media": { "progressive": { "duration": "3.217 s", "bitrate": "7.3 Mbit/s" } },
          "player": { "automaticallyWaitsToMinimizeStalling": \(waits) },
          "script": [ { "at": "0.513 s", "do": "play" } ], "expect": [ \(claim) ] } ] }
      """
    var minimizer = try #require(
      Minimizer(
        Array(text.utf8), keeping: .expectation(nil),
        read: { try? readScenario($0, file: "a.json") }, goesOn: { _ in true }))
    #expect(minimizer.reason == reason)
    minimizer.search()
    #expect(minimizer.reason == reason)
    let smallest = minimizer.document.json
    #expect(["3.217", "7.3", "0.513"].allSatisfy { !smallest.contains($0) }, "\(smallest)")
    let kept = JSONTree(try JSONValue(parsing: Array(claim.utf8))).json
    #expect(smallest.contains(kept), "\(smallest)")
  }

  @Test(arguments: [1, 2, 3, 7])
  func `a search that is stopped runs no more`(runs: Int) throws {
    let text = """
      { "scenario": "a", "about": "b", "link": { "bandwidth": "2 Mbit/s", "delay": "20 ms" },
        "media": { "progressive": { "duration": "1 s", "bitrate": "100 kbit/s" } },
        "script": [ { "at": "0 s", "do": "play" } ], "expect": [ { "stallCount": 7 } ] }
      """
    var (asked, read) = (0, 0)
    var minimizer = try #require(
      Minimizer(
        Array(text.utf8), keeping: .expectation(nil),
        read: {
          read += 1
          return try? readScenario($0, file: "a.json")
        },
        goesOn: { _ in
          asked += 1
          return asked < runs
        }))
    let before = read
    minimizer.search()
    #expect(asked == runs && minimizer.runCount == runs && read == before + runs)
  }

  @Test func `failing scenarios lose four fifths and nothing more can go`() throws {
    var (found, seed): (Int, UInt64) = (0, 0)
    while found < Self.seeds {
      seed += 1
      guard let failing = try Failing(seed: seed) else { continue }
      found += 1
      let search = try #require(failing.smallest(), "seed \(seed)")
      let before = JSONTree(try JSONValue(parsing: failing.text))
      let shares = [
        Double(search.document.text.count) / Double(before.text.count),
        Double(search.document.steps) / Double(max(1, before.steps)),
      ]
      // Below 400 bytes there is little but the name, a link, media and a play.
      let isSmall = search.document.text.count < 400
      #expect(isSmall || shares.contains { $0 <= 0.2 }, "seed \(seed): \(search.document.json)")
      let manner = failing.manner(before)
      #expect(failing.manner(search.document) == manner, "seed \(seed)")
      for smaller in search.document.withoutOnePart {
        #expect(failing.manner(smaller) != manner, "seed \(seed): \(smaller.json)")
      }
      if found % 4 == 0 {
        #expect(failing.smallest()?.document.text == search.document.text, "seed \(seed)")
      }
    }
  }
}

extension JSONTree {
  var steps: Int { if case .array(let steps)? = self["script"] { steps.count } else { 0 } }

  subscript(key: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The document without each of its keys and elements in turn; its expectations stay whole.
  var withoutOnePart: [JSONTree] {
    var smaller: [JSONTree] = []
    switch self {
    case .array(let elements):
      for index in elements.indices {
        var rest = elements
        rest.remove(at: index)
        smaller.append(.array(rest))
        for part in elements[index].withoutOnePart {
          rest = elements
          rest[index] = part
          smaller.append(.array(rest))
        }
      }
    case .object(let members):
      for index in members.indices where members[index].key != "expect" {
        var rest = members
        rest.remove(at: index)
        smaller.append(.object(rest))
        for part in members[index].value.withoutOnePart {
          rest = members
          rest[index].value = part
          smaller.append(.object(rest))
        }
      }
    case .null, .boolean, .number, .string: break
    }
    return smaller
  }
}
