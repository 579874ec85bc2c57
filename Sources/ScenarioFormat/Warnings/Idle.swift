import Autowait
import ExactText
import LinkConditioner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// When a key, or a step, says something to nobody, and why: its row names one of these.
struct Idle: Sendable {
  /// Why, given what is played and where a key stands; nil where it says something to somebody.
  let why: @Sendable (PlayedMedia, DocumentPath?) -> String?

  init(_ why: @escaping @Sendable (PlayedMedia, DocumentPath?) -> String?) {
    self.why = why
  }

  init(_ why: String, if holds: @escaping @Sendable (PlayedMedia) -> Bool) {
    self.why = { media, _ in holds(media) ? why : nil }
  }

  /// Where that follows from the place of the key alone.
  init(_ why: String, below name: String) {
    self.why = { _, path in path?.isBelow(name) == true ? why : nil }
  }

  /// For one of two reasons, of which the first is told.
  func or(_ other: Idle) -> Idle {
    let why = why
    return Idle { media, path in why(media, path) ?? other.why(media, path) }
  }

  /// For a key of several parts, of which each may be idle: its place is kept for what says so.
  static let saidElsewhere = Idle { _, _ in nil }
  static let withoutVariants = Idle("a file has no variants") { !$0.hasStream }
  /// What a choice of variants goes by.
  static let nothingToChoose = withoutVariants.or(
    Idle("the stream has one variant") { media in
      media.streams.allSatisfy { $0.presentation.variants.count <= 1 }
    })
  static let neverCosts = Idle("the path never costs") { media in
    !media.host.link.isExpensive && !media.host.allScripts.contains { $0.action.makesExpensive }
  }
  static let nothingByCost = Idle("no player limits its variants by what the path costs") {
    !$0.host.allPlayed.contains { $0.goesByCost }
  }
  static let withoutRenditions = Idle("a file has no renditions to select") { !$0.hasStream }
  static let nothingToSelect = Idle("a file without tracks has nothing to select") { media in
    !media.hasStream && !media.hasTracks
  }
  static let withoutKeys = Idle("what is played has no content keys") { !$0.hasKeys }
  static let onDemand = Idle("nothing here is live") { !$0.isLive }
  static let ofLocalFile = Idle("a local file is wholly there") { $0.isLocal }
  static let inLocalFile = Idle("a local file is wholly there", below: "local")
  static let withoutQueue = Idle("there is no queue") { $0.scenario.queue == nil }
  static let withoutFollowingStream = Idle("no stream follows another") {
    $0.scenario.queue == nil || !$0.hasStream
  }
  static let inFluid = Idle("in “fluid” there are no packets") { $0.host.fidelity == .fluid }
  static let overPackets = Idle("no packet gets through an outage") { $0.host.fidelity == .tcp }
  static let withoutConnections = Idle(
    "in “fluid” no connections are opened unless “requests” says other than its defaults"
  ) {
    $0.host.fidelity == .fluid && $0.host.requests?.http.opensConnections != true
      && $0.host.link.conditions.knowsAddresses
  }
  static let ofFurtherPlayer = Idle("the panels are those of the first player") {
    $0.isFurther
  }
  static let alone = Idle("no other player is on the link") {
    !$0.host.hasOtherPlayers
  }
  static let beforeDefaultRate = Idle("before iOS 16 play asks for a rate of 1") {
    !$0.contract.playUsesDefaultRate
  }
  static let byKindOfMedia = Idle("before iOS 10 the kind of the media decides") {
    !$0.contract.waitsByDefault
  }
  static let withSmoothTracks = Idle("from iOS 10 on other tracks do not hold playback up") {
    $0.contract.changesTracksSmoothly && !$0.scenario.expects(Figure.pipeline.name)
  }
  static let withoutNotifications = Idle(
    "nothing waits for a notification: no loop, and no step “byNotification”"
  ) { media in
    media.scenario.looping == nil && !media.scenario.script.contains { $0.isNotified }
  }
  static let neverWaiting = Idle("a player that never waits evaluates nothing") { media in
    media.scenario.player.waitsAutomatically == false
      && !media.scenario.script.contains { $0.action.switchesWaiting }
  }
  static let beltOfItems = Idle("the items of the queue go round") {
    $0.scenario.looping?.way == .treadmill && $0.scenario.queue?.isNamed == true
  }
  static let setByLoop = Idle("what loops a queue has its items give way to the next") {
    guard let looping = $0.scenario.looping, looping.way != .rewind else { return false }
    // A looper gives the player its own action back when it ends.
    let isGivenBack =
      looping.way == .looper && $0.scenario.queue?.enqueued.isEmpty == false
      && $0.scenario.script.contains { $0.action.endsLoop }
    return !isGivenBack && $0.scenario.player.actionAtItemEnd != .advance
  }
  static let neverBegun = Idle("no step begins the looping") { media in
    media.scenario.looping?.beginsAtStart == false
      && !media.scenario.script.contains { $0.action.beginsLoop }
  }
  static let nothingBeside = Idle("nothing else stands in the queue") {
    $0.scenario.queue?.enqueued.isEmpty != false
  }
  static let ofNoQueue = Idle("nothing says that there is a queue") {
    $0.scenario.queue?.isNamed != true && $0.scenario.looping == nil
  }
}

extension AppAction {
  fileprivate var makesExpensive: Bool {
    if case .setExpensiveNetwork(true) = self { true } else { false }
  }
  fileprivate var switchesWaiting: Bool {
    if case .setWaitsAutomatically = self { true } else { false }
  }
  fileprivate var beginsLoop: Bool {
    if case .edit(let edit) = self { edit.beginsLoop } else { false }
  }
  fileprivate var endsLoop: Bool {
    if case .edit(let edit) = self { edit.isOfLoop && !edit.beginsLoop } else { false }
  }
}

/// A key of a file that may say something to nobody.
package struct IdleKey: Sendable {
  var path: DocumentPath
  var position: TextPosition
  var name: String
  var idle: Idle
}

/// What a player of a scenario plays, as far as keys depend on it.
struct PlayedMedia {
  let scenario: Scenario
  /// The scenario that the link belongs to.
  let host: Scenario
  /// Whether it is played by a further player.
  let isFurther: Bool
  let items: [ItemSettings]

  var sources: [MediaSource] { items.map { $0.source } }

  init(_ scenario: Scenario, of host: Scenario, isFurther: Bool = false) {
    self.scenario = scenario
    self.host = host
    self.isFurther = isFurther
    items = [scenario.item] + scenario.namedItems.map { $0.settings }
  }

  var streams: [StreamSettings] {
    sources.compactMap { if case .stream(let settings) = $0 { settings } else { nil } }
  }
  var hasStream: Bool { !streams.isEmpty }
  var isLive: Bool { streams.contains { $0.live != nil } }
  var hasKeys: Bool {
    streams.contains { stream in
      !stream.presentation.sessionKeys.isEmpty
        || stream.presentation.lists.contains { !$0.keys.isEmpty }
    }
  }
  /// Whether a stream's variants are limited where the path costs.
  var goesByCost: Bool {
    streams.contains {
      $0.constraints.preferredPeakBitRateForExpensiveNetworks != 0
        || $0.constraints.preferredMaximumResolutionForExpensiveNetworks != nil
    }
  }
  var hasTracks: Bool {
    sources.contains { source in source.file.map { !$0.trackList.isEmpty } ?? false }
  }
  var isLocal: Bool { sources.allSatisfy { $0.kind == .local } }
  var contract: Contract { scenario.player.contract }
}

extension Scenario {
  var allScripts: [ScriptStep] {
    ([script] + others.map { $0.scenario.script }).flatMap { $0 }
  }

  /// What its players play.
  var allPlayed: [PlayedMedia] {
    [PlayedMedia(self, of: self)]
      + others.map { PlayedMedia($0.scenario, of: self, isFurther: true) }
  }

  /// What can be known without a run, in the order of the file.
  package var warnings: [RunWarning] {
    let first = PlayedMedia(self, of: self)
    let guests = others.map { PlayedMedia($0.scenario, of: self, isFurther: true) }
    var found: [RunWarning] = []
    for key in idleKeys {
      let media =
        key.path.player.flatMap { guests.indices.contains($0) ? guests[$0] : nil } ?? first
      if let why = key.idle.why(media, key.path) {
        found.append(Idle.warning(of: key.name, at: key.position, why))
      }
    }
    for media in [first] + guests {
      found +=
        media.warningsOfScript + media.unusedItems + media.unknownNames
        + media.seatsInVain
    }
    found += unusedParts
    for (rule, place) in zip(faults.rules, faultPlaces) where rule.chance.numerator == 0 {
      found.append(
        RunWarning(position: place, message: "this fault never happens: its chance is 0 %"))
    }
    if ([self] + others.map { $0.scenario }).allSatisfy({ $0.expectations.isEmpty }) {
      found.append(
        RunWarning(
          position: document.position, message: "nothing is expected: it passes whatever happens"))
    }
    return found.inOrder
  }
}

extension DocumentPath {
  /// Whether it leads through a key.
  func isBelow(_ name: String) -> Bool {
    steps.contains { if case .key(let key) = $0 { isSameText(key, name) } else { false } }
  }
}

extension Idle {
  fileprivate static func warning(
    of name: String, at position: TextPosition, _ why: String
  ) -> RunWarning {
    RunWarning(position: position, message: "\(quotation(of: name)) has no effect: \(why)")
  }
}

extension PlayedMedia {
  fileprivate var warningsOfScript: [RunWarning] {
    scenario.script.flatMap { step -> [RunWarning] in
      var found: [RunWarning] = []
      let verb = AppVerb.all.first { isSameText($0.name, step.verb) }
      if let why = verb?.idle?.why(self, nil) {
        found.append(Idle.warning(of: step.verb, at: step.position, why))
      }
      if verb?.idle == nil, let why = step.action.whyPastEnd(of: self) {
        found.append(Idle.warning(of: step.verb, at: step.position, why))
      }
      if step.isNotified && scenario.player.latency.both == .zero {
        found.append(
          RunWarning(
            position: step.position,
            message: "“byNotification” takes no time: the player has no “latency”"))
      }
      return found
    }
  }

  /// The items that nothing brings into the queue, or makes current.
  fileprivate var unusedItems: [RunWarning] {
    let items = scenario.namedItems
    return items.indices.compactMap { index in
      guard let position = items[index].position,
        scenario.queue?.enqueued.contains(index) != true,
        !scenario.script.contains(where: { $0.action.brings(items[index].name) })
      else { return nil }
      return RunWarning(
        position: position, message: "the item \(quotation(of: items[index].name)) is never played")
    }
  }
}

extension AppAction {
  /// Whether it makes an item current, or puts it into the queue.
  fileprivate func brings(_ name: String) -> Bool {
    if case .edit(.insert(let item, _)) = self { return isSameText(item, name) }
    if case .replaceItem(let item?) = self { return isSameText(item, name) }
    return false
  }
}
