import ExactText
import PlayerPolicies
import VirtualTime

// The read-ahead, and the condition under which a playing player stops with media left.

extension FetchRule {
  static let form = KeyTable<Self>("fetch", "Read-ahead limits.", least: 1) {
    Key.optional(
      "media", { $0.media = $1 }, .nullable(.mediaPlace),
      "The most media ahead; null for no limit.")
    Key.optional(
      "bytes", { $0.bytes = $1 }, .nullable(.bytesAboveZero),
      "The most bytes ahead; null for no limit.")
    Key.optional(
      "leastMedia", { $0.leastMedia = $1 }, .mediaPlace, only: .streams,
      "Lower bound of the media limit that `bytes` gives at the variant's declared bit rate."
    ).beside("bytes", expected: "“bytes” beside it")
    Key.optional(
      "refill", { $0.refillPercent = $1 }, .percent(in: 1...99), absent: "75 %", only: .files,
      "Share of the limit below which reading a file goes on.")
    Key.optional(
      "countsNext", { $0.countsNext = $1 }, .boolean, absent: false, only: .streams,
      "Whether the segment to be asked for must find room below the limit.")
    Key.optional(
      "sleeps", { $0.sleeps = $1 }, .span, absent: "0 s", only: .streams,
      "Period of checks for room while the buffer is full.")
    Key.optional(
      "reopensAfter", { $0.atLimit = .reopens(after: $1) }, .span.examples("1 s"), only: .files,
      "At the limit the request for a file is cancelled, and opened for the rest at the earliest "
        + "that much later, once enough has been played; without it reading is suspended.")
    Key.optional(
      "reopensOnce", { $0.reopensOnce = $1 }, .boolean, absent: false, only: .files,
      "Whether `reopensAfter` applies before the first start only.")
    Key.optional(
      "trackLead", { $0.trackLead = $1 }, .whole(in: 0...1_000_000), only: .streams,
      "Segments of separate audio allowed beyond the loaded end of the video when one is "
        + "requested; any number without it.")
    Key.optional(
      "order", { $0.order = $1 }, .cases, absent: "audioWaits", only: .trackLead,
      "Whether audio's second segment awaits video's first, or video keeps `trackLead` too.")
    Key.optional(
      "trackFloor", { $0.trackFloor = $1 }, .whole(in: 0...1_000_000), absent: 0, only: .trackLead,
      "Segments of separate audio allowed ahead of the playhead however little video is "
        + "loaded.")
    Key.optional(
      "discards", { $0.discards = $1 }, .bytesAboveZero, only: .files,
      "Bytes of a file that are received twice: first over a connection that is thrown away.")
    Key.optional(
      "discardsIfIndexLast", { $0.discardsIfIndexLast = $1 }, .bytesAboveZero, only: .files,
      "The same on top of a file whose index lies behind the media.")
    Key.optional(
      "lookahead", { $0.lookahead = $1 }, .bytesAboveZero, only: .streams,
      "Bytes of the next segment that must arrive before a segment counts.")
    Key.optional(
      "looksAheadOnce", { $0.looksAheadOnce = $1 }, .boolean, absent: false, only: .streams,
      "Whether `lookahead` applies to the first segment only.")
    Key.optional(
      "sideBySide", { $0.sideBySide = $1 }, .whole(in: 1...16), absent: 1, only: .streams,
      "Segments of the main track, beyond the first, that are requested and complete together.")
    Key.optional(
      "blocks", { $0.blocks = $1 }, .bytesAboveZero, only: .streams,
      "Received bytes of the segment under way count in whole blocks of so many bytes of the "
        + "stream.")
    Key.optional(
      "interleavedFrom", { $0.interleavedFrom = $1 }, .bytes, only: .streams,
      "Bytes of the first segment from which on received parts of a segment count, as with "
        + "interleaved media; without it whole segments count.")
  }.form(.unlimited)
}

struct StallPart {
  var mark = MediaTime.zero
  var period = TimeSpan.zero
  var sparesPlayThrough = false
  var countsArriving = false
  var silent: MediaTime?

  static let form = KeyTable<Self>("stall", "The player stops before the buffer is empty.") {
    Key.required(
      "below", { $0.mark = $1 }, .mediaPlace.examples("0.5 s"),
      "Forward buffer below which it stops.")
    Key.optional(
      "every", { $0.period = $1 }, .span, absent: "0 s",
      "Period of its checks, from the beginning of the run.")
    Key.optional(
      "unlessPlayThrough", { $0.sparesPlayThrough = $1 }, .boolean, absent: false,
      notBeside: "every",
      "Whether it plays on while the rest is predicted to arrive before it is due.")
    Key.optional(
      "countsArriving", { $0.countsArriving = $1 }, .boolean, absent: false, only: .streams,
      notBeside: "every", "Whether received bytes of the segment under way count as forward buffer."
    ).notBeside("unlessPlayThrough")
    Key.optional(
      "silent", { $0.silent = $1 }, .mediaPlace.examples("0.2 s"), only: .files,
      notBeside: "unlessPlayThrough",
      "With less ahead it stops where the media is a file whose tracks have no sound."
    ).notBeside("countsArriving")
  }.form(StallPart()) { part, _ -> StallRule? in
    if part.countsArriving { return .belowWithArriving(part.mark) }
    return part.sparesPlayThrough
      ? .belowUnlessPlayThrough(part.mark)
      : .below(part.mark, every: part.period, silent: part.silent)
  }.or([("whenDry", .whenDry)])
}

extension ChoiceCustoms {
  static let form = KeyTable<Self>("choice", "Options of the choice, for any rule.", least: 1) {
    Key.optional(
      "at", { $0.moment = $1 }, .cases, absent: "arrival",
      "Whether it is chosen when the segment before has come, or when the next is asked for.")
    Key.optional(
      "sizes", { $0.sizes = $1 }, .cases, absent: "declared",
      "Whether sizes to come are the declared bit rate times the duration, or what they will "
        + "turn out to be, which no player knows.")
    Key.optional(
      "again", { $0.again = $1 }, .cases, absent: "never",
      "Whether a segment that is there in a lower variant than the one chosen, and begins one "
        + "and a half lengths ahead or later, is fetched again before the next: the one that "
        + "plays soonest, or latest.")
  }.form(.usual)
}
