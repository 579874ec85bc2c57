import PlayerPolicies
import TestSupport
import Testing
import VirtualTime

/// The constants of real players, transcribed from what is known of each, against the presets.
@Suite struct PresetTests {
  /// Seconds of media, or of play, with which a player starts and goes on.
  private static let marks: [(player: String, start: Int64, resume: Int64)] = [
    ("Media3 1.6", 1_000, 2_000), ("ExoPlayer 1.5", 2_500, 5_000),
    ("Media3 1.9 local", 1_000, 1_000), ("KSPlayer 2", 3_000, 3_000), ("NuPlayer", 5_000, 15_000),
    ("Kodi 21", 8_000, 8_000), ("mpv 0.35", 400, 1_300),
    ("mpv 0.35 cache-pause-initial", 1_300, 1_300), ("Shaka 4.7", 2_000, 2_000),
    ("GStreamer 1.22 playbin", 3_160, 2_900), ("GStreamer 1.22 playbin3", 3_700, 3_500),
  ]

  /// Seconds downstream of a queue and in it, to start and to go on.
  private static let queues: [(player: String, start: (Int64, Int64), resume: (Int64, Int64))] = [
    ("GStreamer 1.22 download", (1_080, 1_980), (930, 1_980)),
    ("GStreamer 1.22 playbin3 download", (1_400, 5_200), (1_400, 4_400)),
    ("WebKitGTK 2.50", (2_800, 4_600), (2_650, 4_500)),
  ]

  @Test func `players with a queue have the one that was measured`() throws {
    for (player, start, resume) in Self.queues {
      let policy = try #require(PolicyPreset.named(player)).description
      for (rule, (downstream, span)) in [(policy.start, start), (policy.resume, resume)] {
        #expect(
          rule
            == .queue(
              QueueLevel(downstream: .milliseconds(downstream), span: .milliseconds(span))),
          "\(player)")
      }
    }
  }

  private func mark(_ rule: ReadinessRule) -> Int64? {
    switch rule {
    case .level(.media(let media)): media.nanoseconds / 1_000_000
    case .level(.playingTime(let span)): span.nanoseconds / 1_000_000
    case .every(_, _, let rule): mark(rule)
    case .any(let rules): rules.first.flatMap(mark)
    default: nil
    }
  }

  @Test func `players with a mark have the one that is known of them`() throws {
    for (player, start, resume) in Self.marks {
      let policy = try #require(PolicyPreset.named(player)).description
      #expect(mark(policy.start) == start, "\(player)")
      #expect(mark(policy.resume) == resume, "\(player)")
    }
  }

  /// Declared stalls with media left, in milliseconds, and how often a player looks.
  @Test(
    arguments: [
      ("Shaka 4.7", 500, 250), ("Chromium 156 MSE", 60, 0),
      ("GStreamer 1.22 playbin", 1_100, 0), ("GStreamer 1.22 playbin3", 1_400, 0),
      ("WebKitGTK 2.50", 2_700, 0), ("hls.js 1.6", 60, 0),
      ("GStreamer 1.22 download", 1_100, 0),
    ] as [(String, Int64, Int64)])
  func `players that stop with media left stop with so much of it`(
    player: String, left: Int64, period: Int64
  ) throws {
    let policy = try #require(PolicyPreset.named(player)).description
    #expect(policy.stall == .below(.milliseconds(left), every: .milliseconds(period)))
  }

  /// Sentences, none of them the name or the description over again.
  @Test(arguments: PolicyPreset.all)
  func `every policy has its gotchas, and says what was looked at`(preset: PolicyPreset) {
    #expect(!preset.snapshot.isEmpty, "\(preset.name)")
    #expect((1...6).contains(preset.gotchas.count), "\(preset.name)")
    #expect(Set(preset.gotchas).count == preset.gotchas.count)
    for gotcha in preset.gotchas {
      #expect(gotcha.hasSuffix(".") && gotcha.count > 40 && !gotcha.contains("  "), "\(gotcha)")
      #expect(gotcha != preset.about)
    }
  }

  /// Facts of their sources that are not simulated.
  @Test(arguments: [
    ("Media3 1.6", "Its back buffer is 0 s"), ("Media3 1.9 local", "Its back buffer is 0 s"),
    ("ExoPlayer 1.5", "BehindLiveWindowException"), ("Media3 1.6", "speed of 0.97 to 1.03"),
    ("ExoPlayer 1.5", "empties separate audio too"), ("hls.js 1.6", "backBufferLength"),
  ])
  func `a player says what of seeks and of live playback is left out`(
    player: String, words: String
  ) throws {
    let gotchas = try #require(PolicyPreset.named(player)).gotchas
    #expect(gotchas.count { $0.contains(words) } == 1)
  }

  @Test func `Chromium stops with less left where there is no sound`() throws {
    for name in ["Chromium 156 autoplay", "Chromium 156 play"] {
      let policy = try #require(PolicyPreset.named(name)).description
      #expect(policy.stall == .below(.milliseconds(390), silent: .milliseconds(220)))
    }
  }

  @Test func `mpv stops with 0.2 s left, unless something of the next segment is there`() throws {
    for name in ["mpv 0.35", "mpv 0.35 cache-pause-initial"] {
      let policy = try #require(PolicyPreset.named(name)).description
      #expect(policy.stall == .belowWithArriving(.milliseconds(200)))
    }
  }

  @Test func `Firefox stops with 1.8 s left, unless it can play through`() throws {
    for name in ["Firefox 153 autoplay", "Firefox 153 play"] {
      let policy = try #require(PolicyPreset.named(name)).description
      #expect(policy.stall == .belowUnlessPlayThrough(.milliseconds(1_800)))
    }
  }

  /// What is believed before anything came, in bit/s; half-lives in seconds.
  private static let beliefs: [(player: String, prior: Int64?, halfLives: [Int64])] = [
    ("hls.js 1.6", 500_000, [3, 9]), ("Shaka 5.2", 10_000_000, [2, 5]),
    ("Shaka 4.7", 1_000_000, [2, 5]), ("dash.js 5.1", nil, [8, 3]),
    ("VHS 3.17", 4_194_304, []), ("Media3 1.6", 1_000_000, []),
  ]

  @Test func `players believe what is known of them`() throws {
    for (player, prior, halfLives) in Self.beliefs {
      let estimator = try #require(PolicyPreset.named(player)).description.estimator.ofStreams
      #expect(estimator.prior == prior, "\(player)")
      guard case .samples(let samples) = estimator.measure else {
        Issue.record("\(player) goes by samples")
        continue
      }
      let spans = samples.statistics.compactMap { statistic -> Int64? in
        guard case .halfLife(let span, _) = statistic else { return nil }
        return span.nanoseconds / 1_000_000_000
      }
      #expect(spans == halfLives, "\(player)")
    }
  }

  /// Media or bytes that are read ahead at the most.
  private static let limits: [(player: String, seconds: Int64?, bytes: Int64?)] = [
    ("Media3 1.6", 50, nil), ("hls.js 1.6", 600, 60_000_000), ("Shaka 5.2", 10, nil),
    ("dash.js 5.1", 18, nil), ("VHS 3.17", 30, nil), ("Firefox 153 play", 60, nil),
    ("mpv 0.35", nil, 150 << 20), ("ijkplayer 0.8", nil, 15 << 20), ("KSPlayer 2", 30, nil),
    ("Chromium 156 autoplay", nil, 4_300_000), ("GStreamer 1.22 playbin3", 30, nil),
    ("VLC 3.0", 30, nil),
  ]

  @Test func `players read ahead as far as is known of them`() throws {
    for (player, seconds, bytes) in Self.limits {
      let fetch = try #require(PolicyPreset.named(player)).description.fetch.ofStreams
      #expect(fetch.media == seconds.map { .seconds($0) }, "\(player)")
      #expect(fetch.bytes == bytes, "\(player)")
    }
  }

  @Test func `hls.js alone has so much media ahead whatever its bytes`() throws {
    for preset in PolicyPreset.all {
      let fetch = preset.description.fetch.ofStreams
      #expect(fetch.leastMedia == (preset.name == "hls.js 1.6" ? .seconds(30) : nil))
    }
  }

  /// 1.2 × 3,495,253 bit/s is less than 4,194,304, and a bit more is not.
  @Test(
    arguments: [
      (3_490_000, nil, 1), (3_495_253, nil, 1), (3_495_254, nil, 0), (3_490_000, 4_188_000, 1),
      (3_490_000, 4_187_999, 0),
    ] as [(Int64, Int64?, Int)])
  func `VHS begins with what times 1.2 is within its bandwidth`(
    bitRate: Int64, observed: Int64?, rung: Int
  ) throws {
    let rule = try #require(PolicyPreset.named("VHS 3.17")).description.firstVariant
    let rungs = EligibleRungs(allOf: ladder([500_000, bitRate]))
    #expect(rule.choice(rungs, observed: observed)?.answer == rung)
  }

  /// Facts about a player that its policy lacks stand among its surprises.
  @Test(
    arguments: [
      ("GStreamer 1.22 playbin", "2 MiB"), ("Firefox 153 play", "1.15 s"),
      ("dash.js 5.1", "60 s of media"), ("dash.js 5.1", "fast switch"),
      ("Media3 1.6", "segments with one track"), ("ExoPlayer 1.5", "a pause in a stall"),
      ("KSPlayer 2", "requests files in bursts"),
    ])
  func `what a preset leaves out is said`(name: String, what: String) throws {
    let gotchas = try #require(PolicyPreset.named(name)).gotchas
    let those = gotchas.filter { $0.contains(what) }
    #expect(those.count == 1)
    #expect(those.allSatisfy { $0.lowercased().contains("left out") }, "\(those)")
  }

  /// Nothing is said of players whose rules were all read in their source.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 10, 12, 30] as [Int64])
  func `a preset says with which segments it is known`(length: Int64) throws {
    func media(_ name: String) throws -> String? {
      try #require(PolicyPreset.named(name)).knownMedia(unlike: .seconds(length))
    }
    #expect(try media("hls.js 1.6") == nil)
    #expect(try media("GStreamer 1.22 playbin") == "files")
    for name in ["KSPlayer 2", "NuPlayer", "Kodi 21", "Kodi 20"] {
      #expect(try media(name) == "files", "\(name)")
    }
    let both = "files, segments of 2 s, segments of 6 s"
    #expect(try media("GStreamer 1.22 HLS") == ([2, 6].contains(length) ? nil : both))
    #expect(try media("VLC 3.0") == (length == 2 ? nil : "files, segments of 2 s"))
    #expect(try #require(PolicyPreset.named("mpv 0.35")).knownMedia() == both)
  }

  @Test func `variants are chosen by the shares that are known`() throws {
    func policy(_ name: String) throws -> PolicyDescription {
      try #require(PolicyPreset.named(name)).description
    }
    for name in ["Shaka 5.2", "Shaka 4.7"] {
      #expect(
        try policy(name).nextVariant
          == .band(
            BandRule(upPercent: 95, downPercent: 95, leastBetweenSwitches: .seconds(8))))
    }
    #expect(
      try policy("hls.js 1.6").nextVariant
        == .band(
          BandRule(
            upPercent: 70, downPercent: 95, leastBetweenSwitches: .zero, starvation: .seconds(4))))
    #expect(
      try policy("dash.js 5.1").nextVariant == .guarded(.usual))
    for (name, share, needs) in [
      ("Media3 1.6", 70, 100), ("VHS 3.17", 100, 120), ("VLC 3.0 predictive", 75, 100),
    ] as [(String, Int64, Int64)] {
      guard case .throughput(let choice) = try policy(name).nextVariant else {
        Issue.record("\(name) goes by the throughput")
        continue
      }
      #expect(choice.safetyPercent == share && choice.neededPercent == needs, "\(name)")
    }
  }

  @Test func `the mark of ijkplayer rises from check to check, and a seek begins anew`() throws {
    let policy = try #require(PolicyPreset.named("ijkplayer 0.8")).description
    var memory = ReadinessMemory(of: policy.resume)
    func mark() -> Int64? {
      stride(from: Int64(1), through: 5_000, by: 1).first { ahead in
        let snapshot = Snapshot(
          now: seconds(100), source: .progressive, wait: .stall, waitBegan: seconds(0),
          loadedEnd: .milliseconds(ahead), end: .seconds(60))
        return policy.resume.verdict(on: snapshot, Estimate(), .empty, memory).answer
      }
    }
    var marks: [Int64?] = []
    for _ in 0..<6 {
      marks.append(mark())
      policy.resume.hear(.moved, &memory)
    }
    #expect(marks == [100, 991, 1_981, 3_961, 4_951, 4_951])
    policy.resume.hear(.sought, &memory)
    #expect(mark() == 100)
  }

  @Test func `every player says how far it can be trusted, and where it was read`() {
    #expect(PolicyPreset.all.count >= 28)
    for preset in PolicyPreset.all {
      #expect(preset.evidence.contains { $0.confidence != .assumed }, "\(preset.name)")
      #expect(preset.evidence.allSatisfy { !$0.source.isEmpty }, "\(preset.name)")
    }
  }

  /// The players that do what a word says; whoever is not named does not.
  private static let habits: [(habit: String, players: [String])] = [
    ("predictsOnce", ["Chromium 156 autoplay", "Chromium 156 play"] + firefox + ["QuickTime"]),
    ("seeksAtFreeze", ["VHS 3.17"]), ("whenEndUnknown", firefox),
    ("everyByte", ["avfoundation", "WebKit MSE autoplay", "QuickTime"]),
    ("heedsRate", ["avfoundation"] + media3 + ["Shaka 5.2", "Shaka 4.7"] + gstreamer),
    ("keepsSustained", ["avfoundation"]), ("countsRoundTrips", ["avfoundation"]),
    ("upSwitchShareIsLive", media3), ("countsCancelled", media3),
    ("choosesAnew", ["Shaka 5.2", "Shaka 4.7"]),
    ("judgesFirst", ["Shaka 5.2", "Shaka 4.7", "dash.js 5.1", "VHS 3.17"]),
    (
      "seekResets",
      [
        "hls.js 1.6", "Shaka 5.2", "dash.js 5.1", "VHS 3.17", "Chromium 156 autoplay",
        "Chromium 156 play", "Chromium 156 MSE", "ijkplayer 0.8",
      ]
    ),
    ("looksAheadOnce", ["mpv 0.35", "mpv 0.35 cache-pause-initial"]),
    ("avoidsOscillation", ["BOLA-O"]), ("isRobust", ["RobustMPC"]), ("isBasic", []),
    ("countsNext", ["dash.js 5.1"] + sabre),
    ("hasBufferRule", sabre.filter { !$0.hasPrefix("BOLA") || $0.hasPrefix("BOLA-E") }),
  ]
  private static let media3 = ["Media3 1.6", "ExoPlayer 1.5", "Media3 1.9 local"]
  private static let gstreamer = [
    "GStreamer 1.22 playbin", "GStreamer 1.22 playbin3", "GStreamer 1.22 HLS",
    "GStreamer 1.22 playbin3 HLS", "GStreamer 1.22 download", "GStreamer 1.22 playbin3 download",
    "GStreamer no-rebuffer", "WebKitGTK 2.50",
  ]
  private static let firefox = [
    "Firefox 153 autoplay", "Firefox 153 play", "Firefox 4 autoplay", "Firefox 4 play",
  ]
  private static let sabre = [
    "Sabre throughput", "Sabre throughput without abandonment", "BOLA",
    "BOLA without abandonment", "BOLA-O", "BOLA-E", "BOLA-E without abandonment", "DYNAMIC",
    "DYNAMIC without abandonment",
  ]

  @Test func `players do what is known of them, and no others do`() {
    for (habit, players) in Self.habits {
      let those = PolicyPreset.all.filter { "\($0.description)".contains("\(habit): true") }
      #expect(those.map(\.name) == players, "\(habit)")
    }
  }

  @Test func `players in pages that keep an estimate for each medium go by the video's`() {
    let those = PolicyPreset.all.filter { "\($0.description)".contains("mainRequestEnds") }
    #expect(those.map(\.name) == ["hls.js 1.6", "dash.js 5.1", "VHS 3.17"])
  }

  /// A tenth of the throughput to spare, or a million bytes behind the end.
  @Test func `players that predict ask for as much to spare as is known of them`() throws {
    let tenth = SafetyFactor(11, over: 10)
    for (name, safety, beyond) in [
      ("Kodi 20", tenth, 0), ("GStreamer no-rebuffer", tenth, 0), ("QuickTime", .none, 0),
      ("avfoundation", .none, 0), ("Firefox 4 autoplay", .none, 1_000_000),
      ("WebKit MSE autoplay", .none, 0),
    ] as [(String, SafetyFactor, Int64)] {
      var rule = try #require(PolicyPreset.named(name)).description.start
      if case .every(_, _, let looked) = rule { rule = looked }
      if case .any(let rules) = rule { rule = rules[0] }
      guard case .playThrough(let prediction) = rule else {
        Issue.record("\(name) predicts")
        continue
      }
      #expect(prediction.safety == safety && prediction.beyondEnd == beyond, "\(name)")
      #expect((prediction.margin == .none) == (name != "avfoundation"), "\(name)")
    }
  }

  @Test func `rules of the literature are those of their authors`() throws {
    let average = SabreAverage.Kind.halfLives([3_000, 8_000])
    let bola = BolaRule(buffer: .seconds(25))
    let rules: [(String, NextVariantRule)] = [
      ("Sabre throughput", .published(.throughput(.usual, average))),
      ("BOLA", .published(.bola(bola, average))),
      (
        "BOLA-O",
        .published(.bola(BolaRule(buffer: .seconds(25), avoidsOscillation: true), average))
      ),
      ("BOLA-E", .published(.enhancedBola(EnhancedBolaRule(buffer: .seconds(25)), average))),
      (
        "DYNAMIC",
        .published(
          .dynamic(DynamicRule(bola: bola, throughput: .usual, lowMark: .seconds(10)), average))
      ),
      ("Pensieve BB", .bufferBased(BufferBasedRule(reservoir: .seconds(5), cushion: .seconds(10)))),
    ]
    for (name, rule) in rules {
      #expect(try #require(PolicyPreset.named(name)).description.nextVariant == rule, "\(name)")
    }
    for name in Self.sabre {
      let policy = try #require(PolicyPreset.named(name)).description
      #expect(policy.fetch.ofStreams == FetchRule(media: .seconds(25), countsNext: true))
      #expect(policy.firstVariant == .lowest && policy.choice.moment == .request)
      #expect(policy.choice.sizes == .declared)
      #expect((policy.abandon == .never) == name.hasSuffix("without abandonment"))
    }
  }

  @Test func `rules of Pensieve are asked as in its figures`() throws {
    for name in ["Pensieve BB", "Pensieve RB", "RobustMPC"] {
      let policy = try #require(PolicyPreset.named(name)).description
      #expect(
        policy.fetch.ofStreams == FetchRule(media: .seconds(60), sleeps: .milliseconds(500)))
      #expect(policy.firstVariant == .place(1) && policy.abandon == .never)
      #expect(policy.choice == ChoiceCustoms(moment: .request, sizes: .exact))
      guard case .samples(let samples) = policy.estimator.ofStreams.measure else {
        Issue.record("\(name) goes by samples")
        continue
      }
      #expect(
        samples
          == SampleStatistics(
            .harmonicMean(of: 5), over: Sampling(.requestEnds, clock: .request)))
    }
    guard
      case .throughput(let rate) = try #require(PolicyPreset.named("Pensieve RB"))
        .description.nextVariant
    else {
      Issue.record("Pensieve RB goes by the throughput")
      return
    }
    #expect(rate.safetyPercent == 100 && rate.upSwitchBuffer == .zero && rate.upSwitchShare == nil)
    #expect(rate.downSwitchBuffer == .seconds(1_000_000))
    guard
      case .published(.predictive(let seat)) = try #require(PolicyPreset.named("RobustMPC"))
        .description.nextVariant
    else {
      Issue.record("RobustMPC predicts")
      return
    }
    #expect(seat.rule == PredictiveSeat.usual.rule && seat.window == 5 && seat.sizes == .following)
    #expect(seat.clock == .request && PredictiveSeat.usual.isRobust)
  }
}

extension ChoiceCustoms {
  fileprivate init(moment: Moment, sizes: Sizes) {
    self = .usual
    (self.moment, self.sizes) = (moment, sizes)
  }
}
