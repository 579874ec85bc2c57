import ExactText
import PlayerPolicies
import VirtualTime

// The rules for starting and for resuming, as a scenario mixes them: a row for each block.

extension Form<ReadinessRule> {
  /// A rule, which may be made of others.
  static var readiness: Form { ReadinessPart.form }
}

private enum ReadinessPart {
  private static let words: [(word: String, value: ReadinessRule)] = [
    ("playThrough", .playThrough(.usual)),
    ("everythingLoaded", .everythingLoaded), ("anything", .level(.anything)),
  ]

  static let form = Form.object(table.form(), or: .words(words))

  static let table = KeyTable<ReadinessRule?>(
    "readiness", "Condition for starting or resuming: one block, or several joined."
  ) {
    LevelPart.keys.within { rule, read in
      var level: Level?
      guard read(&level), let level else { return false }
      rule = .level(level)
      return true
    }
    Key.oneOf(
      "playThrough", { $0 = .playThrough($1) }, playThroughForm,
      "Playback is predicted to reach the end without a stall.")
    Key.oneOf(
      "escalating", { $0 = .escalating($1) }, escalatingForm,
      "An amount whose mark changes from wait to wait.")
    Key.oneOf(
      "queue", { $0 = .queue($1) }, queueForm,
      "A queue is full, by media or by how long it has filled.")
    Key.oneOf(
      "lateness", { $0 = .lateness($1) }, latenessForm,
      "An amount that grows by how late media came.")
    Key.oneOf(
      "after", { $0 = .after($1) }, .span,
      "The wait has lasted that long, and there is something to play.")
    Key.oneOf(
      "afterTimesRate", { $0 = .after($1, timesRate: true) }, .span,
      "The same, times the rate.")
    Key.oneOf(
      "at", { $0 = .at($1) }, .instant,
      "It is that late in the run, and there is something to play.")
    Key.oneOf(
      "any", { $0 = .any($1) }, .list(of: .readiness, atLeast: 1),
      "One of several rules says so.")
    Key.oneOf(
      "all", { $0 = .all($1) }, .list(of: .readiness, atLeast: 1),
      "All of several rules say so.")
    Key.oneOf(
      "every", { $0 = .every($1.period, from: $1.origin, $1.rule) }, pollingForm,
      "Another rule, which is looked at at intervals only.")
  }
}

private enum LevelPart {
  /// An amount of media or bytes ahead of the playhead.
  static let form = KeyTable<Level?>("level", "Forward buffer that is needed.") { keys }.form()
    .or([("anything", .anything)])

  @KeyRows<Level?> static var keys: KeyRows<Level?> {
    Key.oneOf("media", { $0 = .media($1) }, .mediaPlace, "Forward buffer, or all that is left.")
    Key.oneOf(
      "playingTime", { $0 = .playingTime($1) }, .span,
      "The forward buffer lasts so long at the requested rate.")
    Key.oneOf("bytes", { $0 = .bytes($1) }, .bytesAboveZero, "Bytes of the forward buffer.")
    Key.oneOf(
      "segments", { $0 = .segments($1) }, .whole(in: 1...1_000_000), only: .streams,
      "Whole segments received since the buffer was last empty.")
    Key.oneOf(
      "mediaLimitShare", { $0 = .shareOfMediaLimit($1) }, .percent(in: 1...100), only: .mediaLimit,
      "Share of the limit of media ahead.")
    Key.oneOf(
      "byteLimitShare", { $0 = .shareOfByteLimit($1) }, .percent(in: 1...100), only: .byteLimit,
      "Share of the limit of bytes ahead.")
    Key.oneOf("sound", { $0 = .sound($1) }, .mediaPlace, "Forward buffer of separate audio.")
    Key.oneOf(
      "pictures", { $0 = .pictures($1) }, .mediaPlace,
      "Forward buffer of video beside separate audio.")
    Key.oneOf(
      "liveShare", { $0 = .shareOfLiveTarget($1) }, .percent(in: 1...100), only: .live,
      "Forward buffer, as a share of the server's hold-back from the live edge.")
    Key.oneOf(
      "arriving", { $0 = .mediaWithArriving($1) }, .mediaPlace, only: .streams,
      "Forward buffer of a stream, received bytes of the segment under way included.")
  }
}

private let escalatingForm = KeyTable<EscalatingLevel>(
  "escalating", "An amount whose mark changes from one wait to the next."
) {
  Key.required(
    "marks", { $0.marks = $1 }, .list(of: LevelPart.form, atLeast: 1),
    "In the order in which they come; the last stays.")
  Key.optional(
    "raise", { $0.raise = $1 }, .cases, absent: "waitEnded",
    "Event that raises the mark, a call being pause or play; so does a passed check of a polled "
      + "rule.")
  Key.optional(
    "seekResets", { $0.seekResets = $1 }, .boolean, absent: false,
    "Whether a seek begins with the first mark again.")
  Key.optional(
    "patience", { $0.patience = $1 }, .spanAboveZero.examples("2.3 s"),
    "Longest wait after a stall with something to play: it then ends at any mark, and the next "
      + "begins with the first.")
  Key.optional(
    "silent", { $0.silent = $1 }, LevelPart.form, only: .files,
    "The mark of every wait where the media is a file whose tracks have no sound.")
}.form(.usual)

private let queueForm = KeyTable<QueueLevel>(
  "queue", "A queue that is full with this much media, or with the arrivals of this time."
) {
  Key.optional(
    "downstream", { $0.downstream = $1 }, .mediaPlace, absent: "0 s",
    "Forward buffer at which the queue begins to fill.")
  Key.required(
    "holds", { $0.span = $1 }, .spanAboveZero.examples("2 s"),
    "Seconds of media, or of download, that it holds.")
}.form(.usual)

private let latenessForm = KeyTable<LatenessLevel>(
  "lateness", "An amount that grows, after each stall, by how late media came."
) {
  Key.required("from", { $0.delay = $1 }, .mediaPlace.examples("1 s"), "First value.")
  Key.optional(
    "step", { $0.step = $1 }, .mediaPlace.examples("250 ms"), absent: "0 s",
    "Step in which the player learns of a file's arrival: the buffer must reach the next one.")
  Key.optional(
    "most", { $0.most = $1 }, .mediaPlace, absent: "5 s",
    "Most that it can grow beyond the first value.")
  Key.optional(
    "reach", { $0.reach = $1 }, .mediaPlace, absent: "0 s",
    "Distance beyond the place of the buffer underrun at which the late piece of a file ends.")
  Key.optional(
    "lag", { $0.lag = $1 }, .mediaPlace, absent: "0 s", only: .streams,
    "Delay of a segment's presentation against the times of its file.")
}.form(.usual)

private let playThroughForm = KeyTable<PlayThrough>(
  "playThrough", "Likely when every remaining byte is predicted to come before it is due."
) {
  Key.optional(
    "safety", { $0.safety = SafetyFactor($1, over: 100) },
    .percent(in: 100...1_000).examples("110 %"), absent: "100 %",
    "Throughput needed, as a share of the media's bit rate.")
  Key.optional(
    "whenEndUnknown", { $0.whenEndUnknown = $1 }, .boolean, absent: false, only: .files,
    "Verdict on a file whose length is unknown.")
  Key.optional(
    "everyByte", { $0.everyByte = $1 }, .boolean, absent: true, only: .files,
    "Whether every byte of a file must be predicted in time, or the last alone, as if each "
      + "second of media took as many.")
  Key.optional(
    "margin", { $0.margin.span = $1 }, .span, absent: "2 s",
    "Time by which every byte must be predicted to arrive before it is due; not with "
      + "\"line\" in fluid.")
  Key.optional(
    "shareOfWait", { $0.margin.percentOfWait = $1 }, .percent(in: 0...100), absent: "5 %",
    "The share of the wait so far that is added to the margin: media that took long to arrive is "
      + "predicted less well.")
  Key.optional(
    "beyondEnd", { $0.beyondEnd = $1 }, .bytesAboveZero.examples("1 MB"), only: .files,
    "Bytes beyond a file's size that must be predicted to arrive before its end.")
}.form(.usual)

private let pollingForm = KeyTable<
  (period: TimeSpan, origin: ReadinessRule.LookOrigin, rule: ReadinessRule)
>("polling", "A rule that is looked at at intervals only.") {
  Key.required(
    "period", { $0.period = $1 }, .spanAboveZero.examples("250 ms"), "From one look to the next.")
  Key.optional(
    "from", { $0.origin = $1 }, .cases, absent: "wait",
    "Whether the looks are counted from the beginning of the wait or of the run.")
  Key.required("rule", { $0.rule = $1 }, .readiness, "The rule that is checked.")
}.form((.zero, .wait, .everythingLoaded))
