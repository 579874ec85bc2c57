import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

/// The cause of a stall of the first player, in words.
struct StallWords {
  let scenario: Scenario
  let outcome: RunOutcome
  private let stall: PlayerBooks.Stall
  private let fall: StallFall

  init(_ stall: PlayerBooks.Stall, _ scenario: Scenario, _ outcome: RunOutcome) {
    (self.scenario, self.outcome, self.stall) = (scenario, outcome, stall)
    fall =
      outcome.folds.stalls.falls.last { $0.stalled == stall.start }
      ?? StallFall(stalled: stall.start)
  }

  /// What explains it first, and the buffer before it last.
  var reason: String {
    var parts: [String?] = []
    if fall.isListGone { parts.append("the playlist no longer listed the next segment") }
    if let stop = outage.map({ "the link was out " + words($0) }) ?? encoderStop {
      parts += [stop, failures]
    } else if let rates, rates.areTooLow {
      parts += [rates.words, wait(isExplained: true), encoderStopBefore, failures]
    } else {
      parts += [wait(isExplained: false), failures, encoderStopBefore, rates?.words]
    }
    return joined((parts + [ahead]).compactMap { $0 }, by: "; ")
  }

  private var source: MediaSource {
    scenario.source(of: outcome.story.items.last { $0.start <= stall.start }?.name)
  }

  // MARK: Link and encoder

  private var outages: [CapacitySpan] {
    outcome.capacity?.filter {
      $0.rate == 0 && $0.end > fall.loading && $0.start <= stall.start
    } ?? []
  }

  /// The last outage, where it goes on or took half of the time in which something was loaded.
  private var outage: CapacitySpan? {
    guard let outage = outages.last else { return nil }
    let length = (min(outage.end, stall.start) - max(outage.start, fall.loading)).nanoseconds
    let isLong = length * 2 >= (stall.start - fall.loading).nanoseconds
    return outage.end >= stall.start || isLong ? outage : nil
  }

  private func words(_ outage: CapacitySpan) -> String {
    "from " + exactSeconds(outage.start)
      + (outage.end >= outcome.ended ? " on" : " to " + exactSeconds(outage.end))
  }

  /// The last stop of the encoder, and when it ended.
  private var stop: (words: String, begins: Instant, ends: Instant)? {
    guard case .stream(let settings) = source,
      let stop = settings.live?.stops.last(where: { $0.begins <= stall.start })
    else { return nil }
    let end = stop.begins + stop.span
    let span = "from \(exactSeconds(stop.begins)) to \(exactSeconds(end))"
    return ("the encoder stood still \(span)", stop.begins, end)
  }

  /// A stop behind which no segment was listed yet.
  private var encoderStop: String? {
    guard awaited?.media == nil, let stop, case .stream(let settings) = source,
      let target = settings.presentation.lists.first?.targetDuration,
      // The first segment after it is listed when all of it is there.
      stop.ends + TimeSpan(nanoseconds: target.nanoseconds) >= stall.start
    else { return nil }
    return stop.words
  }

  /// A stop that took a part of the buffer before segments were loaded again.
  private var encoderStopBefore: String? {
    guard let stop, let top = fall.top, top.instant < stop.ends, stop.ends <= fall.loading else {
      return nil
    }
    return stop.words
  }

  /// The conditions in force when it began.
  private var conditions: LinkConditions {
    let actions = zip(scenario.script, outcome.stepInstants).compactMap { step, instant in
      instant.flatMap { instant -> (instant: Instant, action: AppAction.LinkAction)? in
        guard instant <= stall.start, case .link(let action) = step.action else { return nil }
        return (instant, action)
      }
    }
    var (isOn, conditions) = (scenario.link.isSwitchedOn, scenario.link.conditions)
    for (_, action) in actions.sorted(by: { $0.instant < $1.instant }) {
      if case .switchLink(let on) = action { isOn = on }
      if case .changeLink(let new) = action { (isOn, conditions) = (true, new) }
    }
    return isOn ? conditions : .perfect
  }

  /// Bits per second that the link had while something was loaded, and those that the media needed;
  /// nil where the link alone knows the former.
  private var rates: (words: String, areTooLow: Bool)? {
    let span = stall.start - fall.loading
    guard let spans = outcome.capacity, span >= .milliseconds(1) else { return nil }
    let mean = spans.mean(from: fall.loading, to: stall.start)
    let carried = mean ?? .max
    let need = self.need
    var link = mean.map { "the link had " + shown(bits: $0) } ?? "the link was unlimited"
    link += " for " + exactSeconds(span)
    if scenario.isLinkShared { link += ", and others may have had a part of it" }
    if let outage = outages.last { link += ", and was out " + words(outage) }
    let areTooLow = need.map { carried < $0.bits } ?? false
    if !areTooLow {
      let conditions = conditions
      let hindrances = ScenarioWords.delays(conditions) + ScenarioWords.losses(conditions)
      if !hindrances.isEmpty { link += ", with " + joined(hindrances, by: ", ") }
      if scenario.fidelity == .fluid, let most = LossCap.bitsPerSecond(conditions), most < carried {
        link += ", which holds a transfer to \(shown(bits: most))"
      }
    }
    return (joined([link] + [need?.words].compactMap { $0 }, by: "; "), areTooLow)
  }

  // MARK: Media

  /// Bits per second of the media that were to be loaded, at the rate of playback, and in words;
  /// nil where nothing was asked for.
  private var need: (bits: Int64, words: String)? {
    let (time, played) = (
      stall.start - (fall.top?.instant ?? stall.start), stall.place - fall.place
    )
    let hundredths =
      time == .zero
      ? 100
      : (scaled(played.nanoseconds, by: 200, over: time.nanoseconds, rounding: .down) + 1) / 2
    func atRate(_ bits: Int64) -> Int64 { scaled(bits, by: hundredths, over: 100, rounding: .down) }
    let speed = hundredths == 100 ? "" : " at rate " + decimal(hundredths, of: 2, places: 2)
    switch source {
    case .local(let file), .progressive(let file):
      let need = atRate(bits(of: file))
      return (need, "the media needs \(shown(bits: need))\(speed)")
    case .stream(let settings):
      let bits = segmentBits
      if bits == 0 { return nil }
      let needs = settings.presentation.verdicts(under: settings.constraints).enumerated()
        .filter { $1.isEligible }
        .map { settings.presentation.variants[$0.offset].attributes.nominalBandwidth }
      let words = "the segments asked for need \(shown(bits: atRate(bits)))\(speed)"
      guard let least = needs.min(),
        requestedVariants.contains(where: { variant in
          settings.presentation.variants[variant].attributes.nominalBandwidth > least
        })
      else { return (atRate(bits), words) }
      return (
        atRate(bits), "\(words); the lowest variant needs \(shown(bits: atRate(least)))\(speed)"
      )
    }
  }

  /// Bits per second of a file between what was ahead and what was missing.
  private func bits(of file: MediaFile) -> Int64 {
    let start = fall.place + (fall.top?.ahead ?? .zero)
    let end = min(file.duration, max(stall.place, start) + .seconds(1))
    if file.map.corners.count == 2 || end <= start { return file.averageBitRate.roundedDown }
    let bytes = file.map.byte(at: end) - file.map.byte(at: start)
    return scaled(bytes, by: 8_000_000_000, over: (end - start).nanoseconds, rounding: .down)
  }

  /// The segments asked for, each as it was asked for last.
  private var segments: [StartupStage] {
    fall.requests.indices.filter { index in
      let request = fall.requests[index]
      return request.media != nil && request.track != .subtitles && request.requested <= stall.start
        && !fall.requests[(index + 1)...].contains {
          $0.media == request.media && $0.track == request.track
            && $0.requested <= stall.start
        }
    }.map { fall.requests[$0] }
  }

  private var requestedVariants: [Int] { segments.compactMap { $0.variant.map { Int($0) } } }

  /// Bits per second of these segments, of all tracks together.
  private var segmentBits: Int64 {
    [TrackKind.main, .audio].reduce(Int64(0)) { (sum: Int64, track: TrackKind) in
      let own = segments.filter { $0.track == track }
      let bytes = own.reduce(0) { $0 + ($1.bytes ?? 0) }
      let media = own.reduce(Int64(0)) { sum, segment in
        sum + (segment.media.map { ($0.upperBound - $0.lowerBound).nanoseconds } ?? 0)
      }
      return sum + (media == 0 ? 0 : scaled(bytes, by: 8_000_000_000, over: media, rounding: .down))
    }
  }

  // MARK: Requests

  /// The request that was waited for: the last of those for the missing media to end.
  private var awaited: StartupStage? {
    let open = fall.requests.filter { request in
      request.requested <= stall.start && request.track != .subtitles
        && request.ended.map { $0 > stall.start } ?? true
    }
    let missing = open.filter { request in
      request.media.map { $0.lowerBound <= stall.place && stall.place < $0.upperBound } ?? false
    }
    return (missing.isEmpty ? open : missing).max {
      ($0.ended ?? .distantFuture) < ($1.ended ?? .distantFuture)
    }
  }

  /// The request that was waited for: a late answer, or its end where the rate does not explain the
  /// stall or another track was there.
  private func wait(isExplained: Bool) -> String? {
    guard let awaited else { return nil }
    let what = "\(name(awaited)), asked for at \(exactSeconds(awaited.requested)),"
    let answered = awaited.responded ?? .distantFuture
    let wait = (min(answered, stall.start) - awaited.requested).nanoseconds
    let usual = max(100_000_000, 2 * conditions.roundTrip.nanoseconds)
    if wait > usual, wait * 4 >= (stall.start - awaited.requested).nanoseconds {
      return answered == .distantFuture
        ? "\(what) had no answer" : "\(what) was answered at \(exactSeconds(answered))"
    }
    if isExplained && awaited.track != .audio || awaited.resource == nil { return nil }
    guard let end = awaited.ended else { return "\(what) never came" }
    switch awaited.outcome {
    case .completed, .underWay: return "\(what) came at \(exactSeconds(end))"
    case .cancelled: return "\(what) was cancelled at \(exactSeconds(end))"
    case .failed: return "\(what) failed at \(exactSeconds(end))"
    }
  }

  private func name(_ request: StartupStage) -> String {
    let audio = request.track == .audio ? "audio " : ""
    switch request.resource {
    case nil: return "the file"
    case .contentKey: return "the \(audio)key"
    case .mediaPlaylist, .multivariantPlaylist: return "the \(audio)playlist"
    case .mapSegment: return "the initialization section"
    case .mediaSegment:
      let place = request.media.map { " of " + exactSeconds($0.lowerBound.nanoseconds) } ?? ""
      return "the \(audio)segment\(place)"
    }
  }

  /// The requests that failed since something was loaded, and the last of them; nil where none did.
  private var failures: String? {
    let failures = fall.requests.filter { $0.outcome == .failed && $0.track != .subtitles }
    guard let last = failures.last, let instant = last.ended else { return nil }
    let audio = failures.contains { $0.track != .audio } ? "" : " for audio"
    let comment = outcome.errors.last { $0.date == instant }?.comment
    return "\(counted(Int64(failures.count), "request"))\(audio) failed meanwhile, "
      + (failures.count > 1 ? "the last " : "")
      + "at " + exactSeconds(instant) + (comment.map { ": " + $0 } ?? "")
  }

  // MARK: Buffer

  private var ahead: String {
    let top = fall.top
    var words = "nothing was loaded ahead"
    if let top {
      let isSome = top.ahead >= .milliseconds(1)
      words =
        (isSome ? "\(exactSeconds(top.ahead)) were" : "less than 0.001 s was")
        + " ahead at " + exactSeconds(top.instant)
      // A full buffer has nothing loaded for a while.
      let left = top.ahead - MediaTime(nanoseconds: (fall.loading - top.instant).nanoseconds)
      if fall.loading > top.instant, left > .zero {
        words += ", and about \(exactSeconds(left)) when loading went on"
      }
    }
    let from = top?.instant ?? stall.start
    guard let cut = fall.cut, let began = outcome.startup.began, cut.instant > began,
      from - cut.instant <= stall.start - from
    else { return words }
    let what =
      switch cut.kind {
      case .seek: "the seek"
      case .jump: "the playhead moved"
      case .item(let name): name.map { "\($0) began" } ?? "the next item began"
      case .selection: "the change of language"
      }
    return "\(words), after \(what) at \(exactSeconds(cut.instant))"
  }

  private func shown(bits: Int64) -> String { shownRate(.bitsPerSecond(bits)) }
}
