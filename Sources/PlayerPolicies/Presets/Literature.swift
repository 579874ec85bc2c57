import VirtualTime

// The rules of the literature as whole policies, as their authors' simulators play: the first
// segment starts playback, any segment ends a stall, one segment is asked for after the other, and
// the rule is asked when the next is asked for.

enum Literature {
  static let all = [
    throughput, keepingAll(throughput), bola, keepingAll(bola), bolaO, bolaE, keepingAll(bolaE),
    dynamic, keepingAll(dynamic), bufferBased, rateBased, robustMPC,
  ].leaving("any segment plays there: no wait is left in any other way", .source)

  private static let startup =
    "In Pensieve's figures the download of the first segment counts as a stall: its "
    + "rebuffering includes the startup."
  private static let bench =
    "The link of its bench carries 95 % of what a trace says, and a trace stands still while "
    + "a request is on its way."
  private static let clock =
    "Sabre counts its startup without the latency of the first byte, and its clock runs while "
    + "a request is on its way."

  private static let average = SabreAverage.Kind.halfLives([3_000, 8_000])
  private static let bolaRule = BolaRule(bufferSize: 25_000)

  static let throughput = sabre(
    "Sabre throughput",
    "Sabre's throughput rule: nine tenths of the estimate, and its buffer rule.",
    .throughput(SabreThroughputRule(), average),
    "With less ahead than a segment takes it asks for less still, whatever the estimate: the "
      + "buffer rule is part of it.")

  static let bola = sabre(
    "BOLA", "BOLA-U as in Sabre: by the buffer; going up is bounded by the throughput.",
    .bola(bolaRule, average),
    "Going down it heeds the buffer alone: over a link that falls while much is ahead it keeps a "
      + "variant that the link does not carry. Its buffer of 25 s holds two segments of 10 s: "
      + "with such it picks high variants after the first and stalls.")

  static let bolaO = sabre(
    "BOLA-O", "BOLA-O as in Sabre: going up stops at the sustained variant, with a pause.",
    .bola(BolaRule(bufferSize: 25_000, avoidsOscillation: true), average),
    "The pause lets the buffer run down: it fetches less than the link would carry.")

  static let bolaE = sabre(
    "BOLA-E", "BOLA-E as in Sabre: BOLA with a placeholder that stands for media.",
    .enhancedBola(EnhancedBolaRule(bufferSize: 25_000), average),
    "After a start and a seek it behaves as if it had more ahead than it has: the placeholder "
      + "stands for media that never comes.")

  static let dynamic = sabre(
    "DYNAMIC", "DYNAMIC as in Sabre: the throughput rule while little is ahead, else BOLA.",
    .dynamic(DynamicRule(bola: bolaRule), average),
    "The one in dash.js switches between its two rules with plain hysteresis, at 5 and 10 s: "
      + "it is another rule than this.")

  static let bufferBased = pensieve(
    "Pensieve BB", "Pensieve's buffer-based baseline: a reservoir of 5 s, a cushion of 10 s.",
    .bufferBased(BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10))),
    "Between 5 s and 15 s ahead the variant rises in proportion: with fewer rungs than "
      + "Pensieve's six it jumps further at once. With segments of 10 s, not 4 s, one or two of "
      + "them are the whole way, and it stalls in almost every session.")

  static let rateBased = pensieve(
    "Pensieve RB", "Pensieve's rate-based baseline: the harmonic mean of five throughputs.",
    .highest(withinPercent: 100),
    "Nothing is kept to spare: over a link that varies it picks a variant that the next "
      + "segment cannot have.")

  static let robustMPC = pensieve(
    "RobustMPC", "RobustMPC as in Pensieve, whose sizes are those of one segment later.",
    .published(.predictive(PredictiveSeat(sizes: .following))),
    "Its sizes are those of one segment later than the one that it chooses: a slip of the "
      + "original that its figures rest on. The last segment of all has its own.",
    "It looks five segments ahead and no farther, and by the weights of the original a second "
      + "of stalled time costs 4.3 Mbit/s of one segment: with little ahead it risks short "
      + "stalls for a better picture; in Pensieve's own runs half of the sessions stall.")

  /// One of Sabre's rules with its word -noa.
  private static func keepingAll(_ preset: PolicyPreset) -> PolicyPreset {
    var preset = preset
    preset.name += " without abandonment"
    preset.about = "\(preset.name): as in Sabre with -noa, no segment is given up."
    preset.description.abandon = .never
    preset.cite(.init(.abandon, "sabre.py 1426: -noa", .source))
    preset.gotchas.append("Sabre gives segments up unless it is told not to.")
    return preset
  }

  /// Everything but the rule, as Sabre has it: the next segment must find room in 25 s.
  private static func sabre(
    _ name: String, _ about: String, _ rule: PublishedRule, _ gotcha: String
  ) -> PolicyPreset {
    preset(
      name, about, "Sabre 09b03bb, sabre.py", .published(rule), first: .lowest,
      FetchRule(media: .seconds(25), countsNext: true), ChoiceCustoms(moment: .request),
      abandon: .published,
      [.init(.abandon, "sabre.py 695, 926, 989: looks 50 ms and 12,000 bits apart (208)", .source)],
      snapshot: "sabre 09b03bb of 2020-03-05", gotchas: [clock, gotcha])
  }

  /// Everything but the rule, as Pensieve has it: beyond 60 s it sleeps half a second at a time.
  private static func pensieve(
    _ name: String, _ about: String, _ rule: NextVariantRule, _ gotchas: String...
  ) -> PolicyPreset {
    preset(
      name, about, "Pensieve, test/", rule, first: .place(1),
      FetchRule(media: .seconds(60), sleeps: .milliseconds(500)),
      ChoiceCustoms(moment: .request, sizes: .exact),
      snapshot: "pensieve, test/, the newest stored", gotchas: [startup, bench] + gotchas)
  }

  private static func preset(
    _ name: String, _ about: String, _ source: String, _ rule: NextVariantRule,
    first: FirstVariantRule, _ fetch: FetchRule, _ choice: ChoiceCustoms,
    abandon: AbandonRule = .never, _ further: [PolicyPreset.Evidence] = [],
    snapshot: String, gotchas: [String]
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: .level(.anything), resume: .level(.anything),
        estimator: .samples(.harmonicMean(of: 5), over: Sampling(clock: .request)),
        firstVariant: first, nextVariant: rule, abandon: abandon, fetch: fetch, choice: choice),
      sources: [
        .init(.sink, "\(source): whatever is loaded is shown", .source),
        .init(.start, "\(source): the first segment", .source),
        .init(.resume, "\(source): any segment", .source),
        .init(.stall, "\(source): when nothing is left", .source),
        .init(.estimator, "the harmonic mean of five, for rules without their own", .source),
        .init(.firstVariant, source, .source),
        .init(.nextVariant, source, .source),
        .init(.fetch, source, .source),
      ] + further,
      snapshot: snapshot, gotchas: gotchas)
  }
}
