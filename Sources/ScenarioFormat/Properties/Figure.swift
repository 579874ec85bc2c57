package import ExactText
package import SimulatedPlayback
import SimulatedWorld
package import VirtualTime

/// The totals of one player, from which its figures are read.
package struct PlayerSummary: Hashable, Sendable {
  package var outcome = PlaybackOutcome.played
  package var startupDelay: TimeSpan?
  /// The same from the tap on; the tap is known where the script has one.
  package var tapToMotion: TimeSpan?
  package var isTapKnown = false
  package var books = PlayerBooks(at: .zero)
  package var media = MediaFigures()
  /// The most items that stood in its queue at a time; zero without a queue.
  package var longestQueue: Int64 = 0
  /// Bytes ahead of the playhead at the end of the run, bytes abandoned, and bytes discarded.
  package var bytesWasted: Int64 = 0

  package init() {}

  package var warnings: [String] {
    // "The play queue is not a playlist. Please do not load the next 10,000 items" (WWDC16 503).
    longestQueue > PlayerSummary.manyItems
      ? [
        "\(longestQueue) items stood in the play queue at a time: it is for the next few, and "
          + "loads them all"
      ] : []
  }

  /// More than "a small number" of items: the bound is our assumption.
  private static let manyItems: Int64 = 100
  /// The distance of the playhead behind the live encoder; nil where nothing is live.
  package var timeOffsetFromLive: MediaTime?
  /// Bits of the media per second of it; nil where none is known.
  package var averageBitRate: BitRate?

  /// Stalled over stalled plus played, in parts per million.
  package var rebufferShare: Int64 {
    let whole = books.stalled + books.played
    if whole == .zero { return 0 }
    return scaled(
      books.stalled.nanoseconds, by: 1_000_000, over: whole.nanoseconds, rounding: .down)
  }

  package init(_ core: PlayerCore, at now: Instant) {
    books = core.books
    media = core.counts
    media.bytes = core.bytesTransferred(at: now)
    outcome = PlaybackOutcome(of: core)
    startupDelay = books.startupDelay
    tapToMotion = books.tapToMotion
    isTapKnown = books.firstTap != nil
    longestQueue = core.longestQueue
    let isLocal = core.currentItem?.settings.source.kind == .local
    let ahead = isLocal ? 0 : core.currentItem?.bytesAhead(at: now) ?? 0
    bytesWasted = ahead + media.bytesAbandoned + media.bytesDiscarded
    timeOffsetFromLive = core.currentItem?.timeOffsetFromLive(at: now)
    averageBitRate =
      core.currentItem?.settings.source.file?.averageBitRate
      ?? core.currentItem?.averageBitRate(at: now).map { .bitsPerSecond($0) }
  }
}

/// A figure of a player: a row for each, with its one name in results, expectations and tables.
package struct Figure: Sendable {
  /// As expectations and tables have it.
  package let name: String
  package let kind: PropertyKind
  package let about: String
  /// Whether it is what it is at a moment, rather than booked of the run so far.
  let isOfMoment: Bool
  /// The condition that it reaches a count, where a step can wait for that.
  let awaited: Awaited?
  package let value: @Sendable (PlayerSummary) -> PropertyValue
  /// Puts the figure back into a summary; nil where it follows from others.
  fileprivate let restore: (@Sendable (inout PlayerSummary, PropertyValue) -> Void)?
  /// Whether the results of a run have it: the rest has nothing to say.
  package let isInResults: @Sendable (PlayerSummary) -> Bool
  /// The events of the trace that make it what it is, where there are such.
  package let evidence: EventPattern?
  /// Whether more of it, or less, is what a viewer wants; nil where neither is.
  package let better: Preference?
  /// Its column in the rows of a study; nil where sessions do not keep it.
  package let column: Column?

  package struct Column: Sendable {
    /// As tables have it; nil for a value that the lines of sessions alone have.
    package let title: String?
    package let sessions: Sessions

    /// The sessions whose values count: for the others it is worse than any number.
    package enum Sessions: Sendable {
      case all
      case started
      /// Playback began, and went on to the end.
      case unbroken
    }

    package init(_ title: String?, of sessions: Sessions = .all) {
      (self.title, self.sessions) = (title, sessions)
    }
  }

  package enum Preference: Hashable, Sendable {
    case less
    case more
  }

  struct Awaited: Sendable {
    let example: String
    let condition: @Sendable (Int64) -> PlaybackCondition
  }

  /// As results have it, where a time is a number and its name says of what.
  package var resultName: String {
    switch kind {
    case .time, .nullable(.time): name + "Seconds"
    case .boolean, .word, .text, .count, .whole, .bytes, .bitRate, .difference, .rate, .share,
      .ranges, .entries, .nullable:
      name
    }
  }

  /// Those that a comparison shows: startup and stalls, which are never booked together.
  package static let headlines = [startupDelay, stalls, stalled]

  package static let startupDelay = Self(
    "startupDelay",
    "From the first request to play until playback moved, without time paused by the user; null "
      + "if never.",
    .stored { $1(&$0.startupDelay) }, shown: .became("playing"),
    column: Column("startup", of: .started))

  static let outcome = Self(
    "outcome", "Outcome of playback.",
    .stored(.word(PlaybackOutcome.allCases.map { $0.word })) { $1(&$0.outcome) }, better: nil)

  static let tapToMotion = Self(
    "tapToMotion",
    "From the user's tap until playback moved, the app's own delay included, without time paused "
      + "by the user; null if never.",
    .stored { $1(&$0.tapToMotion) }, results: .where { $0.isTapKnown }, shown: .any(.tap))

  /// Those that say whether there was playback.
  package static let ofStart = [outcome, startupDelay, tapToMotion]

  package static let stalls = Self(
    "stallCount", "Stalls: buffer underruns before the end.", .stored { $1(&$0.books.stallCount) },
    awaited: Awaited(example: "2") { .stalls($0) }, shown: .any(.stall),
    column: Column("stalls", of: .started))

  package static let stalled = Self(
    "stalled", "Stalled time.", .stored { $1(&$0.books.stalled) }, shown: .any(.stall),
    column: Column("stalled", of: .unbroken))

  package static let waiting = Self(
    "waiting", "Time of waiting to play, for any reason.", .stored { $1(&$0.books.waiting) },
    shown: .became("waiting"), column: Column(nil))

  package static let played = Self(
    "played", "Played time.", .stored { $1(&$0.books.played) }, better: .more, column: Column(nil))

  package static let transferred = Self(
    "bytesTransferred", "Bytes that the link delivered to the player.",
    .stored(.bytes) { $1(&$0.media.bytes) }, column: Column("transferred"))

  package static let requests = Self(
    "requestCount", "Number of requests.", .stored { $1(&$0.media.requests) },
    shown: .any(.requestStart), column: Column(nil))

  package static let switches = Self(
    "variantSwitchCount", "Number of variant switches, counted at received segments.",
    .stored { $1(&$0.media.variantSwitches) }, shown: .any(.variantSwitch),
    column: Column("switches"))

  static let pipeline = Self(
    "pipeline", "Time of waiting for the pipeline after an item's first motion.",
    .stored { $1(&$0.books.pipeline) }, results: .unlessZero)

  package static let longestQueue = Self(
    "longestQueue", "The most items that stood in the queue at a time.",
    .stored { $1(&$0.longestQueue) }, results: .unlessZero, better: nil)

  /// Other common names of figures.
  static let alsoCalled: [(written: String, meant: String)] = [
    ("stalls", stalls.name), ("rebuffers", stalls.name), ("startupTime", startupDelay.name),
    ("startup", startupDelay.name), ("timeToFirstFrame", startupDelay.name),
    ("bytes", "bytesTransferred"), ("stallTime", stalled.name), ("stallDuration", stalled.name),
  ]

  package static let all: [Figure] = [
    outcome,
    startupDelay,
    tapToMotion,
    Self(
      "startupCount", "Number of starts of items that came to motion.",
      .stored { $1(&$0.books.startupCount) }, results: .where { $0.books.startupCount > 1 },
      better: nil),
    Self(
      "laterStartups", "Startup delays of all items but the first, added.",
      .stored { $1(&$0.books.laterStartups) }, results: .where { $0.books.laterStartups > .zero }),
    stalls,
    stalled,
    waiting,
    played,
    Self(
      "paused", "Paused time.", .stored { $1(&$0.books.paused) }, better: nil,
      shown: .became("paused")),
    Self(
      "rebufferRatio", "Stalled time over stalled and played time.",
      .init(kind: .share) { .share($0.rebufferShare) }, shown: .any(.stall)),
    Self(
      "seekWaiting", "Time of waiting after seeks out of the buffer.",
      .stored { $1(&$0.books.seekWaiting) }, shown: .any(.seek)),
    transferred,
    Self(
      "bytesAbandoned", "Bytes of these in segments that were given up.",
      .stored(.bytes) { $1(&$0.media.bytesAbandoned) }, results: .unlessZero,
      shown: .any(.segmentAbandon)),
    Self(
      "bytesDiscarded", "Bytes of these in segments that were thrown away unplayed.",
      .stored(.bytes) { $1(&$0.media.bytesDiscarded) }, results: .unlessZero),
    Self(
      "playlistBytesSaved", "Bytes of live playlists saved by delta updates.",
      .stored(.bytes) { $1(&$0.media.playlistBytesSaved) }, results: .unlessZero),
    requests,
    switches,
    Self(
      "averageBitrate", "Bits of the current item per second of its media; null if unknown.",
      .stored { $1(&$0.averageBitRate) }, better: .more),
    Self(
      "timeOffsetFromLive", "Distance of the playhead from the live edge of the encoder.",
      .stored { $1(&$0.timeOffsetFromLive) }, results: .unlessNull, isOfMoment: true),
    pipeline,
    Self(
      "transitionCount", "Number of times that media moved again after an end.",
      .stored { $1(&$0.books.transitionCount) }, results: .unlessZero, better: nil,
      awaited: Awaited(example: "1") { .transitions($0) }, shown: .any(.itemTransition)),
    Self(
      "gap", "Total of the gaps from the end of an item to the next motion.",
      .stored { $1(&$0.books.totalGap) }, results: .where { $0.books.transitionCount > 0 },
      shown: .any(.itemTransition)),
    Self(
      "loopCount", "Number of completed loops.", .stored { $1(&$0.books.loopCount) },
      results: .unlessZero, better: nil, awaited: Awaited(example: "3") { .loops($0) }),
    longestQueue,
    Self(
      "emptyVideo", "Played time without a picture.", .stored { $1(&$0.books.emptyVideo) },
      results: .unlessZero),
    Self(
      "silentAudio", "Played time without sound.", .stored { $1(&$0.books.silentAudio) },
      results: .unlessZero),
  ]
}

extension Figure {
  private enum Results {
    case all
    case unlessZero
    case unlessNull
    case `where`(@Sendable (PlayerSummary) -> Bool)
  }

  private init(
    _ name: String, _ about: String, _ reading: Reading<PlayerSummary>, results: Results = .all,
    better: Preference? = .less, awaited: Awaited? = nil, shown evidence: EventPattern? = nil,
    column: Column? = nil, isOfMoment: Bool = false
  ) {
    let value = reading.value
    let isInResults: @Sendable (PlayerSummary) -> Bool =
      switch results {
      case .all: { _ in true }
      case .unlessZero: { value($0)?.magnitude ?? 0 != 0 }
      case .unlessNull: { value($0) ?? .null != .null }
      case .where(let isThere): isThere
      }
    self.init(
      name: name, kind: reading.kind, about: about, isOfMoment: isOfMoment, awaited: awaited,
      value: { value($0) ?? .null }, restore: reading.restore, isInResults: isInResults,
      evidence: evidence, better: better, column: column)
  }
}

extension EventPattern {
  fileprivate static func any(_ shape: EventShape) -> EventPattern {
    EventPattern(event: shape.name)
  }
}

extension PlayerSummary {
  /// Reads the figures of a player back, under the names that they have in results.
  package init(_ results: JSONValue) {
    self.init()
    for figure in Figure.all {
      guard let member = results[figure.resultName],
        let value = PropertyValue(member, of: figure.kind)
      else { continue }
      figure.restore?(&self, value)
    }
    isTapKnown = results[Figure.tapToMotion.resultName] != nil
    books.startupCount = max(books.startupCount, startupDelay == nil ? 0 : 1)
    books.startup = startupDelay ?? .zero
  }

  /// Its figures under the names that are the same wherever they occur, as members.
  package var document: JSONTree {
    .members(
      Figure.all.filter { $0.isInResults(self) }.map { ($0.resultName, $0.value(self).tree) })
  }
}
