package import ExactText
import LinkConditioner
import PlayerPolicies
import Recording
package import ScenarioFormat
package import ScenarioRunner
import SimulatedPlayback
package import StreamingMedia
package import VirtualTime

/// The best that was possible over a link that is known in advance.
///
/// The order of requests, what may lie ahead, and one request at a time in each track are the
/// player's and fixed; when to start and when to go on is free. It shares no code with the
/// transports and loaders whose runs it is held against.
package struct Oracle: Hashable, Sendable {
  package enum Media: Hashable, Sendable {
    /// A file that comes in one piece; without a limit to what lies ahead.
    case file(MediaFile, end: MediaTime)
    case stream(KnownStream)
  }

  package var link: KnownLink
  package var media: Media
  /// The instants of the request for the media, and of the app's call to play.
  package var requested: Instant
  package var asked: Instant
  package var rate: PlaybackRate

  package init(
    link: KnownLink, media: Media, requested: Instant = .zero, asked: Instant = .zero,
    rate: PlaybackRate = .normal
  ) {
    self.link = link
    self.media = media
    self.requested = requested
    self.asked = asked
    self.rate = rate
  }

  package struct Finding: Hashable, Sendable {
    /// The earliest start after which playback never runs dry; nil where there is none.
    package var start: Instant?
    /// From when the app asked until then.
    package var startup: TimeSpan?
    /// Least startup delay plus stalled time, with stalls allowed; nil if the end is never reached.
    package var waiting: TimeSpan?
    /// Whether a player could do just that; else it is a bound that nobody beats.
    package var isExact = true
    /// The longest time without bytes while a segment downloads, in nanoseconds.
    var silence: Int64 = 0
  }

  package func find() -> Finding {
    switch media {
    case .file(let file, let end):
      let reckoning = FileReckoning(file, until: end, over: link, from: requested.nanoseconds)
      // With room for everything, what is saved by starting early is lost by stalling.
      let start = reckoning.leastStart(at: rate).map { max($0, asked.nanoseconds) }
      return finding(start, total: start.map { $0 - asked.nanoseconds })
    case .stream(let stream):
      if stream.tracks.count > 1 { return find(inTracksOf: stream) }
      var silence: Int64 = 0
      let start = leastStart(of: stream, &silence)
      let wait = leastWait(of: stream, &silence)
      return finding(start, total: wait, silence: silence)
    }
  }

  /// Tracks share the link: delaying one track speeds up another, so a later start may be better
  /// served. A result without a buffer limit counts if no track is held back; otherwise each track
  /// is evaluated as if it had the link to itself.
  private func find(inTracksOf stream: KnownStream) -> Finding {
    var free = stream
    free.fetch.media = nil
    var silence: Int64 = 0
    let start = leastStart(of: free, &silence)
    let played = StreamReckoning(
      stream, over: link, from: requested.nanoseconds, at: rate,
      playing: .from(start ?? asked.nanoseconds))
    if !played.wasHeldBack {
      return finding(start, total: start.map { $0 - asked.nanoseconds }, silence: silence)
    }
    var latest = asked.nanoseconds
    for track in stream.tracks where track.isNeeded {
      var alone = free
      alone.tracks = [track]
      guard let start = leastStart(of: alone, &silence) else { return finding(nil, total: nil) }
      latest = max(latest, start)
    }
    var bound = finding(latest, total: latest - asked.nanoseconds, silence: silence)
    bound.isExact = false
    return bound
  }

  private func finding(_ start: Int64?, total: Int64?, silence: Int64 = 0) -> Finding {
    Finding(
      start: start.map { Instant(nanoseconds: $0) },
      startup: start.map { Instant(nanoseconds: $0) - asked },
      waiting: total.map { TimeSpan(nanoseconds: $0) }, silence: silence)
  }

  /// A later start never brings a segment sooner: what is late for one start is late for every
  /// start that comes before the last late segment would have been in time.
  private func leastStart(of stream: KnownStream, _ silence: inout Int64) -> Int64? {
    var start = asked.nanoseconds
    // Each round begins where the one before it ran late; a handful is the rule.
    for _ in 0..<1_000 {
      let reckoning = StreamReckoning(
        stream, over: link, from: requested.nanoseconds, at: rate, playing: .from(start))
      guard let next = reckoning.leastStart else { return nil }
      if next <= start {
        silence = max(silence, reckoning.longestSilence)
        return start
      }
      start = next
    }
    return nil
  }

  private func leastWait(of stream: KnownStream, _ silence: inout Int64) -> Int64? {
    let reckoning = StreamReckoning(
      stream, over: link, from: requested.nanoseconds, at: rate,
      playing: .wheneverPossible(from: asked.nanoseconds))
    guard let end = reckoning.reachesEnd else { return nil }
    silence = max(silence, reckoning.longestSilence)
    return end - asked.nanoseconds - rate.span(toPlay: stream.end - stream.start).nanoseconds
  }
}

package struct OracleReport: Hashable, Sendable {
  /// Nil where it cannot say anything.
  package var finding: Oracle.Finding?
  /// Whether a player could have done just that; else it is a bound that nobody can beat.
  package var isExact: Bool
  /// Reasons why there is no result, or the effects that it leaves out.
  package var remarks: [String]

  package init(_ scenario: Scenario, _ outcome: RunOutcome) {
    let question = OracleQuestion(scenario, outcome)
    (isExact, remarks) = (false, question.refusals + question.refusalsOfOneVariant)
    if outcome.startup.asked == nil { remarks.append("the app never asked to play") }
    guard remarks.isEmpty, let media = question.media else { return }
    let oracle = Oracle(
      link: KnownLink(scenario.link), media: media, requested: question.requested,
      asked: question.asked, rate: question.rate)
    let finding = oracle.find()
    remarks = question.omissions(after: finding.silence)
    if !finding.isExact {
      remarks.append("what may lie ahead, and that tracks share the link, is left out")
    }
    (self.finding, isExact) = (finding, remarks.isEmpty)
  }
}

extension KnownLink {
  package init(_ plan: LinkPlan) {
    if !plan.isSwitchedOn {
      self.init(.perfect)
      return
    }
    self.init(
      plan.conditions, schedule: plan.schedule,
      outages: plan.outages.map {
        $0.start.nanoseconds..<($0.start + $0.duration).nanoseconds
      })
  }
}

/// A scenario as the oracle sees it: what it can work with, and what it cannot.
struct OracleQuestion {
  let scenario: Scenario
  /// Of the run, which says what was begun with.
  let outcome: RunOutcome
  /// Reasons why there is no result.
  var refusals: [String] = []
  /// Reasons why there is no result for one fixed variant, as it was played.
  var refusalsOfOneVariant: [String] = []
  /// Whether the player may choose among variants.
  var isAdaptive = false
  private(set) var eligibleVariants: [Int] = []
  private(set) var hasSoundApart = false
  /// Effects left out, which make the result a bound.
  var omissions: [String] = []
  var rate = PlaybackRate.normal
  var media: Oracle.Media?
  /// The instants of the app's call to play, and of the request for the media.
  var asked: Instant { outcome.startup.asked ?? .zero }
  var requested: Instant { outcome.startup.stages.first?.requested ?? asked }

  init(_ scenario: Scenario, _ outcome: RunOutcome) {
    (self.scenario, self.outcome) = (scenario, outcome)
    checkLink()
    checkScript()
    if scenario.player.pipeline != .none { omissions.append("pipeline times are left out") }
    if scenario.player.evaluationPeriod > .zero {
      omissions.append("the evaluation of the buffering rate is left out")
    }
    let (sink, fetch) = (scenario.player.policy.sink, readAhead)
    if sink.warmUp > .zero || sink.setUp > .zero || sink.leastToStart > .zero
      || fetch.lookahead > 0 || fetch.discards > 0 || fetch.discardsIfIndexLast > 0
    {
      omissions.append("what media takes to be seen once it has come is left out")
    }
    if scenario.item.beginning > .zero { refusals.append("playback begins in the middle") }
    switch scenario.item.source {
    case .local: refusals.append("a local file needs no link")
    case .progressive(let file):
      if readAhead.media != nil || readAhead.bytes != nil {
        omissions.append("the limit to what lies ahead is left out")
      }
      media = .file(file, end: scenario.item.playedEnd)
    case .stream(let settings): checkStream(settings)
    }
  }

  private mutating func checkLink() {
    let conditions = scenario.link.conditions
    if scenario.fidelity == .tcp {
      refusals.append("over tcp the throughput depends on the congestion window")
    } else if !conditions.downlink.loss.isNone || !conditions.uplink.loss.isNone {
      refusals.append("loss is a mean in fluid, which is no promise")
    }
    if let requests = scenario.requests, requests != .plain {
      refusals.append("requests open connections")
    }
    if scenario.faults != .none { refusals.append("requests are made to fail") }
    let sharing = scenario.traffic.count + scenario.leakedPlayers.count + scenario.others.count
    if sharing > 0 { refusals.append("others share the link") }
  }

  private mutating func checkScript() {
    if scenario.queue != nil || scenario.looping != nil {
      refusals.append("more than one item is played")
    }
    var asks = 0
    let player = scenario.player
    let usesDefault = player.contract.playUsesDefaultRate && !player.defaultRate.isZero
    for step in scenario.script {
      switch step.action.bearing {
      case .asks(let asked):
        asks += 1
        rate = asked ?? (usesDefault ? player.defaultRate : .normal)
      case .none: break
      case .steers: refusals.append("the app does \(step.verb)")
      }
    }
    if asks > 1 { refusals.append("the app asks to play more than once") }
    if rate.isZero { refusals.append("the app asks for no rate") }
  }

  private mutating func checkStream(_ settings: StreamSettings) {
    let presentation = settings.presentation
    if settings.live != nil || presentation.isLive { refusals.append("the stream is live") }
    if presentation.start != nil { refusals.append("the playlist says where to begin") }
    let verdicts = presentation.verdicts(under: settings.constraints)
    eligibleVariants = verdicts.indices.filter { verdicts[$0].isEligible }
    hasSoundApart = eligibleVariants.contains {
      presentation.rendition(of: .audio, for: $0, language: settings.audioLanguage)
        .flatMap { presentation.renditions[$0].list } != nil
    }
    if hasSoundApart, scenario.player.policy.sink.freezes > .zero {
      refusals.append("sound goes on while the picture stands still")
    }
    let isFixed =
      settings.adaptation.map { $0 == .fixed } ?? (scenario.player.policy.nextVariant == .fixed)
    isAdaptive = !isFixed && eligibleVariants.count > 1
    if isAdaptive { refusalsOfOneVariant.append("the player may choose among variants") }
    let played = outcome.watchedPeriods.first?.uri
    let variant = presentation.variants.firstIndex {
      presentation.lists[$0.list].uri == played
    }
    guard let variant else {
      refusals.append("no variant was played")
      return
    }
    let fetch = readAhead
    if fetch.sideBySide > 1 { refusals.append("segments are fetched side by side") }
    if presentation.isInterleaved, fetch.interleavedFrom != nil {
      refusals.append("what has come of a segment counts")
    }
    if fetch.bytes != nil || fetch.countsNext || fetch.sleeps > .zero || fetch.trackFloor > 0 {
      refusalsOfOneVariant.append(
        "the player reads ahead by bytes, by whole segments, by a floor or from time to time")
    }
    var stream = KnownStream(
      presentation, variant: variant, audioLanguage: settings.audioLanguage,
      subtitleLanguage: settings.subtitleLanguage, playlists: settings.playlistEncoding,
      key: .init(bytes: settings.keyExchange.bytes, served: settings.keyExchange.thinkTime),
      preloadsKeys: settings.preloadsKeys,
      limit: limit(of: presentation), end: scenario.item.playedEnd)
    if presentation.lists.contains(where: { $0.segments.contains { $0.isGap } }) {
      refusals.append("the stream has gaps")
    }
    stream.hasPlaylists = settings.hasPlaylists
    stream.fetch.trackLead = fetch.trackLead
    stream.fetch.order = fetch.order
    media = .stream(stream)
  }

  /// The effects left out, given the longest time without bytes while a segment downloads.
  func omissions(after silence: Int64) -> [String] {
    guard let timeout = scenario.item.source.stream?.errors.mediaTimeout,
      silence >= timeout.nanoseconds
    else { return omissions }
    return omissions + ["the media timeout, which gives up a segment without bytes, is left out"]
  }

  var readAhead: FetchRule { scenario.item.readAhead(by: scenario.player.policy.fetch) }

  /// The read-ahead limit of a stream.
  func limit(of presentation: Presentation) -> MediaTime {
    readAhead.media ?? presentation.duration
  }
}

extension OracleReport {
  /// The report, as names and words for a screen; `seconds` writes nanoseconds.
  package func facts(_ seconds: (Int64) -> String) -> [(name: String, words: String)] {
    guard let finding else { return [("oracle", "cannot say: " + remarks.joined(separator: "; "))] }
    let bound = isExact ? "" : " at least"
    func words(_ span: TimeSpan?, _ condition: String, else none: String) -> String {
      span.map { seconds($0.nanoseconds) + bound + condition } ?? none
    }
    let start = words(finding.startup, " without a stall", else: "none is without a stall")
    let waiting = words(
      finding.waiting, " at the start and in stalls together", else: "the end is never reached")
    return [("best start", start), ("least waiting", waiting)] + remarks.map { ("oracle", $0) }
  }

  /// The oracle's answer, as a member.
  package var document: JSONTree {
    guard let finding else { return ["oracle": ["cannotSay": .strings(remarks)]] }
    return [
      "oracle": [
        "startupDelaySeconds": .seconds(finding.startup?.nanoseconds),
        "startupAndStalledSeconds": .seconds(finding.waiting?.nanoseconds),
        "isExact": .boolean(isExact), "leavesOut": .strings(remarks),
      ]
    ]
  }
}

extension OptimumReport {
  /// The report for a screen that shows the objective above it; `number` writes billionths.
  package func fact(_ number: (Int64) -> String) -> (name: String, words: String) {
    let name = "at best"
    guard let finding else { return (name, "cannot say: " + remarks.joined(separator: "; ")) }
    var words = number(finding.bound) + " " + objective.unit + (isExact ? "" : " at most")
    if !isExact, let attained { words += ", and \(number(attained)) can be had" }
    return (name, ([words] + remarks).joined(separator: "; "))
  }

  fileprivate var document: JSONTree {
    guard let finding else { return ["cannotSay": .strings(remarks)] }
    return [
      "atMost": .decimal(finding.bound, places: 9),
      "canBeHad": .decimal(attained, places: 9), "isExact": .boolean(isExact),
      "leavesOut": .strings(remarks),
    ]
  }
}

extension [OptimumReport] {
  /// The best by each objective, as a member.
  package var document: JSONTree {
    ["optima": .members(map { ($0.objective.name, $0.document) })]
  }
}
