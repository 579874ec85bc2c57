import ExactText
import PlayerPolicies
import VirtualTime

// The rules for the first variant of a stream, for later variants and for abandoning a segment, as
// a scenario composes them: a row for each block.

struct FirstVariantPart {
  var place: Int?
  var percent: Int64 = 100
  var needs: Int64 = 100
  var assumed: Int64 = 2_000_000
  var probe: TimeSpan?
  var heedsRate = true

  static let form = KeyTable<Self>(
    "firstVariant",
    "The highest variant whose peak lies within the estimate, or one by its place.",
    least: 1
  ) {
    Key.optional(
      "place", { $0.place = $1 }, .whole(in: 0...1_000), notBeside: "probe",
      "Place of the first variant: the number of lower ones. Nothing else counts.")
    Key.optional(
      "share", { $0.percent = $1 }, .percent(in: 1...1_000), absent: "100 %", notBeside: "place",
      "The share of it that the declared peak may need.")
    Key.optional(
      "needs", { $0.needs = $1 }, .percent(in: 100...1_000).examples("120 %"), absent: "100 %",
      "The multiple of its declared peak that a variant needs."
    ).beside("assumed", expected: "“assumed” beside it")
    Key.optional(
      "assumed", { $0.assumed = $1 }, .bitRateLimit, absent: "2 Mbit/s", notBeside: "place",
      "Assumed throughput of a link without samples.")
    Key.optional(
      "heedsRate", { $0.heedsRate = $1 }, .boolean, absent: true,
      "Whether twice the speed needs twice the bit rate."
    ).beside("assumed", expected: "“assumed” beside it")
    Key.optional(
      "probe", { $0.probe = $1 }, .span, notBeside: "assumed",
      "A lowest segment is fetched first and discarded; time limit for it and the next together.")
  }.form(FirstVariantPart()) { part, _ -> FirstVariantRule? in
    if let place = part.place { return .place(place) }
    if let probe = part.probe { return .probe(percent: part.percent, within: probe) }
    return .withinEstimate(
      percent: part.percent, needs: part.needs, assumed: part.assumed, heedsRate: part.heedsRate)
  }.or([("firstListed", .firstListed), ("lowest", .lowest), ("highest", .highest)])
}

let nextVariantForm = KeyTable<NextVariantRule?>(
  "nextVariant", "Rule for the variant of the next segment."
) {
  Key.oneOf(
    "throughput", { $0 = .throughput($1) }, throughputForm,
    "By the estimated throughput, and the buffer.")
  Key.oneOf(
    "buffer", { $0 = .bufferBased($1) }, bufferForm,
    "By the buffer alone: a place on the ladder for each level.")
  Key.oneOf(
    "band", { $0 = .band($1) }, bandForm,
    "Needs more throughput to go up than to stay, and seldom switches.")
  Key.oneOf(
    "guarded", { $0 = .guarded($1) }, guardedForm,
    "By the throughput, and no more than the buffer and the last choices allow: dash.js.")
  Key.oneOf("step", { $0 = .step($1) }, stepForm, "One variant up or down by the forward buffer.")
  publishedKeys
}.form().or([("fixed", .fixed), ("throughput", .throughput(.usual))])

private let throughputForm = KeyTable<ThroughputChoice>(
  "throughputRule", "A variant that the estimated throughput sustains."
) {
  Key.optional(
    "share", { $0.safetyPercent = $1 }, .percent(in: 1...1_000), absent: "80 %",
    "The share of the estimate that a variant may need.")
  Key.optional(
    "needs", { $0.neededPercent = $1 }, .percent(in: 100...1_000).examples("120 %"),
    absent: "100 %",
    "The multiple of its bit rate that a variant needs.")
  Key.optional(
    "upFrom", { $0.upSwitchBuffer = $1 }, .mediaPlace, absent: "10 s",
    "Forward buffer needed for going up.")
  Key.optional(
    "upFromShare", { $0.upSwitchShare = $1 }, .nullable(.percent(in: 1...100)), absent: "50 %",
    "Share of the largest possible forward buffer (live: of the distance to the edge) that is "
      + "also enough for going up; null for none.")
  Key.optional(
    "upFromShareLive", { $0.upSwitchShareIsLive = $1 }, .boolean, absent: false,
    "Whether it is a share of the live distance less a segment.")
  Key.optional(
    "downBelow", { $0.downSwitchBuffer = $1 }, .mediaPlace, absent: "25 s",
    "Going down waits while that much media is ahead, or more.")
  Key.optional(
    "keepsSustained", { $0.keepsSustained = $1 }, .boolean, absent: true,
    "Whether a variant is kept that the whole estimate sustains, though not the share of it.")
  Key.optional(
    "countsRoundTrips", { $0.countsRoundTrips = $1 }, .boolean, absent: true,
    "Whether each segment's time to first byte counts: it lowers the throughput, and the first "
      + "segment of a higher variant must arrive before the forward buffer is played.")
  Key.optional(
    "heedsRate", { $0.heedsRate = $1 }, .boolean, absent: true,
    "Whether twice the speed needs twice the bit rate.")
}.form(.usual)

private let bufferForm = KeyTable<BufferBasedRule>(
  "bufferRule", "A map from the forward buffer to a place on the ladder."
) {
  Key.required(
    "reservoir", { $0.reservoir = $1 }, .mediaPlace.examples("5 s"),
    "Buffer of the lowest variant.")
  Key.required(
    "cushion", { $0.cushion = $1 }, .mediaPlace.examples("10 s"),
    "Buffer beyond the reservoir for the highest variant.")
}.form(.usual)

private let guardedForm = KeyTable<GuardedThroughputRule>(
  "guardedRule", "A variant that throughput, buffer and history all allow."
) {
  Key.optional(
    "share", { $0.safetyPercent = $1 }, .percent(in: 1...1_000), absent: "90 %",
    "The share of the estimate that a variant may need.")
}.form(.usual)

private let stepForm = KeyTable<StepRule>(
  "stepRule", "A rule that goes up or down by one variant."
) {
  Key.optional(
    "upFrom", { $0.upFrom = $1 }, .mediaPlace, absent: "15 s", "Buffer from which it goes up.")
  Key.optional(
    "downBelow", { $0.downBelow = $1 }, .mediaPlace, absent: "3 s",
    "Buffer below which it goes down.")
  Key.optional(
    "apart", { $0.leastBetweenSwitches = $1 }, .span, absent: "15 s",
    "The least time from one switch to the next.")
}.form(.usual)

private let bandForm = KeyTable<BandRule>(
  "bandRule", "A rule that asks for more to go up than to stay."
) {
  Key.optional(
    "up", { $0.upPercent = $1 }, .percent(in: 1...1_000), absent: "85 %",
    "The share of the estimate that a higher variant may need.")
  Key.optional(
    "down", { $0.downPercent = $1 }, .percent(in: 1...1_000), absent: "95 %",
    "The share of it that the present variant may need, or a lower one.")
  Key.optional(
    "apart", { $0.leastBetweenSwitches = $1 }, .span, absent: "8 s",
    "The least time from one choice to the next.")
  Key.optional(
    "starvation", { $0.starvation = $1 }, .span.examples("4 s"),
    "Accepted stall where no variant arrives in time, at most a segment's length. Unset, or "
      + "live, download time does not count. If set, average bit rates count from a forward "
      + "buffer of two segments on, below it peaks.")
}.form(.usual)

private let slowForm = KeyTable<SlowSegmentRule>(
  "slowSegment", "A segment is given up that itself comes in too slowly."
) {
  Key.optional(
    "from", { $0.from = $1 }, .span, absent: "0 s",
    "Least time from its first byte to the first check.")
  Key.optional(
    "fromShare", { $0.fromPercent = $1 }, .percent(in: 1...1_000),
    "Least time from its request to the first check, as a share of the segment's duration.")
  Key.optional(
    "every", { $0.every = $1 }, .spanAboveZero, absent: "0.1 s", "The time between two looks.")
  Key.optional(
    "takes", { $0.takesPercent = $1 }, .percent(in: 1...1_000).examples("180 %"),
    "Given up if the whole download takes longer than this share of its duration, and a segment "
      + "of the highest sustained variant is smaller than the rest. Unset: if it would arrive "
      + "after the forward buffer is played, and another sooner.")
  Key.optional(
    "margin", { $0.margin = $1 }, .span, absent: "0 s", notBeside: "takes",
    "The media that should be ahead at its end.")
  Key.optional(
    "gain", { $0.leastGain = $1 }, .span, absent: "0 s", notBeside: "takes",
    "The time that the other saves at least; twice that at the margin.")
  Key.optional(
    "unstarted", { $0.judgesFirst = $1 }, .boolean, absent: true,
    "Whether it looks while nothing can be played.")
  Key.optional(
    "choosesAnew", { $0.choosesAnew = $1 }, .boolean, absent: false, notBeside: "takes",
    "Whether the rule for the next variant is asked instead: its choice is taken where a segment "
      + "of it comes in time, or is smaller than the rest.")
}.form(.usual)

extension AbandonRule {
  static let form = KeyTable<(rule: RescueRule, slow: SlowSegmentRule?)>(
    "abandon", "Rule that gives up a segment for one of a lower variant.", least: 1
  ) {
    Key.optional(
      "patience", { $0.rule.patience = $1 }, .nullable(.span), absent: "2 s",
      "Given up when it takes longer by this than the forward buffer lasts; null for never.")
    Key.optional(
      "look", { $0.rule.lookPercent = $1 }, .nullable(.percent(in: 1...100)), absent: "25 %",
      "Checked after this share of the forward buffer: given up if less than a segment's length "
        + "would be left at its end; null for no check.")
    Key.optional(
      "share", { $0.rule.safetyPercent = $1 }, .percent(in: 1...1_000), absent: "80 %",
      "Share of the throughput that the lower variant may need.")
    Key.optional(
      "first", { $0.rule.first = $1 }, .nullable(firstSegmentForm),
      "Rule while nothing can be played; null for none.")
    Key.optional(
      "slow", { $0.slow = $1 }, slowForm, notBeside: "patience",
      "Instead of the other keys: the check of browser-based players."
    ).notBeside("look").notBeside("share").notBeside("first")
  }.form((.usual, nil)) { part, _ in part.slow.map { .slow($0) } ?? AbandonRule.rescue(part.rule) }
    .or([("never", .never), ("rescue", .rescue(.usual)), ("published", .published)])
}

private let firstSegmentForm = KeyTable<FirstSegmentRule>(
  "firstSegment", "A segment is given up where one of a lower variant would be there sooner."
) {
  Key.optional(
    "every", { $0.every = $1 }, .spanAboveZero, absent: "2 s",
    "Age of the transfer at the first check, and the period of the following ones.")
  Key.optional(
    "gain", { $0.leastGain = $1 }, .span, absent: "1 s", "Time that the other variant must save.")
}.form(.usual)
