import ExactText
import LinkConditioner
import Recording
import ScenarioFormat
import ScenarioRunner
import SimulatedPlayback
import StreamingMedia
import VirtualTime

extension StoryWords {
  /// The cause of a stall: what explains it first, and the buffer before it last.
  func reason(of stall: PlayerBooks.Stall) -> String {
    let known = folds.stalls.falls.last { $0.stalled == stall.start }
    let fall = known ?? StallFall(stalled: stall.start, dry: stall.place)
    let end = stall.end ?? outcome.ended
    var parts: [String?] = []
    if fall.isListGone { parts.append("the playlist no longer listed the next segment") }
    if let stop = outage(fall).map({ "the link was out " + words($0) }) ?? encoderStop(fall) {
      parts += [stop, failures(fall, to: end)]
    } else {
      let rates = rates(fall)
      let areTooLow = rates?.areTooLow ?? false
      let (wait, failures) = (wait(fall, isExplained: areTooLow), failures(fall, to: end))
      let stop = encoderStopBefore(fall)
      parts +=
        areTooLow ? [rates?.words, wait, stop, failures] : [wait, failures, stop, rates?.words]
    }
    return joined((parts + [ahead(fall)]).compactMap { $0 }, by: "; ")
  }

  /// The media of the item that stalled: one that begins at that instant is the next.
  private func source(_ fall: StallFall) -> MediaSource {
    let own = scenario.others.first { isSameName($0.name, name) }?.scenario ?? scenario
    return own.source(of: folds.story.items.last { $0.start < fall.stalled }?.name)
  }

  private func outages(_ fall: StallFall) -> [CapacitySpan] {
    outcome.capacity?.filter {
      $0.rate == 0 && $0.end > fall.loading && $0.start <= fall.stalled
    } ?? []
  }

  /// The last outage, where it goes on or took half of the time in which something was loaded.
  private func outage(_ fall: StallFall) -> CapacitySpan? {
    guard let outage = outages(fall).last else { return nil }
    let length = (min(outage.end, fall.stalled) - max(outage.start, fall.loading)).nanoseconds
    let isLong = length * 2 >= (fall.stalled - fall.loading).nanoseconds
    return outage.end >= fall.stalled || isLong ? outage : nil
  }

  private func words(_ outage: CapacitySpan) -> String {
    "from " + exactSeconds(outage.start)
      + (outage.end >= outcome.ended ? " on" : " to " + exactSeconds(outage.end))
  }

  /// The last stop of the encoder, its end, and the latest arrival of a playlist with the first
  /// segment after it: one that had not changed is read again half a target duration later.
  private func stop(_ fall: StallFall) -> (words: String, ends: Instant, listed: Instant)? {
    guard case .stream(let settings) = source(fall),
      let stop = settings.live?.stops.last(where: { $0.begins <= fall.stalled })
    else { return nil }
    let end = stop.begins + stop.span
    let span = "from \(exactSeconds(stop.begins)) to \(exactSeconds(end))"
    let target = settings.presentation.lists.first?.targetDuration.nanoseconds ?? 0
    let listed = end + TimeSpan(nanoseconds: target + target / 2) + conditions(fall).roundTrip
    return ("the encoder stood still \(span)", end, listed)
  }

  /// A stop behind which no segment was listed yet.
  private func encoderStop(_ fall: StallFall) -> String? {
    guard fall.awaited?.media == nil, let stop = stop(fall), stop.listed >= fall.stalled
    else { return nil }
    return stop.words
  }

  /// A stop that took a part of the buffer before segments were loaded again.
  private func encoderStopBefore(_ fall: StallFall) -> String? {
    guard let stop = stop(fall), let top = fall.top, top.instant < stop.ends,
      stop.ends <= fall.loading
    else { return nil }
    return stop.words
  }

  /// The conditions in force when it began.
  private func conditions(_ fall: StallFall) -> LinkConditions {
    var (isOn, conditions) = (scenario.link.isSwitchedOn, scenario.link.conditions)
    for (step, instant) in outcome.stepsDone(of: scenario.script) where instant <= fall.stalled {
      guard case .link(let action) = step.action else { continue }
      if case .switchLink(let on) = action { isOn = on }
      if case .changeLink(let new) = action { (isOn, conditions) = (true, new) }
    }
    return isOn ? conditions : .perfect
  }

  /// Bits per second that the link had while something was loaded, and those that the media needed,
  /// unless a live stream had nothing to load; nil where the link alone knows the former.
  private func rates(_ fall: StallFall) -> (words: String, areTooLow: Bool)? {
    let span = fall.stalled - fall.loading
    guard let spans = outcome.capacity, span >= .milliseconds(1) else { return nil }
    if case .stream(let settings) = source(fall), settings.live != nil,
      fall.segments.isEmpty, !fall.isListGone,
      fall.awaited.map({ $0.resource == .mediaPlaylist }) ?? true
    {
      return ("the playhead had come to the live edge: no further segment was listed", true)
    }
    let mean = spans.mean(from: fall.loading, to: fall.stalled)
    let carried = mean ?? .max
    let need = need(fall)
    var link = mean.map { "the link had " + shown(bits: $0) } ?? "the link was unlimited"
    link += " for " + exactSeconds(span)
    if isShared(fall) { link += ", and others may have had a part of it" }
    if let outage = outages(fall).last { link += ", and was out " + words(outage) }
    let areTooLow = need.map { carried < $0.bits } ?? false
    let conditions = conditions(fall)
    let most = scenario.fidelity == .fluid ? LossCap.bitsPerSecond(conditions) ?? .max : .max
    if !areTooLow || most < carried {
      let hindrances = ScenarioWords.delays(conditions) + ScenarioWords.losses(conditions)
      if !hindrances.isEmpty { link += ", with " + joined(hindrances, by: ", ") }
      if most < carried { link += ", which holds a transfer to \(shown(bits: most))" }
    }
    return (joined([link] + [need?.words].compactMap { $0 }, by: "; "), areTooLow)
  }

  /// Whether other known transfers shared the link while media was loaded.
  private func isShared(_ fall: StallFall) -> Bool {
    var (stopped, released): ([String], [Int]) = ([], [])
    for (step, instant) in outcome.stepsDone(of: scenario.script) where instant <= fall.loading {
      guard case .link(let action) = step.action else { continue }
      if case .stopTraffic(let name) = action { stopped.append(name) }
      if case .releaseLeakedPlayer(let number) = action { released.append(number) }
    }
    for plan in scenario.traffic where plan.traffic.begins < fall.stalled {
      let isStopped = stopped.contains { isSameText($0, plan.name) }
      if !isStopped, plan.traffic.ends ?? .distantFuture > fall.loading { return true }
    }
    for (place, player) in scenario.leakedPlayers.enumerated() {
      if player.begins < fall.stalled, !released.contains(place + 1) { return true }
    }
    for player in outcome.others where !isSameName(player.name, name) {
      if player.folds.stalls.isLoading(from: fall.loading, to: fall.stalled) { return true }
    }
    return name != nil
      && outcome.folds.stalls.isLoading(from: fall.loading, to: fall.stalled)
  }

  /// Bits per second of the media to load at the playback rate, and in words; nil without requests.
  private func need(_ fall: StallFall) -> (bits: Int64, words: String)? {
    let (time, played) = (
      fall.stalled - (fall.top?.instant ?? fall.stalled), max(.zero, fall.dry - fall.place)
    )
    let hundredths =
      time == .zero
      ? 100
      : (scaled(played.nanoseconds, by: 200, over: time.nanoseconds, rounding: .down) + 1) / 2
    func atRate(_ bits: Int64) -> Int64 { scaled(bits, by: hundredths, over: 100, rounding: .down) }
    let speed = hundredths == 100 ? "" : " at rate " + decimal(hundredths, of: 2, places: 2)
    switch source(fall) {
    case .local(let file), .progressive(let file):
      let need = atRate(bits(of: file, fall))
      return (need, "the media needs \(shown(bits: need))\(speed)")
    case .stream(let settings):
      let segments = fall.segments
      let bits = atRate(StallFall.bits(of: segments))
      if bits == 0 { return nil }
      let rates = settings.presentation.nominalBandwidths
      let verdicts = settings.presentation.verdicts(under: settings.constraints)
      let eligible = verdicts.indices.filter { verdicts[$0].isEligible }
      let least = eligible.map { rates[$0] }.min() ?? .max
      let words = "the segments asked for need \(shown(bits: bits))\(speed)"
      for segment in segments {
        guard let variant = segment.variant, rates.indices.contains(Int(variant)),
          rates[Int(variant)] > least
        else { continue }
        return (bits, "\(words); the lowest variant needs \(shown(bits: atRate(least)))\(speed)")
      }
      return (bits, words)
    }
  }

  /// Bits per second of a file between what was ahead and what was missing.
  private func bits(of file: MediaFile, _ fall: StallFall) -> Int64 {
    let start = fall.place + (fall.top?.media ?? .zero)
    let end = min(file.duration, max(fall.dry, start) + .seconds(1))
    if file.map.corners.count == 2 || end <= start { return file.averageBitRate.roundedDown }
    let bytes = file.map.byte(at: end) - file.map.byte(at: start)
    return scaled(bytes, by: 8_000_000_000, over: (end - start).nanoseconds, rounding: .down)
  }

  /// The request that was waited for: a late answer, or its end where the rate does not explain the
  /// stall or another track was there.
  private func wait(_ fall: StallFall, isExplained: Bool) -> String? {
    guard let awaited = fall.awaited else { return nil }
    let what = "\(name(awaited)), asked for at \(exactSeconds(awaited.requested)),"
    let answered = awaited.responded ?? .distantFuture
    let wait = (min(answered, fall.stalled) - awaited.requested).nanoseconds
    let usual = max(100_000_000, 2 * conditions(fall).roundTrip.nanoseconds)
    if wait > usual, wait * 4 >= (fall.stalled - awaited.requested).nanoseconds {
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
      let place = request.media.map { " from " + exactSeconds($0.lowerBound.nanoseconds) } ?? ""
      return "the \(audio)segment\(place)"
    }
  }

  /// The requests that failed up to an instant since something was loaded, and the last of them;
  /// nil where none did.
  private func failures(_ fall: StallFall, to end: Instant) -> String? {
    let failures = fall.requests.filter { request in
      request.outcome == .failed && request.track != .subtitles
        && request.ended.map { $0 <= end } ?? false
    }
    guard let instant = failures.compactMap({ $0.ended }).max() else { return nil }
    let audio = failures.contains { $0.track != .audio } ? "" : " for audio"
    let comment = outcome.errors(of: name).last { $0.date == instant }?.comment
    return "\(counted(Int64(failures.count), "request"))\(audio) failed meanwhile, "
      + (failures.count > 1 ? "the last " : "")
      + "at " + exactSeconds(instant) + (comment.map { ": " + $0 } ?? "")
  }

  private func ahead(_ fall: StallFall) -> String {
    // Older traces, and logs without requests, have no samples of the buffer.
    let isKnown = folds.states.levels.contains { $0.media > .zero }
    var words = isKnown ? "nothing was loaded ahead" : "the buffer before it is unknown"
    if let top = fall.top {
      let isSome = top.media >= .milliseconds(1)
      words =
        (isSome ? "\(exactSeconds(top.media)) were" : "less than 0.001 s was")
        + " ahead at " + exactSeconds(top.instant)
      // A full buffer has nothing loaded for a while.
      let left = top.media - MediaTime(nanoseconds: (fall.loading - top.instant).nanoseconds)
      if fall.loading > top.instant, left > .zero {
        words += ", and about \(exactSeconds(left)) when loading went on"
      }
    }
    let from = fall.top?.instant ?? fall.stalled
    guard let cut = fall.cut, let began = folds.startup.began, cut.instant > began,
      from - cut.instant <= fall.stalled - from
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

extension StallFall {
  /// The segments under way while the buffer fell, each as it was asked for last.
  fileprivate var segments: [StartupStage] {
    var segments: [StartupStage] = []
    for request in requests where request.media != nil && request.track != .subtitles {
      if request.requested > stalled || request.ended ?? .distantFuture <= loading { continue }
      segments.removeAll { $0.media == request.media && $0.track == request.track }
      segments.append(request)
    }
    return segments
  }

  /// Bits per second of segments, of all tracks together.
  fileprivate static func bits(of segments: [StartupStage]) -> Int64 {
    var sum: Int64 = 0
    for track in [TrackKind.main, .audio] {
      var (bytes, length): (Int64, Int64) = (0, 0)
      for segment in segments where segment.track == track {
        bytes = saturatingSum(bytes, segment.bytes ?? 0)
        guard let media = segment.media else { continue }
        length = saturatingSum(length, (media.upperBound - media.lowerBound).nanoseconds)
      }
      let bits = length > 0 ? scaled(bytes, by: 8_000_000_000, over: length, rounding: .down) : 0
      sum = saturatingSum(sum, bits)
    }
    return sum
  }

  /// The request that was waited for: the last to end of those for the missing media, or of all.
  fileprivate var awaited: StartupStage? {
    var (found, isMissing) = (StartupStage?.none, false)
    for request in requests where request.requested <= stalled && request.track != .subtitles {
      let end = request.ended ?? .distantFuture
      if end <= stalled { continue }
      let holds = request.media.map { $0.lowerBound <= dry && dry < $0.upperBound } ?? false
      let isLater = found.map { end > $0.ended ?? .distantFuture } ?? true
      if holds && !isMissing || holds == isMissing && isLater {
        (found, isMissing) = (request, holds)
      }
    }
    return found
  }
}
