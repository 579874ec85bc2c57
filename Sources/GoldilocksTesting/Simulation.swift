import ExactText
import ScenarioFormat
import ScenarioRunner
@_exported public import PlayerTesting
public import SimulatedWorld

/// A world made from the text of a scenario, for a test that directs the player itself.
///
/// Link, media, faults, traffic and keys are described as in a scenario file; the calls come from
/// the app under test. A script in the text is done as well. `"scenario"`, `"about"` and `"link"`
/// may be left out.
///
///     let simulation = try Simulation("""
///       { "link": { "profile": "3G" },
///         "media": { "hls": { "duration": "60 s", "segmentDuration": "6 s",
///           "ladder": [ { "bitrate": "2 Mbit/s" } ] } } }
///       """)
///     simulation.player.play()
///     let run = simulation.run()
public final class Simulation: @unchecked Sendable {
  /// The link and the loop of the players.
  public let world: World
  /// The player of the scenario, whose item is current unless the text says otherwise.
  public let player: SimulatedPlayer
  /// The same player where the text has a queue.
  public let queuePlayer: SimulatedQueuePlayer?
  private let session: RunSession
  private let name: String
  private lazy var result = ScenarioRun(name: name, outcome: session.goOn())

  /// Makes the world.
  ///
  /// - Parameters:
  ///   - text: The JSON text of a scenario.
  ///   - files: The files that it names, such as recordings of links and playlists.
  ///   - policy: A policy for seats of the player, in place of the scenario's own.
  /// - Throws: `ScenarioMistake`, with line and column of each.
  public convenience init(
    _ text: String, files: [String: String] = [:], following policy: CustomPolicy? = nil
  ) throws(ScenarioMistake) {
    let contents = Self.contents(of: files)
    try self.init(Array(text.utf8), file: "scenario", files: contents, following: policy)
  }

  /// Makes the world from parts in JSON.
  ///
  /// - Parameters:
  ///   - link: The name of a profile, such as "3G", or an object.
  ///   - media: An object, such as `{ "progressive": { … } }`.
  ///   - player: An object with the player's settings.
  ///   - more: Further keys of the scenario with their JSON text, such as "requests".
  public convenience init(
    link: String, media: String, player: String = "{}", more: KeyValuePairs<String, String> = [:]
  ) throws(ScenarioMistake) {
    var text = "{ \"link\": \(Self.object(link)), \"media\": \(media)"
    text += ", \"player\": \(player)"
    for (key, value) in more { text += ", \"\(key)\": \(value)" }
    try self.init(text + " }")
  }

  init(
    _ bytes: [UInt8], file: String, files: @escaping (String) -> [UInt8]?,
    following policy: CustomPolicy? = nil
  ) throws(ScenarioMistake) {
    let scenario = try Self.read(bytes, file: file, files: files)
    name = scenario.name
    var options = RunOptions()
    options.policy = policy
    session = try rethrowing(try RunSession(of: scenario, options: options)) { (error: RunError) in
      ScenarioMistake(description: "\(scenario.name): \(error.description)")
    }
    (world, player, queuePlayer) = (session.world, session.player, session.queuePlayer)
    world.showsReadiness = true
    world.postNotifications()
    // The app may let go of everything before the end.
    session.prepare { one in one.player.observe { [weak one] in one?.tell($0, ofApp: true) } }
    world.beforeEvent = { [weak session] in session?.recordStep() }
  }

  fileprivate static func read(
    _ text: [UInt8], file: String, files: @escaping (String) -> [UInt8]?
  ) throws(ScenarioMistake) -> Scenario {
    try rethrowing(try readScenario(completed(text), file: file, files: files)) {
      (error: DocumentError) in
      ScenarioMistake(description: error.text)
    }
  }

  fileprivate static func contents(of files: [String: String]) -> (String) -> [UInt8]? {
    { files[$0].map { Array($0.utf8) } }
  }

  /// The text of a link, which may be the name of a profile alone.
  fileprivate static func object(_ link: String) -> String {
    let isObject = link.utf8.first { $0 != 0x20 && $0 != 0x0A } == UInt8(ascii: "{")
    return isObject ? link : "{ \"profile\": \"\(link)\" }"
  }

  /// The text with the keys that a test need not write.
  private static func completed(_ text: [UInt8]) -> [UInt8] {
    guard let document = try? JSONValue(parsing: text), document.members != nil else { return text }
    let standard = [("scenario", "\"test\""), ("about", "\"A test.\""), ("link", "{}")]
    let missing = standard.filter { document[$0.0] == nil }
    guard !missing.isEmpty, let brace = text.firstIndex(of: UInt8(ascii: "{")) else { return text }
    var added = ""
    for (key, value) in missing { added += " \"\(key)\": \(value)," }
    if document.members?.isEmpty == true { added.removeLast() }
    // On the line of the brace, so that the lines of mistakes are those of the text.
    return text[...brace] + Array(added.utf8) + text[(brace + 1)...]
  }

  /// A further player of the text, by its name there.
  public subscript(name: String) -> SimulatedPlayer? {
    session.guests.first { $0.name.map { isSameText($0, name) } == true }?.player
  }

  /// The item that the text describes, or the one of a name: to be made current, or to be enqueued.
  ///
  /// - Returns: Nil where the text has no such name.
  public func item(named name: String? = nil) -> SimulatedPlayerItem? {
    session.takeItem(named: name)
  }

  /// Lets everything happen up to an instant, which is included.
  public func advance(to instant: Instant) { world.advance(to: instant) }

  /// Lets a span of virtual time pass.
  public func advance(by span: TimeSpan) { advance(to: world.now + span) }

  /// Goes on until nothing is left to happen, and sums the run up: time stands afterwards.
  @discardableResult
  public func run() -> ScenarioRun { result }
}

extension ItemSettings {
  /// Makes the settings of an item from media in JSON, as under "media" in a scenario file: files,
  /// ladders, playlists, live and low-latency streams.
  ///
  /// - Parameters:
  ///   - media: An object, such as `{ "hls": { … } }`.
  ///   - files: The files that it names, such as playlists.
  /// - Throws: `ScenarioMistake`, with the place of each.
  public init(media: String, files: [String: String] = [:]) throws(ScenarioMistake) {
    self = try Simulation.read(
      Array("{ \"media\": \(media) }".utf8), file: "media", files: Simulation.contents(of: files)
    ).item
  }
}

extension LinkConditions {
  /// Makes the conditions of a profile, such as "3G", or of an object as under "link" in a scenario
  /// file, whose changes over time are left out.
  public init(link: String) throws(ScenarioMistake) {
    let media = #""media": { "local": { "duration": "1 s", "size": "1 MB" } }"#
    let text = Array("{ \"link\": \(Simulation.object(link)), \(media) }".utf8)
    self = try Simulation.read(text, file: "link", files: { _ in nil }).link.conditions
  }
}
