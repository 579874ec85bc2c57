import HeuristicComparison
import SimulatedWorld
import TestSupport

/// A link, something to play over it, and when the app asks for it, drawn by a seed.
struct OracleCase {
  var link: KnownLink
  var source: MediaSource
  var end: MediaTime?
  var asked: Int64
  var rate: PlaybackRate
  private var random: RandomStream

  init(seed: UInt64) {
    random = RandomStream(seed: seed, name: "oracle")
    var random = random
    func draw(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }
    let kilobits = draw(200...5_000)
    let seconds = draw(4...60)
    let isStream = draw(0...1) == 0
    source = .progressive(MediaFile(duration: .seconds(1), bitRate: .kilobitsPerSecond(1)))
    asked = draw(0...2) == 0 ? draw(0...seconds * billion) : 0
    rate =
      [(1, 2), (1, 1), (1, 1), (1, 1), (5, 4), (2, 1)].map { PlaybackRate($0.0, over: $0.1) }[
        Int(draw(0...5))]
    end = draw(0...4) == 0 ? .milliseconds(draw(1_000...seconds * 1_000)) : nil
    link = KnownLink(.perfect)
    self.random = random
    link = drawLink(around: kilobits)
    source = isStream ? drawStream(kilobits, seconds) : drawFile(kilobits, seconds)
  }

  private mutating func draw(_ range: ClosedRange<Int64>) -> Int64 { random.next(in: range) }

  private mutating func drawLink(around kilobits: Int64) -> KnownLink {
    let per = draw(0...2) == 0 ? draw(1...1_000) : 1
    func limited(_ bits: Int64) -> Bandwidth { .limited(BitRate(bitsPerSecond: bits, over: per)) }
    var conditions = LinkConditions.perfect
    conditions.downlink.delay = .microseconds(draw(0...100_000))
    conditions.uplink.delay = .microseconds(draw(0...50_000))
    conditions.dnsDelay = draw(0...2) == 0 ? .microseconds(draw(0...100_000)) : .zero
    let bits = kilobits * 1_000 * per
    switch draw(0...3) {
    case 0:
      conditions.downlink.bandwidth = limited(bits * draw(50...200) / 100 + draw(0...per - 1))
      return KnownLink(conditions)
    case 1:
      conditions.downlink.bandwidth = limited(bits * draw(50...200) / 100)
      let outages = (0..<draw(1...4)).map { _ in
        let start = draw(0...60 * billion)
        return start..<start + draw(1...15 * billion)
      }
      return KnownLink(conditions, outages: outages)
    default:
      let latency = draw(0...1) == 0 ? 0 : draw(0...80_000)
      let steps = (0..<draw(2...8)).map { _ in
        RateSchedule.Step(
          duration: .microseconds(draw(50_000...8_000_000)),
          bandwidth: draw(0...6) == 0 ? .limited(.zero) : limited(bits * draw(20...250) / 100),
          latency: .microseconds(latency == 0 ? 0 : draw(0...latency)))
      }
      let last = RateSchedule.Step(
        duration: .milliseconds(draw(100...5_000)), bandwidth: limited(bits))
      let schedule = try? RateSchedule(
        steps: steps + [last], ending: draw(0...2) == 0 ? .holds : .loops,
        clock: draw(0...2) == 0 ? .pausedDuringLatency : .wall,
        offset: .microseconds(draw(0...1) == 0 ? 0 : draw(0...20_000_000)))
      return KnownLink(conditions, schedule: schedule)
    }
  }

  private mutating func drawFile(_ kilobits: Int64, _ seconds: Int64) -> MediaSource {
    let mean = kilobits * 125
    let isConstant = draw(0...2) == 0
    var sizes = (0..<seconds).map { _ in
      isConstant ? mean : draw(0...6) == 0 ? 0 : draw(1...2 * mean)
    }
    sizes[Int(draw(0...seconds - 1))] += 1
    let cut = draw(0...1) == 0 ? 0 : draw(0...999_999_999)
    let map = ByteMap(
      duration: MediaTime(nanoseconds: seconds * billion - cut), stretch: .seconds(1), sizes: sizes)
    return .progressive(
      MediaFile(
        map: map, headAtomBytes: draw(0...1) == 0 ? 0 : draw(1...60_000),
        headAtomPosition: draw(0...2) == 0 ? .end : .front))
  }

  private mutating func drawStream(_ kilobits: Int64, _ seconds: Int64) -> MediaSource {
    let segment = draw(1_000...8_000)
    var description = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: kilobits * 1_000)],
      segmentDuration: .milliseconds(segment), duration: .seconds(seconds))
    if draw(0...1) == 0 {
      description.audio = [LadderAudio(name: "stereo", bitRate: draw(32...256) * 1_000)]
    }
    guard var presentation = try? Presentation(description) else { return source }
    let hasMaps = draw(0...1) == 0
    for list in presentation.lists.indices {
      if hasMaps {
        presentation.lists[list].maps = [SizedMap(uri: "map", bytes: draw(1...3_000))]
      }
      for index in presentation.lists[list].segments.indices {
        let old = presentation.lists[list].segments[index]
        presentation.lists[list].segments[index] = MediaSegment(
          start: old.start, duration: old.duration,
          bytes: max(1, old.bytes * draw(40...180) / 100), map: hasMaps ? 0 : nil)
      }
    }
    var settings = StreamSettings(
      presentation: presentation, initialRule: .firstEligible, adaptation: .fixed)
    settings.automaticForwardBuffer = draw(0...2) == 0 ? .seconds(draw(4...30)) : .seconds(600)
    settings.errors.mediaTimeout = .seconds(10_000)
    return .stream(settings)
  }
}

extension OracleCase: CustomStringConvertible {
  var description: String {
    let media: String
    switch source {
    case .local(let file), .progressive(let file):
      media = "file of \(file.map.bytes) bytes, head \(file.headAtomBytes) \(file.headAtomPosition)"
    case .stream(let settings):
      let lists = settings.presentation.lists.map { ($0.segments.count, $0.maps.count) }
      media = "stream of \(lists), ahead \(settings.limit)"
    }
    return "\(media), until \(String(describing: end)), asked \(asked), at \(rate), \(link)"
  }

  var isLimited: Bool {
    if case .stream(let settings) = source {
      return settings.limit < .seconds(600)
    }
    return false
  }

  var oracle: Oracle {
    let media: Oracle.Media
    switch source {
    case .local(let file), .progressive(let file): media = .file(file, end: end ?? file.duration)
    case .stream(let settings):
      var stream = KnownStream(
        settings.presentation, variant: 0, limit: settings.limit, end: end)
      let fetch = PlayerSettings().policy.fetch.ofStreams
      stream.fetch.trackLead = fetch.trackLead
      media = .stream(stream)
    }
    return Oracle(
      link: link, media: media, asked: Instant(nanoseconds: asked), rate: rate)
  }

  /// Plays it by a rule for starting and one for going on.
  func play(
    start: ReadinessRule, resume: ReadinessRule? = nil
  ) throws -> (books: PlayerBooks, end: EndReason) {
    let world = try World(
      conditions: link.conditions, schedule: link.schedule,
      limits: RunLimits(horizon: .zero + .seconds(4_000), eventBudget: 200_000))
    var settings = PlayerSettings()
    settings.policy.start = start
    settings.policy.resume = resume ?? start
    for outage in link.outages {
      var closed = link.conditions
      closed.downlink.bandwidth = .limited(.zero)
      closed.uplink.bandwidth = .limited(.zero)
      for (edge, conditions) in [
        (outage.lowerBound, closed), (outage.upperBound, link.conditions),
      ] {
        world.at(Instant(nanoseconds: edge)) { try? world.setConditions(conditions) }
      }
    }
    let player = world.makePlayer(settings)
    var item = ItemSettings(source: source)
    item.forwardPlaybackEndTime = end
    player.replaceCurrentItem(with: item)
    world.advance(to: Instant(nanoseconds: asked))
    player.rate = rate
    let end = world.run()
    _ = world.finish()
    return (player.books, end)
  }

  /// Some players that know nothing of the future.
  var contenders: [(start: ReadinessRule, resume: ReadinessRule)] {
    var random = random
    let marks = (0..<3).map { _ in MediaTime.milliseconds(random.next(in: 0...15_000)) }
    var playThrough = PlayThrough.usual
    playThrough.margin = .none
    return [
      (.playThrough(playThrough), .playThrough(playThrough)),
      (.level(.anything), .level(.media(.milliseconds(250)))),
      (.level(.media(marks[0])), .level(.media(max(.milliseconds(250), marks[1])))),
      (
        .any([.level(.media(marks[2])), .after(.milliseconds(random.next(in: 0...9_000)))]),
        .level(.media(.milliseconds(500)))
      ),
    ]
  }
}

private let billion: Int64 = 1_000_000_000

extension StreamSettings {
  /// How far ahead it is read; whole where nothing says so.
  fileprivate var limit: MediaTime { automaticForwardBuffer ?? presentation.duration }
}
