import Autowait
import LinkConditioner
import StreamingMedia
import VirtualTime

// Which variant the next segment is taken from, and when a segment is given up.

extension StreamLoader {
  /// What the present variant needs in the long run, its audio included.
  var neededBitRate: BitRate? {
    variant.map { rungs[$0].sustained }
  }

  /// Chooses the variant for the segments that are still to be asked for.
  func adapt(_ ahead: MediaTime, at now: Instant, on stage: inout Stage) {
    guard let current = variant, let better = choice(current, ahead) else { return }
    switchTo(better, at: now, on: &stage)
  }

  private func choice(_ current: Int, _ ahead: MediaTime) -> Int? {
    let isBarred = !rungs[current].isEligible
    guard let lowest = rungs.lowest else { return nil }
    guard case .throughput(let rule) = settings.adaptation,
      let estimate = meter.bitsPerSecond
    else { return isBarred ? lowest : nil }
    let budget = BitRate.bitsPerSecond(
      scaled(estimate, by: rule.safetyPercent, over: 100, rounding: .down))
    let best = rungs.highest(within: budget) ?? lowest
    if best == current { return nil }
    if isBarred { return best }
    if rungs[best].bandwidth > rungs[current].bandwidth {
      return ahead >= rule.upSwitchBuffer ? best : nil
    }
    // Going down is free of haste while the present variant is sustained, or much is ahead.
    if BitRate.bitsPerSecond(estimate) >= rungs[current].sustained { return nil }
    return ahead < rule.downSwitchBuffer ? best : nil
  }

  func switchTo(_ new: Int, at now: Instant, on stage: inout Stage) {
    guard let old = variant else { return }
    stage.log.note(.variantSwitchStarted(from: Int32(old), to: Int32(new)), at: now)
    variant = new
    for index in tracks.indices {
      guard let list = list(of: tracks[index].kind, for: new), list != tracks[index].list
      else { continue }
      tracks[index].list = list
      // Whoever is in the middle of a segment in parts goes on with the same part.
      if tracks[index].nextPart > 0 { continue }
      // Switching happens at a segment boundary.
      tracks[index].next = presentation.lists[list].next(after: tracks[index].boundary)
    }
    passSound(to: new)
  }

  /// Where a track of a variant is; nil where it has none of that kind, or nobody asked for it.
  func list(of kind: TrackKind, for variant: Int) -> Int? {
    switch kind {
    case .main: return soundAlone(of: variant) ?? presentation.variants[variant].list
    case .audio:
      if soundAlone(of: variant) != nil { return nil }
      return list(of: .audio, settings.audioLanguage, for: variant)
    case .subtitles:
      guard let language = settings.subtitleLanguage else { return nil }
      return list(of: .subtitles, language, for: variant)
    }
  }

  private func list(of kind: RenditionKind, _ language: String?, for variant: Int) -> Int? {
    presentation.rendition(of: kind, for: variant, language: language)
      .flatMap { presentation.renditions[$0].list }
  }

  /// Gives up the main segment under way for one of a lower variant; false if there is none lower.
  ///
  /// - Parameter known: What the link brings, where that is known better than by the estimate.
  func abandon(
    known: BitRate? = nil, at now: Instant, on stage: inout Stage
  ) -> Bool {
    guard let current = variant, let fetch = tracks.first?.fetch, !fetch.isComplete else {
      return false
    }
    guard lowerVariant(than: current, within: .zero) != nil else { return false }
    let arrived = arrivedBytes(fetch, at: now, on: stage)
    stage.log.note(
      .segmentAbandoned(fetch.id, bytes: arrived, of: fetch.bytes), at: now)
    drop(0, at: now, on: &stage)
    meter.closeSample()
    tracks[0].next = fetch.index
    let budget = known ?? meter.bitsPerSecond.map { BitRate.bitsPerSecond($0) }
    if let best = lowerVariant(than: current, within: budget ?? .zero) {
      switchTo(best, at: now, on: &stage)
    }
    return true
  }

  /// The highest variant below another that a bit rate sustains, else the lowest; nil where there
  /// is none below.
  func lowerVariant(than current: Int, within budget: BitRate) -> Int? {
    let limit = rungs[current].bandwidth
    if let best = rungs.highest(within: budget, below: limit) { return best }
    return rungs.lowest.flatMap { rungs[$0].bandwidth < limit ? $0 : nil }
  }
}
