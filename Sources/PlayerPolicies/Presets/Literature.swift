import VirtualTime

// The rules of the literature as whole policies, as their authors' simulators play: the first
// segment starts playback, any segment ends a stall, one segment is asked for after the other, and
// the rule is asked when the next is asked for.

enum Literature {
  static let all = [
    throughput, bola, bolaO, bolaE, dynamic, bufferBased, rateBased, robustMPC,
  ]

  private static let average = SabreAverage.Kind.halfLives([3_000, 8_000])
  private static let bolaRule = BolaRule(bufferSize: 25_000)

  static let throughput = sabre(
    "Sabre throughput",
    "Sabre's throughput rule: nine tenths of the estimate, and its buffer rule.",
    .throughput(SabreThroughputRule(), average))

  static let bola = sabre(
    "BOLA", "BOLA-U as in Sabre: by the buffer, with what is sustained as a bound on the way up.",
    .bola(bolaRule, average))

  static let bolaO = sabre(
    "BOLA-O", "BOLA-O as in Sabre: what is not sustained is waited for, rather than tried.",
    .bola(BolaRule(bufferSize: 25_000, avoidsOscillation: true), average))

  static let bolaE = sabre(
    "BOLA-E", "BOLA-E as in Sabre: BOLA with a placeholder that stands for media.",
    .enhancedBola(EnhancedBolaRule(bufferSize: 25_000), average))

  static let dynamic = sabre(
    "DYNAMIC", "DYNAMIC as in Sabre: the throughput rule while little is ahead, else BOLA.",
    .dynamic(DynamicRule(bola: bolaRule), average))

  static let bufferBased = pensieve(
    "Pensieve BB", "Pensieve's buffer-based baseline: a reservoir of 5 s, a cushion of 10 s.",
    .bufferBased(BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10))))

  static let rateBased = pensieve(
    "Pensieve RB", "Pensieve's rate-based baseline: the harmonic mean of five throughputs.",
    .highest(withinPercent: 100))

  static let robustMPC = pensieve(
    "RobustMPC", "RobustMPC as in Pensieve, whose sizes are those of one segment later.",
    .published(.predictive(PredictiveSeat(sizes: .following))))

  /// Everything but the rule, as Sabre has it: the next segment must find room in 25 s.
  private static func sabre(
    _ name: String, _ about: String, _ rule: PublishedRule
  ) -> PolicyPreset {
    preset(
      name, about, "Sabre 09b03bb, sabre.py", .published(rule), first: .lowest,
      FetchRule(media: .seconds(25), countsNext: true), ChoiceCustoms(moment: .request))
  }

  /// Everything but the rule, as Pensieve has it: beyond 60 s it sleeps half a second at a time.
  private static func pensieve(
    _ name: String, _ about: String, _ rule: NextVariantRule
  ) -> PolicyPreset {
    preset(
      name, about, "Pensieve, test/", rule, first: .place(1),
      FetchRule(media: .seconds(60), sleeps: .milliseconds(500)),
      ChoiceCustoms(moment: .request, sizes: .exact))
  }

  private static func preset(
    _ name: String, _ about: String, _ source: String, _ rule: NextVariantRule,
    first: FirstVariantRule, _ fetch: FetchRule, _ choice: ChoiceCustoms
  ) -> PolicyPreset {
    PolicyPreset(
      name: name, about: about,
      description: PolicyDescription(
        start: .level(.anything), resume: .level(.anything),
        estimator: EstimatorSeat(
          EstimatorDescription(
            .samples(
              SampleStatistics(
                .harmonicMean(of: 5), over: Sampling(.requestEnds, clock: .request))))),
        firstVariant: first, nextVariant: rule, fetch: fetch, choice: choice),
      evidence: [
        .init(.sink, "\(source): whatever is loaded is shown", .source),
        .init(.start, "\(source): the first segment", .source),
        .init(.resume, "\(source): any segment", .source),
        .init(.stall, "\(source): when nothing is left", .source),
        .init(.estimator, "the harmonic mean of five, for rules without their own", .source),
        .init(.firstVariant, source, .source),
        .init(.nextVariant, source, .source),
        .givesNothingUp,
        .init(.fetch, source, .source),
      ])
  }
}
