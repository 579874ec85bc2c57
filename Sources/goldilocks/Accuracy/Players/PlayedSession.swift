import Autowait
import PlayerPolicies
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import VirtualTime

/// A session of a real player on a shaped link, and the scenario that says the same.
struct PlayedSession: Sendable {
  let name: String
  let player: String
  let preset: String
  let startup: Double
  let stalled: Double
  let stalls: Int64
  /// Media time of the first stall; nil without a stall, or where it is unknown.
  let firstStall: Double?
  /// Its place on the ladder; nil where it was not measured.
  let first: Int?
  /// The place on the ladder of each segment as it was fetched last; empty where unknown.
  let variants: [Int]
  private let media: PlayedMedia
  private let link: String
  private let start: String

  /// Sessions with the same of it repeat each other.
  let setup: String

  /// The reason for which a row is not scored; nil where it is.
  static func reason(_ row: MeasuredRow) throws(Failure) -> String? {
    if try !row.boolean("valid") { return "not valid" }
    if !row.has("startup") { return "never started" }
    let isKnown = try preset(row.text("player"), row.text("mode"), isStream: false) != nil
    return isKnown ? nil : "of a player without a preset"
  }

  /// Keys of a row that are read, and those that describe the session further.
  private static let keys = [
    "id", "player", "mode", "media", "linkBps", "rttMs", "schedule", "seek", "tag", "valid",
    "startup", "stalled", "stalls", "firstVariant", "fetchedBySegment", "version", "rho",
    "scheduleIsRelative", "run", "aheadAtStart", "bytesAtStart", "stallCount", "requests",
    "canPlayThrough", "switches", "fetches", "frozen", "flags",
  ]

  init(_ row: MeasuredRow, _ catalogue: MeasuredRow) throws(Failure) {
    try row.knows(Self.keys, as: "a session of a player")
    name = try row.text("id")
    let (found, mode) = (try row.text("player"), try row.text("mode"))
    player = found == "vlc-cli" ? "vlc" : found
    let mediaName = try row.text("media")
    media = try PlayedMedia(mediaName, in: catalogue)
    let isStream = media.text.contains("\"hls\"")
    preset = Self.preset(player, mode, isStream: isStream) ?? ""
    startup = try row.number("startup", in: 0...86_400)
    stalled = try row.number("stalled", in: 0...86_400)
    let waits = try row.objects("stalls")
    stalls = Int64(waits.count)
    firstStall = try waits.first.flatMap { (wait) throws(Failure) in
      wait.has("position") ? try wait.number("position", in: -1...86_400) : nil
    }
    // The index of a rung by its name, which is after its Mbit/s.
    first =
      row.has("firstVariant")
      ? ["v0.5", "v1", "v2"].firstIndex(of: try row.text("firstVariant")) : nil
    let fetched = row.has("fetchedBySegment") ? try row.text("fetchedBySegment") : ""
    variants = fetched.compactMap { $0.wholeNumberValue }
    if variants.count < fetched.count { throw row.wrong("fetchedBySegment", "a digit a segment") }
    let bitsPerSecond = try row.whole("linkBps", in: 1...1_000_000_000_000)
    let delay = try row.number("rttMs", in: 0...60_000) / 2
    let tag = row.has("tag") ? try row.text("tag") : ""
    steps = try Self.steps(row, bitsPerSecond)
    seeks = try row.pairs("seek", in: 0...86_400).map { (at: $0.0, to: $0.1) }
    setup = "\(player) \(mode) \(mediaName) \(bitsPerSecond) \(delay) \(tag) \(steps) \(seeks)"
    link = """
      "downlink": { "bandwidth": "RATE bit/s", "delay": "\(fixedPoint(delay, places: 3)) ms",
        "queue": \(tag == "bigq" ? 6_000 : 100) },
      "uplink": { "bandwidth": "10 Mbit/s", "delay": "\(fixedPoint(delay, places: 3)) ms" }
      """
    self.bitsPerSecond = bitsPerSecond
    start = Self.start(player, mode, media, isStream: isStream)
  }

  private let bitsPerSecond: Int64
  /// The rates of the link, each with its seconds; empty where it has one.
  private let steps: [(seconds: Double, bitsPerSecond: Double)]
  private let seeks: [(at: Double, to: Double)]

  /// The schedule of a row: from which second on the link has which rate. A rate up to 100 is a
  /// multiple of that with which the link begins, and none is an outage.
  private static func steps(
    _ row: MeasuredRow, _ first: Int64
  ) throws(Failure) -> [(seconds: Double, bitsPerSecond: Double)] {
    var (steps, place, rate) = ([(seconds: Double, bitsPerSecond: Double)](), 0.0, Double(first))
    for (second, next) in try row.pairs("schedule", in: 0...1e12) {
      guard (place...86_400).contains(second) else { throw row.wrong("schedule", "rising seconds") }
      if second > place { steps.append((second - place, rate)) }
      (place, rate) = (second, next <= 100 ? next * Double(first) : next)
    }
    return row.has("schedule") ? steps + [(86_400, rate)] : []
  }

  private static func preset(_ player: String, _ mode: String, isStream: Bool) -> String? {
    let isAutoplay = mode.contains("autoplay") || mode.contains("canplaythrough")
    switch player {
    case "chromium": return isAutoplay ? "Chromium 156 autoplay" : "Chromium 156 play"
    case "firefox": return isAutoplay ? "Firefox 153 autoplay" : "Firefox 153 play"
    case "webkitgtk": return "WebKitGTK 2.50"
    case "gstreamer":
      if isStream {
        return mode.hasPrefix("pb3") ? "GStreamer 1.22 playbin3 HLS" : "GStreamer 1.22 HLS"
      }
      if mode == "pb3dl" { return "GStreamer 1.22 playbin3 download" }
      if mode.hasPrefix("pb3") { return "GStreamer 1.22 playbin3" }
      return mode == "pbdl" ? "GStreamer 1.22 download" : "GStreamer 1.22 playbin"
    case "mpv": return mode.contains("initial") ? "mpv 0.35 cache-pause-initial" : "mpv 0.35"
    case "vlc", "vlc-cli": return "VLC 3.0"
    case "hls.js": return "hls.js 1.6"
    case "dash.js": return "dash.js 5.1"
    case "shaka": return mode == "rg2" ? "Shaka 4.7" : "Shaka 5.2"
    case "video.js": return "VHS 3.17"
    default: return nil
    }
  }

  /// Bytes read when a browser reports metadata, measured: the first blocks of a page's media
  /// element tell it the file's contents.
  private static let metadataBytes = [
    "chromium": 131_072.0, "firefox": 184_000.0, "webkitgtk": 280_000.0,
  ]

  /// Script condition for the moment at which the page, or the user, asks to play.
  private static func start(
    _ player: String, _ mode: String, _ media: PlayedMedia, isStream: Bool
  ) -> String {
    if mode.contains("canplaythrough") { return "\"when\": \"likelyToKeepUp\"" }
    guard mode.contains("loadedmetadata"), !isStream, let bytes = metadataBytes[player] else {
      return "\"at\": \"0 s\""
    }
    return "\"when\": \"loaded >= \(fixedPoint(media.seconds(within: bytes), places: 3)) s\""
  }

  /// Result of a simulated run, to compare with the measured session.
  struct Outcome: Sendable {
    var startup: Double?
    var stalled: Double
    var stalls: Int64
    var firstStall: Double?
    var first: Int?
    /// The place on the ladder of each segment as it was received last.
    var variants: [Int]
    /// With which clause it began to play.
    var clause: String?
  }

  /// Payload is 95.6 % of what the link carries.
  private static let payload = 0.956

  func scenario(_ fidelity: String) -> String {
    let share = fidelity == "tcp" ? 1 : Self.payload
    let rate = Int64(Double(bitsPerSecond) * share)
    let changes = steps.map {
      "{ \"for\": \"\(fixedPoint($0.seconds, places: 3)) s\", "
        + "\"bandwidth\": \"\(Int64($0.bitsPerSecond * share)) bit/s\" }"
    }.joined(separator: ", ")
    let rates = steps.isEmpty ? "" : "\"schedule\": { \"steps\": [ \(changes) ] },"
    let further = seeks.map {
      ", { \"at\": \"\(fixedPoint($0.at, places: 3)) s\", \"do\": \"seek\", "
        + "\"to\": \"\(fixedPoint($0.to, places: 3)) s\" }"
    }.joined()
    return """
      { "scenario": "\(name)", "about": "A session that was measured.",
        "fidelity": "\(fidelity)", "horizon": "10 min",
        "link": { \(rates) \(link.replacing("RATE", with: "\(rate)")) },
        "media": \(media.text), "player": { "policy": "\(preset)" },
        "script": [ { \(start), "do": "play" }\(further) ] }
      """
  }

  func play(_ fidelity: String) -> Outcome? {
    guard let scenario = try? readScenario(Array(scenario(fidelity).utf8), file: name) else {
      return nil
    }
    let options = RunOptions(keepsTrace: false, keepsCurves: true)
    guard let outcome = try? run(scenario, options: options) else { return nil }
    func seconds(_ time: some StoredTime) -> Double { Double(time.nanoseconds) / 1e9 }
    let clauses = (outcome.curves?.decisions ?? []).compactMap { record -> ReadinessClause?? in
      guard case .player(.timeControl(.playing, _, let clause)) = record.event else { return nil }
      return clause
    }
    // A player that is measured from outside stalls after a seek as well.
    let sought = outcome.player.books.seekWaiting
    let stalls = outcome.player.books.stallCount
    return Outcome(
      startup: outcome.player.startupDelay.map(seconds),
      stalled: seconds(outcome.player.books.stalled + sought),
      stalls: sought > .zero ? stalls + Int64(seeks.count) : stalls,
      firstStall: outcome.player.books.stalls.first.map { seconds($0.place) },
      first: outcome.story.firstVariant?.variant,
      variants: Self.variants(of: outcome.curves?.requests ?? []), clause: clauses.first??.word)
  }

  /// The variants of the main track's segments, in the order in which they play.
  private static func variants(of requests: [StartupStage]) -> [Int] {
    var received: [MediaTime: Int] = [:]
    for request in requests where request.track == .main && request.outcome == .completed {
      if let media = request.media, let variant = request.variant {
        received[media.lowerBound] = Int(variant)
      }
    }
    return received.sorted { $0.key < $1.key }.map { $0.value }
  }
}
